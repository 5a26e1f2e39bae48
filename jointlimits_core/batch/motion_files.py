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

from ..base.errors import InputError, MayaAsciiError
from ..base.options import options_of
from ..base.progress import Progress
from ..formats.registry import motion_endings, needs_skeleton
from ..io import process, progress_line
from ..io.input import source_file
from .command import BatchProgram, batch_main, run_batch
from .manifest import OPTIONS, Character, ManifestFile, options_of_entry
from .results import Estimated

if TYPE_CHECKING:
    from ..formats.maya_ascii.scene_file import SceneFile
    from ..limits.limit_set import LimitSet
    from ..motion.motion import Motion

COPY_ENDING, PAGE_ENDING = ".limits.ma", ".limits.html"
NAME, ESTIMATOR = "jointlimits batch", "files"
MODULE = "jointlimits_core.batch"
WRITING = ("apply", "report", "replace", "lock_unmoved", "enable_driven", "may_move", "filter_keys")
"""Output options that work without Maya."""
CHARACTERS_PER_PROCESS = 1000
"""Number of characters per worker process; large, as no memory growth is known here."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; see :mod:`.command`.

    `arguments`: by default, the process's arguments.
    """
    return batch_main(_program(), arguments, f"python -m {MODULE}", __doc__)


def run(options: argparse.Namespace) -> int:
    """Run the requested batch and return the exit code."""
    return run_batch(_program(), options)


def _program() -> BatchProgram:
    process.single_threaded_algebra()
    command = [sys.executable, "-m", MODULE]
    estimate = partial(estimate_entry, MotionFiles, OPTIONS)
    # Workers must find this package even if it is not installed.
    paths = [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]
    python_path = os.pathsep.join(path for path in paths if path)
    environment = {**os.environ, "PYTHONPATH": python_path}
    return BatchProgram(
        NAME, ESTIMATOR, lambda: estimate, check_entry, command, environment, CHARACTERS_PER_PROCESS
    )


def check_entry(character: Character) -> None:
    """Raise ValueError, with advice, for an entry that cannot be estimated without Maya."""
    values = options_of_entry(character, OPTIONS)
    of_maya = {item.name for item in options_of("scene", "write", "batch entry")}
    of_maya -= {"controls", *WRITING}
    named = [name for name in ("root", "namespace", "joints") if getattr(character, name)]
    for name in (*sorted(of_maya & set(character.options)), *named):
        raise ValueError(f"{name!r} needs the batch in Maya; remove it")
    endings = motion_endings()
    for file in character.motions:
        if not file.shown.lower().endswith(endings):
            raise ValueError(
                f"{file.shown!r} is not a motion file; expected one of {', '.join(endings)}"
            )
        if needs_skeleton(file.shown) and character.skeleton is None:
            raise ValueError(f"{file.shown!r} needs a skeleton; give its ASF file as 'skeleton'")
    needed = any(needs_skeleton(file.shown) for file in character.motions)
    for name in ("frame_rate", "skeleton") if not needed else ():
        if getattr(character, name) is not None:
            raise ValueError(f"{name!r} is for AMC clips, and there are none; remove it")
    if values["apply"] and not (character.scene and character.scene.shown.lower().endswith(".ma")):
        raise ValueError("'apply' needs a Maya scene; give a .ma file as 'scene'")
    if values["mode"] == "paper" and (values["apply"] or values["coupled"]):
        raise ValueError(
            "paper-mode limits are ZYZ angles, not rotate channels; remove apply and coupled"
        )


class Source(Protocol):
    """Motions of one entry, and the files that they are read from."""

    def __init__(self, character: Character, values: Mapping[str, Any]) -> None:
        """Prepare to read an entry; `values`: values of all its options."""

    def motions(self, progress: Progress | None) -> Iterator[Motion]:
        """Read the motions one by one."""

    def with_sources(self, limit_set: LimitSet) -> Estimated:
        """Limits, with the files that were read but are not in the manifest."""

    def with_copy(self, made: Estimated, folder: Path) -> Estimated:
        """Write the limits into a copy of the scene; the input is not changed."""


def estimate_entry(
    source: type[Source],
    groups: Iterable[str],
    character: Character,
    folder: Path,
    progress: Progress | None = None,
) -> Estimated:
    """Estimate one entry of a manifest; `groups`: option groups that it may use.

    A copy of the scene and a page are written to `folder` if the entry requests them. Raises
    InputError, and EstimationError if there is nothing to estimate from.
    """
    # Imported late, so that the parent of the workers starts faster.
    from ..report.html.character_figure import bones_path
    from ..report.html.library_page import PICTURE_PIXELS

    values = options_of_entry(character, groups)
    files = source(character, values)
    pictures: list[tuple[int, str]] = []

    def read() -> Iterator[Motion]:
        for motion in files.motions(progress):
            pictures.append((motion.frame_count, bones_path(motion, PICTURE_PIXELS)))
            yield motion

    names = [file.path.stem for file in character.motions]
    limit_set, motions = _estimate(read(), names, values, progress)
    if character.people is not None:  # wherever the manifest is
        recorded = {**limit_set.options, "people": character.people.shown}
        limit_set = replace(limit_set, options=recorded)
    made = files.with_sources(limit_set)
    counts = {"clips": len(limit_set.clips), "joints": len(limit_set.joints)}
    # Picture of the longest clip.
    made = replace(made, details={**made.details, **counts, "bones": max(pictures)[1]})
    if values["apply"]:
        made = files.with_copy(made, folder)
    if values["report"]:
        from ..report.html.limits_page import write_report

        page, named = folder / f"report{PAGE_ENDING}", replace(limit_set, character=character.name)
        write_report(named, motions, page, progress, made.first)
        made = replace(made, files={**made.files, PAGE_ENDING: page})
    return made


def _estimate(
    clips: Iterator[Motion],
    names: Sequence[str],
    values: Mapping[str, Any],
    progress: Progress | None,
) -> tuple[LimitSet, list[Motion]]:
    """Limits of the clips, and the clips if a page needs them. `names`: those of the files."""
    from ..estimation import coupled, pipeline
    from ..estimation.options import EstimateOptions
    from ..motion.screening.rules import Screenings

    asked = EstimateOptions(**{item.name: values[item.name] for item in options_of("estimate")})
    if not (asked.needs_clips or values["coupled"] or values["report"]):
        # Clips are summarized one at a time, so that memory holds a single clip.
        known = (pipeline.summarize([motion], asked, names=names) for motion in clips)
        limit_set, _ = pipeline.estimate_pooled((), asked, None, known)
        pipeline.reject_still_estimate(limit_set)
        return limit_set, []
    motions, screenings = list(clips), Screenings() if values["coupled"] else None
    limit_set, _ = pipeline.estimate_pooled(motions, asked, progress, (), screenings)
    pipeline.reject_still_estimate(limit_set)
    if values["coupled"]:
        limit_set = coupled.with_requested_shapes(
            limit_set, motions, values, asked, progress, screenings
        )
    return limit_set, motions


class MotionFiles:
    """Motion files and saved scenes of an entry, read without Maya."""

    def __init__(self, character: Character, values: Mapping[str, Any]) -> None:
        self._character, self._values = character, values
        self._scene: SceneFile | None = None

    def _readable(self, file: ManifestFile) -> Path | SceneFile:
        """Path of a file; for the scene that will be copied, its parsed text."""
        scene = self._character.scene
        if not self._values["apply"] or scene is None or file.path != scene.path:
            return file.path
        if self._scene is None:
            from ..formats.maya_ascii.scene_file import SceneFile

            self._scene = SceneFile(file.path, self._character.limits)
        return self._scene

    def motions(self, progress: Progress | None) -> Iterator[Motion]:
        """Read the motions one by one."""
        from ..formats.registry import read_takes

        character = self._character
        reading = progress_line.FilesProgress(progress, [file.path for file in character.motions])
        filters = self._values["apply"] and self._values["filter_keys"]
        for file in character.motions:
            if filters and file.path.suffix.lower() == ".ma":
                from ..formats.maya_ascii.reader import read_with_filtered_keys

                how = (self._values[name] for name in ("replace", "controls"))
                yield read_with_filtered_keys(self._readable(file), character.limits, *how)
                continue
            yield from read_takes(
                self._readable(file),
                progress=reading.next(file.path),
                skeleton=None if character.skeleton is None else character.skeleton.path,
                frame_rate=character.frame_rate,
                limits=character.limits,
                controls=self._values["controls"],
            )

    def with_sources(self, limit_set: LimitSet) -> Estimated:
        """Limits, with the targets of the scenes' references, including missing targets."""
        character, found = self._character, set()
        for scene in character.motions:
            if not scene.shown.lower().endswith(".ma"):
                continue
            from ..formats.maya_ascii.references import NamedReference
            from ..formats.maya_ascii.scene_file import scene_file

            for one in scene_file(self._readable(scene), character.limits).scene.references:
                found.add(NamedReference(one.scene, one.stored_path, one.found))
        references = tuple(sorted(found, key=lambda one: (one.scene, one.stored)))
        files = []
        # The result is out of date as soon as a referenced file changes.
        for path in sorted({one.found for one in references if one.found is not None}):
            # The reader has already reported references that cannot be read.
            with contextlib.suppress(InputError):
                files.append(source_file(path))
        return Estimated(limit_set, tuple(files), references)

    def with_copy(self, made: Estimated, folder: Path) -> Estimated:
        """Write the limits into a copy of the scene."""
        from ..formats.maya_ascii.writer import apply_limit_set
        from ..rig.clamping import entries_of

        scene, values = self._character.scene, self._values
        assert scene is not None, "the entry was checked"
        copy = folder / f"scene{COPY_ENDING}"
        wanted = {name: values[name] for name in WRITING if name not in ("apply", "report")}
        report = apply_limit_set(
            made.limit_set, self._readable(scene), copy, limits=self._character.limits, **wanted
        )
        if not (report.written or report.unchanged or report.left_off):
            raise MayaAsciiError(scene.shown, "none of the joints with limits could be written")
        listed = {name: getattr(report, name) for name in ("left_off", "moved", "still_clamped")}
        data = {
            **({} if report.filtered is None else {"filtered": report.filtered.as_data()}),
            "written": {joint: list(names) for joint, names in report.written.items()},
            "unchanged": list(report.unchanged),
            "following": {joint: asdict(one) for joint, one in report.following.items()},
            "skipped": [
                {"joint": item.joint, "attribute": item.attribute, "reason": item.reason}
                for item in report.skipped
            ],
            **{name: [asdict(one) for one in found] for name, found in listed.items()},
        }
        return replace(
            made,
            files={**made.files, COPY_ENDING: copy},
            details={**made.details, "applied": data},
            first=entries_of(report.left_off, report.moved, report.still_clamped, "the copy"),
        )
