"""Skeletons of which nothing is known: of bodies that do not move against each other."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import EstimationError
from .body_fit import BodyFit


def refuse_no_motion(fits: Sequence[BodyFit]) -> None:
    """Refuse a skeleton none of whose joints turns: where they are would be made up.

    Joints that are still while others turn are told as findings. Where nothing is joined there is
    nothing to refuse.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, all of one skeleton.

    Raises
    ------
    EstimationError
        It says what to do.
    """
    joints = fits[0].joints
    if joints and all(joint.kind == "rigid" for joint in joints):
        names = ", ".join(repr(fit.tracks.name) for fit in fits)
        raise EstimationError(
            f"no body of {names} moves against another, so that no joint can be found; give a clip "
            "in which the joints bend, or tracks of bodies that move by themselves"
        )
