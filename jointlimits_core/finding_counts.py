"""Finding counts per rule, and the rules reported on a character's one-line summary.

The line lists only findings that need action: frames, references, joints or values that were lost,
excluded or not read as Maya has them. Properties of the motion or the rig are reported with the
character itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .wording import plural, printable

if TYPE_CHECKING:
    # For annotations only: counting need not load the estimator.
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
"""Rules about properties of the motion or the rig, mostly per joint."""

EXPECTED = (
    "frame-rate-assumed",
    "kept-poses",
    "prior-widened",
    "script-node",
    "translation-ignored",
    "unresolved-placement",
)
"""Rules that apply to nearly every file of a kind, follow from the options, or affect no limit."""

QUIET = frozenset((*OF_THE_MOTION, *EXPECTED))
"""Rules that are counted but not listed. All others are listed, so a new one is not overlooked."""

MOST_RULES = 5
"""Most rules named on a line."""


def counted(findings: Iterable[Finding]) -> dict[str, int]:
    """Number of findings per rule, sorted by rule."""
    return dict(sorted(Counter(finding.rule for finding in findings).items()))


def told(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts of the listed rules."""
    return {rule: count for rule, count in counts.items() if rule not in QUIET}


def told_words(counts: Mapping[str, int]) -> str:
    """Findings of a character on a line: "4 findings: frame-count, spike (3)".

    Parameters
    ----------
    counts : mapping of rule to int
        Of all rules.

    Returns
    -------
    str
        Empty if no listed rule has findings.
    """
    shown = told(counts)
    if not shown:
        return ""
    names = [printable(rule) + (f" ({n})" if n > 1 else "") for rule, n in shown.items()]
    more = f" and {plural(len(names) - MOST_RULES, 'more rule')}" if len(names) > MOST_RULES else ""
    return f"{plural(sum(shown.values()), 'finding')}: {', '.join(names[:MOST_RULES])}{more}"
