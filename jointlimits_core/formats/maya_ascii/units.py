"""Units of a Maya ASCII scene for length, angle and time.

The reader uses Maya's internal units, centimetres, radians and seconds, as conversion factors and
stored tangents in a scene refer to them.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

CENTIMETERS = {
    "mm": 0.1,
    "millimeter": 0.1,
    "cm": 1.0,
    "centimeter": 1.0,
    "m": 100.0,
    "meter": 100.0,
    "km": 1e5,
    "kilometer": 1e5,
    "in": 2.54,
    "inch": 2.54,
    "ft": 30.48,
    "foot": 30.48,
    "yd": 91.44,
    "yard": 91.44,
    "mi": 160934.4,
    "mile": 160934.4,
}
"""Centimetres in one unit, by the names that ``currentUnit -linear`` knows."""

RADIANS = {"deg": math.pi / 180.0, "degree": math.pi / 180.0, "rad": 1.0, "radian": 1.0}
"""Radians in one unit, by the names that ``currentUnit -angle`` knows."""

FRAMES_PER_SECOND = {
    "game": 15.0,
    "film": 24.0,
    "pal": 25.0,
    "ntsc": 30.0,
    "show": 48.0,
    "palf": 50.0,
    "ntscf": 60.0,
    "hour": 1.0 / 3600.0,
    "min": 1.0 / 60.0,
    "sec": 1.0,
    "millisec": 1000.0,
}
"""Time units in one second, by the names that ``currentUnit -time`` knows."""

_FPS = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(?:fps|df)\Z")


def frames_per_second(name: str) -> float | None:
    """Time units per second; None for an unknown name.

    Parameters
    ----------
    name : str
        A name such as "film", or a rate such as "120fps" or "23.976fps".
    """
    if name in FRAMES_PER_SECOND:
        return FRAMES_PER_SECOND[name]
    match = _FPS.match(name)
    rate = float(match[1]) if match else 0.0
    return rate if rate > 0.0 else None


@dataclass(frozen=True)
class Units:
    """Units of one file.

    Parameters
    ----------
    centimeters : float
        Centimetres in one unit of length.
    radians : float
        Radians in one unit of angle.
    frames_per_second : float
        Units of time in one second.
    """

    centimeters: float = 1.0
    radians: float = RADIANS["degree"]
    frames_per_second: float = 24.0

    def with_names(
        self, linear: str | None = None, angle: str | None = None, time: str | None = None
    ) -> tuple[Units, list[str]]:
        """Take over what a ``currentUnit`` statement names.

        Returns
        -------
        units : Units
            Unknown names leave their unit as it was.
        unknown : list of str
        Unknown names.
        """
        given = (
            ("centimeters", linear, CENTIMETERS.get(linear or "")),
            ("radians", angle, RADIANS.get(angle or "")),
            ("frames_per_second", time, frames_per_second(time or "")),
        )
        known = {field: value for field, _, value in given if value is not None}
        unknown = [name for _, name, value in given if name is not None and value is None]
        return replace(self, **known), unknown
