"""A finished batch of one character, whose result is replaced by another text."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from jointlimits_core.base.errors import InputError
from jointlimits_core.batch.library import write_library
from jointlimits_core.batch.manifest import OPTIONS, read_manifest
from jointlimits_core.batch.motion_files import MotionFiles, estimate_entry
from jointlimits_core.batch.run import Batch, Outcome, summary_of
from tests.support.small_files import BVH

MANIFEST = (
    '{"format": "jointlimits.manifest", "version": 1,'
    ' "characters": [{"name": "one", "clips": ["walk.bvh"]}]}'
)


def finished_batch(folder: Path) -> bytes:
    """Estimate the character in an empty folder, which also holds the results; its result."""
    (folder / "walk.bvh").write_bytes(BVH)
    (folder / "manifest.json").write_text(MANIFEST, encoding="utf-8")
    batch = _batch(folder)
    assert batch.estimate(0, partial(estimate_entry, MotionFiles, OPTIONS)).ok
    return batch.results.path(batch.address(0)).read_bytes()


def read_result(path: Path) -> Outcome:
    """Continue the batch in the folder of a file with that file as result.

    Raises InputError if it is not taken: the character would be estimated again.
    """
    batch = _batch(path.parent)
    batch.results.path(batch.address(0)).write_bytes(path.read_bytes())
    outcome = batch.find(0)
    if outcome is None:
        raise InputError(path, "is not the result of this character")
    write_library(batch, summary_of(batch))
    return outcome


def _batch(folder: Path) -> Batch:
    return Batch(read_manifest(folder / "manifest.json"), folder, "files")
