"""Text for the terminal."""

from typing import TYPE_CHECKING

from ...base.lazy import exports

if TYPE_CHECKING:
    from .check import COLUMNS, WRITERS, check_csv, check_junit, check_text
    from .limits import MOST_NOTES, most_different, table
    from .shapes import (
        MOST_LINES,
        NO_VOLUME,
        SHAPE_COLUMNS,
        dependency_lines,
        dependency_status,
        dependency_words,
        range_freedom,
        shape_rows,
        shape_text,
    )
    from .skeleton import SKELETON_COLUMNS, skeleton_rows, skeleton_text

__getattr__, __dir__ = exports(__name__)
