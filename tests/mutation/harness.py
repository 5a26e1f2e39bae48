"""Tests collected once; each mutant meets, in a process of its own, those that run its function."""

from __future__ import annotations

import functools
import gc
import os
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

# A mutant that runs so long never ends; that is noticed, too.
PATIENCE = 60
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
            self.outcomes[mutant] = self._outcome(mutant, tests, changed, caches)
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
    ) -> str:
        if not tests or not changed:
            return UNTESTED
        child = os.fork()
        if not child:
            _become(changed, caches)
            for item, following in zip(tests, [*tests[1:], None]):
                self._run(item, following)
                if self._failed:
                    os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return ENDLESS if os.WTERMSIG(status) == signal.SIGALRM else KILLED
        return KILLED if os.WEXITSTATUS(status) else SURVIVED


def _become(changed: Changed, caches: Iterable[functools._lru_cache_wrapper[object]]) -> None:
    """Make this process one of the changed program."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(PATIENCE)
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
    """Which tests run which function, and for how long."""

    def __init__(self, paths: set[str]) -> None:
        self._paths = paths
        self._entered: set[tuple[str, str]] = set()
        self._by_function: dict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
        self._seconds: dict[pytest.Item, float] = {}
        sys.monitoring.use_tool_id(TOOL, "mutation")
        sys.monitoring.register_callback(TOOL, sys.monitoring.events.PY_START, self._enter)
        sys.monitoring.set_events(TOOL, sys.monitoring.events.PY_START)

    def _enter(self, code: CodeType, _: int) -> object:
        if code.co_filename in self._paths:
            outermost = code.co_qualname.split(".<locals>")[0]
            self._entered.add((code.co_filename, outermost))
        return sys.monitoring.DISABLE

    def watch(self, item: pytest.Item, run: functools.partial[None]) -> None:
        """Run a test and note what it entered."""
        self._entered.clear()
        sys.monitoring.restart_events()
        start = time.process_time()
        run()
        self._seconds[item] = time.process_time() - start
        for key in self._entered:
            self._by_function[key].append(item)

    def tests(self, mutant: Mutant) -> list[pytest.Item]:
        """The tests that a mutant meets, the quickest first."""
        found = self._by_function[str(mutant.path.resolve()), mutant.function]
        return sorted(found, key=lambda item: (self._seconds[item], item.nodeid))


def _functions(paths: set[str]) -> dict[tuple[str, str], list[FunctionType]]:
    """The functions of the running program by file and qualified name."""
    found: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename in paths:
            found[thing.__code__.co_filename, thing.__code__.co_qualname].append(thing)
    return found
