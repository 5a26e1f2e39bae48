"""The commands that the plug-in registers; a module here that defines one is all that it takes."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

from .base import JointLimitsCommand

if TYPE_CHECKING:
    from .base import FOR_BUTTONS, Reader, failure_text
    from .limits import ApplyCommand, CheckCommand, ClearCommand, EstimateCommand, SwitchCommand
    from .projection import ProjectCommand, ProjectKeysCommand
    from .skeleton import SkeletonCommand


def all_commands() -> tuple[type[JointLimitsCommand], ...]:
    """Every command class of the modules of this package."""
    modules = [import_module(f"{__name__}.{one.name}") for one in iter_modules(__path__)]
    found = [value for module in modules for value in vars(module).values()]
    classes = [value for value in found if isinstance(value, type)]
    return tuple(one for one in classes if issubclass(one, JointLimitsCommand) and one.name)


__getattr__, __dir__ = exports(__name__)
