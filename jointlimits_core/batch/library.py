"""Index of the characters of a batch: a page and a table, one row per character."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..base.errors import InputError
from ..io import csv, json, output
from ..report.html.library_page import LibraryRow, library_page
from .run import Batch, counts_words

FORMAT, TABLE, PAGE = "jointlimits.library", "library.csv", "library.html"
COLUMNS = LibraryRow._fields[:-1]
HEADING = csv.csv_text(COLUMNS, ())
"""First line of the table, which marks it as written by a batch."""


def write_library(batch: Batch, summary: Mapping[str, Any]) -> tuple[Path, Path]:
    """Write the index of a batch as a table and a page next to the results; return their paths.

    `summary`: from :func:`.run.summary_of`. The files do not depend on how the batch was split or
    ordered.
    """
    folder = batch.results.folder
    rows = []
    for row in summary["characters"]:
        details: Mapping[str, Any] = {}
        if row["status"] == "ok":
            path = folder / row["result"]
            text = json.json_text(path, InputError, "it is no longer a result file")
            details = json.parsed_json(text, str(path), InputError, "result")["details"]
        report, limits = (
            next((name for name in row["files"] if name.endswith(ending)), "")
            for ending in (".limits.html", ".limits.json")
        )
        rows.append(
            LibraryRow(
                *(row["name"], row["status"], row["clips"], row["joints"]),
                *(row["to_look_at"], row["suggestions"], report, limits, row["message"]),
                details.get("bones", ""),
            )
        )
    table, page = folder / TABLE, folder / PAGE
    output.write_text_atomically(table, csv.csv_text(COLUMNS, [row[:-1] for row in rows]))
    output.write_text_atomically(
        page, library_page(rows, f"{counts_words(summary)}.", FORMAT, TABLE)
    )
    return table, page
