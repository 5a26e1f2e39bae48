"""Change the product in one place at a time and count what the tests notice.

    python -m tests.mutation [MODULE ...] [--sample 100] [--seed 0]

The tests are those of the module's own folder. Mutants that do the same as the program are listed
in `equivalent.txt` with the reason, and are not tried; an entry that is no mutant any more is an
error. Exit codes: 0 at least the asked share was noticed, 1 less. Python 3.12 or newer, on Linux or
macOS.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from pathlib import Path
from typing import TextIO

import pytest

from tests.mutation.harness import ENDLESS, KILLED, Harness
from tests.mutation.mutants import Mutant, mutants

CORE = Path("jointlimits_core")
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
# Where a wrong sign would be a wrong limit.
MODULES = (
    "geometry/quaternion",
    "geometry/euler",
    "geometry/circle",
    "geometry/axes",
    "estimation/moment",
    "estimation/hinges",
    "estimation/joint_type",
    "estimation/bounds",
    "motion/mirror",
    "shapes/polytope",
    "ik/solver",
    "limits/limit_set",
    "limits/layers",
    "limits/merge",
    "limits/ranges",
    "limits/symmetry",
    "formats/maya_ascii/writer",
)


def main() -> int:
    """Run the command."""
    options = _parser().parse_args()
    every = [m for name in options.modules for m in mutants(CORE / f"{name}.py")]
    equivalent = _equivalent(options.modules)
    stale = equivalent - {(m.path, m.after) for m in every}
    if stale:
        raise SystemExit(f"{EQUIVALENT}: no such mutant: {sorted(stale)[0]}")
    chosen = [mutant for mutant in every if (mutant.path, mutant.after) not in equivalent]
    alike = Counter(m.path for m in every) - Counter(m.path for m in chosen)
    if options.sample and options.sample < len(chosen):
        kept = random.Random(options.seed).sample(range(len(chosen)), options.sample)
        chosen = [chosen[index] for index in sorted(kept)]
    folders = sorted({f"tests/{mutant.path.parts[1]}" for mutant in chosen})
    harness = Harness(chosen)
    quiet = ["-m", options.tests, "-p", "no:cacheprovider", "-W", "ignore::DeprecationWarning"]
    with os.fdopen(os.dup(1), "w") as screen:
        code = pytest.main([*quiet, *folders], plugins=[harness])
        if len(harness.outcomes) < len(chosen):
            return int(code) or 1
        return int(_report(harness.outcomes, options.modules, alike, screen) < options.at_least)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.mutation", description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("modules", nargs="*", metavar="MODULE", default=MODULES, help="as 'geometry/euler'")
    add("--sample", type=int, help="that many mutants by lot (default: all)")
    add("--seed", type=int, default=0, help="other numbers draw other lots (default 0)")
    add("--tests", default="not slow", help="marks of the tests (default 'not slow')")
    add("--at-least", type=float, default=0.9, help="share to be noticed (default 0.9)")
    return parser


def _equivalent(modules: tuple[str, ...]) -> set[tuple[Path, str]]:
    """Path and changed statement of the mutants of some modules that do what the program does."""
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    entries = [line.partition(": ") for line in lines if line and not line.startswith("#")]
    return {(CORE / f"{name}.py", after) for name, _, after in entries if name in modules}


def _report(
    outcomes: dict[Mutant, str], modules: tuple[str, ...], alike: Counter[Path], screen: TextIO
) -> float:
    """Print what came of the mutants; the share that was noticed."""
    survivors = {m: o for m, o in outcomes.items() if o not in (KILLED, ENDLESS)}
    for mutant, outcome in survivors.items():
        print(f"{mutant.path}:{mutant.line} {outcome}", file=screen)
        print(f"    {mutant.before}\n    {mutant.after}", file=screen)
    every, lost = (Counter(m.path for m in group) for group in (outcomes, survivors))
    print("| module | mutants | noticed | equivalent |\n|---|---|---|---|", file=screen)
    for path in (CORE / f"{name}.py" for name in modules):
        noticed = every[path] - lost[path]
        print(f"| {path} | {every[path]} | {noticed} | {alike[path]} |", file=screen)
    noticed = len(outcomes) - len(survivors)
    share = noticed / max(len(outcomes), 1)
    print(f"{noticed} of {len(outcomes)} mutants noticed, {share:.1%}", file=screen)
    return share


if __name__ == "__main__":
    sys.exit(main())
