"""Consistency of counts stored twice in a C3D file, in its header and its parameters.

A file in which they differ is ambiguous. The library that reads it uses the parameters and trusts
them beyond the end of the file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..errors import C3dError
from ..regular_file import FilePath
from .c3d_parameters import C3dParameter

_MOST_FRAMES = 65535
"""Largest two-byte integer; longer files state their length elsewhere."""
_SCALES = {"SCALE": 4, "OFFSET": 2}
"""Parameters with one value per analog channel, and their types."""

Parameters = Mapping[tuple[str, str], C3dParameter]


def analog_values(
    path: FilePath, stated: tuple[int, int | None, int], parameters: Parameters
) -> int:
    """Compare the header with the parameters.

    Parameters
    ----------
    path : path-like or str
    stated : tuple of int
        From the header: markers, frames (None if beyond its range), analog values per frame.
    parameters : mapping of (group, name) to C3dParameter

    Returns
    -------
    int
        Analog values per frame; some headers store the number of channels instead.

    Raises
    ------
    C3dError
        For the first count that differs.
    """
    points, frames, analog = stated
    _same(path, "markers", points, _first(parameters, "POINT", "USED", points))
    given = _first(parameters, "POINT", "FRAMES", _MOST_FRAMES)
    if frames is not None and given < _MOST_FRAMES:
        _same(path, "frames", frames, given)
    return _analog(path, analog, parameters)


def _analog(path: FilePath, analog: int, parameters: Parameters) -> int:
    """Channels times samples per frame, with a scale for every channel."""
    channels = int(_first(parameters, "ANALOG", "USED", 0))
    rate = _first(parameters, "POINT", "RATE", 0.0)
    sampled = _first(parameters, "ANALOG", "RATE", 0.0)
    if not (math.isfinite(rate) and math.isfinite(sampled) and rate >= 0.0 and sampled >= 0.0):
        raise C3dError(path, "has invalid frame rates; export it again")
    values = channels * (int(sampled / rate) if rate >= 1.0 else 1)
    if analog != channels:
        _same(path, "analog values in a frame", analog, values)
    for name, kind in _SCALES.items() if channels else ():
        found = parameters.get(("ANALOG", name))
        if found is None or found.values < channels or found.kind != kind:
            raise C3dError(
                path, f"has {channels} analog channels, but no ANALOG:{name} for all of them"
            )
    return values


def _first(parameters: Parameters, group: str, name: str, otherwise: float) -> float:
    found = parameters.get((group, name))
    return otherwise if found is None else found.first


def _same(path: FilePath, what: str, header: float, parameter: float) -> None:
    if header != parameter:
        raise C3dError(
            path,
            f"has {header:g} {what} by its header and {parameter:g} by its parameters; "
            "export it again",
        )
