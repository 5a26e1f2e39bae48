"""Joint types and joint limits in Maya, as Python functions.

    import jointlimits_maya
    limits = jointlimits_maya.estimate(["rig:hips"], strictness="robust")
    jointlimits_maya.apply(limits, ["rig:hips"])

Names are resolved on first use, so that the package can be imported without numpy and explain how
to install it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if find_spec("jointlimits_core") is None:
    # The module's folder, which mayapy may not have on its path.
    # live check: python-path-mayapy
    sys.path.append(str(Path(__file__).resolve().parents[2]))

from jointlimits_core.base.lazy import exports
from jointlimits_core.base.version import __version__

if TYPE_CHECKING:
    from .base import SceneError
    from .limits import apply, check, clear, estimate, filter_keys, switch_limits
    from .projection import project_keys, project_live, stop_projecting
    from .scene import Prepared
    from .skeleton import estimate_skeleton, joint_quality

__all__ = [
    "Prepared",
    "SceneError",
    "__version__",
    "apply",
    "check",
    "clear",
    "estimate",
    "estimate_skeleton",
    "filter_keys",
    "joint_quality",
    "project_keys",
    "project_live",
    "stop_projecting",
    "switch_limits",
]

__getattr__, _ = exports(__name__)


def __dir__() -> list[str]:
    return __all__
