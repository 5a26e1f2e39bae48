"""MFnAnimCurve: keys of a curve, and its value at a time.

Its tangent types are numbered differently from those in files (maya.md 8); infinities are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakSet

from tests.maya_standin.curves import Keys
from tests.maya_standin.graph import Node
from tests.maya_standin.journal import Edit, Group
from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.current import count_call, scene, session
from tests.maya_standin.open_maya.node_sets import MFnDependencyNode
from tests.maya_standin.open_maya.strict import Strict, check_kind, not_modelled
from tests.maya_standin.open_maya.units import MTime, seconds_of

TYPES = ("animCurveTA", "animCurveTL", "animCurveTT", "animCurveTU")
TYPES += ("animCurveUA", "animCurveUL", "animCurveUT", "animCurveUU")
# Tangent types of files by those of the function set.
FILE_TYPES = {same: same for same in (1, 2, 3, 5, 6, 7, 27, 28, 29)}
FILE_TYPES |= {4: 9, 8: 10, 9: 16, 10: 17, 11: 18}
API_TYPES = {file: number for number, file in FILE_TYPES.items()}


class MAnimCurveChange(Strict):
    """Records edits of curves, to undo and redo them."""

    __slots__ = ("_added", "_curves", "_groups")

    def __init__(self) -> None:
        self._groups: list[Group] = []
        self._curves: list[Node] = []
        self._added: set[int] = set()

    def undoIt(self) -> None:
        for group in reversed(self._groups):
            with scene().journal.record_into(None):
                group.undo()

    def redoIt(self) -> None:
        """Do all again, but for what sticks (see Quirks.redone_keys_stick)."""
        for place, (curve, group) in enumerate(zip(self._curves, self._groups)):
            if session().quirks.redone_keys_stick and curve in _with_redone_keys:
                continue
            with scene().journal.record_into(None):
                group.redo()
            if place in self._added:
                _with_redone_keys.add(curve)


_with_redone_keys: WeakSet[Node] = WeakSet()


class MFnAnimCurve(MFnDependencyNode):
    """An animation curve. Edits are undoable only through the change that they are given."""

    __slots__ = ()
    _type = mfn.MFn.kAnimCurve
    kAnimCurveTA, kAnimCurveTL, kAnimCurveTT, kAnimCurveTU = range(4)
    kAnimCurveUA, kAnimCurveUL, kAnimCurveUT, kAnimCurveUU, kAnimCurveUnknown = range(4, 9)
    kTangentGlobal, kTangentFixed, kTangentLinear, kTangentFlat, kTangentSmooth = range(5)
    kTangentStep, kTangentSlow, kTangentFast, kTangentClamped = range(5, 9)
    kTangentPlateau, kTangentStepNext, kTangentAuto = range(9, 12)
    kTangentAutoMix, kTangentAutoEase, kTangentAutoCustom = range(27, 30)
    kConstant, kLinear, kCycle, kCycleRelative, kOscillate = 0, 1, 3, 4, 5

    def _curve(self) -> Node:
        return self._node()

    def _keys(self) -> Keys:
        keys = self._curve().keys
        return Keys(weighted=session().quirks.new_curves_weighted) if keys is None else keys

    def _key(self, index: int) -> int:
        if not 0 <= index < len(self._keys()):
            raise IndexError(f"there is no key {index}")
        return index

    # --- the curve ------------------------------------------------------------------------------

    @property
    def animCurveType(self) -> int:
        return TYPES.index(self._curve().type)

    @property
    def numKeys(self) -> int:
        return len(self._keys())

    @property
    def isTimeInput(self) -> bool:
        return self.animCurveType <= self.kAnimCurveTU

    @property
    def isWeighted(self) -> bool:
        return self._keys().weighted

    @property
    def preInfinityType(self) -> int:
        return self._keys().pre

    @property
    def postInfinityType(self) -> int:
        return self._keys().post

    def evaluate(self, at: MTime | float, /) -> float:
        """Value in internal units, whatever is connected to the curve's input (maya.md 2.1)."""
        count_call("MFnAnimCurve.evaluate")
        return float(scene().evaluator.curve(self._curve(), self._input_of(at)))

    def _input_of(self, at: MTime | float) -> float:
        if self.isTimeInput:
            check_kind(at, MTime, what="time")
            return seconds_of(at)  # type: ignore[arg-type]
        check_kind(at, int, float, what="input")
        return float(at)  # type: ignore[arg-type]

    # --- keys -----------------------------------------------------------------------------------

    def input(self, index: int, /) -> MTime | float:
        """Time of a key in units of the user interface, or the value that drives it."""
        count_call("MFnAnimCurve.input")
        at = self._keys().times[self._key(index)]
        if not self.isTimeInput:
            return at
        return MTime(MTime(at, MTime.kSeconds).asUnits(MTime.uiUnit()), MTime.uiUnit())

    def value(self, index: int, /) -> float:
        count_call("MFnAnimCurve.value")
        return self._keys().values[self._key(index)]

    def find(self, at: MTime | float, /) -> int | None:
        """Index of the key at a time, None where there is none."""
        return self._keys().key_at(self._input_of(at))

    def findClosest(self, at: MTime | float, /) -> int:
        """Index of the key that is nearest to a time."""
        where = self._input_of(at)
        times = self._keys().times
        return min(range(len(times)), key=lambda index: abs(times[index] - where))

    def inTangentType(self, index: int, /) -> int:
        return API_TYPES[self._keys().in_types[self._key(index)]]

    def outTangentType(self, index: int, /) -> int:
        return API_TYPES[self._keys().out_types[self._key(index)]]

    def getTangentXY(self, index: int, isInTangent: bool, /) -> tuple[float, float]:
        """Tangent in seconds and internal units (maya.md 7)."""
        keys = self._keys()
        return (keys.ins if isInTangent else keys.outs)[self._key(index)]

    def tangentsLocked(self, index: int, /) -> bool:
        locked = self._keys().tangents_locked
        return bool(locked[self._key(index)]) if locked else True

    # --- edits ----------------------------------------------------------------------------------

    def _give(self, keys: Keys, change: MAnimCurveChange | None) -> None:
        curve = self._curve()
        if scene().is_locked(scene().plug_of(curve, "keyTimeValue")) or curve.is_locked:
            raise RuntimeError(f"(kFailure): the curve {curve.name} is locked")
        if change is None:
            with scene().journal.record_into(None):
                scene().set_keys(curve, keys)
            return
        with scene().journal.group() as group:
            scene().set_keys(curve, keys)
        change._groups.append(group)
        change._curves.append(curve)

    def setValue(
        self, index: int, value: float, /, change: MAnimCurveChange | None = None
    ) -> MFnAnimCurve:
        values = list(self._keys().values)
        values[self._key(index)] = float(value)
        self._give(replace(self._keys(), values=values), change)
        return self

    def setTangent(
        self,
        index: int,
        xOrAngle: float,
        yOrWeight: float,
        isInTangent: bool,
        /,
        change: MAnimCurveChange | None = None,
        convertUnits: bool = True,
    ) -> MFnAnimCurve:
        """Give a key a tangent (x, y) of its own.

        guess: set-tangent-makes-fixed (the tangent's type becomes fixed); only without conversion
        of units. guess: locked-tangents-turn-together (so does the other side's, on the same line).
        """
        if convertUnits:
            return not_modelled("MFnAnimCurve.setTangent(convertUnits=True)")
        side = "in" if isInTangent else "out"
        keys = self._keys()
        tangents = list(keys.ins if isInTangent else keys.outs)
        types = list(getattr(keys, f"{side}_types"))
        tangents[self._key(index)] = (float(xOrAngle), float(yOrWeight))
        types[index] = FILE_TYPES[self.kTangentFixed]
        changed: dict[str, Any] = {f"{side}_tangents": tangents, f"{side}_types": types}
        if self.tangentsLocked(index):
            other = "out" if isInTangent else "in"
            along = list(keys.outs if isInTangent else keys.ins)
            reach = abs(along[index][0])
            along[index] = (reach, reach * yOrWeight / xOrAngle if xOrAngle else 0.0)
            kinds = list(getattr(keys, f"{other}_types"))
            kinds[index] = FILE_TYPES[self.kTangentFixed]
            changed.update({f"{other}_tangents": along, f"{other}_types": kinds})
        self._give(replace(keys, **changed), change)
        return self

    def setInTangentType(
        self, index: int, tangentType: int, change: MAnimCurveChange | None = None, /
    ) -> MFnAnimCurve:
        return self._give_type("in_types", index, tangentType, change)

    def setOutTangentType(
        self, index: int, tangentType: int, change: MAnimCurveChange | None = None, /
    ) -> MFnAnimCurve:
        return self._give_type("out_types", index, tangentType, change)

    def _give_type(
        self, name: str, index: int, kind: int, change: MAnimCurveChange | None
    ) -> MFnAnimCurve:
        types = list(getattr(self._keys(), name))
        types[self._key(index)] = FILE_TYPES[kind]
        self._give(replace(self._keys(), **{name: types}), change)
        return self

    def setTangentsLocked(
        self, index: int, locked: bool, change: MAnimCurveChange | None = None, /
    ) -> MFnAnimCurve:
        given = self._keys().tangents_locked
        locks = list(given) if given else [True] * len(self._keys())
        locks[self._key(index)] = bool(locked)
        self._give(replace(self._keys(), tangents_locked=locks), change)
        return self

    def addKey(
        self,
        at: MTime | float,
        value: float,
        tangentInType: int = 0,
        tangentOutType: int = 0,
        change: MAnimCurveChange | None = None,
    ) -> int:
        """Add a key, or change the one that is there; gives its index."""
        keys = self._keys().with_key(self._input_of(at), float(value))
        index = keys.key_at(self._input_of(at))
        assert index is not None
        for name, kind in (("in_types", tangentInType), ("out_types", tangentOutType)):
            if kind != self.kTangentGlobal:
                types = list(getattr(keys, name))
                types[index] = FILE_TYPES[kind]
                keys = replace(keys, **{name: types})
        self._give(keys, change)
        return index

    def addKeys(
        self,
        times: Sequence[Any],
        values: Sequence[float],
        tangentInType: int = 0,
        tangentOutType: int = 0,
        keepExistingKeys: bool = False,
        change: MAnimCurveChange | None = None,
    ) -> MFnAnimCurve:
        """Add keys of one tangent type each side, in place of all that are there."""
        if keepExistingKeys or tangentInType == self.kTangentGlobal or tangentOutType == 0:
            return not_modelled("MFnAnimCurve.addKeys that keeps keys or takes global tangents")
        new = [self._input_of(at) for at in times]
        old = self._keys().times
        if old and (not new or old[0] < new[0] or new[-1] < old[-1]):
            # guess: add-keys-replaces (all keys between the first and the last new one are cut)
            return not_modelled("MFnAnimCurve.addKeys with old keys outside of the new ones")
        count = len(new)
        keys = replace(
            self._keys(),
            times=new,
            values=list(values),
            in_types=[FILE_TYPES[tangentInType]] * count,
            out_types=[FILE_TYPES[tangentOutType]] * count,
            in_tangents=(),
            out_tangents=(),
            tangents_locked=(),
            weights_locked=(),
            breakdowns=(),
        )
        self._give(keys, change)
        if change is not None:
            change._added.add(len(change._groups) - 1)
        if change is not None and old and session().quirks.replacing_keys_undo_short:
            # Undone after what it follows: the last of the old keys does not come back.
            change._groups[-1].items.insert(0, Edit(self._drop_last_key, lambda: None))
        return self

    def _drop_last_key(self) -> None:
        keys = self._keys()
        scene().set_keys(self._curve(), keys.without_key(len(keys) - 1))

    def setPreInfinityType(
        self, infinityType: int, change: MAnimCurveChange | None = None, /
    ) -> MFnAnimCurve:
        self._give(replace(self._keys(), pre=_infinity(infinityType)), change)
        return self

    def setPostInfinityType(
        self, infinityType: int, change: MAnimCurveChange | None = None, /
    ) -> MFnAnimCurve:
        self._give(replace(self._keys(), post=_infinity(infinityType)), change)
        return self

    def remove(self, index: int, /, change: MAnimCurveChange | None = None) -> MFnAnimCurve:
        self._give(self._keys().without_key(self._key(index)), change)
        return self


def _infinity(kind: int) -> int:
    if kind not in (0, 1, 3, 4, 5):
        raise ValueError(f"infinity type {kind}")
    return kind
