"""Broken input that is led by what it reaches: ``python -m tests.fuzz.guided [READER ...]``.

Inputs that reach a new branch of a reader are kept, and the next ones are made from them, also in
the next run with the same corpus. Each reader has a process of its own, one after the other, and
gets time in proportion to how late it last surprised. A find is what ``python -m tests.fuzz`` calls
one; ``python -m tests.fuzz READER --again FILE`` reads its input without the slow counting of
branches. Needs Linux, and atheris, which exists for Python 3.11.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import pkgutil
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tests.fuzz.mutation import MOST_BYTES

SLICE_SECONDS = 120
SLOWER = 4.0
"""How many times as long, and as much memory, inputs may take while branches are counted."""
PATIENCE = 20.0
"""How many times as long a process may wait for the processor, which others need more."""
LEAST_SURPRISE = 0.05
HEAD = (
    "| reader | processor time | inputs | branches | last new one | last find |\n"
    "|---|---|---|---|---|---|"
)
_STATUS = re.compile(r"#(\d+)\s+(\w+)\s+cov: (\d+)")
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Effort:
    """What has been spent on a reader, in all runs with this corpus.

    Parameters
    ----------
    seconds : float
        Of processor time.
    inputs : int
    branches : int
        That the corpus reaches.
    last_new, last_find : float
        Processor time that had been spent when the last new branch, and the last find, came.
    """

    seconds: float = 0.0
    inputs: int = 0
    branches: int = 0
    last_new: float = 0.0
    last_find: float = 0.0

    @property
    def surprise(self) -> float:
        """How late in its time the reader still showed something new, at most 1."""
        late = max(self.last_new, self.last_find) / max(self.seconds, 1e-9)
        return max(late, LEAST_SURPRISE)

    def row(self, name: str) -> str:
        """Row of the table that is printed."""
        cells = (
            name,
            f"{self.seconds / 60.0:.1f} min",
            f"{self.inputs:,}",
            f"{self.branches:,}",
            f"{self.last_new / 60.0:.1f} min",
            f"{self.last_find / 60.0:.1f} min" if self.last_find else "none",
        )
        return "| " + " | ".join(cells) + " |"


class Corpus:
    """A folder with kept inputs of every reader, and what was spent on them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.finds = folder / "finds"
        self._path = folder / "efforts.json"
        self.finds.mkdir(parents=True, exist_ok=True)

    def efforts(self, names: list[str]) -> dict[str, Effort]:
        """What was spent on readers so far."""
        held = json.loads(self._path.read_text()) if self._path.exists() else {}
        return {name: Effort(**held.get(name, {})) for name in names}

    def keep(self, efforts: dict[str, Effort]) -> None:
        """Add or replace what was spent on readers."""
        held = json.loads(self._path.read_text()) if self._path.exists() else {}
        held.update({name: asdict(one) for name, one in efforts.items()})
        self._path.write_text(json.dumps(held, indent=1, sort_keys=True))

    def of(self, name: str) -> Path:
        """Folder of a reader's inputs."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return folder

    def found(self, name: str) -> int:
        """How many inputs of a reader are finds."""
        return sum(1 for _ in self.finds.glob(f"{name}-*"))


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.guided", description=__doc__.splitlines()[0]
    )
    parser.add_argument("readers", nargs="*", metavar="READER", help="default: every one")
    parser.add_argument("--minutes", type=float, default=10.0, help="by the clock, altogether")
    parser.add_argument("--corpus", type=Path, default=Path("out/corpus"), help="folder")
    parser.add_argument("--smaller", action="store_true", help="drop inputs that add nothing")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args()
    corpus = Corpus(options.corpus)
    if options.inside:
        _inside(options.readers[0], corpus, options.inside, rest)
    from tests.fuzz.targets import targets

    names = options.readers or list(targets())
    if rest or set(names) - set(targets()):
        parser.error(f"no reader {', '.join(rest or sorted(set(names) - set(targets())))}")
    if options.smaller:
        for name in names:
            _make_smaller(name, corpus)
        return 0
    return _run(names, corpus, 60.0 * options.minutes)


def _run(names: list[str], corpus: Corpus, seconds: float) -> int:
    before = sum(map(corpus.found, names))
    efforts = corpus.efforts(names)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        name = min(
            names, key=lambda n: efforts[n].seconds / max(efforts[n].surprise, LEAST_SURPRISE)
        )
        left = max(1, min(SLICE_SECONDS, int(ends - time.monotonic())))
        efforts[name] = _slice(name, corpus, efforts[name], left)
        corpus.keep({name: efforts[name]})
        print(efforts[name].row(name), flush=True)
    print(HEAD)
    for name in names:
        print(efforts[name].row(name))
    spent = sum(one.seconds for one in efforts.values())
    print(f"{spent / 3600.0:.2f} hours of processor time")
    return int(sum(map(corpus.found, names)) > before)


def _slice(name: str, corpus: Corpus, effort: Effort, seconds: int) -> Effort:
    """Fuzz one reader for a while."""
    # Memory is watched input by input; that of the fuzzer itself grows with their number.
    flags = [f"-max_total_time={seconds}", f"-max_len={MOST_BYTES}", "-len_control=0"]
    # The guard counts processor time; libFuzzer would report what is slow by the clock.
    flags += ["-rss_limit_mb=0", "-report_slow_units=100000"]
    finds, branches, inputs, last = corpus.found(name), 0, 0, effort.last_new
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        command = [*_command(name, corpus, folder).split(), *flags]
        child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert child.stderr is not None
        words: deque[str] = deque(maxlen=30)
        for line in child.stderr:
            words.append(line)
            status = _STATUS.match(line)
            if status is None:
                continue
            inputs = int(status[1])
            if status[2] == "NEW" and int(status[3]) > branches:
                last = effort.seconds + _processor_seconds(child.pid)
            branches = max(branches, int(status[3]))
        _, code, used = os.wait4(child.pid, 0)
    after = effort.seconds + used.ru_utime + used.ru_stime
    if code:
        print(*words, sep="", file=sys.stderr)
    found = bool(code) or corpus.found(name) > finds
    return replace(
        effort,
        seconds=after,
        inputs=effort.inputs + inputs,
        branches=max(branches, 1),
        last_new=last,
        last_find=after if found else effort.last_find,
    )


def _command(name: str, corpus: Corpus, folder: str) -> str:
    module = f"{sys.executable} -m tests.fuzz.guided"
    return f"{module} {name} --inside {folder} --corpus {corpus.folder}"


def _make_smaller(name: str, corpus: Corpus) -> None:
    """Keep the smallest inputs that reach the same branches."""
    full = corpus.of(name)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        small = Path(folder) / "small"
        small.mkdir()
        flags = ["-merge=1", f"-max_len={MOST_BYTES}", str(small), str(full)]
        subprocess.run([*_command(name, corpus, folder).split(), *flags], check=False)
        kept = {path.name: path.read_bytes() for path in small.iterdir()}
    if not kept:
        raise SystemExit(f"nothing would be left of {full}; its inputs are kept")
    for path in full.iterdir():
        path.unlink()
    for known, data in kept.items():
        (full / known).write_bytes(data)
    print(f"{name}: {len(kept)} inputs, {sum(map(len, kept.values())):,} bytes", flush=True)


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _inside(name: str, corpus: Corpus, folder: Path, flags: list[str]) -> None:
    """Fuzz one reader in this process, and end it."""
    import atheris

    with atheris.instrument_imports(include=["jointlimits_core"], enable_loader_override=False):
        _import_everything()
        from tests.fuzz import guard
        from tests.fuzz.run import Fuzzer
        from tests.fuzz.seeds import SEEDS
        from tests.fuzz.targets import targets

    guard.SECONDS *= SLOWER
    guard.MEMORY_BYTES *= int(SLOWER)
    guard.RETURN_SECONDS *= PATIENCE
    seeds, target, kept = SEEDS[name](), targets()[name], corpus.of(name)
    if not any(kept.iterdir()):
        for seed in seeds:
            (kept / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    watch = guard.Guard(folder)
    fuzzer = Fuzzer(target, seeds, folder, corpus.finds, watch)
    pool = [path.read_bytes() for path in sorted(kept.iterdir())[:400]] or seeds

    def one(data: bytes) -> None:
        fuzzer.one(data)

    def mutated(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if data and chance.random() < 0.5:
            return target.mutated(chance, data, pool)[:most]
        made: bytes = atheris.Mutate(data, most)
        return made

    folders = [] if any(not flag.startswith("-") for flag in flags) else [str(kept)]
    prefix = f"-artifact_prefix={corpus.finds}/{name}-"
    arguments = [_command(name, corpus, str(folder)), prefix, *flags, *folders]
    atheris.Setup(arguments, one, custom_mutator=mutated)
    try:
        atheris.Fuzz()
    finally:
        watch.end()


def _import_everything() -> None:
    """A module that is imported while an input is read would look like a harm of that input."""
    core = importlib.import_module("jointlimits_core")
    for module in pkgutil.walk_packages(core.__path__, "jointlimits_core."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


if __name__ == "__main__":
    sys.exit(main())
