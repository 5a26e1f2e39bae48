"""Maya as a host: messages, log, progress, errors, numpy."""

from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

if TYPE_CHECKING:
    from .host import MayaRefusedError, SceneError, advice, guarded, scene_progress, site_packages

__getattr__, __dir__ = exports(__name__)
