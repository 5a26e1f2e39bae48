"""Acclaim motion (AMC).

A frame is a line with its number, followed by a line for each bone with the values of the bone's
`dof`, in the order in which the skeleton file lists them. The root's translation is added to its
`position`. The format has no frame rate, and its length unit is that of the skeleton.

Frames with the same bones in the same order, as programs write them, are read bone by bone. Frames
that differ, for example because of a comment or an error, are left to the line-by-line reader.
"""

from __future__ import annotations

import itertools
import os
import re
from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..base.errors import InputError
from ..base.findings import Finding
from ..base.progress import Progress, report_progress, share
from ..geometry.arrays import Booleans, Floats
from ..geometry.euler import CHANNELS
from ..io import input as files
from ..io.input import FilePath, ReadLimits
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton
from . import asf, registry, text, tokens

_FRAME_NUMBER = re.compile(rb"[+-]?\d{1,15}")


class AmcFile:
    """Settings and frames of an AMC file.

    `names`: bones of the skeleton, including the root. `widths`: number of values of each bone in a
    frame. `radians`: None if not stated. `frame_rate`: from `:SAMPLES-PER-SECOND`, which some
    programs write. `numbers`, `number_lines`: each frame's number, and the line that it is on.
    Raises AcclaimError with the line.
    """

    def __init__(
        self,
        path: FilePath,
        names: Sequence[str],
        widths: Sequence[int],
        limits: ReadLimits,
        progress: Progress | None = None,
    ) -> None:
        self.text = text.read_text(path, limits, asf.AcclaimError, progress=progress)
        self.radians: bool | None = None
        self.frame_rate: float | None = None
        self.names, self._widths, self._limits = names, widths, limits
        self.numbers, self.number_lines = array("d"), array("q")
        # Values of all frames, 0 for missing bones, and a mask of the bones that each frame has.
        self._values, self._has, self._size = array("d"), bytearray(), 0
        # Index of each bone by its name in UTF-8 and, if possible, in Latin-1.
        joints: dict[bytes, int] = {}
        for joint, name in enumerate(self.names):
            joints[name.encode("utf-8", "replace")] = joint
            if max(name) <= "\xff":
                joints.setdefault(name.encode("latin-1"), joint)
        self._joints, self._starts = joints, [0, *itertools.accumulate(widths)]
        first = 1
        for piece in self.text.pieces():
            lines = piece.splitlines(keepends=True)
            heads = (n for n, line in enumerate(lines) if self._is_frame_number(line.strip()))
            start = next(heads, len(lines))
            step = next(heads, start) - start
            self._read_lines(first, lines[:start])
            read = start + self._read_uniform_frames(first + start, lines[start:], step)
            self._read_lines(first + read, lines[read:])
            first += len(lines)

    def present(self) -> Booleans:
        """Mask of the joints that each frame has, shape (frames, joints)."""
        return np.frombuffer(self._has, bool).reshape(-1, len(self._widths))

    def columns(self) -> Floats:
        """Values of one joint after another, shape (values, frames); 0 for missing bones."""
        return np.array(self._values).reshape(len(self.numbers), -1).T

    def _is_frame_number(self, word: bytes) -> bool:
        return _FRAME_NUMBER.fullmatch(word) is not None and word not in self._joints

    def _read_uniform_frames(self, first: int, lines: list[bytes], step: int) -> int:
        """Read frames with the same bones in the same order; return the number of lines read.

        `step`: lines per frame. The last frame is not read, since more of it may follow. Returns 0
        unless all frames have the same plain lines and fit the budget; the line-by-line reader then
        finds any error.
        """
        count = (len(lines) - 1) // step if step > 1 else 0
        numbers = [line.strip() for line in lines[: count * step + 1 : max(step, 1)]]
        if not count or not all(map(self._is_frame_number, numbers)):
            return 0
        values, has = np.zeros((count, self._starts[-1])), np.zeros(len(self.names), bool)
        for place in range(1, step):
            name = (lines[place].split(None, 1) or [b""])[0]
            joint = self._joints.get(name, 0)
            own = lines[place : count * step : step]
            found = _uniform_numbers(own, name, self._widths[joint])
            if name not in self._joints or has[joint] or found is None:
                return 0
            values[:, self._starts[joint] : self._starts[joint + 1]] = found
            has[joint] = True
        size = self._size + count * int(np.dot(has, self._widths))
        frames = len(self.numbers) + count
        beyond = files.too_many_frames(frames, len(self.names), self._limits)
        if beyond or files.too_many_numbers(size, self._limits):
            return 0
        self.numbers.extend(map(float, numbers[:count]))
        self.number_lines.extend(range(first, first + count * step, step))
        self._values.frombytes(values.tobytes())
        self._has += has.tobytes() * count
        self._size = size
        return count * step

    def _read_lines(self, first: int, lines: list[bytes]) -> None:
        for number, line in enumerate(lines, first):
            word, *rest = asf.without_comment(line).split(None, 1) or (b"",)
            joint = self._joints.get(word)
            if joint is not None:
                self._read_bone(number, line, joint, rest[0] if rest else b"")
            elif word.startswith(b":"):
                self._read_keyword(number, word[1:].lower(), rest)
            elif word and not rest and self._is_frame_number(word):
                self.numbers.append(float(word))
                self.number_lines.append(number)
                self._values.frombytes(bytes(8 * self._starts[-1]))
                self._has += bytes(len(self.names))
                refusal = files.too_many_frames(len(self.numbers), len(self.names), self._limits)
                if refusal:
                    raise self.text.fail(refusal, number)
            elif word:
                shown = ascii(word[:40].decode("latin-1"))
                message = f"{shown} is neither a frame number nor a bone of the skeleton"
                raise self.text.fail(f"{message}; is this the right ASF file?", number)

    def _read_bone(self, number: int, line: bytes, joint: int, rest: bytes) -> None:
        values = tokens.split_numbers(rest)
        if values is None:
            raise tokens.bad_line(self.text, number, line, skip_words=1)
        if len(values) != self._widths[joint]:
            message = (
                f"bone {self.names[joint]!a} has {len(values)} values in this frame, expected "
                f"{self._widths[joint]} (its degrees of freedom in the skeleton)"
            )
            raise self.text.fail(message, number)
        if not all(abs(value) < tokens.MAX_NUMBER for value in values):
            raise tokens.bad_line(self.text, number, line, skip_words=1)
        if not self.numbers:
            raise self.text.fail("a bone comes before the first frame number", number)
        if self._has[joint - len(self.names)]:
            raise self.text.fail("this bone appears twice in the frame", number)
        start = len(self._values) - self._starts[-1] + self._starts[joint]
        self._values[start : start + len(values)] = array("d", values)
        self._has[joint - len(self.names)] = True
        self._size += len(values)
        refusal = files.too_many_numbers(self._size, self._limits)
        if refusal:
            raise self.text.fail(refusal, number)

    def _read_keyword(self, number: int, keyword: bytes, rest: list[bytes]) -> None:
        """Read a keyword; `:FULLY-SPECIFIED` and program-specific keywords are ignored."""
        if keyword in (b"degrees", b"radians"):
            self.radians = keyword == b"radians"
        elif keyword in (b"samples-per-second", b"samples"):
            values = tokens.split_numbers(rest[0]) if rest else None
            if not values or not 1e-9 <= values[0] <= 1e9:
                raise self.text.fail("samples per second must be a number above 0", number)
            self.frame_rate = values[0]


def _uniform_numbers(lines: list[bytes], name: bytes, width: int) -> Floats | None:
    """Numbers on the lines, (lines, width); None unless each line is `name` and `width` numbers.

    Also None if the name is a number, since it could be a value from another line.
    """
    written = b"".join(lines)
    words = written.split()
    names = words[:: width + 1]
    del words[:: width + 1]
    plain = (b"\n" + written).count(b"\n" + name) == len(lines) and names == [name] * len(lines)
    if not plain or tokens.split_numbers(name) is not None or len(words) != width * len(lines):
        return None
    try:
        found = np.fromiter(map(float, words), np.float64, len(words)).reshape(-1, width)
    except ValueError:
        return None
    is_plain = written.count(b"_") == len(lines) * name.count(b"_")
    return found if is_plain and (np.abs(found) < tokens.MAX_NUMBER).all() else None


DEFAULT_FPS = 120.0
_TRANSLATIONS = ("translateX", "translateY", "translateZ")


def skeleton_file(path: Path) -> Path:
    """ASF file that belongs to an AMC file; raises InputError unless there is exactly one."""
    try:
        return path.parent / asf.skeleton_beside(path)
    except ValueError as error:
        text = f"an AMC motion needs a skeleton: {error}; give its ASF file as skeleton"
        raise InputError(path, f"{text} (--skeleton)") from None
    except OSError as error:
        raise InputError(path, files.read_error_reason(error)) from None


def read_amc(path: FilePath, request: registry.ReadRequest = registry.DEFAULT_REQUEST) -> Motion:
    """Read an AMC motion.

    `request.skeleton` comes from :func:`.asf.read_asf` or is an ASF file, by default the one beside
    the motion (:func:`.asf.skeleton_beside`); its angle unit applies if the motion states none.
    `request.frame_rate` defaults to the rate that the file states, or else to 120 per second. The
    motion has `rotates` on the file's own branch. Findings: "frame-rate-assumed",
    "angle-unit-assumed", "missing-bone", "translation-ignored", "frame-gap", "frame-count".

    Raises InputError if no skeleton is found, or more than one; AcclaimError, with the line, for
    unknown bones, wrong numbers of values, repeated frames, and bones that only some frames lack;
    ValueError if the skeleton is not from an ASF file; Cancelled if `request.progress` returned
    False.
    """
    skeleton = skeleton_file(Path(path)) if request.skeleton is None else request.skeleton
    if not isinstance(skeleton, (Skeleton, str, os.PathLike)):
        raise TypeError(f"skeleton must be a skeleton or a path, not {skeleton!r}")
    if not isinstance(skeleton, Skeleton):
        skeleton = asf.read_asf(skeleton, request.limits)
    frame_rate, progress = request.frame_rate, request.progress
    dofs = _dofs_of(skeleton)
    file = AmcFile(path, skeleton.names, [len(dof) for dof in dofs], request.limits, progress)
    clip = Path(path).stem
    findings = _assume_settings(file, skeleton, frame_rate, clip) + _frame_gaps(file, clip)
    present, noticed = _bones_of_frames(file, clip)
    columns = file.columns()[:, : len(present)]
    rotates, translations = _channels(file, columns, skeleton, dofs, progress)
    bones = list(zip(skeleton.names, dofs, present.any(axis=0)))
    message = "the bone has degrees of freedom but appears in no frame; its angles are set to zero"
    missing = [name for name, dof, there in bones if dof and not there]
    findings += noticed + [Finding("missing-bone", message, name, clip) for name in missing]
    findings += _ignored_findings(skeleton, dofs, columns, clip)
    moving = [name for name, dof, there in bones if there and set(dof) & set(CHANNELS)]
    return Motion.from_rotates(
        skeleton,
        rotates,
        np.array(file.numbers[: len(present)]),
        frame_rate if frame_rate is not None else file.frame_rate or DEFAULT_FPS,
        clip,
        progress=share(progress, *text.TURNING),
        translations=translations,
        source=file.text.source,
        findings=tuple(findings),
        animated=frozenset(moving),
    )


def _dofs_of(skeleton: Skeleton) -> list[tuple[str, ...]]:
    """Channels of every joint; raises ValueError if the skeleton is not from an ASF file."""
    dofs = []
    for name in skeleton.names:
        dof = getattr(skeleton.declarations.get(name), "dof", None)
        if dof is None or not set(dof) <= set(asf.CHANNEL_OF_DOF.values()):
            message = f"joint {name!r} has no dof; AMC motion needs a skeleton from an ASF file"
            raise ValueError(message)
        dofs.append(dof)
    return dofs


def _assume_settings(
    file: AmcFile, skeleton: Skeleton, frame_rate: float | None, clip: str
) -> list[Finding]:
    """Set the angle unit if the file states none; return findings about assumed settings."""
    findings = []
    if frame_rate is None and file.frame_rate is None:
        message = f"AMC files have no frame rate; {DEFAULT_FPS:g} fps is assumed"
        findings.append(Finding("frame-rate-assumed", message, clip=clip))
    if file.radians is None:
        file.radians = skeleton.angle_unit == "radians"
        taken = f"{skeleton.angle_unit} as in its ASF" if skeleton.angle_unit else "degrees"
        message = f"the file states neither :DEGREES nor :RADIANS; {taken} are assumed"
        findings.append(Finding("angle-unit-assumed", message, clip=clip))
    return findings


def _ignored_findings(
    skeleton: Skeleton, dofs: list[tuple[str, ...]], columns: Floats, clip: str
) -> list[Finding]:
    """Findings about bone lengths and translations, which are not read."""
    message = "changes in the bone's length or position are ignored"
    owners = [(name, channel) for name, dof in zip(skeleton.names, dofs) for channel in dof]
    ignored = dict.fromkeys(
        name
        for (name, channel), values in zip(owners, columns)
        if channel not in CHANNELS
        if name != asf.ROOT or channel not in _TRANSLATIONS
        if np.any(values != 0.0)
    )
    return [Finding("translation-ignored", message, joint=name, clip=clip) for name in ignored]


def _frame_gaps(file: AmcFile, clip: str) -> list[Finding]:
    """Check that frame numbers increase, and report gaps."""
    numbers = np.array(file.numbers)
    if len(numbers) == 0:
        raise file.text.fail("has no frames")
    steps = np.diff(numbers)
    if (steps <= 0).any():
        at = int(np.argmax(steps <= 0)) + 1
        what = "appears twice" if steps[at - 1] == 0 else f"comes after {numbers[at - 1]:.0f}"
        message = f"frame {numbers[at]:.0f} {what}; frame numbers must increase"
        raise file.text.fail(message, file.number_lines[at])
    gaps = np.flatnonzero(steps > 1)
    if len(gaps) == 0:
        return []
    ranges = tuple((float(numbers[at]) + 1, float(numbers[at + 1]) - 1) for at in gaps)
    message = f"frame numbers are skipped in {len(gaps)} places"
    return [Finding("frame-gap", message, clip=clip, frame_ranges=ranges)]


def _bones_of_frames(file: AmcFile, clip: str) -> tuple[Booleans, list[Finding]]:
    """Mask of the joints that each frame has, shape (frames, joints), and findings.

    An incomplete last frame is dropped. Each bone must be in all other frames or in none of them.
    """
    present = file.present()
    anywhere = present.any(axis=0)
    short = (present != anywhere).any(axis=1)
    noticed = []
    if len(present) > 1 and short[-1] and not short[:-1].any():
        present, short = present[:-1], short[:-1]
        message = "the last frame is incomplete and was dropped"
        last = file.numbers[-1]
        noticed.append(Finding("frame-count", message, clip=clip, frame_ranges=((last, last),)))
    if short.any():
        at = int(np.argmax(short))
        name = file.names[int(np.argmax(present[at] != anywhere))]
        message = f"frame {file.numbers[at]:.0f} lacks bone {name!a}, unlike other frames"
        raise file.text.fail(message, file.number_lines[at])
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
    rotates, sorting = np.zeros((len(dofs), 3, count)), share(progress, *text.COLUMNS)
    for joint, dof in enumerate(dofs):
        for channel, column in zip(dof, own[joint]):
            if channel in CHANNELS:
                radians = column if file.radians else np.radians(column)
                rotates[joint, CHANNELS.index(channel)] = radians
        report_progress(sorting, joint + 1, len(dofs), "sorting the channels")
    root = skeleton.names.index(asf.ROOT) if asf.ROOT in skeleton.names else -1
    if root < 0 or not set(_TRANSLATIONS) & set(dofs[root]):
        return rotates, {}
    place = np.tile(skeleton.offsets[root], (count, 1))
    for channel, column in zip(dofs[root], own[root]):
        if channel in _TRANSLATIONS:
            place[:, _TRANSLATIONS.index(channel)] += column
    return rotates, {root: place}
