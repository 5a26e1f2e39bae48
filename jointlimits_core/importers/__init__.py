"""Limits from files of other programs."""

from .audit import Audit, audit
from .declared import (
    DECLARED,
    carried_edits,
    declared_limits,
    in_common_orientations,
    in_orientations_of,
)
from .read import declaring_files, read_limits
