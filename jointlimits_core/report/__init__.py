"""Tables, pages and figures of limits."""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .limits_report import write_report

__getattr__, __dir__ = exports(__name__)
