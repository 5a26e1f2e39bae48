"""HTML pages."""

from typing import TYPE_CHECKING

from ...base.lazy import exports

if TYPE_CHECKING:
    from .check_page import legend, strip_of, write_check_report
    from .dials import arc_path, dial, range_bar
    from .document import Html, element, markup
    from .gap_charts import gap_chart, gap_columns, gaps_m, shown_up_to_mm, slip_step, used_together
    from .joint_section import (
        anchor,
        dependencies_section,
        edit_words,
        edits_list,
        joint_section,
        layers_words,
        limits_table,
    )
    from .library_page import MOST_CHARACTERS, MOST_ROWS, OPEN_ROWS, links_to
    from .limits_page import mirror_words, needs_section, page, sides_section
    from .moving_figures import MOST_FRAMES, Panel, Scene, write_moving_figures
    from .skeleton_figure import SkeletonPoints, labelled_figures, skeleton_points
    from .skeleton_page import (
        facts,
        gap_bar,
        joints_table,
        length_words,
        margin_words,
        place_words,
        write_skeleton_report,
    )
    from .words import (
        advice_words,
        coupled_words,
        frame_words,
        grade_mark,
        grades_legend,
        limit_mark,
        limit_source,
        pose_words,
        strictness_words,
        verdict,
    )

__getattr__, __dir__ = exports(__name__)
