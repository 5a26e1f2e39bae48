"""Roots: the joints that place a character in the world, found by their motion.

A character's topmost joint often stays still (Reference, Armature, world), and the hips below it
carry the motion. A robot's still base looks the same, but its first axis only turns, whereas hips
also travel.
"""

from __future__ import annotations

import numpy as np

from ..geometry.arrays import Booleans
from .joint_names import SEPARATE, node_name, part_words, side_readings, words_of
from .motion import Motion
from .skeleton import Skeleton

HIPS_WORDS = frozenset(("hips", "pelvis", "sacrum"))
"""Words for a joint that carries the body even if it only turns."""
ROOT_WORDS = ("root",)
"""Words for a joint called root, which also carries the body even if it only turns."""
MIN_TRAVEL_SHARE = 1e-3
"""Smallest travel of a joint that leaves its place, as a share of the skeleton's size."""


def root_joints(skeleton: Skeleton, turns: Booleans, travels: Booleans) -> frozenset[str]:
    """Names of the joints that place a character.

    A top joint is a root if it moves. Below joints that do not turn, the root is the first joint
    that turns and either travels or is named hips or root. Below a root, such as a trajectory
    joint, hips that travel are also a root. A top joint with no root below it is a root, like a
    robot's still base. A top control that only turns is not a root, as its groups often follow
    other controls. `turns`, `travels`, (joints,): whether each joint does so in any clip.
    """
    count = len(skeleton)
    found, opens, carried = (np.zeros(count, dtype=bool) for _ in range(3))
    top = np.full(count, -1)
    for row, (name, parent) in enumerate(zip(skeleton.names, skeleton.parents.tolist())):
        short = node_name(name)
        # Hips of the whole body, not of one side.
        sided = any(reading.plainness == SEPARATE for reading in side_readings(short))
        hips = not sided and not HIPS_WORDS.isdisjoint(words_of(short))
        if parent < 0:
            top[row] = -1 if name in skeleton.hanging else row
            carries = turns[row] and (hips or not skeleton.of_controls)
            found[row] = top[row] == row and (carries or travels[row])
            opens[row] = top[row] == row and not turns[row] and not hips
            carried[row] = found[row] and not hips
            continue
        top[row] = top[parent]
        named = hips or part_words(short) == ROOT_WORDS
        first, below = opens[parent] and (travels[row] or named), carried[parent] and hips
        found[row] = turns[row] and (first or (below and travels[row]))
        opens[row] = opens[parent] and not turns[row] and not hips
        carried[row] = not hips and (found[row] or (carried[parent] and not turns[row]))
    bare = set(top[top == np.arange(count)].tolist()) - set(top[found].tolist())
    bare = set() if skeleton.of_controls else bare
    return frozenset(skeleton.names[row] for row in {*np.flatnonzero(found).tolist(), *bare})


def traveling_joints(motion: Motion) -> Booleans:
    """Joints that travel relative to their parent, shape (joints,)."""
    bones = motion.skeleton
    size = float(np.ptp(bones.rest_world_matrices()[:, :3, 3], axis=0).max(initial=0.0))
    travels = np.zeros(len(bones), dtype=bool)
    # The groups above a control follow others; its own channels show whether it travels.
    moved = {} if bones.of_controls else motion.between
    for joint in {*motion.translations, *moved}:
        offsets = np.atleast_2d(motion.translations.get(joint, bones.offsets[joint]))
        between = moved.get(joint, bones.between.get(joint, np.eye(4)))
        places = between[..., :3, 3] + (between[..., :3, :3] @ offsets[..., None])[..., 0]
        travels[joint] = np.ptp(places, axis=0).max() > MIN_TRAVEL_SHARE * size
    return travels
