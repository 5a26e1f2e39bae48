"""Animation curves in scene files: arrays of an animCurve node to Keys, and back to text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.maya_standin.curves import Keys
from tests.maya_standin.ma_statements import Word
from tests.maya_standin.ma_values import FileUnits, number, number_text
from tests.maya_standin.nodes import Node
from tests.maya_standin.tangent_rules import FIXED
from tests.maya_standin.words import pairs_of

#: Long names of the arrays by short ones (maya.md 8).
ARRAYS = pairs_of(
    "ktv:keyTimeValue kit:keyTanInType kot:keyTanOutType kix:keyTanInX kiy:keyTanInY "
    "kox:keyTanOutX koy:keyTanOutY ktl:keyTanLocked kwl:keyWeightLocked kbd:keyBreakdown"
)
_SHORT = {long: short for short, long in ARRAYS.items()}
_PLACE = re.compile(r"(\w+)(?:\[(\d+)(?::(\d+))?\])?")
_KINDS = {"A": "angle", "L": "distance", "U": "double", "T": "time"}


def array_name(attribute: str) -> str | None:
    """Short name of the array that an attribute of a curve means, None if it is none."""
    match = _PLACE.fullmatch(attribute)
    if match is None:
        return None
    return match[1] if match[1] in ARRAYS else _SHORT.get(match[1])


def kinds(node: Node) -> tuple[str, str]:
    """Kind of a curve's input and of its output: animCurveTA is time and angle."""
    source, target = node.type[-2:]
    return ("time" if source == "T" else "double"), _KINDS[target]


@dataclass
class CurveArrays:
    """Arrays of a curve as they stand in a file, by index."""

    pairs: dict[int, tuple[float, float]] = field(default_factory=dict)
    others: dict[str, dict[int, float]] = field(default_factory=dict)

    def take(self, attribute: str, words: Sequence[Word]) -> None:
        """Take in the words of one setAttr."""
        match = _PLACE.fullmatch(attribute)
        if match is None or match[2] is None:
            return
        name, first = array_name(attribute), int(match[2])
        values = [number(word) for word in words]
        if name == "ktv":
            for place in range(len(values) // 2):
                self.pairs[first + place] = values[2 * place], values[2 * place + 1]
        elif name is not None:
            table = self.others.setdefault(name, {})
            table.update((first + place, value) for place, value in enumerate(values))

    def keys(self, node: Node, units: FileUnits) -> Keys:
        """Keys of the node; of keys at the same time the last counts."""
        source, target = kinds(node)
        by_time = {self.pairs[index][0]: index for index in sorted(self.pairs)}
        order = [by_time[time] for time in sorted(by_time)]
        kind = int(node.stored("tangentType"))
        return Keys(
            times=[units.inside(source, self.pairs[i][0]) for i in order],
            values=[units.inside(target, self.pairs[i][1]) for i in order],
            in_types=[int(self._entry("kit", i, kind)) for i in order],
            out_types=[int(self._entry("kot", i, kind)) for i in order],
            in_tangents=[self._tangent("kix", "kiy", i) for i in order],
            out_tangents=[self._tangent("kox", "koy", i) for i in order],
            weighted=bool(node.stored("weightedTangents")),
            pre=int(node.stored("preInfinity")),
            post=int(node.stored("postInfinity")),
            default_type=kind,
            rotation_interpolation=int(node.stored("rotationInterpolation")),
            tangents_locked=self._flags("ktl", order, True),
            weights_locked=self._flags("kwl", order, True),
            breakdowns=self._flags("kbd", order, False),
        )

    def _entry(self, name: str, index: int, default: float) -> float:
        return self.others.get(name, {}).get(index, default)

    def _tangent(self, x: str, y: str, index: int) -> tuple[float, float] | None:
        """Seconds and internal units whatever the units of the file (maya.md 8)."""
        xs, ys = self.others.get(x, {}), self.others.get(y, {})
        return (xs[index], ys[index]) if index in xs and index in ys else None

    def _flags(self, name: str, order: Sequence[int], default: bool) -> tuple[bool, ...]:
        table = self.others.get(name)
        return tuple(bool(table.get(i, default)) for i in order) if table else ()


def curve_lines(node: Node, keys: Keys, units: FileUnits) -> Iterator[str]:
    """The setAttr statements of a curve's keys."""
    source, target = kinds(node)
    pairs = [
        f"{number_text(units.outside(source, time))} {number_text(units.outside(target, value))}"
        for time, value in zip(keys.times, keys.values)
    ]
    yield from _array("ktv", pairs)
    for name, types in (("kit", keys.in_types), ("kot", keys.out_types)):
        if any(kind != keys.default_type for kind in types):
            yield from _array(name, [str(kind) for kind in types])
    for name, flags in (
        ("ktl", keys.tangents_locked),
        ("kwl", keys.weights_locked),
        ("kbd", keys.breakdowns),
    ):
        yield from _array(name, ["yes" if flag else "no" for flag in flags])
    for side, types, stored in (
        ("i", keys.in_types, keys.in_tangents),
        ("o", keys.out_types, keys.out_tangents),
    ):
        known = {i: t for i, t in enumerate(stored) if t is not None}
        if any(types[index] == FIXED for index in known) or known:
            for place, letter in enumerate("xy"):
                for index, tangent in known.items():
                    yield f'setAttr ".k{side}{letter}[{index}]" {number_text(tangent[place])};'


def _array(name: str, values: Sequence[str]) -> Iterator[str]:
    if len(values) == 1:
        yield f'setAttr ".{name}[0]" {values[0]};'
    elif values:
        yield f'setAttr -s {len(values)} ".{name}[0:{len(values) - 1}]" {" ".join(values)};'
