"""Doubts about joints as findings, so that they go with the motion to the limits and their reader.

What a fit has a finding of already, a slip or a joint that does not move, is not said again.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..findings import Finding
from .body_fit import BodyFit
from .doubts import joint_doubts

RULE = "doubtful-joint"


def doubt_findings(fits: Sequence[BodyFit]) -> tuple[Finding, ...]:
    """One finding for each joint of the tree that is in doubt.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, of one skeleton.

    Returns
    -------
    tuple of Finding
        Of no clip: a joint is the same in all of them. `joint` is the body that hangs on it.
    """
    names = fits[0].names
    told = {(item.rule, item.joint) for fit in fits for item in fit.findings}
    found = []
    for joint in fits[0].joints:
        child, parent = names[joint.child], names[joint.parent]
        said = {("no motion", child)} if ("no-relative-motion", child) in told else set()
        said |= {("slip", child)} if ("slip", child) in told else set()
        doubts = [item for item in joint_doubts(fits, joint) if (item.kind, child) not in said]
        if doubts:
            words = "; ".join(doubt.words for doubt in doubts)
            text = f"the joint of {child} and {parent} is in doubt: {words}"
            found.append(Finding(RULE, text, child))
    return tuple(found)
