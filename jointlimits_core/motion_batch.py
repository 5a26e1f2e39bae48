"""Earlier name of ``python -m jointlimits_core.batch``, kept for farm templates in use."""

import sys

from .batch.motion_files import main

if __name__ == "__main__":
    sys.exit(main())
