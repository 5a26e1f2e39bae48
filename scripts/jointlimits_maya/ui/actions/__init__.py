"""Actions of the window's buttons and menus."""

from .commands import COMMANDS, PRIMARY, make_actions, scene_file, update_actions
from .document import EditActions, FileActions
from .fits import ShapeActions, SkeletonActions
from .questions import Questions, name_of
from .scene import SceneActions
