"""Motions held against limits: violations, projection, and a preview of clamping."""

from .alignment import BRANCHES, aligned, nearest_on_circle, outside_by
from .check_result import CheckedClip, CheckResult
from .clamping_preview import CLAMPED_DEG, ClampingPreview, clamping_preview, clamping_preview_of
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
