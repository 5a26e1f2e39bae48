"""Inverse kinematics and look-at within limits."""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .constraints import (
        PROBE,
        FixedJoint,
        FreeJoint,
        HingeJoint,
        JointConstraint,
        ShapeLimit,
        UniversalJoint,
        without,
    )
    from .from_limits import FORMS, constraints_of
    from .jacobian import Effector, Figure, damped_step, figure_of
    from .look_at import LookAt, facing, gaze_chain
    from .reconstruction import Reconstruction, body_figure, reconstructed, tip_of, turning_joints
    from .rotate_box import RotateBox, grouped, rotate_box_of
    from .solver import METHODS, Constraints, IkOptions, solve

__getattr__, __dir__ = exports(__name__)
