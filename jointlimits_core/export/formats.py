"""Export formats by their name on the command line.

Each format is a module of this package with one function::

    export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported

It is imported on demand, so the packages of other formats are not needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from ..base import ExportError
from ..limits import LimitSet
from ..motion import Skeleton
from .losses import Exported
from .options import ExportOptions


@dataclass(frozen=True)
class ExportFormat:
    """One format.

    Parameters
    ----------
    name : str
        Name on the command line.
    words : str
        Description for users.
    endings : tuple of str
        File extensions, lower case without the dot.
    module : str
        Module of this package that writes it.
    needs_skeleton : bool
        Whether it needs joint positions, which limits do not have.
    holds_paper_mode : bool
        Whether it can hold the ZYZ angles of paper mode.
    """

    name: str
    words: str
    endings: tuple[str, ...]
    module: str
    needs_skeleton: bool
    holds_paper_mode: bool = False

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
        found: Exported = import_module(f"{__package__}.{self.module}").export(
            limit_set, skeleton, options
        )
        return found


_ALL = (
    ExportFormat("mjcf", "a MuJoCo model", ("xml", "mjcf"), "mjcf", True),
    ExportFormat("usd", "a USD skeleton with physics joints", ("usda", "usdc", "usd"), "usd", True),
    ExportFormat("mel", "a standalone Maya script", ("mel",), "mel", False),
    ExportFormat("python", "the same script in Python", ("py",), "python", False),
    ExportFormat("csv", "a spreadsheet table", ("csv",), "csv", False, True),
    ExportFormat(
        "rom", "joints animated through their limits", ("bvh", "ma"), "range_of_motion", True
    ),
)

FORMATS: Mapping[str, ExportFormat] = {entry.name: entry for entry in _ALL}
"""Formats by name, in the order in which they are listed."""
