"""Results of projecting joints and keys, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from jointlimits_core.applying.joint_plan import Skipped

from .results import Outcome


@dataclass(frozen=True)
class ProjectResult(Outcome):
    """Joints that are kept inside their shapes.

    Parameters
    ----------
    form : str
        Type of the node, or "plain nodes".
    unchanged : tuple of str
        Joints that already had exactly this projection.
    """

    form: str
    projected: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True)
class StopResult(Outcome):
    """Joints that are driven as before.

    Parameters
    ----------
    untouched : tuple of str
        Joints that were not projected.
    """

    stopped: tuple[str, ...] = ()
    untouched: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True)
class MovedKeys:
    """Keys of one joint that were moved inside its shape.

    Parameters
    ----------
    frames : tuple of float
        Frames of moved keys.
    moved_deg : tuple of float
        Angle between old and new rotation at each of them.
    added : int
        Keys added to channels at these frames because only other channels had one.
    outside_between : int
        Frames between keys at which the curves are still outside the shape.
    between_deg : float
        Worst distance there, degrees.
    """

    joint: str
    frames: tuple[float, ...]
    moved_deg: tuple[float, ...]
    added: int = 0
    outside_between: int = 0
    between_deg: float = 0.0


@dataclass(frozen=True)
class ProjectKeysResult(Outcome):
    """Keys that were moved inside shapes.

    Parameters
    ----------
    unchanged : tuple of str
        Joints whose keys were all inside.
    """

    moved: tuple[MovedKeys, ...] = ()
    unchanged: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing was skipped and no curve leaves a shape between keys."""
        return not self.skipped and not any(one.outside_between for one in self.moved)
