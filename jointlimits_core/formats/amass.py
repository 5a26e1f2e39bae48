"""AMASS and SMPL archives (``.npz``): one rotation vector per joint and frame.

The joints are those of SMPL (22 without hands, 24), SMPL-H (52) and SMPL-X (55); their names and
parents are from the body models' papers and code (https://smpl.is.tue.mpg.de,
https://amass.is.tue.mpg.de). Lengths are in metres. Bone lengths follow from shape parameters and a
template that is not in the file, so stand-in bones are used, with a finding. The body's own axes
are X to its left, Y up, Z forward; the root's rotation takes them to world axes, Z up in AMASS.

Only members with known names are opened; arrays of Python objects (pickles) are rejected; every
size is checked before anything is unpacked.
"""

from __future__ import annotations

import contextlib
import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..base.errors import InputError
from ..base.findings import Finding
from ..base.progress import report_progress
from ..geometry.arrays import Floats
from ..geometry.quaternion import quaternion_from_rotation_vector
from ..io.input import DEFAULT_LIMITS, FilePath, ReadLimits
from ..limits.document import MAX_ANGLE_DEG
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton
from .registry import DEFAULT_REQUEST, MAX_OFFSET_UNITS, ReadRequest
from .text import whole_file

DEFAULT_FPS = 120.0
MAX_MEMBERS, MAX_DIRECTORY_BYTES = 1000, 1 << 20
"""Size limits for an archive; AMASS archives have at most 20 members."""
RATES = ("mocap_framerate", "mocap_frame_rate", "frame_rate", "framerate", "fps")
PLACES = ("trans", "transl")
# Names for each part of a pose, in the order of the joints; other files have "poses" instead.
PARTS = (
    *(("root_orient", "global_orient"), ("pose_body", "body_pose"), ("pose_jaw", "jaw_pose")),
    *(("pose_eye",), ("leye_pose",), ("reye_pose",)),
    *(("pose_hand",), ("left_hand_pose",), ("right_hand_pose",)),
)

_Bone = tuple[str, str, tuple[float, float, float]]
"""Name, parent, and a stand-in offset in metres: round numbers for a figure about 1.7 m tall."""


def _both_sides(*bones: _Bone) -> Iterator[_Bone]:
    """Bones of both sides: each left bone is followed by its mirror image."""
    for name, above, (x, y, z) in bones:
        yield name, above, (x, y, z)
        if name.startswith("left_"):
            yield name.replace("left", "right"), above.replace("left", "right"), (0.0 - x, y, z)


_BODY = tuple(
    _both_sides(
        ("pelvis", "", (0.0, 0.0, 0.0)),
        ("left_hip", "pelvis", (0.09, -0.08, 0.0)),
        ("spine1", "pelvis", (0.0, 0.1, 0.0)),
        ("left_knee", "left_hip", (0.0, -0.4, 0.0)),
        ("spine2", "spine1", (0.0, 0.12, 0.0)),
        ("left_ankle", "left_knee", (0.0, -0.4, 0.0)),
        ("spine3", "spine2", (0.0, 0.1, 0.0)),
        ("left_foot", "left_ankle", (0.0, -0.06, 0.12)),
        ("neck", "spine3", (0.0, 0.2, 0.0)),
        ("left_collar", "spine3", (0.08, 0.1, 0.0)),
        ("head", "neck", (0.0, 0.1, 0.0)),
        ("left_shoulder", "left_collar", (0.1, 0.0, 0.0)),
        ("left_elbow", "left_shoulder", (0.26, 0.0, 0.0)),
        ("left_wrist", "left_elbow", (0.25, 0.0, 0.0)),
    )
)
_HANDS = _both_sides(("left_hand", "left_wrist", (0.08, 0.0, 0.0)))
_FACE = _both_sides(
    ("jaw", "head", (0.0, 0.02, 0.04)), ("left_eye_smplhf", "head", (0.03, 0.06, 0.08))
)
_FINGERS = {"index": 0.03, "middle": 0.01, "pinky": -0.03, "ring": -0.01, "thumb": 0.05}
"""Forward distance of each finger from the wrist, in metres."""


def _fingers() -> Iterator[_Bone]:
    """Fifteen joints of the left hand, then fifteen of the right hand."""
    for side, outward in (("left", 1.0), ("right", -1.0)):
        for finger, forward in _FINGERS.items():
            reach = 0.03 if finger == "thumb" else 0.09
            yield f"{side}_{finger}1", f"{side}_wrist", (outward * reach, 0.0, forward)
            for number in (2, 3):
                above = f"{side}_{finger}{number - 1}"
                yield f"{side}_{finger}{number}", above, (outward * 0.03, 0.0, 0.0)


_MODELS: dict[int, tuple[str, tuple[_Bone, ...]]] = {
    22: ("SMPL body", _BODY),
    24: ("SMPL", (*_BODY, *_HANDS)),
    52: ("SMPL-H", (*_BODY, *_fingers())),
    55: ("SMPL-X", (*_BODY, *_FACE, *_fingers())),
}
"""Name and joints of each body model, by number of joints."""


class AmassError(InputError):
    """An archive that cannot be read as AMASS or SMPL motion."""


def read_amass(path: FilePath, request: ReadRequest = DEFAULT_REQUEST) -> Motion:
    """Read an archive.

    `request.frame_rate` is used if the file states none; by default 120, with a finding. Raises
    AmassError for a damaged file, Python objects instead of numbers, a number of joints that no
    body model has, or values that are not finite; Cancelled if `request.progress` returned False.
    """
    archive = _Archive(path, request.limits)
    poses = _poses(archive)
    places = _root_places(archive, len(poses))
    stated = _stated_frame_rate(archive) or request.frame_rate
    rate = stated or DEFAULT_FPS
    model, bones = _MODELS[poses.shape[1]]
    clip, joints = Path(path).stem, len(bones)
    has_shape = "betas" in archive.members
    shape = "its shape parameters (betas) are not read" if has_shape else "it has no bone lengths"
    text = (
        f"the file has the {joints} joints of {model}; {shape}, so bones of a 1.7 m figure are used"
    )
    text += "; no limit depends on them"
    findings = [Finding("stand-in-bones", text, clip=clip)]
    if not stated:
        text = f"the file states no frame rate; {rate:g} frames per second are assumed"
        findings.append(Finding("frame-rate-assumed", text, clip=clip))
    rotations = np.empty((joints, 4, len(poses)))
    for joint in range(joints):
        rotations[joint] = quaternion_from_rotation_vector(poses[:, joint].astype(np.float64)).T
        report_progress(request.progress, joint + 1, joints, f"reading {clip}")
    names = [name for name, _, _ in bones]
    skeleton = Skeleton(
        tuple(names),
        np.array([names.index(above) if above else -1 for _, above, _ in bones]),
        np.array([offset for _, _, offset in bones]),
        meters_per_unit=1.0,
    )
    return Motion(
        skeleton,
        rotations,
        np.arange(len(poses), dtype=np.float64),
        rate,
        clip,
        translations={} if places is None else {0: places},
        source=archive.file.source,
        findings=tuple(findings),
    )


def _root_places(archive: _Archive, frames: int) -> Floats | None:
    """Root positions in metres, shape (frames, 3); None if the file has none."""
    name = archive.first_of(PLACES)
    if name is None:
        return None
    places = archive.array(name)
    if places.ndim != 2 or places.shape[1] != 3:
        raise archive.fail(f"{name} must have the shape (frames, 3), not {places.shape}")
    _check(archive, places, MAX_OFFSET_UNITS, "a root position")
    if len(places) != frames:
        raise archive.fail(f"has {frames} poses and {len(places)} root positions")
    return places.astype(np.float64)


def _stated_frame_rate(archive: _Archive) -> float | None:
    name = archive.first_of(RATES)
    if name is None:
        return None
    values = archive.array(name).ravel()
    if len(values) != 1 or not 0.0 < float(values[0]) < math.inf:
        raise archive.fail(f"{name} must be one frame rate above 0, found {values[:3].tolist()}")
    return float(values[0])


def performer_key(path: Path) -> str:
    """Key shared by files with the same joints and, if stated, the same shape parameters."""
    archive = _Archive(path, DEFAULT_LIMITS)
    shape = archive.array("betas").ravel() if "betas" in archive.members else np.zeros(0)
    joints = _joint_count(archive)
    return f"{joints} joints, {zlib.crc32(shape.astype('<f8').tobytes()):08x}"


def _named_parts(archive: _Archive) -> list[str]:
    """Names of the members that hold the pose, in the order of the joints."""
    if "poses" in archive.members:
        return ["poses"]
    found = [name for part in PARTS for name in part if name in archive.members]
    if not found:
        what = "is a summary of clips; pass it to jointlimits estimate"
        if "document" not in archive.members:
            what = "holds no poses; expected an AMASS or SMPL motion with 'poses' or 'root_orient'"
        elif "knee" in archive.members:
            what = "is a people file, not motion; give it to --from, or to check --people"
        raise archive.fail(what)
    return found


def _joint_count(archive: _Archive) -> int:
    """Number of joints; raises AmassError if no body model has that many."""
    columns = 0
    for name in _named_parts(archive):
        shape = archive.header(name).shape
        if len(shape) not in (2, 3) or shape[2:] not in ((), (3,)):
            text = f"{name} must have one row of rotation vectors per frame, not the shape {shape}"
            raise archive.fail(text)
        columns += math.prod(shape[1:])
    if columns % 3 or columns // 3 not in _MODELS:
        known = ", ".join(f"{3 * joints} ({name})" for joints, (name, _) in _MODELS.items())
        raise archive.fail(f"a pose must have {known} numbers, not {columns}")
    return columns // 3


def _poses(archive: _Archive) -> Floats:
    """Rotation vectors, shape (frames, joints, 3), in the file's number type."""
    joints = _joint_count(archive)
    parts = {name: archive.array(name) for name in _named_parts(archive)}
    lengths = {len(part) for part in parts.values()}
    if len(lengths) > 1:
        counts = ", ".join(f"{name} {len(part)}" for name, part in parts.items())
        raise archive.fail(f"the parts of the pose have different numbers of frames: {counts}")
    if 0 in lengths:
        raise archive.fail("has no frames")
    rows = [part.reshape(len(part), -1) for part in parts.values()]
    whole = np.concatenate(rows, axis=1).reshape(-1, joints, 3)
    _check(archive, whole, math.radians(MAX_ANGLE_DEG), "a rotation")
    return whole


def _check(archive: _Archive, values: Floats, most: float, what: str) -> None:
    """Reject values that are not finite or exceed `most`."""
    with np.errstate(invalid="ignore"):
        # `most` must be an array, since it overflows the half precision that some files use.
        bad = ~(np.abs(values.reshape(len(values), -1)) <= np.array([most])).all(axis=1)
    if bad.any():
        where = f"frame {int(bad.argmax())} has {what}"
        raise archive.fail(f"{where} that is not finite or beyond {most:g}; fix it")


_HEADER = re.compile(
    rb"\x93NUMPY(?:\x01\x00..|[\x02\x03]\x00....)\{'descr': '([<>|=]?[A-Za-z]\d{0,4})', "
    rb"'fortran_order': (True|False), 'shape': \(((?:\d{1,12}, ?){0,4}\d{0,12})\), \} *\n",
    re.DOTALL,
)
"""Header of an array of plain numbers; numpy itself accepts any Python literal."""
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


class _Header(NamedTuple):
    size: int
    dtype: np.dtype[np.float64]
    order: str
    shape: tuple[int, ...]


class _Archive:
    """Arrays of an archive; their headers are checked before they are unpacked."""

    def __init__(self, path: FilePath, limits: ReadLimits) -> None:
        self.file = whole_file(path, limits, AmassError)
        self._path, self._limits, data = path, limits, self.file.data
        # A list of members that would fill the memory is rejected before it is read.
        tail = data[max(0, len(data) - (1 << 16) - 22) :]
        at = tail.rfind(b"PK\x05\x06")
        if at < 0:
            raise self.fail("is not a zip archive of arrays, or is truncated")
        count, length = struct.unpack_from("<HI", tail.ljust(at + 16), at + 10)
        # Larger archives have a second list, with a locator before this one.
        is_long = tail[max(0, at - 20) : at].startswith(b"PK\x06\x07")
        if count > MAX_MEMBERS or length > MAX_DIRECTORY_BYTES or is_long:
            raise self.fail(f"has more than {MAX_MEMBERS} members, which no motion has")
        try:
            self._packed = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE as error:
            raise self.fail(f"is damaged: {error}") from None
        arrays = [info for info in self._packed.infolist() if info.filename.endswith(".npy")]
        self.members = {info.filename[:-4]: info for info in arrays}
        if len(self.members) < len(arrays):
            raise self.fail("has two arrays with the same name; save it again")

    def fail(self, message: str) -> AmassError:
        """Return an error about this file, for the caller to raise."""
        return AmassError(self._path, message)

    def first_of(self, names: Sequence[str]) -> str | None:
        """First of the names that is a member of the archive; None if there is none."""
        return next((name for name in names if name in self.members), None)

    def header(self, name: str) -> _Header:
        """Header of an array; AmassError if it does not hold numbers or has the wrong size."""
        info = self.members[name]
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.fail(f"{name} is compressed with a method that numpy does not use")
        if info.flag_bits & 1 or info.compress_size > len(self.file.data):
            raise self.fail(f"{name} is encrypted or damaged")
        with self._damage_reported(name), self._packed.open(info) as stream:
            header = _HEADER.match(stream.read(512))
        if header is None:
            raise self.fail(f"{name} is not a plain array of numbers")
        kind = header[1].decode()
        if kind.lstrip("<>|=")[0] == "O":
            text = f"{name} holds Python objects (a pickle), which are never opened"
            raise self.fail(f"{text}; save it as numbers")
        try:
            dtype = np.dtype(kind)
        except TypeError:
            raise self.fail(f"{name} has the unknown type {kind!a}") from None
        shape = tuple(int(length) for length in header[3].split(b",") if length.strip())
        count = math.prod(shape)
        if dtype.kind not in "fiu":
            raise self.fail(f"{name} must hold numbers, not the type {kind!a}")
        if count > self._limits.max_numbers:
            text = self._limits.refusal("max_numbers", "numbers", count, subject=f"{name} has")
            raise self.fail(text)
        if count * dtype.itemsize != info.file_size - header.end():
            raise self.fail(f"{name} does not have as many values as its shape {shape} needs")
        return _Header(header.end(), dtype, "F" if header[2] == b"True" else "C", shape)

    def array(self, name: str) -> Floats:
        """One array of numbers, with the type and shape in its header."""
        header = self.header(name)
        count = math.prod(header.shape)
        with self._damage_reported(name), self._packed.open(self.members[name]) as stream:
            stream.read(header.size)
            # Reading one more byte makes zipfile compare the checksum.
            data = stream.read(count * header.dtype.itemsize + 1)
        values = np.frombuffer(data, header.dtype, count)
        return values.reshape(header.shape, order=header.order)  # type: ignore[call-overload,no-any-return]

    @contextlib.contextmanager
    def _damage_reported(self, name: str) -> Iterator[None]:
        """Turn errors from unpacking a member into errors about the file."""
        try:
            yield
        except InputError:
            raise
        except _DAMAGE as error:
            raise self.fail(f"{name} is damaged: {error}") from None
