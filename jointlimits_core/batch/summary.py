"""Summary of a whole batch: one file, independent of how the batch was split and ordered."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..base import FILE_AS_FOLDER, InputError, plural, told
from ..base.version import __version__
from ..io import check_replaceable, write_text_atomically
from .results import LOGS
from .run import Batch

FORMAT, VERSION = "jointlimits.batch-summary", 1
FILE_NAME = "summary.json"
MISSING = "has no up-to-date result; run the batch again with --resume"
ADVICE = "choose another folder for the results"


def summary_of(batch: Batch) -> dict[str, Any]:
    """Summarize the results of every character in the manifest.

    Plain data: one row per character in manifest order, with status "ok", "failed" or "missing" and
    its findings by rule; the count of each status; and the number of characters with findings worth
    reporting.
    """
    rows = [_row(batch, item) for item in range(len(batch.manifest.characters))]
    counts = Counter(row["status"] for row in rows)
    return {
        "format": FORMAT,
        "version": VERSION,
        "program_version": __version__,
        "estimator": batch.estimator,
        **{status: counts[status] for status in ("ok", "failed", "missing")},
        "with_findings": sum(bool(told(row["findings"])) for row in rows),
        "findings": _by_rule(rows),
        "characters": rows,
    }


def _by_rule(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Number of findings per rule, and of characters that have any."""
    findings, characters = Counter[str](), Counter[str]()
    for row in rows:
        findings.update(row["findings"])
        characters.update(row["findings"].keys())
    return {
        rule: {"characters": characters[rule], "findings": findings[rule]}
        for rule in sorted(findings)
    }


def _row(batch: Batch, item: int) -> dict[str, Any]:
    name, found = batch.manifest.characters[item].name, batch.found(item)
    if found is None:
        missing: dict[str, Any] = {"result": None, "message": MISSING, "findings": {}}
        return {"name": name, "status": "missing", **missing}
    status = "ok" if found.ok else "failed"
    fields = {"result": found.result, "message": found.message, "findings": dict(found.findings)}
    return {"name": name, "status": status, **fields}


def write_summary(batch: Batch) -> dict[str, Any]:
    """Write the summary beside the results atomically and return it."""
    summary = summary_of(batch)
    text = json.dumps(summary, indent=1) + "\n"
    write_text_atomically(batch.results.folder / FILE_NAME, text)
    return summary


def counts_words(summary: Mapping[str, Any]) -> str:
    """Counts as text: "7 ok, 1 failed, 0 missing; 2 with findings"."""
    words = "{ok} ok, {failed} failed, {missing} missing".format(**summary)
    some = summary["with_findings"]
    return f"{words}; {some} with findings" if some else words


def trouble(summary: Mapping[str, Any], strict: bool = True) -> str:
    """Message about characters without limits.

    `strict`: whether a failed character counts. One without a result always does: work remains.
    Empty if all have limits; else their number and the first one's problem.
    """
    wrong = ("failed", "missing") if strict else ("missing",)
    rows = [row for row in summary["characters"] if row["status"] in wrong]
    if not rows:
        return ""
    first = rows[0]
    count = plural(len(rows), "character")
    return f"{count} without limits, see {FILE_NAME}; first: {first['name']}: {first['message']}"


def refuse_foreign_results(folder: Path, library_report: bool) -> None:
    """Refuse a folder where foreign files have the names of a batch's summary files.

    Results need no check: their names contain a hash. A library report writes more files. The
    InputError names the file: the manifest itself, or any file that no batch wrote.
    """
    logs = folder / LOGS
    there = next(place for place in (logs, *logs.parents) if place.exists())
    if not there.is_dir():
        raise InputError(there, FILE_AS_FOLDER)
    check_replaceable(folder / FILE_NAME, FORMAT, "summary of a batch", ADVICE)
    if library_report:
        # Imported here so that a batch without it does not load the report code.
        from .library import DATA, PAGE
        from .library import FORMAT as LIBRARY

        for name in (DATA, PAGE):
            check_replaceable(folder / name, LIBRARY, "library of a batch", ADVICE)
