"""Limits as files of other programs."""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .csv import COLUMNS
    from .figure import rigid_bones
    from .formats import OF_SCRIPTS, ExportFormat, ExportOptions, export_formats, export_options_of
    from .joint_models import cone_range
    from .losses import Exported, Loss, only_in_json
    from .skeleton_source import Placement, named_skeleton, recorded_motions, recorded_skeleton
    from .usd import usd_name

__getattr__, __dir__ = exports(__name__)
