"""Our readers compared with public libraries: the same file, the same run, the same answer.

A library that gives the joints with their rotations does our readers' work. One that gives the
numbers of the file, as text or as an array, does a part of it: no rotations, hardly a check.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.euler import quaternion_from_euler
from jointlimits_core.geometry.quaternion import IDENTITY, angle_between
from jointlimits_core.motion.motion import Motion

from .figures import Figure, SkippedError, benchmark, best_seconds, shared
from .motion_files import bvh_text, channel_values

TARGET = 20.0
FRAME = 1000
"""Frame in which the readers must agree on a thigh."""
CLIP = "data/mocap/cmu_asfamc/01_fairmotion/01_01"
LONG = 5_000, 30
ROUNDING_DEG = 1e-4

Answer = tuple[int, float]
"""Number of items in the file, and one of its numbers. For motion: frames, and the rotation of a
thigh in one of them, in degrees.
"""


@dataclass(frozen=True)
class Reader:
    """A way to read a file with another library.

    Parameters
    ----------
    package : str
        Name by which it is installed.
    module : str
    read : callable
        Takes the module and the path; returns the library's result.
    answer : callable
        Takes that result; returns the values to compare.
    gives : str
    target : float, optional
        Least multiple of our time that it should take.
    """

    package: str
    module: str
    read: Callable[[Any, Path], Any]
    answer: Callable[[Any], Answer]
    gives: str
    target: float | None = None


def _turned(x: float, y: float, z: float) -> float:
    """Degrees of the whole turn, from rotate channels in degrees of the rotate order xyz."""
    turn = quaternion_from_euler(np.radians([x, y, z]))
    return float(np.degrees(angle_between(turn, IDENTITY)))


def _of_bvhio(root: Any) -> Answer:
    thigh = root.filter("LeftUpLeg")[0]
    turn = dict(thigh.Keyframes)[FRAME].Rotation  # in a frame along the bone: the turn is the same
    degrees = np.degrees(angle_between([turn.x, turn.y, turn.z, turn.w], IDENTITY))
    return len(thigh.Keyframes), float(degrees)


def _of_bvh_rows(rows: Floats) -> Answer:
    """Columns of the thigh behind the hips and the joint between; the file lists Z, Y, X."""
    z, y, x = rows[FRAME, 9:12].tolist()
    return len(rows), _turned(x, y, z)


def _of_pybvh(clip: Any) -> Answer:
    z, y, x = np.degrees(clip.joint_angles[FRAME, 2]).tolist()
    return clip.frame_count, _turned(x, y, z)


def _array_of_bvh(module: Any, path: Path) -> Floats:
    """Both libraries of this form keep words; their users want numbers."""
    return np.array(module.Bvh(path.read_text()).frames, dtype=np.float64)


BVH_READERS = (
    Reader(
        "bvhio",
        "bvhio",
        lambda bvhio, path: bvhio.readAsHierarchy(str(path)),
        _of_bvhio,
        "joints with transforms",
        TARGET,
    ),
    Reader("bvhtoolbox", "bvhtoolbox", _array_of_bvh, _of_bvh_rows, "numbers"),
    Reader("bvh", "bvh", _array_of_bvh, _of_bvh_rows, "numbers"),
    Reader(
        "pybvh",
        "pybvh",
        lambda pybvh, path: pybvh.read_bvh_file(path),
        _of_pybvh,
        "numbers, read by numpy's compiled loadtxt",
    ),
)

AMC_READERS = (
    Reader(
        "asfamc-parser",
        "asfamcparser",
        lambda parser, path: parser.ParseAMC(str(path)).amc,
        lambda amc: (amc.count, _turned(*amc[FRAME]["lfemur"])),
        "numbers in a dictionary a frame",
        TARGET,
    ),
    Reader(
        "dm_control",
        "dm_control.suite.utils.parse_amc",
        lambda parser, path: parser.parse(str(path)),
        lambda frames: (len(frames), _turned(*frames[FRAME][55:58].tolist())),
        "numbers in an array a frame, bones by their order",
    ),
)


@benchmark
def bvh_of_a_walk(quick: bool) -> Iterator[Figure]:
    """A real clip as BVH, in the libraries that are installed."""
    path = shared(f"{CLIP}.bvh")

    def answer(motion: Motion) -> Answer:
        return _of_ours(motion, "LeftUpLeg")

    yield from beside(path, lambda: read_motion(path), answer, BVH_READERS, quick)


@benchmark
def amc_of_a_walk(quick: bool) -> Iterator[Figure]:
    """The same clip as an ASF and AMC pair, without comments, which one library cannot read."""
    skeleton = shared(f"{CLIP[: CLIP.rindex('_')]}.asf")
    with without_comments(shared(f"{CLIP}.amc")) as path:

        def ours() -> Motion:
            return read_motion(path, skeleton=skeleton)

        def answer(motion: Motion) -> Answer:
            return _of_ours(motion, "lfemur")

        yield from beside(path, ours, answer, AMC_READERS, quick)


@benchmark
def bvh_of_many_frames(quick: bool) -> Iterator[Figure]:
    """The made-up clip of :mod:`benchmarks.reading`, beside bvhio."""
    frames, joints = (LONG[0] // 10, LONG[1]) if quick else LONG
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.bvh"
        path.write_text(bvh_text(channel_values(joints, frames)), encoding="ascii")
        theirs = best_seconds(reading(BVH_READERS[0], path), 1)
        seconds = best_seconds(lambda: read_motion(path), 7)
    yield _ratio(BVH_READERS[0], f"{frames:,} x {joints} BVH", theirs, seconds)


def beside(
    path: Path,
    ours: Callable[[], Any],
    answer: Callable[[Any], Answer],
    readers: Sequence[Reader],
    quick: bool,
    things: str = "frames",
) -> Iterator[Figure]:
    """Our time, and every installed library's time as a multiple of it.

    Raises
    ------
    AssertionError
        If a library's answer is not ours.
    SkippedError
        At the end, with the names of those that are not installed.
    """
    expected = answer(ours())
    seconds = best_seconds(ours, 3 if quick else 7)
    yield Figure(f"read {path.name}", 1e3 * seconds, "ms", None, f"{expected[0]:,} {things}")
    missing = []
    for reader in readers:
        try:
            read = reading(reader, path)
        except SkippedError:
            missing.append(reader.package)
            continue
        _agree(reader.package, reader.answer(read()), expected)
        yield _ratio(reader, path.name, best_seconds(read, 1 if quick else 3), seconds)
    if missing:
        raise SkippedError(f"not installed: {', '.join(missing)}")


def _of_ours(motion: Motion, thigh: str) -> Answer:
    angles = motion.rotate_deg(thigh)
    assert angles is not None
    return motion.frame_count, _turned(*angles[FRAME].tolist())


def reading(reader: Reader, path: Path) -> Callable[[], Any]:
    """What reads the file with that library.

    Raises
    ------
    SkippedError
        If it is not installed.
    """
    try:
        module = importlib.import_module(reader.module)
    except ImportError:
        raise SkippedError(f"not installed: {reader.package}") from None
    return lambda: reader.read(module, path)


def _agree(package: str, theirs: Answer, ours: Answer) -> None:
    """Raise AssertionError if a library's answer differs from ours."""
    if theirs[0] != ours[0] or not abs(theirs[1] - ours[1]) < ROUNDING_DEG:
        raise AssertionError(f"{package} read {theirs}, we read {ours}")


def _ratio(reader: Reader, file: str, theirs: float, ours: float) -> Figure:
    comment = f"{1e3 * theirs:.3g} ms beside {1e3 * ours:.3g}; it gives {reader.gives}"
    name = f"{reader.package} / ours, {file}"
    return Figure(name, theirs / ours, "x", reader.target, comment, at_least=True)


@contextmanager
def without_comments(path: Path) -> Iterator[Path]:
    """Path of a copy that is removed afterwards."""
    lines = path.read_bytes().splitlines(keepends=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        copy.write_bytes(b"".join(line for line in lines if not line.startswith(b"#")))
        yield copy
