"""Motion file formats, and a reader for files in any of them.

This package's formats are in a table; other distributions add a :class:`MotionFormat` through an
entry point in the group ``jointlimits.readers``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from ..base import errors, registry
from ..io.input import DEFAULT_LIMITS, FilePath, ReadLimits, read_start
from .text import BYTE_ORDER_MARK, DIRECTORY_ADVICE, WholeFile

if TYPE_CHECKING:
    from ..base.findings import Finding
    from ..base.progress import Progress
    from ..motion.motion import Motion
    from ..motion.skeleton import Skeleton
    from .tracks_csv import FileTracks

READERS = "jointlimits.readers"
"""Group of the entry points for motion formats."""
TRACK_ENDINGS = (".c3d", ".csv", ".tsv", ".txt")
"""File extensions for body and marker tracks, lower case with the dot."""
HEAD_BYTES = 1 << 16
PACKED = (".gz", ".zip", ".bz2", ".xz", ".7z")
"""Extensions of compressed files, which no reader unpacks."""
MAX_OFFSET_UNITS = 1e9
"""Longest offset of a joint, in units of its file."""

SkeletonSource = Union["Skeleton", FilePath]
"""A skeleton, or the path of its file."""


class ReadRequest(NamedTuple):
    """Arguments of a reader besides the path."""

    skeleton: SkeletonSource | None = None
    """Skeleton for formats that store none."""
    frame_rate: float | None = None
    """Frames per second, for formats that store none."""
    limits: ReadLimits = DEFAULT_LIMITS
    """Input budget, and the folder that scene references must stay in."""
    progress: Progress | None = None
    """Called with (done, total, label) from time to time; returning False cancels."""
    options: Mapping[str, str] = MappingProxyType({})
    """Values given for :attr:`MotionFormat.options`."""
    controls: bool = False
    """Whether to read the controls of a Maya scene in place of its joints."""


DEFAULT_REQUEST = ReadRequest()


@dataclass(frozen=True)
class MotionFormat:
    """A format of motion files, or a format that is recognised but cannot be read."""

    name: str
    """Name of the format, in lower case."""
    endings: tuple[str, ...]
    """File extensions, lower case with the dot."""
    starts: tuple[bytes, ...] = ()
    """Possible beginnings, in lower case, of the first line that is neither empty nor a ``#``
    comment; if `is_binary`, possible beginnings of the file itself."""
    read: str | Callable[[FilePath, ReadRequest], Motion] | None = None
    """``read(path, request: ReadRequest) -> Motion``, or its name."""
    read_takes: str | Callable[[FilePath, ReadRequest], list[Motion]] | None = None
    """Function that reads all clips of a file, or its name; None if a file has only one clip."""
    read_tracks: str | Callable[[FilePath, float | None, ReadRequest], FileTracks] | None = None
    """Without `read`: ``read_tracks(path, meters_per_unit, request) -> FileTracks`` of bodies or
    markers, or its name."""
    write: str | Callable[[Motion, FilePath], tuple[Finding, ...] | None] | None = None
    """``write(motion, path)``, which may return findings, or its name; None if read only."""
    advice: str = ""
    """Without `read`: message to follow the name of such a file, including what to do."""
    is_binary: bool = False
    needs_skeleton: bool = False
    """Whether the skeleton is in another file."""
    options: tuple[tuple[str, str], ...] = ()
    """Names and help of the reader's own options; commands have ``--NAME TEXT`` for each."""
    declares: str = ""
    """Phrase for a file whose joints declare limits, such as "a Maya scene"."""
    read_skeleton: str | Callable[[FilePath, ReadLimits], Skeleton] | None = None
    """Without `read`: ``read_skeleton(path, limits) -> Skeleton`` of such a file, or its name."""
    skeleton_key: str | Callable[[Path], str] | None = None
    """``skeleton_key(path) -> str``, equal for files with the same skeleton; None if every file
    counts as having its own."""
    contents: str = ""
    """Text for the table of formats: the file, a colon, and the content that is read."""

    def implementation(self, attribute: str) -> Any:
        """Return the function of an attribute such as `read`."""
        return registry.load_function(getattr(self, attribute), __package__ or "")


OWN = (
    MotionFormat(
        name="amass",
        endings=(".npz",),
        starts=(b"PK\x03\x04",),
        read="amass:read_amass",
        is_binary=True,
        skeleton_key="amass:performer_key",
        contents="AMASS `.npz`: joints of SMPL bodies; body shapes are not read",
    ),
    MotionFormat(
        name="amc",
        endings=(".amc",),
        starts=(b":fully-specified", b":degrees", b":radians"),
        read="amc:read_amc",
        needs_skeleton=True,
        contents="`.amc` with `--skeleton S.asf`: declared `dof` and `limits` are kept and shown, "
        "but never trusted",
    ),
    MotionFormat(
        name="asf",
        endings=(".asf",),
        starts=(b":version", b":name", b":units", b":root", b":bonedata"),
        advice="is an ASF skeleton without motion; name its .amc file, and this one as --skeleton",
        declares="an Acclaim skeleton",
        read_skeleton="asf:read_asf",
    ),
    MotionFormat(
        name="csv",
        endings=(".csv",),
        advice="is a table without joints; if it has loose bodies, find its skeleton and limits "
        "with: jointlimits skeleton --estimate",
        read_tracks="body_csv:read_body_csv",
        contents="`.csv` with `jointlimits skeleton`: positions and orientations of separate "
        "bodies, or markers; the skeleton is worked out first",
    ),
    MotionFormat(
        name="bvh",
        endings=(".bvh",),
        starts=(b"hierarchy",),
        read="bvh:read_bvh",
        write="bvh:write_bvh",
        skeleton_key="bvh:hierarchy_key",
        contents="`.bvh`: any channels in any order, per joint",
    ),
    MotionFormat(
        name="c3d",
        endings=(".c3d",),
        advice="has markers or loose bodies but no joints; find its skeleton and limits with: "
        "jointlimits skeleton --estimate",
        read_tracks="c3d:read_c3d",
        contents="`.c3d` with `jointlimits skeleton`: markers, or positions and orientations of "
        "separate bodies; the skeleton is worked out first",
    ),
    MotionFormat(
        name="fbx",
        endings=(".fbx",),
        starts=(b"kaydara fbx binary", b"; fbx", b"fbxheaderextension:"),
        read="fbx.reader:read_fbx",
        read_takes="fbx.reader:read_fbx_takes",
        skeleton_key="fbx.reader:skeleton_key",
        options=(
            (
                "take",
                "take to read from FBX files; by default all takes that move joints, or the first "
                "such take if only one can be used",
            ),
        ),
        declares="an FBX file",
        contents="`.fbx`, binary and ASCII, 6.1 to 7.7 (of older files, the takes): joints, pre- "
        "and post-rotation as jointOrient and rotateAxis, pivots, rotate orders, axes and units; "
        "every take, or the one that `--take` names; layers and all kinds of keys; bind pose; "
        "existing limits",
    ),
    MotionFormat(
        name="ma",
        endings=(".ma",),
        starts=(b"//maya ascii",),
        read="maya_ascii.reader:read_request",
        write="maya_ascii.motion_scene:write_motion_scene",
        declares="a Maya scene",
        contents="Maya ASCII `.ma`: joints with jointOrient, rotateAxis and rotateOrder; all "
        "animation curves; groups, namespaces, units, references; bind pose; existing limits and "
        "locks. Parsed as data: nothing in a scene is ever executed",
    ),
    MotionFormat(
        name="mb",
        endings=(".mb",),
        starts=(b"FOR4", b"FOR8"),
        advice="is a Maya binary scene; save it as Maya ASCII (.ma)",
        is_binary=True,
    ),
    MotionFormat(
        name="json",
        endings=(".json",),
        starts=(b"{",),
        advice="is JSON, not a motion; to see a limit set: jointlimits show",
    ),
)
"""Formats of this package; the last two are recognised but not read. Functions are given as
"module:function" and imported when they are called."""


@cache
def motion_formats() -> Mapping[str, MotionFormat]:
    """Formats by name, including those that are only recognised.

    Raises PluginError, naming the plug-in, if one cannot be used.
    """
    return registry.with_plugins(OWN, READERS, MotionFormat)


def motion_endings() -> tuple[str, ...]:
    """File extensions of motion files that can be read, lower case with the dot."""
    return tuple(
        ending
        for one in motion_formats().values()
        if one.read is not None
        for ending in one.endings
    )


def reader_options() -> dict[str, str]:
    """Names and help of the options that apply to a single format."""
    return {name: words for one in motion_formats().values() for name, words in one.options}


def endings_with(option: str) -> tuple[str, ...]:
    """File extensions of the formats to which an option of a reader applies."""
    is_of_skeletons = option in ("skeleton", "frame_rate")
    return tuple(
        ending
        for one in motion_formats().values()
        if option in dict(one.options) or (is_of_skeletons and one.needs_skeleton)
        for ending in one.endings
    )


def unread_formats() -> dict[str, str]:
    """Reasons why files that look like motion cannot be read, by file extension."""
    bodies = "holds markers or bodies, not joints; jointlimits skeleton finds the joints in it"
    formats = (one for one in motion_formats().values() if one.read is None and one.is_binary)
    return {".c3d": bodies, **{ending: one.advice for one in formats for ending in one.endings}}


def written_formats() -> tuple[str, ...]:
    """Names of the formats that can be written, which are also their file extensions."""
    return tuple(one.name for one in motion_formats().values() if one.write is not None)


def write_motion(motion: Motion, path: FilePath) -> tuple[Finding, ...]:
    """Write a motion atomically, in the format of the path's extension.

    Returns findings about data that the format cannot hold.
    """
    found = format_by_ending(path)
    if found is None or found.write is None:
        endings = " or ".join(f".{name}" for name in written_formats())
        raise errors.InputError(path, f"motion cannot be written in this format; use {endings}")
    return tuple(found.implementation("write")(motion, path) or ())


def motion_file(*others: str) -> str:
    """Phrase for a motion file in help texts: ".amc, .bvh or .ma file"."""
    *most, last = (*motion_endings(), *others)
    return f"{', '.join(most)} or {last} file"


def format_by_ending(path: FilePath) -> MotionFormat | None:
    """Format according to the file extension alone."""
    ending = Path(os.fspath(path)).suffix.lower()
    return next((one for one in motion_formats().values() if ending in one.endings), None)


def needs_skeleton(path: FilePath) -> bool:
    """Whether files with this extension need a skeleton from another file."""
    found = format_by_ending(path)
    return found is not None and found.needs_skeleton


def format_by_content(head: bytes) -> MotionFormat | None:
    """Format according to the first bytes of a file."""
    text = head[len(BYTE_ORDER_MARK) :] if head.startswith(BYTE_ORDER_MARK) else head
    lines = (line.strip().lower() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith(b"#")), b"")
    for one in motion_formats().values():
        if (head if one.is_binary else first).startswith(one.starts):
            return one
    return None


def read_motion(
    path: FilePath,
    skeleton: SkeletonSource | None = None,
    *,
    frame_rate: float | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
    controls: bool = False,
    **options: str | None,
) -> Motion:
    """Read a motion from a file of any known format, including those of plug-ins.

    Parameters
    ----------
    path : path-like or str
        A wrong extension does not matter if the content identifies the format.
    skeleton : Skeleton, path-like or str, optional
        Skeleton for an AMC file, as an ASF file or already read; by default the ASF file beside
        the motion, if only one matches. Ignored for other formats.
    frame_rate : float, optional
        Frames per second of an AMC file, which states none.
    limits : ReadLimits
        Input budget, and the folder that scene references must stay in.
    progress : callable, optional
        Called with (done, total, label) from time to time while a BVH or AMC file is read;
        returning False cancels.
    controls : bool
        Read the controls of a Maya scene in place of its joints. Ignored for other formats.
    **options : str, optional
        Options for readers, such as ``take="run"`` for files with several clips. Options that the
        file's format does not have are ignored.

    Raises
    ------
    InputError
        With path, line and column where known, and what to do.
    Cancelled
        If `progress` returned False.
    TypeError
        For an option that no reader has.
    """
    given = _given_options(options)
    request = ReadRequest(skeleton, frame_rate, limits, progress, given, controls)
    motion: Motion = _readable(path).implementation("read")(path, request)
    _check_sizes(motion, path)
    return motion


def read_takes(
    path: FilePath,
    skeleton: SkeletonSource | None = None,
    *,
    frame_rate: float | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
    controls: bool = False,
    **options: str | None,
) -> list[Motion]:
    """Read all clips of a file; arguments and errors are those of :func:`read_motion`."""
    found = _readable(path)
    given = _given_options(options)
    request = ReadRequest(skeleton, frame_rate, limits, progress, given, controls)
    several = found.read_takes is not None
    read = found.implementation("read_takes" if several else "read")
    motions: list[Motion] = read(path, request) if several else [read(path, request)]
    for motion in motions:
        _check_sizes(motion, path)
    return motions


def _given_options(options: Mapping[str, str | None]) -> dict[str, str]:
    """Options that have a value; raises TypeError for an option that no reader has."""
    known = reader_options()
    unknown = [name for name in options if name not in known]
    if unknown:
        raise TypeError(f"expected an option of a reader ({', '.join(known)}), not {unknown[0]!r}")
    return {name: value for name, value in options.items() if value is not None}


def _readable(path: FilePath) -> MotionFormat:
    """Format of a file; raises InputError if it cannot be read."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a path, not {path!r}; read one file at a time")
    found = motion_format(path)
    if found is None or found.read is None:
        name = os.fspath(path).lower()
        otherwise = f"is not a supported motion file; expected a {motion_file()}"
        if name.endswith(PACKED):
            otherwise = "is compressed; unpack it"
        elif read_head(path).lstrip().startswith(b"<"):
            otherwise = "is XML, not a motion"
        raise errors.InputError(path, found.advice if found else otherwise)
    return found


def _check_sizes(motion: Motion, path: FilePath) -> None:
    """Reject implausibly large angles and lengths."""
    # Imported here, so that commands can list formats without numpy.
    import numpy as np

    from ..limits.document import MAX_ANGLE_DEG

    names, offsets = motion.joint_names, motion.skeleton.offsets
    far = np.abs(offsets).max(axis=1, initial=0.0) > MAX_OFFSET_UNITS
    if far.any():
        where = f"joint {names[int(far.argmax())]!a} is over {MAX_OFFSET_UNITS:g} units"
        raise errors.InputError(path, f"{where} from its parent; fix it")
    for joint, channels in enumerate(() if motion.rotates is None else motion.rotates):
        far = np.degrees(np.abs(channels).max(axis=0)) > MAX_ANGLE_DEG
        if far.any():
            turn = f"joint {names[joint]!a} is rotated by over {MAX_ANGLE_DEG:,.0f} degrees"
            message = (
                f"{turn} in frame {motion.frames[int(far.argmax())]:.10g}, which is implausible"
            )
            raise errors.InputError(path, f"{message}; fix the key or leave the clip out")


def read_head(path: FilePath, size: int = 4096) -> bytes:
    """First bytes of a file.

    Raises InputError if the file is missing, a directory, a device, or unreadable.
    """
    if isinstance(path, WholeFile):
        return path.data[:size]
    return read_start(path, size, errors.InputError, DIRECTORY_ADVICE)[0]


def motion_format(path: FilePath) -> MotionFormat | None:
    """Format of a file according to its content, or else its extension; None if unknown.

    Raises InputError for an empty or unreadable file.
    """
    head = read_head(path, HEAD_BYTES)
    if not head:
        raise errors.InputError(path, "is empty; copy or export it again")
    return format_by_content(head) or format_by_ending(path)
