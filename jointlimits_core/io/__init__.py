"""Reading what others made, writing files whole, logs, progress, and the process of a command."""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .csv import csv_text
    from .input import (
        DEFAULT_LIMITS,
        OF_SCENES,
        PIECE,
        FilePath,
        ReadLimits,
        SourceFile,
        add_reading,
        check_regular,
        clip_refusal,
        file_sha256,
        file_state,
        input_budget,
        is_below,
        most_clip_numbers,
        new_sha256,
        open_regular,
        read_error_reason,
        read_start,
        reading_flags,
        source_file,
        too_many_frames,
        unchanged,
    )
    from .json import check_replaceable, json_text, parsed_json, problems, shown
    from .logs import TITLE, RunLog, header_lines, kept_log, time_words
    from .output import (
        LONGEST_WORK,
        OWNER,
        atomic_output,
        is_abandoned,
        move_to_output,
        owner,
        write_text_atomically,
    )
    from .process import (
        ignore_interrupts,
        interrupted_code,
        no_interrupt_lost,
        print_line,
        single_threaded_algebra,
        standard_streams,
        terminating_signals,
    )
    from .progress_line import FilesProgress, ProgressLine
    from .session_log import close_logger, session_logger

__getattr__, __dir__ = exports(__name__)
