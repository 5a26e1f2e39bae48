"""The open scene: joints, plugs, edits, undo, records."""

from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

if TYPE_CHECKING:
    from .edit import (
        Angle,
        KeysStep,
        Length,
        ModifierStep,
        SceneEdit,
        SelectStep,
        Value,
        curve_function,
        put_value,
    )
    from .estimates import latest, latest_per_character
    from .joints import (
        Wording,
        chosen_joints,
        joint_names,
        named_transforms,
        node_name,
        references_of,
        selected_transforms,
        short_name,
    )
    from .plugs import (
        AXES,
        DAMP_RANGES,
        DAMP_STRENGTHS,
        ENABLES,
        STIFFNESS,
        Attributes,
        find_plug,
        matrix_of,
        matrix_or_none,
        obstacle,
        put,
        read,
        rotation_limits,
        source_of,
        states_of,
        type_of,
    )
    from .preserve import limits_bypassed, refresh_suspended, scene_untouched
    from .record import (
        ATTRIBUTE,
        Backup,
        Given,
        Number,
        Place,
        Provenance,
        backup_on,
        is_same,
        key_fingerprint,
        record_of,
        text_of,
        unreadable,
    )
    from .results import (
        NOT_CHOSEN,
        BuiltFigure,
        ClearResult,
        FilterResult,
        JointQuality,
        MovedKeys,
        Outcome,
        ProjectKeysResult,
        ProjectResult,
        ReorientResult,
        SkeletonResult,
        StopResult,
        SwitchResult,
        WriteResult,
    )
    from .time import TimeChoice, current_frame, frames_per_second, time_at
    from .undo import COMMAND, EditCommand, Prepared, UndoableCommand, load_plug_in

__getattr__, __dir__ = exports(__name__)
