"""Checks by their ids, run one by one, and what came of them as a table and as data."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

AS_BELIEVED, DIFFERENT, NOT_RUN, BY_HAND = "as believed", "DIFFERENT", "not run", "by hand"


class NotHere(Exception):  # noqa: N818 - no error: this Maya has no way to tell
    """Raised by a check that cannot tell in this Maya, as one that needs a window."""


@dataclass(frozen=True)
class Check:
    """One check.

    Parameters
    ----------
    id : str
        As in docs/live_checks.md, or ``path-...`` for a main path.
    function : callable
        Returns what was seen, in a few words; AssertionError if it is not what is believed.
        None for what somebody has to look at.
    asks : str
        The first line of the function's docstring: what is believed, or what to do by hand.
    """

    id: str
    function: Callable[[], Any] | None
    asks: str
    name: str


@dataclass(frozen=True)
class Outcome:
    """What came of one check."""

    id: str
    state: str
    seen: str
    function: str
    trace: str = ""


CHECKS: dict[str, Check] = {}


def check(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register a check under an id."""

    def register(function: Callable[[], Any]) -> Callable[[], Any]:
        _add(Check(name, function, _first_line(function), function.__name__))
        return function

    return register


def look(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register what only somebody at the screen can tell; the docstring says how."""

    def register(function: Callable[[], Any]) -> Callable[[], Any]:
        _add(Check(name, None, " ".join((function.__doc__ or "").split()), function.__name__))
        return function

    return register


def _add(one: Check) -> None:
    if one.id in CHECKS:
        raise ValueError(f"{one.id} is there twice")
    CHECKS[one.id] = one


def _first_line(function: Callable[[], Any]) -> str:
    return (function.__doc__ or "").strip().partition("\n")[0]


def outcomes(fresh: Callable[[], None], only: Iterable[str] = ()) -> Iterator[Outcome]:
    """Run checks one by one, each in a fresh scene.

    Parameters
    ----------
    fresh : callable
        Empties the scene.
    only : iterable of str
        Ids; all by default.
    """
    wanted = set(only)
    for one in CHECKS.values():
        if not wanted or one.id in wanted:
            yield _outcome(one, fresh)


def _outcome(one: Check, fresh: Callable[[], None]) -> Outcome:
    if one.function is None:
        return Outcome(one.id, BY_HAND, one.asks, one.name)
    try:
        fresh()
        seen = one.function()
    except AssertionError as error:
        trace = traceback.format_exc()
        return Outcome(one.id, DIFFERENT, str(error) or _line(error), one.name, trace)
    except NotHere as reason:
        return Outcome(one.id, NOT_RUN, str(reason), one.name)
    except Exception as error:  # noqa: BLE001 - the other checks are to be run, whatever this is
        seen = f"{type(error).__name__}: {error}"
        return Outcome(one.id, NOT_RUN, seen, one.name, traceback.format_exc())
    return Outcome(one.id, AS_BELIEVED, "" if seen is None else str(seen), one.name)


def _line(error: BaseException) -> str:
    """The line of the assertion that did not hold."""
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1].line or "" if frames else ""


def table(found: Iterable[Outcome]) -> str:
    """The outcomes as lines of text."""
    return "\n".join(f"{one.state:12} {one.id:34} {' '.join(one.seen.split())}" for one in found)


def document(found: Iterable[Outcome], host: dict[str, Any]) -> dict[str, Any]:
    """The outcomes as plain data, for an issue."""
    return {
        "format": "jointlimits.live-checks",
        "version": 1,
        "host": host,
        "checks": [asdict(one) for one in found],
    }
