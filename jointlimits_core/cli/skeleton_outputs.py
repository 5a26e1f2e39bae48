"""Files of ``jointlimits skeleton``: the skeleton, each figure's motions and their limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..bodies.body_fit import BodyFit
from ..bodies.build import pooled_motions
from ..bodies.doubt_findings import doubt_findings
from ..bodies.fit_document import write_body_fit
from ..file_names import file_name
from ..formats.as_in_maya import as_in_maya
from ..formats.bvh_writer import write_bvh
from ..formats.maya_ascii.motion_scene import write_motion_scene
from ..motion import Motion
from ..progress import Progress
from ..report.skeleton_page import write_skeleton_report

WRITERS = {"bvh": write_bvh, "ma": write_motion_scene}
"""Motion writers by file extension."""


@dataclass(frozen=True, eq=False)
class Figure:
    """One figure in all clips.

    Parameters
    ----------
    name : str
        Name of its limits and their files.
    ending : str
        File name part that tells figures apart; empty for a single figure.
    clips : tuple of Motion
        In centimetres, with joint names that Maya accepts, so that limits match the scenes.
    """

    name: str
    ending: str
    clips: tuple[Motion, ...]


def figures_of(fits: Sequence[BodyFit], name: str) -> list[Figure]:
    """Figures of a fit, the largest first.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, all of one skeleton.
    name : str
        Name of the skeleton.

    Raises
    ------
    EstimationError
        If no two bodies are joined.
    """
    found, doubts = pooled_motions(fits), doubt_findings(fits)
    figures = []
    for number, clips in enumerate(found, 1):
        ending = f".figure-{number}" if len(found) > 1 else ""
        own = tuple(doubt for doubt in doubts if doubt.joint in clips[0].joint_names)
        # Only on the first clip, so that each doubt is reported once.
        noted = (replace(clips[0], findings=(*clips[0].findings, *own)), *clips[1:])
        figures.append(Figure(name + ending, ending, tuple(map(as_in_maya, noted))))
    return figures


@dataclass(frozen=True)
class OutputPaths:
    """Paths of the outputs; `name` is the skeleton's."""

    folder: Path
    name: str

    def skeleton(self, ending: str) -> Path:
        """Path of the skeleton's own file, by extension such as "json"."""
        return self.folder / f"{file_name(self.name)}.skeleton.{ending}"

    def motion(self, figure: Figure, clip: Motion, ending: str) -> Path:
        """Path of a figure's motion in one clip."""
        return self.folder / f"{file_name(clip.name)}{figure.ending}.skeleton.{ending}"


def write_skeleton(
    fits: Sequence[BodyFit],
    figures: Sequence[Figure],
    paths: OutputPaths,
    report: bool,
    progress: Progress,
) -> list[Path]:
    """Write the skeleton and the motions of every figure; return the paths."""
    written = [paths.skeleton("json")]
    write_body_fit(fits, written[0])
    for figure in figures:
        for clip in figure.clips:
            for ending, write in WRITERS.items():
                progress(0, 1, f"writing {paths.motion(figure, clip, ending).name}")
                written.append(paths.motion(figure, clip, ending))
                write(clip, written[-1])
    if report:
        written.append(paths.skeleton("html"))
        write_skeleton_report(fits, written[-1], progress)
    return written
