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

from jointlimits_core.base.version import __version__

if TYPE_CHECKING:
    from .base.host import SceneError
    from .limits.api import (
        apply,
        check,
        clear,
        estimate,
        filter_keys,
        limits_on_controls,
        mirror_limits,
        switch_limits,
    )
    from .limits.baking import bake
    from .projection.api import project_keys, project_live, stop_projecting
    from .scene.undo import Prepared
    from .skeleton.api import estimate_skeleton, joint_quality

_NAMES = {
    "base.host": "SceneError",
    "limits.api": "apply check clear estimate filter_keys limits_on_controls mirror_limits "
    "switch_limits",
    "limits.baking": "bake",
    "projection.api": "project_keys project_live stop_projecting",
    "scene.undo": "Prepared",
    "skeleton.api": "estimate_skeleton joint_quality",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
