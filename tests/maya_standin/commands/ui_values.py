"""Values as the user sees them: UI units (maya.md 1.2; time units by name, maya.md 8)."""

from __future__ import annotations

import math
from functools import cache

from tests.maya_standin.words import pairs_of

LENGTHS = {"mm": 0.1, "cm": 1.0, "m": 100.0, "km": 1e5, "in": 2.54, "ft": 30.48, "yd": 91.44}
LENGTH_NAMES = pairs_of("mm:millimeter cm:centimeter m:meter km:kilometer in:inch ft:foot yd:yard")
ANGLES = {"deg": math.pi / 180.0, "rad": 1.0}
ANGLE_NAMES = {"deg": "degree", "rad": "radian"}
WHOLE_RATES = pairs_of("game:15 film:24 pal:25 ntsc:30 show:48 palf:50 ntscf:60")
RATES = {name: float(rate) for name, rate in WHOLE_RATES.items()}
RATES |= {f"{n * 1000 / 1001:.5g}fps": n * 1000 / 1001 for n in (24, 30, 48, 60)}
RATES |= {"hour": 1 / 3600, "min": 1 / 60, "sec": 1.0, "millisec": 1000.0}
RATES["29.97df"] = RATES["29.97fps"]
RATES |= {
    f"{n}fps": float(n)
    for n in (
        *(2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 40, 75, 80, 90, 100, 120, 125, 150, 200, 240, 250, 300),
        *(375, 400, 500, 600, 750, 1200, 1500, 2000, 3000, 6000, 44100, 48000),
    )
}


@cache
def frames_per_second(unit):
    """Give the rate of a time unit; Maya has a fixed list of them."""
    if unit not in RATES:
        raise RuntimeError(f"Invalid time unit: {unit}")
    return RATES[unit]


def worth(scene, kind):
    """Give what one UI unit is worth inside; None for values that have no unit."""
    units = scene.units
    if kind == "angle":
        return ANGLES[units.angle]
    if kind == "distance":
        return LENGTHS[units.linear]
    return 1.0 / frames_per_second(units.time) if kind == "time" else None


def ui_value(scene, kind, value):
    """Give an internal value as the user sees it."""
    unit = worth(scene, kind)
    return value if unit is None else value / unit


def internal_value(scene, kind, value):
    """Give what the user says as an internal value."""
    unit = worth(scene, kind)
    return value if unit is None else value * unit


def frames(scene, seconds):
    return seconds * frames_per_second(scene.units.time)


def seconds(scene, frames):
    return frames / frames_per_second(scene.units.time)


def angle(scene, value):
    """Give an angle of the UI, or a text such as "-90deg", in radians."""
    if isinstance(value, str):
        return float(value[:-3]) * ANGLES[value[-3:]]
    return internal_value(scene, "angle", value)
