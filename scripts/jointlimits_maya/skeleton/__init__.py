"""Joints built from animated transforms."""

from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

if TYPE_CHECKING:
    from .api import estimate_skeleton, joint_quality, prepare_skeleton
    from .sources import tracked_transforms, tracks_from_scene

__getattr__, __dir__ = exports(__name__)
