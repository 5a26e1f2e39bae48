"""Joints of a Maya rig: attributes, curves, drivers, poses, and plans of changes.

Shared by the readers and writers of scene files and the open scene.
"""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .attributes import (
        ANGLE,
        CURVE,
        LENGTH,
        WANTED,
        attribute_parts,
        family_of,
        sensible,
        split_plug,
    )
    from .clamping import (
        CLAMPED_DEG,
        KEEP_POSES,
        Bounds,
        Clamped,
        HeldRotates,
        clamping_words,
        entries_of,
        frames_changed,
        keep_poses,
        move_poses,
        on_branch_of_keys,
        question,
        reaching_between_frames,
        still_clamped,
        worst_first,
    )
    from .curves import (
        CLAMP_TOLERANCE,
        TIME_CURVES,
        AnimCurve,
        Infinity,
        Tangents,
        TangentType,
        curve_from_node,
        is_interpolated_as_quaternions,
        key_elements,
        with_thirds,
    )
    from .drivers import (
        Constant,
        Drivers,
        Evaluator,
        FrameEvaluator,
        Keyed,
        Signal,
        TimeCurve,
        UnresolvedDriverError,
        curves_of,
        inverse_kinematics_joints,
        is_keyed,
    )
    from .filter_keys import filtering_that_helps, plan_key_filter
    from .filter_targets import Sampler, plan_joint_filter, sampler_of
    from .filtered_keys import (
        ChangedFrames,
        Channel,
        FilteredCurve,
        FilteredJoint,
        JointKeys,
        KeyChanges,
        KeyFilterPlan,
        KeyFilterReport,
    )
    from .key_frames import (
        MAX_KEY_OFFSET_FRAMES,
        FrameNumbers,
        at_own_keys,
        frames_from_keys,
        frames_of_keys,
        own_frames,
    )
    from .limit_plan import (
        AXES,
        JOINT_TYPE,
        LIMIT,
        MAXIMUM,
        MAXIMUM_ON,
        MINIMUM,
        MINIMUM_ON,
        SAME_DEG,
        TRIPLES,
        JointChange,
        JointPlan,
        PlugStates,
        Skipped,
        Triple,
        advice_to_follow,
        branch_of,
        changes_from_limit_set,
        drop_from_plan,
        planned,
        skipped_attribute,
    )
    from .matrices import (
        MOVING_COMPOUNDS,
        STILL_COMPOUNDS,
        declaration_from,
        inverse_scale,
        joint_matrix,
        linear,
        moved,
        optional_matrix,
        rotate_order_name,
        scaled,
        stored_matrix,
        transform_matrix,
    )
    from .reorient_checks import Checks, Obstacle, Output
    from .reorient_keys import Channels, NewKeys, direct_curve
    from .reorient_plan import (
        Change,
        FramePlan,
        FramePlanner,
        MatrixChange,
        OrderChange,
        TripleChange,
        is_turned,
    )
    from .rest_pose import (
        NO_RECORDS,
        BindRecords,
        DagPose,
        JointPlace,
        PoseRecord,
        RestPose,
        RigJoint,
        Xform,
        best_records,
        bind_records,
        inverted,
        joint_places,
        rotate_order,
    )
    from .sampled_rig import JointSamples, SampledRig, few, product_of, with_peaks
    from .scene import (
        FRAMES_PER_SECOND,
        RADIANS,
        Node,
        Plug,
        Reference,
        Scene,
        Units,
        frames_per_second,
        playback_range,
    )
    from .turned_besides import (
        MIN_TURN_DEG,
        ORIENTATION_COMPOUNDS,
        SWITCHES,
        MovingOrientation,
        bad_order_finding,
        in_first_orientation,
        is_rotate_order,
        order_finding,
        orientation_finding,
        source_words,
        time_warp_finding,
        turned_deg,
        turned_finding,
    )

__getattr__, __dir__ = exports(__name__)
