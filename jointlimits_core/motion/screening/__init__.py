"""Screening of clips: faults of single joints and of whole clips."""

from typing import TYPE_CHECKING

from ...base.lazy import exports

if TYPE_CHECKING:
    from .clip import LARGEST_STEP
    from .rules import LEFT_OUT_BY_DEFAULT, MINIMUM_SAMPLES, RULES, Screened, screen

__getattr__, __dir__ = exports(__name__)
