"""Artist's decisions about a character's limits, as plain data.

An edit names one property of one joint and its value; the measured value is kept beside it, so that
the edit can be undone. These classes do not depend on the limit set that holds them;
:mod:`jointlimits_core.limits.layers` applies them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Union

BOUNDS = ("min", "max")
TARGETS = (*BOUNDS, "state", "type", "frame", "note")
STATES = ("free", "limited", "locked")
TYPES = ("fixed", "hinge", "universal", "ball")
FRAME_KEYS = frozenset(["rotate_order", "joint_orient_deg", "rotate_axis_deg"])

Value = Union[float, str, Mapping[str, Any], None]


@dataclass(frozen=True)
class ArtistEdit:
    """One decision of an artist, which overrides the data, also in later estimates.

    Parameters
    ----------
    target : str
        "min" or "max" (a limit of a channel), "state" (of a channel), "type", "frame" or "note".
    channel : str, optional
        "rotateX", "rotateY" or "rotateZ", for the first three.
    value : float, str, mapping or None
        Degrees of a limit, or None to lock it at its measured value; a state; a type; an
        orientation as in the JSON of a limit set; the text of a note.
    note : str
        Reason.
    author, date : str, optional
    replaced : mapping, optional
        The measured value, filled in when the edit is applied.

    Raises
    ------
    ValueError
        Naming the joint and the invalid field.
    """

    joint: str
    target: str
    channel: str | None = None
    value: Value = None
    note: str = ""
    author: str | None = None
    date: str | None = None
    replaced: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        wrong = _problem(self)
        if wrong:
            raise ValueError(f"edit of joint {self.joint!r}: {wrong}")

    @property
    def key(self) -> tuple[str, str, str | None]:
        """Joint, target and channel: of two edits with the same key the later one counts."""
        return self.joint, self.target, self.channel

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ArtistEdit:
        """Inverse of :meth:`to_dict`; missing fields get their defaults."""
        known = {item.name for item in fields(cls)}
        unknown = sorted(set(data) - known)
        if unknown:
            raise ValueError(f"edit has unknown fields: {', '.join(unknown)}")
        return cls(**data)


def _problem(edit: ArtistEdit) -> str | None:
    value, target = edit.value, edit.target
    if target not in TARGETS:
        return f"target must be one of {', '.join(TARGETS)}, not {target!r}"
    if (edit.channel is not None) != (target in (*BOUNDS, "state")):
        return f"{target!r} {'takes no' if edit.channel else 'needs a'} channel"
    if target in BOUNDS:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if value is not None and not (number and math.isfinite(value)):  # type: ignore[arg-type]
            return f"value must be a number of degrees, not {value!r}"
    elif target == "frame":
        if not isinstance(value, Mapping) or not set(value) >= FRAME_KEYS:
            return f"value must be an orientation with {', '.join(sorted(FRAME_KEYS))}"
    elif target == "note":
        if not isinstance(value, str):
            return f"value must be text, not {value!r}"
    elif value not in (STATES if target == "state" else TYPES):
        allowed = ", ".join(STATES if target == "state" else TYPES)
        return f"{target} must be one of {allowed}, not {value!r}"
    return None


def combined(*layers: tuple[ArtistEdit, ...]) -> tuple[ArtistEdit, ...]:
    """Edits of several layers; later ones replace earlier ones, in the order of first mention."""
    latest: dict[tuple[str, str, str | None], ArtistEdit] = {}
    for layer in layers:
        for edit in layer:
            latest[edit.key] = replace(edit, replaced=None)
    return tuple(latest.values())
