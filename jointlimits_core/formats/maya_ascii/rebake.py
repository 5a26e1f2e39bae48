"""Keys written anew: three channels of a node sampled where it counts, and curves that say it.

Between keys a curve in the new frame is not the old one turned, so there is a key on every whole
frame of the old keys' range and at every old key, with straight lines between them. At these times
the pose is the same to rounding; outside the range curves hold, cycle or oscillate as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import Booleans, Floats
from .attributes import ANGLE
from .curves import AnimCurve, Infinity
from .drivers import Evaluator, Keyed, Signal
from .edits import Edit
from .keyframes import QUATERNION_INTERPOLATIONS
from .node_places import ScenePlaces
from .scene import Node, Scene
from .tangents import TangentType
from .value_edits import Pen, numbers_text

MOST_KEYS = 1_000_000
"""More whole frames than this between the keys of one channel are not written out."""
STILL = 3e-12
"""Degrees or units; a channel that moves less needs no curve."""
_CHUNK = 500
_REPEATING = (Infinity.CYCLE, Infinity.OSCILLATE)
_PER_KEY = frozenset(
    (
        *("keyTimeValue", "keyTanInType", "keyTanOutType", "keyTanInX", "keyTanInY"),
        *("keyTanOutX", "keyTanOutY", "kwl", "ktl", "kbd", "keyWeightLocked", "keyTanLocked"),
        *("keyBreakdown", "keyTickDrawSpecial", "ktds"),
    )
)


@dataclass(frozen=True, eq=False)
class Channels:
    """What drives the three parts of a compound of a node.

    Parameters
    ----------
    node : Node
    compound : str
        "rotate" or "translate".
    signals : tuple of three Signal
    curves : tuple of three Node or None
        The curve that is connected to each part.
    """

    node: Node
    compound: str
    signals: tuple[Signal, ...]
    curves: tuple[Node | None, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Long names of the three parts."""
        return self.node.family.children[self.compound]

    @property
    def moving(self) -> list[AnimCurve]:
        """Curves with more than one key."""
        found = (signal.curve for signal in self.signals if isinstance(signal, Keyed))
        return [curve for curve in found if len(curve.times) > 1]

    @property
    def keyed(self) -> Booleans:
        """Which parts have a curve."""
        return np.array([curve is not None for curve in self.curves])

    def times(self, frames_per_second: float) -> Floats:
        """Give the times that need keys, in frames, increasing; one time if nothing is keyed."""
        keys = [s.curve.times for s in self.signals if isinstance(s, Keyed) and len(s.curve.times)]
        if not keys:
            return np.zeros(1)
        times = np.unique(np.concatenate(keys)) * frames_per_second
        whole = np.round(times)
        # A key time that went through seconds may be a hair off its frame.
        times = np.where(np.abs(times - whole) < 1e-6, whole, times)
        between = np.arange(np.ceil(times[0]), np.floor(times[-1]) + 1.0)
        return np.unique(np.concatenate([times, between]))

    def key_count(self, frames_per_second: float) -> float:
        """About as many keys as :meth:`times` would give, without making them."""
        ends = [t for curve in self.moving for t in (curve.times[0], curve.times[-1])]
        return (max(ends) - min(ends)) * frames_per_second if ends else 1.0

    def values(self, times: Floats, frames_per_second: float) -> Floats:
        """Values in internal units, shape (3, times)."""
        evaluate = Evaluator(times / frames_per_second)
        return np.stack([evaluate(signal) for signal in self.signals])


def channel_obstacle(scene: Scene, places: ScenePlaces, channels: Channels) -> str | None:
    """Why the keys of channels cannot be written anew; None if they can."""
    for name, curve in zip(channels.names, channels.curves):
        if curve is None:
            continue
        if not places.into.get((channels.node, name)):
            return f"what drives {name} is not connected in this file"
        where = places.nodes.get(curve)
        if where is None or where.elsewhere:
            return f"the curve {curve.name!r} is not in this file, or set in several places of it"
        if curve.is_locked("keyTimeValue") or "keyTimeValue" in curve.locked:
            return f"the curve {curve.name!r} is locked"
        if int(curve.number("rotationInterpolation", 1.0)) in QUATERNION_INTERPOLATIONS:
            return f"the curve {curve.name!r} is interpolated as quaternions"
    rate = scene.units.frames_per_second
    if channels.key_count(rate) > MOST_KEYS:
        return f"its keys reach over more than {MOST_KEYS} frames"
    return _infinity_obstacle(channels.moving, rate)


def _infinity_obstacle(curves: Sequence[AnimCurve], frames_per_second: float) -> str | None:
    """Repeating curves can be kept only if all of them repeat alike, and on whole frames."""
    kinds = {(curve.pre, curve.post) for curve in curves}
    if not kinds or kinds == {(Infinity.CONSTANT, Infinity.CONSTANT)}:
        return None
    usual = {Infinity.CONSTANT, *_REPEATING}
    ends = {(float(curve.times[0]), float(curve.times[-1])) for curve in curves}
    frames = np.array(sorted(ends)).reshape(-1) * frames_per_second
    whole = bool(np.all(np.abs(frames - np.round(frames)) < 1e-6))
    if len(kinds) > 1 or not set(next(iter(kinds))) <= usual or len(ends) > 1 or not whole:
        return "its curves go on beyond their keys in a way that new keys would change"
    return None


_CURVE_OF = {"rotate": "animCurveTA", "translate": "animCurveTL"}


def direct_curve(
    scene: Scene, node: Node, compound: str, attribute: str
) -> tuple[Node | None, Node | None]:
    """Give the time curve that is connected straight to an attribute, or else what is."""
    source = scene.sources.get((node, attribute))
    if source is None:
        return None, None
    curve, output = source
    warped = scene.sources.get((curve, "input"))
    timed = warped is None or warped[0].node_type == "time"
    if curve.node_type == _CURVE_OF[compound] and output == "output" and timed:
        return curve, None
    return None, curve


@dataclass(frozen=True, eq=False)
class NewKeys:
    """What three channels should show.

    Parameters
    ----------
    channels : Channels
    times : array, shape (times,)
        Frames.
    values : array, shape (3, times)
        Internal units: radians or centimetres.
    unkeyed : tuple of str
        Parts that lose their curve if they do not move.
    """

    channels: Channels
    times: Floats
    values: Floats
    unkeyed: tuple[str, ...] = ()

    def edits(
        self, scene: Scene, places: ScenePlaces, pen: Pen, taken: set[str]
    ) -> tuple[list[Edit], tuple[str, ...]]:
        """Edits of curves, connections and values.

        Parameters
        ----------
        scene : Scene
        places : ScenePlaces
        pen : Pen
        taken : set of str
            Names of nodes; names of new curves are added to it.

        Returns
        -------
        edits : list of Edit
        changed : tuple of str
            Long names of the parts that got other keys or another value.
        """
        node, channels = self.channels.node, self.channels
        angle = node.family.kinds[channels.compound] == ANGLE
        unit = scene.units.radians if angle else scene.units.centimeters
        values = self._rounded(unit)
        moves = np.ptp(values, axis=1) > STILL
        keyed = channels.keyed & ~self._loses(moves)
        wanted = keyed | moves
        edits: list[Edit] = []
        for axis in np.flatnonzero(wanted):
            existing = channels.curves[axis]
            if existing is not None:
                edits += self._rewritten(existing, places, pen, values[axis])
            else:
                kind = "animCurveTA" if angle else "animCurveTL"
                edits += self._added(places, pen, int(axis), kind, values[axis], taken)
        for axis in np.flatnonzero(channels.keyed & ~wanted):
            edits += self._taken_out(places, pen, int(axis))
        block = places.nodes[node]
        still = pen.triple(node.node_type, block, channels.compound, values[:, 0], ~wanted)
        changed = channels.keyed | wanted | np.full(3, bool(still))
        return [*edits, *still], tuple(n for n, c in zip(channels.names, changed) if c)

    def _rounded(self, unit: float) -> Floats:
        """Values in the file's unit, without digits that are rounding errors."""
        return np.asarray(np.round(self.values / unit, 13))

    def _loses(self, moves: Booleans) -> Booleans:
        unkeyed = [name in self.unkeyed for name in self.channels.names]
        return np.asarray(np.array(unkeyed) & ~moves)

    @property
    def _stepped(self) -> bool:
        """True if all old curves are steps; the new ones then must not have slopes."""
        kinds = [np.all(curve.out_types[:-1] == TangentType.STEP) for curve in self.channels.moving]
        return bool(kinds) and all(kinds)

    @property
    def _beyond(self) -> tuple[int, int]:
        moving = self.channels.moving
        return (int(moving[0].pre), int(moving[0].post)) if moving else (0, 0)

    def _key_lines(self, pen: Pen, values: Floats) -> list[str]:
        name, count = pen.name("animCurveTA", "keyTimeValue"), len(values)
        pairs = np.stack([self.times, values], axis=1)
        lines = []
        for first in range(0, count, _CHUNK):
            piece = pairs[first : first + _CHUNK]
            last = first + len(piece) - 1
            index = f"[{first}]" if first == last else f"[{first}:{last}]"
            size = f"-s {count} " if count > 1 and first == 0 else ""
            lines.append(f'setAttr {size}".{name}{index}"  {numbers_text(piece)};')
        return lines

    def _rewritten(self, curve: Node, places: ScenePlaces, pen: Pen, values: Floats) -> list[Edit]:
        """Other keys for a curve that there is; its name, id and weights stay."""
        block = places.nodes[curve]
        lists = [one for one in block.settings if one.name in _PER_KEY]
        keys = next((one for one in lists if one.name == "keyTimeValue" and one.values), None)
        text = self._key_lines(pen, values)
        kind = curve.node_type
        edits = [pen.removed(one.start, one.end) for one in lists if one is not keys]
        if keys is None:
            edits.append(pen.inserted(block.last_end, ["\t" + line for line in text]))
        else:
            edits.append(Edit(keys.start, keys.end, pen.encoded("\n\t".join(text), keys.start)))
        tangent = TangentType.STEP if self._stepped else TangentType.LINEAR
        edits += pen.scalar(kind, block, "tangentType", int(tangent))
        for name, code in zip(("preInfinity", "postInfinity"), self._beyond):
            if int(curve.number(name)) != code:
                edits += pen.scalar(kind, block, name, code)
        return edits

    def _added(
        self, places: ScenePlaces, pen: Pen, axis: int, kind: str, values: Floats, taken: set[str]
    ) -> list[Edit]:
        """A new curve behind one that the node has already, and its connection."""
        channels = self.channels
        model = next(curve for curve in channels.curves if curve is not None)
        name = _free_name(f"{channels.node.name}_{channels.names[axis]}", taken)
        tangent = int(TangentType.STEP if self._stepped else TangentType.LINEAR)
        lines = [
            f'createNode {kind} -n "{name}";',
            f'\tsetAttr ".{pen.name(kind, "tangentType")}" {tangent};',
            f'\tsetAttr ".{pen.name(kind, "weightedTangents")}" no;',
            *("\t" + line for line in self._key_lines(pen, values)),
        ]
        for attribute, code in zip(("preInfinity", "postInfinity"), self._beyond):
            lines += [f'\tsetAttr ".{pen.name(kind, attribute)}" {code};'] if code else []
        edits = [pen.inserted(places.nodes[model].last_end, lines)]
        number = next(n for n, curve in enumerate(channels.curves) if curve is model)
        link = places.into[channels.node, channels.names[number]][0]
        output = pen.name(kind, "output")
        plug = link.destination.partition(".")[0]
        attribute = pen.name(channels.node.node_type, channels.names[axis])
        line = f'connectAttr "{name}.{output}" "{plug}.{attribute}";'
        return [*edits, pen.inserted(link.end, [line])]

    def _taken_out(self, places: ScenePlaces, pen: Pen, axis: int) -> list[Edit]:
        """Without a connection that is not needed any more, and its curve if nobody else has it."""
        curve = self.channels.curves[axis]
        links = places.into[self.channels.node, self.channels.names[axis]]
        edits = [pen.removed(link.start, link.end) for link in links]
        if curve is None or any(link not in links for link in places.touching[curve]):
            return edits
        block = places.nodes[curve]
        return [*edits, pen.removed(block.start, block.last_end)]


def _free_name(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 0
    while name in taken:
        number += 1
        name = f"{wanted}{number}"
    taken.add(name)
    return name
