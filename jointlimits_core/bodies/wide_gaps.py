"""Rejection of skeletons in which every joint gap is too wide."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import EstimationError
from ..wording import millimetres
from .body_fit import BodyFit


def refuse_wide_gaps(fits: Sequence[BodyFit]) -> None:
    """Reject a skeleton none of whose joints fits its bodies.

    Single joints that fit badly are reported as doubts. If all do, there is nothing to compare
    with, and the tracks probably follow another convention than assumed.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, all of one skeleton.

    Raises
    ------
    EstimationError
        If every gap is above ``free_beyond_m``, with possible causes.
    """
    fit = fits[0]
    most = fit.options.free_beyond_m
    gaps = [joint.residual_m for joint in fit.joints]
    if not gaps or min(gaps) <= most:
        return
    names = ", ".join(repr(one.tracks.name) for one in fits)
    wide = " to ".join(dict.fromkeys(millimetres(gap, 0) for gap in (min(gaps), max(gaps))))
    raise EstimationError(
        f"no joint fits the bodies of {names}: all gaps are wider than {1000.0 * most:g} mm "
        f"({wide} mm). Check for left-handed axes, inverse rotations, another rotate order, "
        "quaternions not read as x, y, z, w, or markers of one body that move relative to each "
        "other. If gaps may be that "
        "wide, allow for them with the option free_beyond_mm"
    )
