"""Motion and its skeleton: screening, pairing, mirroring, reorienting."""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .array_blocks import blocks
    from .joint_names import (
        HEAD,
        SideReading,
        body_ends,
        joint_paths,
        node_name,
        side_readings,
        words_of,
    )
    from .mirror import (
        ALONE,
        SIGNS,
        ChannelMirror,
        JointPair,
        MirrorFrames,
        MirrorPlane,
        is_mirrored,
        mirror_frames,
        mirror_plane,
        mirror_signs,
        pair_joints,
        partners,
        signs_from_ranges,
    )
    from .motion import (
        STILL,
        Motion,
        in_centimetres,
        named_as,
        plain_motion,
        resampled,
        scaled_translations,
    )
    from .name_matching import (
        PREFIX_RULE,
        matched_joints,
        possible_joints,
        prefix_message,
        prefixes_apart,
        same_but_for_prefix,
        without_prefix,
    )
    from .reorient import (
        JointOrientation,
        OrientAdvice,
        Triple,
        advised_orientation,
        continuous_angles,
        degrees_of,
        hinge_orientation,
        hinge_rest,
        nearest_branch,
        reoriented_motion,
        reoriented_rotates,
        reoriented_skeleton,
        universal_orientation,
    )
    from .roots import root_joints, traveling_joints, with_roots
    from .screening import (
        LARGEST_STEP,
        LEFT_OUT_BY_DEFAULT,
        MINIMUM_SAMPLES,
        RULES,
        Screened,
        screen,
    )
    from .skeleton import Declaration, Skeleton, twist_axes, world_matrices_from_local

__getattr__, __dir__ = exports(__name__)
