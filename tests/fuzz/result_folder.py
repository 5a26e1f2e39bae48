"""A finished batch of one character, the result of which is exchanged for another text."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from jointlimits_core.base import InputError
from jointlimits_core.batch import (
    OPTIONS,
    Batch,
    MotionFiles,
    Outcome,
    estimate_entry,
    read_manifest,
    say,
    summary_of,
    trouble,
    write_library,
)
from jointlimits_core.io import parsed_json

CLIP = (
    b"HIERARCHY\nROOT hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n"
    b" JOINT knee\n {\n  OFFSET 0 -1 0\n  CHANNELS 1 Xrotation\n"
    b"  End Site\n  {\n   OFFSET 0 -1 0\n  }\n }\n}\nMOTION\nFrames: 4\nFrame Time: 0.04\n"
    b"0 0 0 0\n3 2 1 20\n5 3 2 50\n1 0 4 10\n"
)
_MANIFEST = (
    '{"format": "jointlimits.manifest", "version": 1,'
    ' "characters": [{"name": "one", "clips": ["walk.bvh"]}]}'
)
_BATCHES: dict[Path, Batch] = {}


@dataclass(frozen=True)
class Found:
    """What a batch takes from a result.

    Parameters
    ----------
    document : dict
        The result as it stands in the file.
    outcome : Outcome
    summary : dict
        Of the whole batch.
    trouble, printed : str
        What the end of the summary says, and what a terminal gets.
    """

    document: dict[str, Any]
    outcome: Outcome
    summary: dict[str, Any]
    trouble: str
    printed: str


def prepared_results(folder: Path) -> None:
    """Estimate the character; results lie in the folder itself."""
    (folder / "walk.bvh").write_bytes(CLIP)
    manifest = folder / "manifest.json"
    manifest.write_text(_MANIFEST, encoding="utf-8")
    batch = Batch(read_manifest(manifest), folder, "files")
    if not batch.estimate(0, partial(estimate_entry, MotionFiles, OPTIONS)).ok:
        raise AssertionError("the character of the seeds has no limits")
    _BATCHES[folder] = batch


def result_path(folder: Path) -> Path:
    """Where the result of the character is."""
    batch = _BATCHES[folder]
    return batch.results.path(batch.address(0))


def read_result(path: Path) -> Found:
    """Put an input in the place of the result, and go on with the batch.

    Raises
    ------
    InputError
        If the result is not taken: the character would be estimated again.
    """
    batch = _BATCHES[path.parent]
    text = path.read_bytes()
    result_path(path.parent).write_bytes(text)
    outcome = batch.found(0)
    if outcome is None:
        raise InputError(path, _why_not(text))
    summary = summary_of(batch)
    if outcome.ok:
        write_library(batch, summary)
    stream = io.StringIO()
    say(f"{outcome.name}: {outcome.message}", stream)
    document = parsed_json(text.decode("utf-8"), "input", InputError, "result")
    return Found(document, outcome, summary, trouble(summary), stream.getvalue())


def _why_not(text: bytes) -> str:
    """What the program need not say: it only estimates again."""
    try:
        document = parsed_json(text.decode("utf-8"), "input", InputError, "result")
    except UnicodeDecodeError:
        return "not UTF-8"
    except InputError as error:
        return error.message
    return "no object" if not isinstance(document, dict) else "another document"
