"""Length units as capture programs write them."""

from __future__ import annotations

METERS = {
    "m": 1.0,
    "meter": 1.0,
    "meters": 1.0,
    "metre": 1.0,
    "metres": 1.0,
    "dm": 0.1,
    "decimeters": 0.1,
    "cm": 0.01,
    "centimeter": 0.01,
    "centimeters": 0.01,
    "centimetres": 0.01,
    "mm": 0.001,
    "millimeter": 0.001,
    "millimeters": 0.001,
    "millimetres": 0.001,
    "in": 0.0254,
    "inch": 0.0254,
    "inches": 0.0254,
    "ft": 0.3048,
    "foot": 0.3048,
    "feet": 0.3048,
}
"""Metres per unit, by lower-case unit name."""


def meters_of(unit: str) -> float | None:
    """Metres per unit, ignoring case; None for an unknown name."""
    return METERS.get(unit.strip().lower().rstrip("."))
