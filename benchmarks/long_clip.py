"""Memory use for a long clip, and for many clips of a character."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jointlimits_core.geometry.arrays import AnyArray, Floats
from jointlimits_core.io.input import NUMBER_BYTES

from .figures import Figure, benchmark, shared
from .motion_files import FRAME_RATE, bvh_head

JOINTS, LENGTHS = 20, (100_000, 200_000)
CLIPS, QUICK_CLIPS = {10: None, 100: 150.0, 2000: 170.0}, 100
"""Numbers of clips, with the target of peak memory in megabytes."""
ROWS_AT_A_TIME = 2_000
ROOT = Path(__file__).resolve().parents[1]

_PEAK = """
import json, sys

def peak():
    # What `getrusage` says of a process begins with what its parent had in use.
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line[:5] == "VmHWM")
    except OSError:
        import resource
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most * (1 if sys.platform == "darwin" else 1024)
"""
_COMMAND = (
    _PEAK
    + """
from jointlimits_core.cli.main import main

code = main(sys.argv[1:])
print(peak())
sys.exit(code)
"""
)


def write_long_bvh(path: Path, joints: int, frames: int) -> None:
    """Write a made clip of smooth turns with five decimals, without a Python object per number.

    Parameters
    ----------
    path : Path
    joints, frames : int
    """
    random = np.random.default_rng(5)
    channels = 3 * joints + 3
    speed, phase = random.uniform(0.05, 3.0, channels), random.uniform(0.0, 6.0, channels)
    reach = random.uniform(2.0, 80.0, channels)
    with open(path, "wb") as stream:
        stream.write(bvh_head(joints, frames).encode("ascii"))
        for start in range(0, frames, ROWS_AT_A_TIME):
            seconds = np.arange(start, min(start + ROWS_AT_A_TIME, frames))[:, None] / FRAME_RATE
            # The slow part keeps far parts of the clip from being alike.
            drift = 0.7 + 0.3 * np.sin(seconds / 1000.0 + phase)
            stream.write(_digits(reach * drift * np.sin(speed * seconds + phase)).tobytes())


def _digits(values: Floats) -> AnyArray:
    """Text of values below 100 in size, shape (rows, columns, 10): "-12.34567 ", lines ended."""
    rest = np.rint(np.abs(values) * 1e5).astype(np.int32)
    text = np.empty((*values.shape, 10), np.uint8)
    text[..., 9] = ord(" ")
    text[:, -1, 9] = ord("\n")
    text[..., 3] = ord(".")
    for place in (8, 7, 6, 5, 4, 2, 1):
        text[..., place] = rest % 10 + ord("0")
        rest //= 10
    text[..., 0] = np.where(values < 0.0, ord("-"), ord(" "))
    return text


@benchmark
def growth(quick: bool) -> Iterator[Figure]:
    """Memory for each further number of a clip."""
    shorter, longer = LENGTHS
    with tempfile.TemporaryDirectory() as folder:
        peaks = []
        for frames in LENGTHS:
            path = Path(folder) / f"{frames}.bvh"
            write_long_bvh(path, JOINTS, frames)
            peaks.append(_peak("estimate", str(path), "--out", folder))
            yield Figure(f"peak memory, {frames:,} x {JOINTS} BVH", peaks[-1] / 1e6, "MB")
        grown = (peaks[1] - peaks[0]) / (longer - shorter) / (3 * JOINTS + 3)
        yield Figure("memory for a number more", grown, "bytes", NUMBER_BYTES)


@benchmark
def clips(quick: bool) -> Iterator[Figure]:
    """Memory for many clips of a character: ten clips, repeated under other names."""
    source = shared("data/mocap/cmu_asfamc/02")
    takes = sorted(source.glob("*.amc"))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(source / "02.asf", folder)
        saved = Path(folder) / "all.summary.npz"
        paths: list[Path] = []
        for count, most in CLIPS.items():
            if quick and count > QUICK_CLIPS:
                break
            for number in range(len(paths), count):
                paths.append(Path(folder) / f"02_{number:04}.amc")
                paths[-1].symlink_to(takes[number % len(takes)])
            given = [*map(str, paths), "--out", folder, "--save-summary", str(saved)]
            yield Figure(
                f"peak memory, {count:,} clips", _peak("estimate", *given) / 1e6, "MB", most
            )
            size, target = saved.stat().st_size / 1e6, 6.0 if count == QUICK_CLIPS else None
            yield Figure(f"their summary, {count:,} clips", size, "MB", target)


def _peak(*arguments: str) -> float:
    """Peak memory of a run of the command line, in bytes."""
    command = [sys.executable, "-c", _COMMAND, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout.splitlines()[-1])
