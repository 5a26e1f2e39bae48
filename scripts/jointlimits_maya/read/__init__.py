"""Reading motion, rest pose and existing limits from the scene."""

from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

if TYPE_CHECKING:
    from .drivers import (
        NODE_TYPE,
        PARTS,
        QUATERNION_INTERPOLATIONS,
        Constant,
        CurveOverTime,
        Driver,
        Drivers,
        Evaluated,
        KeyList,
        Keys,
        Projection,
        Samples,
        UnclampedValues,
        axes_of,
        node_of,
        plug_at,
        projection_of,
        solved_joints,
        unit_of_curve,
    )
    from .limits import LimitSource, applied_limits, limit_set_from, limits_on_joints
    from .motion import RigChannels, current_pose_motion, motion_from_scene, scene_name
    from .options import (
        CHOICE,
        joint_choice_from_options,
        joints_from_options,
        names_given,
        rest_choice_from_options,
        time_choice_from_options,
        time_choice_of,
        values_of,
    )
    from .rest_pose import RestChoice, joint_places

__getattr__, __dir__ = exports(__name__)
