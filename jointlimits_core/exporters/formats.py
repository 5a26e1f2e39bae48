"""Export formats by their name on the command line, and the options for an export.

This package's formats are listed in a table; other distributions can add an :class:`ExportFormat`
as an entry point in the group ``jointlimits.exports``. Modules are imported on demand, so the
packages that other formats need do not have to be installed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Optional

from ..base import errors, registry
from ..base.options import checked_options, default_field, option
from ..io.input import FilePath
from ..limits.limit_set import LimitSet
from ..motion.skeleton import Skeleton
from .losses import Exported


@dataclass(frozen=True)
class ExportOptions:
    """Options for an export."""

    locked: str = default_field("locked")
    """Locked channels: "hold" fixes them, "range" keeps the narrow measured range."""
    joints_as: str = default_field("joints_as")
    """Models of joints: "channels", three stacked hinges that match the rotate channels; "ball",
    ball joints as one joint with one range; "hinge", hinges about the joint's own axis, with the
    range measured about it; "both", ball and hinge."""
    root_joint: str = default_field("root_joint")
    """Root joint: "free" to move in the world, "hinges" like every other joint, or "fixed"."""
    meters_per_unit: float | None = default_field("meters_per_unit")
    """Length unit of the skeleton, in metres; None for the source's unit."""
    replace: bool = default_field("replace")
    """Whether scripts overwrite limits that joints already have."""
    lock_unmoved: bool = default_field("lock_unmoved")
    """Whether scripts also write joints that do not move in the source."""
    may_move: bool = default_field("may_move")
    """Whether scripts turn limits on even if poses change."""
    enable_driven: bool = default_field("enable_driven")
    """Whether scripts turn on the limits of joints that follow a control."""
    ending: str = ""
    """File extension in lower case, without the dot; selects the variant of a format."""


OF_SCRIPTS = ("replace", "lock_unmoved", "may_move", "enable_driven")
"""Options for writing to Maya that also apply to scripts."""


def export_options_of(values: Mapping[str, Any], ending: str = "") -> ExportOptions:
    """Options from values by option-table name; missing ones get their defaults.

    Raises ValueError for an unknown name or an invalid value.
    """
    own = {name: value for name, value in values.items() if name not in OF_SCRIPTS}
    shared = {name: option(name).check(values[name]) for name in OF_SCRIPTS if name in values}
    return ExportOptions(**checked_options(own, ("export",)), **shared, ending=ending)


def ending_of(out: FilePath) -> str:
    """File extension in lower case, without the dot."""
    return Path(out).suffix.lower().lstrip(".")


EXPORTS = "jointlimits.exports"
"""Entry-point group for export formats."""
Writer = Callable[[LimitSet, Optional[Skeleton], ExportOptions], Exported]


@dataclass(frozen=True)
class ExportFormat:
    """An export format."""

    name: str
    """Name on the command line."""
    words: str
    """Description for users."""
    endings: tuple[str, ...]
    """File extensions, lower case without the dot."""
    needs_skeleton: bool = False
    """Whether the format needs joint positions, which limits do not have."""
    holds_paper_mode: bool = False
    """Whether the format can hold the ZYZ angles of the paper mode."""
    options: tuple[str, ...] = ()
    """Names of the export options that the format uses."""
    write: str | Writer = ""
    """``write(limit_set, skeleton, options) -> Exported``, or the function's name; by default
    `export` of the module with the format's name."""

    def export(
        self, limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions
    ) -> Exported:
        """Write limits in this format; `skeleton` may be None unless the format needs it.

        Raises ExportError if the skeleton is missing, the format cannot hold limits of this mode,
        or the options cannot be met, and MissingPackageError if the format needs a package that is
        not installed.
        """
        if self.needs_skeleton and skeleton is None:
            raise errors.ExportError(f"{self.name} needs a skeleton")
        if limit_set.mode == "paper" and not self.holds_paper_mode:
            raise errors.ExportError(
                "paper-mode limits are ZYZ angles, not rotate channels; estimate in standard mode "
                f"to export to {self.name}, or export to csv"
            )
        write = registry.load_function(self.write or f"{self.name}:export", __package__ or "")
        found: Exported = write(limit_set, skeleton, options)
        return found


_SET, _BODIES = ("replace", "may_move"), ("joints_as", "locked", "root_joint", "meters_per_unit")
_ROM, _USD = "joints animated through their limits", "a USD skeleton with physics joints"
OWN = (
    ExportFormat("blender", "a script for Blender", ("py",), True, False, _SET),
    ExportFormat("csv", "a spreadsheet table", ("csv",), holds_paper_mode=True),
    ExportFormat("mjcf", "a MuJoCo model", ("xml", "mjcf"), True, False, _BODIES),
    ExportFormat("python", "a standalone Maya script", ("py",), False, False, OF_SCRIPTS),
    ExportFormat("rom", _ROM, ("bvh", "ma"), True, write="range_of_motion:export"),
    ExportFormat("urdf", "a robot description", ("urdf",), True, False, _BODIES),
    ExportFormat("usd", _USD, ("usda", "usdc", "usd"), True, False, _BODIES),
)
"""Formats of this package; writers are imported when they are called."""


def format_for(to: str | None, out: FilePath) -> ExportFormat:
    """Format named `to`; if None, the format with the extension of the file `out`.

    If several formats have this extension, one that needs no skeleton is preferred. Raises
    OptionError for an unknown name, and for an extension that the format does not have.
    """
    known, ending = export_formats(), ending_of(out)
    if to and to not in known:
        raise errors.OptionError("to", f"must be one of {', '.join(known)}, not {to!r}")
    asked = [known[to]] if to else sorted(known.values(), key=lambda form: form.needs_skeleton)
    for form in asked:
        if ending in form.endings:
            return form
    *first, last = dict.fromkeys(f".{one}" for form in asked for one in form.endings)
    endings = f"{', '.join(first)} or {last}" if first else last
    purpose = f" for {to}" if to else ""
    raise errors.OptionError("out", f"{os.fspath(out)} must end with {endings}{purpose}")


@cache
def export_formats() -> Mapping[str, ExportFormat]:
    """Formats by name; raises PluginError, naming a plug-in that cannot be used."""
    return registry.with_plugins(OWN, EXPORTS, ExportFormat)
