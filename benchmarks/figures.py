"""Results of benchmarks: figures, each with a unit, a target and a comparison."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared"
"""Real data that is not ours to pass on; beside the clone in CI, absent elsewhere."""


@dataclass(frozen=True)
class Figure:
    """One measured number.

    Parameters
    ----------
    name : str
    value : float
    unit : str
        "ms", "deg", "x" for a ratio, ...
    target : float, optional
        None for figures that are only reported.
    compared_with : str
        Description of the comparison or the reference.
    at_least : bool
        True if larger is better; otherwise the value must not exceed the target.
    """

    name: str
    value: float
    unit: str
    target: float | None = None
    compared_with: str = ""
    at_least: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the target was reached; None where there is none."""
        if self.target is None:
            return None
        # Of a value of numpy's this would be numpy's own False, which is not False.
        return bool(self.value >= self.target if self.at_least else self.value <= self.target)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**asdict(self), "met": self.met}


Benchmark = Callable[[bool], Iterator[Figure]]
"""Function that takes whether to be quick (smaller data, fewer repeats) and yields figures."""

BENCHMARKS: dict[str, Benchmark] = {}
"""Every benchmark, by "group.name"."""


class SkippedError(Exception):
    """Why a benchmark cannot run on this machine."""


def benchmark(function: Benchmark) -> Benchmark:
    """Register a benchmark under the name of its module, or its package, and its own."""
    group = function.__module__.split(".")[1]
    BENCHMARKS[f"{group}.{function.__name__}"] = function
    return function


def shared(relative: str) -> Path:
    """Path of a shared file.

    Raises
    ------
    SkippedError
        If this machine does not have it.
    """
    path = SHARED / relative
    if not path.exists():
        raise SkippedError(f"shared data {relative} is not on this machine")
    return path


def upper_bound(hits: int, runs: int) -> float:
    """Upper 95 % bound of the rate for some hits in some runs (Clopper-Pearson)."""
    low, high = hits / runs, 1.0
    for _ in range(60):
        rate = 0.5 * (low + high)
        share = (rate**k * (1.0 - rate) ** (runs - k) for k in range(hits + 1))
        chance = sum(math.comb(runs, k) * one for k, one in enumerate(share))
        low, high = (rate, high) if chance > 0.05 else (low, rate)
    return high


def best_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Smallest processor time of several runs: the one that other work disturbed least."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
