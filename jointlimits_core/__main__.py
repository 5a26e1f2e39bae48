"""Run as ``python -m jointlimits_core``."""

import sys

from .cli.main import program

if __name__ == "__main__":
    sys.exit(program())
