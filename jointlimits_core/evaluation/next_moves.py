"""What to record next: the joints and directions whose bounds rest on little."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..joint_frame import CHANNELS
from ..limits.limit_set import AxisLimit, JointLimit, LimitSet
from ..wording import number
from .cross_validation import BoundStability, CrossValidation
from .spoken_names import spoken_name

SUPPORT = ("not at all", "once", "few", "firm")
"""How well a bound is known, the least first."""
GRADE_ORDER = ("open", "untested", "seen", "firm")
"""Grades of bounds with the same support, those that need a move most first."""
UNGRADED = "untested"
"""The grade of a bound that nobody graded; a channel that is not exercised is no move."""
FEW_CLIPS = 2
"""A bound that no more clips than this come near is reached from few."""
WORTH_RECORDING_DEG = 2.0
"""Channels with a smaller range are not what a joint is moved for."""
CLEARLY = 2.0
"""How much further a hinge goes one way than the other where that way can be called bending."""


@dataclass(frozen=True)
class BoundSupport:
    """What one bound rests on.

    Parameters
    ----------
    support : str
        One of :data:`SUPPORT`.
    clips : int
        How many clips come within a degree of it.
    grade : str
        The grade that the limit set gives it.
    band_deg : tuple of (low, high) or None
        Its confidence band, where it has one.
    is_cut : bool
        True if the clip begins or ends where it is furthest, so that it may well go on.
    """

    support: str
    clips: int
    grade: str = UNGRADED
    band_deg: tuple[float, float] | None = None
    is_cut: bool = False

    @property
    def width_deg(self) -> float:
        """Width of the band, 0 without one."""
        return 0.0 if self.band_deg is None else self.band_deg[1] - self.band_deg[0]


@dataclass(frozen=True)
class Move:
    """One thing to record.

    Parameters
    ----------
    joint : str
        Its name in the limits.
    side : str
        "min" or "max": the bound that it would firm up.
    reached_deg : float
        How far the motion went so far.
    frame : float or None
        Where it did.
    sentence : str
        For the performer.
    """

    joint: str
    channel: str
    side: str
    reached_deg: float
    clip: str | None
    frame: float | None
    support: BoundSupport
    sentence: str


@dataclass(frozen=True)
class NextMoves:
    """The sheet.

    Parameters
    ----------
    moves : tuple of Move
        The bounds that rest on least first; of these the worst graded and least certain, then the
        joints with the largest range.
    still : tuple of str
        Joints that no clip moves at all: to be moved every way, if they are meant to move.
    clips : int
        From how many clips the limits come.
    firm : int
        How many bounds need nothing.
    """

    moves: tuple[Move, ...]
    still: tuple[str, ...]
    clips: int
    firm: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def next_moves(limit_set: LimitSet, crossed: CrossValidation | None = None) -> NextMoves:
    """List what to record to firm up the limits.

    Parameters
    ----------
    crossed : CrossValidation, optional
        Tells how far each bound moves when a clip is left out; those that move furthest come first
        among their equals.

    Returns
    -------
    NextMoves
        About limited channels with a range worth a move; of a hinge only its own channel. Free
        channels and bounds that an artist set need nothing.
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
            for side in ("min", "max"):
                support = support_of(joint.limits[channel], side)
                if support.support == "firm":
                    firm += 1
                    continue
                move = _move(name, joint, channel, side, support, len(limit_set.clips))
                spans[_key(move)] = _span(joint.limits[channel])
                moves.append(move)

    def urgency(move: Move) -> tuple[int, int, float, float]:
        support, key = move.support, _key(move)
        known = SUPPORT.index(support.support)
        uncertain = max(support.width_deg, loose.get(key, 0.0))
        return known, GRADE_ORDER.index(support.grade), -uncertain, -spans[key]

    return NextMoves(tuple(sorted(moves, key=urgency)), tuple(still), len(limit_set.clips), firm)


def _key(item: Move | BoundStability) -> tuple[str, str, str]:
    return item.joint, item.channel, item.side


def _span(limit: AxisLimit) -> float:
    if limit.min_deg is None or limit.max_deg is None:
        return 0.0
    return limit.max_deg - limit.min_deg


def support_of(limit: AxisLimit, side: str) -> BoundSupport:
    """Say what one bound rests on. The only place that looks at it.

    Parameters
    ----------
    side : str
        "min" or "max".
    """
    source = limit.source.min if side == "min" else limit.source.max
    if source is None or source.kind == "prior":
        return BoundSupport("not at all", 0)
    known = ("not at all", "once", "few")[min(source.clips, FEW_CLIPS)]
    often = source.grade == UNGRADED and source.clips > FEW_CLIPS
    if source.kind == "artist" or source.grade == "firm" or often:
        known = "firm"
    return BoundSupport(known, source.clips, source.grade, source.band_deg, source.stop == "cut")


def _channels(joint: JointLimit) -> list[str]:
    """Channels that a person can work on."""
    return [
        channel
        for channel, limit in joint.limits.items()
        if limit.state == "limited"
        and _span(limit) >= WORTH_RECORDING_DEG
        and (joint.hinge is None or channel == joint.hinge.channel)
    ]


def _move(
    name: str, joint: JointLimit, channel: str, side: str, support: BoundSupport, clips: int
) -> Move:
    limit = joint.limits[channel]
    source = limit.source.min if side == "min" else limit.source.max
    bound = limit.min_deg if side == "min" else limit.max_deg
    reached = bound if source is None or source.value_deg is None else source.value_deg
    assert reached is not None  # _channels took only closed ranges
    clip, frame = (None, None) if source is None else (source.clip, source.frame)
    beyond = "above" if side == "max" else "below"
    if support.support == "not at all":
        beyond = "as far as"
    sentence = " ".join(
        [
            f"{_called(name)}:",
            _doing(joint, channel, side),
            f"({channel} {beyond} {number(reached)} degrees).",
            _so_far(support, side, clips, clip, frame),
        ]
    )
    return Move(name, channel, side, reached, clip, frame, support, sentence)


def _called(name: str) -> str:
    """Spoken name first, the name itself in brackets if it is another."""
    spoken = spoken_name(name)
    return name if spoken == name else f"{spoken} ({name})"


def _doing(joint: JointLimit, channel: str, side: str) -> str:
    """What to do with the joint."""
    letter = channel[-1]
    sign = "plus" if side == "max" else "minus"
    plain = f"turn it further about {letter}, towards {sign}"
    limit = joint.limits[channel]
    if joint.hinge is None or limit.min_deg is None or limit.max_deg is None:
        return plain
    rest = joint.rest.rotate_deg[CHANNELS.index(channel)]
    up, down = limit.max_deg - rest, rest - limit.min_deg
    if max(up, down) < CLEARLY * max(min(up, down), 1.0):
        return plain
    return "bend it further" if (up > down) == (side == "max") else "straighten it further"


def _so_far(
    support: BoundSupport, side: str, clips: int, clip: str | None, frame: float | None
) -> str:
    """Who went there so far, and how far it may go."""
    place = "" if clip is None else f" {clip}"
    place += "" if clip is None or frame is None else f", frame {frame:.10g}"
    if support.support == "not at all":
        text = "No clip went there so far"
    elif clips == 1:
        text = f"So far from a single clip:{place}"
    else:
        text = f"So far {support.clips} of {clips} clips came near it"
        text += f", furthest{place}" if place else ""
    text += ", where the clip begins or ends" if support.is_cut and place else ""
    if support.band_deg is not None:
        text += f"; it may go as far as {number(support.band_deg[side == 'max'])}"
    return text + "."
