"""Limit sets: records, document, layers, merge, comparison, priors."""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .diff import CHANGE_KINDS, Change, LimitDiff, diff_text
    from .document import MAX_ANGLE_DEG, angle_range_problems, limit_set_schema
    from .layers import (
        active_dependencies,
        active_shapes,
        decided,
        edited_joints,
        inactive_reason,
        inactive_shapes,
        locks,
        passed_limit,
        reset,
        with_edits,
        without_edits,
    )
    from .limit_set import (
        AxisLimit,
        AxisSource,
        BoundSource,
        ClipRecord,
        Evidence,
        Frame,
        Hinge,
        HingeCandidate,
        JointLimit,
        LimitSet,
        RestPose,
        Universal,
        preferred,
        read_limit_set,
        without_rounding_error,
        write_limit_set,
    )
    from .merge import MERGE_METHODS
    from .prior_layer import compared_with_prior, flexion_sign, with_prior
    from .priors import FILE, PARTS, body_parts, matched_prior, prior_ranges
    from .ranges import (
        LOCKED_DEG,
        TOLERANCE_DEG,
        TURN_DEG,
        ends_of,
        intersection_of,
        is_unexplained,
        mirrored,
        on_branch_of,
        orientation_of,
        same_orientation,
        shifted,
        span_of,
        turns_between,
        union_of,
        unmoved_joints,
        with_limits,
    )
    from .records import (
        BOUNDS,
        JOINT_TYPES,
        MODES,
        ROUNDED,
        STATES,
        ArtistEdit,
        ChannelSymmetry,
        Corner,
        Dependency,
        PairSymmetry,
        SymmetryRecord,
        Triple,
        combined,
    )
    from .review_entries import (
        APPLIED,
        MOST_ENTRIES,
        Action,
        Review,
        ReviewEntry,
        furthest_frame,
        review,
        without_listed,
    )
    from .symmetry import REPORT_DEG, compared, mirrored_limit, symmetrized
    from .vocabulary import (
        GRADE_MEANINGS,
        GRADE_NAMES,
        GRADES,
        LAYERS,
        MINUS,
        ON_CHANNEL_DEG,
        TURNS,
        TYPE_MEANINGS,
        TYPE_NAMES,
        Band,
        band_of,
        band_stretches,
        band_words,
        certainty,
        degrees,
        grade_marks,
        is_graded,
        mark_name,
        range_digits,
        range_text,
        range_words,
        ranges_text,
        reach_words,
        single_limit,
        type_words,
        widest_deg,
    )

__getattr__, __dir__ = exports(__name__)
