"""Panels around a joint, and the tabs below it."""

from .axis import AxisPanel
from .character import CharacterPanel
from .connections import Connections
from .joint import JointPanel
from .message_bar import MessageBar
from .options import OptionsPanel
from .pictures import JointPictures
from .review import ReviewPanel, Tour, steps_of
from .time import StripPanel, with_gap
