"""Entry point of ``python -m jointlimits_core.motion_batch``, run by workers and farms."""

import sys

from .program import main

if __name__ == "__main__":
    sys.exit(main())
