"""BVH (Biovision hierarchy) files.

What the reader takes for granted, because the format has no written standard:

* Channels are multiplied in the order in which they are listed: `Zrotation Xrotation Yrotation` is
  ``Rz @ Rx @ Ry`` for column vectors, so Y is applied first, which is Maya's rotate order "yxz".
* A position channel takes the place of that component of OFFSET; it is not added to it. This is so
  for roots and for children alike, wherever among the channels it stands.
* Frames are numbered from 0. There are no units and no rest rotations: the rest pose has none.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..arrays import Floats
from ..errors import BvhError
from ..euler import euler_from_quaternion, quaternion_from_euler
from ..findings import Finding
from ..motion import Motion
from ..progress import Progress, tell
from ..rotation import IDENTITY, multiply
from ..skeleton import Skeleton
from .bvh_hierarchy import BvhJoint, HierarchyReader, joint_names
from .number_rows import NumberRows, split_numbers
from .read_limits import DEFAULT_LIMITS, ReadLimits
from .source import FilePath
from .text import TextFile, read_text
from .words import WordStream

Lines = Iterator["tuple[int, bytes]"]

_HEADER = re.compile(rb"\s*(frames|frame\s*time)\s*:?\s*(\S+)", re.IGNORECASE)
_COUNT = re.compile(rb"\d{1,18}")


def read_bvh(
    path: FilePath, limits: ReadLimits = DEFAULT_LIMITS, progress: Progress | None = None
) -> Motion:
    """Read a BVH file.

    Parameters
    ----------
    path : path-like or str
    limits : ReadLimits
        Bounds on what the file may ask for.
    progress : callable, optional
        Called with (done, total, label) now and then, `done` of `total` bytes; returning False
        cancels.

    Returns
    -------
    Motion
        With `rotates` on the file's own branch, and `translations` of the joints that have
        position channels. Findings: "frame-count", "trailing-text", "duplicate-names",
        "repeated-channel".

    Raises
    ------
    BvhError
        With line and column, for anything that cannot be read without guessing.
    Cancelled
        If `progress` returned False.
    """
    text = read_text(path, limits, BvhError)
    tell(progress, 0, len(text.data), f"reading {Path(path).name}")
    words = WordStream(text)
    joints = HierarchyReader(words, limits).read()
    names, repeated = joint_names(joints, words)
    clip = Path(path).stem
    findings = [_duplicate_names(repeated, clip)] if repeated else []
    width = sum(len(joint.channels or ()) for joint in joints)
    if width == 0:
        raise text.fail("no joint has channels; there is no motion in it")
    values, frame_rate, noticed = _read_frames(text, words, width, clip, limits)
    if 3 * len(joints) * len(values) > limits.max_numbers:
        raise text.fail(f"frames times joints exceed max_numbers = {limits.max_numbers}")
    return _motion(text, joints, names, values, frame_rate, findings + noticed)


def _duplicate_names(repeated: list[str], clip: str) -> Finding:
    shown = ", ".join(repr(name) for name in repeated[:5])
    more = f" and {len(repeated) - 5} more" if len(repeated) > 5 else ""
    message = f"joint names are used more than once ({shown}{more}); these have their full paths"
    return Finding("duplicate-names", message, clip=clip)


def _read_frames(
    text: TextFile, words: WordStream, width: int, clip: str, limits: ReadLimits
) -> tuple[Floats, float, list[Finding]]:
    """Values (frames, channels), frame rate and what was noticed."""
    declared, frame_rate, lines = _read_motion_header(text, words.remaining_lines())
    expected = None if declared is None else declared * width
    rows, noticed = _read_rows(text, lines, expected, clip, limits)
    values = rows.values()
    count = _complete_frames(text, rows, width)
    partial = len(values) > count * width
    if declared != count or partial:
        stated = "no usable number of frames" if declared is None else f"{declared} frames"
        cut = "; the last frame was cut off and is left out" if partial else ""
        message = f"the file states {stated}, {count} were found and are used{cut}"
        noticed.append(Finding("frame-count", message, clip=clip))
    return values[: count * width].reshape(count, width), frame_rate, noticed


def _read_motion_header(text: TextFile, lines: Lines) -> tuple[int | None, float, Lines]:
    """Stated number of frames, frames per second, and the lines that follow."""
    declared: int | None = None
    frame_rate: float | None = None
    for number, line in lines:
        at = 0
        while match := _HEADER.match(line, at):
            if b"time" in match[1].lower():
                frame_rate = _frame_rate(text, match[2], number, match.start(2) + 1)
            else:
                declared = int(match[2]) if _COUNT.fullmatch(match[2]) else None
            at = match.end()
        if line[at:].strip():
            lines = itertools.chain([(number, b" " * at + line[at:])], lines)
            break
    if frame_rate is None:
        raise text.fail("has no Frame Time before its motion")
    return declared, frame_rate, lines


def _frame_rate(text: TextFile, word: bytes, line: int, column: int) -> float:
    seconds = split_numbers(word)
    if seconds is None or len(seconds) != 1 or not 1e-9 <= seconds[0] <= 1e9:
        raise text.fail(
            f"Frame Time {word[:40].decode('latin-1')!a} is not a time in seconds; "
            "write 1 / frames per second with a decimal point",
            line,
            column,
        )
    return 1.0 / seconds[0]


def _read_rows(
    text: TextFile, lines: Lines, expected: int | None, clip: str, limits: ReadLimits
) -> tuple[NumberRows, list[Finding]]:
    """Read lines of numbers; text is put up with after the expected numbers only."""
    rows = NumberRows(text, limits)
    for number, line in lines:
        numbers = split_numbers(line)
        if numbers:
            rows.add(number, numbers)
        elif numbers is None:
            if expected is None or rows.size < expected:
                raise rows.bad_line(number, line)
            message = f"text after the last frame, from line {number} on, is left out"
            return rows, [Finding("trailing-text", message, clip=clip)]
    return rows, []


def _complete_frames(text: TextFile, rows: NumberRows, width: int) -> int:
    """Number of whole frames, where lines and frames fit together.

    A frame is a line, or several whole lines, or part of a line of whole frames. The very last one
    may be cut off. Anything else means that a number is missing or too many somewhere, and all
    that follows would be read into the wrong channels.
    """
    ends = np.cumsum(rows.counts)
    count = int(ends[-1]) // width if len(ends) else 0
    frame_ends = width * np.arange(1, count + 1)
    if not np.isin(frame_ends, ends).all() and (ends % width).any():
        row = int(np.argmax(rows.counts != width))
        message = f"{rows.counts[row]} numbers for {width} channels"
        raise text.fail(message, int(rows.lines[row]))
    if count == 0:
        raise text.fail(f"has no complete frame of {width} numbers")
    return count


def _motion(
    text: TextFile,
    joints: list[BvhJoint],
    names: list[str],
    values: Floats,
    frame_rate: float,
    findings: list[Finding],
) -> Motion:
    """Put the columns where their channels belong."""
    clip = Path(text.path).stem
    skeleton = Skeleton(
        names=tuple(names),
        parents=np.array([joint.parent for joint in joints]),
        offsets=np.array([joint.offset for joint in joints]),
        rotate_orders=tuple(_rotate_order(joint.rotation_axes) for joint in joints),
        name=clip,
    )
    rotates = np.zeros((len(joints), 3, len(values)))
    translations: dict[int, Floats] = {}
    for index, (joint, own) in enumerate(zip(joints, _columns_of_each(joints, values))):
        turning = [n for n, channel in enumerate(joint.channels or ()) if channel.is_rotation]
        rotates[index] = _rotates(own[:, turning], joint.rotation_axes)
        if _is_repeated(joint.rotation_axes):
            findings.append(_repeated_channel(names[index], clip))
        if len(turning) < own.shape[1]:
            translations[index] = _translation(joint, own)
    turns = [bool(joint.rotation_axes) for joint in joints]
    return Motion.from_rotates(
        skeleton,
        rotates,
        np.arange(len(values)),
        frame_rate,
        clip,
        translations=translations,
        source=text.source,
        findings=tuple(findings),
        animated=frozenset(itertools.compress(names, turns)),
    )


def _columns_of_each(joints: list[BvhJoint], values: Floats) -> list[Floats]:
    """Columns of every joint's own channels, (frames, channels) each."""
    ends = np.cumsum([len(joint.channels or ()) for joint in joints])
    return np.split(values, ends[:-1], axis=1)


def _is_repeated(axes: list[int]) -> bool:
    """Whether a joint turns twice about one axis, such as Z X Z."""
    return len(set(axes)) < len(axes)


def _rotates(degrees: Floats, axes: list[int]) -> Floats:
    """Rotates (3, frames) of a joint from its rotation columns; what has no channel is 0."""
    if _is_repeated(axes):
        return _rotates_of_repeated(degrees, axes)
    rotates = np.zeros((3, len(degrees)))
    rotates[axes] = np.radians(degrees.T)
    return rotates


def _rotate_order(listed: list[int]) -> str:
    """Give a rotate order that agrees with the listed axes: the last listed is applied first."""
    place = {axis: number for number, axis in enumerate(listed)}
    # An axis that is not listed does not turn and can stand anywhere; here it is applied last.
    return "".join("xyz"[axis] for axis in sorted(range(3), key=lambda axis: -place.get(axis, -1)))


def _rotates_of_repeated(degrees: Floats, axes: list[int]) -> Floats:
    """Rotates (3, frames) of a joint that turns twice about one axis, such as Z X Z."""
    turn = np.broadcast_to(IDENTITY, (len(degrees), 4))
    for values, axis in zip(degrees.T, axes):
        angles = np.zeros((len(degrees), 3))
        angles[:, axis] = np.radians(values)
        turn = multiply(turn, quaternion_from_euler(angles))
    return np.asarray(euler_from_quaternion(turn, _rotate_order(axes)).T)


def _repeated_channel(joint: str, clip: str) -> Finding:
    message = "a rotation channel is listed twice; the turns are multiplied as listed"
    return Finding("repeated-channel", message, joint=joint, clip=clip)


def _translation(joint: BvhJoint, values: Floats) -> Floats:
    """Positions (frames, 3): OFFSET, with the components that have a channel replaced."""
    result = np.tile(np.array(joint.offset), (len(values), 1))
    for column, channel in enumerate(joint.channels or ()):
        if not channel.is_rotation:
            result[:, channel.axis] = values[:, column]
    return result
