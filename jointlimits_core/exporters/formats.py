"""Export formats by their name on the command line.

A module of this package declares its own (see :mod:`..base.registry`); another distribution offers
an :class:`ExportFormat` under an entry point in the group ``jointlimits.exports``. A module is
imported on demand, so the packages of other formats are not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from ..base import ExportError
from ..base.registry import by_name, implementation
from ..limits import LimitSet
from ..motion import Skeleton
from .losses import Exported
from .options import ExportOptions

EXPORTS = "jointlimits.exports"
"""Entry points of export formats."""
Writer = Callable[[LimitSet, Optional[Skeleton], ExportOptions], Exported]


@dataclass(frozen=True)
class ExportFormat:
    """One format."""

    name: str
    """Name on the command line."""
    words: str
    """Description for users."""
    endings: tuple[str, ...]
    """File extensions, lower case without the dot."""
    needs_skeleton: bool = False
    """Whether it needs joint positions, which limits do not have."""
    holds_paper_mode: bool = False
    """Whether it can hold the ZYZ angles of paper mode."""
    options: tuple[str, ...] = ()
    """Names of the export options that it heeds."""
    write: str | Writer = "export"
    """``write(limit_set, skeleton, options) -> Exported``; or its name in `module`."""
    module: str = ""

    def export(
        self, limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions
    ) -> Exported:
        """Write limits in this format.

        Parameters
        ----------
        skeleton : Skeleton, optional
            Optional where :attr:`needs_skeleton` is False.

        Raises
        ------
        ExportError
            If the skeleton is missing, the format cannot hold the mode of the limits, or the
            options cannot be met.
        MissingPackageError
            If the format needs a package that is not installed.
        """
        if self.needs_skeleton and skeleton is None:
            raise ExportError(f"{self.name} needs a skeleton")
        if limit_set.mode == "paper" and not self.holds_paper_mode:
            raise ExportError(
                "paper-mode limits are ZYZ angles, not rotate channels; estimate in standard mode "
                f"to export to {self.name}, or export to csv"
            )
        found: Exported = implementation(self, "write")(limit_set, skeleton, options)
        return found


class _Formats(Mapping[str, ExportFormat]):
    """Formats by name, looked up when they are first needed."""

    @cached_property
    def _found(self) -> dict[str, ExportFormat]:
        return by_name(EXPORTS, __package__ or "", ExportFormat)

    def __getitem__(self, name: str) -> ExportFormat:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


FORMATS = _Formats()
"""Formats by name; PluginError on first use for a plug-in that cannot be loaded."""
