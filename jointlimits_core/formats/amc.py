"""Acclaim motion (AMC).

Each frame is its number on a line, then a line for each bone with the values of its `dof`, in the
order of the skeleton file. The root's translation is added to its `position`. The format has no
frame rate, and its length unit is that of the skeleton.

Consecutive frames with the same lines in the same order, as programs write them, are parsed in
bulk. Any deviation, be it a comment or an error, is left to the line-by-line reader.
"""

from __future__ import annotations

import io
import itertools
import os
import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..base.errors import InputError
from ..base.findings import Finding
from ..base.progress import Progress, report_progress, share
from ..geometry.arrays import Booleans, Floats, Integers
from ..geometry.euler import CHANNELS
from ..io.input import (
    DEFAULT_LIMITS,
    FilePath,
    ReadLimits,
    clip_refusal,
    most_clip_numbers,
    read_error_reason,
    too_many_frames,
)
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton
from .asf import CHANNEL_OF_DOF, ROOT, AcclaimError, read_asf, skeleton_beside, without_comment
from .registry import ReadRequest
from .text import COLUMNS, TURNING, read_text
from .tokens import CHUNK_NUMBERS, LARGEST, bad_line, number_grid, split_numbers

_FRAME_NUMBER = re.compile(rb"[+-]?\d{1,15}")
_HEAD = re.compile(rb"^[ \t]*[+-]?\d{1,15}[ \t]*$", re.MULTILINE)
_LINE_FEED, _SPACE = b"\n "


@dataclass(frozen=True)
class AlikeFrames:
    """Consecutive frames with the same bones.

    `numbers`, shape (frames,): frame numbers. `step`: lines per frame. `joints`: joint of each
    line. `values`, shape (frames, width): for all joints of the skeleton; zero for those not in the
    file. `size`: bytes of all lines.
    """

    numbers: Floats
    step: int
    joints: tuple[int, ...]
    values: Floats
    size: int


def is_frame_number(line: bytes, joints: Mapping[bytes, int]) -> bool:
    """Whether a line is a frame number alone, and not the name of a bone."""
    word = line.strip()
    return _FRAME_NUMBER.fullmatch(word) is not None and word not in joints


def alike_frames(
    text: bytes, joints: Mapping[bytes, int], widths: Sequence[int]
) -> AlikeFrames | None:
    """Parse frames from the first line on that are followed by another frame.

    The first line of `text` is a frame number; the others may be anything. `joints`: joint of each
    bone name; `widths`: number of values per joint and frame. Returns all complete frames but the
    last; None if any of them differs from the first.
    """
    names = _names_of_frame(text, joints)
    found = tuple(joints[name[:-1]] for name in names)
    own = [widths[joint] for joint in found]
    if not all(own) or len(set(found)) < len(found) or not found:
        return None
    feeds = np.flatnonzero(np.frombuffer(text, np.uint8) == _LINE_FEED)
    starts = np.concatenate([[0], feeds + 1, [len(text)]])
    step = 1 + len(names)
    last = (np.count_nonzero(starts < len(text)) - 1) // step * step
    heads = zip(starts[: last + 1 : step].tolist(), starts[1 : last + 2 : step].tolist())
    numbered = [text[begin:end].strip() for begin, end in heads]
    if not all(map(_FRAME_NUMBER.fullmatch, numbered)) or not joints.keys().isdisjoint(numbered):
        return None
    grid = _numbers_of_bones(text[: starts[last]], starts[:last].reshape(-1, step), names, own)
    if grid is None:
        return None
    ends = np.cumsum(widths)
    values = np.zeros((len(grid), int(ends[-1])))
    places = [np.arange(ends[joint] - widths[joint], ends[joint]) for joint in found]
    values[:, np.concatenate(places)] = grid[:, 1:]
    return AlikeFrames(grid[:, 0], step, found, values, int(starts[last]))


def _names_of_frame(text: bytes, joints: Mapping[bytes, int]) -> list[bytes]:
    """Names with the byte after each, up to the next frame; none where a line has another form."""
    names: list[bytes] = []
    for line in itertools.islice(io.BytesIO(text), 1, len(joints) + 2):
        if is_frame_number(line, joints):
            return names
        name = (without_comment(line).split(None, 1) or [b""])[0]
        names.append(line[: len(name) + 1])
        if name not in joints or names[-1] not in (name + b" ", name + b"\t"):
            break
    return []


def _numbers_of_bones(
    text: bytes, begins: Integers, names: Sequence[bytes], widths: Sequence[int]
) -> Floats | None:
    """Frame number and values of each frame, shape (frames, 1 + width of all bones).

    `begins`, shape (frames, lines): offsets of the lines. None unless every frame has the same
    names, with as many plain numbers behind each as `widths` says.
    """
    sizes = [len(name) for name in names]
    lines = np.diff(begins.reshape(-1), append=len(text)).reshape(begins.shape)
    if (lines[:, 1:] < sizes).any():
        return None
    inside = np.concatenate([np.arange(size) for size in sizes])
    of_names = begins[:, 1:].repeat(sizes, axis=1) + inside
    row = np.frombuffer(text, np.uint8).copy()
    if (row[of_names] != np.frombuffer(b"".join(names), np.uint8)).any():
        return None
    printed = np.concatenate([[False], row > _SPACE])
    words = np.flatnonzero(printed[1:] > printed[:-1])
    *columns, total = np.cumsum([1, *(1 + width for width in widths)]).tolist()
    if len(words) != len(begins) * total:
        return None
    if (words.reshape(-1, total)[:, columns] != begins[:, 1:]).any():
        return None
    row[of_names] = row[begins[:, 1:] - 1] = _SPACE
    return number_grid(row.tobytes(), 1 + sum(widths))


class AmcFrames:
    """Frame numbers, values and present bones of the frames read so far.

    `widths`: number of values per joint and frame. `size`: number of values so far. `numbers`,
    `number_lines`: number of each frame, and its line.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        self.size, self.width = 0, sum(widths)
        # Of frames put away, joint after joint; zero for missing bones.
        self._parts: list[Floats] = []
        self.numbers, self.number_lines = array("d"), array("q")
        self._widths = np.asarray(widths, np.int64)
        self._starts = [0, *itertools.accumulate(widths)]
        # Frames not yet put away: their values, and which joints they have.
        self._values, self._has = array("d"), bytearray()
        self._present = [np.zeros((0, len(widths)), dtype=bool)]

    def present(self) -> Booleans:
        """Which frame has which joint, shape (frames, joints); puts all frames away."""
        self._put_away()
        return np.concatenate(self._present)

    def columns(self) -> Floats:
        """Values joint after joint, shape (values, frames); zero for missing bones."""
        self._put_away()
        return np.concatenate([part.T for part in self._parts], axis=1)

    def begin(self, number: float, line: int) -> None:
        """Begin a frame."""
        if len(self._values) >= CHUNK_NUMBERS:
            self._put_away()
        self.numbers.append(number)
        self.number_lines.append(line)
        self._values.frombytes(bytes(8 * self.width))
        self._has += bytes(len(self._widths))

    def has_bone(self, joint: int) -> bool:
        """Whether the current frame already has a joint."""
        return bool(self._has[joint - len(self._widths)])

    def add_bone(self, joint: int, values: list[float]) -> None:
        """Add a bone to the current frame."""
        start = len(self._values) - self.width + self._starts[joint]
        self._values[start : start + len(values)] = array("d", values)
        self._has[joint - len(self._widths)] = True
        self.size += len(values)

    def add_alike(self, alike: AlikeFrames, line: int) -> None:
        """Add complete frames; the first starts at `line`."""
        self._put_away()
        count, joints = len(alike.numbers), list(alike.joints)
        self.numbers.extend(alike.numbers.tolist())
        self.number_lines.extend(range(line, line + count * alike.step, alike.step))
        present = np.zeros(len(self._widths), dtype=bool)
        present[joints] = True
        self._present.append(np.broadcast_to(present, (count, len(present))))
        self._parts.append(alike.values)
        self.size += count * int(self._widths[joints].sum())

    def _put_away(self) -> None:
        """Move the values of complete frames to the columns."""
        count = len(self.numbers) - sum(map(len, self._parts))
        self._parts.append(np.array(self._values, np.float64).reshape(count, self.width))
        has = np.frombuffer(bytes(self._has), dtype=bool)
        self._present.append(has.reshape(count, len(self._widths)))
        self._values, self._has = array("d"), bytearray()


class AmcFile:
    """An AMC file: its settings and its frames.

    `names`: bones of the skeleton, including the root. `widths`: number of values per bone and
    frame. `radians`: None if the file does not state it. `frame_rate`: from `:SAMPLES-PER-SECOND`,
    which some writers add. Raises AcclaimError with the line.
    """

    def __init__(
        self,
        path: FilePath,
        names: Sequence[str],
        widths: Sequence[int],
        limits: ReadLimits,
        progress: Progress | None = None,
    ) -> None:
        self.text = read_text(path, limits, AcclaimError, progress=progress)
        self.frames = AmcFrames(widths)
        self.radians: bool | None = None
        self.frame_rate: float | None = None
        self.names = names
        self._widths, self._limits, self._most = widths, limits, most_clip_numbers(limits)
        # Index of each bone by its name in UTF-8 and, where possible, in Latin-1.
        joints: dict[bytes, int] = {}
        for joint, name in enumerate(self.names):
            joints[name.encode("utf-8", "replace")] = joint
            if max(name) <= "\xff":
                joints.setdefault(name.encode("latin-1"), joint)
        self._joints = joints
        first = 1
        for piece in self.text.pieces():
            # Read lines: in bulk where frames are alike, the rest one by one.
            head = _HEAD.search(piece)
            begin = head.start() if head else len(piece)
            alike = alike_frames(piece[begin:], self._joints, self._widths)
            first = self._read_lines(first, piece[:begin])
            if alike is not None and self._has_room(alike):
                self.frames.add_alike(alike, first)
                begin, first = begin + alike.size, first + len(alike.numbers) * alike.step
            first = self._read_lines(first, piece[begin:])

    def _has_room(self, alike: AlikeFrames) -> bool:
        """Whether frames are within the budget; if not, the first line beyond it is located."""
        count = len(self.frames.numbers) + len(alike.numbers)
        size = self.frames.size + alike.values.size
        within = size <= self._most
        return within and not too_many_frames(count, len(self.names), self._limits)

    def _read_lines(self, first: int, text: bytes) -> int:
        lines = text.splitlines(keepends=True)
        for number, line in enumerate(lines, first):
            word, *rest = without_comment(line).split(None, 1) or (b"",)
            joint = self._joints.get(word)
            if joint is not None:
                self._read_bone(number, line, joint, rest[0] if rest else b"")
            elif word.startswith(b":"):
                self._read_keyword(number, word[1:].lower(), rest)
            elif word and not rest and is_frame_number(word, self._joints):
                self.frames.begin(float(word), number)
                refusal = too_many_frames(len(self.frames.numbers), len(self.names), self._limits)
                if refusal:
                    raise self.text.fail(refusal, number)
            elif word:
                shown = ascii(word[:40].decode("latin-1"))
                message = f"{shown} is neither a frame number nor a bone of the skeleton"
                raise self.text.fail(f"{message}; is this the right ASF file?", number)
        return first + len(lines)

    def _read_bone(self, number: int, line: bytes, joint: int, rest: bytes) -> None:
        values = split_numbers(rest)
        if values is None:
            raise bad_line(self.text, number, line, skip_words=1)
        if len(values) != self._widths[joint]:
            message = (
                f"bone {self.names[joint]!a} has {len(values)} values in this frame, expected "
                f"{self._widths[joint]} (its degrees of freedom in the skeleton)"
            )
            raise self.text.fail(message, number)
        if not all(abs(value) < LARGEST for value in values):
            raise bad_line(self.text, number, line, skip_words=1)
        if not self.frames.numbers:
            raise self.text.fail("a bone comes before the first frame number", number)
        if self.frames.has_bone(joint):
            raise self.text.fail("this bone appears twice in the frame", number)
        self.frames.add_bone(joint, values)
        if self.frames.size > self._most:
            raise self.text.fail(clip_refusal(self._limits), number)

    def _read_keyword(self, number: int, keyword: bytes, rest: list[bytes]) -> None:
        """Read a keyword; `:FULLY-SPECIFIED` and program-specific ones are ignored."""
        if keyword in (b"degrees", b"radians"):
            self.radians = keyword == b"radians"
        elif keyword in (b"samples-per-second", b"samples"):
            values = split_numbers(rest[0]) if rest else None
            if not values or not 1e-9 <= values[0] <= 1e9:
                raise self.text.fail("must be a number of samples per second", number)
            self.frame_rate = values[0]


DEFAULT_FRAME_RATE = 120.0
_TRANSLATIONS = ("translateX", "translateY", "translateZ")


def read_requested(path: FilePath, request: ReadRequest) -> Motion:
    """Read an AMC motion with the skeleton that is given as one or as its ASF file.

    Without one, the ASF file beside the motion is taken (:func:`.asf.skeleton_beside`). Raises
    InputError if there is none, or more than one might be meant; else as :func:`read_amc`.
    """
    skeleton = request.skeleton
    if skeleton is None:
        skeleton = skeleton_file(Path(path))
    if not isinstance(skeleton, (Skeleton, str, os.PathLike)):
        raise TypeError(f"skeleton must be a skeleton or a path, not {skeleton!r}")
    if not isinstance(skeleton, Skeleton):
        skeleton = read_asf(skeleton, request.limits)
    return read_amc(path, skeleton, request.frame_rate, request.limits, request.progress)


def skeleton_file(path: Path) -> Path:
    """The ASF file that belongs to an AMC file; raises InputError as :func:`read_requested`."""
    try:
        return path.parent / skeleton_beside(path)
    except ValueError as error:
        raise InputError(
            path,
            f"an AMC motion needs a skeleton: {error}; give its ASF file as skeleton (--skeleton)",
        ) from None
    except OSError as error:
        raise InputError(path, read_error_reason(error)) from None


def read_amc(
    path: FilePath,
    skeleton: Skeleton,
    frame_rate: float | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> Motion:
    """Read an AMC motion.

    `skeleton` comes from :func:`.asf.read_asf`; its unit of angles is that of a motion that states
    none. `frame_rate` defaults to what the file states, else
    120 per second. `progress` is called with (done, total, label) from time to time. The motion has
    `rotates` on the file's own branch. Findings: "frame-rate-assumed", "angle-unit-assumed",
    "missing-bone", "translation-ignored", "frame-gap", "frame-count". Raises AcclaimError with the
    line, for unknown bones, wrong numbers of values, repeated frames and bones missing from some
    frames only. Raises ValueError if the skeleton does not come from an ASF file. Raises Cancelled
    if `progress` returned False.
    """
    dofs = [_dof(skeleton, name) for name in skeleton.names]
    widths = [len(dof) for dof in dofs]
    file = AmcFile(path, skeleton.names, widths, limits, progress)
    clip = Path(path).stem
    findings = _assumptions(file, skeleton, frame_rate, clip) + _frame_gaps(file, clip)
    present, noticed = _present(file, clip)
    findings += noticed
    columns = file.frames.columns()[:, : len(present)]
    rotates, translations = _channels(file, columns, skeleton, dofs, progress)
    findings += _missing_bones(skeleton, widths, present, clip)
    # Findings about lengths and translations of bones, which are not read.
    message = "changes of the bone's length or position are ignored"
    owners = [(name, channel) for name, dof in zip(skeleton.names, dofs) for channel in dof]
    ignored = {
        name: None  # a dict as an ordered set
        for number, (name, channel) in enumerate(owners)
        if channel not in CHANNELS
        if name != ROOT or channel not in _TRANSLATIONS
        if np.any(columns[number] != 0.0)
    }
    findings += [Finding("translation-ignored", message, joint=name, clip=clip) for name in ignored]
    turning = [bool(set(dof) & set(CHANNELS)) for dof in dofs]
    moved = np.array(turning) & present.any(axis=0)
    return Motion.from_rotates(
        skeleton,
        rotates,
        np.array(file.frames.numbers[: len(present)]),
        frame_rate if frame_rate is not None else file.frame_rate or DEFAULT_FRAME_RATE,
        clip,
        progress=share(progress, *TURNING),
        translations=translations,
        source=file.text.source,
        findings=tuple(findings),
        animated=frozenset(name for name, moves in zip(skeleton.names, moved) if moves),
    )


def _dof(skeleton: Skeleton, name: str) -> tuple[str, ...]:
    declaration = skeleton.declarations.get(name)
    known = CHANNEL_OF_DOF.values()
    if declaration is None or declaration.dof is None or not set(declaration.dof) <= set(known):
        raise ValueError(f"joint {name!r} has no dof; AMC motion needs a skeleton from an ASF file")
    return declaration.dof


def _assumptions(
    file: AmcFile, skeleton: Skeleton, frame_rate: float | None, clip: str
) -> list[Finding]:
    """Findings about what the file does not state; its unit of angles becomes that taken."""
    findings = []
    if frame_rate is None and file.frame_rate is None:
        message = f"AMC files have no frame rate; {DEFAULT_FRAME_RATE:g} fps is assumed"
        findings.append(Finding("frame-rate-assumed", message, clip=clip))
    if file.radians is None:
        file.radians = skeleton.angle_unit == "radians"
        taken = f"{skeleton.angle_unit} as in its ASF" if skeleton.angle_unit else "degrees"
        message = f"the file states neither :DEGREES nor :RADIANS; {taken} are assumed"
        findings.append(Finding("angle-unit-assumed", message, clip=clip))
    return findings


def _frame_gaps(file: AmcFile, clip: str) -> list[Finding]:
    """Check that frame numbers increase, and report gaps."""
    numbers = np.array(file.frames.numbers)
    if len(numbers) == 0:
        raise file.text.fail("has no frames")
    steps = np.diff(numbers)
    if (steps <= 0).any():
        at = int(np.argmax(steps <= 0)) + 1
        what = "appears twice" if steps[at - 1] == 0 else f"comes after {numbers[at - 1]:.0f}"
        message = f"frame {numbers[at]:.0f} {what}; frame numbers must increase"
        raise file.text.fail(message, file.frames.number_lines[at])
    gaps = np.flatnonzero(steps > 1)
    if len(gaps) == 0:
        return []
    ranges = tuple((float(numbers[at]) + 1, float(numbers[at + 1]) - 1) for at in gaps)
    message = f"frame numbers are skipped in {len(gaps)} places"
    return [Finding("frame-gap", message, clip=clip, frame_ranges=ranges)]


def _present(file: AmcFile, clip: str) -> tuple[Booleans, list[Finding]]:
    """Which frame has which joint, shape (frames, joints).

    An incomplete last frame is dropped. Elsewhere a bone must be in every frame or in none.
    """
    present = file.frames.present()
    anywhere = present.any(axis=0)
    short = (present != anywhere).any(axis=1)
    noticed = []
    if len(present) > 1 and short[-1] and not short[:-1].any():
        present, short = present[:-1], short[:-1]
        message = "the last frame is incomplete and was dropped"
        last = file.frames.numbers[-1]
        noticed.append(Finding("frame-count", message, clip=clip, frame_ranges=((last, last),)))
    if short.any():
        at = int(np.argmax(short))
        name = file.names[int(np.argmax(present[at] != anywhere))]
        message = f"frame {file.frames.numbers[at]:.0f} lacks bone {name!a}, unlike others"
        raise file.text.fail(message, file.frames.number_lines[at])
    return present, noticed


def _channels(
    file: AmcFile,
    columns: Floats,
    skeleton: Skeleton,
    dofs: list[tuple[str, ...]],
    progress: Progress | None,
) -> tuple[Floats, dict[int, Floats]]:
    """Rotates (joints, 3, frames) in radians, and the translation of the root."""
    ends = np.cumsum([len(dof) for dof in dofs])
    own, count = np.split(columns, ends[:-1]), columns.shape[1]
    rotates, sorting = np.zeros((len(dofs), 3, count)), share(progress, *COLUMNS)
    for joint, dof in enumerate(dofs):
        for channel, column in zip(dof, own[joint]):
            if channel in CHANNELS:
                radians = column if file.radians else np.radians(column)
                rotates[joint, CHANNELS.index(channel)] = radians
        report_progress(sorting, joint + 1, len(dofs), "sorting the channels")
    root = skeleton.names.index(ROOT) if ROOT in skeleton.names else -1
    if root < 0 or not set(_TRANSLATIONS) & set(dofs[root]):
        return rotates, {}
    place = np.tile(skeleton.offsets[root], (count, 1))
    for channel, column in zip(dofs[root], own[root]):
        if channel in _TRANSLATIONS:
            place[:, _TRANSLATIONS.index(channel)] += column
    return rotates, {root: place}


def _missing_bones(
    skeleton: Skeleton, widths: list[int], present: Booleans, clip: str
) -> list[Finding]:
    message = "the bone has degrees of freedom but is in no frame; its angles are set to zero"
    missing = (np.array(widths) > 0) & ~present.any(axis=0)
    return [
        Finding("missing-bone", message, joint=skeleton.names[joint], clip=clip)
        for joint in np.flatnonzero(missing)
    ]
