"""Disguised figures: the same motion with other names, axes, rest pose and spine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import (
    conjugate,
    multiply,
    normalize,
    quaternion_from_axis_angle,
    rotate,
)
from jointlimits_core.motion.motion import Motion
from jointlimits_core.people.bones import SIDES, Figure, find_figure

PARTS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toes")
_SCHEMES = {
    "mixamo": (
        "mixamorig:{Side}{}",
        ("Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "ToeBase"),
        ("mixamorig:Hips", "mixamorig:Spine{}", "mixamorig:Neck{}", "mixamorig:Head"),
    ),
    "biped": (
        "Bip01 {S} {}",
        ("UpperArm", "Forearm", "Hand", "Thigh", "Calf", "Foot", "Toe0"),
        ("Bip01 Pelvis", "Bip01 Spine{}", "Bip01 Neck{}", "Bip01 Head"),
    ),
    "unreal": (
        "{}_{s}",
        ("upperarm", "lowerarm", "hand", "thigh", "calf", "foot", "ball"),
        ("pelvis", "spine_{:02}", "neck_{:02}", "head"),
    ),
}
SCHEMES = tuple(_SCHEMES)
"""Naming schemes of three makers."""


def role_names(figure: Figure, scheme: str) -> dict[str, str]:
    """New name of every joint with a role in a naming scheme; the others are numbered."""
    pattern, limbs, (pelvis, spine, neck, head) = _SCHEMES[scheme]
    new = {figure.joints["pelvis"]: pelvis}
    for name, chain in ((spine, "spine"), (neck, "head")):
        new.update(
            {row: name.format(at + 1) for at, row in enumerate(figure.chains.get(chain, ()))}
        )
    if figure.has("head"):
        new[figure.joints["head"]] = head
    for side in SIDES:
        for part, word in zip(PARTS, limbs):
            if figure.has(f"{side} {part}"):
                letters = {"Side": side.title(), "S": side[0].upper(), "s": side[0]}
                new[figure.joints[f"{side} {part}"]] = pattern.format(word, **letters)
    every = figure.skeleton.names
    return {name: new.get(row, f"other_{row}") for row, name in enumerate(every)}


def dressed(
    motion: Motion, names: Mapping[str, str], seed: int, arms_deg: float = 0.0, rest: bool = True
) -> Motion:
    """Same motion with joints of other names, and random axes of their own.

    `arms_deg`: the arms of the rest pose are lowered by so much. `rest`: False for the first frame
    as the rest pose.
    """
    bones, rng = motion.skeleton, np.random.default_rng(seed)
    turns = normalize(rng.normal(size=(len(bones), 4)))
    above = np.array([[0.0, 0.0, 0.0, 1.0], *turns])[bones.parents + 1]
    resting = bones.rest_rotations if rest else motion.rotations[:, :, 0]
    if arms_deg:
        resting = _lowered(motion, resting, arms_deg)
    local = np.moveaxis(motion.rotations, 2, 0)
    return Motion.from_quaternions(
        [names[name] for name in bones.names],
        bones.parents.tolist(),
        multiply(conjugate(above), multiply(local, turns)),
        motion.frame_rate,
        offsets=rotate(conjugate(above), bones.offsets),
        rest_rotations=multiply(conjugate(above), multiply(resting, turns)),
        name=motion.name,
    )


def _lowered(motion: Motion, resting: Floats, degrees: float) -> Floats:
    """Rest rotations with both arms turned down in the plane of the figure, degrees."""
    figure = find_figure(motion.skeleton)
    world = motion.skeleton.rest_world_matrices()
    hips = [world[figure.joints[f"{side} hip"], :3, 3] for side in SIDES]
    arms = np.mean([world[figure.joints[f"{side} shoulder"], :3, 3] for side in SIDES], axis=0)
    front = np.cross(hips[0] - hips[1], arms - np.mean(hips, axis=0))
    front = front / np.linalg.norm(front)
    result = np.array(resting)
    for side, sign in zip(SIDES, (-1.0, 1.0)):
        row = figure.joints[f"{side} shoulder"]
        axes = world[motion.skeleton.parents[row], :3, :3]
        turn = quaternion_from_axis_angle(axes.T @ front, np.radians(sign * degrees))
        result[row] = multiply(turn, resting[row])
    return result
