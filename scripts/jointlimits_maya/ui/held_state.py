"""State of the document with its undo history and change signals."""

from __future__ import annotations

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion import Motion
from jointlimits_core.report.samples import JointSamples, samples_of

from . import files, sides
from .edits import Change
from .files import DocumentError
from .history import History, Step
from .qt import QtCore, Signal
from .state import Ignored, State, changed_joints, edited
from .traces import Trace
from .words import tr

MOST_STEPS = 200
"""Maximum number of undo steps."""


class HeldState(QtCore.QObject):
    """A state that changes only by undo steps, and what is derived from it.

    Parameters
    ----------
    parent : QObject, optional

    Attributes
    ----------
    undo_stack : History
        All steps; clean means saved.

    Notes
    -----
    Signals: `opened` (everything is new), `changed` (frozenset of the joints whose limits changed),
    `clips_changed`, `options_changed` (options or exclusions), and before any of these
    `whom_changed` (the Character of the host that everything is about, or None).
    """

    whom_changed = Signal(object)

    opened = Signal()
    changed = Signal(object)
    clips_changed = Signal()
    options_changed = Signal()

    def __init__(self, parent: QtCore.QObject | None = None) -> None:
        super().__init__(parent)
        self._state = State()
        self._samples: dict[str, JointSamples] = {}
        self._partners: dict[str, sides.Partner] | None = None
        self.undo_stack = History(self._show, MOST_STEPS, self)

    @property
    def state(self) -> State:
        """Everything that is open."""
        return self._state

    @property
    def has_limits(self) -> bool:
        """Whether there are limits."""
        return self._state.limits is not None

    @property
    def limits(self) -> LimitSet:
        """Limits in force, with the artist's edits.

        Raises
        ------
        DocumentError
            If there are none.
        """
        return _there(self._state.limits)

    @property
    def data(self) -> LimitSet:
        """Limits without the artist's edits; raises as :attr:`limits`."""
        return _there(self._state.data)

    @property
    def clips(self) -> tuple[Motion, ...]:
        """Open clips, including the excluded ones."""
        return self._state.clips

    @property
    def options(self) -> EstimateOptions:
        """Options of the estimate."""
        return self._state.options

    @property
    def ignored(self) -> Ignored:
        """Frames and clips excluded from the estimate."""
        return self._state.ignored

    def trace(self, clip: str, joint: str) -> Trace | None:
        """Fit of a joint in a clip, if its skeleton was found in loose bodies."""
        return self._state.traces.get(clip, {}).get(joint)

    @property
    def clips_not_open(self) -> tuple[str, ...]:
        """Names of the clips that the limits come from and that are not open."""
        data = self._state.data
        return () if data is None else files.clips_missing(data, self.clips)

    @property
    def partners(self) -> dict[str, sides.Partner]:
        """Partner on the other side of every joint that has one."""
        if self._partners is None:
            self._partners = sides.partners_of(self.data, self.clips)
        return self._partners

    def samples(self, joint: str) -> JointSamples:
        """Samples of a joint used in the estimate, on the branch of the data; cached."""
        if joint not in self._samples:
            self._samples[joint] = samples_of(self.data, joint, self.clips)
        return self._samples[joint]

    def do(self, text: str, change: Change, gesture: int | None = None) -> None:
        """Change edits as one undo step."""
        after = edited(self._state, change.put, change.taken)
        if after is not self._state and after.edits != self._state.edits:
            self.push(text, after, gesture)

    def push(self, text: str, after: State, gesture: int | None = None) -> None:
        """Go to a state as one undo step; steps of one gesture become one."""
        self.undo_stack.push(Step(text, self._state, after, gesture))

    def begin(self, state: State) -> None:
        """Start with a new state and an empty history."""
        self._state = state
        self._samples, self._partners = {}, None
        self.whom_changed.emit(state.whom)
        self.undo_stack.clear()
        self.undo_stack.setClean()
        self.opened.emit()

    def _show(self, before: State, after: State) -> None:
        self._state = after
        if before.data is not after.data or before.clips is not after.clips:
            self._samples, self._partners = {}, None
        if before.whom is not after.whom:
            self.whom_changed.emit(after.whom)
        if before.clips is not after.clips:
            self.clips_changed.emit()
        if before.options != after.options or before.ignored != after.ignored:
            self.options_changed.emit()
        names = changed_joints(before, after)
        if names or before.limits is not after.limits:
            self.changed.emit(names)


def _there(limits: LimitSet | None) -> LimitSet:
    if limits is None:
        raise DocumentError(tr("there are no limits yet: open a limit set, or estimate"))
    return limits
