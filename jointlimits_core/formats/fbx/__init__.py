"""FBX files, binary and ASCII: skeletons, their animation and their declared limits."""

from typing import TYPE_CHECKING

from ...base.lazy import exports
from ..registry import MotionFormat

if TYPE_CHECKING:
    from .reader import read_fbx, read_fbx_takes, read_requested, read_takes_requested, skeleton_key

__getattr__, __dir__ = exports(__name__)

FORMAT = MotionFormat(
    name="fbx",
    endings=(".fbx",),
    starts=(b"kaydara fbx binary", b"; fbx", b"fbxheaderextension:"),
    read="read_requested",
    read_takes="read_takes_requested",
    skeleton_key="skeleton_key",
    options=(
        (
            "take",
            "take of FBX files; by default all that move joints, or the first where one is needed",
        ),
    ),
    declares="an FBX file",
    contents="`.fbx`, binary and ASCII, 6.1 to 7.7 (of older ones the takes): joints, pre- and "
    "post-rotation as jointOrient and rotateAxis, pivots, rotate orders, axes and units; every "
    "take, or the one that `--take` names; layers and all kinds of keys; bind pose; existing "
    "limits",
)
