"""State of the document at one moment: immutable data.

An undo step is two states. They share everything that did not change, so many of them cost little.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.limits.edits import ArtistEdit, combined
from jointlimits_core.limits.frames import same_frame
from jointlimits_core.limits.layers import with_edits, without_edits
from jointlimits_core.limits.limit_set import JointLimit, LimitSet
from jointlimits_core.motion import Motion
from jointlimits_core.wording import names_words

from .host import Character
from .traces import Traces
from .words import tr

SAME_FRAME_DEG = 1e-3
"""Orientations that differ less than this, by rounding, are the same."""

EditKey = tuple[str, str, "str | None"]
"""Key of an edit: joint, target, channel."""


@dataclass(frozen=True)
class Ignored:
    """Clips and frames that the artist excluded from the estimate.

    Parameters
    ----------
    clips : frozenset of str
        Whole clips.
    frames : frozenset of (clip, frame)
    """

    clips: frozenset[str] = frozenset()
    frames: frozenset[tuple[str, float]] = frozenset()

    def frames_of(self, clip: str) -> tuple[float, ...]:
        """Frames of one clip, increasing."""
        return tuple(sorted(frame for name, frame in self.frames if name == clip))

    def among(self, clips: Iterable[str]) -> Ignored:
        """The exclusions that concern some clips."""
        names = set(clips)
        frames = frozenset(place for place in self.frames if place[0] in names)
        return Ignored(self.clips & names, frames)


@dataclass(frozen=True, eq=False)
class State:
    """State of the document.

    Parameters
    ----------
    data : LimitSet, optional
        Limits from the motion, the other side and the prior, without edits.
    limits : LimitSet, optional
        Limits in force: `data` with the artist's edits.
    clips : tuple of Motion
        Clips with unique names, including the excluded ones.
    options : EstimateOptions
        Options for the next estimate; after one, those that `data` was made with.
    whom : Character, optional
        Character of the host that the limits are of; None if they are only from files.
    traces : Traces
        Joint fit of a skeleton that was found in loose bodies; only for such clips.
    """

    data: LimitSet | None = None
    limits: LimitSet | None = None
    clips: tuple[Motion, ...] = ()
    options: EstimateOptions = field(default_factory=EstimateOptions)
    ignored: Ignored = Ignored()
    whom: Character | None = None
    traces: Traces = field(default_factory=dict)

    @property
    def edits(self) -> tuple[ArtistEdit, ...]:
        """All edits of the artist."""
        return () if self.limits is None else self.limits.edits


def state_of(limit_set: LimitSet, **others: Any) -> State:
    """State of a limit set with or without edits; `others` are further fields."""
    return State(without_edits(limit_set), limit_set, **others)


def with_data(state: State, data: LimitSet) -> State:
    """Apply the same edits to other data.

    Raises
    ------
    ValueError
        If an edit does not fit, or was made in another orientation of its joint; the message
        names the joint.
    """
    held = state.edits
    if state.data is not None and held:
        _must_mean_the_same(held, state.data, data)
    return replace(state, data=data, limits=with_edits(data, held) if held else data)


def _must_mean_the_same(edits: Sequence[ArtistEdit], before: LimitSet, after: LimitSet) -> None:
    """Refuse edits on joints whose orientation changed: their numbers mean other angles."""
    joints = dict.fromkeys(edit.joint for edit in edits if edit.channel is not None)
    turned = [
        name
        for name in joints
        if name in before.joints
        and name in after.joints
        and not same_frame(before.joints[name].frame, after.joints[name].frame, SAME_FRAME_DEG)
    ]
    if turned:
        text = tr(
            "{joints}: edited in another orientation (rotate order, jointOrient or rotateAxis), in "
            "which the numbers mean other angles. Reset these edits and repeat this; undo "
            "restores them"
        )
        raise ValueError(text.format(joints=names_words(turned)))


def edited(state: State, put: Sequence[ArtistEdit] = (), taken: Collection[EditKey] = ()) -> State:
    """Add edits and remove others; only their joints are computed again.

    Parameters
    ----------
    state : State
        With a limit set.
    taken : collection of (joint, target, channel)
        Keys of edits to remove first; missing ones are skipped.

    Returns
    -------
    State
        `state` itself if there is nothing to do.

    Raises
    ------
    ValueError
        If an edit does not fit; the message names it.
    """
    data, limits = state.data, state.limits
    if data is None or limits is None:
        raise ValueError(tr("there are no limits yet: open a limit set, or estimate"))
    gone = set(taken)
    touched = dict.fromkeys(
        [edit.joint for edit in put] + [edit.joint for edit in limits.edits if edit.key in gone]
    )
    if not touched:
        return state
    kept = [edit for edit in limits.edits if edit.key not in gone]
    if not set(touched) <= set(data.joints):
        return replace(state, limits=with_edits(data, combined(tuple(kept), tuple(put))))
    joints, records = dict(limits.joints), _by_joint(kept)
    for name in touched:
        own = [edit for edit in put if edit.joint == name]
        wanted = combined(tuple(records.get(name, ())), tuple(own))
        joints[name], records[name] = _edited_joint(data, name, wanted)
    edits = tuple(edit for own in records.values() for edit in own)
    return replace(state, limits=replace(limits, joints=joints, edits=edits))


def changed_joints(before: State, after: State) -> frozenset[str]:
    """Names of the joints whose limits differ, including those in only one state."""
    first = {} if before.limits is None else before.limits.joints
    second = {} if after.limits is None else after.limits.joints
    return frozenset(
        name for name in {**first, **second} if first.get(name) is not second.get(name)
    )


def _by_joint(edits: Iterable[ArtistEdit]) -> dict[str, list[ArtistEdit]]:
    found: dict[str, list[ArtistEdit]] = {}
    for edit in edits:
        found.setdefault(edit.joint, []).append(edit)
    return found


def _edited_joint(
    data: LimitSet, name: str, edits: tuple[ArtistEdit, ...]
) -> tuple[JointLimit, list[ArtistEdit]]:
    """One joint with its edits, and the edits with the values they replaced."""
    if not edits:
        return data.joints[name], []
    alone = replace(data, joints={name: data.joints[name]}, findings=())
    found = with_edits(alone, edits)
    return found.joints[name], list(found.edits)
