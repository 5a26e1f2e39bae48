"""Reader of any motion file: the content decides the format, then the file extension."""

from __future__ import annotations

from typing import Union

from ..base import InputError, Progress
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits
from ..motion import Motion, Skeleton
from .registry import MotionFormat, ReadRequest, format_by_content, format_by_ending
from .text import read_head

SkeletonSource = Union[Skeleton, FilePath]

HEAD_BYTES = 1 << 16
_OTHERWISE = "is not a supported motion file; export BVH, AMC or Maya ASCII (.ma)"


def read_motion(
    path: FilePath,
    skeleton: SkeletonSource | None = None,
    *,
    frame_rate: float | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> Motion:
    """Read a motion from a BVH, AMC or Maya ASCII file, or one that a plug-in reads.

    Parameters
    ----------
    path : path-like or str
        A wrong extension does not matter if the content is clear.
    skeleton : Skeleton, path-like or str, optional
        Skeleton of an AMC file, as an ASF file or already read; ignored for other formats.
    frame_rate : float, optional
        Frames per second of an AMC file, which does not state it.
    limits : ReadLimits
        Input budget, and the folder that scene references must stay in.
    progress : callable, optional
        Called with (done, total, label) from time to time while a BVH or AMC file is read;
        returning False cancels.

    Raises
    ------
    InputError
        With path, line and column where known, and what to do.
    Cancelled
        If `progress` returned False.
    """
    found = motion_format(path)
    if found is None or found.read is None:
        raise InputError(path, found.advice if found else _OTHERWISE)
    motion: Motion = found.implementation("read")(
        path, ReadRequest(skeleton, frame_rate, limits, progress)
    )
    return motion


def motion_format(path: FilePath) -> MotionFormat | None:
    """Format of a file: from its content, else from its extension; None if unknown.

    Raises
    ------
    InputError
        For an empty or unreadable file.
    """
    head = read_head(path, HEAD_BYTES)
    if not head:
        raise InputError(path, "is empty")
    return format_by_content(head) or format_by_ending(path)
