"""Warnings for doubtful joints, passed with the motion to the limits and their readers.

Doubts that a fit already reports, a slip or a joint that does not move, are not repeated.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..findings import Finding
from .body_fit import BodyFit
from .doubts import joint_doubts

RULE = "doubtful-joint"


def doubt_findings(fits: Sequence[BodyFit]) -> tuple[Finding, ...]:
    """One warning for each doubtful joint of the tree.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, of one skeleton.

    Returns
    -------
    tuple of Finding
        Without a clip, as a joint is the same in all. `joint` is the child body.
    """
    names = fits[0].names
    reported = {(item.rule, item.joint) for fit in fits for item in fit.findings}
    found = []
    for joint in fits[0].joints:
        child, parent = names[joint.child], names[joint.parent]
        known = {("no motion", child)} if ("no-relative-motion", child) in reported else set()
        known |= {("slip", child)} if ("slip", child) in reported else set()
        doubts = [item for item in joint_doubts(fits, joint) if (item.kind, child) not in known]
        if doubts:
            words = "; ".join(doubt.words for doubt in doubts)
            text = f"the joint of {child} and {parent} is in doubt: {words}"
            found.append(Finding(RULE, text, child))
    return tuple(found)
