"""Characters of a batch: estimated one by one, and summarized in one file.

A failed character does not stop the others. The summary does not depend on how the batch was split
or ordered.
"""

from __future__ import annotations

import json
import os
import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Optional

from ..base import errors, options
from ..base.findings import reported_counts
from ..base.progress import Progress
from ..base.text import plural
from ..base.version import __version__
from ..io.output import write_text_atomically
from .address import Address, address_of
from .manifest import Character, Manifest
from .results import ENDING, Estimated, ResultFolder, stop_if_of_folder

Estimate = Callable[[Character, Path, Optional[Progress]], Estimated]
"""Function that estimates one character; its outputs go into the given empty folder."""

KNOWN_ERRORS = (
    *(errors.InputError, errors.EstimationError, errors.OptionError),
    *(errors.MissingPackageError, OSError),
)
"""Errors whose message is complete without a traceback."""

CHANGED = "an input file changed while it was read; run the batch again once it no longer changes"

FORMAT, VERSION = "jointlimits.batch-summary", 1
FILE_NAME = "summary.json"
MAX_FAILURES = 20
MENTIONED = ("skipped", "to_look_at", "with_findings")
"""Counts that are mentioned only if they are not zero."""
COUNTED = ("findings", "to_look_at", "suggestions", "left_off", "moved")
STATUSES = ("ok", "failed", "missing", "skipped")
MISSING = "has no up-to-date result; run the batch again"


@dataclass(frozen=True)
class Outcome:
    """Outcome of one character, by its position in the manifest.

    `status`: "ok", "failed", "skipped" for a character without a skeleton or motion, or "missing".
    `message`: reason for a status other than "ok". `result`: name of the result file. `findings`:
    number of findings per rule in the limit set. `to_look_at`, `suggestions`: number of entries in
    the review list, and of suggestions. `files`: names of the limit set and other outputs.
    `left_off`: number of the scene's channels that got no limits. `moved`: number of channels on
    which limits change poses. `clips`, `joints`: their numbers; None without limits.
    """

    item: int
    name: str
    status: str
    message: str
    result: str
    findings: Mapping[str, int] = field(default_factory=dict)
    to_look_at: int = 0
    suggestions: int = 0
    files: Sequence[str] = ()
    left_off: int = 0
    moved: int = 0
    clips: int | None = None
    joints: int | None = None

    @property
    def ok(self) -> bool:
        """Whether the character is done: it has limits, or it has nothing to measure."""
        return self.status in ("ok", "skipped")


class Batch:
    """Characters of a manifest, and their results folder, which is created if missing.

    `estimator` names the source of the limits; it is part of every result's address.
    """

    def __init__(self, manifest: Manifest, folder: str | os.PathLike[str], estimator: str) -> None:
        self.manifest, self.estimator = manifest, estimator
        self.results = ResultFolder(Path(folder).absolute(), manifest.folder)

    def address(self, item: int) -> Address:
        """Address of a character's result, by position in the manifest."""
        return address_of(self.manifest.characters[item], self.estimator)

    def find(self, item: int) -> Outcome | None:
        """Outcome of an earlier run, if its result exists and matches."""
        character = self.manifest.characters[item]
        if not self.results.holds(character.name):
            return None  # avoids hashing the character's files
        address = self.address(item)
        document = self.results.find(address, character.limits.references_below)
        return None if document is None else self._outcome(item, address, document)

    def estimate(self, item: int, estimate: Estimate, progress: Progress | None = None) -> Outcome:
        """Estimate a character and store the result or failure.

        Raises ResultsError if the results folder is not writable, which is not a failure of this
        character.
        """
        address, character = self.address(item), self.manifest.characters[item]
        with self.results.scratch(address) as scratch:
            try:
                made = None if address.missing else estimate(character, scratch, progress)
            except Exception as error:  # noqa: BLE001 - the next character may be fine
                stop_if_of_folder(error, self.results.folder, scratch)
                document = self._failure(address, error)
            else:
                if made is None or self.address(item) != address:
                    document = self.results.write_failed(address, address.missing or CHANGED)
                else:
                    named = replace(made.limit_set, character=character.name)
                    made = replace(made, limit_set=named)
                    document = self.results.write_estimated(address, made)
        return self._outcome(item, address, document)

    def fail(self, item: int, message: str, log: str) -> Outcome:
        """Store a failure that :meth:`estimate` could not catch, such as a crashed process."""
        address = self.address(item)
        document = self.results.write_failed(address, message, log)
        return self._outcome(item, address, document)

    def _failure(self, address: Address, error: Exception) -> dict[str, Any]:
        """Write and return the result of a character that could not be estimated."""
        if isinstance(error, errors.NoMotionError) or getattr(error, "lacks_skeleton", False):
            return self.results.write_failed(address, str(error), status="skipped")
        if isinstance(error, KNOWN_ERRORS):
            return self.results.write_failed(
                address, errors.reader_words(error, options.flag_naming("reading"))
            )
        message = f"unexpected {type(error).__name__}: {error}; see the log"
        return self.results.write_failed(address, message, traceback.format_exc())

    def _outcome(self, item: int, address: Address, document: dict[str, Any]) -> Outcome:
        name = self.manifest.characters[item].name
        counts = (document.get(which, 0) for which in ("to_look_at", "suggestions"))
        applied = document["details"].get("applied", {})
        return Outcome(
            *(item, name, document["status"], without_own_file(name, document["message"])),
            address.stem + ENDING,
            *(document["findings"], *counts, [one["name"] for one in document["files"]]),
            *(len(applied.get(which, ())) for which in ("left_off", "moved")),
            *(document["details"].get(which) for which in ("clips", "joints")),
        )


def summary_of(batch: Batch, items: Iterable[int] | None = None) -> dict[str, Any]:
    """Summary, as plain data, of the results of the given characters, by default of all.

    There is one row per character in manifest order, with its status (:data:`STATUSES`), findings
    by rule and number of review entries. Totals are the count of each status, the number of review
    entries, and the number of characters with findings worth reporting.
    """
    rows: list[dict[str, Any]] = []
    entries = batch.manifest.characters
    for item in range(len(entries)) if items is None else items:
        found = batch.find(item) or Outcome(item, entries[item].name, "missing", MISSING, "")
        names = ("message", "clips", "joints", *COUNTED)
        head = {"name": found.name, "status": found.status, "result": found.result or None}
        rows.append({**head, "files": list(found.files), **{n: getattr(found, n) for n in names}})
    counts = Counter(row["status"] for row in rows)
    findings, characters = Counter[str](), Counter[str]()
    for row in rows:
        findings.update(row["findings"])
        characters.update(row["findings"].keys())
    by_rule = {
        rule: {"characters": characters[rule], "findings": findings[rule]}
        for rule in sorted(findings)
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        "program_version": __version__,
        "estimator": batch.estimator,
        **{status: counts[status] for status in STATUSES},
        "to_look_at": sum(row["to_look_at"] for row in rows),
        "with_findings": sum(bool(reported_counts(row["findings"])) for row in rows),
        "findings": by_rule,
        "characters": rows,
    }


def write_summary(batch: Batch) -> dict[str, Any]:
    """Write the summary next to the results atomically and return it."""
    summary = summary_of(batch)
    text = json.dumps(summary, indent=1) + "\n"
    write_text_atomically(batch.results.folder / FILE_NAME, text)
    return summary


def counts_words(summary: Mapping[str, Any]) -> str:
    """Counts as text: "7 ok, 1 failed, 0 missing; 1 skipped; 9 to look at; 2 with findings"."""
    words = "{ok} ok, {failed} failed, {missing} missing".format(**summary)
    some = {name.replace("_", " "): summary[name] for name in MENTIONED}
    return "; ".join([words, *(f"{count} {name}" for name, count in some.items() if count)])


def trouble(summary: Mapping[str, Any]) -> str:
    """Number of characters without limits, and the first problem; empty if there are none."""
    rows = [row for row in summary["characters"] if row["status"] in ("failed", "missing")]
    if not rows:
        return ""
    first = rows[0]
    count = plural(len(rows), "character")
    named = named_message(first["name"], first["status"], first["message"])
    return f"{count} without limits, see {FILE_NAME}; first: {named}"


def named_message(name: str, status: str, message: str) -> str:
    """Line about a character."""
    return f"{name}: {status}: {message}"


def without_own_file(name: str, message: str) -> str:
    """Message about a character, without a file name that repeats the name shown beside it.

    "anna/walk.bvh:44:8: expected {" about "anna/walk" becomes "line 44, column 8: expected {".
    """
    file = rf"(?:[^:]*/)?{re.escape(name)}(?:\.\w+)?"
    own = re.match(rf"{file}(?::(\d+))?(?::(\d+))?: ", message)
    if own is None:
        return message
    place = [f"{what} {at}" for what, at in zip(("line", "column"), own.groups()) if at]
    return ": ".join(filter(None, [", ".join(place), message[own.end() :]]))


def failure_lines(summary: Mapping[str, Any]) -> list[str]:
    """Lines about failures for the end of a long run; at most :data:`MAX_FAILURES`."""
    rows = [row for row in summary["characters"] if row["status"] == "failed"]
    lines = [named_message(row["name"], "failed", row["message"]) for row in rows[:MAX_FAILURES]]
    more = len(rows) - len(lines)
    return [*lines, f"and {more} more, see {FILE_NAME}"] if more else lines
