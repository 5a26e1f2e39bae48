"""BVH (Biovision hierarchy) files.

The format has no written standard; these conventions are assumed:

* Channels are multiplied in listed order: `Zrotation Xrotation Yrotation` is ``Rz @ Rx @ Ry`` for
  column vectors, so Y is applied first, which is Maya's rotate order "yxz".
* A position channel replaces that component of OFFSET, for roots and children alike, at any place
  in the list of channels.
* Frames are numbered from 0. There are no units and no rest rotations.

The writer keeps every joint's rotate order and bakes in what BVH lacks, so that every joint moves
as before: jointOrient and rotateAxis go into the rotations; scales, and transforms between joints,
go into rotations and positions. Roots, and joints that move relative to their parents, get position
channels. The End Site of a leaf joint is as far from the joint as the joint is from its parent.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from array import array
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..base.errors import InputError
from ..base.findings import Finding
from ..base.progress import Progress, report_progress, share
from ..base.text import printable
from ..geometry import arrays, branches, euler, quaternion
from ..io.input import FilePath, ReadLimits, read_start, too_many_frames, too_many_numbers
from ..io.output import write_text_atomically
from ..motion import joint_names, name_matching
from ..motion.motion import Motion, plain_motion
from ..motion.skeleton import Skeleton
from .registry import DEFAULT_REQUEST, ReadRequest
from .text import COLUMNS, TURNING, TextFile, read_text, repeated_names
from .tokens import MAX_NUMBER, Word, WordStream, bad_line, split_numbers

Lines = Iterator["tuple[int, bytes]"]
MAX_HIERARCHY_BYTES = 1 << 20
"""Maximum bytes read to recognise files of one skeleton; a longer hierarchy counts as unique."""

_HEADER = re.compile(rb"\s*(frames|frame\s*time)\s*:?\s*(\S+)", re.IGNORECASE)
_COUNT = re.compile(rb"\d{1,18}")
MAX_NAME_CHARS = 1024
_CHANNEL = re.compile(r"([XYZ])(POSITION|ROTATION)", re.IGNORECASE)
_END_SITE = -1


class BvhError(InputError):
    """A BVH file that cannot be read."""


_NAMED = re.compile(rb"(?<![^\s])(ROOT|JOINT)[ \t]+([^\r\n{]+)")


def hierarchy_key(path: Path) -> str:
    """Key shared by files with the same hierarchy, regardless of layout and common name prefix."""
    start = read_start(path, MAX_HIERARCHY_BYTES, InputError)[0]
    head, motion, _ = start.partition(b"MOTION")
    given = [found[2].decode("latin-1") for found in _NAMED.finditer(head)]
    names = iter(name_matching.without_prefix(given))
    head = _NAMED.sub(lambda found: found[1] + b" " + next(names).encode("latin-1"), head)
    return hashlib.sha256(b" ".join(head.split())).hexdigest() if motion else path.name


def read_bvh(path: FilePath, request: ReadRequest = DEFAULT_REQUEST) -> Motion:
    """Read a BVH file, which defines its skeleton and frame rate.

    The motion has `rotates` on the file's own branch, and `translations` of the joints that have
    position channels. Findings: "frame-count", "trailing-text", "duplicate-names",
    "repeated-channel". Raises BvhError, with line and column, for anything ambiguous, and Cancelled
    if `request.progress` returned False.
    """
    limits, progress = request.limits, request.progress
    text = read_text(path, limits, BvhError, progress=progress)
    words = WordStream(text)
    joints = HierarchyReader(words, limits).read()
    try:
        names, repeated = joint_names.joint_paths(
            [j.name for j in joints], [j.parent for j in joints]
        )
    except ValueError as error:
        raise words.fail(str(error)) from None
    clip = Path(path).stem
    findings = repeated_names(repeated, clip)
    width = sum(joint.width for joint in joints)
    if width == 0:
        raise text.fail("has no motion: no joint has channels")
    columns, frame_rate, noticed = _read_frames(text, words, width, clip, limits)
    refusal = too_many_frames(columns.shape[1], len(joints), limits)
    if refusal:
        raise text.fail(refusal)
    message = "a rotation channel is listed twice; the rotations are multiplied as listed"
    findings += noticed + [
        Finding("repeated-channel", message, joint=name, clip=clip)
        for name, joint in zip(names, joints)
        if len(set(joint.rotation_axes)) < len(joint.rotation_axes)
    ]
    return _motion(text, joints, names, columns, frame_rate, findings, progress)


class Channel(NamedTuple):
    """One column of the motion: a joint's rotation about an axis, 0 to 2, or position along it."""

    axis: int
    is_rotation: bool


@dataclass
class BvhJoint:
    """A joint as written in the file.

    `name`: the rest of its line, including spaces and colons. `parent`: index, -1 for a root.
    `channels`: in file order; None until CHANNELS is read.
    """

    name: str
    parent: int
    offset: list[float]
    channels: tuple[Channel, ...] | None = None

    @property
    def width(self) -> int:
        """Number of channels."""
        return len(self.channels or ())

    @property
    def rotation_axes(self) -> list[int]:
        """Axes of the rotation channels, in file order."""
        return [channel.axis for channel in self.channels or () if channel.is_rotation]


class HierarchyReader:
    """Reader of the joints before MOTION, without recursion, since chains may be long."""

    def __init__(self, words: WordStream, limits: ReadLimits) -> None:
        self._words, self._limits = words, limits
        self._joints: list[BvhJoint] = []
        self._open: list[tuple[int, Word]] = []  # joint index or _END_SITE, and its brace

    def read(self) -> list[BvhJoint]:
        """Read the joints, parents first; raises BvhError that locates an unexpected word."""
        readers = {
            "ROOT": self._read_joint,
            "JOINT": self._read_joint,
            "END": self._read_end_site,
            "OFFSET": self._read_offset,
            "CHANNELS": self._read_channels,
        }
        for word in iter(self._words.next, None):
            keyword = word.text.upper()
            if keyword == "MOTION":
                break
            if keyword in readers:
                readers[keyword](word)
            elif keyword == "}":
                if not self._open:
                    raise self._words.fail("this closing brace has no opening brace", word)
                self._open.pop()
            elif keyword != "HIERARCHY":
                problem = f"{word} is not a BVH hierarchy keyword"
                if not self._joints:
                    problem = f"not a BVH file: expected HIERARCHY, then ROOT, found {word}"
                raise self._words.fail(problem, word)
        else:  # the end of the file
            keyword = ""
        if self._open:
            raise self._words.fail("this brace is never closed", self._open[-1][1])
        if not self._joints:
            raise self._words.fail("is not a BVH file: expected HIERARCHY, then ROOT")
        if not keyword:
            raise self._words.fail("has no MOTION section; export the motion with the skeleton")
        return self._joints

    def _read_joint(self, word: Word) -> None:
        parent = self._open[-1][0] if self._open else -1
        if self._open and parent == _END_SITE:
            raise self._words.fail("an End Site cannot have child joints", word)
        name = self._words.rest_of_line()
        if not name or len(name) > MAX_NAME_CHARS:
            raise self._words.fail(f"{word} needs a name of 1 to {MAX_NAME_CHARS} characters", word)
        if len(self._joints) == self._limits.max_joints:
            refusal = self._limits.refusal("max_joints", "joints", subject="has")
            raise self._words.fail(refusal, word)
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

    def _present_joint(self, word: Word) -> BvhJoint | None:
        """Return the innermost open joint; None in an End Site."""
        if not self._open:
            raise self._words.fail(f"{word} is outside every joint", word)
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
            message = "CHANNELS must come before child joints, as programs otherwise disagree on "
            raise self._words.fail(message + "the order of columns; move them up", word)
        count = self._words.next()
        if count is None or not re.fullmatch(r"\d{1,9}", count.text):
            raise self._words.fail("CHANNELS must be followed by their number", count or word)
        channels: list[Channel] = []
        while len(channels) < int(count.text):
            name = self._words.next()
            match = None if name is None else _CHANNEL.fullmatch(name.text)
            if match is None:
                message = f"CHANNELS needs {count.text} channels, found {name or 'the end'}"
                raise self._words.fail(message, name or word)
            channels.append(Channel("XYZ".index(match[1].upper()), match[2].upper() == "ROTATION"))
        joint.channels = tuple(channels)


def _read_frames(
    text: TextFile, words: WordStream, width: int, clip: str, limits: ReadLimits
) -> tuple[arrays.Floats, float, list[Finding]]:
    """Channel values, shape (channels, frames), frame rate and findings."""
    declared, frame_rate, lines = _read_motion_header(text, words.remaining_lines())
    values, counts, numbers, noticed = array("d"), array("q"), array("q"), []
    for number, line in lines:
        found = split_numbers(line)
        if found:
            values.extend(found)
            counts.append(len(found))
            numbers.append(number)
            refusal = too_many_numbers(len(values), limits)
            if refusal:
                raise text.fail(refusal, number)
        elif found is None:
            if declared is None or len(values) < declared * width:
                raise bad_line(text, number, line)
            deque(lines, maxlen=0)  # read the remaining lines, so that progress reaches its end
            message = f"text after the last frame, from line {number} on, was ignored"
            noticed.append(Finding("trailing-text", message, clip=clip))
    rows = _whole_frames(text, np.array(values), np.array(counts), np.array(numbers), width)
    is_cut = len(values) > rows.size
    if declared != len(rows) or is_cut:
        stated = "no usable number of frames" if declared is None else f"{declared} frames"
        cut = "; the last frame is incomplete and was dropped" if is_cut else ""
        message = f"the file states {stated}, {len(rows)} were found and used{cut}"
        noticed.append(Finding("frame-count", message, clip=clip))
    return rows.T, frame_rate, noticed


def _whole_frames(
    text: TextFile,
    values: arrays.Floats,
    counts: arrays.Integers,
    lines: arrays.Integers,
    width: int,
) -> arrays.Floats:
    """Complete frames, shape (frames, width).

    `counts`, `lines`: how many numbers each line has, and its line number. A frame is a line,
    several whole lines, or part of a line that holds several whole frames; the last frame may be
    truncated. Anything else means that a number is missing or extra, which would shift all later
    numbers into the wrong channels.
    """
    ends = np.cumsum(counts)
    finite = np.abs(values) < MAX_NUMBER
    if not finite.all():
        bad = int(lines[np.searchsorted(ends, np.argmin(finite), side="right")])
        raise bad_line(text, bad, next(line for number, line in text.lines() if number == bad))
    count = len(values) // width
    closes, odd = ends % width == 0, counts != width
    if np.count_nonzero(closes) < count and not closes.all() and odd.any():
        first = int(np.argmax(odd))
        message = f"{counts[first]} numbers, expected {width} (one per channel)"
        raise text.fail(message, int(lines[first]))
    if count == 0:
        raise text.fail(f"has no complete frame of {width} numbers")
    return values[: count * width].reshape(count, width)


def _read_motion_header(text: TextFile, lines: Lines) -> tuple[int | None, float, Lines]:
    """Stated number of frames, frames per second, and the lines after the header."""
    declared: int | None = None
    frame_rate: float | None = None
    for number, line in lines:
        at = 0
        while match := _HEADER.match(line, at):
            if b"time" in match[1].lower():
                seconds = split_numbers(match[2])
                if seconds is None or len(seconds) != 1 or not 1e-9 <= seconds[0] <= 1.0:
                    raise text.fail(
                        f"Frame Time {match[2][:40].decode('latin-1')!a} must be seconds per "
                        "frame, at most 1; write 1 / frames per second with a decimal point",
                        number,
                        match.start(2) + 1,
                    )
                frame_rate = 1.0 / seconds[0]
            else:
                declared = int(match[2]) if _COUNT.fullmatch(match[2]) else None
            at = match.end()
        if line[at:].strip():
            lines = itertools.chain([(number, b" " * at + line[at:])], lines)
            break
    if frame_rate is None:
        raise text.fail("has no Frame Time line before the motion data")
    return declared, frame_rate, lines


def _motion(
    text: TextFile,
    joints: list[BvhJoint],
    names: list[str],
    columns: arrays.Floats,
    frame_rate: float,
    findings: list[Finding],
    progress: Progress | None,
) -> Motion:
    """Motion from channel values, shape (channels, frames)."""
    clip, count = Path(text.path).stem, columns.shape[1]
    own = np.split(columns.T, np.cumsum([joint.width for joint in joints])[:-1], axis=1)
    rotates, sorting = np.empty((len(joints), 3, count)), share(progress, *COLUMNS)
    translations: dict[int, arrays.Floats] = {}
    for number, (joint, values) in enumerate(zip(joints, own)):
        rotates[number] = _rotates(joint, values)
        if joint.width > len(joint.rotation_axes):
            # OFFSET, except for components that have a channel.
            translations[number] = places = np.tile(np.array(joint.offset), (count, 1))
            for column, channel in zip(values.T, joint.channels or ()):
                if not channel.is_rotation:
                    places[:, channel.axis] = column
        report_progress(sorting, number + 1, len(joints), f"sorting the channels of {clip}")
    turning = (name for name, joint in zip(names, joints) if joint.rotation_axes)
    skeleton = Skeleton(
        names=tuple(names),
        parents=np.array([joint.parent for joint in joints]),
        offsets=np.array([joint.offset for joint in joints]),
        rotate_orders=tuple(_rotate_order(joint.rotation_axes) for joint in joints),
        name=clip,
    )
    return Motion.from_rotates(
        skeleton,
        rotates,
        np.arange(count),
        frame_rate,
        clip,
        progress=share(progress, *TURNING),
        translations=translations,
        source=text.source,
        findings=tuple(findings),
        animated=frozenset(turning),
    )


def _rotates(joint: BvhJoint, values: arrays.Floats) -> arrays.Floats:
    """Rotate channels of a joint from its columns, shape (3, frames); missing channels are 0."""
    axes = joint.rotation_axes
    turning = [n for n, channel in enumerate(joint.channels or ()) if channel.is_rotation]
    degrees = values[:, turning]
    if len(set(axes)) < len(axes):  # twice about one axis, as in Z X Z
        turn = np.broadcast_to(quaternion.IDENTITY, (len(degrees), 4))
        for turned, axis in zip(degrees.T, axes):
            angles = np.zeros((len(degrees), 3))
            angles[:, axis] = np.radians(turned)
            turn = quaternion.multiply(turn, euler.quaternion_from_euler(angles))
        return np.asarray(euler.euler_from_quaternion(turn, _rotate_order(axes)).T)
    rotates = np.zeros((3, len(degrees)))
    rotates[axes] = np.radians(degrees.T)
    return rotates


def _rotate_order(listed: list[int]) -> str:
    """Rotate order that matches the listed axes: the last one is applied first."""
    # An axis that is not listed does not rotate, so its place is free; here it is applied last.
    return "".join("xyz"[axis] for axis in dict.fromkeys((*reversed(listed), 0, 1, 2)))


_DIGITS = 6
"""Number of decimals that are written."""


def write_bvh(motion: Motion, path: str | os.PathLike[str]) -> None:
    """Write a motion as a BVH file, atomically."""
    write_text_atomically(path, bvh_text(motion))


def bvh_text(motion: Motion, own_channels: bool = False) -> str:
    """Text of a BVH file.

    `own_channels`: write the motion's own rotate channels, including full turns, where BVH can hold
    them, instead of channels made continuous from frame to frame.
    """
    motion = plain_motion(motion)
    skeleton = motion.skeleton
    children: list[list[int]] = [[] for _ in skeleton.names]
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            children[parent].append(joint)
    order: list[int] = []
    lines = ["HIERARCHY"]
    for root in np.flatnonzero(skeleton.parents < 0).tolist():
        lines += _hierarchy(motion, root, children, order)
    columns = [column for joint in order for column in _columns(motion, joint, own_channels)]
    row = " ".join([f"%.{_DIGITS}f"] * len(columns))
    lines += ["MOTION", f"Frames: {motion.frame_count}"]
    lines.append(f"Frame Time: {1.0 / motion.frame_rate:.10g}")
    lines += [row % tuple(numbers) for numbers in np.stack(columns, axis=1).tolist()]
    return "\n".join(lines) + "\n"


def _hierarchy(
    motion: Motion, root: int, children: list[list[int]], order: list[int]
) -> Iterator[str]:
    """Lines of one tree of joints, without recursion, since chains may be long."""
    waiting: list[tuple[int, int]] = [(root, 0)]
    while waiting:
        joint, depth = waiting.pop()
        space = "  " * depth
        if joint < 0:
            yield f"{space}}}"
            continue
        order.append(joint)
        name = " ".join(printable(motion.skeleton.names[joint]).split())[:MAX_NAME_CHARS]
        name = name or f"joint{joint}"
        yield f"{space}{'JOINT' if depth else 'ROOT'} {name}"
        yield f"{space}{{"
        offset = " ".join(f"{value:.{_DIGITS}f}" for value in motion.skeleton.offsets[joint])
        yield f"{space}  OFFSET {offset}"
        axes = [f"{'XYZ'[axis]}rotation" for axis in _listed_axes(motion, joint)]
        places = [f"{letter}position" for letter in "XYZ"] if _has_positions(motion, joint) else []
        yield f"{space}  CHANNELS {' '.join([str(len(places + axes)), *places, *axes])}"
        waiting.append((-1, depth))
        waiting += [(child, depth + 1) for child in reversed(children[joint])]
        if not children[joint]:
            yield f"{space}  End Site"
            yield f"{space}  {{"
            yield f"{space}    OFFSET {offset}"
            yield f"{space}  }}"


def _has_positions(motion: Motion, joint: int) -> bool:
    return joint in motion.translations or bool(motion.skeleton.parents[joint] < 0)


def _listed_axes(motion: Motion, joint: int) -> list[int]:
    return list(reversed(euler.axes_of(motion.skeleton.rotate_orders[joint])))


def _columns(motion: Motion, joint: int, own_channels: bool) -> list[arrays.Floats]:
    """Values of a joint's channels over the frames, in file order."""
    place: list[arrays.Floats] = []
    if _has_positions(motion, joint):
        still = np.tile(motion.skeleton.offsets[joint], (motion.frame_count, 1))
        place = list(motion.translations.get(joint, still).T)
    channels = motion.rotates[joint] if own_channels and motion.rotates is not None else None
    bones = motion.skeleton
    turns = np.stack([bones.joint_orients[joint], bones.rotate_axes[joint]])
    if channels is None or (turns != quaternion.IDENTITY).any():
        # Continuous rotate channels of the rotation that BVH can hold, (3, frames), radians.
        rotate_order = bones.rotate_orders[joint]
        angles = euler.euler_from_quaternion(motion.rotations[joint].T, rotate_order)
        smooth, _ = branches.continuous_rotates(np.ascontiguousarray(angles.T), rotate_order)
        # Full turns may exceed the range of limits, so that the curves continue without jumps.
        channels = np.unwrap(smooth, axis=1)
    return place + [np.degrees(channels[axis]) for axis in _listed_axes(motion, joint)]
