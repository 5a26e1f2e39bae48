"""What motion would settle a joint's type, in a sentence."""

from __future__ import annotations

import numpy as np

RANGE_OF_RMS = 2.0 * np.sqrt(2.0)
"""Range of a swing to and fro, for each degree of its root mean square."""
PLAINLY = 1.25
"""So much more than the tolerance is plain."""

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
    """Say what to record.

    Parameters
    ----------
    kind, runner_up : str
        The type that was taken and the next best.
    allowed : float
        Tolerated residual of the test between them, root mean square degrees.
    in_step : str
        "hinge" or "universal" where the verdict on that type hangs on motion that only follows
        the joint's angles.

    Returns
    -------
    str
        A request, without a full stop.
    """
    if in_step:
        return _ON_ITS_OWN[in_step]
    enough = int(np.ceil(PLAINLY * RANGE_OF_RMS * allowed))
    return _SENTENCES[kind, runner_up].format(range=enough)
