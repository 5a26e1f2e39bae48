"""Comparison of a character's left and right, as data stored with the limits.

These classes do not depend on the limit set that holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional

MODES = ("off", "report", "pool")

Span = Optional[tuple[float, float]]
Triple = tuple[int, int, int]


@dataclass(frozen=True)
class ChannelSymmetry:
    """One rotate channel of a pair, from the left side's point of view.

    Parameters
    ----------
    sign : int
        +1 where both sides turn the same way in a mirrored pose, -1 where they are opposite.
    left_deg : tuple of two floats, optional
        The left side's minimum and maximum; None where it is free.
    right_deg : tuple of two floats, optional
        The right side's, mirrored and shifted to the left side's turn.
    asymmetry_deg : tuple of two floats, optional
        How much further the right side reaches at the minimum and at the maximum; negative where
        the left reaches further.
    reached_by : tuple of two str
        The joint that reaches further at the minimum and at the maximum.
    """

    channel: str
    sign: int
    left_deg: Span
    right_deg: Span
    asymmetry_deg: Span
    reached_by: tuple[str, str]

    def further_bound(self, end: int) -> str:
        """Limit ("min" or "max") of the joint that reaches further, at one end.

        Parameters
        ----------
        end : int
            0 or 1, as in `asymmetry_deg`, which must not be None.
        """
        more = (self.asymmetry_deg or (0.0, 0.0))[end]
        # The far end of a negated channel is the opposite limit of the right joint.
        return "max" if bool(end) == (self.sign > 0 or more < 0) else "min"


@dataclass(frozen=True)
class PairSymmetry:
    """A left joint and its partner.

    Parameters
    ----------
    how : str
        How they were paired: "label", "name" or "geometry".
    mirror_error : float, optional
        Distance at rest between one joint and its partner's mirror image, relative to the
        skeleton's size.
    signs : tuple of three int
        For rotateX, rotateY, rotateZ.
    signs_from : str
        "rest pose", "ranges", or "doubtful" (nothing is mirrored).
    off_deg : float, optional
        Deviation of the orientations at rest from mirroring each other channel by channel.
    hinge_off_deg : float, optional
        Angle between the axis of one hinge and the mirror image of the other.
    asymmetry_deg : float, optional
        Largest of all channels.
    pooled : bool
        Whether both sides got the union of their ranges.
    channels : tuple of ChannelSymmetry
        Empty if the channels cannot be compared.
    """

    left: str
    right: str
    how: str
    mirror_error: float | None
    signs: Triple
    signs_from: str
    off_deg: float | None
    hinge_off_deg: float | None
    asymmetry_deg: float | None
    pooled: bool
    channels: tuple[ChannelSymmetry, ...] = ()


@dataclass(frozen=True)
class SymmetryRecord:
    """All pairs of a character.

    Parameters
    ----------
    mode : str
        "off", "report" or "pool".
    unpaired : tuple of str
        Joints without a partner.
    """

    mode: str
    pairs: tuple[PairSymmetry, ...] = ()
    unpaired: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SymmetryRecord:
        """Inverse of ``dataclasses.asdict``, also for lists from JSON."""
        pairs = tuple(_pair(pair) for pair in data["pairs"])
        return cls(data["mode"], pairs, tuple(data["unpaired"]))


def _pair(data: Mapping[str, Any]) -> PairSymmetry:
    channels = tuple(ChannelSymmetry(**_tuples(item)) for item in data["channels"])
    return PairSymmetry(**{**_tuples(data), "channels": channels})


def _tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(item) if isinstance(item, list) else item for key, item in data.items()}
