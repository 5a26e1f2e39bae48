"""Checks by id, run one by one, and their outcomes, recorded at once."""

from __future__ import annotations

import json
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.maya_live.run import CANNOT_BEGIN

AS_BELIEVED, DIFFERENT, FAILED = "as believed", "DIFFERENT", "FAILED"
NOT_RUN, BY_HAND, RUNNING = "not run", "by hand", "running"
NOT_AS_BELIEVED = (DIFFERENT, FAILED)
STAND_IN = (
    "THIS IS NOT MAYA but the stand-in of the tests. This only shows that the kit runs: it\n"
    "reports as believed what the stand-in was built to do."
)
FORMAT, VERSION = "jointlimits.live-checks", 2


class NotHere(Exception):  # noqa: N818 - not an error: something is absent
    """Raised by a check that needs what this Maya does not have, such as a window."""


@dataclass(frozen=True)
class Check:
    """One check.

    Parameters
    ----------
    id : str
        The id used in the code's marks, or ``path-...`` for a main path.
    function : callable
        Returns what was seen, in a few words; raises AssertionError if it differs from the
        assumption. None if somebody has to look.
    asks : str
        The first line of the function's docstring: the assumption, and what to do by hand.
    confidence : str
        "settled": known, kept as a guard; "high": a document or several public tools agree;
        "medium": one source does, or its wording leaves room for doubt; "low": a guess.
    source : str
        Source of the assumption; "case": somebody saw it in Maya.
    """

    id: str
    function: Callable[[], Any] | None
    asks: str
    name: str
    confidence: str = ""
    source: str = ""


@dataclass(frozen=True)
class Outcome:
    """Outcome of one check.

    Parameters
    ----------
    state : str
        AS_BELIEVED; DIFFERENT from the assumption; FAILED: the check stopped with an error, or
        Maya crashed; NOT_RUN: something that it needs is missing; BY_HAND.
    seen : str
        What was seen, or the error.
    """

    id: str
    state: str
    seen: str
    function: str
    trace: str = ""


CHECKS: dict[str, Check] = {}


def check(
    name: str, confidence: str = "", source: str = ""
) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register a check under an id."""

    def register(function: Callable[[], Any]) -> Callable[[], Any]:
        asks = _first_line(function)
        _add(Check(name, function, asks, function.__name__, confidence, source))
        return function

    return register


def look(
    name: str, confidence: str, source: str
) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register a check that needs somebody at the screen; the docstring gives the steps."""

    def register(function: Callable[[], Any]) -> Callable[[], Any]:
        asks = " ".join((function.__doc__ or "").split())
        _add(Check(name, None, asks, function.__name__, confidence, source))
        return function

    return register


def _add(one: Check) -> None:
    if one.id in CHECKS:
        raise ValueError(f"two checks are called {one.id}")
    CHECKS[one.id] = one


def _first_line(function: Callable[[], Any]) -> str:
    return (function.__doc__ or "").strip().partition("\n")[0]


def choose_checks(only: Container[str] = (), skip: Container[str] = ()) -> list[Check]:
    """Checks with an id of `only` (all if it is empty), without those of `skip`."""
    return [one for one in CHECKS.values() if (not only or one.id in only) and one.id not in skip]


def outcome(one: Check, fresh: Callable[[], None]) -> Outcome:
    """Run a check in a new scene, made by `fresh`."""
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
    except Exception as error:  # noqa: BLE001 - the other checks must run, whatever this is
        seen = f"{type(error).__name__}: {error}"
        return Outcome(one.id, FAILED, seen, one.name, traceback.format_exc())
    return Outcome(one.id, AS_BELIEVED, "" if seen is None else str(seen), one.name)


def _line(error: BaseException) -> str:
    """Source line of the assertion that failed."""
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1].line or "" if frames else ""


def described(one: Check) -> str:
    """Text line for a check: the assumption, its confidence and its source."""
    known = f" ({one.confidence}: {one.source})" if one.source else ""
    return f"{one.id:34} {one.asks}{known}"


def row(one: Outcome) -> str:
    """Text line for an outcome."""
    return f"{one.state:12} {one.id:34} {' '.join(one.seen.split())}".rstrip()


class Record:
    """File with one JSON line for the host, then two for each check: at its start and its end.

    A crash of Maya leaves the line of the check that was running. `checks`: ids of all checks to
    run, if this record is part of another.
    """

    def __init__(self, path: Path, host: dict[str, Any], checks: Sequence[str] = ()) -> None:
        self.path = path
        # The file of a part exists already, and is empty.
        self._file = path.open("a" if checks else "x", encoding="utf-8")
        self._write({"format": FORMAT, "version": VERSION, "host": host, "checks": checks})

    def begin(self, name: str) -> None:
        """Record that a check begins."""
        self._write({"id": name, "state": RUNNING})

    def end(self, one: Outcome) -> None:
        """Record the outcome."""
        self._write(asdict(one))

    def close(self) -> None:
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


def begin_record(asked: Path | None, host: dict[str, Any]) -> Record:
    """Begin the requested record, or one in the current or the temporary folder."""
    path = asked or Path(f"live_checks_{host['maya']}_{time.strftime('%Y%m%d-%H%M%S')}.jsonl")
    try:
        try:
            return Record(path, host)
        except FileExistsError:
            raise
        except OSError as error:
            other = Path(tempfile.gettempdir(), path.name)
            print(f"Cannot write {path} ({error.strerror}): the record is {other}")
            return Record(other, host)
    except FileExistsError as error:
        print(f"{error.filename} already exists: give another file with --json")
        sys.exit(CANNOT_BEGIN)


def announce(name: str) -> None:
    """Print that a check runs now."""
    print(f"{RUNNING:12} {name}", flush=True)


def conclude(found: Sequence[Outcome], host: dict[str, Any], path: Path) -> int:
    """Print the table and where the record is; return the exit code."""
    print("\n" + "\n".join(summary(found, host)))
    if host["stand_in"]:
        print(STAND_IN)
    print(f"\nPlease paste this table into an issue and attach {path}")
    return int(any(one.state in NOT_AS_BELIEVED for one in found))


def read_record(path: Path) -> list[Outcome]:
    """Outcomes in a record; a check without an end counts as FAILED."""
    found: dict[str, Outcome] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        if one.get("state") == RUNNING:
            found[one["id"]] = Outcome(one["id"], FAILED, "Maya crashed or was stopped here", "")
        elif "id" in one:
            found[one["id"]] = Outcome(**one)
    return list(found.values())


def summary(found: Sequence[Outcome], host: dict[str, Any]) -> Iterator[str]:
    """Lines of a table to paste into an issue: the counts, and everything not as believed."""
    states = (AS_BELIEVED, DIFFERENT, FAILED, NOT_RUN, BY_HAND)
    counts = {state: sum(one.state == state for one in found) for state in states}
    yield " · ".join(f"{name} {value}" for name, value in host.items() if value is not False)
    yield ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    rows = [one for one in found if one.state in (DIFFERENT, FAILED, NOT_RUN)]
    if rows:
        yield "\n| check | result | seen |\n|---|---|---|"
    for one in rows:
        yield f"| {one.id} | {one.state} | {' '.join(one.seen.split()).replace('|', '/')[:200]} |"
