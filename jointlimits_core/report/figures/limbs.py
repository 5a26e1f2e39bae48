"""Volume of a figure: tapered limbs with a head, hands and feet, lit from the upper left.

Limbs with longer chains below them are thicker, so that limbs taper from the trunk outwards on
people, hands, animals and machines alike. A limb is drawn as the outline of two discs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...geometry.arrays import Floats, Integers
from ...motion.joint_names import HEAD, body_ends
from . import character as figure

THICK_RATIO, TAPER = 0.077, 0.75
"""Radius at the root as a share of the size, and the power by which it shrinks.

The size of a figure is the length of its longest chain, but at most :data:`MAX_BONES` of its
longest bone, so that a rope is not thicker than its bones are long.
"""
MAX_BONES = 8.0
"""Maximum size of a figure, in lengths of its longest bone."""
MIN_RADIUS_RATIO, LEAF_RATIO, MIN_PIXELS = 0.006, 0.5, 1.2
"""Smallest radius as a share of the size, radius of the last joint as a share of the one
before it, and the smallest radius in a picture."""
TIPS = {
    "head": (0.045, 0.085, 0.056, 0.064),
    "hand": (0.0, 0.07, 0.026, 0.018),
    "foot": (0.0, 0.0, 0.03, 0.03),
}
"""Additions to the last joint of a limb: start and end along the bone before it, and both radii, as
shares of the size."""
TOE_RATIO = 0.024
"""Smallest radius of toes, as a share of the size."""
CAP_CORNERS = 10
"""Corners of each of the two round ends of an outline."""
TONES = ((1.0, 0.0, 0.72), (0.8, 0.18, 1.0), (0.4, 0.4, 1.12))
"""Tones of a limb from its dark edge to its lit side: share of its width, shift towards the light
in half widths, and lightness."""
LIGHT = np.array([-0.6, -0.8])
"""Direction to the light in the picture, where y points down."""
FAR_SHARE = 0.5
"""Colour strength of the farthest limbs."""


@dataclass(frozen=True, eq=False)
class Limbs:
    """Limbs of a character, in its unit of length.

    `joints`, shape (limbs,): the joint that each belongs to. `bones`, shape (limbs, 2): joints
    between which its direction is measured. `along`, shape (limbs, 2): its start and end, as
    lengths beyond the second joint; NaN if it is between two joints. `radii`, (limbs, 2).
    """

    joints: Integers
    bones: Integers
    along: Floats
    radii: Floats

    def ends(self, places: Floats) -> Floats:
        """Start and end of each limb, shape (limbs, 2, 3), for joint positions, (joints, 3)."""
        both = places[self.bones]
        way = both[:, 1] - both[:, 0]
        way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
        beyond = both[:, 1:] + self.along[..., None] * way[:, None]
        return np.where(np.isnan(self.along)[..., None], both, beyond)


def limbs_of(character: figure.Character) -> Limbs:
    """Limbs of a character; a character without bones has none."""
    bones, places = character.bones, np.nan_to_num(character.pose().places)
    lengths = np.linalg.norm(places[bones[:, 1]] - places[bones[:, 0]], axis=1)
    below = np.zeros(len(places))
    for (parent, child), length in reversed(list(zip(bones.tolist(), lengths.tolist()))):
        below[parent] = max(below[parent], below[child] + length)
    longest = max(float(below.max(initial=0.0)), 1e-9)
    whole = min(longest, MAX_BONES * max(float(lengths.max(initial=0.0)), 1e-9))
    radii = THICK_RATIO * whole * (below / longest) ** TAPER
    for parent, child in bones.tolist():
        if below[child] == 0.0:
            radii[child] = LEAF_RATIO * radii[parent]
    radii = np.maximum(radii, MIN_RADIUS_RATIO * whole)
    found = body_ends(character.motion.skeleton)
    feet = [joint for name, joint in found.items() if name.endswith("foot")]
    toes = bones[np.isin(bones[:, 0], feet), 1]
    radii[toes] = np.maximum(radii[toes], TOE_RATIO * whole)
    tips: list[tuple[Integers, Floats]] = []
    for name, joint in found.items():
        above = bones[bones[:, 1] == joint]
        if len(above) and (name == HEAD or joint not in bones[:, 0]):
            tips.append((above[0], whole * np.array(TIPS[name.split()[-1]])))
    ends = np.array([bone for bone, _ in tips], dtype=np.int64).reshape(-1, 2)
    sizes = np.array([size for _, size in tips]).reshape(-1, 4)
    between = np.full((len(bones), 2), np.nan)
    return Limbs(
        np.concatenate([bones[:, 0], ends[:, 1]]),
        np.concatenate([bones, ends]),
        np.concatenate([between, sizes[:, :2]]),
        np.concatenate([radii[bones], sizes[:, 2:]]),
    )


def outlines(ends: Floats, radii: Floats) -> Floats:
    """Outlines around pairs of discs in a picture, shape (limbs, corners, 2).

    `ends`, shape (limbs, 2, 2 or more): centres in pixels. `radii`, shape (limbs, 2): in pixels.
    """
    way = ends[:, 1, :2] - ends[:, 0, :2]
    apart = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
    # Both discs touch the outline at this angle from their axis; one may contain the other.
    touch = np.arccos(np.clip((radii[:, 0] - radii[:, 1]) / apart, -1.0, 1.0))[:, None]
    turn = np.arctan2(way[:, 1], way[:, 0])[:, None]
    share = np.linspace(0.0, 1.0, CAP_CORNERS)
    far, near = turn + touch * (2.0 * share - 1.0), turn + touch + 2.0 * (np.pi - touch) * share
    corners = [
        ends[:, end, None, :2]
        + radii[:, end, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        for end, angle in ((1, far), (0, near))
    ]
    return np.concatenate(corners, axis=1)


def lit_outlines(ends: Floats, radii: Floats) -> Floats:
    """Outlines of each limb for every one of :data:`TONES`, shape (tones, limbs, corners, 2)."""
    way = ends[:, 1, :2] - ends[:, 0, :2]
    across = np.stack([-way[:, 1], way[:, 0]], axis=1)
    across *= np.where(across @ LIGHT < 0.0, -1.0, 1.0)[:, None]
    length = np.linalg.norm(across, axis=1, keepdims=True)
    across = np.where(length > 1e-6, across / np.maximum(length, 1e-6), LIGHT)
    return np.stack(
        [
            outlines(ends[..., :2] + shift * radii[..., None] * across[:, None], share * radii)
            for share, shift, _ in TONES
        ]
    )
