"""Layout of figures, drawn by pages and by the window."""

from .box import box_shape, to_vectors_of
from .circle import bar_segments, counts_on_circle, gap_arc, point_at
from .samples import (
    JointSamples,
    mean_rotation,
    on_branch,
    relative_rotation_vectors,
    samples_of,
    shown_indices,
)
from .space import (
    SMALLEST_EDGE_DEG,
    box_edges,
    cube_around,
    hinge_angles_deg,
    hinge_line,
    rest_rotation,
    shape_lines,
    universal_lines,
)
from .swing import AXES, across, reach_outline, swing_and_twist
