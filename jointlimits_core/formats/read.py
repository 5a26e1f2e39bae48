"""Reader of any motion file: the content decides the format, then the file extension."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Union

from ..base import InputError, Progress
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits
from ..motion import Motion, Skeleton
from .amc import read_amc
from .asf import read_asf
from .bvh import read_bvh
from .text import read_head

SkeletonSource = Union[Skeleton, FilePath]

HEAD_BYTES = 1 << 16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BINARY_STARTS = {b"FOR4": "mb", b"FOR8": "mb", b"Kaydara FBX Binary": "fbx"}
# Start of the first line that is neither empty nor a `#` comment, in lower case.
_TEXT_STARTS = {
    b"hierarchy": "bvh",
    b"//maya ascii": "ma",
    b"; fbx": "fbx",
    b":fully-specified": "amc",
    b":degrees": "amc",
    b":radians": "amc",
    b":version": "asf",
    b":name": "asf",
    b":units": "asf",
    b":root": "asf",
    b":bonedata": "asf",
}
_SKELETON_FIRST = "find its skeleton and limits with: jointlimits skeleton --estimate"
_ADVICE = {
    "mb": "is a Maya binary scene; save it as Maya ASCII (.ma)",
    "fbx": "is an FBX file; export BVH, or import it into Maya and save Maya ASCII (.ma)",
    "asf": "is an Acclaim skeleton without motion; read its .amc file with this file as skeleton",
    "c3d": f"has markers or loose bodies but no joints; {_SKELETON_FIRST}",
    "csv": f"is a table without joints; if it has loose bodies, {_SKELETON_FIRST}",
}
KNOWN_KINDS = frozenset({"bvh", "amc", "ma", *_ADVICE})
"""Formats that :func:`read_motion` reads, or has specific advice for."""
_OTHERWISE = "is not a supported motion file; export BVH, AMC or Maya ASCII (.ma)"


def read_motion(
    path: FilePath,
    skeleton: SkeletonSource | None = None,
    *,
    frame_rate: float | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> Motion:
    """Read a motion from a BVH, AMC or Maya ASCII file.

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
    kind = motion_kind(path)
    if kind == "bvh":
        return read_bvh(path, limits, progress)
    if kind == "amc":
        return read_amc(path, _skeleton(path, skeleton, limits), frame_rate, limits, progress)
    if kind == "ma":
        # Imported here so that BVH files are read without loading the scene reader.
        from .maya_ascii import read_maya_ascii

        return read_maya_ascii(path, limits)
    raise InputError(path, _ADVICE.get(kind, _OTHERWISE))


def motion_kind(path: FilePath) -> str:
    """Lower-case format of a file: from its content, else from its extension.

    Raises
    ------
    InputError
        For an empty or unreadable file.
    """
    head = read_head(path, HEAD_BYTES)
    if not head:
        raise InputError(path, "is empty")
    for start, kind in _BINARY_STARTS.items():
        if head.startswith(start):
            return kind
    text = head[len(_BYTE_ORDER_MARK) :] if head.startswith(_BYTE_ORDER_MARK) else head
    lines = (line.strip().lower() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith(b"#")), b"")
    for start, kind in _TEXT_STARTS.items():
        if first.startswith(start):
            return kind
    return Path(os.fspath(path)).suffix.lower().lstrip(".")


def _skeleton(path: FilePath, skeleton: SkeletonSource | None, limits: ReadLimits) -> Skeleton:
    if isinstance(skeleton, Skeleton):
        return skeleton
    if skeleton is not None:
        return read_asf(skeleton, limits)
    beside = _asf_files_beside(path)
    found = f"; its folder has {', '.join(beside)}" if beside else ""
    raise InputError(path, f"an AMC motion needs a skeleton; give its ASF file{found}")


def _asf_files_beside(path: FilePath) -> list[str]:
    """Names of up to five skeleton files in the folder of a motion."""
    try:
        with os.scandir(Path(path).parent) as entries:
            names = (entry.name for entry in entries if entry.name.lower().endswith(".asf"))
            return sorted(itertools.islice(names, 5))
    except OSError:
        return []
