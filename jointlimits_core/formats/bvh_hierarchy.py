"""HIERARCHY section of a BVH file: joints, offsets and channels."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from ..base import FreeNames
from ..io import ReadLimits
from .tokens import Word, WordStream

MAX_NAME = 1024
MAX_PATHS = 1 << 24
_COUNT = re.compile(r"\d{1,9}")
_CHANNEL = re.compile(r"([XYZ])(POSITION|ROTATION)", re.IGNORECASE)
_END_SITE = -1


@dataclass(frozen=True)
class Channel:
    """One column of the motion: `axis` 0 to 2 of a joint's rotation, or of its position."""

    axis: int
    is_rotation: bool


@dataclass
class BvhJoint:
    """A joint as written in the file.

    Parameters
    ----------
    name : str
        Up to the end of its line, including spaces and colons.
    parent : int
        Index of the parent, -1 for a root.
    offset : list of float
        As written in OFFSET.
    channels : tuple of Channel, optional
        In file order; None until CHANNELS is read.
    """

    name: str
    parent: int
    offset: list[float]
    channels: tuple[Channel, ...] | None = None

    @property
    def rotation_axes(self) -> list[int]:
        """Axes of the rotation channels, in file order."""
        return [channel.axis for channel in self.channels or () if channel.is_rotation]


class HierarchyReader:
    """Reader of words up to MOTION; nesting is kept in a list, not on the call stack."""

    def __init__(self, words: WordStream, limits: ReadLimits) -> None:
        self._words, self._limits = words, limits
        self._joints: list[BvhJoint] = []
        self._open: list[tuple[int, Word]] = []  # joint index or _END_SITE, and its brace

    def read(self) -> list[BvhJoint]:
        """Read the joints, parents first.

        Raises BvhError at the unexpected word.
        """
        readers = {
            "ROOT": self._read_joint,
            "JOINT": self._read_joint,
            "END": self._read_end_site,
            "OFFSET": self._read_offset,
            "CHANNELS": self._read_channels,
            "}": self._read_close,
        }
        for word in iter(self._words.next, None):
            keyword = word.text.upper()
            if keyword == "MOTION":
                return self._finished()
            if keyword in readers:
                readers[keyword](word)
            elif keyword != "HIERARCHY":
                raise self._words.fail(f"{word} is not a BVH hierarchy keyword", word)
        self._finished()
        raise self._words.fail("has no MOTION section; export the motion with the skeleton")

    def _finished(self) -> list[BvhJoint]:
        if self._open:
            raise self._words.fail("this brace is never closed", self._open[-1][1])
        if not self._joints:
            raise self._words.fail("is not a BVH file: expected HIERARCHY, then ROOT")
        return self._joints

    def _read_joint(self, word: Word) -> None:
        parent = self._open[-1][0] if self._open else -1
        if self._open and parent == _END_SITE:
            raise self._words.fail("an End Site cannot have child joints", word)
        name = self._words.rest_of_line()
        if not name or len(name) > MAX_NAME:
            raise self._words.fail(f"{word} needs a name of 1 to {MAX_NAME} characters", word)
        if len(self._joints) == self._limits.max_joints:
            raise self._words.fail(
                self._limits.refusal("max_joints", "joints", subject="has"), word
            )
        self._joints.append(BvhJoint(name, parent, [0.0, 0.0, 0.0]))
        self._read_open(len(self._joints) - 1, word)

    def _read_end_site(self, word: Word) -> None:
        if not self._open or self._open[-1][0] == _END_SITE:
            raise self._words.fail("an End Site must be inside a joint", word)
        self._words.rest_of_line()
        self._read_open(_END_SITE, word)

    def _read_open(self, joint: int, owner: Word) -> None:
        brace = self._words.next()
        if brace is None or brace.text != "{":
            raise self._words.fail(f"expected {{ after {owner}", brace or owner)
        if len(self._open) == self._limits.max_depth:
            refusal = self._limits.refusal("max_depth", "nested joints", subject="has")
            raise self._words.fail(refusal, brace)
        self._open.append((joint, brace))

    def _read_close(self, word: Word) -> None:
        if not self._open:
            raise self._words.fail("this closing brace has no opening brace", word)
        self._open.pop()

    def _present_joint(self, word: Word) -> BvhJoint | None:
        """Return the innermost open joint; None in an End Site."""
        if not self._open:
            raise self._words.fail(f"{word} is outside of every joint", word)
        index = self._open[-1][0]
        return None if index == _END_SITE else self._joints[index]

    def _read_offset(self, word: Word) -> None:
        joint = self._present_joint(word)
        offset = self._words.numbers(3, "OFFSET")
        if joint is not None:
            joint.offset = offset

    def _read_channels(self, word: Word) -> None:
        joint = self._present_joint(word)
        if joint is None or joint.channels is not None:
            where = "an End Site" if joint is None else "a joint that already has CHANNELS"
            raise self._words.fail(f"CHANNELS in {where}", word)
        if joint is not self._joints[-1]:
            message = "CHANNELS must come before child joints: programs disagree on whose columns "
            raise self._words.fail(message + "come first otherwise; move them up", word)
        count = self._words.next()
        if count is None or not _COUNT.fullmatch(count.text):
            raise self._words.fail("CHANNELS must start with their number", count or word)
        channels: list[Channel] = []
        while len(channels) < int(count.text):
            name = self._words.next()
            match = None if name is None else _CHANNEL.fullmatch(name.text)
            if match is None:
                message = f"CHANNELS needs {count.text} channels, found {name or 'the end'}"
                raise self._words.fail(message, name or word)
            channels.append(Channel("XYZ".index(match[1].upper()), match[2].upper() == "ROTATION"))
        joint.channels = tuple(channels)


def joint_names(joints: list[BvhJoint], words: WordStream) -> tuple[list[str], list[str]]:
    """Unique names: those of the file, and full paths for repeated ones.

    Raises BvhError if the full paths are too long to store.

    Paths are joined with "|"; same-named children of one joint are numbered "#2", "#3", ... Returns
    the names of the joints, and the names used more than once. `words`: source of the joints, for
    errors.
    """
    count = Counter(joint.name for joint in joints)
    repeated = [name for name, times in count.items() if times > 1]
    free = FreeNames(set(count) - set(repeated), "{}#{}")
    names: list[str] = []
    characters = 0
    for joint in joints:
        name = joint.name
        if count[name] > 1:
            path = _path(joints, joint)
            characters += len(path)
            if characters > MAX_PATHS:
                raise words.fail("the full paths of same-named joints are too long; rename some")
            name = free.take(path)
        names.append(name)
    return names, repeated


def _path(joints: list[BvhJoint], joint: BvhJoint) -> str:
    parts = [joint.name]
    while joint.parent >= 0:
        joint = joints[joint.parent]
        parts.append(joint.name)
    return "|".join(reversed(parts))
