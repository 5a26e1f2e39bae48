"""Whether bounds can be trusted: nothing of its own is outside, and bands hold what comes later."""

from __future__ import annotations

import hashlib
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from jointlimits_core.estimation import (
    CharacterSummary,
    EstimateOptions,
    estimate,
    estimate_from_summary,
    merged,
    summarize,
    write_summary,
)
from jointlimits_core.evaluation import violations
from jointlimits_core.formats import read_motion
from jointlimits_core.limits import LimitSet
from jointlimits_core.motion import Motion

from .figures import Figure, benchmark, shared

SUBJECTS = {"01": ("01", "01_fairmotion"), "02": ("02",)}
"""The band was chosen on 01; 02 is the test. The other subjects have one clip each."""


@benchmark
def lossless(quick: bool) -> Iterator[Figure]:
    """Every sample of every clip inside the limits that were estimated from it."""
    folder = shared("data/mocap")
    motions = [
        clip for names in (*SUBJECTS.values(), ("03",), ("07",), ("11",)) for clip in _clips(names)
    ]
    motions += [read_motion(path) for path in sorted(folder.glob("*_bvh/*.bvh"))]
    chosen = motions[:4] if quick else motions
    for frame in ("own", "advised"):
        worst = 0.0
        for motion in chosen:
            limits = estimate(motion, EstimateOptions(frame=frame))
            outside = violations(limits, motion, 1e-9).bounds
            worst = max([worst, *(bound.worst_deg for bound in outside)])
        yield Figure(f"furthest outside, {frame} frames, {len(chosen)} clips", worst, "deg", 1e-9)


@benchmark
def bands(quick: bool) -> Iterator[Figure]:
    """Share of 90 % bands, from a part of the clips, that hold the bound from all of them."""
    for subject, folders in SUBJECTS.items():
        summaries = [summarize([clip]) for clip in _clips(folders)]
        whole = estimate_from_summary(merged(summaries))
        role = "chosen on" if subject == "01" else "test"
        parts = [summaries[:n] + summaries[n + 1 :] for n in range(len(summaries))]
        target = 0.85 if role == "test" else None
        yield from _held(whole, parts, f"subject {subject} ({role}), one clip left out", target)
        alone = [[summary] for summary in summaries]
        yield from _held(whole, alone, f"subject {subject} ({role}), from one clip alone", None)


def _held(
    whole: LimitSet, parts: Sequence[Sequence[CharacterSummary]], label: str, target: float | None
) -> Iterator[Figure]:
    held, widths = [], []
    for part in parts:
        for name, joint in estimate_from_summary(merged(part)).joints.items():
            for channel, axis in joint.limits.items():
                final = whole.joints[name].limits[channel]
                if axis.state != "limited" or final.state != "limited":
                    continue
                for side, value in (("min", final.min_deg), ("max", final.max_deg)):
                    band = getattr(axis.source, side).band_deg
                    held.append(band[0] - 1e-6 <= value <= band[1] + 1e-6)
                    widths.append(band[1] - band[0])
    what = f"{len(held)} bounds; median band {np.median(widths):.1f} degrees"
    yield Figure(f"bands that hold, {label}", float(np.mean(held)), "", target, what, at_least=True)


@benchmark
def merging(quick: bool) -> Iterator[Figure]:
    """Different files from one summary and from parts merged in random order: 0 is none."""
    summaries = [summarize([clip]) for clip in _clips(SUBJECTS["02"])]
    digests = {_digest(merged(summaries))}
    for seed in range(3 if quick else 20):
        order = random.Random(seed)
        shuffled = order.sample(summaries, len(summaries))
        cut = order.randrange(1, len(shuffled))
        halves = [merged(shuffled[:cut]), merged(shuffled[cut:])]
        digests.add(_digest(merged(order.sample(halves, 2))))
    yield Figure("summaries that differ, merged in random order", len(digests) - 1, "", 0)


def _digest(summary: CharacterSummary) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.summary.npz"
        write_summary(summary, path)
        return hashlib.sha256(path.read_bytes()).hexdigest()


def _clips(folders: Sequence[str]) -> list[Motion]:
    clips = []
    for name in folders:
        folder = shared(f"data/mocap/cmu_asfamc/{name}")
        skeleton = next(folder.glob("*.asf"))
        clips += [read_motion(path, skeleton) for path in sorted(folder.glob("*.amc"))]
    return clips
