"""Volume that each coupled shape needs to contain the same share of unseen motion.

Shapes are fitted to one part of the motion of a joint and padded until they hold a given share of
the other part; whichever allows least then has learned most. Two ways to divide the clips:

* *stretches*: every other four seconds of each clip are held out, and then the others; one padding
  for all joints; volumes summed over joints. Of several ways that were tried (stretches of one to
  eight seconds, halves, tenths, clips), the one in which the hull comes nearest to the figures of
  the prototype, of which it is not written how it divided its clips, nor that it had these clips.
  That choice was made on the hull, before any other shape was measured.
* *clips*: each clip is held out in turn; a padding for each joint; geometric mean over joints.

Volumes are sums over 20 000 points of Halton's sequence in a box around samples and held-out
motion, weighted with the Haar density of the coordinates: nothing is random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape
from jointlimits_core.shapes.region import Region, principal_axes
from tests.support.printed_shapes import compared_shape

from .ball_joints import BALLS, SUBJECTS
from .figures import Figure, benchmark, shared

KINDS = ("obb", "box", "ellipsoid", "kdop", "hull-exact", "hull", "implicit", "wrap")
COVERS = (0.95, 0.98, 0.99)
TARGETS = (0.50, 0.58, 0.66)
KNOWN_HULL = (0.53, 0.64, 0.72)
STRETCH = 480
"""Frames: four seconds."""
MARGIN = 0.6
"""Radians around all samples; no padding that is tried needs more."""
POINTS = 20000
STEPS = 12
"""Halvings of the padding: a fortieth of a degree."""

Clips = Sequence[Floats]
Split = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Fold:
    """A part of one joint's motion, to which shapes are fitted, and the rest.

    Parameters
    ----------
    joint : str
        Subject and joint.
    fitted : array, shape (samples, 4)
    held_out : array, shape (others, 3)
        Coordinates of the rest in the chart that all shapes have.
    points : array, shape (points, 3)
        Coordinates for the volume.
    weights : array, shape (points,)
        Shares of all rotations that they stand for.
    """

    joint: str
    fitted: Floats
    held_out: Floats
    points: Floats
    weights: Floats

    def cover(self, region: Region) -> float:
        """Share of the held-out rotations that a region allows."""
        return float(np.mean(region.contains(self.held_out)))

    def volume(self, region: Region) -> float:
        """Share of all rotations that a region allows."""
        return float(np.sum(self.weights[region.contains(self.points)]))


@benchmark
def stretches(quick: bool) -> Iterator[Figure]:
    """Volume relative to the oriented box, at equal cover of held-out stretches of four seconds."""
    yield from _figures(_folds(_stretches, quick), "stretches", lambda group: [group], np.sum)


@benchmark
def clips(quick: bool) -> Iterator[Figure]:
    """Volume relative to the oriented box, at equal cover of held-out clips."""
    yield from _figures(_folds(_clips, quick), "clips", _by_joint, _geometric)


def _figures(
    folds: list[Fold],
    what: str,
    divided: Callable[[list[Fold]], list[list[Fold]]],
    joined: Callable[[Floats], float],
) -> Iterator[Figure]:
    """Three figures for each shape; targets only where the prototype's way was followed."""
    boxes: dict[str, Floats] = {}
    for kind in KINDS:
        fitted = [(fold, _fitted(kind, fold)) for fold in folds]
        totals = {}
        for subject in ("", "01", "02"):
            groups = divided([fold for fold in folds if fold.joint.startswith(subject)])
            of_fold = {id(fold): region for fold, region in fitted}
            volumes = [_volumes(group, [of_fold[id(fold)] for fold in group]) for group in groups]
            totals[subject] = np.array([joined(column) for column in np.transpose(volumes)])
        boxes = boxes or totals
        ratios = {subject: totals[subject] / boxes[subject] for subject in totals}
        for row, (share, target) in enumerate(zip(COVERS, TARGETS)):
            comment = f"subject 01 {ratios['01'][row]:.2f}, 02 {ratios['02'][row]:.2f}"
            if kind == "hull-exact" and what == "stretches":
                comment += f"; {KNOWN_HULL[row]:.2f} in the prototype"
            wanted = target if kind == "wrap" and what == "stretches" else None
            name = f"{kind}, cover {share:.2f}, held-out {what}"
            yield Figure(name, float(ratios[""][row]), "of obb", wanted, comment)


def _volumes(folds: list[Fold], regions: list[Region]) -> list[float]:
    """Summed volumes at the least padding that gives each of :data:`COVERS`."""
    found = []
    for share in COVERS:
        low, high = np.radians(-15.0), np.radians(90.0)
        for _ in range(STEPS):
            pad = 0.5 * (low + high)
            cover = np.mean([f.cover(r.grow(pad)) for f, r in zip(folds, regions)])
            low, high = (low, pad) if cover >= share else (pad, high)
        found.append(sum(f.volume(r.grow(high)) for f, r in zip(folds, regions)))
    return found


def _fitted(kind: str, fold: Fold) -> Region:
    fit = compared_shape if kind == "hull-exact" else fit_shape
    return fit(kind, fold.fitted, FitOptions(pad_deg=0.0)).region


def _by_joint(folds: list[Fold]) -> list[list[Fold]]:
    joints = dict.fromkeys(fold.joint for fold in folds)
    return [[fold for fold in folds if fold.joint == joint] for joint in joints]


def _geometric(volumes: Floats) -> float:
    return float(np.exp(np.mean(np.log(np.maximum(volumes, 1e-12)))))


def _stretches(clips_of_joint: Clips) -> list[Split]:
    parts = [
        (clip[start : start + STRETCH], (start // STRETCH) % 2)
        for clip in clips_of_joint
        for start in range(0, len(clip), STRETCH)
    ]
    halves = [np.concatenate([part for part, side in parts if side == wanted]) for wanted in (0, 1)]
    return [(halves[1], halves[0]), (halves[0], halves[1])]


def _clips(clips_of_joint: Clips) -> list[Split]:
    return [
        (np.concatenate([other for other in clips_of_joint if other is not clip]), clip)
        for clip in clips_of_joint
    ]


def _folds(divide: Callable[[Clips], list[Split]], quick: bool) -> list[Fold]:
    return [
        _fold(joint, *split)
        for joint, clips_of_joint in _motion(quick).items()
        for split in divide(clips_of_joint)
    ]


def _motion(quick: bool) -> dict[str, list[Floats]]:
    """Rotations of each joint in each clip, hips and shoulders only if quick."""
    found: dict[str, list[Floats]] = {}
    for subject, folders in SUBJECTS.items():
        for folder in folders:
            root = shared(f"data/mocap/cmu_asfamc/{folder}")
            for path in sorted(root.glob("*.amc")):
                motion = read_motion(path, next(root.glob("*.asf")))
                for name in BALLS[: 4 if quick else None]:
                    row = motion.skeleton.index(name)
                    found.setdefault(f"{subject} {name}", []).append(motion.rotations[row].T)
    return found


def _fold(joint: str, fitted: Floats, held_out: Floats) -> Fold:
    """Points for the volume lie in the coordinates of the oriented box, which all shapes share."""
    chart = fit_shape("obb", fitted).chart
    seen = chart.coordinates(np.concatenate([fitted, held_out]))
    axes = principal_axes(seen)
    low, high = (seen @ axes.T).min(axis=0) - MARGIN, (seen @ axes.T).max(axis=0) + MARGIN
    points = (low + _halton(POINTS) * (high - low)) @ axes
    proper = np.linalg.norm(points, axis=1) < np.pi
    weights = chart.density(points) * proper * np.prod(high - low) / POINTS
    return Fold(joint, fitted, chart.coordinates(held_out), points, weights)


def _halton(count: int) -> Floats:
    """Points of the unit cube, (count, 3)."""
    columns = []
    for base in (2, 3, 5):
        left, value, unit = np.arange(1, count + 1), np.zeros(count), 1.0
        while left.any():
            unit /= base
            value += unit * (left % base)
            left = left // base
        columns.append(value)
    return np.stack(columns, axis=-1)
