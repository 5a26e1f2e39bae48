"""Joints that follow their sources live, with bones of constant length.

Every joint rotates with its source, from the axes found for it; the root also follows its source's
position. The translations of all other joints stay those of the skeleton. The nodes form what
riggers call a matrix constraint.
"""

from __future__ import annotations

import maya.api.OpenMaya as om
import numpy as np

from jointlimits_core.arrays import Floats
from jointlimits_core.bodies.build import JointPlaces
from jointlimits_core.rotation import matrix_from_quaternion

from .attributes import AXES
from .plug_values import put_value
from .plugs import find_plug
from .projection_recipe import plug_at
from .scene_edit import SceneEdit
from .skeleton_chain import CENTIMETERS, Chain


def follow(
    edit: SceneEdit,
    chain: Chain,
    sources: list[om.MDagPath],
    places: JointPlaces,
    scales: Floats,
) -> None:
    """Add the matrix constraints of a chain to an edit.

    Parameters
    ----------
    chain : Chain
        Created by the same edit.
    sources : list of MDagPath
        Source of each joint.
    places : JointPlaces
        Positions and axes of the joints on their sources.
    scales : array, shape (joints, 3)
        World scales of the sources.
    """
    for joint, source in enumerate(sources):
        offset = _offset(places, joint) @ np.diag([*(1.0 / scales[joint]), 1.0])
        back = np.eye(4)
        back[:3, :3] = matrix_from_quaternion(chain.motion.skeleton.joint_orients[joint])
        _drive(edit, chain, joint, source, "rotate", [offset, back])
        if chain.parents[joint] < 0:
            _drive(edit, chain, joint, source, "translate", [offset])


def _offset(places: JointPlaces, joint: int) -> Floats:
    """Matrix of a joint on its source, for row vectors, centimetres."""
    offset = np.eye(4)
    offset[:3, :3] = matrix_from_quaternion(places.frames[joint]).T
    offset[3, :3] = CENTIMETERS * places.origins[joint]
    return offset


def _drive(
    edit: SceneEdit,
    chain: Chain,
    joint: int,
    source: om.MDagPath,
    compound: str,
    matrices: list[Floats],
) -> None:
    """Drive a compound of a joint by its source: offset, source, parent inverse, orientation."""
    made: list[om.MObject] = []
    name = f"{chain.names[joint]}_{compound}"

    def create(modifier: om.MDGModifier) -> None:
        made.extend(modifier.createNode(kind) for kind in ("multMatrix", "decomposeMatrix"))

    def settle(modifier: om.MDGModifier) -> None:
        product, parts = made
        modifier.renameNode(product, f"{name}_follow")
        modifier.renameNode(parts, f"{name}_parts")
        for place, matrix in zip((0, 3), matrices):
            value = om.MMatrix(matrix.tolist())
            put_value(modifier, plug_at(product, f"matrixIn[{place}]"), value)
        _connect(modifier, chain, joint, source, compound, made)

    edit.modify(create, when_reached=True)
    edit.modify(settle, when_reached=True)


def _connect(
    modifier: om.MDGModifier,
    chain: Chain,
    joint: int,
    source: om.MDagPath,
    compound: str,
    made: list[om.MObject],
) -> None:
    """Connect a source's world matrix through the two nodes to a compound of the joint."""
    product, parts = made
    worlds = find_plug(source.node(), "worldMatrix")
    shown = worlds.elementByLogicalIndex(source.instanceNumber())
    modifier.connect(shown, plug_at(product, "matrixIn[1]"))
    above = chain.plug(joint, "parentInverseMatrix").elementByLogicalIndex(0)
    modifier.connect(above, plug_at(product, "matrixIn[2]"))
    modifier.connect(plug_at(product, "matrixSum"), plug_at(parts, "inputMatrix"))
    output = f"output{compound.capitalize()}"
    for axis in AXES:
        modifier.connect(plug_at(parts, f"{output}{axis}"), chain.plug(joint, f"{compound}{axis}"))
