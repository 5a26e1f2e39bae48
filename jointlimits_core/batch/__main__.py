"""Entry point of ``python -m jointlimits_core.batch``, run by workers and farms."""

import sys

from .motion_files import main

if __name__ == "__main__":
    sys.exit(main())
