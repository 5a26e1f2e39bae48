"""Joint types and joint limits in Maya, as Python functions.

    import jointlimits_maya
    limits = jointlimits_maya.estimate(["rig:hips"], strictness="robust")
    jointlimits_maya.apply(limits, ["rig:hips"])

Names are resolved on first use, so that the package can be imported without numpy and explain how
to install it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if find_spec("jointlimits_core") is None:
    # The module's folder, which mayapy may not have on its path.
    # live check: python-path-mayapy
    sys.path.append(str(Path(__file__).resolve().parents[2]))

from jointlimits_core.base.version import __version__ as __version__

if TYPE_CHECKING:
    from .public import *  # noqa: F403


def __getattr__(name: str) -> Any:
    if not name.startswith("__") or name == "__all__":
        public = import_module(".public", __name__)
        if name == "__all__" or name in public.__all__:
            return getattr(public, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(import_module(".public", __name__).__all__)
