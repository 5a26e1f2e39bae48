"""Coupled limits of the document: fitted in the background, applied as one undo step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jointlimits_core.estimation.coupled import RULE, with_coupled_limits
from jointlimits_core.estimation.dependencies import with_dependencies
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.shapes.options import fit_options_of
from jointlimits_core.motion import Motion
from jointlimits_core.option_table import checked_options
from jointlimits_core.progress import Progress

from .files import DocumentError
from .long_work import LongWork
from .qt import Signal
from .refit import without_frames
from .state import Ignored, State, with_data
from .words import tr

if TYPE_CHECKING:
    from .document import Document


class Shaping(LongWork):
    """Fits shapes to the clips of a document.

    Notes
    -----
    `fitted` is emitted when the shapes are there; see also :class:`LongWork`.
    """

    fitted = Signal()

    def fit(self, **options: Any) -> None:
        """Fit a shape to every joint, and find dependencies between channels.

        Parameters
        ----------
        **options
            Of the option table's group "coupled".

        Raises
        ------
        DocumentError
            If there are no limits, some of their clips are not open, or they are not on rotate
            channels.
        ValueError
            For an unknown option or an invalid value.
        """
        values = checked_options(options, ("coupled",))
        state = self._document.state
        data, clips = _usable(self._document)

        def work(progress: Progress) -> LimitSet:
            return with_shapes(data, clips, state.ignored, state.options, values, progress)

        def done(found: LimitSet) -> None:
            self._done(state, found, str(values["shape"]))

        self._start(work, done)

    def _done(self, before: State, found: LimitSet, kind: str) -> None:
        now = self._document.state
        if now.data is not before.data:
            raise DocumentError(tr("the limits have changed meanwhile; press Fit shapes again"))
        self._document.push(tr("Fit shapes ({kind})", kind=kind), with_data(now, found))
        self.fitted.emit()


def with_shapes(
    data: LimitSet,
    clips: Sequence[Motion],
    ignored: Ignored,
    asked: EstimateOptions,
    values: Mapping[str, Any],
    progress: Progress | None = None,
) -> LimitSet:
    """Limits with new shapes in place of the old ones.

    Parameters
    ----------
    data : LimitSet
        Without edits.
    clips : sequence of Motion
        Including the excluded ones.
    values : mapping
        Values of all options of the group "coupled".
    progress : callable, optional
    """
    taken = [clip for clip in clips if clip.name not in ignored.clips]
    left = [without_frames(clip, ignored.frames_of(clip.name)) for clip in taken]
    fit = fit_options_of(values)
    found = with_coupled_limits(_bare(data), left, values["shape"], fit, asked, progress)
    return with_dependencies(found, left, asked, progress, fit.pad_deg)


def _bare(data: LimitSet) -> LimitSet:
    """Limits without shapes, and without the findings about them."""
    joints = {
        name: replace(
            joint,
            coupled=None,
            findings=tuple(item for item in joint.findings if item.rule != RULE),
        )
        for name, joint in data.joints.items()
    }
    return replace(data, joints=joints, dependencies=())


def _usable(document: Document) -> tuple[LimitSet, tuple[Motion, ...]]:
    """Data and clips to fit shapes to."""
    data, absent = document.data, document.clips_not_open
    if data.mode == "paper":
        raise DocumentError(
            tr("shapes need rotate channels, which these limits do not have: press Estimate first")
        )
    if absent or not document.clips:
        names = ", ".join(absent[:4]) + (", ..." if len(absent) > 4 else "")
        raise DocumentError(
            tr("shapes are fitted to every frame. Open the motion first: {names}", names=names)
        )
    return data, document.clips
