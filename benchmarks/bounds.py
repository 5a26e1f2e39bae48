"""Reliability of limits: no own sample is outside, and bands contain the limits of later clips."""

from __future__ import annotations

import hashlib
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from unittest import mock

import numpy as np

from jointlimits_core.base.errors import InputError
from jointlimits_core.estimation import bounds
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate, estimate_from_summary, summarize
from jointlimits_core.estimation.summary import CharacterSummary, merge_summaries
from jointlimits_core.estimation.summary_file import write_summary
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Booleans, Floats
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.ranges import on_branch_of
from jointlimits_core.limits.vocabulary import GRADE_NAMES
from jointlimits_core.motion.motion import Motion

from .figures import Figure, benchmark, shared

CMU = "cmu_asfamc/"
LIBRARIES = {
    **{name: (f"{CMU}{name}/*.amc",) for name in ("02", "03", "07", "16", "49")},
    "01": (f"{CMU}01/*.amc", f"{CMU}01_fairmotion/*.amc"),
    "Bandai 1": ("bandai/dataset-1*.bvh",),
    "Bandai 2": ("bandai/dataset-2*.bvh",),
    "Xia": ("xia/*.bvh",),
}
"""Clips of one skeleton each."""
HALVES = {"A": ("01", "07", "16", "Bandai 1"), "B": ("02", "49", "03", "Xia", "Bandai 2")}
PARTS = (1, 2, 3, 5, 7, 10, 14)
OF_ONE, OF_SEVERAL = 0.85, 0.9
"""Targets: share of bands that hold, from one clip to all, and from k clips to 2k."""


@benchmark
def lossless(quick: bool) -> Iterator[Figure]:
    """Every sample of every motion inside the limits that were estimated from it.

    All that can be read of the shared data: motion files, FBX and Maya scenes.
    """
    motions = list(_all_motions())
    chosen = motions[:4] if quick else motions
    for frame in ("own", "advised"):
        worst, few = 0.0, 0
        for motion in chosen:
            limits = estimate(motion, EstimateOptions(orientation=frame))
            outside = violations(limits, motion, 1e-9).bounds
            worst = max([worst, *(bound.worst_deg for bound in outside)])
            few += bool(outside)
        beside = f"{few} of {len(chosen)} files with a sample outside"
        yield Figure(f"furthest outside, {frame} frames", worst, "deg", 1e-9, beside)


def _all_motions() -> Iterator[Motion]:
    """Motion of every shared file that has any."""
    folders = [shared("data/mocap"), shared("data/fbx"), shared("data/maya")]
    kinds = {".amc", ".bvh", ".fbx", ".ma"}
    for path in sorted(path for folder in folders for path in folder.rglob("*.*")):
        if path.suffix.lower() in kinds:
            with suppress(InputError):
                yield read_motion(path)


@benchmark
def bands(quick: bool) -> Iterator[Figure]:
    """Share of 90 % bands that contain the limit of twice the clips, and of the whole library."""
    for half in HALVES:
        yield from _both(half, quick, f"half {half}")


@benchmark
def bands_swap(quick: bool) -> Iterator[Figure]:
    """The same with the growths that the other half chooses, and where no sides are known.

    Libraries choose the fewest whole degrees with which their own bands reach the targets (from k
    clips overall, and for each grade), whichever library is left out: the next maker may be like
    the hardest known one.
    """
    for own, other in ("AB", "BA"):
        chosen = _chosen(HALVES[own], quick)
        settings = " and ".join(f"{degrees} ({name})" for name, degrees in chosen.items())
        with _growing(chosen):
            yield from _both(other, quick, f"half {other}, {settings} chosen on {own}")
    with mock.patch.object(bounds, "partners", lambda names: np.full(len(names), -1)):
        for half in HALVES:
            yield from _both(half, quick, f"half {half}, sides unknown")


def _both(half: str, quick: bool, label: str) -> Iterator[Figure]:
    grown = [one for name in HALVES[half] for one in _growths(name, quick)]
    yield from _held([one for one in grown if one.clips > 0], f"{label}, k to 2k")
    yield from _held([one for one in grown if one.clips == 0], f"{label}, one to all")


def _chosen(libraries: Sequence[str], quick: bool) -> dict[str, int]:
    """Least growths, in degrees, of one clip and then of several."""
    chosen: dict[str, int] = {}
    for name, target in (("GROWTH_OF_ONE", OF_ONE), ("GROWTH", OF_SEVERAL)):
        too_small, enough = 3, 24
        while enough - too_small > 1:
            chosen[name] = (too_small + enough) // 2
            with _growing(chosen):
                grown = [one for library in libraries for one in _growths(library, quick)]
            if _least_without_one(grown, name == "GROWTH_OF_ONE") >= target:
                enough = chosen[name]
            else:
                too_small = chosen[name]
        chosen[name] = enough
    return chosen


def _least_without_one(grown: Sequence[_Growth], of_one: bool) -> float:
    """Smallest share of bands that hold, overall and for a grade, leaving out each library."""
    some = [one for one in grown if (one.clips == 0) is of_one]
    least = 1.0
    for left_out in {one.library for one in some}:
        rest = [one for one in some if one.library != left_out]
        least = min(least, float(np.mean(list(_shares(rest).values()))))
        if not of_one:
            held = np.concatenate([_is_held(one) for one in rest])
            grades = np.concatenate([one.grades for one in rest])
            least = min(least, *(held[grades == grade].mean() for grade in set(grades)))
    return least


@contextmanager
def _growing(degrees: Mapping[str, int]) -> Iterator[None]:
    """Use other values for the growths."""
    with mock.patch.multiple(bounds, **{name: np.radians(d) for name, d in degrees.items()}):
        yield


@dataclass(frozen=True, eq=False)
class _Growth:
    """Growth of the limits of some clips when others are added; arrays over all limits."""

    library: str
    clips: int
    """k, of limits from k clips in those from 2k; 0 from one clip in those of all."""
    beyond: Floats
    """Degrees by which the limit of all clips is beyond that of the part."""
    band: Floats
    """Degrees by which the band extends beyond the limit."""
    inside: Floats
    """Degrees by which it extends to the other side."""
    grades: list[str]


def _growths(name: str, quick: bool) -> Iterator[_Growth]:
    """Growth from random parts of a library: k of 2k clips, and one of all."""
    summaries = _summaries(name)
    count, draws = len(summaries), 1 if quick else 4
    known: dict[tuple[int, ...], LimitSet] = {}

    def limits_of(chosen: Sequence[int]) -> LimitSet:
        key = tuple(sorted(chosen))
        if key not in known:
            known[key] = estimate_from_summary(merge_summaries([summaries[n] for n in key]))
        return known[key]

    rng = np.random.default_rng(6)
    for part in [k for k in PARTS if 2 * k <= count]:
        for _ in range(draws):
            drawn = rng.permutation(count)[: 2 * part].tolist()
            for own in (drawn[:part], drawn[part:]):
                yield _growth(name, part, limits_of(own), limits_of(drawn))
    for alone in rng.permutation(count)[: 4 if quick else 14].tolist():
        yield _growth(name, 0, limits_of([alone]), limits_of(range(count)))


def _growth(library: str, clips: int, part: LimitSet, whole: LimitSet) -> _Growth:
    rows, grades = [], []
    for name, joint in part.joints.items():
        wider, _ = on_branch_of(
            whole.joints[name].limits, joint.limits, joint.orientation.rotate_order
        )
        for channel, axis in joint.limits.items():
            final = wider[channel]
            if axis.state != "limited" or final.state != "limited":
                continue
            for side, sign in (("min", -1.0), ("max", 1.0)):
                source, limit = getattr(axis.source, side), axis.bound_deg(side) or 0.0
                ends = sorted(sign * (end - limit) for end in source.band_deg)
                rows.append((sign * ((final.bound_deg(side) or 0.0) - limit), ends[1], -ends[0]))
                grades.append(source.grade)
    beyond, band, inside = np.array(rows).T
    return _Growth(library, clips, beyond, band, inside, grades)


def _held(grown: Sequence[_Growth], label: str) -> Iterator[Figure]:
    """Figures of one half: the mean and the worst over libraries and numbers of clips."""
    one = grown[0].clips == 0
    held, target = _shares(grown), OF_ONE if one else OF_SEVERAL
    widths = [
        np.median(np.concatenate([item.band + item.inside for item in some]))
        for some in _groups(grown).values()
    ]
    about = f"{len(held)} groups; median band {np.mean(widths):.1f} degrees"
    yield Figure(f"bands that hold, {label}", np.mean(list(held.values())), "", target, about, True)
    worst = min(held, key=lambda key: held[key])
    about = worst[0] if one else f"{worst[0]}, {worst[1]} clips"
    yield Figure(f"bands that hold, {label}, worst", held[worst], "", None, about)
    if not one:
        yield from _graded(grown, label)


def _groups(grown: Sequence[_Growth]) -> dict[tuple[str, int], list[_Growth]]:
    """Groups that share library and number of clips, in order."""
    groups: dict[tuple[str, int], list[_Growth]] = {}
    for item in sorted(grown, key=lambda item: (item.library, item.clips)):
        groups.setdefault((item.library, item.clips), []).append(item)
    return groups


def _shares(grown: Sequence[_Growth]) -> dict[tuple[str, int], float]:
    """Share of the bands that hold, by library and number of clips."""
    return {
        key: float(np.mean(np.concatenate([_is_held(item) for item in some])))
        for key, some in _groups(grown).items()
    }


def _graded(grown: Sequence[_Growth], label: str) -> Iterator[Figure]:
    held = np.concatenate([_is_held(item) for item in grown])
    beyond = np.concatenate([item.beyond for item in grown])
    grades = np.concatenate([item.grades for item in grown])
    for grade, word in GRADE_NAMES.items():
        some = grades == grade
        if some.any():
            about = f"{some.sum()} limits of {len(some)}"
            yield Figure(f"{label}, {word}", float(held[some].mean()), "", 0.9, about, True)
    firm = grades == "firm"
    if firm.any():
        far = float(np.mean(beyond[firm] > 5.0))
        yield Figure(f"{label}, confirmed limits that grow by over 5 degrees", far, "", 0.05)


def _is_held(item: _Growth) -> Booleans:
    return (item.beyond <= item.band + 1e-6) & (item.beyond >= -item.inside - 1e-6)


@benchmark
def merging(quick: bool) -> Iterator[Figure]:
    """Number of different files from one summary and from parts merged in random order; 0 is best.

    Every clip is there ten times, under other names.
    """
    summaries = [_renamed(one, number) for one in _summaries("02") for number in range(10)]
    digests = {_digest(merge_summaries(summaries))}
    for seed in range(3 if quick else 10):
        order = random.Random(seed)
        shuffled = order.sample(summaries, len(summaries))
        cut = order.randrange(1, len(shuffled))
        halves = [merge_summaries(shuffled[:cut]), merge_summaries(shuffled[cut:])]
        digests.add(_digest(merge_summaries(order.sample(halves, 2))))
    about = f"{len(summaries)} clips, SHA-256 {', '.join(digest[:16] for digest in digests)}"
    yield Figure("summaries that differ, merged in random order", len(digests) - 1, "", 0, about)


def _renamed(summary: CharacterSummary, number: int) -> CharacterSummary:
    clips = (
        replace(clip, clip=replace(clip.clip, name=f"{clip.clip.name} {number}"))
        for clip in summary.clips
    )
    return summary._replace(clips=tuple(clips))


def _digest(summary: CharacterSummary) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.summary.npz"
        write_summary(summary, path)
        return hashlib.sha256(path.read_bytes()).hexdigest()


@lru_cache
def _summaries(name: str) -> list[CharacterSummary]:
    return [summarize([clip]) for clip in _clips(LIBRARIES[name])]


def _clips(patterns: Sequence[str]) -> list[Motion]:
    folder = shared("data/mocap")
    return [read_motion(path) for pattern in patterns for path in sorted(folder.glob(pattern))]
