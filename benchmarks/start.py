"""What a start costs: processor time of the command beside imports that it cannot do without."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .figures import Figure, benchmark

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "humanoid_rom.ma"
ROUNDS = 20
"""Times that each is run, in turn; the least of each counts."""


@benchmark
def version(quick: bool) -> Iterator[Figure]:
    """`--version` beside `import argparse`."""
    yield _beside("--version", ["--version"], "argparse", 3.0, quick)


@benchmark
def estimate(quick: bool) -> Iterator[Figure]:
    """`estimate` of the example, without a page, beside `import numpy`."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["estimate", str(EXAMPLE), "--out", folder]
        yield _beside("estimate, the example", words, "numpy", 2.5, quick)


def _beside(name: str, words: Sequence[str], module: str, target: float, quick: bool) -> Figure:
    """Time of the command beside that of an import, both whole processes, as a ratio."""
    ours, theirs = ["-m", "jointlimits_core", *words], ["-c", f"import {module}"]
    _seconds(ours), _seconds(theirs)  # the first run writes the caches of bytecode
    rounds = [(_seconds(ours), _seconds(theirs)) for _ in range(5 if quick else ROUNDS)]
    least, beside = (min(times) for times in zip(*rounds))
    what = f"import {module}, {1e3 * beside:.0f} ms; {name} {1e3 * least:.0f} ms"
    return Figure(f"{name} beside import {module}", least / beside, "x", target, what)


def _seconds(arguments: Sequence[str]) -> float:
    """Processor time of a Python process, with caches of bytecode and one thread."""
    kept = {name: at for name, at in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**kept, "OPENBLAS_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
