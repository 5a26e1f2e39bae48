"""Data kept per character of a library, compact enough for ten thousand in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from sys import intern
from typing import Optional

from ..findings import Finding
from ..limits.limit_set import AxisLimit, BoundSource, Frame, JointLimit, LimitSet
from ..limits.ranges import span_of
from ..limits.symmetry_record import PairSymmetry
from ..side_names import node_name

SIDES = ("min", "max")


@dataclass(frozen=True)
class Bound:
    """One limit (min or max) of a rotate channel.

    Parameters
    ----------
    low_deg, high_deg : float
        90 % band, from the limit outwards; equal to the limit where there is none.
    grade : str
        As in :class:`~jointlimits_core.limits.limit_set.BoundSource`.
    clip, frame : str and float, optional
        Where the motion reached the extreme, by the clip's own frame number; None for a limit
        that no motion reached, such as a prior's.
    found : tuple of str
        Rules of findings about that frame, for the joint or the whole clip.
    """

    value_deg: float
    low_deg: float
    high_deg: float
    grade: str
    clip: str | None = None
    frame: float | None = None
    found: tuple[str, ...] = ()


Bounds = Optional[tuple[Bound, Bound]]


@dataclass(frozen=True)
class JointRanges:
    """One joint of one character.

    Parameters
    ----------
    sure : bool
        Whether the evidence for the type is sure.
    channels : mapping of channel to two Bound or None
        None for a free channel.
    """

    type: str
    sure: bool
    frame: Frame
    channels: Mapping[str, Bounds]


@dataclass(frozen=True)
class CharacterRanges:
    """One character.

    Parameters
    ----------
    joints : mapping of joint name to JointRanges
        Names without paths and namespaces; names shared by two joints are left out.
    pairs : tuple of PairSymmetry
        Left and right, if the estimate compared them.
    file : str
        File name of the limit set, beside the page; empty if not stored in a file.
    """

    name: str
    joints: Mapping[str, JointRanges]
    pairs: tuple[PairSymmetry, ...] = ()
    file: str = ""


def character_ranges(name: str, limit_set: LimitSet, file: str = "") -> CharacterRanges:
    """Extract the data of a limit set that characters are compared by.

    Parameters
    ----------
    name : str
        Name of the character in the library.
    limit_set : LimitSet
        In standard mode.
    file : str
        File name beside the page of the library.

    Returns
    -------
    CharacterRanges
        The joints that are animated and have limits.
    """
    named: dict[str, list[JointLimit]] = {}
    for path, joint in limit_set.joints.items():
        if joint.animated:
            named.setdefault(node_name(path), []).append(joint)
    joints = {
        short: _ranges(found[0], limit_set.findings)
        for short, found in named.items()
        if len(found) == 1
    }
    pairs = () if limit_set.symmetry is None else limit_set.symmetry.pairs
    return CharacterRanges(name, joints, pairs, file)


def _ranges(joint: JointLimit, of_clips: Sequence[Finding]) -> JointRanges:
    findings = [one for one in (*joint.findings, *of_clips) if one.frame_ranges]
    channels = {channel: _bounds(axis, findings) for channel, axis in joint.limits.items()}
    return JointRanges(joint.type, joint.evidence.sure == "clear", joint.frame, channels)


def _bounds(axis: AxisLimit, findings: Sequence[Finding]) -> Bounds:
    span = span_of(axis)
    if span is None:
        return None
    low, high = axis.source.min, axis.source.max
    return _bound(span[0], low, findings), _bound(span[1], high, findings)


def _bound(value: float, source: BoundSource | None, findings: Sequence[Finding]) -> Bound:
    if source is None:
        return Bound(value, value, value, "untested")
    low, high = source.band_deg or (value, value)
    # One shared string per clip: ten thousand characters have millions of limits.
    clip = None if source.clip is None else intern(source.clip)
    band = min(low, value), max(high, value)
    found = tuple(dict.fromkeys(one.rule for one in findings if _is_about(one, source)))
    return Bound(value, *band, source.grade, clip, source.frame, found)


def _is_about(finding: Finding, source: BoundSource) -> bool:
    """Whether a finding covers the frame that a limit comes from."""
    frame = source.frame
    if frame is None or finding.clip != source.clip:
        return False
    return any(first <= frame <= last for first, last in finding.frame_ranges)
