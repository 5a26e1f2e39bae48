"""Start of a batch: the module on Python's path, Maya without a window, or advice."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
"""The module folder; added to Python's path here, as mayapy may not do it."""
# live check: python-path-mayapy
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

NO_MAYA = "this Python has no Maya; start the batch with mayapy"


def is_maya_up() -> bool:
    """Start Maya; False if this is not one of its Pythons."""
    try:
        import maya.standalone
    except ImportError:
        return False
    # The stubs have no types for this.
    maya.standalone.initialize(name="python")  # type: ignore[no-untyped-call]
    return True


def numpy_advice() -> str:
    """Command that installs numpy; only Maya knows where it keeps packages."""
    if not is_maya_up():
        return NO_MAYA
    from ..base import advice

    return advice()
