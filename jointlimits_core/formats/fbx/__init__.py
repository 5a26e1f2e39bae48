"""FBX files, binary and ASCII: skeletons, their animation and their declared limits."""

from typing import TYPE_CHECKING

from ...base.lazy import exports

if TYPE_CHECKING:
    from .reader import read_fbx, read_fbx_takes, read_requested, read_takes_requested, skeleton_key

__getattr__, __dir__ = exports(__name__)
