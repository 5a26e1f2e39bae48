"""From columns of numbers to tracks of bodies: what both kinds of CSV files share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..arrays import Booleans, Floats
from ..bodies.tracks import BodyTracks
from ..euler import quaternion_from_euler
from ..findings import Finding, frame_ranges
from .number_table import NumberTable
from .text import TextFile

_SHORTEST = 1e-3
"""A quaternion that is shorter is none; files round each component."""
UNIT_WITHIN = 0.02
"""How far the length of a quaternion may be from 1, as files print them."""
_STEADY = 0.25
"""Largest difference of a frame from its neighbours' distance in time, as a share of it."""


@dataclass
class BodyColumns:
    """Where the numbers of one body are.

    Parameters
    ----------
    place : list of int
        Columns of x, y, z.
    turn : list of int
        Columns of x, y, z, w, or of three angles in degrees.
    rotate_order : str or None
        For angles.
    """

    place: list[int] = field(default_factory=list)
    turn: list[int] = field(default_factory=list)
    rotate_order: str | None = None


@dataclass(frozen=True, eq=False)
class CsvTable:
    """A table of bodies, read and not yet understood.

    Parameters
    ----------
    text : TextFile
    table : NumberTable
    values : array, shape (rows, columns)
    meters_per_unit : float
    frame_rate : float or None
    frame_column, time_column : int or None
    """

    text: TextFile
    table: NumberTable
    values: Floats
    meters_per_unit: float
    frame_rate: float | None = None
    frame_column: int | None = None
    time_column: int | None = None

    def bodies(self, columns: Mapping[str, BodyColumns], name: str) -> BodyTracks:
        """Make tracks of it.

        Parameters
        ----------
        columns : mapping of body name to BodyColumns
        name : str
            Name of the clip.

        Returns
        -------
        BodyTracks
            In metres; a body with an empty cell in a row is not present there.

        Raises
        ------
        BodyCsvError
            With the line, for quaternions that are far from unit length, frame numbers that do
            not increase, and missing or uneven times where there is no frame rate.
        """
        rate, findings = self._rate()
        places = np.stack([self.values[:, one.place] for one in columns.values()])
        turns = np.stack([self._quaternions(body, one) for body, one in columns.items()])
        present = np.asarray(np.isfinite(places).all(axis=2) & np.isfinite(turns).all(axis=2))
        frames = self.frames()
        findings += gap_findings(tuple(columns), present, frames, name)
        return BodyTracks(
            tuple(columns),
            places * self.meters_per_unit,
            np.ascontiguousarray(turns.transpose(0, 2, 1)),
            rate,
            present,
            name,
            frames,
            self.text.source,
            tuple(findings),
        )

    def frames(self) -> Floats:
        """Frame numbers, shape (rows,)."""
        if self.frame_column is None:
            return np.arange(len(self.values), dtype=np.float64)
        frames = self.values[:, self.frame_column]
        wrong = np.flatnonzero(~(np.diff(frames, prepend=-np.inf) > 0.0))
        if len(wrong):
            line = self.table.number_of_row(int(wrong[0]))
            raise self.text.fail("its frame number is missing or not above the last one", line)
        return np.array(frames)

    def _rate(self) -> tuple[float, list[Finding]]:
        """Frames per second: as the file says, or from its times."""
        if self.frame_rate is not None:
            if not (np.isfinite(self.frame_rate) and self.frame_rate > 0.0):
                raise self.text.fail(f"has a frame rate of {self.frame_rate:g} Hz, which is none")
            return self.frame_rate, []
        if self.time_column is None or len(self.values) < 2:
            raise self.text.fail(
                "says neither times nor a frame rate; add a line `# frame_rate: 120` at its top, "
                "or say the frame rate"
            )
        steps = np.diff(self.values[:, self.time_column])
        wrong = np.flatnonzero(~(steps > 0.0))
        if len(wrong):
            line = self.table.number_of_row(int(wrong[0]) + 1)
            raise self.text.fail("its time is missing or not after the last one", line)
        step = float(np.median(steps))
        uneven = np.mean(np.abs(steps / step - 1.0) > _STEADY)
        if uneven <= 0.0:
            return 1.0 / step, []
        message = f"{100.0 * uneven:.1f} % of the times are not evenly spaced; frames are missing."
        return 1.0 / step, [Finding("uneven-times", message)]

    def _quaternions(self, body: str, columns: BodyColumns) -> Floats:
        turns = self.values[:, columns.turn]
        if columns.rotate_order is not None:
            return quaternion_from_euler(np.radians(turns), columns.rotate_order)
        lengths = np.linalg.norm(turns, axis=1)
        # Some programs write four zeros for a body that they have lost.
        turns = np.where((lengths < _SHORTEST)[:, None], np.nan, turns)
        wrong = np.flatnonzero((np.abs(lengths - 1.0) > UNIT_WITHIN) & (lengths >= _SHORTEST))
        if len(wrong):
            row = int(wrong[0])
            raise self.text.fail(
                f"rotation of {body!r} has length {lengths[row]:.3g}, a quaternion's is 1; are "
                "these four x, y, z, w?",
                self.table.number_of_row(row),
            )
        return np.asarray(turns / np.where(lengths < _SHORTEST, np.nan, lengths)[:, None])


def gap_findings(
    names: tuple[str, ...], present: Booleans, frames: Floats, clip: str
) -> list[Finding]:
    """One finding for each body that is missing in some frames."""
    found = []
    for name, there in zip(names, present):
        if not there.all():
            message = f"Not seen in {np.sum(~there)} of {len(there)} frames."
            found.append(Finding("gaps", message, name, clip, frame_ranges(frames, ~there)))
    return found
