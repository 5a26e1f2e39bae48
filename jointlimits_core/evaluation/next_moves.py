"""Suggested recordings: joints and directions whose limits have little evidence."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..base import number
from ..geometry import CHANNELS
from ..limits import BOUNDS, AxisLimit, Band, BoundSource, JointLimit, LimitSet, band_of, widest_deg
from ..motion import anatomical_name
from .cross_validation import CrossValidation, LimitStability

SUPPORT = ("not at all", "once", "few", "firm")
"""Support of a limit, least first."""
GRADE_ORDER = ("open", "untested", "seen", "firm")
"""Grades of limits with the same support, the most in need of a recording first."""
UNGRADED = "untested"
"""Grade of a limit that was not graded."""
FEW_CLIPS = 2
"""Limits reached by up to this many clips count as "few"."""
WORTH_RECORDING_DEG = 2.0
"""Channels with a smaller range are not worth a recording."""
CLEARLY = 2.0
"""Ratio of a hinge's range in its two directions from which the larger one is called bending."""


@dataclass(frozen=True)
class LimitSupport:
    """Evidence for one limit (min or max)."""

    support: str
    """One of :data:`SUPPORT`."""
    clips: int
    """Number of clips that come within a degree of it."""
    grade: str = UNGRADED
    band_deg: tuple[float, float] | None = None
    """Its confidence band (low, high), if any."""
    is_cut: bool = False
    """Whether the extreme is at the start or end of the clip, so the motion may have continued."""

    @property
    def width_deg(self) -> float:
        """Width of the band; 0 without one."""
        return 0.0 if self.band_deg is None else self.band_deg[1] - self.band_deg[0]


@dataclass(frozen=True)
class Move:
    """One suggested recording."""

    joint: str
    """Name in the limits."""
    channel: str
    side: str
    """The limit to confirm: "min" or "max"."""
    reached_deg: float
    """Extreme value of the motion so far."""
    clip: str | None
    frame: float | None
    support: LimitSupport
    sentence: str
    """Instruction for the performer."""


@dataclass(frozen=True)
class NextMoves:
    """List of suggested recordings."""

    moves: tuple[Move, ...]
    """Least supported first, then worst graded, least certain, and widest range."""
    still: tuple[str, ...]
    """Joints that move in no clip: to be moved in every direction, if they are meant to move."""
    clips: int
    """Number of clips that the limits come from."""
    firm: int
    """Number of limits that need no recording."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def next_moves(limit_set: LimitSet, crossed: CrossValidation | None = None) -> NextMoves:
    """Recordings that would confirm the limits.

    `crossed`: gives how far each limit moves when a clip is left out; used to order equal limits.
    Returns moves for limited channels with a range worth a recording; of a hinge only its own
    channel. Free channels and limits set by an artist need none.
    """
    loose = {} if crossed is None else {_key(item): item.loose_deg for item in crossed.bounds}
    moves: list[Move] = []
    spans: dict[tuple[str, str, str], float] = {}
    still, firm = [], 0
    for name, joint in limit_set.joints.items():
        if joint.evidence.sure == "no motion":
            still.append(name)
            continue
        for channel in _channels(joint):
            for side in BOUNDS:
                support = support_of(joint.limits[channel], side)
                if support.support == "firm":
                    firm += 1
                    continue
                move = _move(limit_set, name, channel, side, support)
                spans[_key(move)] = joint.limits[channel].width_deg
                moves.append(move)

    def urgency(move: Move) -> tuple[int, int, float, float]:
        support, key = move.support, _key(move)
        known = SUPPORT.index(support.support)
        uncertain = max(support.width_deg, loose.get(key, 0.0))
        return known, GRADE_ORDER.index(support.grade), -uncertain, -spans[key]

    return NextMoves(tuple(sorted(moves, key=urgency)), tuple(still), len(limit_set.clips), firm)


def _key(item: Move | LimitStability) -> tuple[str, str, str]:
    return item.joint, item.channel, item.side


def support_of(limit: AxisLimit, side: str) -> LimitSupport:
    """Evidence for one limit; the only place that classifies it. `side`: "min" or "max"."""
    source: BoundSource | None = getattr(limit.source, side)
    if source is None or source.kind == "prior":
        return LimitSupport("not at all", 0)
    known = ("not at all", "once", "few")[min(source.clips, FEW_CLIPS)]
    often = source.grade == UNGRADED and source.clips > FEW_CLIPS
    if source.kind == "artist" or source.grade == "firm" or often:
        known = "firm"
    return LimitSupport(known, source.clips, source.grade, source.band_deg, source.stop == "cut")


def _channels(joint: JointLimit) -> list[str]:
    """Channels worth a recording."""
    return [
        channel
        for channel, limit in joint.limits.items()
        if limit.state == "limited"
        and limit.width_deg >= WORTH_RECORDING_DEG
        and (joint.hinge is None or channel == joint.hinge.channel)
    ]


def _move(limit_set: LimitSet, name: str, channel: str, side: str, support: LimitSupport) -> Move:
    joint, clips = limit_set.joints[name], len(limit_set.clips)
    limit = joint.limits[channel]
    source: BoundSource | None = getattr(limit.source, side)
    bound = limit.bound_deg(side)
    reached = bound if source is None or source.value_deg is None else source.value_deg
    assert reached is not None  # _channels returns only limited ranges
    clip, frame = (None, None) if source is None else (source.clip, source.frame)
    beyond = "above" if side == "max" else "below"
    if support.support == "not at all":
        beyond = "as far as"
    band = band_of(limit, side, widest_deg(list(limit_set.joints), name, channel))
    sentence = (
        f"{_display_name(name)}: {_doing(joint, channel, side)} "
        f"({channel} {beyond} {number(reached)} degrees). "
        f"{_so_far(support, clips, clip, frame)}{_band_words(band, side)}."
    )
    return Move(name, channel, side, reached, clip, frame, support, sentence)


def _display_name(name: str) -> str:
    """Anatomical name, with the joint's name in brackets if it differs."""
    anatomical = anatomical_name(name)
    return name if anatomical == name else f"{anatomical} ({name})"


def _doing(joint: JointLimit, channel: str, side: str) -> str:
    """Instruction for the joint."""
    letter = channel[-1]
    direction = "positive" if side == "max" else "negative"
    plain = f"turn it further about {letter}, in the {direction} direction"
    limit = joint.limits[channel]
    if joint.hinge is None or limit.min_deg is None or limit.max_deg is None:
        return plain
    rest = joint.rest.rotate_deg[CHANNELS.index(channel)]
    up, down = limit.max_deg - rest, rest - limit.min_deg
    if max(up, down) < CLEARLY * max(min(up, down), 1.0):
        return plain
    return "bend it further" if (up > down) == (side == "max") else "straighten it further"


def _so_far(support: LimitSupport, clips: int, clip: str | None, frame: float | None) -> str:
    """Clips that reached the limit so far."""
    place = "" if clip is None else f" {clip}"
    place += "" if clip is None or frame is None else f", frame {frame:.10g}"
    if support.support == "not at all":
        text = "Not reached in any clip so far"
    elif clips == 1:
        text = f"So far reached in a single clip:{place}"
    else:
        text = f"So far reached in {support.clips} of {clips} clips"
        text += f", furthest in{place}" if place else ""
    text += ", cut off by the start or end of the clip" if support.is_cut and place else ""
    return text


def _band_words(band: Band | None, side: str) -> str:
    """How far the true limit may be, if that is known."""
    if band is None:
        return ""
    if band.ends_deg is None:
        return "; how far the true limit may be is unknown"
    return f"; the true limit may be as far as {number(band.ends_deg[side == 'max'])}"
