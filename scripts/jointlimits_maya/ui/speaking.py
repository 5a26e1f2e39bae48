"""Failures as sentences: whatever goes wrong behind a button, the window says so and stays."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable
from typing import Any, Protocol

from jointlimits_core.progress import Cancelled

from .words import tr


class Speaker(Protocol):
    """What can say something to the artist."""

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
    elif isinstance(error, (ValueError, OSError)):
        speaker.say(sentence(error), "problem")
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


def sentence(error: BaseException) -> str:
    """Message of an error as a sentence."""
    if isinstance(error, OSError) and error.strerror:
        place = f" ({error.filename})" if error.filename else ""
        text = f"{error.strerror}{place}"
    else:
        text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"
