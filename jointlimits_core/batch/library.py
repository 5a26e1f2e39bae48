"""Comparison of the characters of a finished batch: ``library.json`` and a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..atomic import write_text_atomically
from ..errors import LimitSetError
from ..library.document import library_document
from ..library.findings_by_rule import FindingsByRule
from ..library.joint_ranges import CharacterRanges, character_ranges
from ..limits.limit_file import read_limit_set
from ..report.library_page import library_page
from ..wording import all_findings
from .run import Batch

DATA, PAGE = "library.json", "library.html"
PAPER_MODE = "its paper-mode limits are ZYZ angles, not rotate channels"


def write_library(batch: Batch, summary: Mapping[str, Any]) -> tuple[Path, Path]:
    """Compare the characters that have limits; write data and a page beside the results.

    Parameters
    ----------
    summary : mapping
        From :func:`.summary.summary_of`.

    Returns
    -------
    data, page : Path
        Independent of how the batch was split and in which order it ran.
    """
    characters: list[CharacterRanges] = []
    left_out: dict[str, str] = {}
    findings = FindingsByRule()
    for item, row in enumerate(summary["characters"]):
        if row["status"] != "ok":
            left_out[row["name"]] = row["message"]
            continue
        try:
            characters.append(_ranges(batch, item, row["name"], findings))
        except (LimitSetError, ValueError) as error:
            left_out[row["name"]] = str(error)
    document = library_document(characters, left_out, findings)
    data, page = batch.results.folder / DATA, batch.results.folder / PAGE
    write_text_atomically(data, json.dumps(document, indent=1, allow_nan=False) + "\n")
    write_text_atomically(page, library_page(document))
    return data, page


def _ranges(batch: Batch, item: int, name: str, findings: FindingsByRule) -> CharacterRanges:
    """Ranges of a character with limits; its clips' findings are added to `findings`."""
    path = batch.results.limits_path(batch.address(item))
    limit_set = read_limit_set(path, batch.manifest.limits)
    findings.add(name, all_findings(limit_set))
    if limit_set.mode == "paper":
        raise ValueError(PAPER_MODE)
    return character_ranges(name, limit_set, path.name)
