"""C3D reader: markers, and bodies if the file has rotation channels."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..base import Finding, unique_names
from ..geometry import Booleans, Floats
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits, open_regular, source_file
from ..skeleton_fit import UP_AXES, BodyTracks, MarkerTracks
from .c3d_header import BLOCK_BYTES, ROTATION_NUMBERS, C3dError, C3dHeader, checked_header
from .registry import MotionFormat
from .text import OTHER
from .tracks_csv import METERS, FileTracks, gap_findings, meters_of

FORMAT = MotionFormat(
    name="c3d",
    endings=(".c3d",),
    advice="has markers or loose bodies but no joints; find its skeleton and limits with: "
    "jointlimits skeleton --estimate",
    contents="`.c3d` with `jointlimits skeleton`: markers, or positions and orientations of "
    "separate bodies; the skeleton is worked out first",
)

_ROTATION_ENDING = re.compile(r"(?<=.)_4x4\Z", re.IGNORECASE | re.DOTALL)
"""Suffix that some programs add to labels of rotation channels."""
_LABEL_PARAMETERS = ("LABELS", "LABELS2", "LABELS3", "LABELS4", "LABELS5")
"""Names of the continuation parameters; a parameter holds at most 255 labels."""


def read_c3d(
    path: FilePath, *, meters_per_unit: float | None = None, limits: ReadLimits = DEFAULT_LIMITS
) -> FileTracks:
    """Read markers and rotation channels.

    The tracks are in metres; `meters_per_unit` overrides the file's unit. A sample with a negative
    residual, at exactly 0, 0, 0 or not finite is a gap. Raises C3dError if the file is damaged, cut
    short or too large, or has neither markers nor rotations.
    """
    file = _File(path, checked_header(path, limits), meters_per_unit)
    markers, bodies = file.markers(), file.bodies()
    if markers is None and bodies is None:
        raise C3dError(path, "has neither markers nor rotations")
    return FileTracks(bodies, markers)


class _File:
    """A file whose header was checked."""

    def __init__(self, path: FilePath, header: C3dHeader, meters_per_unit: float | None) -> None:
        self._path, self._header, self._meters_per_unit = path, header, meters_per_unit
        self._name, self._source = Path(os.fspath(path)).stem, source_file(path)
        # Frames count from 1; some programs write 0.
        self._first = float(max(header.first_frame, 1))
        shown = [text.lower()[-1:] for text in header.parameters.texts("POINT", "Y_SCREEN")]
        # The sign is ignored: some files with their floor at Z = 0 have -Z there.
        self._up = shown[0] if shown and shown[0] in UP_AXES else None

    def _block(self, block: float, size: int) -> bytes:
        with open_regular(self._path, C3dError, OTHER) as stream:
            stream.seek(max(0, int(block) - 1) * BLOCK_BYTES)
            data = stream.read(size)
        if len(data) < size:
            raise C3dError(self._path, f"is truncated: {size} bytes of data, found {len(data)}")
        return data

    def _points(self) -> Floats:
        """Places and residual of every marker in file units, shape (frames, markers, 4)."""
        header = self._header
        if not header.data_offset or not header.frames:
            raise C3dError(self._path, "does not say where its frames are; export it again")
        data = self._block(
            header.data_offset // BLOCK_BYTES + 1, header.frames * header.frame_bytes
        )
        rows = np.frombuffer(data, np.uint8).reshape(header.frames, header.frame_bytes)
        own = np.ascontiguousarray(rows[:, : 4 * header.points * header.bytes_per_value]).tobytes()
        numbers, whole = header.parameters.numbers, header.bytes_per_value == 2
        values = numbers.signed(own) * header.scale if whole else numbers.floats(own)
        return np.asarray(values.reshape(header.frames, header.points, 4))

    def markers(self) -> MarkerTracks | None:
        """Markers; None if the file has none."""
        if not self._header.points:
            return None
        rate = self._rate(self._header.rate)
        values = self._points().swapaxes(0, 1)
        positions = np.ascontiguousarray(values[..., :3])
        scale, findings = self._scale("POINT")
        present = _present(positions, values[..., 3])
        labels, renamed = _unique(self._labels("POINT", len(positions), "marker"))
        frames: Floats = self._first + np.arange(positions.shape[1], dtype=np.float64)
        positions = np.where(present[..., None], positions * scale, np.nan)
        findings += self._contradictions()
        notes = (*findings, *renamed, *gap_findings(labels, present, frames, self._name))
        source, up = self._source, self._up
        return MarkerTracks(labels, positions, present, frames, rate, self._name, source, notes, up)

    def bodies(self) -> BodyTracks | None:
        """Bodies from rotation channels; None if the file has none."""
        parameters = self._header.parameters
        used, ratio, block = (
            int(parameters.number("ROTATION", name)) for name in ("USED", "RATIO", "DATA_START")
        )
        ratio = max(ratio, 1)
        frames = self._header.frames * ratio
        if not (used and block and frames):
            return None
        data = self._block(block, frames * used * ROTATION_NUMBERS * 4)
        numbers = parameters.numbers.floats(data).reshape(frames, used, ROTATION_NUMBERS)
        matrices = numbers[..., :16].reshape(frames, used, 4, 4).swapaxes(2, 3)
        rate = self._rate(self._header.rate * ratio)
        scale, findings = self._scale("ROTATION", "POINT")
        given = self._labels("ROTATION", used, "body")
        labels, renamed = _unique([_ROTATION_ENDING.sub("", label) for label in given])
        times: Floats = self._first + np.arange(frames, dtype=np.float64) / ratio
        try:
            tracks = BodyTracks.from_matrices(
                labels, matrices, rate, meters_per_unit=scale, name=self._name, frames=times
            )
        except ValueError as error:
            raise C3dError(self._path, str(error)) from None
        findings += self._contradictions()
        return replace(tracks, source=self._source, findings=(*findings, *renamed), up=self._up)

    def _contradictions(self) -> list[Finding]:
        """What the file states and does not hold."""
        header = self._header
        held = f"{header.frames} frames of {header.points} markers were read"
        return [
            Finding("counts-differ", f"The file has {what}; {held}.", clip=self._name)
            for what in header.contradictions
        ]

    def _rate(self, value: float) -> float:
        if not (np.isfinite(value) and value > 0.0):
            message = f"frame rate must be finite and above 0, not {value:g} Hz"
            raise C3dError(self._path, message)
        return value

    def _scale(self, *groups: str) -> tuple[float, list[Finding]]:
        """Metres per unit, from the first group that names one."""
        scale = self._meters_per_unit
        if scale is not None and not (np.isfinite(scale) and scale > 0.0):
            raise ValueError(f"meters_per_unit must be positive, not {scale}")
        if scale is not None:
            return float(scale), []
        for group in groups:
            units = self._header.parameters.texts(group, "UNITS")
            if units and units[0]:
                meters = meters_of(units[0])
                if meters is None:
                    known = ", ".join(sorted(METERS, key=len)[:5])
                    message = (
                        f"has the unknown length unit {units[0][:40]!a} (known: {known}, ...); set "
                        "its length in metres (meters_per_unit)"
                    )
                    raise C3dError(self._path, message)
                return meters, []
        message = (
            "The file does not state its length unit; millimetres, the C3D standard, are assumed."
        )
        return 0.001, [Finding("unit-not-given", message)]

    def _labels(self, group: str, count: int, what: str) -> list[str]:
        """Labels of a group, one per channel; unnamed ones are numbered."""
        texts = self._header.parameters.texts
        found = [label for name in _LABEL_PARAMETERS for label in texts(group, name)]
        labels = (found + [""] * count)[:count]
        # Like the points that Vicon's programs leave unlabelled among others.
        stem = "*" if what == "marker" and any(labels) else what
        return [label or f"{stem}{index + 1}" for index, label in enumerate(labels)]


def _present(positions: Floats, residuals: Floats) -> Booleans:
    """Valid samples: finite, not exactly at the origin, residual not negative."""
    finite = np.isfinite(positions).all(axis=2)
    return np.asarray(finite & (positions != 0.0).any(axis=2) & ~(residuals < 0.0))


def _unique(labels: Sequence[str]) -> tuple[tuple[str, ...], list[Finding]]:
    """Labels without their subject, numbered where repeated.

    Each label loses its own subject, unless two subjects have markers of the same name.
    """
    bare = [label.partition(":")[2] or label for label in labels]
    if len(set(bare)) == len(set(labels)):
        labels = bare
    unique = unique_names(labels, str)
    repeated = dict.fromkeys(label for label, name in zip(labels, unique) if name != label)
    if not repeated:
        return tuple(unique), []
    message = f"Used more than once: {', '.join(list(repeated)[:10])}; repeats got a number."
    return tuple(unique), [Finding("repeated-labels", message)]
