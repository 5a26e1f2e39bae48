"""Layout of the pictures: pure functions on numbers, without Qt.

Pictures, painted with QPainter; they work on plain numbers and know no limit set.
"""

from .bars import Candidate, EvidenceBars, Lane, RangeBar, lane_words, paint_range_bar, tolerance_of
from .base import Picture
from .cloud import RotationCloud
from .cube import Built, View, build, orbited
from .dial import AngleDial, state_words
from .dial_layout import DialState, handle_at
from .dial_paint import range_lines
from .glyphs import paint_grade, paint_type
from .strip import TimeStrip
from .strip_layout import HEADER_PIXELS, NO_ROWS, Mark, Rows, Span
from .swing import SwingDisc
