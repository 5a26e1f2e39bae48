"""Validation of a joint's record, whose values are later restored unseen.

Anyone can edit the text, and scripts merge and patch scenes. A flawed record is rejected whole.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from jointlimits_core.applying.joint_attributes import TRIPLES
from jointlimits_core.joint_frame import CHANNELS

from .plugs import DAMP_RANGES, DAMP_STRENGTHS, STIFFNESS, is_switch

_TRIPLES = (triple.name(axis) for triple in TRIPLES for axis in range(3))
WRITTEN = frozenset((*_TRIPLES, *STIFFNESS, *DAMP_RANGES, *DAMP_STRENGTHS))
"""All attributes that limits are written to."""
_TURNED = re.compile(r"(rotate|translate|jointOrient|rotateAxis)[XYZ]|rotateOrder")
"""Attributes that a re-orientation writes."""


def parsed_record(text: str) -> dict[str, Any] | None:
    """Data of a record; None for anything that this program does not write."""
    try:
        data = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and _is_sound(data) else None


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a finite number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _is_sound(data: Mapping[str, Any]) -> bool:
    parts: list[Any] = [data.get(key) for key in ("before", "written", "locks", "switched_off")]
    before, written, locks, off = parts
    return (
        all(isinstance(data.get(key), str) for key in ("character", "program"))
        and _are_texts(data.get("clips"))
        and _are_values(before)
        and _are_values(written)
        and set(written) <= set(before)
        and isinstance(locks, dict)
        and set(locks) <= set(CHANNELS)
        and all(isinstance(value, bool) for value in locks.values())
        and _are_texts(off)
        and all(name in WRITTEN and name.endswith("Enable") for name in off)
        and type(data.get("references")) is int
        and (data.get("frame") is None or _is_change(data["frame"]))
        and (data.get("backup") is None or _is_backup(data["backup"]))
    )


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _are_values(value: Any) -> bool:
    """Whether these are written attributes, each with a value of the right type."""
    return isinstance(value, dict) and all(
        name in WRITTEN and (isinstance(one, bool) if is_switch(name) else _are_numbers([one]))
        for name, one in value.items()
    )


def _are_numbers(values: Any) -> bool:
    numbers = isinstance(values, Iterable) and not isinstance(values, (str, dict))
    return numbers and all(type(one) in (int, float) for one in values)


def _is_change(frame: Any) -> bool:
    """Whether this is a joint's orientation before and after it was re-oriented."""
    return isinstance(frame, dict) and all(_is_frame(frame.get(key)) for key in ("before", "given"))


def _is_frame(frame: Any) -> bool:
    return (
        isinstance(frame, dict)
        and all(_are_numbers(frame.get(key)) for key in ("jointOrient", "rotateAxis"))
        and all(len(frame[key]) == len(CHANNELS) for key in ("jointOrient", "rotateAxis"))
        and frame.get("rotateOrder") in range(6)
    )


def _is_backup(backup: Any) -> bool:
    """Whether channels and numbers fit a re-orientation; Backup.of checks the rest."""
    channels = backup.get("channels") if isinstance(backup, dict) else None
    return isinstance(channels, dict) and all(
        _TURNED.fullmatch(name) is not None
        and isinstance(pair, list)
        and len(pair) == len(("before", "given"))
        and (pair[0] is None or _are_numbers(pair[:1]))
        and (_are_numbers(pair[1:]) or _are_numbers(pair[1]))
        for name, pair in channels.items()
    )
