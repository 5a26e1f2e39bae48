"""One rotation at a time in plain Python, for the rig's node, which runs without numpy."""

from .regions import ScalarPolytope, bounds_of, box_nearest, scalar_nearest
from .rotation import (
    Four,
    Three,
    across,
    angle_between,
    euler_near,
    inverse,
    product,
    quaternion_of,
    scalar_chart,
)
