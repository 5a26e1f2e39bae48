"""Estimation of joint types and limits from motion."""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .as_printed import (
        ANGLES,
        GIMBAL_THRESHOLD,
        covariance_eigenvalues,
        interval_as_printed,
        is_feasible_as_printed,
        zyz_as_printed,
    )
    from .bounds import LEAST, channel_box, sides_apart, trust_in_bounds
    from .clip_summary import EVEN, HELD, STOPS, Reach, both_reaches, joined, support_frames
    from .coupled import (
        LEAST_GAIN,
        RULE,
        SHAPE_OPTIONS,
        dependency_gain,
        hull_area,
        with_coupled_limits,
        with_dependencies,
        with_requested_shapes,
    )
    from .hinges import (
        KEPT_OF_HINGE_PARTS,
        child_axes,
        hinge_angles,
        hinge_circles,
        off_hinge_angles,
        parent_axes,
    )
    from .joint_type import (
        ABOVE_MEDIAN,
        CHANCE,
        FREE_DEG,
        HINGE,
        INSISTS,
        NOT_FITTED,
        TYPES,
        UNIVERSAL,
        Evidence,
        TypeDecision,
        combine_partners,
        decide_types,
        settling_motion,
        tolerated_deg,
    )
    from .moment import (
        ENOUGH_JOINTS,
        MOST_NOISE,
        Moment,
        Noise,
        averaged,
        cross_talk_of,
        hinge_coordinates,
        hinge_terms,
        is_exact,
        mean_square,
        moment_from_rotations,
        noise_floor,
        noise_model,
        split,
        unexplained,
        without_cross_talk,
    )
    from .options import (
        CLIP_RULE,
        FRAMES_RULE,
        GENEROUS_DEG,
        MOST_SAMPLES,
        EstimateKeywords,
        EstimateOptions,
        excluded_clip,
        excluded_frames,
        without_frames,
    )
    from .orient_advice import OPTIMISED_MARGIN, PAD, advise, advise_joints, best_order, order_boxes
    from .orient_search import (
        euler_box,
        haar_share,
        off_hinge,
        off_universal,
        representatives,
        smallest_arc,
        smallest_box_orientation,
    )
    from .pipeline import (
        estimate,
        estimate_from_summary,
        estimate_pooled,
        reject_still_estimate,
        rest_of_frame,
        summarize,
    )
    from .rest_pose import checked_poses
    from .summary import SUMMARY_ENDING, CharacterSummary, merged, samples_of
    from .summary_file import read_summary, write_summary

__getattr__, __dir__ = exports(__name__)
