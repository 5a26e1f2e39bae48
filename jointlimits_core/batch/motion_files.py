"""Batch of motion files and saved scenes without Maya: ``python -m jointlimits_core.batch``."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..base import InputError, MayaAsciiError, Progress, options_of
from ..formats import motion_endings, needs_skeleton
from ..io import FilesProgress, SourceFile, single_threaded_algebra, source_file
from .command import BatchProgram, batch_main, run_batch
from .manifest import OPTIONS, Character, options_of_entry
from .results import Estimated

if TYPE_CHECKING:
    from ..estimation import EstimateOptions
    from ..formats.maya_ascii import NamedReference, WriteReport
    from ..limits import LimitSet
    from ..motion import Motion

COPY_ENDING, PAGE_ENDING = ".limits.ma", ".limits.html"
NAME, ESTIMATOR = "jointlimits batch", "files"
MODULE = "jointlimits_core.batch"
WRITING = (*("apply", "report", "replace", "lock_unmoved", "may_move", "filter_keys", "reorient"),)
"""Options of what is written that need no Maya."""
PER_PROCESS = 1000
"""Characters per worker process; no memory growth is known here."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, by default with the process's arguments; codes as of :mod:`.command`."""
    return batch_main(_program(), arguments, f"python -m {MODULE}", __doc__)


def run(options: argparse.Namespace) -> int:
    """Run the requested batch and return the exit code."""
    return run_batch(_program(), options)


def _program() -> BatchProgram:
    single_threaded_algebra()
    command = [sys.executable, "-m", MODULE]
    estimate = partial(estimate_entry, MotionFiles, OPTIONS)
    return BatchProgram(
        NAME, ESTIMATOR, lambda: estimate, check_entry, command, _environment(), PER_PROCESS
    )


def check_entry(character: Character) -> None:
    """Reject an entry that needs Maya with a ValueError that says what to write instead."""
    values = options_of_entry(character, OPTIONS)
    for name in _of_maya(character):
        raise ValueError(f"{name!r} needs the batch in Maya; remove it")
    endings = motion_endings()
    for file in character.motions:
        if not file.shown.lower().endswith(endings):
            raise ValueError(
                f"{file.shown!r} is not a motion file; expected one of {', '.join(endings)}"
            )
        if needs_skeleton(file.shown) and character.skeleton is None:
            raise ValueError(f"{file.shown!r} needs a skeleton; give its ASF file as 'skeleton'")
    if values["apply"] and not (character.scene and character.scene.shown.lower().endswith(".ma")):
        raise ValueError("'apply' needs a Maya scene; give a .ma file as 'scene'")
    if values["mode"] == "paper" and (values["apply"] or values["coupled"]):
        raise ValueError(
            "paper-mode limits are ZYZ angles, not rotate channels; remove apply and coupled"
        )


def _of_maya(character: Character) -> list[str]:
    """Options and keys of an entry that only Maya supports."""
    options = {item.name for item in options_of("write", "batch entry")} - set(WRITING)
    named = [name for name in ("root", "namespace", "joints") if getattr(character, name)]
    return [*sorted(options & set(character.options)), *named]


def _environment() -> Mapping[str, str]:
    """Environment in which a worker finds this package, installed or not."""
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, os.environ.get("PYTHONPATH", "")]
    found = {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}
    return {**os.environ, **found}


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
    # Imported here: the parent of the workers starts faster without it.
    from ..estimation import (
        EstimateOptions,
        estimate,
        estimate_pooled,
        reject_still_estimate,
        summarize,
        with_requested_shapes,
    )

    values = options_of_entry(character, groups)
    files = source(character, values)
    asked = EstimateOptions(**{item.name: values[item.name] for item in options_of("estimate")})
    motions: list[Motion] = []
    if _needs_every_clip(asked, values):
        motions = list(files.motions(progress))
        limit_set = estimate(motions, asked, progress)
        reject_still_estimate(limit_set)
        if values["coupled"]:
            limit_set = with_requested_shapes(limit_set, motions, values, asked, progress)
    else:
        # Clips are summarized one at a time, so memory holds a single clip.
        known = [summarize([motion], asked) for motion in files.motions(progress)]
        limit_set, _ = estimate_pooled((), asked, None, known)
        reject_still_estimate(limit_set)
    made = files.found(limit_set)
    if values["apply"]:
        made = files.with_copy(made, folder)
    if values["report"]:
        from ..report import write_report

        page, named = folder / f"report{PAGE_ENDING}", replace(limit_set, character=character.name)
        write_report(named, motions, page, progress, made.first)
        made = replace(made, files={**made.files, PAGE_ENDING: page})
    return made


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
        from ..formats import read_takes

        character = self._character
        reading = FilesProgress(progress, [file.path for file in character.motions])
        filters = self._values["apply"] and self._values["filter_keys"]
        for file in character.motions:
            if filters and file.path.suffix.lower() == ".ma":
                from ..formats.maya_ascii import read_filtered

                yield read_filtered(file.path, character.limits, self._values["replace"])
                continue
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
        from ..rig import entries_of

        scene, values = self._character.scene, self._values
        assert scene is not None, "the entry was checked"
        copy = folder / f"scene{COPY_ENDING}"
        names = ("replace", "lock_unmoved", "may_move", "filter_keys")
        wanted = {name: values[name] for name in names}
        wanted["limits"] = self._character.limits
        if values["reorient"] is None:
            report = apply_limit_set(made.limit_set, scene.path, copy, **wanted)
        else:
            limits, mode = made.limit_set, values["reorient"]
            report, _ = apply_reoriented(limits, scene.path, copy, mode, **wanted)
        if not (report.written or report.unchanged or report.left_off):
            raise MayaAsciiError(scene.shown, "none of the limits' joints could be written")
        return replace(
            made,
            files={**made.files, COPY_ENDING: copy},
            details={"applied": _report_data(report)},
            first=entries_of(report.left_off, report.moved, report.still_clamped, "the copy"),
        )


def _references(character: Character) -> tuple[NamedReference, ...]:
    """Targets of scene references, including missing ones."""
    scenes = [file for file in character.motions if file.shown.lower().endswith(".ma")]
    if not scenes:
        return ()
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
    filtered = {} if report.filtered is None else {"filtered": report.filtered.as_data()}
    return {
        **filtered,
        "written": {joint: list(names) for joint, names in report.written.items()},
        "unchanged": list(report.unchanged),
        "skipped": [
            {"joint": item.joint, "attribute": item.attribute, "reason": item.reason}
            for item in report.skipped
        ],
        "left_off": [asdict(one) for one in report.left_off],
        "moved": [asdict(one) for one in report.moved],
        "still_clamped": [asdict(one) for one in report.still_clamped],
    }
