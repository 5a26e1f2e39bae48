"""Skeletons from tracks of loose rigid bodies and markers."""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .build import (
        JointPlaces,
        joint_places,
        motions,
        pooled_motions,
        replay_distance_m,
        replayed,
    )
    from .clips import end_to_end, frames_of, markers_end_to_end, track_findings
    from .cluster_pose import limb_pose
    from .conventions import (
        UP_AXES,
        other_convention,
        points_with_y_up,
        up_axis,
        upright,
        with_y_up,
    )
    from .document import NO_LENGTH_M, Limb, document_of, limbs, write_body_fit
    from .doubts import (
        CLOSE_CALL,
        NEAR_IN_NOISE,
        RULE,
        UNCERTAIN_M,
        JointWarning,
        joint_ties,
        joint_warning_findings,
        joint_warnings,
        reject_no_motion,
        reject_wide_gaps,
        skin_note,
    )
    from .fit import fit_pooled, fit_skeleton
    from .joint_centres import PairTable, kinds, noise_tolerance, pair_table
    from .joints import clear_ratio
    from .marker_bodies import (
        WAYS,
        Grouping,
        MarkerSwap,
        bodies_from_clips,
        choose_groups,
        marker_swaps,
        without_swaps,
    )
    from .markers import (
        TOLERANCE_METERS,
        GroupPatterns,
        MarkerTracks,
        distance_spreads,
        groups_by_distance,
        groups_by_ending,
        groups_by_name,
        known_groups,
    )
    from .noise import deviations, orientation_noise, shrinkage, still_bodies
    from .outliers import inlier_frames, outlier_bodies, swapped_back
    from .pairs import pair_moments
    from .residuals import (
        gap_lengths,
        independent_frames,
        joint_ends,
        joint_gap,
        joint_gaps,
        root_mean_square,
    )
    from .result import (
        COMPARED,
        KINDS,
        BodyFit,
        BodyJoint,
        BodyOptions,
        body_names,
        body_options_of,
    )
    from .slip_steps import JointSides, distinct_jump, joints_with_gaps, slip_change
    from .slips import BodySlip, as_measured, find_slips, slips_removed
    from .spectral import (
        LEVER_SHARE,
        MEAN_SD,
        PRIOR_SHARE,
        all_lines,
        deciding_lines,
        evidence_weights,
        is_ambiguous,
        lines_last,
        mean_distances,
        mirror_partners,
        motion_lines,
        neighbour_distance,
        symmetrised,
    )
    from .tracks import BodyTracks, bodies_from_motion
    from .tree import (
        constrained_forest,
        descendants,
        figures_of,
        middle_body,
        neighbours,
        path_between,
        runner_up_parent,
        spanning_forest,
        without_ties,
    )

__getattr__, __dir__ = exports(__name__)
