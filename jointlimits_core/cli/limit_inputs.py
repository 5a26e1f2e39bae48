"""Readers for the limit sets that are given to commands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..base.errors import InputError, LimitSetError
from ..base.progress import Progress
from ..formats.registry import motion_format
from ..importers import declared, read
from ..io.input import ReadLimits
from ..io.progress_line import FilesProgress
from ..limits.limit_set import LimitSet, read_limit_set
from .output import UsageError

ONLY_LIMITS = ("show", "edit")
"""Commands that take a limit set and no other file."""
PAPER_MODE = "paper-mode limits are ZYZ angles, not rotate channels"


def read_given_limits(options: argparse.Namespace, without_paper_mode: str = "") -> LimitSet:
    """Read the limits; if the file is a motion, as with swapped arguments, the error says so.

    `without_paper_mode`: advice in the UsageError for paper-mode limits; if empty, they are
    accepted.
    """
    try:
        limit_set = read_limit_set(options.limits, options.budget)
    except LimitSetError as error:
        if not is_motion(options.limits):
            raise
        mend = f"limits come first: jointlimits {options.command} LIMITS.json ..."
        if options.command in ONLY_LIMITS:
            mend = f"for its limits: jointlimits estimate {options.limits}"
        raise LimitSetError(options.limits, f"is a motion, not a limit set; {mend}") from error
    if limit_set.mode == "paper" and without_paper_mode:
        raise UsageError(f"{options.limits}: {PAPER_MODE}; {without_paper_mode}")
    return limit_set


def is_motion(path: str) -> bool:
    """Whether motion can be read from a file."""
    try:
        found = motion_format(path)
    except InputError:
        return False
    return found is not None and found.read is not None


def read_limit_sets(paths: Sequence[str], limits: ReadLimits, progress: Progress) -> list[LimitSet]:
    """Read limit sets, or other files that declare limits, in common joint orientations."""
    files, sets = FilesProgress(progress, paths), []
    for path in paths:
        files.next(path)
        sets.append(read.read_limits(path, limits))
    return list(declared.in_common_orientations(sets))
