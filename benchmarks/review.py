"""The list of what to look at first: entries for faulty clips, and for clean clips.

Each fault of :mod:`benchmarks.faults` is put into clips of strangers, as there. It counts if, left
in, it would widen a limit of the joint at fault by more than :data:`WIDER_DEG`; it is settled if it
is left out, so that no limit is that much wider, and else has to be in the first two of the entries
that the clip without it does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.ranges import ends_of, move_range, turns_between
from jointlimits_core.limits.review_entries import Review, ReviewEntry, review
from jointlimits_core.motion.mirror import partners
from jointlimits_core.motion.motion import Motion

from . import faults
from .figures import Figure, benchmark, shared

FIRST = 2
"""Number of first entries that must include a fault."""
ENTRIES, NOTHING = 0.7, 0.6
"""Targets for clips to which nothing was done: mean number of entries, and share without any."""
WIDER_DEG, SAME_DEG = 5.0, 0.01
EACH, QUICK = 12, 2
"""Faults of each kind in each half that are tried."""
KEEP = EstimateOptions(leave_out=("non-finite",))
BROKEN = {"elbow": ("lradius", -35.0, 1), "knee": ("rtibia", -20.0, 40)}
"""Joint, degrees and frames of the two clips of subject 02 that were broken by hand."""


@benchmark
def clean(quick: bool) -> Iterator[Figure]:
    """Entries of clips to which nothing was done."""
    for half in faults.HALVES:
        groups = faults.clips_of(half)
        found = [review(estimate(one)) for some in groups.values() for one in _some(some, quick)]
        counts = np.array([len(one.entries) for one in found])
        more = np.mean([len(one.suggestions) for one in found])
        beside = f"{len(counts)} clips; at most {counts.max()}; {more:.2f} suggestions on average"
        yield Figure(f"entries, half {half}, mean", counts.mean(), "entries", ENTRIES, beside)
        share = float(np.mean(counts == 0))
        name = f"clips with nothing to look at, half {half}"
        yield Figure(name, share, "share", NOTHING, at_least=True)


@benchmark
def broken(quick: bool) -> Iterator[Figure]:
    """The two broken clips: place of the joint in the list, and names of the healthy side."""
    folder = shared("data/mocap/cmu_asfamc/02")
    motion = read_motion(folder / "02_01.amc", skeleton=folder / "02.asf")
    for name, (joint, degrees, frames) in BROKEN.items():
        assert motion.rotates is not None
        rotates, row = motion.rotates.copy(), motion.skeleton.index(joint)
        rotates[row, 0, 150 : 150 + frames] = np.radians(degrees)
        made = Motion.from_rotates(motion.skeleton, rotates, motion.frames, 120.0, motion.name)
        faulty = made, np.array([row]), 150, 149 + frames
        shown = review(estimate(made))
        place = next((n for n, one in enumerate(shown.first, 1) if _is_about(one, faulty)), 99)
        yield Figure(f"place of the broken {name}", place, "", FIRST, shown.sentence())
        named = _names_the_other(shown.first, faulty)
        yield Figure(f"entries about the healthy {name}", named, "", 0)


@benchmark
def planted(quick: bool) -> Iterator[Figure]:
    """Faults that would widen a limit: share that is left out, or in the first two entries."""
    for half in faults.HALVES:
        groups, every = faults.clips_of(half), []
        for number, kind in enumerate(faults.KINDS):
            random = np.random.default_rng([ord(half), number, 2])
            made = faults.drawn(groups, kind, random, QUICK if quick else EACH)
            some = [one for one in (_outcome(*pair) for pair in made) if one is not None]
            every += some
            if some:
                yield _share(f"{kind.name}, half {half}", some, kind.if_wider or kind.target)
        yield _share(f"all faults, half {half}", every, faults.FOUND)
        named = float(np.mean([one.other for one in every]))
        yield Figure(f"faults whose healthy side is named, half {half}", named, "share", 0.0)


class _Outcome(NamedTuple):
    """Outcome of a fault that would widen a limit."""

    settled: bool
    """Left out."""
    listed: bool
    """Whether it is in the first new entries."""
    other: bool
    """Whether the entries name the healthy side."""


def _share(name: str, some: Sequence[_Outcome], target: float | None) -> Figure:
    settled, listed, _ = np.mean(some, axis=0)
    found = float(np.mean([one.settled or one.listed for one in some]))
    beside = f"n = {len(some)}; {settled:.2f} left out, {listed:.2f} listed"
    return Figure(f"left out or listed, {name}", found, "share", target, beside, at_least=True)


def _outcome(motion: Motion, faulty: faults.Faulty) -> _Outcome | None:
    # Faulty clips have rotations alone: keys may be on other branches.
    before = estimate(replace(motion, rotates=None))
    if not _is_wider(before, estimate(faulty[0], KEEP), faulty):
        return None
    after = estimate(faulty[0])
    known = review(before)
    entries = _new(review(after), known)[:FIRST]
    return _Outcome(
        settled=not _is_wider(before, after, faulty),
        listed=any(_is_about(one, faulty) for one in entries),
        other=_names_the_other(entries, faulty) > 0,
    )


def _is_wider(before: LimitSet, after: LimitSet, faulty: faults.Faulty) -> bool:
    """Whether a limit of the joints at fault is further out."""
    pairs = [
        (axis, after.joints[name].limits[channel])
        for name in _names(faulty)
        for channel, axis in before.joints[name].limits.items()
        if axis.state != "free"
    ]
    ends = [(ends_of(a), ends_of(move_range(b, turns_between(b, a)))) for a, b in pairs]
    # A range on another branch is as wide as it was.
    return any(
        max(a[0] - b[0], b[1] - a[1]) > WIDER_DEG and b[1] - b[0] > a[1] - a[0] + SAME_DEG
        for a, b in ends
    )


def _names(faulty: faults.Faulty) -> list[str]:
    motion, joints, *_ = faulty
    return [name for row, name in enumerate(motion.joint_names) if joints is None or row in joints]


def _is_about(entry: ReviewEntry, faulty: faults.Faulty) -> bool:
    """Whether an entry shows frames of a fault, and its joint."""
    motion, _, first, last = faulty
    start = motion.frames[max(first - 1, 0)]
    stop = motion.frames[min(last + 1, motion.frame_count - 1)]
    overlaps = any(a <= stop and b >= start for a, b in entry.frame_ranges)
    return overlaps and entry.joint in ("", *_names(faulty))


def _new(shown: Review, before: Review) -> list[ReviewEntry]:
    """Entries that the list of a clip without the fault does not have."""
    known = {(one.kind, one.place) for one in before.entries}
    return [one for one in shown.entries if (one.kind, one.place) not in known]


def _names_the_other(entries: Sequence[ReviewEntry], faulty: faults.Faulty) -> int:
    """Number of entries about the healthy side of the joint at fault."""
    motion, joints, *_ = faulty
    if joints is None:
        return 0
    other = int(partners(motion.joint_names)[joints[0]])
    return sum(other >= 0 and one.joint == motion.joint_names[other] for one in entries)


def _some(clips: Sequence[Motion], quick: bool) -> Sequence[Motion]:
    return clips[:: 8 if quick else 1]
