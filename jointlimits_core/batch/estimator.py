"""Estimate of one manifest entry from a source of motions, such as its motion files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..base import InputError, MayaAsciiError, Progress, options_of
from ..estimation import (
    EstimateOptions,
    estimate,
    estimate_pooled,
    reject_still_estimate,
    summarize,
    with_requested_shapes,
)
from ..formats import read_takes
from ..io import FilesProgress, SourceFile, source_file
from ..limits import LimitSet
from ..motion import Motion
from .manifest import Character, options_of_entry
from .results import Estimated

if TYPE_CHECKING:
    from ..formats.maya_ascii import NamedReference, WriteReport

COPY_ENDING, PAGE_ENDING = ".limits.ma", ".limits.html"


class Source(Protocol):
    """Motions of one entry, and the files that they are read from."""

    def __init__(self, character: Character, values: Mapping[str, Any]) -> None:
        """Take an entry and the values of its options."""

    def motions(self, progress: Progress | None) -> Iterator[Motion]:
        """Read the motions one by one."""

    def found(self, limit_set: LimitSet) -> Estimated:
        """Limits with what was read besides the files in the manifest."""

    def with_copy(self, made: Estimated, folder: Path) -> Estimated:
        """Write the limits into a copy of the scene; the input is not changed."""


def estimate_entry(
    source: type[Source],
    groups: Iterable[str],
    character: Character,
    folder: Path,
    progress: Progress | None = None,
) -> Estimated:
    """Estimate one entry of a manifest; its options belong to the named groups.

    A copy of the scene and a page go into `folder`, if the entry asks for them. Raises InputError,
    and EstimationError if there is nothing to estimate from.
    """
    values = options_of_entry(character, groups)
    files = source(character, values)
    asked = EstimateOptions(**{item.name: values[item.name] for item in options_of("estimate")})
    motions: list[Motion] = []
    if _needs_every_clip(asked, values):
        motions = list(files.motions(progress))
        limit_set = estimate(motions, asked, progress)
        reject_still_estimate(limit_set)
        limit_set = with_requested_shapes(limit_set, motions, values, asked, progress)
    else:
        # Clips are summarized one at a time, so memory holds a single clip.
        known = [summarize([motion], asked) for motion in files.motions(progress)]
        limit_set, _ = estimate_pooled((), asked, None, known)
        reject_still_estimate(limit_set)
    made = files.found(limit_set)
    if values["report"]:
        # Imported here, as few batches write pages.
        from ..report import write_report

        page = folder / f"report{PAGE_ENDING}"
        write_report(replace(limit_set, character=character.name), motions, page, progress)
        made = replace(made, files={PAGE_ENDING: page})
    return files.with_copy(made, folder) if values["apply"] else made


def _needs_every_clip(asked: EstimateOptions, values: Mapping[str, Any]) -> bool:
    """Whether the estimate needs frames that a summary does not hold."""
    exact = asked.frame == "advised" or asked.mode == "paper" or asked.rest.startswith("frame:")
    return exact or bool(values["coupled"]) or bool(values["report"])


class MotionFiles:
    """Motion files and saved scenes of an entry, read without Maya."""

    def __init__(self, character: Character, values: Mapping[str, Any]) -> None:
        self._character, self._values = character, values

    def motions(self, progress: Progress | None) -> Iterator[Motion]:
        """Read the motions one by one."""
        character = self._character
        reading = FilesProgress(progress, [file.path for file in character.motions])
        for file in character.motions:
            yield from read_takes(
                file.path,
                progress=reading.next(file.path),
                skeleton=None if character.skeleton is None else character.skeleton.path,
                frame_rate=character.frame_rate,
                limits=character.limits,
            )

    def found(self, limit_set: LimitSet) -> Estimated:
        """Limits with the scenes' references, missing ones included."""
        references = _references(self._character)
        return Estimated(limit_set, _drawn_in(references), references)

    def with_copy(self, made: Estimated, folder: Path) -> Estimated:
        """Write the limits into a copy of the scene."""
        from ..formats.maya_ascii import apply_limit_set, apply_reoriented

        scene, values = self._character.scene, self._values
        assert scene is not None, "the entry was checked"
        copy = folder / f"scene{COPY_ENDING}"
        wanted = {name: values[name] for name in ("replace", "lock_unmoved")}
        wanted["limits"] = self._character.limits
        if values["reorient"] is None:
            report = apply_limit_set(made.limit_set, scene.path, copy, **wanted)
        else:
            limits, mode = made.limit_set, values["reorient"]
            report, _ = apply_reoriented(limits, scene.path, copy, mode, **wanted)
        if not report.written and not report.unchanged:
            raise MayaAsciiError(scene.shown, "none of the limits' joints could be written")
        return replace(
            made, files={**made.files, COPY_ENDING: copy}, details={"applied": _report_data(report)}
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
