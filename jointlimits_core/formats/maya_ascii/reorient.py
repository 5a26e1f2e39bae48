"""Changing the frames of joints in a copy of a Maya ASCII scene, without moving anything.

jointOrient, rotateAxis and rotateOrder of the advised joints are written, and their keys anew. In
mode C rotateAxis becomes zero: the joint's own frame turns, and everything that hangs on it or has
stored it (children, bind poses, skins) is turned back. All other bytes stay as they were.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ...applying.joint_plan import Skipped
from ...arrays import Floats
from ...errors import MayaAsciiError
from ...euler import ROTATE_ORDERS, euler_from_quaternion, quaternion_from_euler
from ...joint_frame import local_from_rotate
from ...limits.frame_advice import FrameAdvice
from ...reframe import continuous_angles, nearest_branch, reframed_rotates
from ...rotation import IDENTITY, angle_between, conjugate, multiply, rotated
from .edits import Edit
from .hierarchy import joint_places, rotate_order
from .lexer import Buffer, mapped
from .node_places import scene_places
from .pose_records import FrameChange, is_turned, pose_edits
from .rebake import Channels, NewKeys
from .reorient_checks import Checks, Obstacle, locked_attribute
from .scene import Node, Scene
from .scene_reader import read_scene
from .value_edits import Pen
from .writer import write_joint_attributes

SAME_FRAME = 1e-12
"""Radians; a joint that has the advised frame already is left as it is."""


@dataclass(frozen=True)
class ReorientReport:
    """What was done, and what was not.

    Parameters
    ----------
    out_path : str
    mode : str
        "R" or "C".
    joints : mapping of joint name to tuple of str
        Long names of the attributes that changed on the re-oriented joints.
    compensated : mapping of node name to tuple of str
        The same of nodes below them that were turned back (mode C).
    keys : mapping of joint name to int
        Keys that each of the joint's new rotation curves has.
    unchanged : tuple of str
        Joints that have the advised frame already, or are advised to keep theirs.
    skipped : tuple of Skipped
        Joints that were left as they are, and why.
    """

    out_path: str
    mode: str
    joints: Mapping[str, tuple[str, ...]]
    compensated: Mapping[str, tuple[str, ...]]
    keys: Mapping[str, int]
    unchanged: tuple[str, ...]
    skipped: tuple[Skipped, ...]


@dataclass
class Reorientation:
    """A change of frames that is worked out but not written.

    Parameters
    ----------
    scene_path, mode : str
    edits : list of Edit
        Of the scene's bytes.
    joints, compensated, keys, unchanged, skipped
        As in :class:`ReorientReport`.
    file_state : tuple of int
        Size and time of the scene when it was read.
    """

    scene_path: str
    mode: str
    edits: list[Edit] = field(default_factory=list)
    joints: dict[str, tuple[str, ...]] = field(default_factory=dict)
    compensated: dict[str, tuple[str, ...]] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    file_state: tuple[int, int] = (0, 0)

    def check_unchanged(self) -> None:
        """See that the scene is still the file that the edits are for.

        Raises
        ------
        MayaAsciiError
            If it was written to in the meantime.
        """
        if _state_of(self.scene_path) != self.file_state:
            message = "the scene changed while it was read; try again"
            raise MayaAsciiError(self.scene_path, message)

    def report(self, out_path: str) -> ReorientReport:
        """Give the report of a copy that was written."""
        return ReorientReport(
            out_path,
            self.mode,
            self.joints,
            self.compensated,
            self.keys,
            tuple(self.unchanged),
            tuple(self.skipped),
        )


def reorient_scene(
    scene_path: str | os.PathLike[str],
    out_path: str | os.PathLike[str],
    advice: Mapping[str, FrameAdvice],
    mode: str,
) -> ReorientReport:
    """Write a copy of a scene in which the advised joints have their advised frames.

    The world pose of everything is the same at every whole frame and at every old key.

    Parameters
    ----------
    scene_path, out_path : path-like
    advice : mapping of joint name to FrameAdvice
    mode : str
        "R" to use rotateAxis, "C" to keep it zero and compensate what hangs on the joint.

    Returns
    -------
    ReorientReport

    Raises
    ------
    MayaAsciiError
        If the scene cannot be read, or the copy not be written.
    ValueError
        For a mode that is not known.
    """
    plan = plan_reorientation(scene_path, advice, mode)
    plan.check_unchanged()
    report = write_joint_attributes(scene_path, out_path, {}, further=plan.edits)
    return plan.report(report.out_path)


def plan_reorientation(
    scene_path: str | os.PathLike[str],
    advice: Mapping[str, FrameAdvice],
    mode: str,
    *,
    replaces_limits: bool = False,
    branches_deg: Mapping[str, tuple[float, float, float]] | None = None,
) -> Reorientation:
    """Work out what has to be written.

    Parameters
    ----------
    scene_path : path-like
    advice : mapping of joint name to FrameAdvice
    mode : str
        "R" or "C".
    replaces_limits : bool
        True if limits in the new frames are written, too; joints that have limits already are
        left otherwise.
    branches_deg : mapping of joint name to (x, y, z), optional
        The keys go to the branch whose medians are nearest to these; to zero by default.

    Returns
    -------
    Reorientation
    """
    if mode not in ("R", "C"):
        raise ValueError(f"mode {mode!r} is neither R nor C")
    wanted = {name: one.in_mode(mode) for name, one in advice.items()}
    plan = Reorientation(os.fspath(scene_path), mode, file_state=_state_of(scene_path))
    scene = read_scene(scene_path)
    with mapped(scene.path) as buffer:
        planner = _Planner(scene, buffer, plan, replaces_limits)
        for name, one in wanted.items():
            planner.take(name, one, (branches_deg or {}).get(name))
        planner.finish()
    return plan


def _state_of(path: str | os.PathLike[str]) -> tuple[int, int]:
    """Size and time of a file; zeros where there is none, which reading will report."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A joint that can be re-oriented, and its new keys."""

    name: str
    advice: FrameAdvice
    keys: NewKeys


class _Planner:
    """One run over one scene."""

    def __init__(
        self, scene: Scene, buffer: Buffer, plan: Reorientation, replaces_limits: bool
    ) -> None:
        self.scene, self.plan, self.replaces_limits = scene, plan, replaces_limits
        self.places = scene_places(scene)
        self.pen = Pen(buffer, self.places.short_names)
        self.checks = Checks(scene, self.places)
        self.rate = scene.units.frames_per_second
        self._names = {place.name: place.node for place in joint_places(scene)}
        self._taken = {node.name for node in scene.nodes}
        self._chosen: dict[Node, _Candidate] = {}

    def take(
        self, name: str, advice: FrameAdvice, branch: tuple[float, float, float] | None
    ) -> None:
        """Look at one joint; what stands in its way is noted."""
        node = self._names.get(name) or self._names.get("|" + name)
        if node is None:
            advise = "check the name and its namespace"
            self.plan.skipped.append(Skipped(name, "", "joint not in scene", advise))
        elif not advice.changes or _has_frame(node, advice):
            self.plan.unchanged.append(name)
        else:
            found = self._candidate(name, node, advice, branch)
            if isinstance(found, Obstacle):
                self.plan.skipped.append(found.skipped(name))
            else:
                self._chosen[node] = found

    def _candidate(
        self,
        name: str,
        node: Node,
        advice: FrameAdvice,
        branch: tuple[float, float, float] | None,
    ) -> _Candidate | Obstacle:
        obstacle = self.checks.joint(node, self.replaces_limits)
        if obstacle is None and is_turned(advice.frame_turn):
            obstacle = self.checks.turned_joint(node)
        if obstacle is not None:
            return obstacle
        channels = self.checks.channels(node, "rotate")
        if isinstance(channels, Obstacle):
            return channels
        times = channels.times(self.rate)
        old = channels.values(times, self.rate)
        local = local_from_rotate(old.T, *_frame_of(node), rotate_order(node)).T
        new = reframed_rotates(local, advice)
        if branch is not None:
            new = nearest_branch(new, np.radians(branch), advice.rotate_order)
        moved = [n for n, a, b in zip(channels.names, old, new) if np.abs(a - b).max() > 1e-13]
        stuck = locked_attribute(node, *moved, *_changed_frame(node, advice))
        if stuck is not None:
            return Obstacle("locked", "locked", stuck)
        return _Candidate(name, advice, NewKeys(channels, times, new, advice.locked))

    def finish(self) -> None:
        """Work out the edits of everything that changes."""
        changes = {
            node: FrameChange(node, chosen.advice, self._turn_above(node))
            for node, chosen in self._chosen.items()
        }
        for node, chosen in self._chosen.items():
            for child in node.children.values():
                if is_turned(chosen.advice.frame_turn) and self._follows(child, changes):
                    changes[child] = FrameChange(child, None, chosen.advice.frame_turn)
        for node, change in changes.items():
            changed = self._joint(change) if node.is_joint else self._transform(change)
            candidate = self._chosen.get(node)
            if candidate is None:
                self.plan.compensated[node.name] = changed
            else:
                self.plan.joints[candidate.name] = changed
                self.plan.keys[candidate.name] = len(candidate.keys.times)
        self.plan.edits += pose_edits(self.scene, self.places, self.pen, changes)

    def _turn_above(self, node: Node) -> Floats:
        above = self._chosen.get(node.parent) if node.parent is not None else None
        inherits = node.number("inheritsTransform", 1.0) != 0.0
        return IDENTITY if above is None or not inherits else above.advice.frame_turn

    def _follows(self, child: Node, changes: Mapping[Node, FrameChange]) -> bool:
        """Whether a child has to be turned back, and is not looked after already."""
        placed = child.node_type in ("joint", "transform")
        return placed and child not in changes and child.number("inheritsTransform", 1.0) != 0.0

    def _joint(self, change: FrameChange) -> tuple[str, ...]:
        """Edits of a joint; long names of what changes."""
        node, candidate = change.node, self._chosen.get(change.node)
        orient, axis = _frame_of(node)
        if candidate is not None:
            orient, axis = candidate.advice.joint_orient, candidate.advice.rotate_axis
        new = {"jointOrient": multiply(conjugate(change.above), orient), "rotateAxis": axis}
        changed: list[str] = []
        for compound, quaternion in new.items():
            own = quaternion_from_euler(node.vector(compound))
            if angle_between(own, quaternion) > SAME_FRAME:
                changed.append(compound)
                self._set_triple(node, compound, euler_from_quaternion(quaternion))
        if candidate is not None:
            changed += self._set_order(node, candidate.advice.rotate_order)
            changed += self._keys(candidate.keys)
        if is_turned(change.above):
            changed += self._keys(self._moved(change, np.zeros(3)))
        return tuple(changed)

    def _transform(self, change: FrameChange) -> tuple[str, ...]:
        """Edits of a transform below a turned joint; it has no jointOrient to take the turn."""
        node, order = change.node, rotate_order(change.node)
        pivot = node.vector("rotatePivot") + node.vector("rotatePivotTranslate")
        changed = self._keys(self._moved(change, pivot))
        channels = self._channels(node, "rotate")
        times = channels.times(self.rate)
        old = channels.values(times, self.rate)
        turns = multiply(conjugate(change.above), quaternion_from_euler(old.T, order)).T
        new = nearest_branch(continuous_angles(turns, order), np.median(old, axis=1), order)
        return (*changed, *self._keys(NewKeys(channels, times, new)))

    def _moved(self, change: FrameChange, pivot: Floats) -> NewKeys:
        """Translation below a turned joint, about which the node is turned back."""
        channels = self._channels(change.node, "translate")
        times = channels.times(self.rate)
        places = channels.values(times, self.rate).T + pivot
        return NewKeys(channels, times, (rotated(conjugate(change.above), places) - pivot).T)

    def _channels(self, node: Node, compound: str) -> Channels:
        found = self.checks.channels(node, compound)
        assert isinstance(found, Channels), "children are checked before a joint is turned"
        return found

    def _keys(self, keys: NewKeys) -> tuple[str, ...]:
        edits, changed = keys.edits(self.scene, self.places, self.pen, self._taken)
        self.plan.edits += edits
        return changed

    def _set_triple(self, node: Node, compound: str, angles: Floats) -> None:
        values = np.degrees(angles) * (np.radians(1.0) / self.scene.units.radians)
        needed = np.ones(3, dtype=bool)
        block = self.places.nodes[node]
        self.plan.edits += self.pen.triple(node.node_type, block, compound, values, needed)

    def _set_order(self, node: Node, order: str) -> list[str]:
        if order == rotate_order(node):
            return []
        number, block = ROTATE_ORDERS.index(order), self.places.nodes[node]
        self.plan.edits += self.pen.scalar(node.node_type, block, "rotateOrder", number)
        return ["rotateOrder"]


def _frame_of(node: Node) -> tuple[Floats, Floats]:
    """Quaternions of a joint's jointOrient and rotateAxis."""
    orient, axis = (node.vector(compound) for compound in ("jointOrient", "rotateAxis"))
    return quaternion_from_euler(orient), quaternion_from_euler(axis)


def _changed_frame(node: Node, advice: FrameAdvice) -> tuple[str, ...]:
    """Which of the attributes that make up its frame change on a joint."""
    orient, axis = _frame_of(node)
    changed = (
        ("jointOrient", angle_between(orient, advice.joint_orient) > SAME_FRAME),
        ("rotateAxis", angle_between(axis, advice.rotate_axis) > SAME_FRAME),
        ("rotateOrder", rotate_order(node) != advice.rotate_order),
    )
    return tuple(name for name, differs in changed if differs)


def _has_frame(node: Node, advice: FrameAdvice) -> bool:
    return not _changed_frame(node, advice)
