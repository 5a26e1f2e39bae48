"""Advice on the motion that would settle a joint's type."""

from __future__ import annotations

import numpy as np

RANGE_OF_RMS = 2.0 * np.sqrt(2.0)
"""Range of a back-and-forth swing per degree of its root mean square."""
PLAINLY = 1.25
"""Factor over the tolerance that counts as obvious."""

_SENTENCES = {
    ("fixed", "hinge"): "turn it by more than {range} degrees; less is taken for standing still",
    ("hinge", "fixed"): "bend it further than {range} degrees; so far it hardly moves",
    ("universal", "fixed"): "turn it further than {range} degrees; so far it hardly moves",
    ("ball", "fixed"): "turn it further than {range} degrees; so far it hardly moves",
    ("hinge", "universal"): "turn it further than {range} degrees about a second axis, if it can",
    ("universal", "hinge"): "turn it further than {range} degrees about its second axis",
    ("ball", "hinge"): "turn it further than {range} degrees about a second axis",
    ("universal", "ball"): "turn it further than {range} degrees about a third axis, if it can",
    ("ball", "universal"): "turn it further than {range} degrees about its third axis",
}
_ON_ITS_OWN = {
    "hinge": "turn it about a second axis without bending it; so far both only move in step",
    "universal": "turn it about a third axis on its own; so far that only moves in step",
}


def what_would_settle(kind: str, runner_up: str, allowed: float, in_step: str = "") -> str:
    """Motion to record.

    Parameters
    ----------
    kind, runner_up : str
        Chosen type and the next best.
    allowed : float
        Tolerated residual between the two, root mean square degrees.
    in_step : str
        "hinge" or "universal" where the decision on that type depends on motion in step with the
        joint's angles.

    Returns
    -------
    str
        A request, without a full stop.
    """
    if in_step:
        return _ON_ITS_OWN[in_step]
    enough = int(np.ceil(PLAINLY * RANGE_OF_RMS * allowed))
    return _SENTENCES[kind, runner_up].format(range=enough)
