"""Vocabulary for types, states, grades, ranges and bands, shared by terminal, page and window.

The JSON keeps its stored values ("firm", "clear"); these are the words shown for them. ASCII forms
("-12.3..45.0") are for terminals and messages, typographic ones ("−12.3° to 45.0°") for page and
window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..base.text import channel_letter, number, plural
from ..geometry.euler import CHANNELS
from .exclusions import is_left_out
from .limit_set import AxisLimit, BoundSource, JointLimit
from .priors import matched_prior
from .records import BOUNDS

TYPE_NAMES = {
    "fixed": "a fixed joint",
    "hinge": "a hinge",
    "universal": "a universal joint",
    "ball": "a ball joint",
}
TYPE_MEANINGS = {
    "fixed": "does not move",
    "hinge": "turns about one axis",
    "universal": "turns about two axes",
    "ball": "turns freely",
}
CERTAINTY = {"clear": "sure", "close": "close", "no motion": "no motion"}
"""Certainty of a joint's type."""

GRADES = ("untested", "open", "seen", "firm")
"""Grades of a measured limit as stored, weakest first."""
LAYERS = ("prior", "people", "artist")
"""Kinds of limits not measured from motion, lowest layer first."""
TURNS = "turns"
"""Grade of a joint that has no limited channel because one turns all the way round."""
GRADE_NAMES = {
    "firm": "confirmed",
    "seen": "reached once",
    "open": "may be wider",
    "untested": "no motion",
    TURNS: "turns all the way",
}
"""Word shown for each grade."""
GRADE_MEANINGS = {
    "firm": "reached in five clips or more, and not passed",
    "seen": "reached, and the motion stopped there",
    "open": "more motion may well go much further",
    "untested": "the channel hardly moves",
    TURNS: "a channel turns all the way round, so it has no limit",
    "prior": "from published ranges, not from the motion",
    "people": "from other people, not from the motion",
    "artist": "set by the artist, overriding the motion",
}
"""Meaning of each grade, and of each other layer that a limit may come from."""

STOPS = {
    "held": ", and held there",
    "turned": ", and turned back there",
    "cut": "; the clip ends while moving there",
}
MINUS = "\N{MINUS SIGN}"
HALF_TURN_DEG, FULL_TURN_DEG = 180.0, 360.0
MAX_EXTRAPOLATION_DEG = 90.0
"""A band that extends further beyond the motion than this does not describe a joint."""


def degrees(value: float, digits: int = 1) -> str:
    """Angle with a true minus sign: "−12.3°"."""
    return number(value, digits).replace("-", MINUS) + "°"


# Ranges

_Forms = tuple[Callable[[float, int], str], str, str, str, str, str, str]


_ASCII = (number, "{}..{}", "{}..", "..{}", "locked {}", "locked {}..{}", "free")
"""Angle formatter, then patterns for: between, above, below, locked, locked between, free."""
_TYPOGRAPHIC = (
    *(degrees, "{} to {}", "from {}", "up to {}", "locked at {}", "locked, {} to {}", "no limit"),
)


def range_digits(low: float, high: float, digits: int = 1) -> int:
    """Decimal places that distinguish the ends of a range: `digits`, 1 or 3."""
    if low == high:
        return digits
    apart = (more for more in (digits, 1) if number(low, more) != number(high, more))
    return next(apart, 3)


def single_limit(axis: AxisLimit) -> tuple[bool, float] | None:
    """(is minimum, degrees) for a channel with only one limit; None if it has both or neither."""
    if axis.state == "free" or (axis.min_deg is None) == (axis.max_deg is None):
        return None
    low = axis.min_deg
    return (False, float(axis.max_deg or 0.0)) if low is None else (True, low)


def range_words(axis: AxisLimit, digits: int = 1) -> str:
    """Range of a channel in ASCII: "-12.3..140.0", "-12.3..", "locked 0.0" or "free"."""
    return _range(axis, _ASCII, digits)


def range_text(axis: AxisLimit, digits: int = 1) -> str:
    """Range of a channel: "−12.3° to 140.0°", "from −12.3°", "locked at 0.0°", "no limit"."""
    return _range(axis, _TYPOGRAPHIC, digits)


def ranges_text(joint: JointLimit) -> str:
    """Ranges of all channels: "X −12.3° to 140.0°, Y locked at 0.0°"."""
    axes = joint.limits.items()
    return ", ".join(f"{channel_letter(name)} {range_text(axis)}" for name, axis in axes)


def _range(axis: AxisLimit, forms: _Forms, digits: int) -> str:
    angle, between, above, below, locked, locked_between, free = forms
    single = single_limit(axis)
    if single is not None:
        return (above if single[0] else below).format(angle(single[1], digits))
    if axis.state == "free" or axis.min_deg is None or axis.max_deg is None:
        return free
    is_locked = axis.state == "locked"
    if not is_locked:
        digits = range_digits(axis.min_deg, axis.max_deg, digits)
    low, high = angle(axis.min_deg, digits), angle(axis.max_deg, digits)
    if is_locked and low == high:
        return locked.format(low)
    return (locked_between if is_locked else between).format(low, high)


# Types


def type_words(joint: JointLimit) -> str:
    """Type with its axis: "hinge X", "hinge -5.0..90.0 (20.3 off X)", "ball".

    If the hinge is off the channels, none of them shows its range, so the range is included here.
    """
    hinge = joint.hinge
    if hinge is None or joint.type != "hinge":
        return joint.type
    letter = channel_letter(hinge.channel)
    if hinge.is_on_channel:
        return f"{joint.type} {letter}"
    span = range_words(AxisLimit("limited", hinge.min_deg, hinge.max_deg))
    return f"{joint.type} {span} ({number(hinge.off_channel_deg)} off {letter})"


def certainty(joint: JointLimit) -> str:
    """Certainty of a joint's type: "sure", "close" or "no motion"."""
    return CERTAINTY.get(joint.evidence.sure, joint.evidence.sure)


# Grades


def mark_name(mark: str) -> str:
    """Word for a grade, such as "confirmed"; layers keep their names."""
    return GRADE_NAMES.get(mark, mark)


def is_graded(bound: BoundSource | None) -> bool:
    """Whether a limit was measured and its visits were counted."""
    return bound is not None and bound.kind not in LAYERS and bound.visits > 0


def grade_marks(joint: JointLimit) -> tuple[str, ...]:
    """Grade and layers behind a joint's limits, as stored.

    Returns the weakest of the :data:`GRADES` of its limited channels; without any, :data:`TURNS` if
    a channel turns all the way round, else the weakest grade of its locked channels. Then come the
    :data:`LAYERS` of these channels' limits. A joint that is left out of all clips is untested.
    """
    if is_left_out(joint):
        return ("untested",)
    axes = [axis for axis in joint.limits.values() if axis.state != "free"]
    limited = [axis for axis in axes if axis.state == "limited"]
    present = [bound for axis in limited or axes for bound in axis.source.known]
    grades = [bound.grade for bound in present if is_graded(bound)]
    kinds = {bound.kind for bound in present}
    weakest = [min(grades, key=GRADES.index)] if grades else []
    if not limited and len(axes) < len(joint.limits):
        # A channel is free, perhaps because the motion turns it all the way round.
        turns = any(item.rule == "unlimited" for item in joint.findings)
        weakest = [TURNS] if turns else weakest
    return (*weakest, *(layer for layer in LAYERS if layer in kinds))


def reach_words(bound: BoundSource) -> str:
    """Words for how the motion reached a limit.

    For example "reached 3 times in 2 clips, and turned back there"; "" if that is unknown or the
    channel hardly moves.
    """
    if not is_graded(bound) or bound.grade == "untested":
        return ""
    often = {1: "once", 2: "twice"}.get(bound.visits, f"{bound.visits} times")
    where = f" in {plural(bound.clips, 'clip')}" if bound.visits > 1 else ""
    return f"reached {often}{where}{STOPS.get(bound.stop or '', '')}"


# Bands


def _band_ends(axis: AxisLimit, side: str, widest_deg: float | None) -> tuple[float, float] | None:
    """90 % band of a limit, on the branch of the range: where more motion would put the limit.

    None without a stored band, and for a band that is too wide for any joint: it passes half a turn
    although the limit does not, reaches over a quarter turn beyond the limit, makes the range wider
    than anatomy allows, or meets the other band around the circle.
    """
    stored = {one: _stored_band(axis, one) for one in BOUNDS}
    own = stored[side]
    if own is None:
        return None

    def is_plausible(one: str) -> bool:
        """Whether a joint could turn as far as the band of one limit reaches."""
        limit, ends, beyond = stored[one] or (0.0, (0.0, 0.0), 0.0)
        widest = FULL_TURN_DEG if widest_deg is None else widest_deg
        passes = abs(ends[BOUNDS.index(one)]) > HALF_TURN_DEG >= abs(limit)
        return beyond <= MAX_EXTRAPOLATION_DEG and not passes and axis.width_deg + beyond <= widest

    _, ends, beyond = own
    is_known = is_plausible(side)
    other = BOUNDS[1 - BOUNDS.index(side)]
    if is_known and stored[other] is not None and is_plausible(other):
        is_known = axis.width_deg + beyond + (stored[other] or own)[2] <= FULL_TURN_DEG
    return ends if is_known or beyond == 0.0 else None


def _stored_band(axis: AxisLimit, side: str) -> tuple[float, tuple[float, float], float] | None:
    """Limit, ends of its band, and degrees by which the band passes the limit.

    None for a limit without a band, on a channel that hardly moves, or not measured from motion.
    """
    source: BoundSource | None = getattr(axis.source, side)
    limit = axis.bound_deg(side)
    if source is None or source.band_deg is None or limit is None or axis.state == "free":
        return None
    if source.kind in LAYERS or source.grade == "untested":
        return None
    low, high = source.band_deg
    return limit, (low, high), max(limit - low if side == "min" else high - limit, 0.0)


def band_stretches(
    axis: AxisLimit, widest_deg: float | None = None
) -> tuple[tuple[float, float], ...]:
    """Stretches between a range and the outer ends of its limits' bands, for drawing.

    Returns (start, end) in degrees on the branch of the range, start below end: below the minimum,
    above the maximum, or both. Empty for a free or locked channel, a range that is open at one end,
    and unknown bands. Together with the range, they never cover more than a turn.
    """
    if axis.state != "limited" or axis.min_deg is None or axis.max_deg is None:
        return ()
    low, high = (_band_ends(axis, side, widest_deg) for side in BOUNDS)
    below = () if low is None else ((low[0], axis.min_deg),)
    above = () if high is None else ((axis.max_deg, high[1]),)
    return tuple((start, end) for start, end in (*below, *above) if end > start)


def band_words(axis: AxisLimit, side: str, widest_deg: float | None = None) -> str:
    """Band of a limit: "90 % band −142.1° to −97.5°", "90 % band unknown", or "" without one.

    `side`: "min" or "max". `widest_deg`: widest range of the joint by anatomy; see
    :func:`widest_deg`.
    """
    if _stored_band(axis, side) is None:
        return ""
    ends = _band_ends(axis, side, widest_deg)
    return "90 % band " + (f"{degrees(ends[0])} to {degrees(ends[1])}" if ends else "unknown")


def widest_deg(names: Sequence[str], joint: str, channel: str = CHANNELS[0]) -> float | None:
    """Widest range of any rotate channel of a joint, according to published anatomy.

    The sum of a hinge's two opposite motions, or of another part's two largest motions. None for
    joints that are not recognized by name, and for angles that are not rotate channels. `names`:
    all joints of the character, since names are read in context.
    """
    prior = matched_prior(names).get(joint) if channel in CHANNELS else None
    if prior is None:
        return None
    motions = prior.hinge or tuple(prior.motions)
    return sum(sorted(map(prior.widest_deg, motions), reverse=True)[:2])
