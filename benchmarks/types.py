"""How often joint types are right, on captured motion whose author says what the joints are.

The subjects and makers are split in two halves; docs/evidence/accuracy.md says what was chosen on
which.
Balanced accuracy is the mean over the four types of the share of joints of that type that are
called so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jointlimits_core.estimation.as_printed import EIGENVALUE_THRESHOLD, covariance_eigenvalues
from jointlimits_core.estimation.hinges import hinge_circles
from jointlimits_core.estimation.joint_type import TYPES, TypeDecision, decide_types
from jointlimits_core.estimation.moment import moment_from_rotations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Booleans, Floats, Integers
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.geometry.quaternion import (
    multiply,
    normalize,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
)
from jointlimits_core.limits.priors import body_parts
from jointlimits_core.motion.mirror import partners
from jointlimits_core.motion.motion import Motion

from .figures import Figure, benchmark, shared
from .perturbations import CONDITIONS, Condition, perturbed

MOCAP = "data/mocap"
HALF_A = (
    ("cmu_asfamc/01", "cmu_asfamc/01_fairmotion"),
    *((f"cmu_asfamc/{s}",) for s in ("07", "16", "11")),
)
HALF_B = (*((f"cmu_asfamc/{s}",) for s in ("02", "03", "49")), ("hdm05",))
"""Folders of each subject whose author declares the degrees of freedom, in two halves."""
FREE_A = ("pfnn/*.bvh", "bandai/dataset-1*.bvh", "cmu_asfamc/01_fairmotion/*.bvh")
FREE_B = ("xia/*.bvh", "bandai/dataset-2*.bvh", "cmu_bvh/*.bvh", "other_bvh/*.bvh")
"""Files with three channels on every joint, split by maker, and of one maker by character."""
SEEDS = 8
ENOUGH_DEG = 8.0
"""Range, 2 to 98 %, that every declared degree of freedom must have gone through to count."""
MOST_SAMPLES = 2000
EVEN = 512
"""Samples of a file with free channels, as many as a summary keeps."""
ONE_CLIP = (0.99, 0.96, 0.94, 0.88, 0.96, 0.94)
NEW_MARKERS = {"cross-talk 6": 0.92, "cross-talk 10": 0.88}
RIGHT_IF_SURE = 0.95
EXACT_DEG = 1e-6
MOVES_DEG = 3.0
"""Root mean square rotation of joints whose type should be the same in all clips."""
BENDS_DEG = 1.5
"""Root mean square rotation of a knee or elbow that takes part; others are at rest."""


@benchmark
def half_a(quick: bool) -> Iterator[Figure]:
    """Types of CMU subjects 01, 07, 16 and 11."""
    yield from _half("half A", HALF_A, quick)


@benchmark
def half_b(quick: bool) -> Iterator[Figure]:
    """Types of CMU subjects 02, 03 and 49, and of HDM05."""
    yield from _half("half B", HALF_B, quick)


@benchmark
def as_the_paper_prints(quick: bool) -> Iterator[Figure]:
    """The same with the printed rule of Engell-Norregard and Erleben: eigenvalues above 0.05."""
    for half, folders in (("half A", HALF_A), ("half B", HALF_B)):
        alone = [[clip] for names in folders for clip in _clips(names)]
        name = f"as the paper prints, {half}, one clip"
        yield from _accuracy(alone, name, CONDITIONS, (None,) * 6, quick, decide=_paper_decision)


@benchmark
def free_channels_a(quick: bool) -> Iterator[Figure]:
    """Files of PFNN, Bandai (first character) and a BVH file of CMU."""
    yield from _free_channels("half A", FREE_A)


@benchmark
def free_channels_b(quick: bool) -> Iterator[Figure]:
    """Files of Xia, Bandai (second character) and others."""
    yield from _free_channels("half B", FREE_B)


@benchmark
def exact(quick: bool) -> Iterator[Figure]:
    """Fits of joints whose author declares two degrees of freedom, which these files keep to."""
    for half, folders in (("A", HALF_A), ("B", HALF_B)):
        residuals: list[float] = []
        for clip in (clip for names in folders for clip in _clips(names)):
            decision = _decision([clip], CONDITIONS[0], 0, False)
            two = _declared([clip]) == TYPES.index("universal")
            residuals += decision.residuals[two, TYPES.index("universal")].tolist()
        found = int(np.count_nonzero(np.array(residuals) > EXACT_DEG))
        name = f"exact universals fitted worse than {EXACT_DEG:g} deg, half {half}"
        yield Figure(name, found, f"of {len(residuals)}", 0, f"at most {max(residuals):.2g} deg")


@benchmark
def hinge_axis(quick: bool) -> Iterator[Figure]:
    """Axis of a hinge from noisy samples of a range that is symmetric about its middle."""
    for samples, target in ((600, None), (MOST_SAMPLES, 0.2)):
        error = _axis_error_deg(samples, 50 if quick else 400)
        name = f"hinge axis error, 2 deg noise, -60 to 60 deg, {samples:,} samples"
        yield Figure(name, error, "deg", target, "rms; 0.20 before")


def _clips(folders: Sequence[str]) -> list[Motion]:
    clips = []
    for folder in folders:
        root = shared(f"{MOCAP}/{folder}")
        (skeleton,) = root.glob("*.asf")
        clips += [read_motion(path, skeleton=skeleton) for path in sorted(root.glob("*.amc"))]
    return clips


def _half(half: str, folders: Sequence[Sequence[str]], quick: bool) -> Iterator[Figure]:
    """One clip at a time; all clips of a subject; and those with other cross-talk in each."""
    subjects = [_clips(names) for names in folders]
    alone = [[clip] for clips in subjects for clip in clips]
    several = [clips for clips in subjects if len(clips) > 1]
    yield from _accuracy(alone, f"{half}, one clip", CONDITIONS, ONE_CLIP, quick)
    yield from _accuracy(several, f"{half}, all clips", CONDITIONS, (None,) * 6, quick)
    remade = [condition for condition in CONDITIONS if condition.name in NEW_MARKERS]
    targets = [NEW_MARKERS[condition.name] for condition in remade]
    yield from _accuracy(
        several, f"{half}, new cross-talk in each clip", remade, targets, quick, True
    )


def _accuracy(
    groups: list[list[Motion]],
    what: str,
    conditions: Sequence[Condition],
    targets: Sequence[float | None],
    quick: bool,
    remade: bool = False,
    decide: Decide | None = None,
) -> Iterator[Figure]:
    truths = [_declared(group) for group in groups]
    for condition, target in zip(conditions, targets):
        seeds = 1 if quick or condition.kind == "clean" else SEEDS
        confusion = np.zeros((4, 4), dtype=np.int64)
        sure, right = 0, 0
        for group, truth in zip(groups, truths):
            known = truth >= 0
            for seed in range(seeds):
                decision = (decide or _decision)(group, condition, seed, remade)
                found = np.array([TYPES.index(kind) for kind in decision.types])
                np.add.at(confusion, (truth[known], found[known]), 1)
                sure += int(np.count_nonzero(decision.clear & known))
                right += int(np.count_nonzero(decision.clear & known & (found == truth)))
        shown = confusion.sum(axis=1) > 0
        recall = np.diag(confusion) / np.maximum(confusion.sum(axis=1), 1)
        each = " ".join(f"{kind} {share:.3f}" for kind, share in zip(TYPES, recall))
        name = f"types right, {what}, {condition.name}"
        yield Figure(name, float(recall[shown].mean()), "balanced", target, each, at_least=True)
        beside = f"{sure / max(int(confusion.sum()), 1):.2f} of all calls are sure"
        name = f"sure calls that are right, {what}, {condition.name}"
        if decide is None:
            yield Figure(name, right / max(sure, 1), "share", RIGHT_IF_SURE, beside, at_least=True)


class _PaperDecision(NamedTuple):
    """Types of the joints; none is sure."""

    types: tuple[str, ...]
    clear: Booleans


Decide = Callable[[Sequence[Motion], Condition, int, bool], Any]


def _paper_decision(
    group: Sequence[Motion], condition: Condition, seed: int, remade: bool
) -> _PaperDecision:
    """Types by the number of eigenvalues above the threshold; it knows no universal joints."""
    del remade
    rotations = np.concatenate(perturbed(group, condition, seed), axis=2)
    kinds = []
    for q in np.swapaxes(rotations, 1, 2):
        eigenvalues = covariance_eigenvalues(np.where(q[:, 3:] < 0.0, -q, q))
        many = int(np.sum(eigenvalues > EIGENVALUE_THRESHOLD))
        kinds.append(("fixed", "hinge", "ball", "ball")[many])
    return _PaperDecision(tuple(kinds), np.zeros(len(kinds), dtype=bool))


def _decision(
    group: Sequence[Motion], condition: Condition, seed: int, remade: bool
) -> TypeDecision:
    """Types from the clips of one character, put one after the other."""
    each = perturbed(group, condition, seed)
    if remade:
        drawn = (perturbed([clip], condition, 1000 * seed + n) for n, clip in enumerate(group))
        each = [rotations for (rotations,) in drawn]
    starts = np.cumsum([0, *(part.shape[2] for part in each)])[:-1]
    return _decided(np.concatenate(each, axis=2), group[0], starts)


def _decided(rotations: Floats, clip: Motion, starts: Integers | None = None) -> TypeDecision:
    moment, sides = moment_from_rotations(rotations), partners(clip.joint_names)
    return decide_types(rotations, moment, clip_starts=starts, partners=sides)


def _declared(group: Sequence[Motion]) -> Integers:
    """Type of each joint by its author, -1 where the clips do not show it; the root never counts.

    A joint counts if each declared degree of freedom went through its range, or if none moved.
    """
    skeleton, truth = group[0].skeleton, [-1]
    channels = np.concatenate([_unwrapped_deg(clip) for clip in group], axis=2)
    low, high = np.quantile(channels, [0.02, 0.98], axis=2)
    for name, width in zip(skeleton.names[1:], (high - low)[1:]):
        declared = skeleton.declarations.get(name)
        free = [CHANNELS.index(dof) for dof in (declared.dof if declared else None) or ()]
        shown = (width[free] >= ENOUGH_DEG).all()
        truth.append(0 if (width[free] < 0.01).all() else len(free) if shown else -1)
    return np.array(truth)


def _unwrapped_deg(clip: Motion) -> Floats:
    assert clip.rotates is not None
    return np.unwrap(np.degrees(clip.rotates), period=360.0, axis=2)


@dataclass
class _Found:
    """Types found in files with free channels."""

    noise: dict[str, float] = field(default_factory=dict)
    """Largest noise floor of each maker, degrees."""
    kinds: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Types of the joints that move, in all clips of a character."""
    knees: list[str] = field(default_factory=list)
    elbows: list[str] = field(default_factory=list)
    pairs: int = 0
    apart: int = 0
    """Mirrored pairs that move, and those with different types."""
    still: int = 0
    """Joints called fixed though they turn by more than :data:`MOVES_DEG`."""

    def add(self, path: Path, motion: Motion) -> None:
        """Decide the types of a file."""
        step = -(-motion.frame_count // EVEN)
        rotations = np.ascontiguousarray(motion.rotations[:, :, ::step])
        decision, names = _decided(rotations, motion), motion.joint_names
        turns = np.degrees(moment_from_rotations(rotations).residual_fixed)
        character = path.stem.split("_")[0] if path.parent.name == "bandai" else path.parent.name
        self.noise[character] = max(self.noise.get(character, 0.0), decision.noise)
        parts, sides = body_parts(names), partners(names)
        for row, (name, kind) in enumerate(zip(names, decision.types)):
            if turns[row] > MOVES_DEG:
                self.still += kind == "fixed"
                if character not in ("other_bvh", "cmu_bvh"):  # one clip of each character
                    self.kinds.setdefault((character, name), []).append(kind)
            if turns[row] > BENDS_DEG and parts.get(name) in ("knee", "elbow"):
                (self.knees if parts[name] == "knee" else self.elbows).append(kind)
            if sides[row] > row and min(turns[row], turns[sides[row]]) > 0.01:
                self.pairs += 1
                self.apart += kind != decision.types[sides[row]]

    def stable(self, character: str) -> float:
        """Share of a character's calls, clip by clip, that agree with most of the same joint."""
        calls = [kinds for (who, _), kinds in self.kinds.items() if who == character]
        most = sum(max(Counter(kinds).values()) for kinds in calls if len(kinds) > 1)
        return most / max(sum(len(kinds) for kinds in calls if len(kinds) > 1), 1)


def _free_channels(half: str, patterns: Sequence[str]) -> Iterator[Figure]:
    found = _Found()
    for path in [path for text in patterns for path in sorted(shared(MOCAP).glob(text))]:
        found.add(path, read_motion(path))
    for character, noise in found.noise.items():
        target = 0.3 if character == "pfnn" else None
        yield Figure(f"largest noise floor, {half}, {character}", noise, "deg", target)
    name = f"fixed joints that turn by over {MOVES_DEG:g} deg, {half}"
    yield Figure(name, found.still, "joints", 0)
    name = f"mirrored pairs of different types, {half}, of {found.pairs}"
    yield Figure(name, found.apart, "pairs")
    clips = {who: len(kinds) for (who, _), kinds in found.kinds.items()}
    for character in (who for who, count in clips.items() if count > 1):
        name = f"types of a joint that agree, clip by clip, {half}, {character}"
        yield Figure(name, found.stable(character), "share", at_least=True)
    yield _share(f"knees that are hinges, {half}", found.knees, ("hinge",))
    yield _share(f"elbows, hinge or universal, {half}", found.elbows, ("hinge", "universal"))


def _share(name: str, found: list[str], right: tuple[str, ...]) -> Figure:
    share = sum(kind in right for kind in found) / max(len(found), 1)
    return Figure(f"{name}, of {len(found)}", share, "share", 1.0, at_least=True)


def _axis_error_deg(samples: int, trials: int) -> float:
    """Root mean square angle between true and found axes, in the joint's own frame."""
    random = np.random.default_rng(0)
    axes = random.standard_normal((trials, 1, 3))
    axes /= np.linalg.norm(axes, axis=2, keepdims=True)
    swing = np.radians(60.0) * np.sin(np.linspace(0.0, 8.0 * np.pi, samples, endpoint=False))
    turns = quaternion_from_axis_angle(axes, swing[None])
    shake = np.radians(2.0) * random.standard_normal((trials, samples, 3))
    noisy = multiply(turns, quaternion_from_rotation_vector(shake))
    noisy = multiply(normalize(random.standard_normal((trials, 1, 4))), noisy)
    moment = moment_from_rotations(np.ascontiguousarray(np.swapaxes(noisy, 1, 2)))
    frames = np.tile([0.0, 0.0, 0.0, 1.0], (trials, 1))
    _, found, _ = hinge_circles(moment, frames)
    sine = np.linalg.norm(np.cross(found, axes[:, 0]), axis=1)
    return float(np.degrees(np.sqrt(np.mean(np.arcsin(np.minimum(sine, 1.0)) ** 2))))
