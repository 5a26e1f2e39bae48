"""Body tracks from columns of numbers: length units, evenly spaced frames, gaps.

Motions have a frame rate instead of times, so a row that a recorder skipped would shift all later
ones. Rows are therefore resampled to evenly spaced frames, with gaps where rows are missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..base.findings import Finding
from ..geometry.arrays import Booleans, Floats, Integers, frame_ranges
from ..geometry.euler import quaternion_from_euler
from ..geometry.quaternion import normalize, slerp
from ..skeleton_fit.markers import MarkerTracks
from ..skeleton_fit.tracks import BodyTracks
from .number_table import NumberTable

MAX_JITTER_SHARE = 0.25
"""Largest deviation of a row from even spacing, as a share of a frame."""
MAX_INTERPOLATED_FRAMES = 2.5
"""Longest time between two rows, in frames, across which values are interpolated."""


@dataclass(frozen=True, eq=False)
class FileTracks:
    """Tracks of one file: bodies, markers, or both."""

    bodies: BodyTracks | None
    markers: MarkerTracks | None = None


@dataclass(frozen=True, eq=False)
class EvenFrames:
    """Rows from which evenly spaced frames are interpolated; all arrays have shape (frames,).

    `before`, `after`: rows around each frame, equal if a row is at the frame's time. `share`:
    position between the two rows, from 0 to 1. `known`: False if no row is near enough.
    """

    before: Integers
    after: Integers
    share: Floats
    known: Booleans

    @property
    def are_rows(self) -> bool:
        """Whether the frames are the rows, unchanged."""
        return bool(self.known.all()) and not self.is_interpolated

    @property
    def is_interpolated(self) -> bool:
        """Whether frames lie between rows, so that values are interpolated."""
        return bool(self.share.any())

    def places(self, values: Floats) -> Floats:
        """Positions at the evenly spaced frames.

        `values`: shape (objects, rows, 3), NaN where missing. Returns shape (objects, frames, 3),
        NaN in gaps.
        """
        one, other = values[:, self.before], values[:, self.after]
        return np.asarray(
            np.where(self.known[:, None], one + self.share[:, None] * (other - one), np.nan)
        )

    def turns(self, values: Floats) -> Floats:
        """Quaternions (objects, frames, 4) at the evenly spaced frames, from (objects, rows, 4)."""
        found = values[:, self.before]
        if self.is_interpolated:
            found = normalize(slerp(found, values[:, self.after], self.share))
        return np.asarray(np.where(self.known[:, None], found, np.nan))


def even_frames(steps: Floats) -> EvenFrames:
    """Evenly spaced frames for rows.

    `steps`: frames from each row to the next, shape (rows - 1,), see :func:`steps_of`. If all rows
    are whole numbers of frames apart, to within a quarter frame, they are kept, with gaps between
    them; otherwise they are interpolated.
    """
    whole = np.rint(steps)
    if (whole >= 1.0).all() and (np.abs(steps - whole) <= MAX_JITTER_SHARE).all():
        at = np.concatenate([[0], np.cumsum(whole)]).astype(np.int64)
        rows = np.searchsorted(at, np.arange(at[-1] + 1), side="right") - 1
        return EvenFrames(rows, rows, np.zeros(len(rows)), at[rows] == np.arange(len(rows)))
    at = np.concatenate([[0.0], np.cumsum(steps)])
    frames = np.arange(np.floor(at[-1] + MAX_JITTER_SHARE) + 1.0)
    after = np.clip(np.searchsorted(at, frames), 1, len(at) - 1)
    before = after - 1
    apart = at[after] - at[before]
    share = np.clip((frames - at[before]) / apart, 0.0, 1.0)
    near = np.minimum(np.abs(frames - at[before]), np.abs(frames - at[after])) <= MAX_JITTER_SHARE
    close = apart <= MAX_INTERPOLATED_FRAMES
    # Next to a long gap, a frame takes the values of the nearest row.
    share = np.where(close, share, np.rint(share))
    before, after = np.where(share == 1.0, after, before), np.where(share == 0.0, before, after)
    return EvenFrames(before, after, np.where(before == after, 0.0, share), close | near)


def steps_of(times: Floats) -> tuple[Floats, float]:
    """Steps between rows in frames, and the length of a frame.

    `times`: increasing seconds or frame numbers, shape (rows,). The steps have shape (rows - 1,).
    The length of a frame is the mean of all steps near the median, since files round times.
    """
    steps = np.diff(times)
    # The lower median, which is always an actual step.
    usual = float(np.sort(steps)[(len(steps) - 1) // 2])
    steady: Booleans = np.abs(steps / usual - 1.0) <= MAX_JITTER_SHARE
    frame = float(np.mean(steps[steady]))
    return steps / frame, frame


MAX_FRAME_NUMBER = 1e12
"""Largest frame number at which a float still distinguishes single frames."""
MIN_FRAME_STEP = 1e-6
"""Smallest difference between two frame numbers."""
_MIN_QUATERNION_LENGTH = 1e-3
"""Shortest quaternion accepted before normalizing; files round each component."""
UNIT_LENGTH_TOLERANCE = 0.02
"""Largest deviation of a quaternion's length from 1, allowing for rounding in files."""
MAX_FRAMES_PER_ROW = 100
"""Maximum frames per row of a large table; one with more counts as mostly gaps."""


@dataclass
class BodyColumns:
    """Columns of one body.

    `place`: columns of x, y, z. `turn`: columns of x, y, z, w, or of three angles in degrees.
    `rotate_order`: rotate order of the angles; None for x, y, z, w.
    """

    place: list[int] = field(default_factory=list)
    turn: list[int] = field(default_factory=list)
    rotate_order: str | None = None


class TableClock(NamedTuple):
    """Evenly spaced frames of a table: `rate` per second, numbered `frames`, shape (frames,)."""

    even: EvenFrames
    rate: float
    frames: Floats
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class CsvTable:
    """Numbers of a table, with their units and the meaning of their columns."""

    table: NumberTable
    meters_per_unit: float
    frame_rate: float | None = None
    frame_column: int | None = None
    time_column: int | None = None

    def bodies(self, columns: Mapping[str, BodyColumns], name: str) -> BodyTracks:
        """Tracks in metres; a body is absent in rows where it has an empty cell.

        Raises BodyCsvError, with the line, for quaternions far from unit length, and whenever
        :meth:`clock` does.
        """
        clock = self.clock(name)
        places = clock.even.places(self.places([one.place for one in columns.values()]))
        given = np.stack([self._quaternions(body, one) for body, one in columns.items()])
        turns = clock.even.turns(given)
        present = np.asarray(np.isfinite(places).all(axis=2) & np.isfinite(turns).all(axis=2))
        return BodyTracks(
            tuple(columns),
            places,
            np.ascontiguousarray(turns.transpose(0, 2, 1)),
            clock.rate,
            present,
            name,
            clock.frames,
            self.table.text.source,
            clock.findings,
        )

    def places(self, columns: Sequence[Sequence[int]]) -> Floats:
        """Positions of several objects, shape (objects, rows, 3), metres."""
        return np.stack([self.table.values[:, at] for at in columns]) * self.meters_per_unit

    def clock(self, name: str) -> TableClock:
        """Frames of the rows: from frame numbers if some are skipped, else from times.

        Raises BodyCsvError, with the line, for frame numbers that do not increase, for missing
        times if there is no frame rate, and for gaps that would produce too many frames.
        """
        numbers, times = self._frame_numbers(), self._times()
        if len(numbers) == 1:
            return TableClock(even_frames(np.ones(0)), self.frame_rate or 1.0, numbers)
        steps, unit = steps_of(numbers)
        seconds = 1.0
        if times is not None and np.allclose(steps, 1.0):
            steps, seconds = steps_of(times)
        elif times is not None:
            seconds = float(np.median(np.diff(times) / steps))
        self._check_length(steps)
        even, rate = even_frames(steps), self.frame_rate or 1.0 / seconds
        if even.are_rows:
            return TableClock(even, rate, numbers)
        frames = numbers[0] + unit * np.arange(len(even.known))
        if not even.is_interpolated:
            return TableClock(even, rate, frames)
        # Skipped rows are reported as gaps.
        percent = 100.0 * float(np.mean(np.abs(steps - 1.0) > MAX_JITTER_SHARE))
        message = f"{percent:.1f} % of the times are not evenly spaced; the motion was resampled to"
        message += f" {len(even.known)} even frames"
        return TableClock(even, rate, frames, (Finding("uneven-times", message, clip=name),))

    def _check_length(self, steps: Floats) -> None:
        """Reject a jump over so many frames that gaps would fill memory."""
        rows, width = self.table.values.shape
        numbers, limits = steps.sum() * width, self.table.limits
        # One stray time would create millions of frames, nearly all without data.
        is_sparse = steps.sum() > MAX_FRAMES_PER_ROW * rows
        row, jump = np.argmax(steps) + 1, f"jumps over {steps.max():.0f} frames, "
        if is_sparse and numbers * MAX_FRAMES_PER_ROW > limits.max_numbers:
            message = f"{jump}far more than the {rows} rows of the file; correct the time"
            raise self.table.row_error(row, f"{message}, or split the file")
        if numbers > limits.max_numbers:
            why = limits.refusal("max_numbers", "numbers", subject="so that the gaps have")
            raise self.table.row_error(row, why.surround(jump, ", or split the file"))

    def _frame_numbers(self) -> Floats:
        if self.frame_column is None:
            return np.arange(len(self.table.values), dtype=np.float64)
        frames = self.table.values[:, self.frame_column]
        wrong = np.flatnonzero(~(np.diff(frames, prepend=-np.inf) > MIN_FRAME_STEP))
        if len(wrong):
            message = "its frame number is missing or not above the previous one"
            raise self.table.row_error(wrong[0], message)
        far = np.flatnonzero(np.abs(frames) > MAX_FRAME_NUMBER)
        if len(far):
            message = f"its frame number {frames[far[0]]:g} is implausibly large"
            raise self.table.row_error(far[0], message)
        return np.array(frames)

    def _times(self) -> Floats | None:
        """Times of the rows; None if they are missing or wrong but there is a frame rate."""
        rate = self.frame_rate
        if rate is not None and not (np.isfinite(rate) and rate > 0.0):
            raise self.table.text.fail(f"frame rate must be finite and above 0, not {rate:g} Hz")
        if rate is None and (self.time_column is None or len(self.table.values) < 2):
            advice = "add a line `# frame_rate: 120` at its top, or set the frame rate"
            message = f"has neither times nor a frame rate; {advice} (--frame-rate)"
            raise self.table.text.fail(message)
        if self.time_column is None:
            return None
        times = self.table.values[:, self.time_column]
        wrong = np.flatnonzero(~(np.diff(times) > 0.0))
        if len(wrong) and rate is None:
            message = "its time is missing or not after the previous one"
            raise self.table.row_error(wrong[0] + 1, message)
        return None if len(wrong) else np.array(times)

    def _quaternions(self, body: str, columns: BodyColumns) -> Floats:
        turns = self.table.values[:, columns.turn]
        if columns.rotate_order is not None:
            return quaternion_from_euler(np.radians(turns), columns.rotate_order)
        with np.errstate(over="ignore"):  # infinite lengths are rejected below
            lengths = np.linalg.norm(turns, axis=1)
        # Some programs write four zeros for a lost body.
        lengths[lengths < _MIN_QUATERNION_LENGTH] = np.nan
        wrong = np.flatnonzero(np.abs(lengths - 1.0) > UNIT_LENGTH_TOLERANCE)
        if len(wrong):
            message = f"rotation of {body!r} has length {lengths[wrong[0]]:.3g}, expected 1"
            raise self.table.row_error(wrong[0], f"{message}; are these columns x, y, z, w?")
        return np.asarray(turns / lengths[:, None])


def gap_findings(
    labels: Sequence[str], present: Booleans, frames: Floats, clip: str
) -> list[Finding]:
    """Findings about markers that were never seen, and about the share of missing samples.

    `present`: shape (markers, frames). `frames`: frame numbers in the file, shape (frames,).
    Returns at most one finding for each of the rules "never-seen" and "gaps".
    """
    never = [label for label, seen in zip(labels, present) if not seen.any()]
    found = []
    if never:
        message = f"Never seen: {', '.join(never[:10])}{' ...' if len(never) > 10 else ''}."
        found.append(Finding("never-seen", message, clip=clip))
    there = present[present.any(axis=1)]
    if there.size and not there.all():
        gaps = ~there.all(axis=0)
        message = f"{100.0 * (1.0 - there.mean()):.1f} % of the samples are gaps."
        found.append(Finding("gaps", message, clip=clip, frame_ranges=frame_ranges(frames, gaps)))
    return found


METERS = {
    unit: meters
    for meters, units in (
        (1.0, "m meter meters metre metres"),
        (0.1, "dm decimeters"),
        (0.01, "cm centimeter centimeters centimetres"),
        (0.001, "mm millimeter millimeters millimetres"),
        (0.0254, "in inch inches"),
        (0.3048, "ft foot feet"),
    )
    for unit in units.split()
}
"""Metres per unit, by lower-case unit name."""


def meters_of(unit: str) -> float | None:
    """Metres per unit, ignoring case; None for an unknown name."""
    return METERS.get(unit.strip().lower().rstrip("."))
