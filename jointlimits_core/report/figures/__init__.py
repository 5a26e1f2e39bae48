"""Layout of figures, drawn by pages and by the window."""

from .character import (
    FREE,
    INSIDE,
    LOOK,
    MOST_FRAMES,
    NEAR,
    NEAR_DEG,
    OUTSIDE,
    PINNED,
    STATE_NAMES,
    TRAIL_HZ,
    TRAIL_POINTS,
    Character,
    Pose,
    character_of,
    decimated,
    is_near,
    joint_states,
    look_joints,
    near_joints,
    pinned_joints,
)
from .circle import (
    BIN_DEG,
    END_MARK,
    LABELS,
    QUARTERS,
    RING,
    SPIKE_LENGTH,
    SPIKE_START,
    RadialLine,
    bar_segments,
    counts_on_circle,
    dial_arcs,
    dial_ticks,
    gap_arc,
    limit_angles,
    point_at,
    spikes,
)
from .glyphs import GLYPHS, LINE_WIDTH, SIDE, UNKNOWN, Arc, Line
from .playback import LARGEST_ERROR_DEG, Playback, Streams, excluded_runs, mean_of_used, playback
from .range_shapes import (
    ARC,
    SWING,
    RangeShape,
    arc_directions,
    bone_direction,
    channel_arcs,
    range_shape,
    range_shapes,
)
from .samples import (
    JointSamples,
    mean_rotation,
    on_branch,
    relative_rotation_vectors,
    rotates_of,
    samples_of,
)
from .space import (
    angle_step_for,
    axis_lines,
    box_edges,
    box_shape,
    cube_around,
    hinge_angles_deg,
    hinge_line,
    local_rotations,
    rest_rotation,
    shape_surface,
    step_for,
    ticks_within,
    to_vectors_of,
    universal_lines,
)
from .swing import AXES, across, reach_outline, swing_and_twist
from .view import ALONG, Stage, View, orbited, panned, zoomed
