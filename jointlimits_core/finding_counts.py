"""How many findings of each rule a character has, and which of them are told of it as a whole.

A line for each of ten thousand characters has room for what somebody has to do something about:
frames, references, joints or values that were lost, left out or not read as they stand in Maya.
What the motion or the rig is like stays where somebody looks at the character itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .wording import plural, printable

if TYPE_CHECKING:
    # For annotations only: who counts need not load what estimates.
    from .findings import Finding

OF_THE_MOTION = (
    "asymmetry",
    "frozen-start",
    "gimbal",
    "mirror-doubtful",
    "never-moves",
    "outlier",
    "part-of-a-character",
    "prior-beyond",
    "prior-far-inside",
    "rest-off-hinge",
    "unlimited",
)
"""Rules that say what the motion or the rig is like, mostly joint by joint."""

EXPECTED = (
    "frame-rate-assumed",
    "kept-poses",
    "prior-widened",
    "script-node",
    "translation-ignored",
    "unresolved-placement",
)
"""Rules that nearly every file of a kind has, that follow from what was asked for, or that no limit
depends on."""

QUIET = frozenset((*OF_THE_MOTION, *EXPECTED))
"""Rules that are counted and not told. All others are told: a new one is not overlooked."""

MOST_RULES = 5
"""Rules that a line names."""


def counted(findings: Iterable[Finding]) -> dict[str, int]:
    """How many findings there are of each rule, by the names of the rules."""
    return dict(sorted(Counter(finding.rule for finding in findings).items()))


def told(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts of those rules that are told."""
    return {rule: count for rule, count in counts.items() if rule not in QUIET}


def told_words(counts: Mapping[str, int]) -> str:
    """Findings of a character on a line: "4 findings: frame-count, spike (3)".

    Parameters
    ----------
    counts : mapping of rule to int
        Of all rules; only those that are told are named.

    Returns
    -------
    str
        Empty if there is nothing to tell.
    """
    loud = told(counts)
    if not loud:
        return ""
    names = [printable(rule) + (f" ({n})" if n > 1 else "") for rule, n in loud.items()]
    more = f" and {plural(len(names) - MOST_RULES, 'more rule')}" if len(names) > MOST_RULES else ""
    return f"{plural(sum(loud.values()), 'finding')}: {', '.join(names[:MOST_RULES])}{more}"
