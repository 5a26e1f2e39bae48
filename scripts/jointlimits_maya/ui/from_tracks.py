"""Skeletons and clips from files of loose bodies; runs off the main thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jointlimits_core.bodies.body_fit import BodyFit
from jointlimits_core.bodies.build import pooled_motions
from jointlimits_core.bodies.doubt_findings import doubt_findings
from jointlimits_core.bodies.options import body_options_of
from jointlimits_core.bodies.pooled import fit_pooled
from jointlimits_core.findings import Finding
from jointlimits_core.formats.as_in_maya import as_in_maya
from jointlimits_core.formats.read_clips import read_clips
from jointlimits_core.motion import Motion
from jointlimits_core.progress import Progress

from .files import must_be_there
from .traces import Traces, traces_of
from .words import counted, tr

ENDINGS = (".c3d", ".csv", ".tsv", ".txt")
"""Extensions of files with tracks of loose bodies."""


@dataclass(frozen=True, eq=False)
class Figure:
    """One skeleton that was found, with its motion.

    Parameters
    ----------
    clips : tuple of Motion
        One for each file, all with the same skeleton and different names.
    traces : Traces
        Fit of its joints in each clip.
    """

    clips: tuple[Motion, ...]
    traces: Traces

    @property
    def words(self) -> str:
        """Label of the figure in a list."""
        names = self.clips[0].joint_names
        count = counted(len(names), "{count} joint", "{count} joints")
        return tr("{root}, {count}", root=names[0], count=count)


def has_tracks(path: str) -> bool:
    """Whether a file has tracks of loose bodies, by its extension."""
    return path.lower().endswith(ENDINGS)


def figures_in(
    paths: Sequence[str], values: Mapping[str, Any], progress: Progress | None = None
) -> tuple[Figure, ...]:
    """Find the figures in files of tracks of the same bodies.

    Parameters
    ----------
    values : mapping
        Values of all options of the groups "bodies" and "tracks".
    progress : callable, optional

    Returns
    -------
    tuple of Figure
        The largest first.

    Raises
    ------
    InputError
        If a file cannot be read.
    EstimationError
        If no two bodies are joined, or there are too few bodies or frames.
    Cancelled
    """
    for path in paths:
        must_be_there(path)
    clips = read_clips(paths, values, progress=progress)
    fits = fit_pooled(clips, body_options_of(values), progress)
    doubts = doubt_findings(fits)
    return tuple(_figure(clips, fits, doubts) for clips in pooled_motions(fits))


def _figure(clips: Sequence[Motion], fits: Sequence[BodyFit], doubts: Sequence[Finding]) -> Figure:
    bodies = clips[0].joint_names
    own = tuple(doubt for doubt in doubts if doubt.joint in bodies)
    # Reported once, whatever the number of clips.
    clips = (replace(clips[0], findings=(*clips[0].findings, *own)), *clips[1:])
    built = tuple(as_in_maya(clip) for clip in clips)
    names = dict(zip(bodies, built[0].joint_names))
    found = {
        clip.name: {names[body]: trace for body, trace in traces_of(fit).items() if body in names}
        for clip, fit in zip(clips, fits)
    }
    return Figure(built, found)
