"""Actions of the window's buttons and menus."""

from .commands import COMMANDS, make_actions, show_abilities
from .edit import EditActions
from .file import FileActions
from .questions import Questions, name_of
from .scene import SceneActions
from .shapes import ShapeActions
from .skeleton import SkeletonActions
