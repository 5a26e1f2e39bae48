"""Merging of several limit sets of one character.

Union and intersection apply to what the sets allow, that is, to their ranges with the artist's
edits. Measured ranges are merged if the edits that decide the result can be kept on top of them;
otherwise the edited ranges are merged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from math import inf
from typing import NamedTuple, TypeVar

from ..base import errors, options
from ..base.findings import Finding
from ..base.text import names_words, plural
from ..shapes.joined import joined_shape
from . import common_turns, layers
from .limit_set import AxisLimit, AxisSource, Hinge, JointLimit, LimitSet
from .ranges import intersection_of, make_range, same_orientation, span_of, union_of, with_limits
from .records import BOUNDS, JOINT_TYPES, ArtistEdit, combine_edits
from .symmetry import SAME_HINGE_DEG, hinges_off_deg, joined_hinge, same_way
from .vocabulary import range_words

MERGE_METHODS = ("union", "people", "intersection", "layers")
PEOPLE_RANK = 2
"""Number of people who must reach an angle for it to be within the limits of people."""
CHARACTERS, EDIT_DROPPED = "merged-characters", "edit-dropped"
SHAPE_DROPPED, DEPENDENCY_DROPPED = "shape-dropped", "dependency-dropped"
_STATES = ("locked", "limited", "free")
"""Channel states, from the least to the most freedom."""
_STRENGTHS = {"prior": 0, "people": 0, "observed": 1, "padded": 1, "artist": 2}
"""Strength of a limit by its kind."""
SAME_BOUND_DEG = 1e-9
MAX_EMPTY_NAMED = 4
"""Maximum number of channels without a common angle that a message names."""


def merge(
    base: LimitSet, others: Sequence[LimitSet], how: str = "union", edits_win: bool = False
) -> LimitSet:
    """Merge limit sets of one character.

    Joints in only one set are kept unchanged. Ranges are first brought to common turns and Euler
    branches. Clips are listed once. A union of shapes is a hull around them; in other merges, or if
    a set has none, a shape is kept only if all sets have the same one. Findings list the shapes and
    edits that were dropped. Raises LimitSetError, naming the joint, for limits in different
    orientations or an empty intersection, and if some sets are for joints and others for controls.
    Raises ValueError for an unknown `how`. `base`: provides the name; with "layers" it comes first.
    `how`: "union" contains every pose that any set contains, "intersection" the poses common to
    all, edits included; neither depends on the order of the sets. "people" takes each min and max
    that :data:`PEOPLE_RANK` sets reach, edits included, one set per person. "layers" takes each min
    and max from the strongest layer (artist over data over prior), and among equally strong ones
    from the last set. `edits_win`: keep every edit, even one that "union" or "intersection" would
    drop; of two edits of the same property, keep the one that allows more (union) or less
    (intersection).
    """
    if how not in MERGE_METHODS:
        raise ValueError(f"how must be one of {', '.join(MERGE_METHODS)}, not {how!r}")
    given = [base, *others]
    for item in others:
        if item.mode != base.mode:
            text = f"cannot merge limits of mode {item.mode!r} with limits of mode {base.mode!r}"
            raise errors.LimitSetError(item.character, text)
        if item.of_controls != base.of_controls:
            text = f"limits {item.noun}s, but {base.character} limits {base.noun}s; merge one kind"
            raise errors.LimitSetError(item.character, text)
        if item.character != base.character and not set(item.joints) & set(base.joints):
            text = f"has no joint in common with {base.character}; merge sets of one character"
            raise errors.LimitSetError(item.character, text)
    if how == "people":
        given = _without_repeats(given)
        if others and len(given) < PEOPLE_RANK:
            text = "all sets are the same; give one set per person, as each person counts once"
            raise errors.LimitSetError(base.character, text)
        given, how = _as_people(given), "union"
        base = given[0]
    sets = _without_repeats(given)
    if len(sets) == 1:
        return base
    if how != "layers":
        sets.sort(key=lambda item: json.dumps(item.to_dict()))
    if edits_win:
        sets = common_turns.with_edits_on_own_turns(sets)
    sets = common_turns.on_common_turns(sets, how)
    if how == "layers" or edits_win:
        merged = _with_winning_edits(sets, how)
    else:
        merged = _with_deciding_edits(sets, how)
    merged = _with_findings(merged, [*merged.findings, *_notes(sets, merged)])
    return replace(merged, character=base.character)


def _without_repeats(sets: Sequence[LimitSet]) -> list[LimitSet]:
    return [item for row, item in enumerate(sets) if item not in sets[:row]]


def _as_people(sets: Sequence[LimitSet]) -> list[LimitSet]:
    """Sets whose limits go no further than :data:`PEOPLE_RANK` of them reach, edits included."""
    sets = common_turns.on_common_turns(sets, "union")
    joints: list[dict[str, JointLimit]] = [{} for _ in sets]
    for name in dict.fromkeys(name for item in sets for name in item.joints):
        own = [item.joints[name] for item in sets if name in item.joints]
        if len(own) < PEOPLE_RANK:
            continue
        _check({name: own}, "union")
        limits = {
            c: union_of(*(one.limits[c] for one in own), rank=PEOPLE_RANK) for c in own[0].limits
        }
        shapes = [one.coupled for one in own if one.coupled is not None]
        shape = joined_shape(shapes, PEOPLE_RANK) if len(shapes) == len(own) else None
        lost = [_shape_dropped(name, "people")] if shapes and shape is None else []
        for made, item in zip(joints, sets):
            if name in item.joints:
                joint = replace(item.joints[name], coupled=shape)
                joint = _with_findings(joint, [*joint.findings, *lost])
                made[name] = with_limits(joint, limits)
    return [
        replace(item, joints={**item.joints, **made}, edits=()) for item, made in zip(sets, joints)
    ]


def _with_winning_edits(sets: Sequence[LimitSet], how: str) -> LimitSet:
    """Merged measured limits with the winning edits; in "layers", the last edit of each property.

    If any set frees or locks a channel, all edits of that channel come from a single set.
    """

    def freedom(group: Iterable[ArtistEdit]) -> tuple[int, float, float]:
        values = {edit.target: edit.value for edit in group}
        state = _STATES.index(str(values.get("state", "limited")))
        low, high = (values.get(end) for end in BOUNDS)
        width = high - low if isinstance(low, float) and isinstance(high, float) else inf
        return state, width, -abs(low) if isinstance(low, float) else 0.0

    edits: list[ArtistEdit] = []
    every = [edit for item in sets for edit in item.edits]
    for place in dict.fromkeys((edit.joint, edit.channel) for edit in every):
        own = [[e for e in s.edits if (e.joint, e.channel) == place] for s in sets]
        groups = [group for group in own if group]
        if any(edit.target == "state" for group in groups for edit in group):
            # The set that allows the most (union) or the least (intersection).
            favoured = max if how == "union" else min
            edits += groups[-1] if how == "layers" else favoured(groups, key=freedom)
            continue
        for one in combine_edits(*map(tuple, groups)):
            same = [edit for group in groups for edit in group if edit.key == one.key]
            edits.append(one if how == "layers" else _winner(same, how))
    order = list(dict.fromkeys(edit.key for edit in every))
    edits.sort(key=lambda edit: order.index(edit.key))
    data = _merge_sets(list(map(layers.without_edits, sets)), how)
    found = layers.with_edits(data, edits) if edits else data
    notes = [_dropped_note(edit, None, how) for edit in every if not _is_among(edit, edits)]
    return _with_findings(found, [*found.findings, *notes]) if notes else found


def _winner(edits: Sequence[ArtistEdit], how: str) -> ArtistEdit:
    """Edit of a property that allows the most (union) or the least (intersection)."""
    first = edits[0]
    if first.target == "note":
        parts = sorted({part for edit in edits for part in str(edit.value).split("; ")})
        return replace(first, value="; ".join(parts))
    if first.target == "orientation":
        if any(edit.value != first.value for edit in edits):
            text = "its orientation was edited differently in the sets"
            raise errors.LimitSetError(first.joint, text)
        return first
    order = {"state": _STATES, "type": JOINT_TYPES}.get(first.target)

    def freedom(edit: ArtistEdit) -> float:
        if order is not None:
            return order.index(str(edit.value))
        if not isinstance(edit.value, (int, float)):  # a pin, on a joint that is in no set
            return 0.0
        return edit.value if first.target == "max" else -edit.value

    return (max if how == "union" else min)(edits, key=freedom)


def _with_deciding_edits(sets: Sequence[LimitSet], how: str) -> LimitSet:
    """Merged limits of the edited sets; the edits that decide these limits are kept."""
    data = list(map(layers.without_edits, sets))
    # Edited limits, without a record of edits, in the orientations in which they were measured.
    plain = []
    for item, measured in zip(sets, data):
        joints = {
            name: replace(joint, orientation=was.orientation, findings=was.findings)
            for (name, joint), was in zip(item.joints.items(), measured.joints.values())
        }
        plain.append(replace(item, joints=joints, findings=measured.findings, edits=()))
    target = _merge_sets(plain, how)
    joints, kept, notes = dict(target.joints), list[ArtistEdit](), list(target.findings)
    edits = [edit for item in sets for edit in item.edits]
    for name in dict.fromkeys(edit.joint for edit in edits):
        own = [edit for edit in edits if edit.joint == name]
        holders = [
            _Side(was.joints[name], item.joints[name], [e for e in item.edits if e.joint == name])
            for item, was in zip(sets, data)
            if name in item.joints
        ]
        is_alike = all(one == holders[0] for one in holders)
        if holders and is_alike and len(own) == sum(len(one.edits) for one in holders):
            joints[name], keeps = holders[0].measured, holders[0].edits
        elif holders:
            joints[name], keeps = _joint_under_edits(target.joints[name], holders, own, how)
        else:
            keeps = _fitting(own, None)
            notes += [_dropped_note(edit, None, how) for edit in own if not _is_among(edit, keeps)]
        kept += keeps
    found = _with_findings(replace(target, joints=joints), notes)
    return layers.with_edits(found, kept) if kept else found


class _Side(NamedTuple):
    """A joint of one set: as measured, as edited, and its edits."""

    measured: JointLimit
    edited: JointLimit
    edits: list[ArtistEdit]

    def with_edits_kept(self, keeps: Sequence[ArtistEdit]) -> JointLimit:
        """Joint with measured ranges for channels whose edits are all kept, else edited ones."""
        lost = {edit.channel for edit in self.edits if not _is_among(edit, keeps)}
        frame, findings = self.measured.orientation, self.measured.findings
        if None in lost:
            return replace(self.edited, orientation=frame, findings=findings)
        limits = {
            name: self.edited.limits[name] if name in lost else axis
            for name, axis in self.measured.limits.items()
        }
        return with_limits(self.measured, limits) if lost else self.measured


def _fitting(edits: Sequence[ArtistEdit], joint: JointLimit | None) -> list[ArtistEdit]:
    """Edits of one joint that agree with the merged joint; notes are joined.

    For a joint that is in no set, the edits that do not contradict each other.
    """
    found = []
    for key in dict.fromkeys(edit.key for edit in edits):
        same = [edit for edit in edits if edit.key == key]
        first, agree = same[0], all(edit.value == same[0].value for edit in same)
        if first.target == "note":
            found.append(_winner(same, "union"))
        elif joint is None or first.target == "orientation":
            found += [first] if agree else []
        else:
            found += [edit for edit in same if _fits(edit, joint)][:1]
    return found


def _fits(edit: ArtistEdit, joint: JointLimit) -> bool:
    if edit.target == "type":
        return edit.value == joint.type
    axis = joint.limits.get(str(edit.channel), AxisLimit("free"))
    if edit.target == "state":
        return edit.value == axis.state
    bound, value = axis.bound_deg(edit.target), edit.value
    is_number = bound is not None and isinstance(value, (int, float))
    return is_number and abs(value - bound) <= SAME_BOUND_DEG  # type: ignore[operator]


def _is_among(edit: ArtistEdit, edits: Iterable[ArtistEdit]) -> bool:
    """Whether `edits` contain the same property and value; always true for a note."""
    is_kept = any(edit.key == one.key and edit.value == one.value for one in edits)
    return is_kept or edit.target == "note"


def _joint_under_edits(
    wanted: JointLimit, holders: Sequence[_Side], edits: Sequence[ArtistEdit], how: str
) -> tuple[JointLimit, list[ArtistEdit]]:
    """Joint, and as many edits as possible, that together give the wanted limits."""
    fitting = _fitting(edits, wanted)
    words = [edit for edit in fitting if edit.target in ("note", "orientation")]
    bounds = [edit for edit in fitting if edit.target in BOUNDS]
    tries = [(wanted, fitting), (wanted, [*bounds, *words]), (wanted, words)]
    sides = [holder.with_edits_kept(fitting) for holder in holders]
    if how == "union" or not _empty_channels(sides):
        tries.insert(0, (_merge_joint(edits[0].joint, sides, how), fitting))
    joint, keeps = next((joint, kept) for joint, kept in tries if _gives(joint, kept, wanted))
    notes = [_dropped_note(edit, wanted, how) for edit in edits if not _is_among(edit, keeps)]
    return _with_findings(joint, [*joint.findings, *notes]), keeps


def _gives(joint: JointLimit, edits: Sequence[ArtistEdit], wanted: JointLimit) -> bool:
    """Whether edits give a joint the wanted type and limits."""
    try:
        made = layers.edited_joint(joint, edits)[0] if edits else joint
    except ValueError:
        return False
    return made.type == wanted.type and all(
        (one.state, one.min_deg, one.max_deg) == (axis.state, axis.min_deg, axis.max_deg)
        for one, axis in zip(made.limits.values(), wanted.limits.values())
    )


def _dropped_note(edit: ArtistEdit, wanted: JointLimit | None, how: str) -> Finding:
    """Note about an edit that contradicts the merged limits, or can no longer be undone."""
    place = " ".join(part for part in (edit.channel, edit.target) if part)
    value = f"{edit.value:g}" if isinstance(edit.value, (int, float)) else edit.value or "a pin"
    if edit.target == "orientation":
        text = "edit of its orientation dropped: the sets have different ones"
    elif wanted is None:
        text = f"edit of {place} to {value} dropped: the sets edit it differently"
    elif _fits(edit, wanted):
        text = f"edit of {place} to {value} is now part of the limits and cannot be undone"
    else:
        now = wanted.type if edit.channel is None else range_words(wanted.limits[edit.channel])
        end = f"; {options.option('edits_win').flag} keeps it"
        text = f"edit of {place} to {value} dropped: the {how} is {now}{end}"
    return Finding(EDIT_DROPPED, text, edit.joint)


def _merge_sets(sets: Sequence[LimitSet], how: str) -> LimitSet:
    """Merged limits of sets without edits; "layers" merges the sets one after another."""
    if how == "layers" and len(sets) > 2:
        return reduce(lambda a, b: _merge_sets([a, b], how), sets)
    names = dict.fromkeys(name for item in sets for name in item.joints)
    sides = {name: [one.joints[name] for one in sets if name in one.joints] for name in names}
    _check(sides, how)
    # A dependency that one set lacks does not hold for a union, but restricts an intersection.
    dependencies = list(dict.fromkeys(item for one in sets for item in one.dependencies))
    if how != "intersection":
        own = [set(one.dependencies) for one in sets]
        dependencies = [item for item in dependencies if all(item in one for one in own)]
    clips = {(clip.name, clip.sha256, clip.frames): clip for item in sets for clip in item.clips}
    merged = replace(
        sets[0],
        joints={name: _merge_joint(name, joints, how) for name, joints in sides.items()},
        clips=tuple(clips.values()),
        dependencies=tuple(dependencies),
    )
    return _with_findings(merged, [finding for item in sets for finding in item.findings])


def _check(sides: Mapping[str, Sequence[JointLimit]], how: str) -> None:
    """Raise LimitSetError for sets that cannot be merged, naming the joint."""
    for name, joints in sides.items():
        first = joints[0]
        for other in joints[1:]:
            if not same_orientation(first.orientation, other.orientation):
                raise errors.LimitSetError(
                    name,
                    "cannot merge limits in different orientations (rotate order, joint orient or "
                    "rotate axis); estimate both sets in the same orientation",
                )
            if set(first.limits) != set(other.limits):
                channels = f"{', '.join(first.limits)} and {', '.join(other.limits)}"
                text = f"cannot merge limits of different channels: {channels}"
                raise errors.LimitSetError(name, text)
    empty = [(name, channel) for name, own in sides.items() for channel in _empty_channels(own)]
    if how != "intersection" or not empty:
        return
    (name, channel), more = empty[0], [" ".join(one) for one in empty[1:]]
    ranges = dict.fromkeys(range_words(joint.limits[channel]) for joint in sides[name])
    also = f" (also {names_words(more, MAX_EMPTY_NAMED, 'channel')})" if more else ""
    raise errors.LimitSetError(
        name,
        f"{channel} has no angle that all sets allow: {' and '.join(ranges)} degrees{also}; free "
        f"it in one set (jointlimits edit --set {name}.{channel}.state=free), or merge with --how "
        "union",
    )


def _empty_channels(joints: Sequence[JointLimit]) -> list[str]:
    return [
        channel
        for channel in joints[0].limits
        if intersection_of(*(joint.limits[channel] for joint in joints)) is None
    ]


def _merge_joint(name: str, joints: Sequence[JointLimit], how: str) -> JointLimit:
    """Joint with merged ranges, and the evidence from the estimate with the most samples."""
    if all(joint == joints[0] for joint in joints):
        return joints[0]
    if how == "layers" and joints[0].evidence.samples > joints[1].evidence.samples == 0:
        # Declared limits rank below measured ones; their free channels carry no information.
        joints = joints[::-1]
    kind = _merge_types(joints, how)
    alike = [joint for joint in joints if joint.type == kind] or list(joints)
    shapes = [joint.coupled for joint in joints]
    coupled = shapes[0] if all(shape == shapes[0] for shape in shapes) else None
    if how == "union" and all(shapes):
        coupled = coupled or joined_shape([shape for shape in shapes if shape is not None])
    findings = [finding for joint in joints for finding in joint.findings]
    if coupled is None and any(shapes):
        findings.append(_shape_dropped(name, how))
    limits = {}
    for channel in joints[0].limits:
        axes = [joint.limits[channel] for joint in joints]
        limits[channel] = reduce(_strongest, axes) if how == "layers" else union_of(*axes)
        if how == "intersection":  # empty intersections were rejected earlier
            limits[channel] = intersection_of(*axes) or limits[channel]
    joint = replace(
        max(joints, key=_weight),
        type=kind,
        hinge=_merge_hinge(alike, how) if kind == "hinge" else None,
        universal=max(alike, key=_weight).universal if kind == "universal" else None,
        coupled=coupled,
        root=any(joint.is_root for joint in joints),
        animated=any(joint.animated for joint in joints),
    )
    return with_limits(_with_findings(joint, findings), limits)


def _shape_dropped(name: str, how: str) -> Finding:
    text = (
        f"shape dropped: it differs between the sets, and {how} cannot merge these shapes; "
        "only the ranges apply; fit the clips of all sets together (jointlimits fit)"
    )
    return Finding(SHAPE_DROPPED, text, name)


def _merge_types(joints: Sequence[JointLimit], how: str) -> str:
    """Type with the most freedom (union) or the least (intersection), or the last (layers)."""
    if how == "layers":
        return joints[-1].type
    kinds = [JOINT_TYPES.index(joint.type) for joint in joints]
    kind = JOINT_TYPES[max(kinds) if how == "union" else min(kinds)]
    axes = [one.hinge for one in joints if one.type == "hinge" and one.hinge is not None]
    turned = any(hinges_off_deg(axes[0], other) > SAME_HINGE_DEG for other in axes[1:])
    # No hinge turns about two axes.
    return "ball" if kind == "hinge" and how == "union" and turned else kind


def _weight(joint: JointLimit) -> tuple[int, str]:
    """Sort key for the estimates of a joint, from fields that merging does not change."""
    return joint.evidence.samples, repr((joint.evidence, joint.orientation))


def _merge_hinge(joints: Sequence[JointLimit], how: str) -> Hinge | None:
    """Hinge from the estimate with the most samples, with all ranges merged if the axes agree."""
    if how == "layers":
        return joints[-1].hinge
    ranked = sorted(joints, key=_weight, reverse=True)
    own, *others = [joint.hinge for joint in ranked]
    if own is None:
        return None
    for other in others:
        if other is None:
            continue
        if how == "union":
            own = joined_hinge(own, other)
            continue
        turned = same_way(other, own)
        low, high = max(own.min_deg, turned.min_deg), min(own.max_deg, turned.max_deg)
        own = replace(own, min_deg=low, max_deg=high) if low <= high else own
    return own


def _strongest(first: AxisLimit, second: AxisLimit) -> AxisLimit:
    """Range with each limit from the stronger layer, or from the second set if both are equal."""
    a, b = span_of(first), span_of(second)
    if a is None or b is None:
        return second
    sources = list(zip(vars(first.source).values(), vars(second.source).values()))
    ranks = [[_STRENGTHS[one.kind if one else "observed"] for one in pair] for pair in sources]
    keeps = [mine > own for mine, own in ranks]
    low, high = (mine if keep else other for keep, mine, other in zip(keeps, a, b))
    if low > high:
        return second
    kept = (mine if keep else other for keep, (mine, other) in zip(keeps, sources))
    locked = second.state == "locked" and (first.state == "locked" or not any(keeps))
    return make_range((first, second), low, high, AxisSource(*kept), locked)


def _notes(sets: Sequence[LimitSet], merged: LimitSet) -> Iterator[Finding]:
    """Findings about characters, options and dependencies that differ."""
    names = sorted({item.character for item in sets})
    if len(names) > 1:
        text = (
            f"limits of {plural(len(names), 'character')} are merged: {names_words(names)}; if "
            "these are different performers, the result describes none of them"
        )
        yield Finding(CHARACTERS, text)
    lost = {item for one in sets for item in one.dependencies} - set(merged.dependencies)
    if lost:
        count = plural(len(lost), "range")
        text = f"dropped {count} depending on another channel: not the same in all sets"
        yield Finding(DEPENDENCY_DROPPED, text)
    # Sets declared in a file have no options.
    estimated = [item for item in sets if item.options.keys() - {"controls"}]
    for key in dict.fromkeys(key for item in estimated for key in item.options):
        values = list(dict.fromkeys(repr(item.options.get(key)) for item in estimated))
        if len(values) > 1:
            text = f"merged sets were estimated with different values of {key}: {', '.join(values)}"
            yield Finding("merged-options", text)


_Holder = TypeVar("_Holder", LimitSet, JointLimit)


def _with_findings(holder: _Holder, findings: Iterable[Finding]) -> _Holder:
    """Set or joint with these findings, without duplicates."""
    return replace(holder, findings=tuple(dict.fromkeys(findings)))
