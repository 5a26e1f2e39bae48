"""What became of writing, clearing and switching, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from jointlimits_core.applying.joint_plan import Skipped

NOT_CHOSEN = "joint not among the chosen ones"
"""Why limits are left that no chosen joint has the name of."""


class Outcome:
    """What the results of all actions have in common; each is a dataclass."""

    skipped: tuple[Skipped, ...]
    """What was left as it is, why, and what to do."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left alone."""
        return not self.skipped

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return _plain(self)


@dataclass(frozen=True)
class Clipped:
    """A channel whose animation goes beyond its limits, so that Maya would hold it back.

    Parameters
    ----------
    frames : int
        How many frames of the animation; 0 if it is only the pose that stands in the scene now.
    worst_deg : float
        Degrees beyond the limit.
    worst_frame : float
        Where that is.
    flips : int
        In how many of the frames the pose is inside the limits, but its keys are on another Euler
        branch.
    """

    joint: str
    channel: str
    frames: int
    worst_deg: float
    worst_frame: float
    flips: int = 0


@dataclass(frozen=True)
class ReorientResult(Outcome):
    """Joints that got other frames.

    Parameters
    ----------
    mode : str
        "R" or "C".
    joints : mapping of joint name to tuple of str
        Long names of the attributes that change on the re-oriented joints.
    compensated : mapping of node name to tuple of str
        The same of nodes below them that are turned back (mode C).
    keys : mapping of joint name to int
        Keys that each of the joint's new rotation curves has.
    unchanged : tuple of str
        Joints that have the advised frame already, or are advised to keep theirs.
    """

    mode: str
    joints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    compensated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    keys: Mapping[str, int] = field(default_factory=dict)
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True)
class WriteResult(Outcome):
    """What is written on joints, and what is not.

    Parameters
    ----------
    written : mapping of joint name to tuple of str
        Long names of the attributes that change.
    unchanged : tuple of str
        Joints that have everything already.
    skipped : tuple of Skipped
        What is left as it is, why, and what to do.
    matched : mapping of str to str
        Joints of the limit set that have another name in the scene, with that name.
    without_limits : tuple of str
        Chosen joints for which the limit set has no limits.
    frames : ReorientResult, optional
        Where joints are re-oriented.
    clips : tuple of Clipped
        What the limits clip that are switched on all the same, worst first.
    why_without : mapping of str to str
        Why the limit set has none for those joints.
    """

    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    matched: Mapping[str, str] = field(default_factory=dict)
    without_limits: tuple[str, ...] = ()
    frames: ReorientResult | None = None
    clips: tuple[Clipped, ...] = ()
    why_without: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left alone, and nothing is clipped."""
        return not (self.skipped or self.clips)


@dataclass(frozen=True)
class ClearResult(Outcome):
    """What is put back.

    Parameters
    ----------
    restored : mapping of joint name to tuple of str
        Long names of the attributes that get their old values or locks back.
    untouched : tuple of str
        Joints that we never wrote anything on.
    changed_since : mapping of joint name to tuple of str
        Attributes that somebody else changed after us; they get their old values all the same.
    frames_kept : tuple of str
        Joints that were re-oriented and keep their new frames; `skipped` says why.
    frames_restored : tuple of str
        Joints that have the frames and keys again that they had before.
    """

    restored: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    untouched: tuple[str, ...] = ()
    changed_since: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    frames_kept: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    frames_restored: tuple[str, ...] = ()


@dataclass(frozen=True)
class SwitchResult(Outcome):
    """Limits that are switched on or off.

    Parameters
    ----------
    switched : mapping of joint name to tuple of str
        Long names of the enables that change.
    unchanged : tuple of str
        Joints on which there is nothing to switch.
    clips : tuple of Clipped
        What limits clip that go on again, worst first.
    """

    on: bool
    switched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    clips: tuple[Clipped, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left alone, and nothing is clipped."""
        return not (self.skipped or self.clips)


def _plain(result: Any) -> dict[str, Any]:
    return {key: _listed(value) for key, value in asdict(result).items()}


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(one) for key, one in value.items()}
    return [_listed(one) for one in value] if isinstance(value, (list, tuple)) else value
