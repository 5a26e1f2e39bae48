"""Options of a skeleton fit to loose bodies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..option_table import declared, option

MINIMUM_FRAMES = 6
"""Each frame gives three equations for the six coordinates of a joint; noise needs some more."""


@dataclass(frozen=True)
class BodyOptions:
    """Options of a fit.

    Parameters
    ----------
    root : str, optional
        Root body of the figure; chosen by rule if not given.
    parents : mapping of body to parent or None, optional
        A hierarchy known beforehand, for all bodies or some; None makes a body a root.
    free_beyond_m : float
        A gap above which two bodies are not joined, metres rms (more if all gaps are large), ...
    free_share : float
        ... if it also exceeds this share of the relative motion of the bodies.
    loop_share : float
        A pair outside the tree is a loop joint if its residual is at most this many times the
        largest residual on the path between the two in the tree.
    axis_tolerance_deg : float, optional
        Wobble up to which a joint counts as turning about one axis only, degrees rms. By default
        from the joint's own gaps and the noise of orientations: at least 0.08, at most 3.
    minimum_frames : int
        Frames in which two bodies must have been seen together.
    robust : bool
        Whether outlier frames are excluded, and swapped tracks swapped back.
    motion_lines : bool
        Whether a tree that the residuals leave open is chosen, and its joints are placed, by
        the lines of the motion's spectrum; see :mod:`.open_trees`.

    Raises
    ------
    ValueError
        For numbers outside their range.
    """

    root: str | None = None
    parents: Mapping[str, str | None] = field(default_factory=dict)
    free_beyond_m: float = 0.001 * option("free_beyond_mm").default
    free_share: float = 0.2
    loop_share: float = 1.25
    axis_tolerance_deg: float | None = declared("axis_tolerance_deg")
    minimum_frames: int = MINIMUM_FRAMES
    robust: bool = True
    find_slips: bool = True
    motion_lines: bool = True

    def __post_init__(self) -> None:
        if not self.free_beyond_m > 0.0:
            raise ValueError(f"free_beyond_m must be positive, not {self.free_beyond_m}")
        if not 0.0 < self.free_share <= 1.0:
            raise ValueError(f"free_share must be above 0, at most 1, not {self.free_share}")
        if not self.loop_share >= 0.0:
            raise ValueError(f"loop_share must not be negative, not {self.loop_share}")
        tolerance = self.axis_tolerance_deg
        if tolerance is not None and not 0.0 <= tolerance <= 90.0:
            raise ValueError(f"axis_tolerance_deg must be from 0 to 90, not {tolerance}")
        if self.minimum_frames < 3:
            raise ValueError(f"minimum_frames must be at least 3, not {self.minimum_frames}")


def body_options_of(values: Mapping[str, Any]) -> BodyOptions:
    """Options of a fit from the option table's group "bodies".

    Parameters
    ----------
    values : mapping
        Values by name of every option of the group; others are ignored.

    Raises
    ------
    ValueError
        For parents that are not written as child=parent, or a body with two of them.
    """
    return BodyOptions(
        root=values["body_root"] or None,
        parents=_parents(values["body_parents"]),
        free_beyond_m=0.001 * values["free_beyond_mm"],
        axis_tolerance_deg=values["axis_tolerance_deg"],
        robust=values["robust"],
        find_slips=values["find_slips"],
    )


def _parents(words: Iterable[str]) -> dict[str, str | None]:
    parents: dict[str, str | None] = {}
    for word in words:
        child, sign, parent = (part.strip() for part in word.partition("="))
        if not (child and sign):
            raise ValueError(f"body_parents must be child=parent, or root=, not {word!r}")
        if child in parents:
            raise ValueError(f"body_parents must name one parent of {child}, not two")
        parents[child] = parent or None
    return parents
