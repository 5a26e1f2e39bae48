"""Time to read a file, and from the file to the files that the command writes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.maya_ascii.writer import apply_limit_set
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import LimitSet, write_limit_set
from jointlimits_core.motion.motion import Motion

from .figures import Figure, benchmark, best_seconds
from .motion_files import amc_text, asf_text, bvh_text, channel_values, maya_text

JOINTS, FRAMES, QUICK_FRAMES = 30, 5_000, 500
BVH_TARGET = 0.3


@contextmanager
def written(*files: tuple[str, str]) -> Iterator[list[Path]]:
    """Paths of texts, written to a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name, _ in files]
        for path, (_, text) in zip(paths, files):
            path.write_text(text, encoding="ascii")
        yield paths


@benchmark
def bvh(quick: bool) -> Iterator[Figure]:
    """A long BVH clip."""
    frames = QUICK_FRAMES if quick else FRAMES
    with written(("clip.bvh", bvh_text(channel_values(JOINTS, frames)))) as (path,):
        ours = best_seconds(lambda: read_motion(path), 3 if quick else 7)
        target = None if quick else BVH_TARGET
        size = f"{frames:,} x {JOINTS} BVH, {_megabytes(path)}"
        yield Figure(f"read {size}", ours, "s", target, "" if quick else "its target")
        yield _whole(f"{frames:,} x {JOINTS} BVH", path, lambda: read_motion(path))


@benchmark
def amc(quick: bool) -> Iterator[Figure]:
    """The same motion as an Acclaim pair."""
    frames = QUICK_FRAMES if quick else FRAMES
    values = channel_values(JOINTS, frames)
    files = ("skeleton.asf", asf_text(JOINTS)), ("clip.amc", amc_text(values))
    with written(*files) as (skeleton, path):
        seconds = best_seconds(lambda: read_motion(path, skeleton=skeleton), 3)
        yield Figure(f"read {frames:,} x {JOINTS} AMC, {_megabytes(path)}", seconds, "s")
        label = f"{frames:,} x {JOINTS} AMC"
        yield _whole(label, path, lambda: read_motion(path, skeleton=skeleton))


@benchmark
def maya_ascii(quick: bool) -> Iterator[Figure]:
    """The same motion as a scene with a key on every frame of every channel."""
    frames = QUICK_FRAMES if quick else FRAMES
    with written(("scene.ma", maya_text(channel_values(JOINTS, frames)))) as (path,):
        seconds = best_seconds(lambda: read_motion(path), 3)
        yield Figure(f"read {frames:,} x {JOINTS} .ma, {_megabytes(path)}", seconds, "s")

        def copied(limit_set: LimitSet) -> None:
            apply_limit_set(limit_set, path, path.with_name("limited.ma"))

        label = f"{frames:,} x {JOINTS} .ma"
        yield _whole(label, path, lambda: read_motion(path), copied)


def _whole(
    label: str,
    path: Path,
    read: Callable[[], Motion],
    copied: Callable[[LimitSet], None] | None = None,
) -> Figure:
    """Time from a file to the limit set beside it, and the copy of the scene if there is one."""
    runs = []
    for _ in range(3):
        times = [time.perf_counter()]
        motion = read()
        times.append(time.perf_counter())
        limit_set = estimate(motion)
        times.append(time.perf_counter())
        write_limit_set(limit_set, path.with_suffix(".limits.json"))
        if copied is not None:
            copied(limit_set)
        times.append(time.perf_counter())
        runs.append([end - start for start, end in zip(times, times[1:])])
    parts = min(runs, key=sum)
    what = "read {:.3g}, estimate {:.3g}, write {:.3g} s".format(*parts)
    what += " with a copy of the scene" if copied else ""
    return Figure(f"read + estimate + write {label}", sum(parts), "s", None, what)


def _megabytes(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"
