"""Limits from files of other programs."""

from .audit import Audit, audit
from .declared import (
    DECLARED,
    carried_edits,
    declared_limits,
    in_common_orientations,
    in_orientations_of,
)
from .joint_models import channel_stack
from .read import declaring_files, is_model, model_files, read_limits
