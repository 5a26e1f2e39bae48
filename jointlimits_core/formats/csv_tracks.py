"""Conversion of number columns into body tracks, for all CSV formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..arrays import Floats
from ..bodies.tracks import BodyTracks
from ..euler import quaternion_from_euler
from ..findings import Finding
from .even_frames import STEADY, EvenFrames, even_frames, steps_of
from .number_table import NumberTable
from .text import TextFile

MOST_FRAME = 1e12
"""Largest frame number that leaves enough digits to count single frames."""
LEAST_STEP = 1e-6
"""Tolerance below which frame numbers are the same."""
_SHORTEST = 1e-3
"""Shortest quaternion accepted before normalizing; files round each component."""
UNIT_WITHIN = 0.02
"""Largest deviation of a quaternion's length from 1, allowing for rounding in files."""
FRAMES_PER_ROW = 100
"""Frame count above which a table is checked for being mostly gaps."""


@dataclass
class BodyColumns:
    """Columns of one body.

    Parameters
    ----------
    place : list of int
        Columns of x, y, z.
    turn : list of int
        Columns of x, y, z, w, or of three angles in degrees.
    rotate_order : str or None
        Set for angles.
    """

    place: list[int] = field(default_factory=list)
    turn: list[int] = field(default_factory=list)
    rotate_order: str | None = None


@dataclass(frozen=True, eq=False)
class TableClock:
    """Frames of the rows of a table.

    Parameters
    ----------
    even : EvenFrames
        Evenly spaced frames for the rows.
    rate : float
        Frames per second.
    frames : array, shape (frames,)
        Frame numbers.
    """

    even: EvenFrames
    rate: float
    frames: Floats
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class CsvTable:
    """A table of bodies, read but not yet interpreted.

    Parameters
    ----------
    values : array, shape (rows, columns)
    """

    text: TextFile
    table: NumberTable
    values: Floats
    meters_per_unit: float
    frame_rate: float | None = None
    frame_column: int | None = None
    time_column: int | None = None

    def bodies(self, columns: Mapping[str, BodyColumns], name: str) -> BodyTracks:
        """Build tracks.

        Parameters
        ----------
        columns : mapping of body name to BodyColumns
        name : str
            Name of the clip.

        Returns
        -------
        BodyTracks
            In metres; a body is absent in rows where it has an empty cell.

        Raises
        ------
        BodyCsvError
            With the line, for quaternions far from unit length, and as :meth:`clock`.
        """
        clock = self.clock(name)
        places = clock.even.places(self.places([one.place for one in columns.values()]))
        turns = np.stack([self._quaternions(body, one) for body, one in columns.items()])
        turns = clock.even.turns(turns)
        present = np.asarray(np.isfinite(places).all(axis=2) & np.isfinite(turns).all(axis=2))
        return BodyTracks(
            tuple(columns),
            places,
            np.ascontiguousarray(turns.transpose(0, 2, 1)),
            clock.rate,
            present,
            name,
            clock.frames,
            self.text.source,
            clock.findings,
        )

    def places(self, columns: Sequence[Sequence[int]]) -> Floats:
        """Positions of several objects, shape (objects, rows, 3), metres."""
        return np.stack([self.values[:, at] for at in columns]) * self.meters_per_unit

    def clock(self, name: str) -> TableClock:
        """Frames of the rows: from frame numbers if some are skipped, else from times.

        Parameters
        ----------
        name : str
            Name of the clip.

        Raises
        ------
        BodyCsvError
            With the line, for frame numbers that do not increase, for missing times without a
            frame rate, and for gaps that would produce too many frames.
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
        if even.as_they_are:
            return TableClock(even, rate, numbers)
        frames = numbers[0] + unit * np.arange(len(even.known))
        return TableClock(even, rate, frames, _uneven(even, steps, name))

    def _check_length(self, steps: Floats) -> None:
        """Reject a jump over so many frames that gaps would fill memory."""
        rows, width = self.values.shape
        numbers, limits = steps.sum() * width, self.table.limits
        # One stray time would make millions of frames with data for a few rows.
        stray = (
            steps.sum() > FRAMES_PER_ROW * rows and numbers * FRAMES_PER_ROW > limits.max_numbers
        )
        if stray or numbers > limits.max_numbers:
            line = self.table.number_of_row(int(np.argmax(steps)) + 1)
            why = (
                f"far more than the {rows} rows of the file; correct the time"
                if stray
                else f"so that the gaps have {limits.refusal('max_numbers', 'numbers')}"
            )
            message = f"jumps over {steps.max():.0f} frames, {why}, or split the file"
            raise self.text.fail(message, line)

    def _frame_numbers(self) -> Floats:
        """Frame numbers of the rows."""
        if self.frame_column is None:
            return np.arange(len(self.values), dtype=np.float64)
        frames = self.values[:, self.frame_column]
        wrong = np.flatnonzero(~(np.diff(frames, prepend=-np.inf) > LEAST_STEP))
        if len(wrong):
            line = self.table.number_of_row(int(wrong[0]))
            raise self.text.fail("its frame number is missing or not above the previous one", line)
        far = np.flatnonzero(np.abs(frames) > MOST_FRAME)
        if len(far):
            line = self.table.number_of_row(int(far[0]))
            raise self.text.fail(f"its frame number {frames[far[0]]:g} is implausibly large", line)
        return np.array(frames)

    def _times(self) -> Floats | None:
        """Times of the rows; with a frame rate they may be missing or wrong."""
        rate = self.frame_rate
        if rate is not None and not (np.isfinite(rate) and rate > 0.0):
            raise self.text.fail(f"frame rate must be finite and above 0, not {rate:g} Hz")
        if rate is None and (self.time_column is None or len(self.values) < 2):
            raise self.text.fail(
                "has neither times nor a frame rate; add a line `# frame_rate: 120` at its top, "
                "or set the frame rate (--frame-rate)"
            )
        if self.time_column is None:
            return None
        times = self.values[:, self.time_column]
        wrong = np.flatnonzero(~(np.diff(times) > 0.0))
        if not len(wrong):
            return np.array(times)
        if rate is not None:
            return None
        line = self.table.number_of_row(int(wrong[0]) + 1)
        raise self.text.fail("its time is missing or not after the previous one", line)

    def _quaternions(self, body: str, columns: BodyColumns) -> Floats:
        turns = self.values[:, columns.turn]
        if columns.rotate_order is not None:
            return quaternion_from_euler(np.radians(turns), columns.rotate_order)
        with np.errstate(over="ignore"):  # infinite lengths are rejected below
            lengths = np.linalg.norm(turns, axis=1)
        # Some programs write four zeros for a lost body.
        turns = np.where((lengths < _SHORTEST)[:, None], np.nan, turns)
        wrong = np.flatnonzero((np.abs(lengths - 1.0) > UNIT_WITHIN) & (lengths >= _SHORTEST))
        if len(wrong):
            row = int(wrong[0])
            raise self.text.fail(
                f"rotation of {body!r} has length {lengths[row]:.3g}, expected 1; are "
                "these four x, y, z, w?",
                self.table.number_of_row(row),
            )
        return np.asarray(turns / np.where(lengths < _SHORTEST, np.nan, lengths)[:, None])


def _uneven(even: EvenFrames, steps: Floats, clip: str) -> tuple[Finding, ...]:
    """Finding about rows that were moved in time; skipped rows are reported as gaps."""
    if not even.between:
        return ()
    share = 100.0 * float(np.mean(np.abs(steps - 1.0) > STEADY))
    message = (
        f"{share:.1f} % of the times are not evenly spaced; the motion was resampled to "
        f"{len(even.known)} even frames"
    )
    return (Finding("uneven-times", message, clip=clip),)
