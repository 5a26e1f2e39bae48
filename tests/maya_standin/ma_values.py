"""Values of setAttr statements: file units outside, radians, centimetres and seconds inside.

maya.md 8: angles are in the `-a` unit, lengths in the `-l` unit, times of keys in the `-t` unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.maya_standin.attributes import NUMBERS, WHOLE, AttributeSpec
from tests.maya_standin.commands.ui_values import ANGLES, LENGTHS, frames_per_second
from tests.maya_standin.ma_statements import Word, is_yes
from tests.maya_standin.pose_record import RECORD_LENGTH, PoseMatrix
from tests.maya_standin.words import pairs_of

_LONG_LENGTHS = pairs_of("millimeter:mm centimeter:cm meter:m kilometer:km inch:in foot:ft yard:yd")
_LONG_ANGLES = {"degree": "deg", "radian": "rad"}


class UnreadableValueError(Exception):
    """Words that are no value of the attribute."""


@dataclass(frozen=True)
class FileUnits:
    """Units of a file, by the words of `currentUnit`."""

    linear: str = "cm"
    angle: str = "deg"
    time: str = "film"

    @classmethod
    def from_names(cls, linear: str, angle: str, time: str) -> FileUnits:
        """From long or short words."""
        return cls(_LONG_LENGTHS.get(linear, linear), _LONG_ANGLES.get(angle, angle), time)

    def inside(self, kind: str, value: float) -> float:
        """A number of the file in internal units."""
        if kind == "angle":
            return value * ANGLES[self.angle]
        if kind == "distance":
            return value * LENGTHS[self.linear]
        if kind == "time":
            return value / frames_per_second(self.time)
        return value

    def outside(self, kind: str, value: float) -> float:
        """The number that is read as this value again, where there is one."""
        if kind not in ("angle", "distance", "time"):
            return value
        near = {
            "angle": lambda: value / ANGLES[self.angle],
            "distance": lambda: value / LENGTHS[self.linear],
            "time": lambda: value * frames_per_second(self.time),
        }[kind]()
        return next((one for one in _compound_path(near) if self.inside(kind, one) == value), near)


def _compound_path(number: float) -> Iterator[float]:
    """Tidy numbers first, then the neighbours of a number."""
    yield round(number, 10)
    yield number
    for toward in (-math.inf, math.inf):
        step = number
        for _ in range(3):
            step = math.nextafter(step, toward)
            yield step


def number_text(number: float) -> str:
    """Shortest text that is read as the same number."""
    if math.isfinite(number) and number == int(number) and abs(number) < 1e15:
        return "-0" if number == 0.0 and math.copysign(1.0, number) < 0.0 else str(int(number))
    return repr(number)


def leaves(spec: AttributeSpec, stem: str = "") -> Iterator[tuple[str, AttributeSpec]]:
    """Paths of the single attributes of a compound below `stem`; of a single one itself."""
    if not spec.children:
        yield stem, spec
    for child in spec.children:
        if child.children or child.array:
            raise UnreadableValueError(f"{child.long} cannot be set with its compound")
        yield child.long, child


def number(word: Word) -> float:
    """Number of a word; truth counts as 1 and 0."""
    if word.text in ("yes", "no", "on", "off", "true", "false"):
        return float(is_yes(word.text))
    try:
        return float(word.text)
    except ValueError:
        raise UnreadableValueError(f"{word.text!r} is no number") from None


def text_of(words: Sequence[Word]) -> str:
    """A string, which long ones are glued from: ("one" + "two")."""
    return "".join(word.text for word in words if word.quoted)


def single(spec: AttributeSpec, words: Sequence[Word], units: FileUnits) -> Any:
    """Value of an attribute that is no compound."""
    if spec.kind == "string":
        return text_of(words)
    if spec.kind == "matrix":
        return matrix(words, units)
    if spec.kind not in NUMBERS | WHOLE | {"bool"} or len(words) != 1:
        raise UnreadableValueError(f"{len(words)} words for {spec.long}")
    if spec.kind in WHOLE:
        return int(number(words[0]))
    return spec.cast(units.inside(spec.kind, number(words[0])))


def matrix(words: Sequence[Word], units: FileUnits) -> tuple[float, ...]:
    """Sixteen numbers, or the record that `-type "matrix" "xform"` stores."""
    if words and words[0].text == "xform":
        record = tuple(number(word) for word in words[1:])
        if len(record) != RECORD_LENGTH:
            raise UnreadableValueError(f"a pose record of {len(record)} numbers")
        return PoseMatrix.of(record)
    values = tuple(number(word) for word in words)
    if len(values) != 16:
        raise UnreadableValueError(f"a matrix of {len(values)} numbers")
    return values
