"""The commands that the plug-in registers."""

from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

if TYPE_CHECKING:
    from .base import in_flags
    from .limits import LIMITS
    from .projection import PROJECTING
    from .sentences import clear_said
    from .skeleton import SKELETON

__getattr__, __dir__ = exports(__name__)
