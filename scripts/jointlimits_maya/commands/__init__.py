"""The commands that the plug-in registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

if TYPE_CHECKING:
    from .base import FOR_BUTTONS, JointLimitsCommand, Reader, failure_text
    from .limits import ApplyCommand, CheckCommand, ClearCommand, EstimateCommand, SwitchCommand
    from .projection import ProjectCommand, ProjectKeysCommand
    from .skeleton import SkeletonCommand
    from .table import COMMANDS


__getattr__, __dir__ = exports(__name__)
