"""Review of a limit set: what to look at first, ranked, each with the step that settles it.

Everything comes from the limit set alone, as written or as edited, so that terminal, page, window,
Maya and pipelines say the same. An entry is settled by its action, or by a pin: an artist's edit of
the limit, or of the type, that it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, Any, Optional

from ..base.findings import MOVING_ORIENTATION, TURNED_BESIDES, Finding
from ..base.text import frames_words, names_words, number, place_words, plural, printable
from .priors import body_parts, prior_ranges

if TYPE_CHECKING:
    from .limit_set import JointLimit, LimitSet
    from .records import ChannelSymmetry, PairSymmetry

MOST_ENTRIES = 10
"""Most entries that are shown; more are counted."""
BACKWARDS, LONE, ONE_CLIP = "bends-backwards", "excursion", "one-clip"
"""Rules of the findings about excursions."""
FAULTS = (
    *("swapped-sides", "zero-slip", "half-turn", "inserted-pose", "glitch", "spike", "frozen"),
)
"""Rules of findings about faults of clips that may widen limits."""
LASTING = ("zero-slip", "half-turn")
"""Those after which a joint's angles may be others, whichever frames set its limits."""
DOUBTS = ("slip", "doubtful-joint", "no-relative-motion")
"""Rules of findings that question a joint of a skeleton found in loose bodies."""
BEYOND = "prior-beyond"
"""Rule of the findings about hinges that go beyond every published range."""
USELESS = ("order-useless",)
"""Rules of findings about limits that span nearly everything by the joint's rotate order."""
SIDES, CANDIDATE, IN_STEP = "sides-differ", "may-be-hinge", "in-step"
"""Kinds of entries that come from no finding."""
SIDES_DEG = 20.0
"""Smallest difference between the sides that is listed: twice the smallest that is noted."""
SAME_END_DEG = 10.0
"""Largest difference at the other end of the range; sides that differ at both do different things,
as a hand that waves and one that rests."""
MOST_VISITS = 2
"""Most times that the wider side went there; a side that always does is meant to."""
MOMENT_SECONDS = 0.5
"""Time within which several joints that go further do one thing together."""
APPLIED = "applied"
"""Kind of the entries about what limits changed, or would, where they were applied."""
IN_STEP_GAIN = 0.95
"""Least share of two channels' area that no pose needs, for one to move only with the other."""

Place = tuple[str, Optional[str], Optional[str]]
"""Joint, channel and side."""


@dataclass(frozen=True)
class Action:
    """One step that settles an entry."""

    kind: str
    """What it does: "exclude" frames, or "exclude-clip"; "include" the frames that a rule leaves
    out; set a "limit" or "type"; "orient" as suggested; "fit" a shape; "pin" a joint as it is;
    "show" what only the scene can mend."""
    text: str
    """What it does, for a button."""
    flag: str = ""
    """Arguments of ``jointlimits estimate`` that do it, or another command, quoted for a shell."""
    frames: tuple[tuple[str, float, float], ...] = ()
    """Clip, first and last frame to leave out."""
    clip: str | None = None
    joint: str | None = None
    channel: str | None = None
    side: str | None = None
    value: float | str | None = None
    """Degrees of a limit, or the name of a type or a rule."""


@dataclass(frozen=True)
class ReviewEntry:
    """One thing to look at."""

    kind: str
    """Rule of the finding that it comes from, or one of :data:`SIDES`, :data:`CANDIDATE`,
    :data:`IN_STEP`."""
    text: str
    """A sentence with joint, channel, degrees, clip and frames; no full stop."""
    action: Action
    joint: str
    channel: str | None = None
    side: str | None = None
    degrees: float = 0.0
    """How much it is about; the largest of each kind comes first."""
    clip: str | None = None
    frame_ranges: tuple[tuple[float, float], ...] = ()

    @property
    def place(self) -> Place:
        """Limit that it is about."""
        return self.joint, self.channel, self.side


@dataclass(frozen=True)
class Review:
    """What to look at first in a limit set."""

    measured: int
    """Joints that move."""
    entries: tuple[ReviewEntry, ...] = ()
    """All of them, the most important first."""

    @property
    def first(self) -> tuple[ReviewEntry, ...]:
        """The entries to show."""
        return self.entries[:MOST_ENTRIES]

    @property
    def more(self) -> int:
        """Number of entries that are not shown."""
        return max(len(self.entries) - MOST_ENTRIES, 0)

    def beginning_with(self, entries: Sequence[ReviewEntry]) -> Review:
        """The same review with entries in front, of what came to light elsewhere."""
        return replace(self, entries=(*entries, *self.entries))

    def sentence(self) -> str:
        """Result in a few words: "25 joints measured, 3 to look at"."""
        count = f"{len(self.entries)} to look at" if self.entries else "nothing to look at"
        return f"{plural(self.measured, 'joint')} measured, {count}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as in the JSON of a limit set."""
        return {
            "measured": self.measured,
            "to_look_at": len(self.entries),
            "entries": [asdict(entry) for entry in self.first],
        }


def review(limit_set: LimitSet) -> Review:
    """Review a limit set: rank what to look at, most serious kind first, largest first in each.

    Of faults, those of elbows and knees come first.
    """
    measured = sum(
        joint.animated and joint.evidence.sure != "no motion" for joint in limit_set.joints.values()
    )
    if limit_set.mode == "paper":
        return Review(measured)
    found = _Findings(limit_set)
    kinds = (
        found.backwards(),
        found.faults(),
        found.to_pin(*DOUBTS),
        found.unexplained(),
        found.to_pin(BEYOND),
        found.lone(),
        found.useless(),
        _sides(limit_set),
        _candidates(limit_set.joints),
        _in_step(limit_set),
        found.one_clip(),
    )
    pinned = {(edit.joint, edit.channel, edit.target) for edit in limit_set.edits}
    parts = body_parts(list(limit_set.joints))

    def rank(entry: ReviewEntry) -> tuple[bool, float, str]:
        first = entry.kind in FAULTS and parts.get(entry.joint) in ("elbow", "knee")
        return not first, -entry.degrees, entry.joint

    kept: list[ReviewEntry] = []
    for entries in kinds:
        for entry in sorted(entries, key=rank):
            if not _is_settled(entry, pinned) and not any(_is_same(entry, one) for one in kept):
                kept.append(entry)
    useless = {entry.joint for entry in kept if entry.kind in USELESS}
    # In such an orientation, numbers of the channels say nothing about the motion; a side is not
    # compared with one at fault, whose type it shares.
    hidden = {(name, kind) for name in useless for kind in (LONE, SIDES, IN_STEP, ONE_CLIP)}
    hidden |= {
        (name, kind) for name in _other_sides(limit_set, kept) for kind in (SIDES, CANDIDATE)
    }
    shown = (entry for entry in kept if (entry.joint, entry.kind) not in hidden)
    # One entry for all that one action settles.
    alike: dict[Action, list[ReviewEntry]] = {}
    for entry in shown:
        alike.setdefault(entry.action, []).append(entry)
    return Review(measured, tuple(map(_together, alike.values())))


def _other_sides(limit_set: LimitSet, entries: Iterable[ReviewEntry]) -> set[str]:
    """Partners of the joints with frames at fault that are not left out."""
    kept = (one for one in entries if one.action.kind == "exclude")
    faulty = {one.joint for one in kept if one.kind in (BACKWARDS, *FAULTS)}
    pairs = limit_set.symmetry.pairs if limit_set.symmetry is not None else ()
    others = ((pair.left, pair.right) for pair in pairs)
    return {one for a, b in others for one, other in ((a, b), (b, a)) if other in faulty}


def _together(entries: Sequence[ReviewEntry]) -> ReviewEntry:
    """The first entry, which names the joints of the others."""
    first = entries[0]
    names = list(dict.fromkeys(one.joint for one in entries if one.joint not in ("", first.joint)))
    more = f"{first.text}; {names_words(names)}, too"
    return replace(first, text=more) if names else first


def _is_settled(entry: ReviewEntry, pinned: set[tuple[str, str | None, str]]) -> bool:
    """Whether an artist decided the limit, or the type, that an entry is about."""
    if entry.channel is None:
        return any(joint == entry.joint and target != "note" for joint, _, target in pinned)
    wanted = ("state", entry.side)
    return any((entry.joint, entry.channel, target) in pinned for target in wanted)


def _is_same(entry: ReviewEntry, before: ReviewEntry) -> bool:
    """Whether an earlier entry is about the same limit, or the same frames of it or all joints."""
    if before.joint not in ("", entry.joint) or CANDIDATE in (entry.kind, before.kind):
        return False
    if entry.channel is not None and entry.place == before.place:
        return True
    return entry.clip == before.clip and any(
        max(a[0], b[0]) <= min(a[1], b[1]) for a in entry.frame_ranges for b in before.frame_ranges
    )


# Entries from findings


class _Findings:
    """Findings of a limit set by rule, and the entries that come from them."""

    def __init__(self, limit_set: LimitSet) -> None:
        every = [item for joint in limit_set.joints.values() for item in joint.findings]
        self._by_rule: dict[str, list[Finding]] = {}
        for item in (*every, *limit_set.findings):
            self._by_rule.setdefault(item.rule, []).append(item)
        self._limit_set = limit_set

    def _of_joints(self, *rules: str) -> Iterator[list[Finding]]:
        """Findings of each rule and joint, kept or left out, the largest first."""
        for rule in rules:
            alike: dict[tuple[str | None, bool], list[Finding]] = {}
            for item in self._by_rule.get(rule, ()):
                alike.setdefault((item.joint, item.left_out), []).append(item)
            for items in alike.values():
                yield sorted(items, key=lambda item: -(item.degrees or 0.0))

    def backwards(self) -> Iterator[ReviewEntry]:
        """Elbows and knees that bend backwards."""
        for items in self._of_joints(BACKWARDS):
            yield _entry(items, f"{items[0].joint} {items[0].message}", _excluding(items))

    def lone(self) -> Iterator[ReviewEntry]:
        """Excursions that alone stretch a range."""
        for item in self._by_rule.get(LONE, ()):
            yield _entry([item], f"{item.joint} {item.message}", _excluding([item]))

    def faults(self) -> Iterator[ReviewEntry]:
        """Faults of clips that set a limit, or would if they were not left out."""
        for items in self._of_joints(*FAULTS):
            own = [item for item in items if self._matters(item)]
            if own:
                first = own[0]
                who = first.joint or "all joints"
                if first.left_out:
                    left_out = self._limit_set.options.get("leave_out", ())
                    rules = ",".join(name for name in left_out if name != first.rule)
                    flag = f"--leave-out {rules}"
                    action = Action("include", "Measure with these frames", flag, value=first.rule)
                elif first.rule in LASTING:
                    parts = [self._beside(item) for item in own]
                    action = _excluding(parts)
                    own = [
                        item if part is item else replace(item, instead_deg=None)
                        for item, part in zip(own, parts)
                    ]
                else:
                    action = _excluding(own)
                yield _entry(own, f"{who}: {first.message}", action)

    def _beside(self, item: Finding) -> Finding:
        """Finding about the shorter part of its clip beside jumps that stay."""
        (clip,) = (one for one in self._limit_set.clips if one.name == item.clip)
        first, last = item.frame_ranges[0][0], item.frame_ranges[-1]
        if last[0] != last[1]:
            return item
        step = clip.frame_step
        before, behind = (clip.first_frame, first - step), (last[0], clip.last_frame)
        shorter = min(behind, before, key=lambda part: part[1] - part[0])
        return replace(item, frame_ranges=(shorter,))

    def _matters(self, item: Finding) -> bool:
        """Whether a limit comes from a finding's frames, or would with those that are left out."""
        if item.rule in LASTING and item.joint is not None:
            limits = self._limit_set.joints[item.joint].limits
            return any(axis.state == "limited" for axis in limits.values())
        if not item.left_out:
            return self._sets_limit(item)
        joint = self._limit_set.joints.get(item.joint or "")
        axis = None if joint is None else joint.limits.get(item.channel or "")
        if item.instead_deg is None or axis is None or item.side is None:
            return False
        bound = axis.bound_deg(item.side)
        beyond = -1.0 if item.side == "min" else 1.0
        return bound is not None and beyond * (item.instead_deg - bound) > 0.0

    def _sets_limit(self, item: Finding) -> bool:
        """Whether one of the joint's limits, or of any joint's, comes from a finding's frames."""
        joints = self._limit_set.joints
        own = joints.values() if item.joint is None else [joints[item.joint]]
        return any(
            end.clip == item.clip and _is_within(end.frame, item.frame_ranges)
            for joint in own
            for axis in joint.limits.values()
            if axis.state == "limited"
            for end in axis.source.known
        )

    def to_pin(self, *rules: str) -> Iterator[ReviewEntry]:
        """Joints that only a look can settle."""
        for items in self._of_joints(*rules):
            joint = items[0].joint or ""
            if joint in self._limit_set.joints:
                action = Action("pin", f"Pin {printable(joint)}", joint=joint)
                yield _entry(items, f"{joint}: {items[0].message}", action)

    def unexplained(self) -> Iterator[ReviewEntry]:
        """Joints without limits, as something else turns them."""
        for items in self._of_joints(TURNED_BESIDES, MOVING_ORIENTATION):
            name = items[0].joint or ""
            joint = self._limit_set.joints.get(name)
            if joint is None or any(axis.state == "limited" for axis in joint.limits.values()):
                continue
            action = Action("show", "Mend it in the scene, then estimate again", joint=name)
            yield _entry(items, f"{name}: {items[0].message}", action)

    def useless(self) -> Iterator[ReviewEntry]:
        """Limits that mean little in the joint's orientation."""
        for items in self._of_joints(*USELESS):
            action = Action("orient", "Take the suggested orientations", "--frame advised")
            yield _entry(items, f"{items[0].joint}: {items[0].message}", action)

    def one_clip(self) -> Iterator[ReviewEntry]:
        """Clips that alone set limits."""
        for item in self._by_rule.get(ONE_CLIP, ()):
            clip = item.clip or ""
            flag = f"--exclude {quote(clip)}"
            action = Action("exclude-clip", f"Exclude {printable(clip)}", flag, clip=clip)
            yield _entry([item], f"{item.joint} {item.message}", action)


def furthest_frame(limit_set: LimitSet, entry: ReviewEntry) -> float | None:
    """Frame of an entry to show: where its limit was reached, else its first; None without any."""
    joint = limit_set.joints.get(entry.joint)
    axis = None if joint is None or entry.channel is None else joint.limits.get(entry.channel)
    source = None if axis is None or entry.side is None else getattr(axis.source, entry.side)
    if source is not None and source.clip == entry.clip:
        frame: float | None = source.frame
        if _is_within(frame, entry.frame_ranges) or not entry.frame_ranges:
            return frame
    return entry.frame_ranges[0][0] if entry.frame_ranges else None


def _is_within(frame: float | None, ranges: Sequence[tuple[float, float]]) -> bool:
    return frame is not None and any(first <= frame <= last for first, last in ranges)


def _entry(items: Sequence[Finding], text: str, action: Action) -> ReviewEntry:
    """Entry about the first of some findings, which says how many more there are."""
    first = items[0]
    clips = {item.clip for item in items[1:]} - {first.clip}
    place = place_words(first)
    words = f"{printable(text.rstrip('.'))}{f' ({place})' if place else ''}"
    if clips:
        words += f"; also in {plural(len(clips), 'more clip')}"
    return ReviewEntry(
        first.rule,
        words + _consequence(first),
        action,
        first.joint or "",
        first.channel,
        first.side,
        abs(first.degrees or 0.0),
        first.clip,
        first.frame_ranges,
    )


def _consequence(item: Finding) -> str:
    """What the limit would be if it were decided the other way."""
    way = "with" if item.left_out else "without"
    text = "; left out" if item.left_out else ""
    if item.instead_deg is None or item.channel is None or item.side is None:
        return text
    (first, last), *more = item.frame_ranges or ((0.0, 1.0),)
    them = "it" if item.rule == ONE_CLIP or (first == last and not more) else "them"
    ends = {"min": "minimum", "max": "maximum"}
    value = number(item.instead_deg)
    return f"{text}; {way} {them} the {ends[item.side]} of {item.channel} is {value}"


def _excluding(items: Sequence[Finding]) -> Action:
    """Action that leaves out the frames of findings."""
    frames = tuple(
        (item.clip, first, last)
        for item in items
        if item.clip is not None
        for first, last in item.frame_ranges
    )
    clips = {clip for clip, *_ in frames}
    words = frames_words([(first, last) for _, first, last in frames], 2)
    text = f"Exclude {words}" if len(clips) == 1 else f"Exclude them in {len(clips)} clips"
    spans = [f"{a:.10g}" if a == b else f"{a:.10g}-{b:.10g}" for _, a, b in frames]
    flag = ",".join(f"{clip}:{span}" for (clip, *_), span in zip(frames, spans))
    return Action("exclude", text, f"--exclude {quote(flag)}", frames)


# Entries from other records


def _sides(limit_set: LimitSet) -> Iterator[ReviewEntry]:
    """Pairs that move alike but for one end, where one side goes further; each moment once."""
    record, rates = limit_set.symmetry, {clip.name: clip.frame_rate for clip in limit_set.clips}
    found = [
        entry
        for pair in (record.pairs if record is not None else ())
        if not pair.pooled and {pair.left, pair.right} <= set(limit_set.joints)
        for channel in pair.channels
        for entry in _wider(limit_set.joints, pair, channel)
    ]
    moments: list[list[ReviewEntry]] = []
    for entry in sorted(found, key=lambda entry: -entry.degrees):
        near = MOMENT_SECONDS * rates.get(entry.clip or "", 0.0)
        for some in moments:
            first = some[0]
            if (
                entry.clip is not None
                and entry.clip == first.clip
                and entry.frame_ranges
                and abs(entry.frame_ranges[0][0] - first.frame_ranges[0][0]) <= near
            ):
                some.append(entry)
                break
        else:
            moments.append([entry])
    yield from map(_together, moments)


def _wider(
    joints: Mapping[str, JointLimit], pair: PairSymmetry, channel: ChannelSymmetry
) -> Iterator[ReviewEntry]:
    ends, spans = channel.asymmetry_deg, (channel.left_deg, channel.right_deg)
    if ends is None or spans[0] is None or spans[1] is None:
        return
    narrower = min(high - low for low, high in (spans[0], spans[1]))
    for end, by in enumerate(map(abs, ends)):
        if by < SIDES_DEG or abs(ends[1 - end]) > SAME_END_DEG or narrower < by:
            continue
        wide = channel.reached_by[end]
        side, other = channel.further_bound(end), pair.left if wide == pair.right else pair.right
        axis = joints[wide].limits[channel.channel]
        source, bound = getattr(axis.source, side), axis.bound_deg(side)
        if source is None or bound is None or not 0 < source.visits <= MOST_VISITS:
            continue
        as_other = bound + by if side == "min" else bound - by
        where = "" if source.clip is None else f" (clip {source.clip}, frame {source.frame:g})"
        name, than = printable(wide), printable(other)
        place = f"{wide}.{channel.channel}.{side}"
        yield ReviewEntry(
            SIDES,
            f"{name} {channel.channel} goes {by:.0f} degrees further than {than}{where}",
            Action(
                "limit",
                f"Limit {name} to {number(as_other)} as {than}",
                f"jointlimits edit LIMITS.json --set {quote(f'{place}={number(as_other)}')}",
                joint=wide,
                channel=channel.channel,
                side=side,
                value=as_other,
            ),
            wide,
            channel.channel,
            side,
            by,
            source.clip,
            () if source.frame is None else ((source.frame, source.frame),),
        )


def _candidates(joints: Mapping[str, JointLimit]) -> Iterator[ReviewEntry]:
    """Joints that may be hinges; where names are read, only those that are hinges in a body."""
    parts, ranges = body_parts(list(joints)), prior_ranges()
    for name, joint in joints.items():
        found, part = joint.candidate, parts.get(name)
        if found is None or joint.type == found.type:
            continue
        if parts and (part not in ranges or ranges[part].hinge is None):
            continue
        if part == "elbow":  # it has the twist of its forearm, which a hinge would take from it
            continue
        kind, frames = found.type, found.frame_ranges[:1]
        where = f" ({place_words(Finding('', '', name, found.clip, frames))})" if found.clip else ""
        text = (
            f"{printable(name)} is measured as {joint.type} but may be a {kind}: that costs "
            f"{number(found.rms_deg)} degrees rms, {number(found.worst_deg)} at most{where}"
        )
        take, flag = f"Take {printable(name)} as a {kind}", f"--as {quote(f'{name}={kind}')}"
        action = Action("type", take, flag, joint=name, value=kind)
        span = max(found.hinge.max_deg - found.hinge.min_deg, 0.0)
        yield ReviewEntry(CANDIDATE, text, action, name, None, None, span, found.clip, frames)


def _in_step(limit_set: LimitSet) -> Iterator[ReviewEntry]:
    """Channels that move only together with one of another joint."""
    for item in limit_set.dependencies:
        if item.joint == item.on_joint or item.gain < IN_STEP_GAIN:
            continue
        text = (
            f"{printable(item.joint)} {item.channel} moves only in step with "
            f"{printable(item.on_joint)} {item.on_channel}"
        )
        low, high = item.on_range_deg()
        action = Action("fit", "Fit shapes", "jointlimits fit", joint=item.joint)
        yield ReviewEntry(IN_STEP, text, action, item.joint, item.channel, None, high - low)


def without_listed(findings: Iterable[Finding], shown: Review) -> list[Finding]:
    """Findings that a review does not say already, and that are no mere count."""
    rules = {entry.kind for entry in shown.entries} | {"never-moves"}
    return [item for item in findings if item.rule not in rules]
