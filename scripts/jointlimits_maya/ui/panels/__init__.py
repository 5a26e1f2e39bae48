"""The panels around a joint."""

from .clips import ClipsPanel
from .joint import JointPanel
from .lists import ComparePanel, FindingsPanel, RehearsalPanel
from .message_bar import MessageBar
from .options import OptionsPanel
from .pictures import JointPictures
from .time import StripPanel, with_gap
