"""Review of a limit set: ranked entries to look at, each with the smallest step that settles it.

Entries depend only on the limit set, as written or as edited, so terminal, page, window, Maya and
pipelines all show the same entries. An entry is settled if its frames are excluded, or by a pin: an
artist's edit of the limit or type in question. Suggestions are entries about sound data, for which
another type or orientation may serve better; without entries, there is nothing to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, Any

from ..base.findings import FOLLOWS_CONTROL, MOVING_ORIENTATION, TURNED_BESIDES, Finding
from ..base.text import names_words, number, place_words, plural, printable
from .priors import body_parts, prior_ranges
from .review_steps import (
    EDIT,
    LASTING,
    Action,
    excluding,
    frame_step,
    is_excluded,
    is_within,
    keeping,
    with_cost,
)

if TYPE_CHECKING:
    from .limit_set import ClipRecord, JointLimit, LimitSet

MAX_ENTRIES = 10
"""Maximum number of entries shown; the rest are only counted."""
BACKWARDS = "bends-backwards"
"""Rule for findings about elbows and knees that bend backwards."""
FAULTS = (
    *("swapped-sides", "zero-slip", "half-turn", "inserted-pose", "glitch", "spike", "frozen"),
    "excursion",
)
"""Rules for findings about clip faults that may have widened limits."""
DOUBTS = ("slip", "doubtful-joint", "no-relative-motion")
"""Rules for findings that question a joint of a skeleton found from motion."""
USELESS, CANDIDATE = "order-useless", "may-be-hinge"
SUGGESTIONS = (USELESS, FOLLOWS_CONTROL, CANDIDATE)
"""Kinds of suggestions: for limits that span nearly everything because of the rotate order, for
joints that follow a control, and for joints that may be hinges (found without findings)."""
MIN_WIDER_DEG = 1.0
"""Smallest change of a limit, degrees, for which a fault is listed."""
APPLIED = "applied"
"""Kind of the entries about poses that the limits change, or would change once applied."""
ODD_HINGE = "odd-hinge"
"""Kind of the entries about possible hinges that turn so far off the hinge axis that their frames
are in doubt; these entries are not suggestions."""
MIN_HINGE_DEG, MAX_HINGE_RATIO, MIN_ODD_DEG = 15.0, 1.5, 25.0
"""Smallest range, degrees, of a joint that is offered as a hinge; largest cost along a channel, as
a multiple of that about the best axis; smallest residual, degrees, of a frame that is in doubt."""


@dataclass(frozen=True)
class ReviewEntry:
    """One entry of a review."""

    kind: str
    """Rule of the finding that it comes from, :data:`CANDIDATE` or :data:`ODD_HINGE`."""
    text: str
    """A sentence with joint, channel, degrees, clip and frames; no full stop."""
    action: Action
    joint: str
    channel: str | None = None
    side: str | None = None
    degrees: float = 0.0
    """Size of the problem; the largest of each kind comes first."""
    clip: str | None = None
    frame_ranges: tuple[tuple[float, float], ...] = ()
    other: Action | None = None
    """Alternative step that settles the entry, if the first one costs or decides a lot."""

    @property
    def place(self) -> tuple[str, str | None, str | None]:
        """Joint, channel and side of the limit in question."""
        return self.joint, self.channel, self.side

    @property
    def steps(self) -> list[tuple[str, str]]:
        """Label and command of each step; the second label begins with "or"."""
        steps, other = [(self.action.text, self.action.flag)], self.other
        if other is not None:
            steps.append((f"or {other.text[:1].lower()}{other.text[1:]}", other.flag))
        return steps


@dataclass(frozen=True)
class Review:
    """Result of a review: the entries to look at, and suggestions."""

    measured: int
    """Number of joints that move, not counting those of `from_people`."""
    entries: tuple[ReviewEntry, ...] = ()
    """All entries, the most important first."""
    suggestions: tuple[ReviewEntry, ...] = ()
    """Entries of :data:`SUGGESTIONS`, where nothing needs repair."""
    noun: str = "joint"
    """Noun for what is measured, from :attr:`~jointlimits_core.limits.limit_set.LimitSet.noun`."""
    from_people: int = 0
    """Number of joints whose limits are all from other people."""

    @property
    def is_about_joints(self) -> bool:
        """Whether any joint moves or has limits from other people."""
        return self.measured + self.from_people > 0

    @property
    def first(self) -> tuple[ReviewEntry, ...]:
        """The entries to show."""
        return self.entries[:MAX_ENTRIES]

    @property
    def more(self) -> int:
        """Number of entries that are not shown."""
        return max(len(self.entries) - MAX_ENTRIES, 0)

    def beginning_with(self, entries: Sequence[ReviewEntry]) -> Review:
        """The same review with other entries in front."""
        return replace(self, entries=(*entries, *self.entries))

    def sentence(self) -> str:
        """Result in a few words: "25 joints measured, 3 to look at"."""
        count = f"{len(self.entries)} to look at" if self.entries else "nothing to look at"
        words = f"{plural(self.measured, self.noun)} measured"
        if self.from_people:
            others = f"{plural(self.from_people, self.noun)} from other people"
            words = f"{words}, {others}" if self.measured else others
        return f"{words}, {count}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as in the JSON of a limit set."""
        return {
            "measured": self.measured,
            "to_look_at": len(self.entries),
            "entries": [asdict(entry) for entry in self.first],
            "suggestions": [asdict(entry) for entry in self.suggestions],
        }


def review(limit_set: LimitSet) -> Review:
    """Review a limit set; entries are sorted by kind, most serious first, then by size.

    Among faults, those of all joints come first, then those of elbows and knees.
    """
    joints = limit_set.joints.values()
    moving = [one for one in joints if one.animated and one.evidence.sure != "no motion"]
    from_people = sum(joint.is_from_people for joint in moving)
    result = Review(len(moving) - from_people, noun=limit_set.noun, from_people=from_people)
    if limit_set.mode == "paper":
        return result
    pinned = {(edit.joint, edit.channel, edit.target) for edit in limit_set.edits}
    parts = body_parts(list(limit_set.joints))

    def rank(entry: ReviewEntry) -> tuple[bool, bool, float, str]:
        first = entry.kind in FAULTS and parts.get(entry.joint) in ("elbow", "knee")
        return entry.joint != "", not first, -entry.degrees, entry.joint

    def is_settled(entry: ReviewEntry) -> bool:
        """Whether an artist has excluded the frames, or decided the limit or type in question."""
        if is_excluded(limit_set, entry):
            return True
        if entry.channel is None:
            return any(joint == entry.joint and target != "note" for joint, _, target in pinned)
        return any((*entry.place[:2], target) in pinned for target in ("state", entry.side))

    kept: list[ReviewEntry] = []
    for entries in _kinds(limit_set):
        for entry in sorted(entries, key=rank):
            if not is_settled(entry) and not any(_is_same(entry, one) for one in kept):
                kept.append(entry)
    # A joint gets no new type while its partner's faults still count, since the two share a type.
    pairs = limit_set.symmetry.pairs if limit_set.symmetry is not None else ()
    partners = {pair.left: pair.right for pair in pairs} | {pair.right: pair.left for pair in pairs}
    faulty = {entry.joint for entry in kept if entry.action.frames}
    # One entry for everything that the same frames, or the same step, settle.
    alike: dict[object, list[ReviewEntry]] = {}
    for entry in kept:
        if entry.kind not in (CANDIDATE, ODD_HINGE) or partners.get(entry.joint) not in faulty:
            cause = entry.action.frames or entry.action
            alike.setdefault((cause, entry.other), []).append(entry)
    every = [with_cost(limit_set, _join_entries(some)) for some in alike.values()]
    suggestions = tuple(entry for entry in every if entry.kind in SUGGESTIONS)
    listed = tuple(entry for entry in every if entry.kind not in SUGGESTIONS)
    return replace(result, entries=listed, suggestions=suggestions)


def _kinds(limit_set: LimitSet) -> Iterator[Iterator[ReviewEntry]]:
    """Entries of each kind, the most serious kind first; suggestions come last."""
    joints = limit_set.joints
    limited = {
        name
        for name, joint in joints.items()
        if any(axis.state != "free" for axis in joint.limits.values())
    }
    # Something else turns these joints, so they have no limits.
    unlimited = {
        name
        for name, joint in joints.items()
        if not any(axis.state == "limited" for axis in joint.limits.values())
    }

    def entries(
        names: Collection[str], action_of: Callable[[str], Action], *rules: str
    ) -> Iterator[ReviewEntry]:
        for items in _of_joints(limit_set, *rules):
            name = items[0].joint or ""
            if name in names:
                yield _entry(items, action_of(name))

    def mend(name: str) -> Action:
        return Action("show", "Fix it in the scene, then estimate again", joint=name)

    def orient(name: str) -> Action:
        if limit_set.of_controls:  # controls keep their orientation
            return Action("show", "Show the control", joint=name)
        return Action("orient", "Use the suggested orientations", "--orientation advised")

    yield (_entry(items, excluding(items)) for items in _of_joints(limit_set, BACKWARDS))
    yield _faults(limit_set)
    yield entries(joints, lambda name: keeping((name,)), *DOUBTS)  # only the artist can judge them
    yield entries(unlimited, mend, TURNED_BESIDES, MOVING_ORIENTATION)
    # Edited channels would mean something else in other orientations.
    is_edited = any(edit.channel is not None for edit in limit_set.edits)
    yield entries(() if is_edited else joints, orient, USELESS)
    # These limits stay off when applied; all get the same step, so that they share one entry.
    yield entries(limited, lambda _: Action("show", "Show the joint"), FOLLOWS_CONTROL)
    yield _candidates(joints, is_edited or limit_set.of_controls)


def _join_entries(entries: Sequence[ReviewEntry]) -> ReviewEntry:
    """First entry, with the names of the other joints appended."""
    first = entries[0]
    names = list(dict.fromkeys(one.joint for one in entries if one.joint not in ("", first.joint)))
    action, more = first.action, f"{first.text}; also {names_words(names)}" if names else first.text
    whole = next((one for one in entries if not one.joint), None)
    if whole is not None and whole is not first:  # the fault of the whole body is the cause
        action, more = whole.action, f"{more}; {whole.text.partition(' (clip ')[0]}"
    elif action.joints:
        action = replace(action, joints=(first.joint, *names))
    return replace(first, text=more, action=action)


def _is_same(entry: ReviewEntry, before: ReviewEntry) -> bool:
    """Whether an earlier entry covers the same limit, or the same frames of the joint or of all."""
    if before.joint not in ("", entry.joint) or entry.kind in (CANDIDATE, ODD_HINGE):
        return False
    if entry.channel is not None and entry.place == before.place:
        return True
    return entry.clip == before.clip and any(
        max(a[0], b[0]) <= min(a[1], b[1]) for a in entry.frame_ranges for b in before.frame_ranges
    )


# Entries from findings


def _of_joints(limit_set: LimitSet, *rules: str) -> Iterator[list[Finding]]:
    """Findings grouped by rule, joint and whether they are left out, the largest first."""
    every = [item for joint in limit_set.joints.values() for item in joint.findings]
    for rule in rules:
        alike: dict[tuple[str | None, bool], list[Finding]] = {}
        for item in (*every, *limit_set.findings):
            if item.rule == rule:
                alike.setdefault((item.joint, item.left_out), []).append(item)
        for items in alike.values():
            yield sorted(items, key=lambda item: -(item.degrees or 0.0))


def _faults(limit_set: LimitSet) -> Iterator[ReviewEntry]:
    """Entries about clip faults that set a limit, or would if they were not left out."""
    clips = {clip.name: clip for clip in limit_set.clips}
    for items in _of_joints(limit_set, *FAULTS):
        own = [item for item in items if _matters(limit_set, item)]
        # If several clips have the same fault, leaving out a single one changes no limit.
        if not own or (len(items) == 1 and _is_small(own[0])):
            continue
        first = own[0]
        wide = None
        if first.left_out:
            place = f"{first.joint}.{first.channel}.{first.side}"
            value = number(first.instead_deg or 0.0)
            text = f"Keep them: set {first.channel} {first.side} to {value}"
            flag = f"{EDIT} --set {quote(f'{place}={value}')}"
            limit = first.joint, first.channel, first.side, float(value)
            wide = Action("limit", text, flag, (), None, *limit)
        elif first.rule in LASTING:
            parts = [_shifted_part(item, clips[item.clip or ""]) for item in own]
            # If further frames are left out, the limit found without the named ones is wrong.
            own = [
                part if part.frame_ranges == one.frame_ranges else replace(one, instead_deg=None)
                for one, part in zip(own, parts)
            ]
            yield _entry(own, excluding(parts))
            continue
        else:  # without the first, another clip's fault would set the limit
            own += [item for item in items if item not in own]
        yield replace(_entry(own, excluding(own)), other=wide)


def _shifted_part(item: Finding, clip: ClipRecord) -> Finding:
    """Finding about lasting jumps, with the frames in which its joint is shifted.

    A range of one frame is a jump without a return: it shifts the joint until the next such jump.
    It is unknown which parts are shifted; those with fewer frames are taken.
    """
    jumps = [first for first, last in item.frame_ranges if first == last]
    if not jumps:
        return item
    step = frame_step(clip)
    starts = [clip.first_frame, *jumps]
    parts = list(zip(starts, [*(jump - step for jump in jumps), clip.last_frame]))
    shifted = min(parts[::2], parts[1::2], key=lambda some: sum(b - a for a, b in some))
    returned = [(first, last) for first, last in item.frame_ranges if first != last]
    return replace(item, frame_ranges=tuple(sorted((*shifted, *returned))))


def _matters(limit_set: LimitSet, item: Finding) -> bool:
    """Whether a finding's frames set a limit, or would if they were not left out."""
    joint = limit_set.joints.get(item.joint or "")
    concerned = limit_set.joints.values() if item.joint is None else [joint] if joint else []
    limited = [a for one in concerned for a in one.limits.values() if a.state == "limited"]
    if item.rule in LASTING and item.joint is not None:
        return bool(limited)
    if not item.left_out:
        ends = (end for axis in limited for end in axis.source.known)
        return any(e.clip == item.clip and is_within(e.frame, item.frame_ranges) for e in ends)
    axis = None if joint is None else joint.limits.get(item.channel or "")
    if item.instead_deg is None or axis is None or item.side is None:
        return False
    bound = axis.bound_deg(item.side)
    beyond = -1.0 if item.side == "min" else 1.0
    return bound is not None and beyond * (item.instead_deg - bound) >= MIN_WIDER_DEG


def _is_small(item: Finding) -> bool:
    """Whether a fault without lasting effect changes its limit too little to be listed."""
    known = item.rule not in LASTING and item.channel is not None and item.degrees is not None
    return known and not item.left_out and (item.degrees or 0.0) < MIN_WIDER_DEG


def furthest_frame(limit_set: LimitSet, entry: ReviewEntry) -> float | None:
    """Frame to show for an entry: where its limit was reached, else its first frame, else None."""
    joint = limit_set.joints.get(entry.joint)
    axis = None if joint is None or entry.channel is None else joint.limits.get(entry.channel)
    source = None if axis is None or entry.side is None else getattr(axis.source, entry.side)
    if source is not None and source.clip == entry.clip:
        frame: float | None = source.frame
        if is_within(frame, entry.frame_ranges) or not entry.frame_ranges:
            return frame
    return entry.frame_ranges[0][0] if entry.frame_ranges else None


def _entry(items: Sequence[Finding], action: Action) -> ReviewEntry:
    """Entry about the first of several findings, with the number of other clips."""
    first = items[0]
    between = " " if first.joint and first.rule in (BACKWARDS, *FAULTS) else ": "
    words = printable(f"{first.joint or 'all joints'}{between}{first.message}".rstrip("."))
    place = place_words(first)
    words += f" ({place})" if place else ""
    clips = {item.clip for item in items[1:]} - {first.clip}
    if clips:
        words += f"; also in {plural(len(clips), 'more clip')}"
    words += "; left out" if first.left_out else ""
    if first.instead_deg is not None and first.channel is not None and first.side is not None:
        # The limit if these frames were kept instead of left out, or the reverse.
        (start, end), *more = first.frame_ranges or ((0.0, 1.0),)
        them = "it" if start == end and not more else "them"
        way, side = "with" if first.left_out else "without", f"{first.side}imum"
        words += f"; {way} {them} the {side} of {first.channel} is {number(first.instead_deg)}"
    limit = (first.joint or "", first.channel, first.side, abs(first.degrees or 0.0))
    return ReviewEntry(first.rule, words, action, *limit, first.clip, first.frame_ranges)


# Entries from other records


def _candidates(joints: Mapping[str, JointLimit], is_edited: bool) -> Iterator[ReviewEntry]:
    """Joints that may be hinges; if any names are recognized, only those of anatomical hinges."""
    parts, ranges = body_parts(list(joints)), prior_ranges()
    for name, joint in joints.items():
        found, part = joint.candidate, parts.get(name)
        if found is None or joint.type == found.type:
            continue
        if parts and (part not in ranges or ranges[part].hinge is None):
            continue
        span, best = found.hinge.max_deg - found.hinge.min_deg, joint.evidence.residual_deg["hinge"]
        # An elbow carries the forearm's twist, which a hinge would remove.
        if part == "elbow" or span < MIN_HINGE_DEG or best is None:
            continue
        rule, kind, frames, shown = CANDIDATE, found.type, found.frame_ranges[:1], printable(name)
        along, about = number(found.rms_deg), f"about its best axis {number(best)}"
        channel, flag = found.hinge.channel, f"--as {quote(f'{name}={kind}')}"
        take = Action("type", f"Take {shown} as a {kind}", flag, joint=name, value=kind)
        text = f"{shown} is measured as {joint.type} but may be a {kind}: residual "
        if found.rms_deg <= MAX_HINGE_RATIO * best:
            where = place_words(Finding("", "", name, found.clip, frames)) if found.clip else ""
            text += f"about {channel} {along} degrees rms, {number(found.worst_deg)} at most"
            text += f"{f' ({where})' if where else ''}; {about}"
            rule = ODD_HINGE if found.worst_deg >= MIN_ODD_DEG else CANDIDATE
        elif is_edited:
            continue
        else:
            text += f"{about} degrees rms, about {channel} {along}; the suggested orientation "
            text += "follows that axis"
            take = replace(take, kind="orient", flag=f"{flag} --orientation advised")
        yield ReviewEntry(rule, text, take, name, None, None, span, found.clip, frames)


def other_step(entry: ReviewEntry) -> Action | None:
    """Second step of an entry; by default, pinning its joints, unless the first step is a pin."""
    if entry.other is not None or not entry.joint:
        return entry.other
    is_pin = entry.action.kind == "pin" or entry.kind == APPLIED
    return None if is_pin else keeping(entry.action.joints or (entry.joint,), entry)


def unlisted_findings(findings: Iterable[Finding], shown: Review) -> list[Finding]:
    """Findings that are neither listed in a review nor mere counts."""
    rules = {entry.kind for entry in (*shown.entries, *shown.suggestions)} | {"never-moves"}
    return [item for item in findings if item.rule not in rules]
