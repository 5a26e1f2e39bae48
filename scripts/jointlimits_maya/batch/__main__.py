"""Entry point of ``mayapy -m jointlimits_maya.batch``, run by farms and workers."""

import sys

from .program import main

if __name__ == "__main__":
    sys.exit(main())
