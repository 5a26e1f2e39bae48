"""Limits from files of other programs."""

from .audit import Audit, audit
from .declared import DECLARED, declared_limits, in_common_orientations, in_orientations_of
from .joint_models import channel_stack
from .mjcf import KEPT, read_mjcf_joints
from .read import is_model, read_limits
