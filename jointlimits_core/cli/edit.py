"""``jointlimits edit``: edit a limit set by hand, from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from ..base.options import CommandParser, options_of
from ..base.records import with_tuples
from ..base.text import number, number_advice, suggestion
from ..geometry.euler import CHANNELS
from ..limits.exclusions import CLIP_RULE, exclusion, read_exclusions
from ..limits.layers import decide, locks, reset, with_edits, without_edits
from ..limits.limit_set import LimitSet, write_limit_set
from ..limits.ranges import MAX_LOCKED_DEG
from ..limits.records import BOUNDS, TARGETS, ArtistEdit
from ..limits.vocabulary import range_words
from .arguments import add_declared, check_outputs
from .limit_inputs import read_given_limits
from .output import UsageError, invalid_usage, print_text

CHANNEL, OF_JOINT = ("state", *BOUNDS), ("type", "orientation", "note")
"""Editable properties of a channel, and of a joint."""
PLACE = "JOINT.CHANNEL.min, .max or .state, JOINT.type, or JOINT.note"


def add_arguments(sub: CommandParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Write a copy of a limit set with an artist's edits. Edits override measured values; "
        "--keep-edits carries them into later estimates. Channels are written rotateX or X. With "
        "--exclude, the limits are measured again from their clips, without these frames."
    )
    sub.add_argument("limits", metavar="LIMITS.json")
    values = "VALUE is degrees, free, limited, locked, a type, or text"
    for flag, metavar, words in (
        ("--set", "PLACE=VALUE", f"PLACE is {PLACE}; {values}; may be repeated"),
        ("--pin", "PLACE", "keep JOINT, or JOINT.CHANNEL.min or .max, as it is in later estimates"),
        ("--undo", "PLACE", "remove an edit, or all edits of a joint; may be repeated"),
    ):
        sub.add_argument(flag, action="append", default=[], metavar=metavar, help=words)
    add_declared(sub, "exclude")
    sub.add_argument("--author", metavar="NAME", help="name to record with the edits")
    sub.add_argument("--reason", default="", metavar="TEXT", help="reason to record")
    sub.add_argument("--out", metavar="NEW.json", help="limit set to write; must not be the input")


def run(options: argparse.Namespace) -> int:
    """Apply the edits, write the copy and list all edits; only list them if none is given."""
    limit_set = read_given_limits(options)
    if not (options.set or options.pin or options.undo or options.exclude):
        print_text("\n".join(_lines(limit_set)) or f"{options.limits} has no edits")
        return 0
    if options.out is None:
        raise UsageError("--out NEW.json is missing; the input is never overwritten")
    check_outputs([options.limits], [options.out])
    with invalid_usage():
        if options.exclude:
            limit_set = _measure_again(limit_set, options)
        for place in options.undo:
            joint, channel, target = _place(limit_set, place)
            before, limit_set = limit_set, reset(limit_set, joint, target, channel)
            if limit_set.edits == before.edits:
                advice = f"jointlimits edit {options.limits} lists all edits"
                raise UsageError(f"--undo {place}: no edit there; {advice}")
        edits = [_edit(limit_set, text) for text in options.set]
        for place in options.pin:
            joint, channel, target = _place(limit_set, place)
            if target is None:
                edits += locks(limit_set, joint)
            elif target in BOUNDS:
                edits.append(ArtistEdit(joint, target, channel))
            else:
                raise UsageError(
                    f"--pin {place}: only a joint, or a channel's min or max, can be pinned"
                )
        given = {"author": options.author, "note": options.reason}
        edited = decide(limit_set, [replace(edit, **given) for edit in edits])
    write_limit_set(edited, options.out)
    print_text("\n".join([*_lines(edited), f"wrote {options.out}"]))
    return 0


def _measure_again(limit_set: LimitSet, options: argparse.Namespace) -> LimitSet:
    """Limits estimated again from their clips without the excluded frames, edits kept."""
    if any(joint.coupled for joint in limit_set.joints.values()):
        raise UsageError("--exclude: these limits have shapes; run fit again with --exclude")
    from ..estimation.options import EstimateOptions
    from ..estimation.pipeline import estimate
    from ..exporters.skeleton_source import recorded_motions
    from ..importers.declared import carried_edits

    if not limit_set.clips:
        raise UsageError("--exclude: these limits were not estimated from clips")
    known = {item.name for item in options_of("estimate")}
    given = {name: value for name, value in limit_set.options.items() if name in known}
    asked = EstimateOptions(**with_tuples(given))
    # Clips that were excluded before are not recorded as clips, and stay excluded.
    gone = [item for item in limit_set.findings if item.rule == CLIP_RULE]
    names = [clip.name for clip in limit_set.clips]
    clips = [*names, *(item.clip or "" for item in gone)]
    every = read_exclusions(asked.exclude, clips, limit_set.joints)
    before = tuple(exclusion(*one) for one in every if one.clip in names)
    motions = recorded_motions(limit_set, options.limits, options.budget)
    wrong = _first_difference(limit_set, estimate(motions, replace(asked, exclude=before)))
    if wrong is not None:
        raise UsageError(
            f"--exclude: these limits cannot be measured again from their clips ({wrong}), as "
            "after a merge; exclude the frames from the sets that were merged, then merge again"
        )
    found = estimate(motions, replace(asked, exclude=(*before, *options.exclude)))
    named = replace(
        found,
        character=limit_set.character,
        findings=(*gone, *found.findings),
        options={**found.options, "exclude": [*asked.exclude, *options.exclude]},
    )
    return with_edits(named, carried_edits(limit_set, named))


def _first_difference(limit_set: LimitSet, again: LimitSet) -> str | None:
    """First joint, type or range width that differs in another estimate; None if all agree."""
    found = without_edits(again).joints
    for name, joint in without_edits(limit_set).joints.items():
        if name not in found:
            return f"{name} is not in the clips"
        if joint.type != found[name].type:
            return f"{name}: {joint.type}, from the clips {found[name].type}"
        for channel, axis in joint.limits.items():
            other = found[name].limits[channel]
            if axis.state != other.state or abs(axis.width_deg - other.width_deg) > MAX_LOCKED_DEG:
                return f"{name} {channel}: {range_words(axis)}, from the clips {range_words(other)}"
    return None


def _edit(limit_set: LimitSet, text: str) -> ArtistEdit:
    """Parse an edit such as ``LeftKnee.rotateX.min=-2``; joint names and notes may have ``=``."""
    for at in reversed([at for at, character in enumerate(text) if character == "="]):
        with suppress(UsageError):
            joint, channel, target = _place(limit_set, text[:at])
            if target is not None:
                break
    else:
        # This raises a more specific error if nothing of that name can be edited.
        _place(limit_set, text.partition("=")[0])
        raise UsageError(f"--set {text}: write {PLACE}, then = and the value")
    value = text[at + 1 :]
    if target not in BOUNDS:
        return ArtistEdit(joint, target, channel, value)
    try:
        degrees = float(value)
    except ValueError:
        raise UsageError(
            f"--set {text}: {value!r} is not a number of degrees{number_advice(value)}"
        ) from None
    return ArtistEdit(joint, target, channel, degrees)


def _place(limit_set: LimitSet, text: str) -> tuple[str, str | None, str | None]:
    """Joint, channel and target of a place; joint names may contain dots."""
    if text in limit_set.joints:
        return text, None, None
    rest, _, target = text.rpartition(".")
    if target not in CHANNEL:
        of_channel = rest.rpartition(".")[0] in limit_set.joints
        if of_channel or (rest in limit_set.joints and target not in OF_JOINT):
            raise UsageError(
                f"{text}: no {target!r} to edit{suggestion(target, TARGETS)}; write {PLACE}"
            )
        return _joint(limit_set, rest or text), None, target
    joint, _, channel = rest.rpartition(".")
    name = channel if channel in CHANNELS else f"rotate{channel.upper()}"
    if name not in CHANNELS:
        raise UsageError(f"{text}: no channel {channel!r}; write {', '.join(CHANNELS)}")
    return _joint(limit_set, joint), name, target


def _joint(limit_set: LimitSet, name: str) -> str:
    if name not in limit_set.joints:
        near = suggestion(name, limit_set.joints) or "; jointlimits show LIMITS.json lists them"
        raise UsageError(f"{limit_set.character} has no joint {name!r}{near}")
    return name


def _lines(limit_set: LimitSet) -> Iterator[str]:
    """One line per edit: its place and value, author and reason."""
    for edit in limit_set.edits:
        place = ".".join(part for part in (edit.joint, edit.channel, edit.target) if part)
        value, pinned = edit.value, edit.value is None and edit.joint in limit_set.joints
        if pinned and edit.channel:
            value = limit_set.joints[edit.joint].limits[edit.channel].bound_deg(edit.target)
        shown = number(value) if isinstance(value, float) else value
        why = ", ".join(part for part in (edit.author, edit.note) if part)
        yield f"{place} = {shown}{' (pinned)' if pinned else ''}{f' ({why})' if why else ''}"
