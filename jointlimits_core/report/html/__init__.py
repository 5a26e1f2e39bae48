"""HTML pages."""

from .check_page import legend, strip_of, write_check_report
from .clouds import add_space, clip_colours, cloud_of, euler_plot_of, lines, point_colours, scatter
from .dials import arc_path, dial, range_bar, spikes_path
from .document import (
    BLUE,
    GAP,
    GREY,
    INTERVAL,
    REST,
    SKY,
    VERMILLION,
    Html,
    element,
    markup,
    new_figure,
    png_bytes,
    require_matplotlib,
)
from .gap_charts import gap_chart, gap_columns, gaps_m, shown_up_to_mm, slip_step, used_together
from .joint_section import (
    coupled_words,
    dependencies_section,
    edit_words,
    edits_list,
    layers_words,
    limits_table,
)
from .library_page import MOST_CHARACTERS, MOST_ROWS, OPEN_ROWS, links_to
from .limits_page import anchor, mirror_words, needs_section, page, sides_section
from .moving_figures import MOST_FRAMES, Panel, Scene, write_moving_figures
from .skeleton_figure import SkeletonPoints, labelled_figures, skeleton_points
from .skeleton_page import write_skeleton_report
from .skeleton_table import facts, gap_bar, joints_table, length_words, margin_words, place_words
from .words import (
    advice_words,
    frame_words,
    grade_mark,
    grades_legend,
    limit_mark,
    limit_source,
    pose_words,
    purpose_words,
    verdict,
)
