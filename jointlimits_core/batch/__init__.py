"""Batches of characters: manifests, workers, one result file per character, comparison."""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .address import address_of
    from .command import (
        NO_RESULTS,
        STOPPED,
        BatchProgram,
        add_arguments,
        batch_main,
        check_foreign_results,
        say,
    )
    from .grouping import (
        FORMAT,
        Group,
        by_name,
        by_rule,
        found_files,
        manifest_document,
        names_before,
        naming_of_list,
        naming_of_pattern,
        pooling_notes,
        renamed,
        skeleton_key,
    )
    from .library import PAGE, TABLE, write_library
    from .manifest import (
        OPTIONS,
        Character,
        ManifestFile,
        items_from_text,
        manifest_schema,
        options_of_entry,
        read_manifest,
    )
    from .motion_files import MotionFiles, estimate_entry, main
    from .results import Estimated, ResultFolder, ResultsError, result_schema, results_written
    from .run import Batch, Estimate, Outcome, summary_of, trouble
    from .workers import Workers

__getattr__, __dir__ = exports(__name__)
