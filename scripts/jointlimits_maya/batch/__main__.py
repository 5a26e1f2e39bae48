"""Entry point of ``mayapy -m jointlimits_maya.batch``, run by farms and workers."""

import sys

from .standalone import numpy_advice

try:
    # Only workers need numpy, but the command reports at once that it is missing.
    import numpy  # noqa: F401
except ImportError:
    sys.exit(numpy_advice())

from .program import main

if __name__ == "__main__":
    sys.exit(main())
