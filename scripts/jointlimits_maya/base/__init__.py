"""Maya as a host: messages, log, progress, errors, numpy."""

from .errors import MayaRefusedError, SceneError
from .host import advice, guarded, site_packages
from .progress import scene_progress
