"""Stored poses updated for new orientations: dagPose, bindPose and bindPreMatrix.

A node that is turned by D in its own frame, below one that is turned by P, has the local pose
``P^-1 L D`` and the world matrix ``W D``. Numbers that do not change are not written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ...arrays import Floats
from ...euler import ROTATE_ORDERS, euler_near
from ...limits.frame_advice import FrameAdvice
from ...maya_rig.matrices import linear, stored_matrix
from ...maya_rig.pose_record import XFORM_NUMBERS, Xform
from ...rotation import IDENTITY, conjugate, matrix_from_quaternion, multiply, normalized, rotated
from .scene import Node, Scene


@dataclass(frozen=True, eq=False)
class FrameChange:
    """Change of a node's orientation.

    Parameters
    ----------
    advice : FrameAdvice, optional
        Of a joint that is re-oriented.
    above : array, shape (4,)
        Rotation by which the frame of its parent turns; the identity if it does not.
    """

    node: Node
    advice: FrameAdvice | None
    above: Floats

    @property
    def turn(self) -> Floats:
        """Rotation by which the node's own frame turns."""
        return IDENTITY if self.advice is None else self.advice.frame_turn


def is_turned(quaternion: Floats) -> bool:
    """Whether a rotation is one at all."""
    return bool(np.any(quaternion[:3] != 0.0))


@dataclass(frozen=True, eq=False)
class MatrixChange:
    """New numbers for a matrix attribute, or for an element of one.

    Parameters
    ----------
    attribute : str
        Long name.
    values : array, shape (16,) or (37,)
        As scenes have them: by rows, for row vectors; or a record of channels.
    """

    node: Node
    attribute: str
    index: int | None
    values: Floats


def pose_changes(scene: Scene, changes: Mapping[Node, FrameChange]) -> Iterator[MatrixChange]:
    """Give new numbers for everything that has stored a pose of a changed node."""
    for (holder, plug), (node, _) in scene.sources.items():
        change = changes.get(node)
        if change is None:
            continue
        if holder.node_type == "dagPose" and plug.startswith("members["):
            index = int(plug[len("members[") : -1])
            yield from _member_changes(scene, holder, index, change, changes)
        elif holder.node_type == "skinCluster" and plug.startswith("matrix["):
            index = int(plug[len("matrix[") : -1])
            if is_turned(change.turn):
                stored = holder.matrices.get(f"bindPreMatrix[{index}]", np.eye(4).reshape(-1))
                matrix = turned(conjugate(change.turn)) @ stored_matrix(stored)
                yield MatrixChange(holder, "bindPreMatrix", index, matrix.T.reshape(-1))
    for change in changes.values():
        yield from _turned_matrix(change.node, "bindPose", None, change.turn)


def turned(quaternion: Floats) -> Floats:
    """Rotation as a matrix of shape (4, 4)."""
    return linear(matrix_from_quaternion(quaternion))


def _member_changes(
    scene: Scene,
    pose: Node,
    index: int,
    change: FrameChange,
    changes: Mapping[Node, FrameChange],
) -> Iterator[MatrixChange]:
    """Give new numbers for what a dagPose has of one member."""
    record = pose.matrices.get(f"xformMatrix[{index}]")
    if record is not None:
        above = _turn_above(scene, pose, index, change, changes)
        new = changed_record(record, change, above)
        if not np.array_equal(new, record):
            yield MatrixChange(pose, "xformMatrix", index, new)
    yield from _turned_matrix(pose, "worldMatrix", index, change.turn)


def _turned_matrix(
    holder: Node, attribute: str, index: int | None, turn: Floats
) -> Iterator[MatrixChange]:
    """Give new numbers for a stored world matrix of a node whose frame turned."""
    stored = holder.matrices.get(attribute if index is None else f"{attribute}[{index}]")
    if stored is not None and len(stored) == 16 and is_turned(turn):
        values = (stored_matrix(stored) @ turned(turn)).T.reshape(-1)
        yield MatrixChange(holder, attribute, index, values)


def _turn_above(
    scene: Scene,
    pose: Node,
    index: int,
    change: FrameChange,
    changes: Mapping[Node, FrameChange],
) -> Floats:
    """Turn of the frame that a record is relative to: of its parent in the pose."""
    source = scene.sources.get((pose, f"parents[{index}]"))
    if source is None:
        return change.above
    member = scene.sources.get((pose, source[1]))
    above = None if member is None else changes.get(member[0])
    return IDENTITY if above is None else above.turn


def changed_record(record: Floats, change: FrameChange, above: Floats) -> Floats:
    """Give the numbers of a record after the change.

    Parameters
    ----------
    record : array, shape (16,) or (37,)
        A local matrix, or channels as in :class:`~jointlimits_core.maya_rig.pose_record.Xform`.
    above : array, shape (4,)
        Turn of the frame that the record is relative to.

    Returns
    -------
    array
        Of the same shape.
    """
    back = conjugate(above)
    if len(record) != XFORM_NUMBERS:
        moved = turned(back) @ stored_matrix(record) @ turned(change.turn)
        changed = change.advice is not None or is_turned(above)
        return np.asarray(moved.T.reshape(-1)) if changed else record
    new = record.copy()
    if is_turned(above):
        pivots = record[19:22] + record[22:25]
        new[7:10] = rotated(back, record[7:10] + pivots) - pivots
    if change.node.is_joint and is_turned(above):
        new[29:33] = multiply(back, _stored_unit(record[29:33]))
    if change.advice is not None:
        advice = change.advice
        new[25:29], new[29:33] = advice.rotate_axis, multiply(back, advice.joint_orient)
        new[6] = ROTATE_ORDERS.index(advice.rotate_order)
    if change.advice is not None or (is_turned(above) and not change.node.is_joint):
        local = multiply(multiply(back, Xform(record).rotation), change.turn)
        new[3:6] = _rotate_of(new, local, np.zeros(3) if change.advice else record[3:6])
    return new


def _rotate_of(record: Floats, local: Floats, near: Floats) -> Floats:
    """Channels of a record that give a local rotation with its other numbers."""
    axis, orient = _stored_unit(record[25:29]), _stored_unit(record[29:33])
    turn = multiply(conjugate(orient), multiply(local, conjugate(axis)))
    return euler_near(turn, near, Xform(record).rotate_order)


def _stored_unit(quaternion: Floats) -> Floats:
    """Unit quaternion; the identity where a record has zeros."""
    return normalized(quaternion) if np.linalg.norm(quaternion) > 1e-9 else np.array(IDENTITY)
