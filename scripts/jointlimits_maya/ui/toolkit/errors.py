"""Messages of the window: errors, missing joints, changes of an estimate; rollback."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager

from jointlimits_core.base import errors
from jointlimits_core.base.text import channel_letter
from jointlimits_core.limits import limit_set, vocabulary
from jointlimits_core.limits.diff import diff

from .words import count_words, first_names, option_place

MAX_MOVED = 3
"""Number of changes of an estimate that are listed."""


def sentence(error: BaseException, names: Collection[str] = ()) -> str:
    """Message of an error as a sentence; a name at its start keeps its case."""
    if isinstance(error, OSError) and error.strerror:
        place = f" ({error.filename})" if error.filename else ""
        text = f"{error.strerror}{place}"
    else:
        text = errors.reader_words(error, option_place)
    first = text.split(" ", 1)[0]
    if first not in names and first.rstrip(":,;.") not in names:
        text = f"{text[:1].upper()}{text[1:]}"
    return f"{text}{'' if text.endswith(('.', '?', '!')) else '.'}"


def missing(names: Collection[str], limits: limit_set.LimitSet) -> str:
    """Message about joints of a limit set that are missing from the scene."""
    if set(names) == set(limits.joints):
        return (
            "The character of these limits is no longer in the scene: it was deleted, or "
            "its reference was unloaded. The limits are kept here; Save writes them to a file."
        )
    count = count_words(len(names), "{count} joint is", "{count} joints are")
    return (
        f"{count} no longer in the scene under this name: {first_names(sorted(names))}. "
        "Apply skips them; the limits are kept here."
    )


def moved_limits_words(before: limit_set.LimitSet, after: limit_set.LimitSet) -> str:
    """Changes of an estimate in the limits in force, largest first."""
    found = []
    for change in diff(before, after).changes:
        is_end = change.what in ("min", "max") and change.by_deg is not None
        if is_end or change.what in ("type", "state"):
            letter = "" if change.channel is None else channel_letter(change.channel)
            what = "" if change.what == "state" else change.what
            place = " ".join(part for part in (change.joint or "", what, letter) if part)
            words = vocabulary.degrees if is_end else str
            text = f"{place} from {words(change.before)} to {words(change.after)}"
            found.append((-abs(change.by_deg or 0.0), text))
    if not found:
        return "No limit changed."
    found.sort(key=lambda each: each[0])
    return f"Changed: {first_names([text for _, text in found], MAX_MOVED)}."


@contextmanager
def rollback(undo: Callable[[], object]) -> Iterator[None]:
    """Call `undo` if the block raises, then raise the error again."""
    with ExitStack() as stack:
        stack.callback(undo)
        yield
        stack.pop_all()
