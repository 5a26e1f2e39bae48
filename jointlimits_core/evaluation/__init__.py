"""Evaluation of limits: violations, coverage, leak, and what to record next."""

from .alignment import BRANCHES, aligned, nearest_on_circle, outside_by
from .clamping_preview import CLAMPED_DEG, ClampingPreview, clamping_preview, clamping_preview_of
from .coverage import (
    RADIUS_DEG,
    RUN,
    Coverage,
    JointLeak,
    coverage,
    is_near,
    is_source_clip,
    leak,
    points_in_box,
    quasi_random,
)
from .cross_validation import CrossValidation, cross_validated, options_of
from .evaluation import CheckedClip, CheckResult, Evaluation, evaluate
from .next_moves import NextMoves, next_moves, support_of
from .projection import Moved, projected
from .violations import (
    TOLERANCE_DEG,
    LimitViolation,
    Violations,
    violations,
    violations_of,
    with_dependency_violations,
    with_shape_violations,
)
