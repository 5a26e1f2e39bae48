"""Pictures of one joint, painted with QPainter from plain numbers; layouts know no Qt."""

from .bars import Candidate, EvidenceBars, paint_range_bar
from .base import Picture, paint_glyph
from .character import CharacterView, Editable
from .character_paint import Look
from .cloud import RotationCloud
from .dial import AngleDial, range_lines, state_words
from .dial_layout import ChannelState, handle_at
from .icons import icon_of
from .strip import TimeStrip
from .strip_layout import HEADER_PIXELS, NO_ROWS, Mark, Rows, Span
from .swing import SwingDisc
