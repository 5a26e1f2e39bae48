"""Former name of ``python -m jointlimits_core.batch``, kept for farm templates that use it."""

import sys

from .batch.motion_files import main

if __name__ == "__main__":
    sys.exit(main())
