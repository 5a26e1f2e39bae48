"""Rejection of skeletons whose bodies do not move relative to each other."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import EstimationError
from .body_fit import BodyFit


def refuse_no_motion(fits: Sequence[BodyFit]) -> None:
    """Reject a skeleton none of whose joints turns: their places would be made up.

    Joints that are still while others turn are reported as findings. Without joints there is
    nothing to reject.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, all of one skeleton.

    Raises
    ------
    EstimationError
        With advice on what to do.
    """
    joints = fits[0].joints
    if joints and all(joint.kind == "rigid" for joint in joints):
        names = ", ".join(repr(fit.tracks.name) for fit in fits)
        raise EstimationError(
            f"no body of {names} moves against another, so that no joint can be found; give a clip "
            "in which the joints bend, or tracks of bodies that move by themselves"
        )
