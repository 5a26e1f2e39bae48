"""Thresholds of faults chosen on one half of the makers and subjects, and run on the other.

One threshold at a time is taken lower and higher than the program has it; a half keeps the value
that finds most there, a false frame in 100,000 weighing as much as one fault in a hundred. The
values that a half chose for each are then run together on the other half, with other faults.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.screening import clip, joint_faults, rules
from jointlimits_core.motion.screening.rules import screen

from . import faults
from .figures import Figure, benchmark

THRESHOLDS = {
    "MIN_OUTSTANDING_FACTOR": (1.25, 1.5, 2.0),
    "MAX_MISS_SHARE": (0.35, 0.5, 0.65),
    "MIN_NEW_SHARE": (0.15, 0.25, 0.4),
    "MIN_JUMP_RAD": tuple(np.radians((12.0, 15.0, 20.0))),
    "MIN_SUDDEN_FACTOR": (2.5, 3.0, 4.0),
    "MIN_SLIP_RAD": tuple(np.radians((10.0, 12.0, 14.0))),
    "MIN_UNLIKE_FACTOR": (2.0, 2.5, 4.0),
    "MAX_UNEVEN_SHARE": (0.15, 0.2, 0.25),
    "MAX_CHANGE_SHARE": (0.3, 0.45, 0.6),
    "MIN_BUMP_FACTOR": (1.25, 1.5, 2.0),
    "MIN_BUMP_RAD": tuple(np.radians((20.0, 25.0, 30.0))),
    "MANY_SHARE": (0.33, 0.4, 0.5),
    "MAX_SWAPPED_FACTOR": (0.3, 0.4, 0.5),
}
"""Lower, as in the program, and higher."""
WEIGHT = 0.01
"""Share of faults found that a false frame in 100,000 is worth."""
DRAWS, QUICK = 25, 4
"""Faults of each kind by which a half chooses."""
JUDGED = [one for one in faults.KINDS if one.target and faults.JUDGED & set(one.rules)]
"""Kinds by which it chooses: the others are equal rotations, rest poses and half turns."""

Groups = Mapping[str, "list[Motion]"]


@benchmark
def swapped(quick: bool) -> Iterator[Figure]:
    """Faults found, and false frames, with thresholds that the other half chose."""
    groups = {half: faults.clips_of(half) for half in faults.HALVES}
    for own, other in ("AB", "BA"):
        chosen = dict(_chosen(own, groups[own], quick))
        settings = ", ".join(f"{name} {value:.3g}" for name, value in chosen.items())
        with _set(chosen):
            count = QUICK if quick else faults.FULL
            share = _found(other, groups[other], faults.KINDS, count, seed=0)
            false = _false(groups[other], quick)
        for kind, found in zip(faults.KINDS, share):
            title = f"{kind.name}, found, half {other}, chosen on {own}"
            yield Figure(title, found, "share", kind.target, "", at_least=True)
        title = f"false frames, half {other}, chosen on {own}"
        yield Figure(title, false, "per 100,000", faults.FALSE, settings or "as in the program")


def _chosen(half: str, groups: Groups, quick: bool) -> Iterator[tuple[str, float]]:
    """Thresholds for which a half prefers a value other than the program's."""
    as_it_is = _score(half, groups, quick)
    for name, (lower, _, higher) in THRESHOLDS.items():
        best = as_it_is
        value = None
        for other in (lower, higher):
            with _set({name: other}):
                score = _score(half, groups, quick)
            if score > best:
                best, value = score, other
        if value is not None:
            yield name, value


def _score(half: str, groups: Groups, quick: bool) -> float:
    count = QUICK if quick else DRAWS
    found = np.mean(_found(half, groups, JUDGED, count, seed=1))
    return float(found) - WEIGHT * _false(groups, quick)


def _found(
    half: str, groups: Groups, kinds: Sequence[faults.Kind], count: int, seed: int
) -> list[float]:
    """Share found of each kind of fault."""
    shares = []
    for kind in kinds:
        key = [ord(half), faults.KINDS.index(kind), seed]
        random = np.random.default_rng(key if seed else key[:2])
        hits = [found for found, _ in faults.outcomes(groups, kind, random, count)]
        shares.append(float(np.mean(hits)))
    return shares


def _false(groups: Groups, quick: bool) -> float:
    """False frames in 100,000, breaks of the recording apart."""
    clips = [one for some in groups.values() for one in some[:: 8 if quick else 1]]
    samples = sum(one.frame_count * len(one.skeleton) for one in clips)
    number = sum(
        faults.unproven(one, item)
        for one in clips
        for item in screen(one).findings
        if faults.is_judged(item)
    )
    return 1e5 * number / samples


@contextmanager
def _set(values: Mapping[str, float]) -> Iterator[None]:
    """Set thresholds to other values, in every module that has them."""
    modules = (clip, joint_faults, rules)
    # Two modules have a threshold of this name; it is that of single joints.
    places = [
        (module, name)
        for name in values
        for module in modules
        if hasattr(module, name) and (name, module) != ("MIN_OUTSTANDING_FACTOR", rules)
    ]
    assert {name for _, name in places} == set(values), "a threshold has another name"
    before = [getattr(module, name) for module, name in places]
    try:
        for module, name in places:
            setattr(module, name, values[name])
        yield
    finally:
        for (module, name), value in zip(places, before):
            setattr(module, name, value)
