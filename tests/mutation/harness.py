"""Tests collected once; each mutant meets, in a process of its own, those that run its lines."""

from __future__ import annotations

import functools
import gc
import mmap
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType, FunctionType

import pytest
from hypothesis import Phase, settings

from tests.mutation.mutants import Mutant

# Processor time: a mutant that runs so long never ends; that is noticed, too.
PATIENCE = 30
# Of tests as they are: one that lives through so many is called a survivor.
MOST_SECONDS = 10.0
MOST_BYTES = 4 << 30
TOOL = 3

KILLED, SURVIVED, ENDLESS, UNTESTED = "killed", "survived", "endless", "not run by any test"


Changed = Sequence[tuple[FunctionType, CodeType]]
"""Functions of the running program and what each becomes."""


@dataclass
class Harness:
    """A plug-in of pytest that runs the tests of mutants instead of the tests.

    Parameters
    ----------
    mutants : sequence of Mutant
        What to try, in this order.
    outcomes : dict
        What came of each, filled by the run.
    """

    mutants: Sequence[Mutant]
    outcomes: dict[Mutant, str] = field(default_factory=dict)
    _failed: bool = False

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Print nothing of single tests."""
        config.pluginmanager.unregister(name="terminalreporter")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Examples are tried in the same order every time, and a failing one is not simplified."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile(
            "mutation",
            settings.default,
            max_examples=25,
            phases=phases,
            derandomize=True,
            database=None,
        )
        settings.load_profile("mutation")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every test once as it is, then those of each mutant."""
        plan = _Plan({str(mutant.path.resolve()) for mutant in self.mutants})
        caches = [o for o in gc.get_objects() if isinstance(o, functools._lru_cache_wrapper)]
        for item in session.items:
            # What one test has worked out must not spare the next one the function.
            for cache in caches:
                cache.cache_clear()
            plan.watch(item, functools.partial(self._run, item))
            if self._failed:
                sys.stderr.write(f"{item.nodeid} fails without any change\n")
                return True
        sys.monitoring.free_tool_id(TOOL)
        live = _functions({str(mutant.path.resolve()) for mutant in self.mutants})
        gc.freeze()
        for mutant in self.mutants:
            tests = plan.tests(mutant)
            changed = [
                (function, code)
                for code in _codes(mutant.code)
                for function in live.get((str(mutant.path.resolve()), code.co_qualname), ())
            ]
            self.outcomes[mutant], killer = self._outcome(mutant, tests, changed, caches)
            if killer is not None:
                plan.prefer(killer)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a failure."""
        self._failed |= report.failed

    def _run(self, item: pytest.Item, following: pytest.Item | None = None) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    def _outcome(
        self,
        mutant: Mutant,
        tests: Sequence[pytest.Item],
        changed: Changed,
        caches: Iterable[functools._lru_cache_wrapper[object]],
    ) -> tuple[str, pytest.Item | None]:
        """What comes of a change, and the test that noticed it."""
        if not tests or not changed:
            return UNTESTED, None
        with mmap.mmap(-1, 4) as running:
            child = os.fork()
            if not child:
                # Whatever a changed program raises, this process must not go on as its parent.
                try:
                    self._meet(mutant, tests, changed, caches, running)
                finally:
                    os._exit(1)
            _, status = os.waitpid(child, 0)
            last = tests[int.from_bytes(running[:], "little")]
        if os.WIFSIGNALED(status):
            return ENDLESS if os.WTERMSIG(status) == signal.SIGPROF else KILLED, last
        return (KILLED, last) if os.WEXITSTATUS(status) else (SURVIVED, None)

    def _meet(
        self,
        mutant: Mutant,
        tests: Sequence[pytest.Item],
        changed: Changed,
        caches: Iterable[functools._lru_cache_wrapper[object]],
        running: mmap.mmap,
    ) -> None:
        """Be the changed program, and run its tests until one fails."""
        _become(changed, caches)
        if mutant.remade is not None:
            exec(mutant.remade, changed[0][0].__globals__)  # noqa: S102 - our own code
        for index, (item, following) in enumerate(zip(tests, [*tests[1:], None])):
            running[:] = index.to_bytes(4, "little")
            self._run(item, following)
            if self._failed:
                return
        os._exit(0)


def _become(changed: Changed, caches: Iterable[functools._lru_cache_wrapper[object]]) -> None:
    """Make this process one of the changed program."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    for stream in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    for cache in caches:
        cache.cache_clear()
    for function, code in changed:
        function.__code__ = code


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function and the functions inside it, which may live on from when it ran."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


class _Plan:
    """Which tests run which lines, and for how long."""

    def __init__(self, paths: set[str]) -> None:
        self._paths = paths
        self._entered: set[tuple[str, int]] = set()
        self._by_line: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
        self._seconds: dict[pytest.Item, float] = {}
        self._preferred: list[pytest.Item] = []
        sys.monitoring.use_tool_id(TOOL, "mutation")
        sys.monitoring.register_callback(TOOL, sys.monitoring.events.LINE, self._enter)
        sys.monitoring.set_events(TOOL, sys.monitoring.events.LINE)

    def _enter(self, code: CodeType, line: int) -> object:
        if code.co_filename in self._paths:
            self._entered.add((code.co_filename, line))
        return sys.monitoring.DISABLE

    def watch(self, item: pytest.Item, run: functools.partial[None]) -> None:
        """Run a test and note what it entered."""
        self._entered.clear()
        sys.monitoring.restart_events()
        start = time.process_time()
        run()
        self._seconds[item] = time.process_time() - start
        for key in self._entered:
            self._by_line[key].append(item)

    def prefer(self, killer: pytest.Item) -> None:
        """What noticed the last mutants meets the next one first."""
        self._preferred = [killer, *(item for item in self._preferred if item is not killer)][:3]

    def tests(self, mutant: Mutant) -> list[pytest.Item]:
        """The tests that a mutant meets, the quickest first."""
        path = str(mutant.path.resolve())
        met = {item for line in mutant.lines for item in self._by_line[path, line]}
        if mutant.remade is not None:
            # What it makes is used anywhere in the module.
            own = (items for (file, _), items in self._by_line.items() if file == path)
            met.update(*own)
        first = [item for item in self._preferred if item in met]
        rest = sorted(met.difference(first), key=lambda i: (self._seconds[i], i.nodeid))
        kept, left = [], MOST_SECONDS
        for item in first + rest:
            left -= self._seconds[item]
            if left < 0.0 and kept:
                break
            kept.append(item)
        return kept


def _functions(paths: set[str]) -> dict[tuple[str, str], list[FunctionType]]:
    """The functions of the running program by file and qualified name."""
    found: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename in paths:
            found[thing.__code__.co_filename, thing.__code__.co_qualname].append(thing)
    return found
