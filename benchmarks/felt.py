"""Perceived speed: waiting times of a user at a terminal.

Each is a process of its own, in processor time; the least of several runs counts, since other work
on the machine can only add to it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from jointlimits_core.formats.registry import read_motion

from .figures import Figure, benchmark, best_seconds, shared
from .motion_files import bvh_text, channel_values

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "humanoid_rom.ma"
RUNS, QUICK_RUNS = 9, 3
BVH_FRAMES, BVH_JOINTS = 5_000, 30


@benchmark
def version(quick: bool) -> Iterator[Figure]:
    """`--version`."""
    yield Figure("--version", _least_seconds(["--version"], quick), "s", 0.25)


@benchmark
def example(quick: bool) -> Iterator[Figure]:
    """The example, from the scene to limits, page and a copy of the scene with limits."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["estimate", str(EXAMPLE), "--report", "--apply", "--out", folder]
        yield Figure("example to limits, page and scene", _least_seconds(words, quick), "s", 1.2)


@benchmark
def report(quick: bool) -> Iterator[Figure]:
    """The example with its page, compared with the estimate alone."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["estimate", str(EXAMPLE), "--out", folder]
        alone = _least_seconds(words, quick)
        ratio = _least_seconds([*words, "--report"], quick) / alone
        yield Figure("estimate with a page", ratio, "x", 1.4, f"without, {alone:.2f} s")


@benchmark
def ten_clips(quick: bool) -> Iterator[Figure]:
    """CMU subject 02: one limit set from ten clips, 12,815 frames, 10 MB."""
    skeleton = shared("data/mocap/cmu_asfamc/02/02.asf")
    clips = sorted(skeleton.parent.glob("*.amc"))
    with tempfile.TemporaryDirectory() as folder:
        words = ["estimate", *map(str, clips), "--skeleton", str(skeleton), "--out", folder]
        yield Figure(f"subject 02, {len(clips)} clips", _least_seconds(words, quick), "s", 1.6)


@benchmark
def bvh(quick: bool) -> Iterator[Figure]:
    """A long BVH clip, read in one process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "clip.bvh")
        path.write_text(bvh_text(channel_values(BVH_JOINTS, BVH_FRAMES)), encoding="ascii")
        megabytes = path.stat().st_size / 1e6
        seconds = best_seconds(lambda: read_motion(path), QUICK_RUNS if quick else RUNS)
        what = f"{megabytes:.1f} MB"
        yield Figure("read BVH", megabytes / seconds, "MB/s", 15.0, what, at_least=True)


def _least_seconds(arguments: Sequence[str], quick: bool) -> float:
    """Processor time of the command, with caches of bytecode and one thread."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "jointlimits_core", *arguments]
    times = []
    for _ in range(QUICK_RUNS if quick else RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)
