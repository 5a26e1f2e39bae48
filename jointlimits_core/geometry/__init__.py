"""Rotations, angles on a circle, axes and joint frames; numpy arrays in and out."""

from .arrays import AnyArray, ArrayLike, Booleans, Floats, Integers
from .axes import UniversalFit, fit_universal
from .circle import (
    Interval,
    contiguous_interval,
    euler_in_box,
    into_box,
    into_interval,
    middle_of_box,
    outside_box,
    spanned_interval,
)
from .euler import (
    CHANNELS,
    JUMP,
    ROTATE_ORDERS,
    TURN,
    axes_of,
    continuous_rotates,
    euler_from_quaternion,
    euler_near,
    gimbal_margin,
    local_from_rotate,
    nearest_euler,
    other_euler,
    quaternion_from_euler,
    quaternion_from_zyz,
    rotate_from_local,
    turn_from_local,
    wrapped,
    zyz_from_quaternion,
)
from .quaternion import (
    IDENTITY,
    angle_between,
    conjugate,
    cube_points,
    matrix_from_quaternion,
    multiply,
    normalized,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
    quaternion_from_matrix,
    quaternion_from_rotation_vector,
    rotated,
    rotation_vector_from_quaternion,
    sign_coherent,
    slerp,
    sphere_points,
    swing_twist_from_quaternion,
)
