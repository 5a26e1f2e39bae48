"""Channel drivers, and the cheapest way to read their unclamped values at given frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Union

import numpy as np
from maya import cmds

from jointlimits_core.base.progress import Progress, report_progress
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.rig.key_frames import at_own_keys, frames_of_keys

from ..base.open_maya import om, oma
from ..scene import joints, preserve
from ..scene.plugs import AXES, Attributes, find_plug, readable, source_of, type_of
from ..scene.time import TimeChoice, frames_per_second, time_at
from .evaluation import CONTEXTS, Evaluated, evaluate, is_playing_forced
from .upstream import CURVES, PLAYED, TIMED, Upstream, is_clip, solved_joints, starts_from

PARTS = "jointLimitParts"
"""Message attribute of the node that drives the joint; it lists the projection's other nodes."""


def axes_of(compound: str) -> list[str]:
    """Names of a compound's children, such as outRotateX of outRotate, inRotateX1 of inRotate1."""
    stem = compound.rstrip("0123456789")
    return [f"{stem}{axis}{compound[len(stem) :]}" for axis in AXES]


NODE_TYPE = "jointLimitProject"


@dataclass(frozen=True, eq=False)
class Projection:
    """A projection in the scene.

    `driver`: the node that drives the joint. `takes`, `gives`: its input and output compounds.
    """

    driver: om.MObject
    takes: str
    gives: str

    @property
    def is_plain(self) -> bool:
        """Whether the projection consists of standard Maya nodes."""
        return self.gives == "outRotate"


def projection_of(joint: om.MObject) -> Projection | None:
    """Projection that drives a joint's rotation; None if there is none."""
    found = map(_projection_behind, Attributes(joint).plugs("rotate"))
    return next(filter(None, found), None)


def before_projection(plug: om.MPlug) -> om.MPlug:
    """Input channel of the projection that drives a rotate channel.

    `plug`: any plug; returned unchanged if no projection drives it.
    """
    found = _projection_behind(plug)
    if found is None:
        return plug
    axis = AXES.index(plug.partialName(useLongNames=True)[-1])
    return find_plug(found.driver, axes_of(found.takes)[axis])


def _projection_behind(plug: om.MPlug) -> Projection | None:
    source = source_of(plug)
    if source is None:
        return None
    node = source.node()
    kind = type_of(node)
    if kind == NODE_TYPE:
        return Projection(node, "inputRotate", "outputRotate")
    if kind == "pairBlend" and om.MFnDependencyNode(node).hasAttribute(PARTS):
        return Projection(node, "inRotate1", "outRotate")
    return None


QUATERNION_INTERPOLATIONS = (3, 4, 5)
"""Values of ``rotationInterpolation`` that couple a rotation's three curves."""

MAX_LIMIT_GAP_RAD = 1e-9
"""A channel at most this many radians from a limit counts as at the limit."""
_MAX_KEY_GAP_SECONDS = 1e-10
"""A time this close to a key counts as the time of the key."""
_MAX_TIMES_PER_CALL = 1000


@dataclass(frozen=True)
class Constant:
    """A value that does not change."""

    value: float


@dataclass(frozen=True, eq=False)
class CurveOverTime:
    """A time-based curve connected directly to a channel.

    `unit`: factor from the values that commands return to internal units.
    """

    name: str
    node: om.MObject
    unit: float


SEARCH = "finding what drives the joints"
"""Label of progress while nodes upstream are visited."""

Driver = Union[Constant, CurveOverTime, Evaluated]


@dataclass
class Drivers:
    """Lookup of channel drivers.

    `solved`: IK handles, by full path of the joints they rotate. `upstream`: nodes visited so far.
    """

    solved: dict[str, str] = field(default_factory=lambda: solved_joints())
    _curves: dict[str, CurveOverTime] = field(default_factory=dict)
    _outputs: dict[str, Evaluated] = field(default_factory=dict)
    _keys: dict[str, KeyList] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.upstream = Upstream(self.solved)

    def report(self, progress: Progress | None, done: int, total: int) -> None:
        """Report, from time to time while nodes are visited, that the search for drivers continues.

        Raises Cancelled.
        """
        self.upstream.report = partial(report_progress, progress, done, total, SEARCH)
        self.upstream.report()

    def driver_of(self, plug: om.MPlug, path: str = "") -> Driver:
        """Driver of a numeric plug. `path`: full path of the joint if this is a rotate channel."""
        plug = before_projection(plug)
        source = source_of(plug)
        if source is None:
            if path in self.solved:
                return Evaluated(plug, str(plug.name()), played=True)
            return Constant(float(plug.asDouble()))
        curve = self._curve(source)
        if curve is not None:
            return curve
        # A handle may also write to connected channels.
        played = path in self.solved or self._is_played(source.node())
        return self._output(readable(plug, source), played)

    def driver_of_matrix(self, plug: om.MPlug) -> Evaluated | None:
        """Driver of a matrix plug; None if nothing drives it."""
        source = source_of(plug)
        return None if source is None else self._output(source, is_matrix=True)

    def driver_of_orientation(self, plug: om.MPlug) -> Driver | None:
        """Driver of an attribute that is usually constant; None if it does not change with time."""
        source = source_of(plug)
        if source is None:
            return None
        traits = self.upstream.traits_of(source.node())
        if not traits & (PLAYED | TIMED):
            return None
        # An enum or a switch is read as an integer.
        is_switch = str(plug.partialName(useLongNames=True)) in ("rotateOrder", "inheritsTransform")
        played = self._is_played(source.node())
        return self._curve(source) or Evaluated(plug, str(plug.name()), played, False, is_switch)

    def driver_of_place(self, path: om.MDagPath) -> Evaluated:
        """World matrix of a node, as shown in the viewport."""
        # live check: world-matrix-in-context
        plug = find_plug(path.node(), f"worldMatrix[{path.instanceNumber()}]")
        return self._output(plug, played=str(path.fullPathName()) in self.solved, is_matrix=True)

    def keys(self, curve: CurveOverTime) -> KeyList:
        """Keys of a curve; each curve is read only once."""
        if curve.name not in self._keys:
            self._keys[curve.name] = KeyList.read(curve)
        return self._keys[curve.name]

    def key_frames(self, drivers: Iterable[Driver]) -> Floats:
        """Key frames of all curves upstream of some drivers, increasing, in the scene's unit.

        Clips shift the keys behind them in time, so the ends of the playback range replace these.
        """
        every = list(drivers)
        curves = {one.name: one for one in every if isinstance(one, CurveOverTime)}
        ends: set[float] = set()
        for name, one in self.upstream.nodes_above(self._starts(every), behind_clips=False):
            if one.kind in CURVES:
                curves[name] = self._known_curve(one.node)
            elif is_clip(one.kind):
                ends.update(*TimeChoice("playback").bounds(np.zeros(0)))
        keys = [self.keys(curve).frames for curve in curves.values()]
        return frames_of_keys([*keys, np.array(sorted(ends))])

    def limits_bypassed(self, drivers: Iterable[Driver]) -> AbstractContextManager[list[str]]:
        """Switch off all rotation limits that could affect the values of evaluated drivers."""
        above = self.upstream.nodes_above(self._starts(drivers))
        limited = (one.node for _, one in above if one.kind in ("joint", "transform"))
        return preserve.limits_bypassed(limited)

    def _starts(self, drivers: Iterable[Driver]) -> list[om.MObject]:
        """Nodes to which evaluated drivers belong, and the IK handles that rotate these nodes."""
        plugs = (one.plug for one in drivers if isinstance(one, Evaluated))
        return [node for plug in plugs for node in starts_from(plug.node(), self.solved)]

    def _output(self, source: om.MPlug, played: bool = False, is_matrix: bool = False) -> Evaluated:
        name = str(source.name())
        if name not in self._outputs:
            played = played or self._is_played(source.node())
            self._outputs[name] = Evaluated(source, name, played, is_matrix)
        return self._outputs[name]

    def _is_played(self, node: om.MObject) -> bool:
        """Whether the node, or any node upstream of it, depends on more than the time."""
        return is_playing_forced() or bool(self.upstream.traits_of(node) & PLAYED)

    def _curve(self, source: om.MPlug) -> CurveOverTime | None:
        """The source, if it is a curve whose keys alone determine its output; else None."""
        node = source.node()
        if unit_of_curve(node) is None:
            return None
        time = find_plug(node, "input")
        is_warped = time.isDestination and type_of(time.source().node()) != "time"
        return None if is_warped or is_quaternion_curve(node) else self._known_curve(node)

    def _known_curve(self, node: om.MObject) -> CurveOverTime:
        name = joints.node_name(node)
        if name not in self._curves:
            self._curves[name] = CurveOverTime(name, node, unit_of_curve(node) or 1.0)
        return self._curves[name]


class CurrentValues(Drivers):
    """Current values of all channels, used instead of their drivers."""

    def __init__(self) -> None:
        super().__init__(solved={})

    def driver_of(self, plug: om.MPlug, path: str = "") -> Constant:
        """Current value of a numeric plug."""
        return Constant(float(plug.asDouble()))

    def driver_of_matrix(self, plug: om.MPlug) -> Evaluated | None:
        """Return None: the caller reads the current matrix itself."""
        return None

    def driver_of_orientation(self, plug: om.MPlug) -> Driver | None:
        """Return None: the caller reads the current value itself."""
        return None


class UnclampedValues(CurrentValues):
    """Current values of all channels; for a rotate channel at a limit, the value of its driver."""

    def driver_of(self, plug: om.MPlug, path: str = "") -> Constant:
        """Current unclamped value of a numeric plug."""
        value = float(plug.asDouble())
        source = source_of(plug) if path else None
        if source is None:
            return Constant(value)
        joint, axis = Attributes(plug.node()), str(plug.partialName(useLongNames=True))[-1]
        limits = (f"{side}Rot{axis}Limit" for side in ("min", "max"))
        is_at_limit = any(
            joint.is_on(f"{limit}Enable") and abs(joint.number(limit) - value) <= MAX_LIMIT_GAP_RAD
            for limit in limits
        )
        if not is_at_limit:
            return Constant(value)
        behind = readable(plug, source)
        with preserve.limits_bypassed([plug.node()] if behind == plug else []):
            return Constant(float(behind.asDouble()))


def unit_of_curve(node: om.MObject) -> float | None:
    """Factor from a curve's values to internal units; None unless it is a curve over time."""
    kind = type_of(node)
    if kind == "animCurveTA":
        return float(om.MAngle.uiToInternal(1.0))
    if kind == "animCurveTL":
        return float(om.MDistance.uiToInternal(1.0))
    return 1.0 if kind == "animCurveTU" else None


def is_quaternion_curve(node: om.MObject) -> bool:
    """Whether a curve is interpolated together with the curves of the other two channels."""
    interpolation = find_plug(node, "rotationInterpolation").asInt()
    return type_of(node) == "animCurveTA" and interpolation in QUATERNION_INTERPOLATIONS


@dataclass(frozen=True, eq=False)
class KeyList:
    """Keys of a curve.

    `frames`, shape (keys,): increasing, in the scene's time unit. `values`, shape (keys,):
    internal units.
    """

    curve: CurveOverTime
    frames: Floats
    values: Floats

    @classmethod
    def read(cls, curve: CurveOverTime) -> KeyList:
        """Read the keys of a curve."""
        # live check: keyframe-in-full-precision
        frames = cmds.keyframe(curve.name, query=True, timeChange=True) or ()
        values = cmds.keyframe(curve.name, query=True, valueChange=True) or ()
        return cls(curve, np.array(frames, np.float64), np.array(values, np.float64) * curve.unit)

    def values_at(self, frames: Floats) -> Floats:
        """Values at frames, shape (frames,), in internal units; 0 for a curve without keys."""
        if not len(self.frames):
            return np.zeros(len(frames))
        frames = at_own_keys(frames, self.frames)
        place = np.clip(np.searchsorted(self.frames, frames), 1, max(len(self.frames) - 1, 1))
        before, after = self.frames[place - 1], self.frames[np.minimum(place, len(self.frames) - 1)]
        nearest = np.where(frames - before <= after - frames, place - 1, place)
        nearest = np.minimum(nearest, len(self.frames) - 1)
        values = self.values[nearest]
        apart = np.abs(self.frames[nearest] - frames) > _MAX_KEY_GAP_SECONDS * frames_per_second()
        if apart.any():
            values[apart] = _evaluate_curve(self.curve, frames[apart])
        return values


def _evaluate_curve(curve: CurveOverTime, frames: Floats) -> Floats:
    """Values of a curve between and outside its keys, in internal units."""
    found: list[float] = []
    for start in range(0, len(frames), _MAX_TIMES_PER_CALL):
        part: list[float] = frames[start : start + _MAX_TIMES_PER_CALL].tolist()
        times: list[str | tuple[float, float] | tuple[float]] = [(time, time) for time in part]
        found += cmds.keyframe(curve.name, query=True, eval=True, time=times) or ()
    # live check: keyframe-eval-many-times
    if len(found) != len(frames):
        evaluate = oma.MFnAnimCurve(curve.node).evaluate
        return np.array([evaluate(time_at(frame)) for frame in frames.tolist()])
    return np.array(found, dtype=np.float64) * curve.unit


@dataclass
class Samples:
    """Values of drivers at every frame.

    `frames`, shape (frames,). `shown`, shape (frames,): frames at which the time warp makes the
    scene read its curves; None without a warp.
    """

    frames: Floats
    shown: Floats | None = None
    _values: dict[Driver, Floats] = field(default_factory=dict)

    def values_of(self, driver: Driver) -> Floats:
        """Values at every frame, shape (frames,), or (frames, 4, 4) for a matrix."""
        if isinstance(driver, Constant):
            return np.full(len(self.frames), driver.value)
        return self._values[driver]

    def read(
        self, drivers: Drivers, wanted: Iterable[Driver], progress: Progress | None = None
    ) -> list[str]:
        """Read drivers, bypassing limits.

        Returns names of joints whose limits could not be switched off. Raises Cancelled.
        """
        once = dict.fromkeys(wanted)
        with drivers.limits_bypassed(once) as stuck:
            self.sample(drivers, once, progress)
        return stuck

    def sample(
        self, drivers: Drivers, wanted: Iterable[Driver], progress: Progress | None = None
    ) -> None:
        """Read drivers while limits are bypassed already. Raises Cancelled."""
        once = dict.fromkeys(wanted)
        curves = [one for one in once if isinstance(one, CurveOverTime)]
        for done, curve in enumerate(curves):
            # One query per curve: no node is evaluated, and the time does not change.
            report_progress(progress, done, len(curves), "reading curves")
            shown = self.frames if self.shown is None else self.shown
            self._values[curve] = drivers.keys(curve).values_at(shown)
        evaluated = [one for one in once if isinstance(one, Evaluated)]
        if evaluated:
            self.evaluate(evaluated, progress)

    def evaluate(
        self, drivers: Sequence[Evaluated], progress: Progress | None = None, label: str = CONTEXTS
    ) -> None:
        """Evaluate plugs at every frame, bypassing no limits. Raises Cancelled and SceneError."""
        rows = evaluate(drivers, self.frames, progress, label)
        self._values.update((one, np.array(row, np.float64)) for one, row in rows.items())
