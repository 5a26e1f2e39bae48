"""Where the joints of a limit set are: limits say how joints turn, not where they stand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError
from ..formats.asf import read_asf
from ..formats.read import read_motion
from ..formats.source import FilePath, source_file
from ..limits.limit_set import ClipRecord, LimitSet
from ..skeleton import Skeleton

ADVICE = (
    "limits do not say where the joints are; name the motion they were estimated from with "
    "--motion FILE, or its skeleton with --skeleton FILE"
)


def named_skeleton(motion: FilePath | None, skeleton: FilePath | None) -> Skeleton | None:
    """Skeleton of the files that were named.

    Parameters
    ----------
    motion : path-like or str, optional
        Any motion that can be read.
    skeleton : path-like or str, optional
        The ASF file of an AMC motion; without a motion, an ASF file or any motion.

    Returns
    -------
    Skeleton, or None if neither is named

    Raises
    ------
    InputError
    """
    if motion is not None:
        return read_motion(motion, skeleton=skeleton).skeleton
    if skeleton is None:
        return None
    if os.fspath(skeleton).lower().endswith(".asf"):
        return read_asf(skeleton)
    return read_motion(skeleton).skeleton


def recorded_skeleton(limit_set: LimitSet, limits_path: FilePath) -> tuple[Skeleton, str]:
    """Skeleton of a clip that the limits were estimated from, if it is still there, unchanged.

    Parameters
    ----------
    limit_set : LimitSet
    limits_path : path-like or str
        The file of the limits: clips are looked for where they were, and beside it.

    Returns
    -------
    skeleton : Skeleton
    path : str
        The clip.

    Raises
    ------
    InputError
        If there is none: with what to do.
    """
    for clip in limit_set.clips:
        for path in _places(clip, limits_path):
            try:
                if source_file(path).sha256 == clip.sha256:
                    return read_motion(path).skeleton, path
            except InputError:
                # An AMC without its skeleton, or a file that is not for us to read: the next one.
                continue
    raise InputError(limits_path, ADVICE)


def _places(clip: ClipRecord, limits_path: FilePath) -> Iterator[str]:
    """Regular files that may be the clip; anything else could block whoever opens it."""
    if clip.file is None or clip.sha256 is None or "\0" in clip.file:
        return
    beside = Path(limits_path).parent / Path(clip.file).name
    for path in dict.fromkeys((clip.file, os.fspath(beside))):
        if os.path.isfile(path):
            yield path
