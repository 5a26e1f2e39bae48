"""Evaluation of limits: violations, coverage, leak, and what to record next."""

from .coverage import (
    ClipCoverage,
    Coverage,
    JointLeak,
    coverage,
    leak,
    was_used,
)
from .cross_validation import (
    BoundStability,
    CrossValidation,
    Fold,
    cross_validated,
)
from .evaluation import Evaluation, evaluate
from .next_moves import Move, NextMoves, next_moves
from .rehearsal import Rehearsal, rehearsal
from .violations import BoundViolation, Violations, violations

__all__ = [
    "BoundStability",
    "BoundViolation",
    "ClipCoverage",
    "Coverage",
    "CrossValidation",
    "Evaluation",
    "Fold",
    "JointLeak",
    "Move",
    "NextMoves",
    "Rehearsal",
    "Violations",
    "coverage",
    "cross_validated",
    "evaluate",
    "leak",
    "next_moves",
    "rehearsal",
    "violations",
    "was_used",
]
