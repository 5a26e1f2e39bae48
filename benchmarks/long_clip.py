"""A clip of two hours at 120 Hz: how long it takes, and how much memory the process holds."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.geometry import AnyArray, Floats

from .figures import Figure, SkippedError, benchmark
from .motion_files import FRAME_RATE, bvh_head

JOINTS, FRAMES = 100, 2 * 3600 * FRAME_RATE
FEW_JOINTS, LENGTHS = 20, (300_000, 600_000)
MEMORY_TARGET = 1_500.0
GROWTH_TARGET = 300.0
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
_STAGES = (
    _PEAK
    + """
import time
from jointlimits_core.estimation.pipeline import estimate_from_summary, summarize
from jointlimits_core.formats import read_motion

stages, begun = {}, time.perf_counter()

def step(done, total, label):
    end(label.split()[0])
    return True

def end(name):
    stages[name] = time.perf_counter() - begun, peak()

motion = read_motion(sys.argv[1], progress=step)
summary = summarize([motion])
end("summing up")
limits = estimate_from_summary(summary)
end("estimating")
print(json.dumps(stages))
"""
)
_COMMAND = (
    _PEAK
    + """
from jointlimits_core.cli.main import main

code = main(sys.argv[1:])
print(peak())
sys.exit(code)
"""
)
_OF_CHILDREN = """
import resource, subprocess, sys

subprocess.run(sys.argv[1:], check=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(peak * (1 if sys.platform == "darwin" else 1024))
"""


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
def two_hours(quick: bool) -> Iterator[Figure]:
    """100 joints, two hours at 120 Hz, through the estimate and through a batch of one."""
    if quick:
        raise SkippedError("needs 10 GB of disk and some minutes")
    with tempfile.TemporaryDirectory() as folder:
        if shutil.disk_usage(folder).free < 12e9:
            raise SkippedError(f"{folder} has less than 12 GB of room")
        path = Path(folder) / "long.bvh"
        write_long_bvh(path, JOINTS, FRAMES)
        label = f"{FRAMES:,} x {JOINTS} BVH, {path.stat().st_size / 1e9:.2f} GB"
        seconds, peak = _command("estimate", str(path), "--out", folder)
        yield Figure(f"jointlimits estimate {label}", seconds, "s")
        yield Figure("its peak memory", peak / 1e6, "MB", MEMORY_TARGET, "its target")
        yield from _stages(path)
        yield from _batch(Path(folder))


@benchmark
def growth(quick: bool) -> Iterator[Figure]:
    """Whether memory grows with the length of a clip."""
    shorter, longer = LENGTHS
    with tempfile.TemporaryDirectory() as folder:
        peaks = []
        for frames in LENGTHS:
            path = Path(folder) / f"{frames}.bvh"
            write_long_bvh(path, FEW_JOINTS, frames)
            peaks.append(_command("estimate", str(path), "--out", folder)[1])
            yield Figure(f"peak memory, {frames:,} x {FEW_JOINTS} BVH", peaks[-1] / 1e6, "MB")
        grown = (peaks[1] - peaks[0]) / (longer - shorter)
        name = "more memory for a frame more"
        yield Figure(
            name, grown, "bytes", GROWTH_TARGET, "its target; a frame has 630 bytes of text"
        )


def _command(*arguments: str) -> tuple[float, float]:
    """Seconds and peak of memory of a run of the command line."""
    return _run(_COMMAND, *arguments)


def _run(program: str, *arguments: str) -> tuple[float, Any]:
    """Seconds of a program in a process of its own, and what its last line says."""
    begun = time.perf_counter()
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return time.perf_counter() - begun, json.loads(done.stdout.splitlines()[-1])


def _stages(path: Path) -> Iterator[Figure]:
    _, stages = _run(_STAGES, str(path))
    begun = 0.0
    for name, (end, peak) in stages.items():
        yield Figure(name, end - begun, "s", None, f"peak until then {peak / 1e6:,.0f} MB")
        begun = end


def _batch(folder: Path) -> Iterator[Figure]:
    """The same as one entry of a batch, whose worker is a process of this one's child."""
    characters = [{"name": "long", "clips": ["long.bvh"]}]
    document = {"format": "jointlimits.manifest", "version": 1, "characters": characters}
    manifest = folder / "characters.json"
    manifest.write_text(json.dumps(document), encoding="utf-8")
    where = ["--manifest", str(manifest), "--out", str(folder / "results")]
    seconds, peak = _run(_OF_CHILDREN, sys.executable, "-m", "jointlimits_core", "batch", *where)
    yield Figure("the same in a batch of one", seconds, "s")
    yield Figure("peak memory of its processes", peak / 1e6, "MB", MEMORY_TARGET, "its target")
