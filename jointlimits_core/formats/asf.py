"""Acclaim skeletons (ASF).

Conversion:

* A joint has the name of the bone that it rotates, and sits at the end of the parent bone: its
  offset is the parent's `direction * length`, or zero for children of the root.
* `axis` states the orientation C of the axes about which a bone rotates, and the order in which its
  angles apply ("XYZ": X first). A rotation M about these axes turns the bone by ``C M C^-1``
  relative to its parent. So jointOrient is C, rotateAxis is ``C^-1``, and all rest rotations are 0.
* The order of `dof` is the rotate order: `rx ry rz` rotates about X first, which is "xyz".
* `dof` and `limits` state the author's intent, and are kept only as declarations.
* One length unit of the file is ``1 / length`` inches.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..base.errors import InputError
from ..geometry import euler, quaternion
from ..io.input import DEFAULT_LIMITS, FilePath, ReadLimits
from ..motion.skeleton import Declaration, Skeleton
from .text import TextFile, read_text
from .tokens import MAX_NUMBER, Word, bad_number, decode_text, split_numbers

CHANNEL_OF_DOF = {
    "rx": "rotateX",
    "ry": "rotateY",
    "rz": "rotateZ",
    "tx": "translateX",
    "ty": "translateY",
    "tz": "translateZ",
    "l": "length",
}
ROOT = "root"
METERS_PER_INCH = 0.0254
LINE_BUDGET_FACTOR = 16
"""The maximum length of a line is divided by this, as each word is stored with its place."""
_WORD = re.compile(r"\S+")
# `#` inside a word is not a comment: `-1.#IND` is a broken number.
_COMMENT = re.compile(rb"(?:^|(?<=\s))#.*", re.DOTALL)
_INFINITE = re.compile(r"(?i)[+-]?inf(inity)?")
_PARENTHESES = bytes.maketrans(b"(),", b"   ")


class AcclaimError(InputError):
    """An ASF skeleton or AMC motion that cannot be read."""


@dataclass
class Bone:
    """A bone or the root as the file describes it; angles are in the file's unit."""

    place: Word
    name: str = ""
    direction: list[float] | None = None
    length: float | None = None
    axis: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    axis_order: str = "xyz"
    dof: tuple[str, ...] = ()
    limits: list[float] = field(default_factory=list)
    position: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])


def without_comment(line: bytes) -> bytes:
    """Line without its comment; `#` starts one at the beginning or after white space."""
    return _COMMENT.sub(b"", line) if b"#" in line else line


class _AsfFile:
    """Content of an ASF file, whose sections may be in any order.

    `root`: its `axis` is its orientation. `bones`: by name, without the root. `children`: names of
    the children of each bone. `length_unit`: units of the file per inch. `angle_unit`: "degrees" or
    "radians"; None if not stated, which means degrees.
    """

    def __init__(self, text: TextFile, limits: ReadLimits) -> None:
        self.text, self._limits = text, limits
        self.root = Bone(Word(ROOT, 1, 1), ROOT)
        self.bones: dict[str, Bone] = {}
        self.children: dict[str, list[Word]] = {}
        self.length_unit = 1.0
        self.angle_unit: str | None = None
        self._bone: Bone | None = None
        self._in_limits = False
        self._read_sections()

    def _read_sections(self) -> None:
        readers = {
            "units": self._read_unit,
            "root": self._read_root,
            "bonedata": self._read_bone_line,
            "hierarchy": self._read_hierarchy_line,
        }
        section: str | None = None
        for number, line in self.text.lines():
            readable = decode_text(without_comment(line).translate(_PARENTHESES))
            words = [Word(m.group(), number, m.start() + 1) for m in _WORD.finditer(readable)]
            if not words:
                continue
            if words[0].text.startswith(":"):
                self._check_ended()
                section = words[0].text[1:].lower()
            elif section is None:
                message = f"{words[0]} comes before the first section (:units ...)"
                raise self._fail(f"{message}; give an ASF file", words)
            elif section in readers:
                readers[section](words)
        self._check_ended()

    def _fail(self, message: str, words: list[Word]) -> InputError:
        return self.text.fail(message, words[0].line, words[0].column)

    def _check_ended(self) -> None:
        if self._bone is not None:
            raise self._fail('this bone has no "end" line', [self._bone.place])

    def _numbers(self, key: Word, words: list[Word], count: int) -> list[float]:
        """Exactly `count` finite numbers at the start of `words`."""
        numbers = split_numbers(" ".join(word.text for word in words[:count]).encode("utf-8"))
        if numbers is None or not all(abs(number) < MAX_NUMBER for number in numbers):
            word = next(w for w in words if bad_number(w.text.encode("utf-8")) is not None)
            raise self._fail(f"{key} must be {count} finite numbers, found {word}", [word])
        if len(numbers) != count:
            raise self._fail(f"{key} must be {count} numbers, found {len(numbers)}", [key])
        return numbers

    def _read_unit(self, words: list[Word]) -> None:
        key = words[0].text.lower()
        if key == "length":
            (length,) = self._numbers(words[0], words[1:], 1)
            if not 1e-9 < length < 1e9:
                raise self._fail("the length unit must be greater than 0", words[1:])
            self.length_unit = length
        elif key == "angle":
            unit = words[1].text.lower() if len(words) > 1 else ""
            if not unit.startswith(("deg", "rad")):
                raise self._fail("the angle unit must be deg or rad", words)
            self.angle_unit = "radians" if unit.startswith("rad") else "degrees"

    def _read_root(self, words: list[Word]) -> None:
        root, key = self.root, words[0].text.lower()
        if key == "order":
            root.dof = self._dof(words[1:])
        elif key == "axis" and len(words) > 1:
            root.axis_order = self._axis_order(words[1])
        elif key == "position":
            root.position = self._numbers(words[0], words[1:], 3)
        elif key == "orientation":
            root.axis = self._numbers(words[0], words[1:], 3)

    def _dof(self, words: list[Word]) -> tuple[str, ...]:
        channels: list[str] = []
        for word in words:
            channel = CHANNEL_OF_DOF.get(word.text.lower())
            if channel is None or channel in channels:
                expected = "one of " + " ".join(CHANNEL_OF_DOF) + ", each once"
                raise self._fail(f"degree of freedom {word} is not {expected}", [word])
            channels.append(channel)
        return tuple(channels)

    def _axis_order(self, word: Word) -> str:
        order = word.text.lower()
        if order not in euler.ROTATE_ORDERS:
            raise self._fail(f"axis order {word} must be X, Y and Z in some order", [word])
        return order

    def _read_bone_line(self, words: list[Word]) -> None:
        key = words[0].text.lower()
        if key == "begin":
            self._check_ended()
            self._bone, self._in_limits = Bone(words[0]), False
        elif self._bone is None:
            raise self._fail(f"{words[0]} must be between begin and end", words)
        elif key == "end":
            self._end_bone(self._bone)
        elif self._in_limits and self._limit(words[0]) is not None:
            self._bone.limits += self._limit_row(words)
        else:
            self._read_bone_key(self._bone, key, words)
            self._in_limits = key == "limits"

    def _end_bone(self, bone: Bone) -> None:
        problem = ""
        if not bone.name:
            problem = "this bone has no name"
        elif bone.name in self.bones or bone.name == ROOT:
            problem = f"bone {bone.name!a} is defined twice"
        elif bone.direction is None or bone.length is None:
            problem = f"bone {bone.name!a} needs a direction and a length"
        elif len(self.bones) + 1 >= self._limits.max_joints:
            problem = self._limits.refusal("max_joints", "joints", subject="has")
        if problem:
            raise self._fail(problem, [bone.place])
        self.bones[bone.name], self._bone = bone, None

    def _read_bone_key(self, bone: Bone, key: str, words: list[Word]) -> None:
        """Read a `key value...` line; keys irrelevant to motion (mass, id, ...) are skipped."""
        values = words[1:]
        if key == "name":
            if len(values) != 1:
                raise self._fail("a bone's name must be one word", words)
            bone.name = values[0].text
        elif key == "direction":
            bone.direction = self._numbers(words[0], values, 3)
        elif key == "length":
            (bone.length,) = self._numbers(words[0], values, 1)
        elif key == "axis":
            bone.axis = self._numbers(words[0], values, 3)
            bone.axis_order = self._axis_order(values[3]) if len(values) > 3 else "xyz"
        elif key == "dof":
            bone.dof = self._dof(values)
        elif key == "limits":
            bone.limits = self._limit_row(values)

    @staticmethod
    def _limit(word: Word) -> float | None:
        numbers = split_numbers(word.text.encode("utf-8")) or []
        if len(numbers) == 1 and (abs(numbers[0]) < MAX_NUMBER or _INFINITE.fullmatch(word.text)):
            return numbers[0]
        return None

    def _limit_row(self, words: list[Word]) -> list[float]:
        row = []
        for word in words:
            value = self._limit(word)
            if value is None:
                raise self._fail(f"limit {word} must be a number or inf", [word])
            row.append(value)
        return row

    def _read_hierarchy_line(self, words: list[Word]) -> None:
        if words[0].text.lower() not in ("begin", "end"):
            self.children.setdefault(words[0].text, []).extend(words[1:])


def read_asf(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> Skeleton:
    """Read an ASF skeleton.

    `declarations[joint].dof` of the skeleton lists the channels in the order of the values in an
    AMC file, including "translateX", ... and "length"; `limits_deg` has only rotation limits, with
    None for inf. Raises AcclaimError with line and column, including for unknown bones and for
    bones with two parents or none.
    """
    longest_line = limits.max_line_bytes // LINE_BUDGET_FACTOR
    return _skeleton_of(read_text(path, limits, AcclaimError, longest_line), limits)


@lru_cache(maxsize=4)
def _skeleton_of(text: TextFile, limits: ReadLimits) -> Skeleton:
    """Skeleton in a file; the clips of one subject share the file and hence the skeleton."""
    file = _AsfFile(text, limits)
    names, parents = _order_bones(file, limits)
    bones = [file.root, *(file.bones[name] for name in names[1:])]
    is_radians = file.angle_unit == "radians"
    angles = [np.array(one.axis) if is_radians else np.radians(one.axis) for one in bones]
    turns = zip(angles, (one.axis_order for one in bones))
    axes = np.array([euler.quaternion_from_euler(*turn) for turn in turns])
    # Position of each joint relative to its parent, shape (joints, 3).
    offsets = np.zeros((len(bones), 3))
    offsets[0] = file.root.position
    for index, parent in enumerate(parents):
        above = bones[parent]
        if parent > 0 and above.direction is not None and above.length is not None:
            offsets[index] = [component * above.length for component in above.direction]
            if not np.isfinite(offsets[index]).all():
                message = f"the length of bone {above.name!a} overflows"
                raise file.text.fail(message, above.place.line, above.place.column)
    return Skeleton(
        names=tuple(names),
        parents=np.array(parents),
        offsets=offsets,
        rest_source="asf",
        rotate_orders=tuple(_rotate_order(bone) for bone in bones),
        joint_orients=axes,
        rotate_axes=quaternion.conjugate(axes),
        declarations={bone.name: _declaration(bone, is_radians) for bone in bones},
        name=Path(text.path).stem,
        meters_per_unit=METERS_PER_INCH / file.length_unit,
        angle_unit=file.angle_unit,
    )


def _rotate_order(bone: Bone) -> str:
    """Order of the rotations in `dof`; fixed axes come last."""
    listed = (channel[-1].lower() for channel in bone.dof if channel in euler.CHANNELS)
    return "".join(dict.fromkeys((*listed, *"xyz")))


def _declaration(bone: Bone, radians: bool) -> Declaration:
    """Degrees of freedom and rotation limits, with None for infinite limits."""
    degrees = np.degrees(bone.limits) if radians else np.array(bone.limits)
    ends = [float(value) if np.isfinite(value) else None for value in degrees]
    ranges = zip(bone.dof, zip(ends[0::2], ends[1::2]))
    limits = {channel: pair for channel, pair in ranges if channel in euler.CHANNELS}
    return Declaration(dof=bone.dof, limits_deg=limits)


def _order_bones(file: _AsfFile, limits: ReadLimits) -> tuple[list[str], list[int]]:
    """Names and parents in hierarchy order; each child must be a known bone with one parent."""
    seen: set[str] = set()
    for above, children in file.children.items():
        if above != ROOT and above not in file.bones:
            line = children[0].line if children else None
            raise file.text.fail(f"the hierarchy names an unknown bone {above!a}", line)
        for child in children:
            if child.text not in file.bones or child.text in seen:
                message = f"the hierarchy names an unknown bone {child}"
                if child.text in seen:
                    message = f"bone {child} has two parents"
                raise file.text.fail(message, child.line, child.column)
            seen.add(child.text)
    names: list[str] = []
    parents: list[int] = []
    waiting = [(ROOT, -1, 1)]
    while waiting:
        name, parent, depth = waiting.pop()
        if depth > limits.max_depth:
            refusal = limits.refusal("max_depth", "nested joints", subject="has")
            raise file.text.fail(refusal, file.bones[name].place.line)
        names.append(name)
        parents.append(parent)
        below, index = reversed(file.children.get(name, [])), len(names) - 1
        waiting += [(child.text, index, depth + 1) for child in below]
    reached = set(names)
    for name, bone in file.bones.items():
        if name not in reached:
            message = f"bone {name!a} is not linked to the root; its parents are missing or cyclic"
            raise file.text.fail(message, bone.place.line, bone.place.column)
    return names, parents


def skeleton_beside(path: Path) -> str:
    """Name of the ASF file that belongs to an AMC file.

    This is the only ASF file in the folder; or else the one with the longest name that the
    AMC file's name begins with; or else the one for the same subject, such as "09-run.asf" for
    "09_06-run.amc". Raises ValueError if none or more than one matches.
    """
    names = sorted(name for name in os.listdir(path.parent) if name.lower().endswith(".asf"))
    if not names:
        raise ValueError("no skeleton (.asf) found in its folder")
    stems = {name: name[: -len(".asf")].lower() for name in names}
    begins = [name for name in names if path.stem.lower().startswith(stems[name])]
    longest = max((len(stems[name]) for name in begins), default=0)
    fitting = [name for name in begins if len(stems[name]) == longest]
    if not fitting:
        fitting = [name for name in names if _subject(stems[name]) == _subject(path.stem.lower())]
    chosen = names if len(names) == 1 else fitting
    if len(chosen) != 1:
        count, listed = ("several", fitting) if fitting else ("none", names)
        words = f"{count} with a matching name: {', '.join(listed)}"
        raise ValueError(f"several skeletons in its folder, {words}")
    return chosen[0]


def _subject(stem: str) -> str:
    """First word of a file's name, which in public libraries is the subject."""
    return re.split(r"[^0-9a-z]", stem, maxsplit=1)[0]
