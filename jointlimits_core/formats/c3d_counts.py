"""Counts that stand in a C3D file twice: in its header and among its parameters.

A file in which they differ can be read in two ways. The library that reads it takes the parameters
and trusts them beyond the end of the file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..errors import C3dError
from ..regular_file import FilePath
from .c3d_parameters import C3dParameter

_MOST_FRAMES = 65535
"""What an integer of two bytes holds; a longer file says so in other ways."""
_SCALES = {"SCALE": 4, "OFFSET": 2}
"""What there is for every analog channel, with its type."""

Parameters = Mapping[tuple[str, str], C3dParameter]


def analog_values(path: FilePath, said: tuple[int, int | None, int], parameters: Parameters) -> int:
    """Hold the header against the parameters.

    Parameters
    ----------
    path : path-like or str
    said : tuple of int
        What the header says: markers, frames (None for more than it can say), analog values in a
        frame.
    parameters : mapping of (group, name) to C3dParameter

    Returns
    -------
    int
        Analog values in a frame; some headers have the number of channels there.

    Raises
    ------
    C3dError
        For the first count of which there are two.
    """
    points, frames, analog = said
    _same(path, "markers", points, _first(parameters, "POINT", "USED", points))
    given = _first(parameters, "POINT", "FRAMES", _MOST_FRAMES)
    if frames is not None and given < _MOST_FRAMES:
        _same(path, "frames", frames, given)
    return _analog(path, analog, parameters)


def _analog(path: FilePath, analog: int, parameters: Parameters) -> int:
    """Channels times samples in a frame; and a scale for every channel."""
    channels = int(_first(parameters, "ANALOG", "USED", 0))
    rate = _first(parameters, "POINT", "RATE", 0.0)
    sampled = _first(parameters, "ANALOG", "RATE", 0.0)
    if not (math.isfinite(rate) and math.isfinite(sampled) and rate >= 0.0 and sampled >= 0.0):
        raise C3dError(path, "has rates that are none; export it again")
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
