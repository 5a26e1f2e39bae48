"""One function for every motion file: the content decides, then the ending of the name."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Union

from ..errors import InputError
from ..motion import Motion
from ..progress import Progress
from ..skeleton import Skeleton
from .amc import read_amc
from .asf import read_asf
from .bvh import read_bvh
from .read_limits import DEFAULT_LIMITS, ReadLimits
from .source import FilePath
from .text import read_head

SkeletonSource = Union[Skeleton, FilePath]

HEAD_BYTES = 1 << 16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BINARY_STARTS = {b"FOR4": "mb", b"FOR8": "mb", b"Kaydara FBX Binary": "fbx"}
# How the first line that is neither empty nor a `#` comment begins, in small letters.
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
_SKELETON_FIRST = "find its skeleton first, and with it its limits: jointlimits skeleton --estimate"
_ADVICE = {
    "mb": "is a Maya binary scene; save it as Maya ASCII (.ma)",
    "fbx": "is an FBX file; export BVH, or import it into Maya and save Maya ASCII (.ma)",
    "asf": "is an Acclaim skeleton without motion; read its .amc file and give this as skeleton",
    "c3d": f"has markers or loose bodies and no joints; {_SKELETON_FIRST}",
    "csv": f"is a table and has no joints; if it has loose bodies, {_SKELETON_FIRST}",
}
KNOWN_KINDS = frozenset({"bvh", "amc", "ma", *_ADVICE})
"""What :func:`read_motion` reads, or says more of than that it cannot."""
_OTHERWISE = "is no motion that can be read; export BVH, AMC or Maya ASCII (.ma)"


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
        A wrong ending of the name does not matter where the content is clear.
    skeleton : Skeleton, path-like or str, optional
        For AMC files, which have none of their own: the ASF file, or what was read from it.
        Other formats do not look at it.
    frame_rate : float, optional
        Frames per second, for AMC files, which do not say.
    limits : ReadLimits
        Bounds on what the file may ask for, and where references of scenes may lie.
    progress : callable, optional
        Called with (done, total, label) now and then while a BVH or AMC file is read; returning
        False cancels.

    Raises
    ------
    InputError
        With path, line, column where there is one, and what to do.
    Cancelled
        If `progress` returned False.
    """
    kind = motion_kind(path)
    if kind == "bvh":
        return read_bvh(path, limits, progress)
    if kind == "amc":
        return read_amc(path, _skeleton(path, skeleton, limits), frame_rate, limits, progress)
    if kind == "ma":
        # Here, so that a BVH is read without the scene reader being loaded.
        from .maya_ascii.reader import read_maya_ascii

        return read_maya_ascii(path, limits)
    raise InputError(path, _ADVICE.get(kind, _OTHERWISE))


def motion_kind(path: FilePath) -> str:
    """Format of a file in small letters: by what it says, or else by the ending of its name.

    Raises
    ------
    InputError
        For a file that is empty, or cannot be read.
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
    found = f"; beside it there is {', '.join(beside)}" if beside else ""
    raise InputError(path, f"an AMC motion needs its skeleton, give the ASF file{found}")


def _asf_files_beside(path: FilePath) -> list[str]:
    """Names of up to five skeleton files in the folder of a motion."""
    try:
        with os.scandir(Path(path).parent) as entries:
            names = (entry.name for entry in entries if entry.name.lower().endswith(".asf"))
            return sorted(itertools.islice(names, 5))
    except OSError:
        return []
