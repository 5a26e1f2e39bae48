"""The commands that the plug-in registers."""

from __future__ import annotations

from .limits import ApplyCommand, CheckCommand, ClearCommand, EstimateCommand, SwitchCommand
from .projection import ProjectCommand, ProjectKeysCommand
from .skeleton import SkeletonCommand

COMMANDS = (
    EstimateCommand,
    ApplyCommand,
    ClearCommand,
    SwitchCommand,
    CheckCommand,
    ProjectCommand,
    ProjectKeysCommand,
    SkeletonCommand,
)
