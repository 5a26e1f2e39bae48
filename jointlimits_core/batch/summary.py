"""What came of a whole batch: one file, the same whoever did which part of it when."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .._version import __version__
from ..atomic import write_text_atomically
from ..finding_counts import told
from ..wording import plural
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
        "failed" or "missing" and its findings by rule, and how many there are of each; with
        findings are those characters that have some that are told (see
        :mod:`..finding_counts`).
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
    """How many findings there are of each rule, and how many characters have some."""
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
        return {
            "name": name,
            "status": "missing",
            "result": None,
            "message": MISSING,
            "findings": {},
        }
    status = "ok" if found.ok else "failed"
    said = {"result": found.result, "message": found.message, "findings": dict(found.findings)}
    return {"name": name, "status": status, **said}


def write_summary(batch: Batch) -> dict[str, Any]:
    """Write the summary beside the results, whole or not at all, and give it."""
    summary = summary_of(batch)
    text = json.dumps(summary, indent=1) + "\n"
    write_text_atomically(batch.results.folder / FILE_NAME, text)
    return summary


def counts_words(summary: Mapping[str, Any]) -> str:
    """Say how many of each there are: "7 ok, 1 failed, 0 missing; 2 with findings"."""
    words = "{ok} ok, {failed} failed, {missing} missing".format(**summary)
    some = summary["with_findings"]
    return f"{words}; {some} with findings" if some else words


def trouble(summary: Mapping[str, Any], strict: bool = True) -> str:
    """Say which characters have no limits.

    Parameters
    ----------
    strict : bool
        Whether one that failed is trouble. One without any result always is: the work is not done.

    Returns
    -------
    str
        Nothing if all is well; else how many, and what is the matter with the first.
    """
    wrong = ("failed", "missing") if strict else ("missing",)
    rows = [row for row in summary["characters"] if row["status"] in wrong]
    if not rows:
        return ""
    first = rows[0]
    count = plural(len(rows), "character")
    return (
        f"{count} without limits, see {FILE_NAME}; the first: {first['name']}: {first['message']}"
    )
