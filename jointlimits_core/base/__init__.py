"""Foundations: errors, findings, options, text, progress, registries."""

from typing import TYPE_CHECKING

from .lazy import exports

if TYPE_CHECKING:
    from .errors import (
        FILE_AS_FOLDER,
        FOLDER_AS_FILE,
        DiskSpaceError,
        EstimationError,
        ExportError,
        InputError,
        LimitSetError,
        ManifestError,
        MayaAsciiError,
        MissingPackageError,
        NoMotionError,
        OptionError,
        OptionNaming,
        OptionText,
        SummaryError,
        system_words,
        text_of,
        without_skeleton,
        worded,
    )
    from .findings import (
        MOST_RULES,
        ROUTINE_RULES,
        UNREPORTED_RULES,
        UNRESOLVED_DRIVER,
        Finding,
        counted,
        driven_by,
        drivers_of_joints,
        frame_ranges,
        reported_counts,
        reported_words,
    )
    from .options import (
        GROUPS,
        MODES,
        TYPES,
        CommandParser,
        Option,
        add_flags,
        checked_options,
        declared,
        flag_naming,
        option,
        option_table,
        options_of,
    )
    from .progress import (
        PARTS,
        Cancelled,
        Progress,
        TimeLeft,
        duration,
        listening,
        report_message,
        report_progress,
        report_stage,
        share,
        was_read,
        was_written,
        with_time_left,
    )
    from .text import (
        COLUMN_GAP,
        FindingGroup,
        FreeNames,
        all_findings,
        byte_words,
        channel_letter,
        column_sizes,
        columns_of,
        file_name,
        frames_words,
        grouped,
        in_columns,
        listed,
        meant,
        millimetres,
        names_words,
        number,
        place_words,
        plural,
        printable,
        rest_in_json,
        shortened,
        terminal_columns,
        unique_names,
        wrapped_lines,
    )

__getattr__, __dir__ = exports(__name__)
