"""Failures as sentences: whatever goes wrong behind a button, the window says so and stays."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable, Collection
from typing import Any, Protocol

from jointlimits_core.errors import MissingPackageError
from jointlimits_core.limits.diff import Change, diff
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.progress import Cancelled
from jointlimits_core.wording import channel_letter

from .option_words import in_window
from .words import counted, degrees, tr

MOST_MOVED = 3
"""Changes of an estimate that are said one by one."""


class Speaker(Protocol):
    """What can say something to the artist."""

    @property
    def names(self) -> Collection[str]:
        """Names of joints and clips: they stay as they are at the start of a sentence."""

    def say(self, text: str, kind: str = "info", details: str = "") -> None:
        """Say a sentence; `kind` is "info", "warning" or "problem"."""

    def note(self, what: str, error: BaseException) -> str:
        """Write details into the log; gives where that is."""


def guarded(speaker: Speaker, action: Callable[..., Any]) -> Callable[..., bool]:
    """Turn every failure of an action into something said; it then gives False.

    Whatever Qt calls has to be wrapped in this: an exception would otherwise end in Qt, and only
    the Script Editor would know.
    """

    @functools.wraps(action)
    def run(*arguments: Any, **options: Any) -> bool:
        try:
            action(*arguments, **options)
        except Exception as error:  # noqa: BLE001 - the artist never sees a traceback
            tell(speaker, action.__name__, error)
            return False
        return True

    return run


def tell(speaker: Speaker, what: str, error: Exception) -> None:
    """Say what went wrong: what can be put right in its own words, the rest as a fault of ours."""
    if isinstance(error, Cancelled):
        speaker.say(tr("Stopped; nothing was changed."))
    elif isinstance(error, (ValueError, OSError, MissingPackageError)):
        speaker.say(sentence(error, speaker.names), "problem")
    else:
        _tell_of_fault(speaker, what, error)


def _tell_of_fault(speaker: Speaker, what: str, error: BaseException) -> None:
    """Say that something failed which should not have, and where its details are."""
    where = speaker.note(what, error)
    text = tr(
        "{what} failed, which it should not: {error}. What it had begun was taken back; "
        "the details are in {where} (button Log).",
        what=what.strip("_").replace("_", " ").capitalize(),
        error="".join(traceback.format_exception_only(type(error), error)).strip(),
        where=where,
    )
    speaker.say(text, "problem")


def sentence(error: BaseException, names: Collection[str] = ()) -> str:
    """Message of an error as a sentence; one that begins with a name keeps the name's case."""
    if isinstance(error, OSError) and error.strerror:
        place = f" ({error.filename})" if error.filename else ""
        text = f"{error.strerror}{place}"
    else:
        text = in_window(str(error))
    first = text.split(" ", 1)[0]
    if first not in names and first.rstrip(":,;.") not in names:
        text = f"{text[:1].upper()}{text[1:]}"
    return f"{text}{'' if text.endswith(('.', '?', '!')) else '.'}"


def missing(names: Collection[str], limits: LimitSet) -> str:
    """Which joints of a limit set the scene has no more."""
    if set(names) == set(limits.joints):
        return tr(
            "The character of these limits is not in the scene any more: it was deleted, or "
            "its reference was unloaded. The limits are kept here; Save writes them to a file."
        )
    listed = ", ".join(sorted(names)[:4]) + (" ..." if len(names) > 4 else "")
    said = counted(len(names), "{count} joint is", "{count} joints are")
    return tr(
        "{said} not in the scene under this name any more: {names}. Apply leaves them out; "
        "the limits are kept here.",
        said=said,
        names=listed,
    )


def moved(before: LimitSet, after: LimitSet) -> str:
    """What another estimate changed in the limits in force: the most first."""
    found = [
        change
        for change in diff(before, after).changes
        if change.what in ("type", "state")
        or (change.what in ("min", "max") and change.by_deg is not None)
    ]
    if not found:
        return tr("No limit moved.")
    found.sort(key=lambda change: -abs(change.by_deg or 0.0))
    listed = ", ".join(_moved(change) for change in found[:MOST_MOVED])
    more = len(found) - MOST_MOVED
    rest = counted(more, " and {count} more", " and {count} more") if more > 0 else ""
    return tr("Moved: {changes}{rest}.", changes=listed, rest=rest)


def _moved(change: Change) -> str:
    """One change: "LeftArm max X from 80.0 to 55.0 degrees"."""
    letter = "" if change.channel is None else channel_letter(change.channel)
    what = {"min": tr("min"), "max": tr("max"), "type": tr("type")}.get(change.what, "")
    was, now = (
        degrees(value) if change.what in ("min", "max") else tr(str(value))
        for value in (change.before, change.after)
    )
    place = " ".join(part for part in (change.joint or "", what, letter) if part)
    return tr("{place} from {was} to {now}", place=place, was=was, now=now)
