"""Results of writing, clearing and switching limits, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from jointlimits_core.applying.joint_plan import Skipped

NOT_CHOSEN = "joint not selected"
"""Reason to skip limits whose joint is not among the selected ones."""


class Outcome:
    """Base of the results of all actions; each is a dataclass."""

    skipped: tuple[Skipped, ...]
    """What was skipped, why, and what to do."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing was skipped."""
        return not self.skipped

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return _plain(self)


@dataclass(frozen=True)
class Clipped:
    """A channel whose animation exceeds its limits, so that Maya would clamp it.

    Parameters
    ----------
    frames : int
        Frames of the animation; 0 if only the current pose is clamped.
    worst_deg : float
        Degrees beyond the limit.
    worst_frame : float
    flips : int
        Frames whose pose is inside the limits but keyed on another Euler branch.
    """

    joint: str
    channel: str
    frames: int
    worst_deg: float
    worst_frame: float
    flips: int = 0


@dataclass(frozen=True)
class ReorientResult(Outcome):
    """Re-oriented joints.

    Parameters
    ----------
    mode : str
        "R" or "C".
    joints : mapping of joint name to tuple of str
        Long names of the attributes that change on the joints.
    compensated : mapping of node name to tuple of str
        The same for nodes below them that are counter-rotated (mode C).
    keys : mapping of joint name to int
        Keys on each of the joint's new rotation curves.
    unchanged : tuple of str
        Joints that already have the advised orientation, or are advised to keep theirs.
    """

    mode: str
    joints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    compensated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    keys: Mapping[str, int] = field(default_factory=dict)
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True)
class WriteResult(Outcome):
    """Result of writing limits on joints.

    Parameters
    ----------
    written : mapping of joint name to tuple of str
        Long names of the attributes that change.
    unchanged : tuple of str
        Joints that are already up to date.
    skipped : tuple of Skipped
        What is skipped, why, and what to do.
    matched : mapping of str to str
        Name in the scene of joints that the limit set calls something else.
    without_limits : tuple of str
        Selected joints for which the limit set has no limits.
    frames : ReorientResult, optional
        If joints are re-oriented.
    clips : tuple of Clipped
        Animation clamped by limits that are switched on anyway, worst first.
    why_without : mapping of str to str
        Why the limit set has no limits for those joints.
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
        """Whether nothing was skipped and nothing is clamped."""
        return not (self.skipped or self.clips)


@dataclass(frozen=True)
class ClearResult(Outcome):
    """Result of clearing limits.

    Parameters
    ----------
    restored : mapping of joint name to tuple of str
        Long names of the attributes that get their old values or locks back.
    untouched : tuple of str
        Joints that were never written.
    changed_since : mapping of joint name to tuple of str
        Attributes changed by hand since; they get their old values all the same.
    frames_kept : tuple of str
        Re-oriented joints that keep their new orientation; `skipped` says why.
    frames_restored : tuple of str
        Joints that get their old orientation and keys back.
    """

    restored: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    untouched: tuple[str, ...] = ()
    changed_since: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    frames_kept: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    frames_restored: tuple[str, ...] = ()


@dataclass(frozen=True)
class SwitchResult(Outcome):
    """Result of switching limits on or off.

    Parameters
    ----------
    switched : mapping of joint name to tuple of str
        Long names of the enables that change.
    unchanged : tuple of str
        Joints with nothing to switch.
    clips : tuple of Clipped
        Animation clamped by limits that are switched on again, worst first.
    """

    on: bool
    switched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    clips: tuple[Clipped, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing was skipped and nothing is clamped."""
        return not (self.skipped or self.clips)


def _plain(result: Any) -> dict[str, Any]:
    return {key: _listed(value) for key, value in asdict(result).items()}


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(one) for key, one in value.items()}
    return [_listed(one) for one in value] if isinstance(value, (list, tuple)) else value
