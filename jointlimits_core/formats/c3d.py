"""C3D reader based on ezc3d: markers, and bodies if the file has rotation channels."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..base import C3dError, Finding, MissingPackageError, unique_names
from ..geometry import Booleans, Floats
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits, SourceFile, source_file
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

_ROTATION_ENDING = "_4x4"
"""Suffixes that some programs add to rotation channel labels, in lower case."""
_LABEL_PARAMETERS = ("LABELS", "LABELS2", "LABELS3", "LABELS4", "LABELS5")
"""Names of the continuation parameters; a parameter holds at most 255 labels."""
_LIBRARY_ERRORS = (OSError, RuntimeError, ValueError, LookupError, TypeError, MemoryError)
"""Exceptions of the library for files that it cannot parse."""


def require_ezc3d() -> Any:
    """Import ezc3d.

    Raises MissingPackageError, saying what to install.
    """
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

    Raises C3dError if the file is damaged, cut short or too large, or has neither markers nor
    rotations. Raises MissingPackageError if ezc3d is not installed.

    The tracks are in metres; `meters_per_unit` overrides the file's unit. A sample with a negative
    residual, at exactly 0, 0, 0 or not finite is a gap.
    """
    header = checked_header(path, limits)
    content = _opened(path, require_ezc3d())
    points = content["data"]["points"]
    _check_frames(path, header, points.shape[2], os.path.getsize(path))
    rotations = content["data"]["rotations"]
    source, name = source_file(path), Path(os.fspath(path)).stem
    first = float(content["header"]["points"]["first_frame"]) + 1.0
    markers = bodies = None
    if points.shape[1] and points.shape[2]:
        markers = _markers(path, content, meters_per_unit, first, name, source)
    if rotations.shape[2] and rotations.shape[3]:
        bodies = _bodies(path, content, meters_per_unit, first, name, source)
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


def _markers(
    path: FilePath,
    content: Mapping[str, Any],
    meters_per_unit: float | None,
    first: float,
    name: str,
    source: SourceFile,
) -> MarkerTracks:
    points = content["data"]["points"][:3]
    rate = _rate(path, content["header"]["points"]["frame_rate"])
    positions = np.ascontiguousarray(np.moveaxis(points, 0, 2), dtype=np.float64)
    scale, findings = _scale(path, content["parameters"], ("POINT",), meters_per_unit)
    present = _present(positions, content["data"]["meta_points"]["residuals"])
    labels, renamed = _unique(_labels(content["parameters"], "POINT", len(positions), "marker"))
    frames: Floats = first + np.arange(positions.shape[1], dtype=np.float64)
    positions = np.where(present[..., None], positions * scale, np.nan)
    findings += renamed + gap_findings(labels, present, frames, name)
    notes, up = tuple(findings), _up(content["parameters"])
    return MarkerTracks(labels, positions, present, frames, rate, name, source, notes, up)


def _present(positions: Floats, residuals: Any) -> Booleans:
    """Valid samples: finite, not exactly at the origin, residual not negative."""
    finite = np.isfinite(positions).all(axis=2)
    there = np.asarray(finite & (positions != 0.0).any(axis=2))
    errors = np.asarray(residuals, dtype=np.float64)
    if errors.ndim == 3 and errors.shape[1:] == there.shape:
        there &= ~(errors[0] < 0.0)
    return there


def _bodies(
    path: FilePath,
    content: Mapping[str, Any],
    meters_per_unit: float | None,
    first: float,
    name: str,
    source: SourceFile,
) -> BodyTracks:
    # From [row, column, body, frame].
    matrices = np.asarray(content["data"]["rotations"], np.float64).transpose(3, 2, 0, 1)
    rate = _rate(path, content["header"]["rotations"]["frame_rate"])
    ratio = rate / (content["header"]["points"]["frame_rate"] or rate)
    groups = ("ROTATION", "POINT")
    scale, findings = _scale(path, content["parameters"], groups, meters_per_unit)
    given = _labels(content["parameters"], "ROTATION", matrices.shape[1], "body")
    labels, renamed = _unique([_without_ending(label) for label in given])
    frames: Floats = first + np.arange(len(matrices), dtype=np.float64) / ratio
    try:
        tracks = BodyTracks.from_matrices(
            labels, matrices, rate, meters_per_unit=scale, name=name, frames=frames
        )
    except ValueError as error:
        raise C3dError(path, str(error)) from None
    notes, up = (*findings, *renamed), _up(content["parameters"])
    return replace(tracks, source=source, findings=notes, up=up)


def _rate(path: FilePath, rate: Any) -> float:
    value = float(rate)
    if not (np.isfinite(value) and value > 0.0):
        raise C3dError(path, f"frame rate must be finite and above 0, not {value:g} Hz")
    return value


def _scale(
    path: FilePath,
    parameters: Mapping[str, Any],
    groups: Sequence[str],
    meters_per_unit: float | None,
) -> tuple[float, list[Finding]]:
    """Metres per unit, from the first of some groups that names one."""
    if meters_per_unit is not None:
        if not (np.isfinite(meters_per_unit) and meters_per_unit > 0.0):
            raise ValueError(f"meters_per_unit must be positive, not {meters_per_unit}")
        return float(meters_per_unit), []
    for group in groups:
        units = [str(unit).strip() for unit in _values(parameters, group, "UNITS")]
        if units and units[0]:
            meters = meters_of(units[0])
            if meters is None:
                known = ", ".join(sorted(METERS, key=len)[:5])
                raise C3dError(
                    path,
                    f"has the unknown length unit {units[0][:40]!a} (known: {known}, ...); set its "
                    "length in metres (meters_per_unit)",
                )
            return meters, []
    message = "The file does not state its length unit; millimetres, the C3D standard, are assumed."
    return 0.001, [Finding("unit-not-given", message)]


def _up(parameters: Mapping[str, Any]) -> str | None:
    """Vertical axis of the file's screen, y or z; None if not stated.

    Its sign is ignored: some files with their floor at Z = 0 have -Z there.
    """
    shown = [str(value).strip().lower()[-1:] for value in _values(parameters, "POINT", "Y_SCREEN")]
    return shown[0] if shown and shown[0] in UP_AXES else None


def _values(parameters: Mapping[str, Any], group: str, name: str) -> list[Any]:
    """Values of a parameter; empty if it is missing."""
    if group not in parameters or name not in parameters[group]:
        return []
    return list(np.atleast_1d(parameters[group][name]["value"]))


def _labels(parameters: Mapping[str, Any], group: str, count: int, what: str) -> list[str]:
    """Labels of a group, one per channel; unnamed ones are numbered."""
    found = [
        str(label).strip()
        for name in _LABEL_PARAMETERS
        for label in _values(parameters, group, name)
    ]
    labels = (found + [""] * count)[:count]
    return [label or f"{what}{index + 1}" for index, label in enumerate(labels)]


def _without_ending(label: str) -> str:
    if label.lower().endswith(_ROTATION_ENDING) and len(label) > len(_ROTATION_ENDING):
        return label[: -len(_ROTATION_ENDING)]
    return label


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
