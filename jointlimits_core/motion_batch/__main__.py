"""Run as ``python -m jointlimits_core.motion_batch``: what workers and farms start."""

import sys

from .program import main

if __name__ == "__main__":
    sys.exit(main())
