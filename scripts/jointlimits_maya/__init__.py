"""Joint types and joint limits in Maya, as Python functions.

    import jointlimits_maya
    limits = jointlimits_maya.estimate(["rig:hips"], strictness="robust")
    jointlimits_maya.apply(limits, ["rig:hips"])

Names are resolved on first use, so that the package can be imported without numpy and explain how
to install it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jointlimits_core.base.version import __version__

    from .base import SceneError
    from .limits import apply, check, clear, estimate, switch_limits
    from .projection import project_keys, project_live, stop_projecting
    from .scene import Prepared
    from .skeleton import estimate_skeleton, joint_quality

_HOME = {
    "Prepared": "jointlimits_maya.scene.undo",
    "SceneError": "jointlimits_maya.base.errors",
    "__version__": "jointlimits_core.base.version",
    "apply": "jointlimits_maya.limits.api",
    "check": "jointlimits_maya.limits.api",
    "clear": "jointlimits_maya.limits.api",
    "estimate": "jointlimits_maya.limits.api",
    "estimate_skeleton": "jointlimits_maya.skeleton.api",
    "joint_quality": "jointlimits_maya.skeleton.api",
    "project_keys": "jointlimits_maya.projection.api",
    "project_live": "jointlimits_maya.projection.api",
    "stop_projecting": "jointlimits_maya.projection.api",
    "switch_limits": "jointlimits_maya.limits.api",
}

__all__ = [
    "Prepared",
    "SceneError",
    "__version__",
    "apply",
    "check",
    "clear",
    "estimate",
    "estimate_skeleton",
    "joint_quality",
    "project_keys",
    "project_live",
    "stop_projecting",
    "switch_limits",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
