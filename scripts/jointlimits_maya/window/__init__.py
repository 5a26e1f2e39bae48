"""The window inside Maya: its host, guides in the viewport, opening and closing."""

from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

if TYPE_CHECKING:
    from .guides import guide_shapes

__getattr__, __dir__ = exports(__name__)
