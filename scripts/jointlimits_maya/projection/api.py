"""Functions for coupled limits in the rig and on keys; conventions as in `limits.api`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from jointlimits_core.geometry import arrays, euler
from jointlimits_core.rig.limit_plan import LOCKED, Skipped
from jointlimits_core.scalar.rotation import Four, Three, angle_between
from jointlimits_core.shapes.scalar_joint import Orientation, Project, frame_of, projected_rotate
from jointlimits_core.shapes.scalar_ranges import ranges_from_text

from ..base import actions, host
from ..base.open_maya import om, oma
from ..limits.api import Names
from ..read.drivers import Constant, CurveOverTime, Drivers, KeyList, Samples
from ..read.evaluation import Evaluated
from ..read.options import joint_choice_from_options, joints_from_options, time_choice_of, values_of
from ..scene import plugs, results, undo
from ..scene.edit import SceneEdit
from ..scene.time import TimeChoice, time_at
from ..write.limit_edits import joint_obstacle
from .live import FALLOFF_PER_RAD, plan_projecting, plan_stopping
from .shapes import Shaped, ShapeSource, shaped_joints

_MIN_MOVE_RAD = 1e-9
"""Keys outside their shape by at most this many radians count as inside and do not change."""
_MIN_REPORTED_DEG = 1e-3
"""Smallest distance outside a shape, in degrees, that is reported between keys."""
_MAX_BETWEEN_FRAMES = 1e6


@undo.runs_plan
def project_live(
    limits: ShapeSource | None = None, joints: Names = (), **options: Any
) -> undo.Prepared[results.ProjectResult]:
    """Keep joints inside their coupled limits from now on, whatever drives them.

    Inserts a node between a joint's rotation and its drivers. From then on, animate the joint
    through the node's inputRotate. :func:`stop_projecting` removes the node.

    Parameters
    ----------
    limits : LimitSet, path, JSON text, mapping of joint to shape, optional
        Default: the latest estimate for these joints.
    joints : str or sequence of str
        Joints, or groups above them; default for a mapping: the joints that it names.
    **options
        Those of the command ``projectJointLimits``.

    Raises
    ------
    SceneError, LimitSetError, ValueError
        The message says what to do; nothing was changed.
    RuntimeError
        If Maya rejected a change; the scene was restored.
    """
    values = values_of(options, actions.PROJECT)
    shaped, skipped = _choose_shapes(limits, joints, values)
    if values["plain_nodes"]:
        undo.load_matrix_nodes()
    softness = math.radians(values["softness_deg"])
    edit, result = plan_projecting(shaped, softness, plain_nodes=values["plain_nodes"])
    return undo.Prepared(replace(result, skipped=(*result.skipped, *skipped)), edit)


@undo.runs_plan
def stop_projecting(joints: Names = (), **options: Any) -> undo.Prepared[results.StopResult]:
    """Remove projections, so that joints are driven as before.

    Parameters
    ----------
    joints : str or sequence of str
    **options
        Options in the group "scene".
    """
    values = values_of(options, ("scene",))
    edit, result = plan_stopping(joints_from_options(joints, values))
    return undo.Prepared(result, edit)


@undo.runs_plan
def project_keys(
    limits: ShapeSource | None = None, joints: Names = (), **options: Any
) -> undo.Prepared[results.ProjectKeysResult]:
    """Move keys inside coupled limits.

    Parameters
    ----------
    limits : LimitSet, path, JSON text, mapping of joint to shape, optional
    joints : str or sequence of str
    **options
        Those of the command ``projectKeys``.

    Returns
    -------
    ProjectKeysResult
        The moved keys, how far they moved, and where the curves leave the shape between keys.
    """
    values = values_of(options, actions.PROJECT_KEYS)
    shaped, skipped = _choose_shapes(limits, joints, values)
    time = time_choice_of(values["time"])
    edit, result = _plan_keys(shaped, time, math.radians(values["softness_deg"]))
    return undo.Prepared(replace(result, skipped=(*result.skipped, *skipped)), edit)


def _choose_shapes(
    limits: ShapeSource | None, joints: Names, values: Mapping[str, Any]
) -> tuple[list[Shaped], tuple[Skipped, ...]]:
    """Joints to project and their shapes; for a mapping alone, the joints that it names."""
    if (
        isinstance(limits, Mapping)
        and not joints
        and not any(joint_choice_from_options(values).values())
    ):
        values = {**values, "everything": True}
    shaped, skipped = shaped_joints(limits, joints_from_options(joints, values))
    if not shaped and not skipped:
        raise host.SceneError(
            "this limit set has no coupled limits; fit shapes first (jointlimits fit), or give "
            "shapes by joint name"
        )
    return shaped, skipped


def _plan_keys(
    shaped: Sequence[Shaped], time: TimeChoice, softness: float
) -> tuple[SceneEdit, results.ProjectKeysResult]:
    """Plan new values for the keys that are outside their shapes.

    All three channels are checked wherever one of them has a key; a channel that must change and
    has no key there gets one. Curves may still leave the shape between keys: this is measured with
    the new keys temporarily in place, and reported.
    """
    edit = SceneEdit("Project Keys")
    drivers = Drivers()
    moved: list[results.MovedKeys] = []
    unchanged: list[str] = []
    skipped: list[Skipped] = []
    for one in shaped:
        keyed = _read_curves(one, drivers)
        if isinstance(keyed, Skipped):
            skipped.append(keyed)
            continue
        # Joints that ranges depend on come first, so that their new keys are used.
        above = [edit] if one.drivers else []
        with _in_place(*above):
            keyed.move(time, softness)
        if not keyed.frames:
            unchanged.append(one.name)
            continue
        part, stuck, held = SceneEdit(edit.label), None, plugs.Attributes(one.path.node())
        for name, channel, changes in zip(euler.CHANNELS, keyed.channels, keyed.changes):
            if changes and held.is_locked(name):
                stuck = stuck or Skipped(one.name, name, *LOCKED)
            elif changes and isinstance(channel, CurveOverTime):
                curve = partial(om.MObject, channel.node)
                part.change_keys(curve, partial(_set_values, changes))
            elif changes:
                advice = "key this channel like the joint's other channels (Key > Set Key)"
                stuck = stuck or Skipped(one.name, name, "must change but has no keys", advice)
        if stuck is not None:
            skipped.append(stuck)
            continue
        with _in_place(*above, part):
            moved.append(keyed.summary(keyed.measure_between_keys(softness)))
        edit.extend(part)
    return edit, results.ProjectKeysResult(tuple(moved), tuple(unchanged), tuple(skipped))


class _Keyed:
    """Rotation curves of one joint, with the new values of their keys."""

    def __init__(
        self,
        one: Shaped,
        project: Project,
        channels: Sequence[CurveOverTime | Constant],
        drivers: Drivers,
    ) -> None:
        self.name, self.project = one.name, project
        self.frame = _orientation_of(one.path)
        self.channels = channels
        self.ranges, self.above, self.drivers = ranges_from_text(one.ranges), one.drivers, drivers
        self.read()
        self.frames: list[float] = []
        self.moved_deg: list[float] = []
        self.changes: list[dict[float, float]] = [{}, {}, {}]
        self.checked: arrays.Floats = np.empty(0)

    def read(self) -> None:
        curves = self.channels
        self.lists = [KeyList.read(c) if isinstance(c, CurveOverTime) else None for c in curves]

    def rotates(self, frames: arrays.Floats) -> list[Three]:
        """Values of the three channels at some frames, radians."""
        columns = []
        for channel, keys in zip(self.channels, self.lists):
            still = channel.value if isinstance(channel, Constant) else 0.0
            columns.append(np.full(len(frames), still) if keys is None else keys.values_at(frames))
        return [(x, y, z) for x, y, z in np.stack(columns, axis=1).tolist()]

    def projections(self, frames: arrays.Floats) -> list[Project]:
        """Projection at each frame, which depends on where other joints are then."""
        if self.ranges is None:
            return [self.project] * len(frames)
        seen = [_rotations_of(path, frames, self.drivers) for path in self.above]
        return [
            self.ranges.project_within(self.project, [turns[number] for turns in seen])
            for number in range(len(frames))
        ]

    def move(self, time: TimeChoice, softness: float) -> None:
        """Find the keys that are outside the shape, and their new values."""
        every = np.concatenate([keys.frames for keys in self.lists if keys is not None])
        frames = np.unique(every)
        self.checked = frames[arrays.in_ranges(frames, time.bounds(frames))]
        rotates, projections = self.rotates(self.checked), self.projections(self.checked)
        for frame, rotate, project in zip(self.checked.tolist(), rotates, projections):
            new, outside = projected_rotate(project, self.frame, rotate, softness, FALLOFF_PER_RAD)
            if outside > _MIN_MOVE_RAD:
                turned = angle_between(self.frame.local(rotate), self.frame.local(new))
                self.frames.append(frame)
                self.moved_deg.append(float(np.degrees(turned)))
                for axis in range(3):
                    if abs(new[axis] - rotate[axis]) > _MIN_MOVE_RAD:
                        self.changes[axis][frame] = new[axis]

    def summary(self, between: tuple[int, float]) -> results.MovedKeys:
        added = sum(
            bool(np.abs(keys.frames - frame).min() > 1e-6)
            for keys, changes in zip(self.lists, self.changes)
            if keys is not None
            for frame in changes
        )
        return results.MovedKeys(
            self.name, tuple(self.frames), tuple(self.moved_deg), added, *between
        )

    def measure_between_keys(self, softness: float) -> tuple[int, float]:
        """Number of frames outside between the new keys, and the largest excess in degrees."""
        first, last = np.ceil(self.checked[0]), np.floor(self.checked[-1])
        frames = np.setdiff1d(np.arange(first, last + 1.0), self.checked)
        if not len(frames) or len(frames) > _MAX_BETWEEN_FRAMES:
            return 0, 0.0
        self.read()
        pairs = zip(self.projections(frames), self.rotates(frames))
        found = [projected_rotate(project, self.frame, r)[1] for project, r in pairs]
        outside = np.degrees(found) - np.degrees(softness)
        out = outside > _MIN_REPORTED_DEG
        return int(out.sum()), float(outside[out].max()) if out.any() else 0.0


@contextmanager
def _in_place(*edits: SceneEdit) -> Iterator[None]:
    """Make edits for as long as the block lasts."""
    trial = SceneEdit("")
    for edit in edits:
        trial.extend(edit)
    trial.do()
    try:
        yield
    finally:
        trial.undo()


def _orientation_of(path: om.MDagPath) -> Orientation:
    attributes = plugs.Attributes(path.node())
    orient, axis = (
        (x, y, z)
        for x, y, z in (attributes.vector(n).tolist() for n in ("jointOrient", "rotateAxis"))
    )
    return frame_of(attributes.plug("rotateOrder").asInt(), orient, axis)


def _rotations_of(path: om.MDagPath, frames: arrays.Floats, drivers: Drivers) -> list[Four | None]:
    """Rotations of a joint relative to its parent, as displayed; None where not finite."""
    evaluated, samples = [], Samples(frames)
    for plug in plugs.Attributes(path.node()).plugs("rotate"):
        behind = drivers.driver_of(plug, str(path.fullPathName()))
        played = isinstance(behind, Evaluated) and behind.played
        evaluated.append(Evaluated(plug, str(plug.name()), played))
    samples.evaluate(evaluated)
    frame, columns = _orientation_of(path), [samples.values_of(one).tolist() for one in evaluated]
    return [frame.local(turn) if math.isfinite(sum(turn)) else None for turn in zip(*columns)]


def _set_values(
    values: dict[float, float], curve: oma.MFnAnimCurve, change: oma.MAnimCurveChange
) -> None:
    for frame, value in values.items():
        at = time_at(frame)
        index = curve.find(at)
        if index is None:
            curve.addKey(at, value, curve.kTangentAuto, curve.kTangentAuto, change)
        else:
            curve.setValue(index, value, change)


def _read_curves(one: Shaped, drivers: Drivers) -> _Keyed | Skipped:
    """Curves of a joint, or the reason why its keys cannot be projected."""
    node = one.path.node()
    why = joint_obstacle(one.name, node)
    if why is not None:
        return why
    channels: list[CurveOverTime | Constant] = []
    for channel, plug in zip(euler.CHANNELS, plugs.Attributes(node).plugs("rotate")):
        driver = drivers.driver_of(plug, str(one.path.fullPathName()))
        if not isinstance(driver, (CurveOverTime, Constant)):
            advice = "bake the joint's animation first, or use the node (projectJointLimits)"
            return Skipped(one.name, channel, "driven by something other than its keys", advice)
        stuck = _curve_obstacle(one.name, channel, driver)
        if stuck is not None:
            return stuck
        channels.append(driver)
    if all(isinstance(channel, Constant) for channel in channels):
        advice = "key it, or use the node (projectJointLimits)"
        return Skipped(one.name, "", "has no keys", advice)
    project = one.projection()
    return project if isinstance(project, Skipped) else _Keyed(one, project, channels, drivers)


def _curve_obstacle(name: str, channel: str, driver: CurveOverTime | Constant) -> Skipped | None:
    """Reason why the keys of a curve must not be changed, or None."""
    if isinstance(driver, Constant):
        return None
    function = om.MFnDependencyNode(driver.node)
    # live check: keys-of-referenced-curves
    if function.isFromReferencedFile:
        advice = "change the keys in that file, or use the node (projectJointLimits)"
        return Skipped(name, channel, "its keys are in a referenced file", advice)
    if function.isLocked or function.findPlug("keyTimeValue", False).isLocked:
        return Skipped(name, channel, "its curve is locked", "unlock the curve")
    if len(function.findPlug("output", False).destinations()) > 1:
        return Skipped(name, channel, "its curve also drives other plugs", "duplicate the curve")
    return None
