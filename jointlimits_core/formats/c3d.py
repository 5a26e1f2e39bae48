"""C3D reader based on ezc3d: markers, and bodies if the file has rotation channels."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..base import C3dError, Finding, MissingPackageError, unique_names
from ..geometry import Booleans, Floats
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits, source_file
from ..skeleton_fit import UP_AXES, BodyTracks, MarkerTracks
from .c3d_checks import C3dHeader, checked_header
from .registry import MotionFormat
from .tracks_csv import METERS, FileTracks, gap_findings, meters_of

FORMAT = MotionFormat(
    name="c3d",
    endings=(".c3d",),
    advice="has markers or loose bodies but no joints; find its skeleton and limits with: "
    "jointlimits skeleton --estimate",
)

_ROTATION_ENDING = re.compile(r"(?<=.)_4x4\Z", re.IGNORECASE | re.DOTALL)
"""Suffix that some programs add to labels of rotation channels."""
_LABEL_PARAMETERS = ("LABELS", "LABELS2", "LABELS3", "LABELS4", "LABELS5")
"""Names of the continuation parameters; a parameter holds at most 255 labels."""
_LIBRARY_ERRORS = (OSError, RuntimeError, ValueError, LookupError, TypeError, MemoryError)
"""Exceptions of the library for files that it cannot parse."""


def require_ezc3d() -> Any:
    """Import ezc3d; raises MissingPackageError, saying what to install."""
    try:
        return importlib.import_module("ezc3d")
    except ImportError as error:
        raise MissingPackageError(
            "C3D files need ezc3d, which is not installed; install it with: pip install "
            f'"jointlimits[c3d]" (Python 3.10 or newer; {error})'
        ) from error


def read_c3d(
    path: FilePath,
    *,
    meters_per_unit: float | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> FileTracks:
    """Read markers and rotation channels.

    The tracks are in metres; `meters_per_unit` overrides the file's unit. A sample with a negative
    residual, at exactly 0, 0, 0 or not finite is a gap. Raises C3dError if the file is damaged, cut
    short or too large, or has neither markers nor rotations. Raises MissingPackageError if ezc3d is
    not installed.
    """
    header = checked_header(path, limits)
    content = _opened(path, require_ezc3d())
    _check_frames(path, header, content["data"]["points"].shape[2], os.path.getsize(path))
    file = _File(path, content, meters_per_unit)
    markers, bodies = file.markers(), file.bodies()
    if markers is None and bodies is None:
        raise C3dError(path, "has neither markers nor rotations")
    return FileTracks(bodies, markers)


def _opened(path: FilePath, ezc3d: Any) -> Mapping[str, Any]:
    try:
        content: Mapping[str, Any] = ezc3d.c3d(os.fspath(path))
    except _LIBRARY_ERRORS as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise C3dError(path, f"is damaged or not a readable C3D file: {reason}") from None
    return content


def _check_frames(path: FilePath, header: C3dHeader, frames: int, size: int) -> None:
    """Check the frame count, as the library silently accepts truncated files."""
    if 0 < frames < header.frames and header.last_frame < 65535:
        raise C3dError(path, f"has {frames} frames, but its header states {header.frames}")
    if frames * header.points * 4 * header.bytes_per_value > size:
        raise C3dError(path, f"is too small for {frames} frames of {header.points} markers")


class _File:
    """Content of a file as the library gives it."""

    def __init__(
        self, path: FilePath, content: Mapping[str, Any], meters_per_unit: float | None
    ) -> None:
        self._path, self._content, self._meters_per_unit = path, content, meters_per_unit
        self._name, self._source = Path(os.fspath(path)).stem, source_file(path)
        self._first = float(content["header"]["points"]["first_frame"]) + 1.0
        shown = [str(value).strip().lower()[-1:] for value in self._values("POINT", "Y_SCREEN")]
        # The sign is ignored: some files with their floor at Z = 0 have -Z there.
        self._up = shown[0] if shown and shown[0] in UP_AXES else None

    def markers(self) -> MarkerTracks | None:
        """Markers; None if the file has none."""
        data = self._content["data"]
        if not (data["points"].shape[1] and data["points"].shape[2]):
            return None
        rate = self._rate("points")
        positions = np.moveaxis(data["points"][:3], 0, 2)
        positions = np.ascontiguousarray(positions, dtype=np.float64)
        scale, findings = self._scale("POINT")
        present = _present(positions, data["meta_points"]["residuals"])
        labels, renamed = _unique(self._labels("POINT", len(positions), "marker"))
        frames: Floats = self._first + np.arange(positions.shape[1], dtype=np.float64)
        positions = np.where(present[..., None], positions * scale, np.nan)
        notes = (*findings, *renamed, *gap_findings(labels, present, frames, self._name))
        source, up = self._source, self._up
        return MarkerTracks(labels, positions, present, frames, rate, self._name, source, notes, up)

    def bodies(self) -> BodyTracks | None:
        """Bodies from rotation channels; None if the file has none."""
        rotations = self._content["data"]["rotations"]
        if not (rotations.shape[2] and rotations.shape[3]):
            return None
        # From [row, column, body, frame].
        matrices = np.asarray(rotations, np.float64).transpose(3, 2, 0, 1)
        rate = self._rate("rotations")
        ratio = rate / (self._content["header"]["points"]["frame_rate"] or rate)
        scale, findings = self._scale("ROTATION", "POINT")
        given = self._labels("ROTATION", matrices.shape[1], "body")
        labels, renamed = _unique([_ROTATION_ENDING.sub("", label) for label in given])
        frames: Floats = self._first + np.arange(len(matrices), dtype=np.float64) / ratio
        try:
            tracks = BodyTracks.from_matrices(
                labels, matrices, rate, meters_per_unit=scale, name=self._name, frames=frames
            )
        except ValueError as error:
            raise C3dError(self._path, str(error)) from None
        return replace(tracks, source=self._source, findings=(*findings, *renamed), up=self._up)

    def _rate(self, kind: str) -> float:
        value = float(self._content["header"][kind]["frame_rate"])
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
            units = [str(unit).strip() for unit in self._values(group, "UNITS")]
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

    def _values(self, group: str, name: str) -> list[Any]:
        """Values of a parameter; empty if it is missing."""
        found = self._content["parameters"]
        if group not in found or name not in found[group]:
            return []
        return list(np.atleast_1d(found[group][name]["value"]))

    def _labels(self, group: str, count: int, what: str) -> list[str]:
        """Labels of a group, one per channel; unnamed ones are numbered."""
        found = [
            str(label).strip() for name in _LABEL_PARAMETERS for label in self._values(group, name)
        ]
        labels = (found + [""] * count)[:count]
        return [label or f"{what}{index + 1}" for index, label in enumerate(labels)]


def _present(positions: Floats, residuals: Any) -> Booleans:
    """Valid samples: finite, not exactly at the origin, residual not negative."""
    finite = np.isfinite(positions).all(axis=2)
    there = np.asarray(finite & (positions != 0.0).any(axis=2))
    errors = np.asarray(residuals, dtype=np.float64)
    if errors.ndim == 3 and errors.shape[1:] == there.shape:
        there &= ~(errors[0] < 0.0)
    return there


def _unique(labels: Sequence[str]) -> tuple[tuple[str, ...], list[Finding]]:
    """Labels without their common subject, numbered where repeated."""
    subjects = {label.partition(":")[0] if ":" in label else None for label in labels}
    if len(subjects) == 1 and None not in subjects:
        labels = [label.partition(":")[2] or label for label in labels]
    unique = unique_names(labels, str)
    repeated = dict.fromkeys(label for label, name in zip(labels, unique) if name != label)
    if not repeated:
        return tuple(unique), []
    message = f"Used more than once: {', '.join(list(repeated)[:10])}; repeats got a number."
    return tuple(unique), [Finding("repeated-labels", message)]
