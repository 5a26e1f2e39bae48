"""What came of a whole batch: one file, the same whoever did which part of it when."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .._version import __version__
from ..atomic import write_text_atomically
from .run import Batch

FORMAT, VERSION = "jointlimits.batch-summary", 1
FILE_NAME = "summary.json"
MISSING = "has no result yet, or its files changed since; run the batch again with --resume"


def summary_of(batch: Batch) -> dict[str, Any]:
    """Look at the results of every character of the manifest.

    Returns
    -------
    dict
        Plain data: a row for each character in the order of the manifest, with status "ok",
        "failed" or "missing", and how many there are of each.
    """
    rows = [_row(batch, item) for item in range(len(batch.manifest.characters))]
    counts = Counter(row["status"] for row in rows)
    return {
        "format": FORMAT,
        "version": VERSION,
        "program_version": __version__,
        "estimator": batch.estimator,
        **{status: counts[status] for status in ("ok", "failed", "missing")},
        "characters": rows,
    }


def _row(batch: Batch, item: int) -> dict[str, Any]:
    name, found = batch.manifest.characters[item].name, batch.found(item)
    if found is None:
        return {"name": name, "status": "missing", "result": None, "message": MISSING}
    status = "ok" if found.ok else "failed"
    return {"name": name, "status": status, "result": found.result, "message": found.message}


def write_summary(batch: Batch) -> dict[str, Any]:
    """Write the summary beside the results, whole or not at all, and give it."""
    summary = summary_of(batch)
    text = json.dumps(summary, indent=1) + "\n"
    write_text_atomically(batch.results.folder / FILE_NAME, text)
    return summary


def exit_code(summary: Mapping[str, Any]) -> int:
    """0 if every character has its limits, else 1."""
    return 0 if summary["ok"] == len(summary["characters"]) else 1
