"""The names that the package offers; they need numpy."""

from __future__ import annotations

from jointlimits_core.base.version import __version__

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
