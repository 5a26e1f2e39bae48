"""Records stored with the limits: artist's edits, dependencies between channels, and symmetry.

An edit sets one property of one joint; the measured value is kept with it, so that the edit can be
undone. :mod:`jointlimits_core.limits.layers` applies edits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, ClassVar, Optional, Union

import numpy as np

from ..base.records import with_tuples
from ..geometry import arrays, euler
from .document import angle_problem

Corner = tuple[float, float]
Span = Optional[tuple[float, float]]
Triple = tuple[int, int, int]
Value = Union[float, str, Mapping[str, Any], None]

BOUNDS = ("min", "max")
TARGETS = (*BOUNDS, "state", "type", "orientation", "note")
STATES = ("free", "limited", "locked")
JOINT_TYPES = ("fixed", "hinge", "universal", "ball")
FRAME_KEYS = frozenset(["rotate_order", "joint_orient_deg", "rotate_axis_deg"])
MODES = ("off", "report", "pool")
CORNER_DIGITS = 2
"""Decimal places of a polygon's corners, degrees."""

ANGLE_DIGITS = 6
"""Decimal places of round angles, such as those in motion files."""
ROUNDING_DEG = 9e-10
"""Largest rounding error, degrees; below the 1e-9 by which a sample may be outside a limit."""


def without_rounding_error(value_deg: float) -> float:
    """Angle without rounding error: 60.00000000000001 becomes 60.0 and -1.7e-30 becomes 0.0."""
    nearest = round(value_deg, ANGLE_DIGITS)
    # Adding 0.0 makes -0.0 positive.
    is_rounding = isinstance(value_deg, float) and abs(value_deg - nearest) <= ROUNDING_DEG
    return nearest + 0.0 if is_rounding else value_deg


def round_measured(value: float, decimals: int = 9) -> float:
    """Number rounded to the digits that every processor and every numpy version agree on."""
    return round(value, decimals) + 0.0


class Rounded:
    """Base for records that round some of their fields on creation; None stays None."""

    ROUNDED: ClassVar[Mapping[str, Callable[[float], float]]]
    """Rounding function for each field: a number, or a sequence or mapping of numbers."""

    def __post_init__(self) -> None:
        values = vars(self)
        for name, how in self.ROUNDED.items():
            value = values[name]
            if isinstance(value, (float, int)):
                values[name] = how(value)
            elif isinstance(value, Sequence):
                values[name] = tuple(map(how, value))
            elif value is not None:
                values[name] = {key: one if one is None else how(one) for key, one in value.items()}


EVIDENCE_DIGITS, MIN_EVIDENCE_DEG = 6, 1e-4
"""Decimal places and minimum of evidence; less is the square root of a moment's rounding error."""


def evidence_deg(value: float) -> float:
    """Evidence angle rounded to its meaningful digits; 0 in exact motion."""
    return 0.0 if abs(value) < MIN_EVIDENCE_DEG else round(value, EVIDENCE_DIGITS)


@dataclass(frozen=True)
class Dependency:
    """Range of a channel as a function of another channel."""

    joint: str
    channel: str
    """The limited channel."""
    on_joint: str
    on_channel: str
    """Channel that the range depends on, in the same joint or a nearby one."""
    corners_deg: tuple[Corner, ...]
    """Convex polygon around all observed values, counterclockwise; each corner is (on, value)."""
    gain: float
    """Share of the rectangle of both ranges that lies outside the polygon, 0 to 1."""
    held_out: float | None
    """Share of the frames inside the other clips' ranges that are also inside their polygon; None
    for a single clip."""
    clips: int
    pad_deg: float = 3.0
    """Degrees by which the limit extends beyond the polygon, along both channels."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Dependency:
        """Dependency from plain data."""
        corners = tuple((float(on), float(value)) for on, value in data["corners_deg"])
        return cls(**{**data, "corners_deg": corners})

    def on_range_deg(self) -> tuple[float, float]:
        """Observed range of the channel that the limit depends on."""
        values = [on for on, _ in self.corners_deg]
        return min(values), max(values)

    def range_at_deg(self, on_deg: float) -> tuple[float, float] | None:
        """Observed range of the limited channel at a value of the other channel, without padding.

        None outside the observed values.
        """
        first, last = self.on_range_deg()
        low, high = (float(np.interp(on_deg, *side)) for side in self._sides_deg(0.0))
        return (low, high) if first <= on_deg <= last else None

    def bounds_deg(self, on_deg: arrays.ArrayLike) -> tuple[arrays.Floats, arrays.Floats]:
        """Padded limits at values of the other channel: (low, high), degrees.

        The polygon is moved outward along both channels by the padding, and by the most that its
        corners may have lost to rounding. Beyond the observed values of the other channel, the
        limits at the nearest observed value apply, so a driver outside its own limits moves nothing
        else, and motion does not jump. `on_deg`: degrees, finite; the results have its shape.
        """
        on = np.asarray(on_deg, dtype=np.float64)
        low, high = (np.asarray(np.interp(on, *side)) for side in self.sides_deg())
        return low, high

    def sides_deg(self) -> list[arrays.Floats]:
        """Padded minimum and maximum, each (2, corners): values of the other channel, and ends."""
        return self._sides_deg(self.pad_deg + 10.0**-CORNER_DIGITS)

    def _sides_deg(self, pad: float) -> list[arrays.Floats]:
        """Lower and upper side of the polygon moved outward by `pad` along both channels.

        The new upper side is, at each value, the highest point of the old one within `pad` of it:
        that is the old side, which is concave, split at its peak.
        """
        starts = np.asarray(self.corners_deg, dtype=np.float64)
        ends = np.roll(starts, -1, axis=0)
        at, run = np.unique(starts[:, 0]), (ends - starts)[:, 0]
        # Where each edge crosses the corners' positions. A vertical edge counts only at its start,
        # since its end is the start of the next edge.
        upright = run == 0.0
        share = (at[:, None] - starts[:, 0]) / np.where(upright, 1.0, run)
        met = np.where(upright, share == 0.0, (share >= 0.0) & (share <= 1.0))
        heights = starts[:, 1] + np.where(upright, 0.0, share) * (ends - starts)[:, 1]
        found = []
        for sign in (-1.0, 1.0):
            side = sign * np.where(met, sign * heights, -np.inf).max(axis=1)
            peak = int(np.argmax(sign * side))
            moved = np.concatenate([at[: peak + 1] - pad, at[peak:] + pad])
            side = np.insert(side, peak, side[peak])
            found.append(np.array([moved, side + sign * pad]))
        return found


@dataclass(frozen=True)
class ArtistEdit:
    """One decision of an artist, which overrides the data in this and later estimates.

    Raises ValueError naming the joint and the invalid field.
    """

    joint: str
    target: str
    """One of "min", "max" or "state" (of a channel), "type", "orientation" or "note"."""
    channel: str | None = None
    """One of "rotateX", "rotateY" or "rotateZ", for the first three targets."""
    value: Value = None
    """By target: degrees of a limit, or None to pin it at its measured value; a state; a type; an
    orientation as in the JSON of a limit set; the text of a note."""
    note: str = ""
    author: str | None = None
    date: str | None = None
    replaced: Mapping[str, Any] | None = None
    """The measured value, filled in when the edit is applied."""

    def __post_init__(self) -> None:
        wrong = _problem(self)
        if wrong:
            raise ValueError(f"edit of joint {self.joint!r}: {wrong}")
        if isinstance(self.value, float):
            object.__setattr__(self, "value", without_rounding_error(self.value))

    @property
    def key(self) -> tuple[str, str, str | None]:
        """Joint, target and channel; of two edits with the same key, the later one counts."""
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
    """Problem with the fields of an edit; None if they are valid."""
    value, target = edit.value, edit.target
    if not all(isinstance(text, str) for text in (edit.note, edit.author or "", edit.date or "")):
        return "note, author and date must be text"
    if target not in TARGETS:
        return f"target must be one of {', '.join(TARGETS)}, not {target!r}"
    if (edit.channel is not None) != (target in (*BOUNDS, "state")):
        return f"{target!r} {'takes no' if edit.channel else 'needs a'} channel"
    if target in BOUNDS:
        wrong = None if value is None else angle_problem(value)
        return None if wrong is None else f"{edit.channel} {target} {wrong}"
    if target == "note":
        return None if isinstance(value, str) else f"value must be text, not {value!r}"
    if target != "orientation":
        allowed = STATES if target == "state" else JOINT_TYPES
        known = value in allowed
        return None if known else f"{target} must be one of {', '.join(allowed)}, not {value!r}"
    if not isinstance(value, Mapping) or not FRAME_KEYS <= set(value) <= {*FRAME_KEYS, "kind"}:
        return f"value must be an orientation with {', '.join(sorted(FRAME_KEYS))}"
    if value["rotate_order"] not in euler.ROTATE_ORDERS:
        orders = ", ".join(euler.ROTATE_ORDERS)
        return f"rotate_order must be one of {orders}, not {value['rotate_order']!r}"
    for name in ("joint_orient_deg", "rotate_axis_deg"):
        angles = value[name]
        if not isinstance(angles, (list, tuple)) or len(angles) != 3:
            return f"{name} must be three angles"
        wrong = next(filter(None, map(angle_problem, angles)), None)
        if wrong is not None:
            return f"{name} {wrong}"
    return None


def combine_edits(*layers: tuple[ArtistEdit, ...]) -> tuple[ArtistEdit, ...]:
    """Edits from several layers, in order of first mention; later edits replace earlier ones."""
    latest: dict[tuple[str, str, str | None], ArtistEdit] = {}
    for layer in layers:
        for edit in layer:
            latest[edit.key] = replace(edit, replaced=None)
    return tuple(latest.values())


@dataclass(frozen=True)
class ChannelSymmetry:
    """One rotate channel of a pair, from the left side's point of view."""

    channel: str
    sign: int
    """+1 if both sides turn the same way in a mirrored pose, -1 if they turn opposite ways."""
    left_deg: Span
    """The left side's minimum and maximum; None if the channel is free there."""
    right_deg: Span
    """The right side's minimum and maximum, mirrored, on the same full turn as the left side's."""
    asymmetry_deg: Span
    """Excess of the right side's reach over the left side's, at the minimum and at the maximum;
    negative if the left side reaches further."""
    reached_by: tuple[str, str]
    """The joint that reaches further at the minimum and at the maximum."""

    def further_bound(self, end: int) -> str:
        """Limit, "min" or "max", at which one joint reaches further than its partner.

        `end`: 0 or 1, an index into `asymmetry_deg`, which must not be None.
        """
        more = (self.asymmetry_deg or (0.0, 0.0))[end]
        # If the sign is -1, this end is the right joint's opposite limit.
        return "max" if bool(end) == (self.sign > 0 or more < 0) else "min"


@dataclass(frozen=True)
class PairSymmetry(Rounded):
    """A left joint and its partner."""

    left: str
    right: str
    how: str
    """Basis of the pairing: "label", "name" or "geometry"."""
    mirror_error: float | None
    """Distance at rest from the partner's mirror image, relative to the skeleton's size."""
    signs: Triple
    """Signs of rotateX, rotateY and rotateZ."""
    signs_from: str
    """One of "rest pose", "mean pose", "ranges", or "doubtful" (nothing is mirrored)."""
    off_deg: float | None
    """Angle by which channels of the two orientations at rest fail to mirror each other."""
    hinge_off_deg: float | None
    """Angle between the axis of one hinge and the mirror image of the other."""
    asymmetry_deg: float | None
    """Largest difference on any channel."""
    pooled: bool
    """Whether both sides got the union of their ranges."""
    channels: tuple[ChannelSymmetry, ...] = ()
    """Empty if the channels cannot be compared."""
    offsets_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """0 or 180 for each channel, added to the mirrored values."""
    ROUNDED = dict.fromkeys(
        ("mirror_error", "off_deg", "hinge_off_deg", "asymmetry_deg"), round_measured
    )


@dataclass(frozen=True)
class SymmetryRecord:
    """Joint pairs. `mode`: "off", "report" or "pool". `unpaired`: joints without a partner."""

    mode: str
    pairs: tuple[PairSymmetry, ...] = ()
    unpaired: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SymmetryRecord:
        """Inverse of ``dataclasses.asdict``, also for lists from JSON."""
        pairs = []
        for pair in data["pairs"]:
            channels = tuple(ChannelSymmetry(**with_tuples(item)) for item in pair["channels"])
            pairs.append(PairSymmetry(**{**with_tuples(pair), "channels": channels}))
        return cls(data["mode"], tuple(pairs), tuple(data["unpaired"]))
