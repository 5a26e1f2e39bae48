"""Motions as written to our Maya scenes, so that their limits match the joints there."""

from __future__ import annotations

from dataclasses import replace

from ..motion import Motion
from .centimetres import in_centimetres
from .maya_ascii.motion_scene import node_names


def as_in_maya(motion: Motion) -> Motion:
    """Return the same motion in centimetres, with names that Maya accepts.

    Returns
    -------
    Motion
        Findings and declarations keep their joints.
    """
    motion = in_centimetres(motion)
    names = dict(zip(motion.joint_names, node_names(motion.joint_names)))
    animated = motion.animated
    declared = {names[name]: own for name, own in motion.skeleton.declarations.items()}
    return replace(
        motion,
        skeleton=replace(motion.skeleton, names=tuple(names.values()), declarations=declared),
        animated=None if animated is None else frozenset(names[name] for name in animated),
        findings=tuple(
            replace(item, joint=names.get(item.joint or "", item.joint)) for item in motion.findings
        ),
    )
