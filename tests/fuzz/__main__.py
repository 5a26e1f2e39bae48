"""Feed broken input to every reader: ``python -m tests.fuzz``.

Exit codes: 0 nothing was found, 1 something was; the inputs are in the folder of finds.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from pathlib import Path

from tests.fuzz.guard import Guard
from tests.fuzz.run import Fuzzer
from tests.fuzz.seeds import SEEDS
from tests.fuzz.targets import targets

HEAD = (
    "| reader | inputs | accepted | messages | slowest | memory | finds |\n"
    "|---|---|---|---|---|---|---|"
)


def main() -> int:
    """Run the command."""
    known = targets()
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__.splitlines()[0]
    )
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(known)}")
    parser.add_argument("--inputs", type=int, default=200_000, help="of each reader")
    parser.add_argument("--seconds", type=float, default=math.inf, help="at most, each reader")
    parser.add_argument("--seed", type=int, default=0, help="other numbers give other inputs")
    parser.add_argument("--finds", type=Path, default=Path("out/finds"), help="folder of finds")
    parser.add_argument("--again", type=Path, help="read this one file and say what is found")
    options = parser.parse_args()
    unknown = set(options.readers) - set(known)
    if unknown:
        parser.error(f"no reader {', '.join(sorted(unknown))}")
    shared_memory = Path("/dev/shm")
    place = shared_memory if shared_memory.is_dir() else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        return _run(options, options.readers or list(known), Path(folder))


def _run(options: argparse.Namespace, names: list[str], folder: Path) -> int:
    fuzzers = []
    seeds = {name: SEEDS[name]() for name in names}
    guard = Guard(folder)
    for name in names:
        own = folder / name
        own.mkdir()
        fuzzers.append(Fuzzer(targets()[name], seeds[name], own, options.finds, guard))
    if options.again is not None:
        found = [fuzzer.one(options.again.read_bytes()) for fuzzer in fuzzers]
        print("\n".join(found))
        return int(any(found))
    print(HEAD)
    for fuzzer in fuzzers:
        fuzzer.check_seeds()
        print(fuzzer.run(options.inputs, options.seed, options.seconds).row(), flush=True)
        for find, times in fuzzer.tally.finds.most_common():
            print(f"  {times} x {find}", file=sys.stderr, flush=True)
    guard.end()
    return int(any(fuzzer.tally.finds for fuzzer in fuzzers))


if __name__ == "__main__":
    sys.exit(main())
