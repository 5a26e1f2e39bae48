"""Skeletons that are none: every joint is further from itself than a joint may be."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import EstimationError
from ..wording import millimetres
from .body_fit import BodyFit


def refuse_wide_gaps(fits: Sequence[BodyFit]) -> None:
    """Refuse a skeleton none of whose joints fits its bodies.

    Joints that fit badly beside others are told as doubts. Where all do, nothing is there to
    compare with, and the tracks are likely to mean something else than was taken.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, all of one skeleton.

    Raises
    ------
    EstimationError
        If every gap is above ``free_beyond_m``; it says what may be the matter.
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
        f"({wide} mm). Are axes left-handed, rotations inverse, of another rotate order or made "
        "of quaternions whose numbers were not taken as x, y, z, w, or do markers of one body move "
        "against each other? If gaps may be that "
        "wide, allow for them with the option free_beyond_mm"
    )
