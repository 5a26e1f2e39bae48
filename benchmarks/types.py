"""How often joint types are right, on captured motion whose author says what the joints are.

The thresholds were chosen on CMU subjects 01, 03 and 07; subjects 02 and 11 and all BVH files are
the test. Balanced accuracy is the mean over the four types of the share of joints of that type
that are called so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from jointlimits_core.estimation import (
    TYPES,
    TypeDecision,
    child_axes,
    decide_types,
    hinge_circles,
    moment_from_rotations,
)
from jointlimits_core.formats import read_motion
from jointlimits_core.geometry import (
    CHANNELS,
    Floats,
    Integers,
    multiply,
    normalized,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
)
from jointlimits_core.motion import Motion, partners

from .figures import Figure, benchmark, shared
from .perturbations import CONDITIONS, Condition, perturbed

CAPTURES = "data/mocap/cmu_asfamc"
TRAIN, TEST = ("01", "01_fairmotion", "03", "07"), ("02", "11")
SEEDS = 8
ENOUGH_DEG = 8.0
"""Range, 2 to 98 %, that every declared degree of freedom must have gone through to count."""
MOST_SAMPLES = 2000
TARGETS = (0.98, 0.97, 0.94, 0.95, 0.97, 0.94)
BEFORE = (0.956, 0.946, 0.909, 0.922, 0.958, 0.906)
"""Of the prototype, on held-out clips one by one."""
FREE_CHANNEL_FILES = ("cmu_asfamc/01_fairmotion/*.bvh", "cmu_bvh/*.bvh", "other_bvh/*.bvh")
BENDS = np.radians(1.5)
"""Root mean square turn of a knee or elbow that takes part; others are at rest in their clip."""
KNEE = re.compile(r"(left|right)(leg|knee)$|[lr]shin$", re.IGNORECASE)
ELBOW = re.compile(r"(left|right|[lr])forearm$|(left|right)elbow$", re.IGNORECASE)


@benchmark
def per_clip(quick: bool) -> Iterator[Figure]:
    """Types from one clip at a time."""
    yield from _accuracy([[clip] for clip in _clips(TEST)], "test clips", quick, True)
    yield from _accuracy([[clip] for clip in _clips(TRAIN)], "training clips", quick, False)


@benchmark
def per_subject(quick: bool) -> Iterator[Figure]:
    """Types from all clips of a subject together, as the tool pools them."""
    yield from _accuracy([_clips([name]) for name in TEST], "test subjects", quick, True)
    training = [_clips(TRAIN[:2]), *(_clips([name]) for name in TRAIN[2:])]
    yield from _accuracy(training, "training subjects", quick, False)


@benchmark
def free_channels(quick: bool) -> Iterator[Figure]:
    """Knees and elbows of BVH files, all of whose joints have three channels."""
    folder = shared("data/mocap")
    files = [path for pattern in FREE_CHANNEL_FILES for path in sorted(folder.glob(pattern))]
    found = [pair for path in files for pair in _bends(path)]
    knees = [kind for name, kind in found if KNEE.search(name)]
    elbows = [kind for name, kind in found if ELBOW.search(name)]
    yield _share("knees that are hinges", knees, ("hinge",), "30 of 30 in 16 files")
    told = f"{elbows.count('universal')} universal; before, 29 hinge and 3 universal of 32"
    yield _share("elbows that are hinges or universal", elbows, ("hinge", "universal"), told)


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
        root = shared(f"{CAPTURES}/{folder}")
        (skeleton,) = root.glob("*.asf")
        clips += [read_motion(path, skeleton=skeleton) for path in sorted(root.glob("*.amc"))]
    return clips


def _accuracy(
    groups: list[list[Motion]], what: str, quick: bool, held_out: bool
) -> Iterator[Figure]:
    truths = [_declared(group) for group in groups]
    for condition, target, before in zip(CONDITIONS, TARGETS, BEFORE):
        seeds = 1 if quick or condition.kind == "clean" else SEEDS
        confusion = np.zeros((4, 4), dtype=np.int64)
        for group, truth in zip(groups, truths):
            for seed in range(seeds):
                types = _decision(group, condition, seed).types
                found = np.array([TYPES.index(kind) for kind in types])
                known = truth >= 0
                np.add.at(confusion, (truth[known], found[known]), 1)
        recall = np.diag(confusion) / np.maximum(confusion.sum(axis=1), 1)
        told = " ".join(f"{kind} {share:.3f}" for kind, share in zip(TYPES, recall))
        name = f"types right, {what}, {condition.name}"
        beside = f"{told}; before {before}" if held_out else told
        wanted = target if held_out else None
        yield Figure(name, float(recall.mean()), "balanced", wanted, beside, at_least=True)


def _decision(group: Sequence[Motion], condition: Condition, seed: int) -> TypeDecision:
    """Types from the clips of one character, put one after the other."""
    each = perturbed(group, condition, seed)
    starts = np.cumsum([0, *(part.shape[2] for part in each)])[:-1]
    rotations = np.concatenate(each, axis=2)
    return decide_types(
        rotations,
        moment_from_rotations(rotations),
        clip_starts=starts,
        partners=partners(group[0].joint_names),
    )


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


def _bends(path: Path) -> Iterator[tuple[str, str]]:
    """Names and types of the knees and elbows of a file that bend at all."""
    motion = read_motion(path)
    rotations = motion.rotations[:, :, :: -(-motion.frame_count // MOST_SAMPLES)]
    moment = moment_from_rotations(rotations)
    found = decide_types(rotations, moment, partners=partners(motion.joint_names))
    for row, name in enumerate(motion.joint_names):
        if (KNEE.search(name) or ELBOW.search(name)) and moment.residual_fixed[row] > BENDS:
            yield name, found.types[row]


def _share(name: str, found: list[str], right: tuple[str, ...], told: str) -> Figure:
    share = sum(kind in right for kind in found) / max(len(found), 1)
    return Figure(f"{name}, of {len(found)}", share, "share", 1.0, told, at_least=True)


def _axis_error_deg(samples: int, trials: int) -> float:
    """Root mean square angle between true and found axes, in the joint's own frame."""
    random = np.random.default_rng(0)
    axes = random.standard_normal((trials, 1, 3))
    axes /= np.linalg.norm(axes, axis=2, keepdims=True)
    swing = np.radians(60.0) * np.sin(np.linspace(0.0, 8.0 * np.pi, samples, endpoint=False))
    turns = quaternion_from_axis_angle(axes, swing[None])
    shake = np.radians(2.0) * random.standard_normal((trials, samples, 3))
    noisy = multiply(turns, quaternion_from_rotation_vector(shake))
    noisy = multiply(normalized(random.standard_normal((trials, 1, 4))), noisy)
    moment = moment_from_rotations(np.ascontiguousarray(np.swapaxes(noisy, 1, 2)))
    frames = np.tile([0.0, 0.0, 0.0, 1.0], (trials, 1))
    found = child_axes(hinge_circles(moment, frames))
    sine = np.linalg.norm(np.cross(found, axes[:, 0]), axis=1)
    return float(np.degrees(np.sqrt(np.mean(np.arcsin(np.minimum(sine, 1.0)) ** 2))))
