"""Track gate: share of held-out motion that each method calls outside, and of faults it catches.

Each clip of a person with at least three is held out in turn. A frame is outside if any part is.
Faults are of one part in one frame each; one is caught if that part is outside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from jointlimits_core.geometry.arrays import Booleans, Floats
from jointlimits_core.geometry.quaternion import multiply, normalize, quaternion_from_axis_angle
from jointlimits_core.people import neutral
from jointlimits_core.people.people import Person

from .gate_data import Clip, Lacking, Poses, Recorded, bent, pooled, read_person
from .methods import METHODS, Method, Outside, Training
from .splits import Copy, PersonSplit, read_splits

FAULT_FRAMES = 40
"""Frames of a clip that get faults."""
BACKWARDS_DEG, OFF_DEG, TWIST_DEG = 20.0, (60.0, 90.0), 120.0
FAULTS = ("backwards 20", "60 off", "90 off", "twist 120")
ALLOWED_PART, ALLOWED_SAMPLES, SEED = "shoulder", 4000, 49


@dataclass
class Score:
    """Scores of one method for one person; None where something is missing, with the reason."""

    method: str
    person: str
    half: str
    outside: float | None = None
    """Percent of held-out frames."""
    caught: dict[str, float] = field(default_factory=dict)
    """Percent of faults, by kind."""
    allowed: float | None = None
    """Percent of all rotations of a shoulder."""
    frames: int = 0
    missing: str = ""


def gate_scores(
    copy: Copy,
    quick: bool = False,
    methods: Sequence[Method] = METHODS,
    splits: Sequence[PersonSplit] | None = None,
) -> list[Score]:
    """Scores of every method for every person whose clips are held out, in the order of both.

    `quick`: one held-out clip of each person. A person that the copy lacks, and a method that
    returns nothing usable, have scores without values that say what is missing.
    """
    names = [method.name for method in methods]
    if len(set(names)) < len(names):  # figures go by the name
        raise ValueError(f"several methods have the same name: {', '.join(names)}")
    people = read_splits() if splits is None else splits
    read = {split.name: read_person(copy, split) for split in people}
    there = {name: one for name, one in read.items() if isinstance(one, Recorded)}
    learned = {half: _learned(there, half) for half in "AB"}
    lost = {split.name: split.half for split in people if split.name not in there}
    scores = []
    for method in methods:
        for split in people:
            if split.is_held_out:
                score = Score(method.name, split.name, split.half)
                own = read[split.name]
                if isinstance(own, Recorded):
                    others = [one.person for name, one in there.items() if name != split.name]
                    half = "B" if split.half == "A" else "A"
                    gone = [name for name in lost if lost[name] == half]
                    _fill(
                        score,
                        method,
                        own,
                        Lacking(list(lost)) if lost else others,
                        Lacking(gone) if gone else learned[half],
                        quick,
                    )
                else:
                    score.missing = "; ".join(own)
                scores.append(score)
    return scores


def _learned(people: dict[str, Recorded], half: str) -> dict[str, Floats]:
    some = [clip for one in people.values() if one.split.half == half for clip in one.clips]
    return pooled(some) if some else {}


def _fill(
    score: Score,
    method: Method,
    own: Recorded,
    others: Sequence[Person] | Lacking,
    learn: Mapping[str, Floats] | Lacking,
    quick: bool,
) -> None:
    """Scores of one method on one person's clips, or what is missing of them."""
    outside: list[Booleans] = []
    caught: dict[str, list[Booleans]] = {}
    allowed = []
    for number, clip in enumerate(own.clips[: 1 if quick else None]):
        rest = [other for other in own.clips if other is not clip]
        training = Training(rest, others, learn, own.joints_of)
        try:
            judge = _checked(method.fit(training))
            parts = [judge(part, poses) for (part, _), poses in clip.poses.items()]
            found = faults(clip, np.random.default_rng([SEED, number]))
            for kind, part, poses in found:
                caught.setdefault(kind, []).append(judge(part, poses))
            allowed.append(1.0 - judge(ALLOWED_PART, _every_rotation()).mean())
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's method may raise anything
            score.missing = f"{method.name}, clip {clip.name}: {type(error).__name__}: {error}"
            return
        outside.append(np.any(parts, axis=0))
    score.outside = 100.0 * float(np.concatenate(outside).mean())
    score.caught = {kind: 100.0 * float(np.concatenate(caught[kind]).mean()) for kind in FAULTS}
    score.allowed = 100.0 * float(np.mean(allowed))
    score.frames = sum(map(len, outside))


def _checked(judge: Outside | None) -> Outside:
    """Wrapper of a method's function that checks its results."""
    if not callable(judge):
        raise TypeError(f"fit returned {judge!r}, expected a function of part and poses")

    def checked(part: str, poses: Poses) -> Booleans:
        found = judge(part, poses)
        given = np.asarray(found)
        if given.shape != (len(poses.turns),) or given.dtype != bool:
            what = "nothing" if found is None else f"{given.dtype} of shape {given.shape}"
            raise TypeError(f"{what} for {part}, expected {len(poses.turns)} truth values")
        return given

    return checked


def faults(clip: Clip, random: np.random.Generator) -> list[tuple[str, str, Poses]]:
    """Faulty poses of a clip by kind and part."""
    found = []
    for (part, _), poses in clip.poses.items():
        rows = np.linspace(0, len(poses.turns) - 1, FAULT_FRAMES).round().astype(np.int64)
        some = poses.take(rows)
        if part in ("elbow", "knee"):
            backwards = bent(part, np.full(len(rows), -BACKWARDS_DEG))
            found.append((FAULTS[0], part, Poses(backwards, some.twist_known)))
        if part in ("shoulder", "hip"):
            for kind, degrees in zip(FAULTS[1:3], OFF_DEG):
                axes = random.normal(size=(len(rows), 3))
                axes /= np.linalg.norm(axes, axis=1, keepdims=True)
                turn = quaternion_from_axis_angle(axes, np.full(len(rows), np.radians(degrees)))
                found.append((kind, part, Poses(multiply(some.turns, turn), some.twist_known)))
            known = some.take(some.twist_known)
            ways = random.choice([-1.0, 1.0], len(known.turns))
            bone = neutral.PARTS[part].bone
            turn = quaternion_from_axis_angle(bone, np.radians(TWIST_DEG) * ways)
            found.append((FAULTS[3], part, Poses(multiply(known.turns, turn), known.twist_known)))
    return found


def _every_rotation() -> Poses:
    """Uniformly distributed random rotations, the same for all methods."""
    turns = normalize(np.random.default_rng(SEED).standard_normal((ALLOWED_SAMPLES, 4)))
    return Poses(turns, np.ones(len(turns), dtype=bool))


def mean_of(scores: Sequence[Score], half: str = "") -> Score | None:
    """Mean over people, each counted once; None if any of them is missing."""
    some = [one for one in scores if half in ("", one.half)]
    if not some or any(one.missing for one in some):
        return None
    first = some[0]
    return Score(
        first.method,
        "mean",
        half,
        float(np.mean([one.outside for one in some])),
        {kind: float(np.mean([one.caught[kind] for one in some])) for kind in FAULTS},
        float(np.mean([one.allowed for one in some])),
        sum(one.frames for one in some),
    )
