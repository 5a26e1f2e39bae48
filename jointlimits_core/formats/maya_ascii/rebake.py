"""Text of remade keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Floats
from ...unique_names import FreeNames
from .edits import Edit
from .new_keys import Channels, NewKeys
from .node_places import ScenePlaces
from .scene import Node, Scene
from .tangents import TangentType
from .value_edits import Pen, numbers_text

_CHUNK = 500
_PER_KEY = frozenset(
    (
        *("keyTimeValue", "keyTanInType", "keyTanOutType", "keyTanInX", "keyTanInY"),
        *("keyTanOutX", "keyTanOutY", "kwl", "ktl", "kbd", "keyWeightLocked", "keyTanLocked"),
        *("keyBreakdown", "keyTickDrawSpecial", "ktds"),
    )
)


@dataclass(frozen=True, eq=False)
class KeyText:
    """The text of new keys."""

    keys: NewKeys

    @property
    def channels(self) -> Channels:
        """What the keys are for."""
        return self.keys.channels

    def edits(self, scene: Scene, places: ScenePlaces, pen: Pen, names: FreeNames) -> list[Edit]:
        """Edits of curves, connections and values.

        Parameters
        ----------
        names : FreeNames
            Names for new curves.
        """
        node, channels, angle = self.channels.node, self.channels, self.keys.is_angle
        unit = scene.units.radians if angle else scene.units.centimeters
        values, wanted = self.keys.rounded(unit), self.keys.keyed(unit)
        edits: list[Edit] = []
        for axis in np.flatnonzero(wanted):
            existing = channels.curves[axis]
            if existing is not None:
                edits += self._rewritten(existing, places, pen, values[axis])
            else:
                kind = "animCurveTA" if angle else "animCurveTL"
                edits += self._added(places, pen, int(axis), kind, values[axis], names)
        for axis in np.flatnonzero(channels.keyed & ~wanted):
            edits += self._taken_out(places, pen, int(axis))
        block = places.nodes[node]
        still = pen.triple(node.node_type, block, channels.compound, values[:, 0], ~wanted)
        return [*edits, *still]

    def _key_lines(self, pen: Pen, values: Floats) -> list[str]:
        name, count = pen.name("animCurveTA", "keyTimeValue"), len(values)
        pairs = np.stack([self.keys.times, values], axis=1)
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
        tangent = TangentType.STEP if self.keys.is_stepped else TangentType.LINEAR
        edits += pen.scalar(kind, block, "tangentType", int(tangent))
        for name, code in zip(("preInfinity", "postInfinity"), self.keys.beyond):
            if int(curve.number(name)) != code:
                edits += pen.scalar(kind, block, name, code)
        return edits

    def _added(
        self, places: ScenePlaces, pen: Pen, axis: int, kind: str, values: Floats, names: FreeNames
    ) -> list[Edit]:
        """A new curve behind one that the node has already, and its connection."""
        channels = self.channels
        model = next(curve for curve in channels.curves if curve is not None)
        name = names.take(f"{channels.node.name}_{channels.names[axis]}")
        tangent = int(TangentType.STEP if self.keys.is_stepped else TangentType.LINEAR)
        lines = [
            f'createNode {kind} -n "{name}";',
            f'\tsetAttr ".{pen.name(kind, "tangentType")}" {tangent};',
            f'\tsetAttr ".{pen.name(kind, "weightedTangents")}" no;',
            *("\t" + line for line in self._key_lines(pen, values)),
        ]
        for attribute, code in zip(("preInfinity", "postInfinity"), self.keys.beyond):
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
