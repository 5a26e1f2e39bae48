"""Entry point of ``mayapy -m jointlimits_maya.batch``, run by farms and workers."""

import sys

from .standalone import numpy_advice

try:
    from .program import main
except ImportError as missing:
    if (missing.name or "").partition(".")[0] == "numpy":
        sys.exit(numpy_advice())
    raise

if __name__ == "__main__":
    sys.exit(main())
