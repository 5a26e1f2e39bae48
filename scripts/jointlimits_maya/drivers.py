"""What drives a channel, and the cheapest way that gives its values as they were meant.

Limits clamp what arrives at a joint, in every way of evaluating it, so a joint's own channel shows
what limits make of a motion. What drives it does not; that is where values are taken from:

* a curve over time is asked itself: no node is evaluated and the time does not change;
* of layers, constraints and all other nodes the output is evaluated in a context of another time;
* a projection of coupled limits is looked past, like any limit;
* what depends on more than the time (solvers, dynamics, expressions that read other things) is
  played frame by frame.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Union

import maya.api.OpenMaya as om
from maya import cmds

from .attributes import source_of, type_of
from .names import node_name
from .projection_there import before_projection
from .upstream import Upstream

QUATERNION_INTERPOLATIONS = (3, 4, 5)
"""Values of ``rotationInterpolation`` for which the three curves only make sense together."""

CURVES = ("animCurveTA", "animCurveTL", "animCurveTU")
"""Curves over time, of angles, lengths and plain numbers; the others are driven keys."""

PLAYED_TYPES = frozenset(
    {
        "dynController",
        "fluidShape",
        "hairSystem",
        "instancer",
        "nCloth",
        "nParticle",
        "nRigid",
        "nucleus",
        "particle",
        "rigidBody",
        "rigidSolver",
    }
)
"""Nodes whose state follows from the frames before."""


@dataclass(frozen=True)
class Constant:
    """A value that does not change."""

    value: float


@dataclass(frozen=True, eq=False)
class CurveOverTime:
    """A curve over the scene's time, with nothing in between.

    Parameters
    ----------
    node : MObject
    unit : float
        Internal units in one unit of what commands give.
    """

    name: str
    node: om.MObject
    unit: float


@dataclass(frozen=True, eq=False)
class Evaluated:
    """A plug that has to be evaluated.

    Parameters
    ----------
    plug : MPlug
        The source of the channel, or the channel of a joint that a solver turns.
    played : bool
        True if it has to be played frame by frame.
    """

    plug: om.MPlug
    played: bool = False
    is_matrix: bool = False


Driver = Union[Constant, CurveOverTime, Evaluated]


@dataclass
class Drivers:
    """Finds out what drives channels.

    Parameters
    ----------
    solved : dict of full path to name
        Joints that an IK solver turns, and its handle.
    """

    upstream: Upstream = field(default_factory=Upstream)
    solved: dict[str, str] = field(default_factory=lambda: solved_joints())
    _curves: dict[str, CurveOverTime] = field(default_factory=dict)
    _played: dict[str, bool] = field(default_factory=dict)
    _outputs: dict[str, Evaluated] = field(default_factory=dict)

    def of(self, plug: om.MPlug, path: str = "") -> Driver:
        """What drives a number.

        Parameters
        ----------
        plug : MPlug
        path : str
            Full path of the joint whose rotate channel it is; empty for other channels.

        Returns
        -------
        Constant, CurveOverTime or Evaluated
        """
        plug = before_projection(plug)
        source = source_of(plug)
        if source is None:
            if path in self.solved:
                return Evaluated(plug, played=True)
            return Constant(float(plug.asDouble()))
        curve = self._curve(source)
        if curve is not None:
            return curve
        # A handle may also write into channels that are connected.
        return self._output(source, played=path in self.solved)

    def of_matrix(self, plug: om.MPlug) -> Evaluated | None:
        """What drives a matrix; None if nothing does."""
        source = source_of(plug)
        return None if source is None else self._output(source, is_matrix=True)

    def of_place(self, path: om.MDagPath) -> Evaluated:
        """Where a node is in the world, as it shows: its world matrix."""
        # live check: world-matrix-in-context
        worlds = om.MFnDependencyNode(path.node()).findPlug("worldMatrix", False)
        plug = worlds.elementByLogicalIndex(path.instanceNumber())
        return self._output(plug, played=str(path.fullPathName()) in self.solved, is_matrix=True)

    def curves_behind(self, driver: Driver) -> list[CurveOverTime]:
        """All curves over time that take part."""
        if isinstance(driver, CurveOverTime):
            return [driver]
        if isinstance(driver, Constant):
            return []
        names = self.upstream.of(self._starts(driver))
        nodes = [self.upstream.nodes[name] for name in names]
        return [self._known_curve(node) for node in nodes if unit_of_curve(node) is not None]

    def joints_behind(self, drivers: Iterable[Evaluated]) -> list[om.MObject]:
        """Joints whose limits could show in what is evaluated."""
        starts = [node for driver in drivers for node in self._starts(driver)]
        nodes = (self.upstream.nodes[name] for name in self.upstream.of(starts))
        return [node for node in nodes if type_of(node) == "joint"]

    def _starts(self, driver: Evaluated) -> list[om.MObject]:
        """Nodes to start from: a solved joint depends on its handle, without a connection."""
        node = driver.plug.node()
        handle = self.solved.get(node_name(node))
        return [node] if handle is None else [node, node_of(handle)]

    def _output(self, source: om.MPlug, played: bool = False, is_matrix: bool = False) -> Evaluated:
        name = str(source.name())
        if name not in self._outputs:
            played = played or self._is_played(source.node())
            self._outputs[name] = Evaluated(source, played, is_matrix)
        return self._outputs[name]

    def _is_played(self, node: om.MObject) -> bool:
        """True if anything upstream depends on more than the time."""
        start = node_name(node)
        if start not in self._played:
            names = self.upstream.of([node])
            self._played[start] = any(
                name in self.solved or needs_playing(self.upstream.nodes[name]) for name in names
            )
        return self._played[start]

    def _curve(self, source: om.MPlug) -> CurveOverTime | None:
        """The curve that is a source, if its keys alone say what comes out."""
        node = source.node()
        if unit_of_curve(node) is None or not _stands_alone(node):
            return None
        return self._known_curve(node)

    def _known_curve(self, node: om.MObject) -> CurveOverTime:
        name = node_name(node)
        if name not in self._curves:
            self._curves[name] = CurveOverTime(name, node, unit_of_curve(node) or 1.0)
        return self._curves[name]


class AsTheyStand(Drivers):
    """Takes every channel as it stands now, whatever drives it."""

    def of(self, plug: om.MPlug, path: str = "") -> Driver:
        """What a number is now."""
        return Constant(float(plug.asDouble()))

    def of_matrix(self, plug: om.MPlug) -> Evaluated | None:
        """Nothing: a matrix is read where it is asked for."""
        return None


def unit_of_curve(node: om.MObject) -> float | None:
    """Internal units in one unit of a curve's values; None of what is no curve over time."""
    kind = type_of(node)
    if kind not in CURVES:
        return None
    if kind == "animCurveTA":
        return float(om.MAngle.uiToInternal(1.0))
    return float(om.MDistance.uiToInternal(1.0)) if kind == "animCurveTL" else 1.0


def _stands_alone(curve: om.MObject) -> bool:
    """True unless its time is warped, or it is interpolated together with two others."""
    find = om.MFnDependencyNode(curve).findPlug
    time = find("input", False)
    if time.isDestination and type_of(time.source().node()) != "time":
        return False
    interpolation = find("rotationInterpolation", False).asInt()
    return type_of(curve) != "animCurveTA" or interpolation not in QUATERNION_INTERPOLATIONS


def needs_playing(node: om.MObject) -> bool:
    """True for nodes whose value depends on more than the time.

    Of expressions those do that read anything but the time.
    """
    # live check: played-node-types
    kind = type_of(node)
    if kind == "expression":
        plugs = om.MFnDependencyNode(node).getConnections()
        sources = [plug.source().node() for plug in plugs if plug.isDestination]
        return any(type_of(source) != "time" for source in sources)
    return kind in PLAYED_TYPES or kind.startswith("HIK")


def solved_joints() -> dict[str, str]:
    """Joints that IK solvers turn, without any connection, and the names of the handles.

    They reach from a handle's start joint down to the joint above its end effector.
    """
    # live check: solvers-in-other-contexts
    found: dict[str, str] = {}
    for name in cmds.ls(type="ikHandle", long=True) or ():
        find = om.MFnDependencyNode(node_of(name)).findPlug
        start, effector = find("startJoint", False).source(), find("endEffector", False).source()
        blend = find("ikBlend", False)
        off = not blend.isDestination and blend.asDouble() == 0.0
        if off or start.isNull or effector.isNull:
            continue
        first = node_name(start.node())
        path = node_name(effector.node()).rpartition("|")[0]
        while path == first or path.startswith(f"{first}|"):
            found[path] = str(name)
            path = path.rpartition("|")[0]
    return found


def node_of(name: str) -> om.MObject:
    """Node of a name."""
    return om.MSelectionList().add(name).getDependNode(0)
