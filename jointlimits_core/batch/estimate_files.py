"""Estimate of one manifest entry, with a copy of its scene if requested."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base import InputError, MayaAsciiError, Progress, options_of
from ..estimation import (
    EstimateOptions,
    estimate,
    estimate_pooled,
    reject_still_estimate,
    summarize,
)
from ..formats import read_motion
from ..io import FilesProgress, SourceFile, source_file
from ..motion import Motion
from .manifest import Character, values_of
from .results import Estimated

if TYPE_CHECKING:
    from ..formats.maya_ascii import NamedReference, WriteReport

COPY_ENDING = ".limits.ma"


def estimate_entry(
    character: Character, folder: Path, progress: Progress | None = None
) -> Estimated:
    """Estimate one entry of a manifest.

    A copy of the scene goes into `folder`, if the entry asks for one. Raises InputError, and
    EstimationError if there is nothing to estimate from.
    """
    values = values_of(character)
    asked = EstimateOptions(**{item.name: values[item.name] for item in options_of("estimate")})
    if _needs_every_clip(asked, values):
        motions = list(_motions(character, progress))
        limit_set = estimate(motions, asked, progress)
        reject_still_estimate(limit_set)
        if values["coupled"]:
            # Imported here and below so that workers start fast; few manifests need it.
            from ..estimation import with_requested_shapes

            limit_set = with_requested_shapes(limit_set, motions, values, asked, progress)
    else:
        # Clips are summarized one at a time, so memory holds a single clip.
        known = [summarize([motion], asked) for motion in _motions(character, progress)]
        limit_set, _ = estimate_pooled((), asked, None, known)
        reject_still_estimate(limit_set)
    references = _references(character)
    made = Estimated(limit_set, _drawn_in(references), references)
    return _with_copy(made, character, values, folder) if values["apply"] else made


def _needs_every_clip(asked: EstimateOptions, values: Mapping[str, Any]) -> bool:
    """Whether the estimate needs frames that a summary does not hold."""
    exact = asked.frame == "advised" or asked.mode == "paper" or asked.rest.startswith("frame:")
    return exact or bool(values["coupled"])


def _motions(character: Character, progress: Progress | None) -> Iterator[Motion]:
    skeleton = None if character.skeleton is None else character.skeleton.path
    files = character.motions
    reading = FilesProgress(progress, [file.path for file in files])
    for file in files:
        yield read_motion(
            file.path,
            progress=reading.next(file.path),
            skeleton=skeleton,
            frame_rate=character.frame_rate,
            limits=character.limits,
        )


def _references(character: Character) -> tuple[NamedReference, ...]:
    """Targets of scene references, including missing ones."""
    scenes = [file for file in character.motions if file.shown.lower().endswith(".ma")]
    if not scenes:
        return ()
    # Imported here, as few characters of a batch are in scenes.
    from ..formats.maya_ascii import ReferencedJoints, index_scene

    indices = [index_scene(scene.path, character.limits) for scene in scenes]
    found = {
        one
        for index in indices
        if index.references
        for one in ReferencedJoints(index, character.limits).references
    }
    return tuple(sorted(found, key=lambda one: (one.scene, one.stored)))


def _drawn_in(references: Iterable[NamedReference]) -> tuple[SourceFile, ...]:
    """Files that scenes reference; once one changes, the result is out of date."""
    files = []
    for path in sorted({one.found for one in references if one.found is not None}):
        # The reader reported references that cannot be read; they are not part of the result.
        with contextlib.suppress(InputError):
            files.append(source_file(path))
    return tuple(files)


def _with_copy(
    made: Estimated, character: Character, values: Mapping[str, Any], folder: Path
) -> Estimated:
    """Write the limits into a copy of the scene; the input is not changed."""
    from ..formats.maya_ascii import apply_limit_set, apply_reoriented

    assert character.scene is not None, "the entry was checked"
    copy = folder / f"scene{COPY_ENDING}"
    wanted = {
        "replace": values["replace"],
        "lock_unmoved": values["lock_unmoved"],
        "limits": character.limits,
    }
    scene = character.scene.path
    if values["reorient"] is None:
        report = apply_limit_set(made.limit_set, scene, copy, **wanted)
    else:
        report, _ = apply_reoriented(made.limit_set, scene, copy, values["reorient"], **wanted)
    if not report.written and not report.unchanged:
        raise MayaAsciiError(character.scene.shown, "none of the limits' joints could be written")
    return replace(made, files={COPY_ENDING: copy}, details={"applied": _report_data(report)})


def _report_data(report: WriteReport) -> dict[str, Any]:
    """What was written and what was skipped, as plain data."""
    return {
        "written": {joint: list(names) for joint, names in report.written.items()},
        "unchanged": list(report.unchanged),
        "skipped": [
            {"joint": item.joint, "attribute": item.attribute, "reason": item.reason}
            for item in report.skipped
        ],
    }
