"""Changes that re-orient joints without changing a pose.

jointOrient, rotateAxis and rotateOrder of the advised joints change, and their keys are remade. In
mode C rotateAxis becomes zero: the joint's own orientation changes, and everything that depends on
it (children, bind poses, skins) is compensated. If a node is turned by D in its own orientation and
its parent by P, its local matrix L becomes ``P^-1 L D``, and its world matrix W becomes ``W D``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Union

import numpy as np

from ..geometry import euler
from ..geometry.arrays import Floats
from ..geometry.quaternion import (
    IDENTITY,
    angle_between,
    conjugate,
    matrix_from_quaternion,
    multiply,
    rotate,
)
from ..motion.reorient import OrientAdvice, continuous_angles, nearest_branch, reoriented_rotates
from .limit_plan import Skipped
from .matrices import linear, stored_matrix
from .reorient_checks import Channels, Checks, NewKeys, Obstacle, locked_attribute
from .rest_pose import rotate_order
from .scene import Node, Scene

MAX_SAME_ORIENTATION_RAD = 1e-12
"""Largest difference, in radians, between orientations that count as the same."""


@dataclass(frozen=True, eq=False)
class FrameChange:
    """Change of a node's orientation, by advice or because its parent's orientation changes.

    `above`, shape (4,): rotation by which the parent's own orientation turns, or the identity.
    """

    node: Node
    advice: OrientAdvice | None
    above: Floats

    @property
    def turn(self) -> Floats:
        """Rotation by which the node's own orientation turns."""
        return IDENTITY if self.advice is None else self.advice.frame_turn


def is_turned(quaternion: Floats) -> bool:
    """Whether a rotation is not the identity."""
    return bool(np.any(quaternion[:3] != 0.0))


@dataclass(frozen=True, eq=False)
class MatrixChange:
    """New numbers of a matrix attribute, or of an element of an array of matrices.

    `values`, shape (16,): as scenes store them, row by row, for row vectors.
    """

    node: Node
    attribute: str
    index: int | None
    values: Floats


def pose_changes(scene: Scene, changes: Mapping[Node, FrameChange]) -> Iterator[MatrixChange]:
    """New numbers of all stored poses of changed nodes."""
    for (holder, plug), (node, _) in scene.sources.items():
        change = changes.get(node)
        if change is None:
            continue
        if holder.node_type == "dagPose" and plug.startswith("members["):
            index = int(plug[len("members[") : -1])
            local = holder.matrices.get(f"xformMatrix[{index}]")
            above = _parent_turn(scene, holder, index, change, changes)
            if local is not None and (change.advice is not None or is_turned(above)):
                turned_back = turn_matrix(conjugate(above)) @ stored_matrix(local)
                new = (turned_back @ turn_matrix(change.turn)).T.reshape(-1)
                if not np.array_equal(new, local):
                    yield MatrixChange(holder, "xformMatrix", index, new)
            yield from _turned_matrix(holder, "worldMatrix", index, change.turn)
        elif holder.node_type == "skinCluster" and plug.startswith("matrix["):
            index = int(plug[len("matrix[") : -1])
            if is_turned(change.turn):
                stored = holder.matrices.get(f"bindPreMatrix[{index}]", np.eye(4).reshape(-1))
                matrix = turn_matrix(conjugate(change.turn)) @ stored_matrix(stored)
                yield MatrixChange(holder, "bindPreMatrix", index, matrix.T.reshape(-1))
    for change in changes.values():
        yield from _turned_matrix(change.node, "bindPose", None, change.turn)


def turn_matrix(quaternion: Floats) -> Floats:
    """Rotation as a matrix of shape (4, 4)."""
    return linear(matrix_from_quaternion(quaternion))


def _turned_matrix(
    holder: Node, attribute: str, index: int | None, turn: Floats
) -> Iterator[MatrixChange]:
    """New numbers of the stored world matrix of a turned node."""
    stored = holder.matrices.get(attribute if index is None else f"{attribute}[{index}]")
    if stored is not None and is_turned(turn):
        values = (stored_matrix(stored) @ turn_matrix(turn)).T.reshape(-1)
        yield MatrixChange(holder, attribute, index, values)


def _parent_turn(
    scene: Scene, pose: Node, index: int, change: FrameChange, changes: Mapping[Node, FrameChange]
) -> Floats:
    """Turn of a node's parent in a stored pose, which may not be its parent now."""
    source = scene.sources.get((pose, f"parents[{index}]"))
    if source is None:
        return change.above
    member = scene.sources.get((pose, source[1]))
    above = None if member is None else changes.get(member[0])
    return IDENTITY if above is None else above.turn


@dataclass(frozen=True, eq=False)
class _Candidate:
    """Joint that can be re-oriented, and its new keys."""

    name: str
    advice: OrientAdvice
    keys: NewKeys


@dataclass(frozen=True, eq=False)
class TripleChange:
    """New angles of a compound: jointOrient or rotateAxis, radians, shape (3,)."""

    node: Node
    compound: str
    angles: Floats


@dataclass(frozen=True, eq=False)
class OrderChange:
    """New rotate order, by Maya's number for it."""

    node: Node
    number: int


Change = Union[TripleChange, OrderChange, NewKeys, MatrixChange]


@dataclass
class FramePlan:
    """All changes needed for new orientations, for any writer.

    `changes`: in the order in which they should be made. `joints`, `compensated`: long names of
    the attributes that change, by re-oriented joint and by child that is turned back. `unchanged`:
    joints that already have their orientation.
    """

    changes: list[Change] = field(default_factory=list)
    joints: dict[str, tuple[str, ...]] = field(default_factory=dict)
    compensated: dict[str, tuple[str, ...]] = field(default_factory=dict)
    keys: dict[str, NewKeys] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


class FramePlanner:
    """Planner of new orientations for joints of one scene."""

    def __init__(self, scene: Scene, checks: Checks) -> None:
        self.scene, self.checks, self.plan = scene, checks, FramePlan()
        self.rate = scene.units.frames_per_second
        self._chosen: dict[Node, _Candidate] = {}

    def add_joint(
        self,
        name: str,
        node: Node | None,
        advice: OrientAdvice,
        *,
        branch: tuple[float, float, float] | None = None,
        replaces_limits: bool = False,
    ) -> None:
        """Add one joint, or the reason to skip it.

        `name`: for messages. `branch`, (x, y, z): degrees; the keys go to the Euler branch whose
        medians are nearest to it, by default nearest to zero. `replaces_limits`: whether limits in
        the new orientation are also written; if not, a joint that has limits is skipped.
        """
        if node is None:
            advise = "check the name and the namespace"
            self.plan.skipped.append(Skipped(name, "", "joint not in scene", advise))
            return
        new_frame = advice.joint_orient, advice.rotate_axis, advice.rotate_order
        changed = _changed_frame(node, *new_frame)
        if not advice.changes or not changed:
            self.plan.unchanged.append(name)
            return
        obstacle = self.checks.joint_obstacle(node, replaces_limits)
        if obstacle is None and is_turned(advice.frame_turn):
            obstacle = self.checks.turn_obstacle(node)
        channels = obstacle or self.checks.channels(node, "rotate")
        if isinstance(channels, Obstacle):
            self.plan.skipped.append(channels.skipped_joint(name))
            return
        times, old = channels.sample(self.rate)
        local = euler.local_from_rotate(old.T, *_frame_of(node), rotate_order(node)).T
        new = reoriented_rotates(local, advice)
        if branch is not None:
            new = nearest_branch(new, np.radians(branch), advice.rotate_order)
        moved = [n for n, a, b in zip(channels.names, old, new) if np.abs(a - b).max() > 1e-13]
        stuck = locked_attribute(node, *moved, *changed)
        if stuck is not None:
            self.plan.skipped.append(Obstacle("locked", "locked", stuck).skipped_joint(name))
            return
        keys = NewKeys(channels, times, new, advice.locked)
        self._chosen[node] = _Candidate(name, advice, keys)

    def finish(self) -> FramePlan:
        """Complete the plan and return it."""
        changes: dict[Node, FrameChange] = {}
        for node, chosen in self._chosen.items():
            above = self._chosen.get(node.parent) if node.parent is not None else None
            inherits = above is not None and node.number("inheritsTransform", 1.0) != 0.0
            turn = above.advice.frame_turn if above is not None and inherits else IDENTITY
            changes[node] = FrameChange(node, chosen.advice, turn)
        for node, chosen in self._chosen.items():
            if not is_turned(chosen.advice.frame_turn):
                continue
            for child in node.children.values():
                moves = child.node_type in ("joint", "transform")
                if moves and child not in changes and child.number("inheritsTransform", 1.0) != 0.0:
                    changes[child] = FrameChange(child, None, chosen.advice.frame_turn)
        for node, change in changes.items():
            candidate = self._chosen.get(node)
            changed = self._plan_joint(change) if node.is_joint else self._plan_transform(change)
            if candidate is None:
                self.plan.compensated[node.name] = changed
            else:
                self.plan.joints[candidate.name] = changed
                self.plan.keys[candidate.name] = candidate.keys
        self.plan.changes += pose_changes(self.scene, changes)
        return self.plan

    def _plan_joint(self, change: FrameChange) -> tuple[str, ...]:
        """Plan the changes of a joint; return the long names of the attributes that change."""
        node, candidate = change.node, self._chosen.get(change.node)
        (orient, axis), order = _frame_of(node), rotate_order(node)
        if candidate is not None:
            advice = candidate.advice
            orient, axis, order = advice.joint_orient, advice.rotate_axis, advice.rotate_order
        orient = multiply(conjugate(change.above), orient)
        changed = [*_changed_frame(node, orient, axis, order)]
        for compound, quaternion in (("jointOrient", orient), ("rotateAxis", axis)):
            if compound in changed:
                angles = euler.euler_from_quaternion(quaternion)
                self.plan.changes.append(TripleChange(node, compound, angles))
        if "rotateOrder" in changed:
            self.plan.changes.append(OrderChange(node, euler.ROTATE_ORDERS.index(order)))
        if candidate is not None:
            changed += self._add_keys(candidate.keys)
        if is_turned(change.above):
            changed += self._plan_translation(change, np.zeros(3))
        return tuple(changed)

    def _plan_transform(self, change: FrameChange) -> tuple[str, ...]:
        """Plan the changes of a transform below a turned joint; it has no jointOrient to turn."""
        node, order = change.node, rotate_order(change.node)
        pivot = node.vector("rotatePivot") + node.vector("rotatePivotTranslate")
        changed = self._plan_translation(change, pivot)
        channels, times, old = self._sample_channels(node, "rotate")
        turns = multiply(conjugate(change.above), euler.quaternion_from_euler(old.T, order)).T
        new = nearest_branch(continuous_angles(turns, order), np.median(old, axis=1), order)
        return (*changed, *self._add_keys(NewKeys(channels, times, new)))

    def _sample_channels(self, node: Node, compound: str) -> tuple[Channels, Floats, Floats]:
        channels = self.checks.channels(node, compound)
        assert isinstance(channels, Channels), "children are checked before a joint is turned"
        return channels, *channels.sample(self.rate)

    def _plan_translation(self, change: FrameChange, pivot: Floats) -> tuple[str, ...]:
        """Plan the translation of a node below a turned joint, so that the node stays in place."""
        channels, times, values = self._sample_channels(change.node, "translate")
        places = rotate(conjugate(change.above), values.T + pivot) - pivot
        return self._add_keys(NewKeys(channels, times, places.T))

    def _add_keys(self, keys: NewKeys) -> tuple[str, ...]:
        """Add new keys; return the long names of the children whose keys or value change."""
        self.plan.changes.append(keys)
        units, channels = self.scene.units, keys.channels
        unit = units.radians if keys.is_angle else units.centimeters
        now = np.round(channels.node.vector(channels.compound) / unit, 13)
        changed = channels.keyed | keys.keyed_parts(unit) | (now != keys.rounded_values(unit)[:, 0])
        return tuple(name for name, differs in zip(channels.names, changed) if differs)


def _frame_of(node: Node) -> tuple[Floats, Floats]:
    """Quaternions of a joint's jointOrient and rotateAxis."""
    orient, axis = (node.vector(compound) for compound in ("jointOrient", "rotateAxis"))
    return euler.quaternion_from_euler(orient), euler.quaternion_from_euler(axis)


def _changed_frame(
    node: Node, joint_orient: Floats, rotate_axis: Floats, order: str
) -> tuple[str, ...]:
    """Names of a joint's orientation attributes that differ from new values."""
    orient, axis = _frame_of(node)
    changed = {
        "jointOrient": angle_between(orient, joint_orient) > MAX_SAME_ORIENTATION_RAD,
        "rotateAxis": angle_between(axis, rotate_axis) > MAX_SAME_ORIENTATION_RAD,
        "rotateOrder": rotate_order(node) != order,
    }
    return tuple(name for name, differs in changed.items() if differs)
