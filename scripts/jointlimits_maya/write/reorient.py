"""Re-orientation of joints in the open scene, without moving anything.

Changes and obstacles come from the same code that writes copies of .ma files; here they become an
edit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jointlimits_core.motion.reorient import OrientAdvice
from jointlimits_core.rig import clamping, reorient_checks, reorient_plan, scene
from jointlimits_core.rig.matrices import rotate_order_name

from ..base.open_maya import om
from ..read.scene_graph import STORED, OpenDrivers, SceneModel, base_name
from ..scene import plugs, results, time
from ..scene.edit import Angle, SceneEdit
from ..scene.joints import joint_names, node_name
from ..scene.record import Backup, Given, Place, backup_on, is_same, key_fingerprint
from .curves import keep_originals, manual_changes, new_channels, put_channel

LABEL = "Re-orient Joints"


@dataclass
class ReorientPlan:
    """A planned re-orientation.

    `held`, by joint name: rotate channels of re-oriented joints in their new orientation. `frames`,
    by joint name: orientations of re-oriented joints: "before" and "given" (jointOrient and
    rotateAxis in radians, rotateOrder), and "advised". `backups`, by full node name: (MObject,
    Backup) of every node that changes.
    """

    edit: SceneEdit
    result: results.ReorientResult
    held: dict[str, clamping.HeldRotates]
    frames: dict[str, dict[str, Any]]
    backups: dict[str, tuple[om.MObject, Backup]]


def plan_reorient(
    advice: Mapping[str, OrientAdvice],
    joints: Sequence[om.MDagPath],
    mode: str,
    *,
    replaces_limits: frozenset[str] = frozenset(),
    branches_deg: Mapping[str, tuple[float, float, float]] | None = None,
) -> ReorientPlan:
    """Plan the changes that give joints their advised orientation.

    `mode`: "R" to use rotateAxis, "C" to keep it zero and counter-rotate the joint's children.
    `replaces_limits`: joints that get limits in their new orientation; other joints with limits are
    skipped. `branches_deg`, by joint name, (x, y, z): the keys use the Euler branch whose medians
    are nearest to these angles; default: zero. The world pose of everything stays the same at every
    whole frame and every old key.
    """
    model = SceneModel()
    paths = dict(zip(joint_names(joints), joints))
    nodes = {name: model.joint(paths[name].node()) for name in advice if name in paths}
    checks = reorient_checks.Checks(model.scene, model, OpenDrivers(model))
    planner = reorient_plan.FramePlanner(model.scene, checks)
    for name, one in advice.items():
        branch, replaces = (branches_deg or {}).get(name), name in replaces_limits
        planner.add_joint(
            name, nodes.get(name), one.in_mode(mode), branch=branch, replaces_limits=replaces
        )
    return _assemble_plan(planner.finish(), model, nodes, advice, mode)


def _assemble_plan(
    plan: reorient_plan.FramePlan,
    model: SceneModel,
    nodes: Mapping[str, scene.Node],
    advice: Mapping[str, OrientAdvice],
    mode: str,
) -> ReorientPlan:
    """Edit, result and records of planned changes. `nodes`: nodes of the joints, by joint name."""
    turned = {
        nodes[name]
        for name in plan.joints
        if reorient_plan.is_turned(advice[name].in_mode(mode).frame_turn)
    }
    changes = _Changes(model, plan.changes)
    backups = dict(changes.backups(turned))
    edit = keep_originals(model, backups)
    edit.extend(changes.edit)
    given = {name: _frame_given(plan, model, nodes[name]) for name in {**plan.joints, **plan.keys}}
    return ReorientPlan(
        edit,
        results.ReorientResult(
            mode,
            plan.joints,
            plan.compensated,
            {name: len(keys.times) for name, keys in plan.keys.items()},
            tuple(plan.unchanged),
            tuple(plan.skipped),
        ),
        {
            name: keys.held_rotates(
                rotate_order_name(given[name]["rotateOrder"]), time.current_frame()
            )
            for name, keys in plan.keys.items()
        },
        {
            name: {
                "before": frame_of(model.object(nodes[name])),
                "given": given[name],
                "advised": advised_key(advice[name], mode),
            }
            for name in plan.joints
        },
        {
            node_name(model.object(node)): (model.object(node), backup)
            for node, backup in backups.items()
        },
    )


class _Changes:
    """Edit that makes the changes of a plan, and records of the replaced values."""

    def __init__(self, model: SceneModel, changes: Sequence[reorient_plan.Change]) -> None:
        self.edit = SceneEdit(LABEL)
        self._model = model
        self._channels: dict[scene.Node, dict[str, tuple[float | None, Given]]] = {}
        self._matrices: dict[scene.Node, list[tuple[Place, tuple[float, ...]]]] = {}
        for change in changes:
            if isinstance(change, reorient_checks.NewKeys):
                self._set_keys(change)
            elif isinstance(change, reorient_plan.MatrixChange):
                self._set_matrix(change)
            else:
                self._set_values(change)

    def backups(self, turned: set[scene.Node]) -> Iterator[tuple[scene.Node, Backup]]:
        """Yield one record for each node that changes, with its original values."""
        for node in {**self._channels, **self._matrices}:
            matrices = tuple(self._matrices.get(node, ()))
            stored_in = tuple(self._model.pose_holders(node))
            backup = Backup(self._channels.get(node, {}), matrices, stored_in, node in turned)
            old = backup_on(self._model.object(node))
            if old is not None:
                changed = bool(manual_changes(self._model, node, old))
                backup = old.with_change(backup, changed)
            yield node, backup

    def _set_values(self, change: reorient_plan.TripleChange | reorient_plan.OrderChange) -> None:
        record = self._channels.setdefault(change.node, {})
        node = plugs.Attributes(self._model.object(change.node))
        if isinstance(change, reorient_plan.OrderChange):
            plug = node.plug("rotateOrder")
            record["rotateOrder"] = int(plug.asInt()), change.number
            self.edit.set(plug, change.number)
            return
        for axis, angle in zip(plugs.AXES, change.angles.tolist()):
            name = change.compound + axis
            if node.number(name) != angle:
                record[name] = node.number(name), angle
                self.edit.set(node.plug(name), Angle(angle))

    def _set_keys(self, keys: reorient_checks.NewKeys) -> None:
        node = keys.channels.node
        record = self._channels.setdefault(node, {})
        ours = (backup_on(self._model.object(node)) or Backup()).channels
        seconds = (keys.times / self._model.scene.units.frames_per_second).tolist()
        steps = [keys.is_stepped] * len(seconds)
        for channel in new_channels(self._model, keys):
            given: Given = float(channel.values[0])
            if channel.is_keyed:
                given = key_fingerprint(seconds, channel.values.tolist(), steps, keys.beyond)
            before = None if channel.curve is not None else float(channel.plug.asDouble())
            if before is None or before != given:
                record[channel.name] = before, given
            put_channel(self.edit, channel, keys, is_ours=channel.name in ours)

    def _set_matrix(self, change: reorient_plan.MatrixChange) -> None:
        node, place = change.node, ("", change.attribute, change.index)
        plug = plugs.find_plug(self._model.object(node), change.attribute)
        if change.index is not None:
            plug = plug.elementByLogicalIndex(change.index)
            element = f"{STORED[node.node_type]}[{change.index}]"
            node, _ = self._model.scene.sources[node, element]
            place = (base_name(change.node), change.attribute, change.index)
        self._matrices.setdefault(node, []).append((place, tuple(change.values.tolist())))
        # live check: dag-pose-plain-matrix
        self.edit.set(plug, om.MMatrix(change.values.tolist()))


def is_in_place(
    node: om.MObject, frame: Mapping[str, Any] | None, one: OrientAdvice, mode: str
) -> bool:
    """Whether a joint still has the orientation that this advice gave it.

    In mode C, advice is relative to the parent's old orientation, so it cannot be compared with the
    joint alone once the parent has been re-oriented as well.

    `frame`: as in :class:`ReorientPlan`, from the joint's record.
    """
    if frame is None or frame.get("advised") != advised_key(one, mode):
        return False
    # The record was checked when it was read.
    now, given = (
        [*one["jointOrient"], *one["rotateAxis"], one["rotateOrder"]]
        for one in (frame_of(node), frame["given"])
    )
    return all(map(is_same, now, given))


def advised_key(advice: OrientAdvice, mode: str) -> list[Any]:
    """Advice as plain data, for comparison."""
    one = advice.in_mode(mode)
    angles = (*one.joint_orient_deg, *one.rotate_axis_deg, *one.frame_turn_deg)
    return [one.mode, one.rotate_order, *angles]


def frame_of(node: om.MObject) -> dict[str, Any]:
    """Orientation of a joint as plain data, radians."""
    joint = plugs.Attributes(node)
    return {
        "jointOrient": joint.vector("jointOrient").tolist(),
        "rotateAxis": joint.vector("rotateAxis").tolist(),
        "rotateOrder": int(joint.plug("rotateOrder").asInt()),
    }


def _frame_given(
    plan: reorient_plan.FramePlan, model: SceneModel, node: scene.Node
) -> dict[str, Any]:
    frame = frame_of(model.object(node))
    for change in plan.changes:
        if isinstance(change, reorient_plan.TripleChange) and change.node is node:
            frame[change.compound] = change.angles.tolist()
        elif isinstance(change, reorient_plan.OrderChange) and change.node is node:
            frame["rotateOrder"] = change.number
    return frame
