"""Maya ASCII scenes: parsed as data, never executed."""

from typing import TYPE_CHECKING

from ...base.lazy import exports

if TYPE_CHECKING:
    from .edits import Edit, write_edited
    from .filter_keys import SceneKeyFilter, filter_scene_keys
    from .lexer import statement_tokens, unescaped
    from .motion_scene import as_in_maya, node_names, smooth_rotates, write_motion_scene
    from .reader import read_filtered, read_maya_ascii, read_requested
    from .referenced_joints import ReferencedJoints
    from .references import NamedReference, find_reference, leads_to, parse_edits
    from .scene_index import index_scene
    from .scene_reader import read_scene
    from .statements import numbers
    from .writer import (
        WriteReport,
        apply_limit_set,
        reject_all_skipped,
        reject_target,
        write_joint_attributes,
    )

__getattr__, __dir__ = exports(__name__)
