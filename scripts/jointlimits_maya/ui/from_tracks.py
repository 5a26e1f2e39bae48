"""From files of loose bodies to figures that move: what is worked out beside the main thread."""

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
"""How names of files end that have tracks of loose bodies."""


@dataclass(frozen=True, eq=False)
class Figure:
    """One figure that was found.

    Parameters
    ----------
    clips : tuple of Motion
        One for each file, all of one skeleton; names differ.
    traces : Traces
        How well its joints hold in each of them.
    """

    clips: tuple[Motion, ...]
    traces: Traces

    @property
    def words(self) -> str:
        """What to call it beside others."""
        names = self.clips[0].joint_names
        said = counted(len(names), "{count} joint", "{count} joints")
        return tr("{root}, {said}", root=names[0], said=said)


def has_tracks(path: str) -> bool:
    """Whether a file has tracks of loose bodies, by its name."""
    return path.lower().endswith(ENDINGS)


def figures_in(
    paths: Sequence[str], values: Mapping[str, Any], progress: Progress | None = None
) -> tuple[Figure, ...]:
    """Find the figures in files of tracks, all of the same bodies.

    Parameters
    ----------
    values : mapping
        Of every option of the groups "bodies" and "tracks".
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
        If no two bodies are joined, or there are too few of them, or too few frames.
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
    # Said once, whatever the number of clips.
    clips = (replace(clips[0], findings=(*clips[0].findings, *own)), *clips[1:])
    built = tuple(as_in_maya(clip) for clip in clips)
    names = dict(zip(bodies, built[0].joint_names))
    found = {
        clip.name: {names[body]: trace for body, trace in traces_of(fit).items() if body in names}
        for clip, fit in zip(clips, fits)
    }
    return Figure(built, found)
