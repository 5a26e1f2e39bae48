"""Panels around a joint; those below it are the tabs that their files register."""

from importlib import import_module
from pkgutil import iter_modules

from .axis import AxisPanel
from .character import CharacterPanel
from .joint import JointPanel
from .message_bar import MessageBar
from .options import OptionsPanel
from .pictures import JointPictures
from .review import ReviewPanel, Tour, steps_of
from .tabs import Connections, tabs
from .time import StripPanel, with_gap

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")  # every file of this folder may register a tab
