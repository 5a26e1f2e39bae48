"""Every format that limits can be exported to, by its name on the command line.

A format is a module of this package with one function::

    export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported

It is imported when it is asked for, so that nobody needs the packages of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from ..errors import ExportError
from ..limits.limit_set import LimitSet
from ..skeleton import Skeleton
from .exported import Exported
from .options import ExportOptions


@dataclass(frozen=True)
class ExportFormat:
    """One format.

    Parameters
    ----------
    name : str
        On the command line.
    words : str
        What it is, for people.
    endings : tuple of str
        Endings that its files may have, small letters without the dot.
    module : str
        The module of this package that writes it.
    needs_skeleton : bool
        Whether it needs the places of the joints, which limits do not have.
    holds_paper_mode : bool
        Whether it can hold the ZYZ angles of the paper's mode.
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
            May be left out where :attr:`needs_skeleton` is False.

        Raises
        ------
        ExportError
            If the skeleton is missing, the format has no place for the mode of the limits, or
            they cannot be written as the options ask.
        MissingPackageError
            If the format needs a package that is not installed.
        """
        if self.needs_skeleton and skeleton is None:
            raise ExportError(f"{self.name} needs the skeleton of the limits")
        if limit_set.mode == "paper" and not self.holds_paper_mode:
            raise ExportError(
                "the paper's ZYZ angles are not rotate channels; estimate in the standard mode to "
                f"export to {self.name}, or export to csv"
            )
        found: Exported = import_module(f"{__package__}.{self.module}").export(
            limit_set, skeleton, options
        )
        return found


_ALL = (
    ExportFormat("mjcf", "a model for MuJoCo", ("xml", "mjcf"), "mjcf", True),
    ExportFormat(
        "usd", "a skeleton with physics joints in USD", ("usda", "usdc", "usd"), "usd", True
    ),
    ExportFormat(
        "mel", "a script for Maya that needs nothing installed", ("mel",), "mel_script", False
    ),
    ExportFormat("python", "the same in Python", ("py",), "python_script", False),
    ExportFormat("csv", "a table for spreadsheets", ("csv",), "limits_csv", False, True),
    ExportFormat("rom", "every joint through its limits", ("bvh", "ma"), "range_of_motion", True),
)

FORMATS: Mapping[str, ExportFormat] = {entry.name: entry for entry in _ALL}
"""Formats by name, in the order in which people are told of them."""
