"""Coupled limits in the rig: live nodes, and keys brought inside."""

from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

if TYPE_CHECKING:
    from .api import (
        prepare_project,
        prepare_project_keys,
        prepare_stop,
        project_keys,
        project_live,
        stop_projecting,
    )
    from .live import plan_stopping
    from .node import NAME, TYPE_ID, JointLimitProject

__getattr__, __dir__ = exports(__name__)
