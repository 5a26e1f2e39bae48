"""C3D reader: markers, and bodies if the file has rotation channels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..base.findings import Finding
from ..base.text import plural, unique_names
from ..geometry.arrays import Booleans, Floats
from ..io.input import FilePath
from ..skeleton_fit.markers import MarkerTracks
from ..skeleton_fit.track_conventions import UP_AXES
from ..skeleton_fit.tracks import BodyTracks
from .c3d_header import ROTATION_NUMBERS, C3dError, C3dHeader, checked_header
from .registry import DEFAULT_REQUEST, ReadRequest
from .text import WholeFile, whole_file
from .tracks_csv import METERS, FileTracks, gap_findings, meters_of

_ROTATION_ENDING = re.compile(r"(?<=.)_4x4\Z", re.IGNORECASE | re.DOTALL)
"""Suffix that some programs add to the labels of rotation channels."""
_MODEL_OUTPUTS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS")
"""Parameters that list the labels of model outputs, which are not positions."""

_MIN_EXTENT_M, _MAX_EXTENT_M, _SAMPLED_FRAMES = 0.005, 200.0, 200
"""Plausible range of the markers' extent in a frame, and number of frames to measure it in."""


def read_c3d(
    path: FilePath, meters_per_unit: float | None = None, request: ReadRequest = DEFAULT_REQUEST
) -> FileTracks:
    """Read markers and rotation channels; the file states its frame rate.

    The tracks are in metres; `meters_per_unit` overrides the file's unit. A sample is a gap if its
    residual is negative (unless all residuals are), or if it is at exactly 0, 0, 0 or not finite.
    Raises C3dError if the file is damaged, cut short or too large, or has neither markers nor
    rotations.
    """
    whole = whole_file(path, request.limits, C3dError)
    file = _File(whole, checked_header(whole, request.limits), meters_per_unit)
    markers, bodies = file.markers(), file.bodies()
    if markers is None and bodies is None:
        points = file.header.points
        only = f": its {plural(points, 'point')} are model outputs" if points else ""
        raise C3dError(path, f"has neither markers nor rotations{only}")
    return FileTracks(bodies, markers)


class _File:
    def __init__(self, file: WholeFile, header: C3dHeader, meters_per_unit: float | None) -> None:
        self._path, self.header, self._meters_per_unit = file.path, header, meters_per_unit
        self._name, self._source, self._data = Path(file.path).stem, file.source, file.data
        # Frames are counted from 1, but some programs start at 0.
        self._first = float(max(header.first_frame, 1))
        shown = [text.lower()[-1:] for text in header.parameters.texts("POINT", "Y_SCREEN")]
        # The sign is ignored: some files state -Z although their floor is at Z = 0.
        self._up = shown[0] if shown and shown[0] in UP_AXES else None

    def _points(self) -> Floats:
        """Position (in file units) and residual of every marker, shape (frames, markers, 4)."""
        header = self.header
        if not header.data_offset or not header.frames:
            raise C3dError(self._path, "does not say where its frames are; export it again")
        size = header.frames * header.frame_bytes
        data = self._data[header.data_offset : header.data_offset + size]
        if len(data) < size:
            raise C3dError(self._path, f"is truncated: needs {size} bytes, found {len(data)}")
        rows = np.frombuffer(data, np.uint8).reshape(header.frames, header.frame_bytes)
        own = np.ascontiguousarray(rows[:, : 4 * header.points * header.bytes_per_value]).tobytes()
        numbers, whole = header.parameters.numbers, header.bytes_per_value == 2
        values = numbers.integers(own, signed=True) * header.scale if whole else numbers.floats(own)
        return np.asarray(values.reshape(header.frames, header.points, 4))

    def markers(self) -> MarkerTracks | None:
        """Markers; None if the file has none."""
        if not self.header.points:
            return None
        rate = self._rate(self.header.rate)
        given, outputs = self._marker_labels()
        if not given:
            return None
        values = self._points().swapaxes(0, 1)[[row for row, _ in given]]
        positions = np.ascontiguousarray(values[..., :3])
        residuals = values[..., 3]
        invalid = bool((residuals < 0.0).all() and positions.any())
        # A sample exactly at the origin, or with a negative residual, means "not seen".
        present = np.isfinite(positions).all(axis=2) & (positions != 0.0).any(axis=2)
        if not invalid:
            present &= ~(residuals < 0.0)
        scale, findings = self._scale("POINT")
        if invalid:
            message = "All residuals mark their samples as invalid; the samples were read anyway."
            findings.append(Finding("residuals-negative", message, clip=self._name))
        if self._meters_per_unit is None:
            scale, doubts = _plausible_scale(scale, positions, present, self._name)
            findings += doubts
        labels, renamed = _unique_labels([label for _, label in given])
        frames: Floats = self._first + np.arange(positions.shape[1], dtype=np.float64)
        positions = np.where(present[..., None], positions * scale, np.nan)
        findings += self._contradictions()
        notes = (*findings, *outputs, *renamed, *gap_findings(labels, present, frames, self._name))
        source, up = self._source, self._up
        return MarkerTracks(labels, positions, present, frames, rate, self._name, source, notes, up)

    def bodies(self) -> BodyTracks | None:
        """Bodies from rotation channels; None if the file has none."""
        parameters = self.header.parameters
        start, used, ratio = parameters.rotations()
        frames = self.header.frames * ratio
        if not (used and start and frames):
            return None
        size = frames * used * ROTATION_NUMBERS * 4
        data = parameters.numbers.floats(self._data[start : start + size])
        numbers = data.reshape(frames, used, ROTATION_NUMBERS)
        matrices = numbers[..., :16].reshape(frames, used, 4, 4).swapaxes(2, 3)
        rate = self._rate(self.header.rate * ratio)
        scale, findings = self._scale("ROTATION", "POINT")
        given = self._labels("ROTATION", used, "body")
        labels, renamed = _unique_labels([_ROTATION_ENDING.sub("", label) for label in given])
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
        header = self.header
        held = f"{header.frames} frames of {header.points} markers at {header.rate:g} Hz were read"
        return [
            Finding("counts-differ", f"The file has {what}; {held}.", clip=self._name)
            for what in header.contradictions
        ]

    def _rate(self, value: float) -> float:
        if not (np.isfinite(value) and value > 0.0):
            raise C3dError(self._path, f"frame rate must be finite and above 0, not {value:g} Hz")
        return value

    def _scale(self, *groups: str) -> tuple[float, list[Finding]]:
        """Metres per unit, from the first group that names a unit."""
        scale = self._meters_per_unit
        if scale is not None:
            if not (np.isfinite(scale) and scale > 0.0):
                raise ValueError(f"meters_per_unit must be positive, not {scale}")
            return float(scale), []
        for group in groups:
            units = self.header.parameters.texts(group, "UNITS")
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
        message = "The file states no length unit; millimetres, the C3D standard, are assumed."
        return 0.001, [Finding("unit-not-given", message)]

    def _marker_labels(self) -> tuple[list[tuple[int, str]], list[Finding]]:
        """Row and label of every marker, and a note about any model outputs."""
        texts = self.header.parameters.continued_texts
        every = (text for name in _MODEL_OUTPUTS for text in texts("POINT", name))
        listed = {text.lower() for text in every if text}
        bare = {text.rpartition(":")[2] for text in listed}

        def is_listed(label: str) -> bool:
            label = label.lower()
            subject, _, name = label.rpartition(":")
            return label in listed or name in (listed if subject else bare)

        labels = list(enumerate(self._labels("POINT", self.header.points, "marker")))
        left = [label for _, label in labels if is_listed(label)]
        if not left:
            return labels, []
        shown = ", ".join(left[:6]) + (" ..." if len(left) > 6 else "")
        message = f"{plural(len(left), 'model output')} left out, as they are not markers: {shown}"
        found = Finding("model-outputs", message, clip=self._name, left_out=True)
        return [one for one in labels if not is_listed(one[1])], [found]

    def _labels(self, group: str, count: int, what: str) -> list[str]:
        """Labels of a group, one per channel; unnamed channels are numbered."""
        found = self.header.parameters.continued_texts(group, "LABELS")
        labels = (found + [""] * count)[:count]
        # Vicon's programs label unnamed markers *1, *2, ...
        stem = "*" if what == "marker" and any(labels) else what
        return [label or f"{stem}{index + 1}" for index, label in enumerate(labels)]


def _plausible_scale(
    scale: float, positions: Floats, present: Booleans, clip: str
) -> tuple[float, list[Finding]]:
    """Metres per unit, corrected by a factor of 1000 if the markers' extent is implausible."""
    step = max(1, positions.shape[1] // _SAMPLED_FRAMES)
    chosen = np.where(present[..., None], positions, np.nan)[:, ::step]
    chosen = chosen[:, np.isfinite(chosen).any(axis=(0, 2))]
    if not chosen.size:
        return scale, []
    extent = float(np.median((np.nanmax(chosen, axis=0) - np.nanmin(chosen, axis=0)).max(axis=1)))
    extent *= scale
    times = 1000.0 if extent < _MIN_EXTENT_M else 0.001
    is_plausible = _MIN_EXTENT_M <= extent <= _MAX_EXTENT_M
    if is_plausible or not _MIN_EXTENT_M <= extent * times <= _MAX_EXTENT_M:
        return scale, []
    message = f"In the stated unit, the markers span {extent:.3g} m; {extent * times:.3g} m "
    message += "was assumed."
    return scale * times, [Finding("unit-implausible", message, clip=clip)]


def _unique_labels(labels: Sequence[str]) -> tuple[tuple[str, ...], list[Finding]]:
    """Labels without their subject, numbered where repeated.

    Labels keep their subjects if two subjects have markers with the same name.
    """
    bare = [label.partition(":")[2] or label for label in labels]
    if len(set(bare)) == len(set(labels)):
        labels = bare
    unique = unique_names(labels, str)
    repeated = dict.fromkeys(label for label, name in zip(labels, unique) if name != label)
    if not repeated:
        return tuple(unique), []
    message = f"Labels used more than once were numbered: {', '.join(list(repeated)[:10])}"
    return tuple(unique), [Finding("repeated-labels", message)]
