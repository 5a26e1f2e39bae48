"""Many inputs for one reader, one after the other in this process."""

from __future__ import annotations

import collections
import hashlib
import random
import re
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from jointlimits_core.base import InputError, printable
from tests.fuzz.guard import ForbiddenError, Guard, TooLongError, peak_megabytes
from tests.fuzz.targets import Target

LONGEST_MESSAGE = 2000
KEPT = 400
"""Inputs with an ending that was new; what comes is made from them, too."""
FINDS_KEPT = 5
"""Finds of one kind that are stored."""
_PARTS = re.compile(r"'[^']*'|\"[^\"]*\"|[-+]?\d[\w.+-]*")


@dataclass
class Tally:
    """What came of the inputs of a reader."""

    name: str
    inputs: int = 0
    accepted: int = 0
    messages: set[str] = field(default_factory=set)
    finds: collections.Counter[str] = field(default_factory=collections.Counter)
    slowest: float = 0.0
    seconds: float = 0.0
    peak_megabytes: float = 0.0

    def row(self) -> str:
        """Row of the table that is printed at the end."""
        cells = (
            self.name,
            f"{self.inputs:,}",
            f"{100.0 * self.accepted / max(self.inputs, 1):.0f} %",
            f"{len(self.messages)}",
            f"{1000.0 * self.slowest:.0f} ms",
            f"{self.peak_megabytes:.0f} MB",
            f"{sum(self.finds.values())}",
        )
        return "| " + " | ".join(cells) + " |"


class Fuzzer:
    """Makes inputs and reads them.

    Parameters
    ----------
    target : Target
    seeds : list of bytes
        What the reader accepts.
    folder : Path
        Empty; inputs are written here.
    finds : Path
        Folder for inputs that brought something to light.
    guard : Guard
    """

    def __init__(
        self, target: Target, seeds: list[bytes], folder: Path, finds: Path, guard: Guard
    ) -> None:
        self.target, self.seeds, self.folder, self.finds = target, seeds, folder, finds
        self.guard = guard
        self.tally = Tally(target.name)
        self._pool = list(seeds)
        self._path = folder / f"input{target.ending}"
        target.prepare(folder)

    def check_seeds(self) -> None:
        """Drop seeds that are refused: what is made from them comes nowhere.

        Raises
        ------
        AssertionError
            For the first one, which is our own, and for what is found in any.
        """
        endings = [self._tried(seed) for seed in self.seeds]
        wrong = next((find for _, find in endings if find), "")
        if wrong or endings[0][0] != "accepted":
            raise AssertionError(f"{self.target.name}: {wrong or endings[0][0]}")
        fine = [seed for seed, (how, _) in zip(self.seeds, endings) if how == "accepted"]
        self.seeds, self._pool = fine, list(fine)

    def run(self, count: int, seed: int, seconds: float) -> Tally:
        """Try so many inputs, or what the time is enough for."""
        chance = random.Random(f"{self.target.name} {seed}")
        began = time.monotonic()
        while self.tally.inputs < count and time.monotonic() - began < seconds:
            base = chance.choice(self.seeds if chance.random() < 0.5 else self._pool)
            self.one(self.target.mutated(chance, base, self._pool))
        self.tally.seconds += time.monotonic() - began
        self.tally.peak_megabytes = peak_megabytes()
        return self.tally

    def one(self, data: bytes) -> str:
        """Try one input; gives what was found, empty if nothing."""
        tally = self.tally
        began = time.process_time()
        ending, find = self._tried(data)
        tally.slowest = max(tally.slowest, time.process_time() - began)
        tally.inputs += 1
        tally.accepted += ending == "accepted"
        if ending not in tally.messages:
            tally.messages.add(ending)
            if len(data) <= 30_000:
                self._pool.append(data)
                del self._pool[len(self.seeds) : -KEPT]
        if find:
            tally.finds[find] += 1
            if tally.finds[find] <= FINDS_KEPT:
                self._store(data, find)
        return find

    def _tried(self, data: bytes) -> tuple[str, str]:
        """How an input ended, and what is wrong with that."""
        self._path.write_bytes(data)
        read = False
        try:
            with self.guard.watching():
                found = self.target.read(self._path)
                read = True
                self.target.check(self._path, found)
        except InputError as error:
            if read:
                return "accepted", f"what was accepted is refused when it is written: {error}"[:200]
            return _PARTS.sub("_", error.message)[:120], self._wrong_message(error)
        except (TooLongError, ForbiddenError) as error:
            return type(error).__name__, f"{type(error).__name__}: {error}"
        except Exception as error:  # noqa: BLE001 - whatever there is: that is what is looked for
            place = traceback.extract_tb(error.__traceback__)[-1]
            message = _PARTS.sub("_", str(error).splitlines()[0] if str(error) else "")[:80]
            where = f"{Path(place.filename).name}:{place.lineno}"
            return type(error).__name__, f"{type(error).__name__} at {where}: {message}"
        return "accepted", ""

    def _wrong_message(self, error: InputError) -> str:
        """What nobody should have to read: escape codes, several lines, endless text."""
        text = str(error)
        if printable(text) != text:
            return f"a message that is not printable: {_PARTS.sub('_', ascii(text))[-80:]}"
        return "a message without end" if len(text) > LONGEST_MESSAGE else ""

    def _store(self, data: bytes, find: str) -> None:
        self.finds.mkdir(parents=True, exist_ok=True)
        name = f"{self.target.name}-{hashlib.sha256(data).hexdigest()[:12]}"
        (self.finds / (name + self.target.ending)).write_bytes(data)
        with open(self.finds / "finds.txt", "a", encoding="utf-8") as stream:
            stream.write(f"{name}{self.target.ending}\t{find}\n")
