"""MAngle, MDistance and MTime: a number and its unit.

Unit numbers are those of the API 2.0 (read from maya-stubs 0.4.2 and types-maya 0.6.1); the ticks
of a second those of maya.md 2.4.
"""

from __future__ import annotations

import math
from functools import partialmethod
from typing import Any, ClassVar

from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.open_maya.current import scene
from tests.maya_standin.open_maya.strict import Strict
from tests.maya_standin.words import words_of

TICKS_PER_SECOND = 141_120_000


class MeasuredValue(Strict):
    """A number in one of a class's units; subclasses list what a unit is worth internally."""

    __slots__ = ("_unit", "_value")
    _worth: ClassVar[dict[int, float]]
    _default_unit: ClassVar[int]

    def __init__(self, value: Any = 0.0, unit: int | None = None) -> None:
        if isinstance(value, type(self)):
            value, unit = value._value, value._unit
        elif isinstance(value, (bool, str)) or not isinstance(value, (int, float)):
            raise TypeError(f"{type(self).__name__} takes a number, not {type(value).__name__}")
        self._value = float(value)
        self._unit = self._default_unit if unit is None else unit
        self._worth_of(self._unit)

    @classmethod
    def _worth_of(cls, unit: int) -> float:
        if unit not in cls._worth:
            raise NotModelledError(f"{cls.__name__} unit {unit!r}")
        return cls._worth[unit]

    @property
    def value(self) -> float:
        return self._value

    @value.setter
    def value(self, value: float) -> None:
        self._value = float(value)

    @property
    def unit(self) -> int:
        return self._unit

    @unit.setter
    def unit(self, unit: int) -> None:
        # guess: unit-setter-keeps-number (the number is kept, not converted)
        self._worth_of(unit)
        self._unit = unit

    def asUnits(self, unit: int, /) -> float:
        if unit == self._unit:
            return self._value
        return self._value * self._worth_of(self._unit) / self._worth_of(unit)

    def _internal(self) -> float:
        return self._value * self._worth_of(self._unit)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._value}, {self._unit})"


class MAngle(MeasuredValue):
    """An angle; radians inside Maya."""

    __slots__ = ()
    kInvalid, kRadians, kDegrees, kAngMinutes, kAngSeconds, kLast = range(6)
    _worth: ClassVar[dict[int, float]] = {
        kRadians: 1.0,
        kDegrees: math.pi / 180.0,
        kAngMinutes: math.pi / 180.0 / 60.0,
        kAngSeconds: math.pi / 180.0 / 3600.0,
    }
    _default_unit = kRadians
    _ui_names: ClassVar[dict[str, int]] = {"deg": kDegrees, "rad": kRadians}

    def asRadians(self) -> float:
        return self.asUnits(self.kRadians)

    @classmethod
    def uiUnit(cls) -> int:
        return cls._ui_names[scene().units.angle]

    @classmethod
    def internalUnit(cls) -> int:
        return cls.kRadians

    @classmethod
    def internalToUI(cls, internalValue: float, /) -> float:
        return cls(internalValue).asUnits(cls.uiUnit())

    @classmethod
    def uiToInternal(cls, uiValue: float, /) -> float:
        return cls(uiValue, cls.uiUnit()).asRadians()


class MDistance(MeasuredValue):
    """A length; centimetres inside Maya."""

    __slots__ = ()
    kInvalid, kInches, kFeet, kYards, kMiles, kMillimeters = range(6)
    kCentimeters, kKilometers, kMeters, kLast = range(6, 10)
    _worth: ClassVar[dict[int, float]] = {
        kInches: 2.54,
        kFeet: 30.48,
        kYards: 91.44,
        kMiles: 160934.4,
        kMillimeters: 0.1,
        kCentimeters: 1.0,
        kKilometers: 100000.0,
        kMeters: 100.0,
    }
    _default_unit = kCentimeters
    _ui_names: ClassVar[dict[str, int]] = dict(
        zip(words_of("in ft yd mi mm cm km m"), range(kInches, kLast))
    )

    def asCentimeters(self) -> float:
        return self.asUnits(self.kCentimeters)

    @classmethod
    def uiUnit(cls) -> int:
        return cls._ui_names[scene().units.linear]

    @classmethod
    def internalUnit(cls) -> int:
        return cls.kCentimeters

    @classmethod
    def internalToUI(cls, internalValue: float, /) -> float:
        return cls(internalValue).asUnits(cls.uiUnit())

    @classmethod
    def uiToInternal(cls, uiValue: float, /) -> float:
        return cls(uiValue, cls.uiUnit()).asCentimeters()


for _class, _units in (
    (MAngle, "Degrees AngMinutes AngSeconds"),
    (MDistance, "Inches Feet Yards Miles Millimeters Kilometers Meters"),
):
    for _word in words_of(_units):
        _as_unit = partialmethod(MeasuredValue.asUnits, getattr(_class, f"k{_word}"))
        setattr(_class, f"as{_word}", _as_unit)

FRAME_RATES = {
    "kGames": (5, 15.0),
    "k15FPS": (5, 15.0),
    "kFilm": (6, 24.0),
    "k24FPS": (6, 24.0),
    "kPALFrame": (7, 25.0),
    "k25FPS": (7, 25.0),
    "kNTSCFrame": (8, 30.0),
    "k30FPS": (8, 30.0),
    "kShowScan": (9, 48.0),
    "k48FPS": (9, 48.0),
    "kPALField": (10, 50.0),
    "k50FPS": (10, 50.0),
    "kNTSCField": (11, 60.0),
    "k60FPS": (11, 60.0),
    "k100FPS": (25, 100.0),
    "k120FPS": (26, 120.0),
    "k240FPS": (30, 240.0),
    "k23_976FPS": (43, 24000.0 / 1001.0),
    "k29_97FPS": (44, 30000.0 / 1001.0),
    "k59_94FPS": (47, 60000.0 / 1001.0),
    "k90FPS": (50, 90.0),
    "k119_88FPS": (51, 120000.0 / 1001.0),
}
RATES = dict(FRAME_RATES.values())


class MTime(MeasuredValue):
    """A time; seconds inside the stand-in, ticks inside Maya."""

    __slots__ = ()
    kInvalid, kHours, kMinutes, kSeconds, kMilliseconds = range(5)
    _worth: ClassVar[dict[int, float]] = {
        kHours: 3600.0,
        kMinutes: 60.0,
        kSeconds: 1.0,
        kMilliseconds: 0.001,
        **{number: 1.0 / rate for number, rate in RATES.items()},
    }
    # maya.md 2.4: MTime(1.0) is a frame at 24 fps, whatever the scene's rate is.
    _default_unit = FRAME_RATES["k24FPS"][0]

    @classmethod
    def uiUnit(cls) -> int:
        return unit_of_word(scene().units.time)

    def asUnits(self, unit: int, /) -> float:
        """Frames as rate times seconds, which keeps whole frames whole more often."""
        if unit == self._unit:
            return self._value
        seconds = self._internal()
        return seconds * RATES[unit] if unit in RATES else seconds / self._worth_of(unit)

    def _internal(self) -> float:
        rate = RATES.get(self._unit)
        return self._value / rate if rate else self._value * self._worth_of(self._unit)

    def _compared(self, other: object) -> tuple[int, int]:
        if not isinstance(other, MTime):
            raise TypeError(f"an MTime cannot be compared with {type(other).__name__}")
        return (_ticks(self), _ticks(other))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MTime) and _ticks(self) == _ticks(other)

    def __hash__(self) -> int:
        return hash(_ticks(self))

    def __lt__(self, other: object) -> bool:
        mine, others = self._compared(other)
        return mine < others

    def __le__(self, other: object) -> bool:
        mine, others = self._compared(other)
        return mine <= others

    def __gt__(self, other: object) -> bool:
        return not self <= other

    def __ge__(self, other: object) -> bool:
        return not self < other

    def __add__(self, other: object) -> MTime:
        return MTime(self._value + self._number_of(other), self._unit)

    def __sub__(self, other: object) -> MTime:
        return MTime(self._value - self._number_of(other), self._unit)

    def __mul__(self, factor: float) -> MTime:
        return MTime(self._value * factor, self._unit)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> MTime:
        if isinstance(divisor, MTime):
            raise NotModelledError("MTime / MTime")
        return MTime(self._value / divisor, self._unit)

    def _number_of(self, other: object) -> float:
        if not isinstance(other, MTime):
            raise NotModelledError(f"MTime with a {type(other).__name__}")
        return other.asUnits(self._unit)


for _name, (_number, _) in FRAME_RATES.items():
    setattr(MTime, _name, _number)


def _ticks(time: MTime) -> int:
    return round(time._internal() * TICKS_PER_SECOND)


# Words of `currentUnit -time` (maya.md 8).
WORDS = {"game": 5, "film": 6, "pal": 7, "ntsc": 8, "show": 9, "palf": 10, "ntscf": 11, "sec": 3}


def unit_of_word(word: str) -> int:
    """Number of the time unit that `currentUnit` calls by a word, such as "ntsc" or "120fps"."""
    if word in WORDS:
        return WORDS[word]
    name = "k" + word.replace(".", "_").replace("fps", "FPS")
    if not word.endswith("fps") or name not in FRAME_RATES:
        raise NotModelledError(f"time unit {word}")
    return FRAME_RATES[name][0]


def seconds_of(time: MTime) -> float:
    """Seconds of a time."""
    return time._internal()
