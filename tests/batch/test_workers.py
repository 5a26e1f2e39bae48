"""Workers get their next character before the last outcome is processed, even if they then fail."""

from __future__ import annotations

import sys
import time

import pytest

from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.batch.run import Batch
from jointlimits_core.batch.workers import Workers
from tests.batch.test_run import command
from tests.batch.test_stopped import ENVIRONMENT, wait_until
from tests.support.batch_manifests import write_library

PLAYED = """
import os, sys, time
from jointlimits_core.batch import workers
mark = sys.stdin.readline().strip()
print(workers.protocol_line(mark, workers.READY), flush=True)
for line in sys.stdin:
    with open(f"{sys.argv[1]}/begun-{int(line)}", "a") as file:
        print(os.getpid(), file=file)
    part = sys.argv[2 + int(line)]
    if part == "dies":
        print("about to die", flush=True)
        os._exit(7)
    if part == "hangs":
        time.sleep(60.0)
    fields = {"item": int(line), "name": "a", "status": "ok", "message": "", "result": "a"}
    print(workers.protocol_line(mark, workers.OUTCOME, fields), flush=True)
"""
"""A worker that notes which process begins a character; what each one does is an argument."""


def play_parts(tmp_path, *parts, awaited=(), **options):
    """Outcomes of characters with these parts, and the process that took each.

    The outcomes of those awaited are dealt with once the next character has been begun.
    """
    batch = Batch(read_manifest(write_library(tmp_path, len(parts))), tmp_path / "out", "files")
    worker = [sys.executable, "-c", PLAYED, str(tmp_path), *parts]
    found = []

    def finish(outcome):
        found.append(outcome)
        if outcome.item in awaited:
            wait_until((tmp_path / f"begun-{outcome.item + 1}").exists)

    Workers(batch, worker, environment=ENVIRONMENT, **options).run(range(len(parts)), finish)
    assert [one.item for one in found] == list(range(len(parts)))
    return found, [(tmp_path / f"begun-{item}").read_text().split() for item in range(len(parts))]


@pytest.mark.thorough
def test_the_next_character_is_begun_before_the_last_is_dealt_with(tmp_path):
    found, takers = play_parts(tmp_path, "works", "works", "works", awaited=(0, 1))
    assert [one.status for one in found] == ["ok"] * 3
    assert takers == [takers[0]] * 3


def test_a_worker_that_dies_then_costs_that_character_and_no_other(tmp_path):
    found, takers = play_parts(tmp_path, "works", "dies", "works", awaited=(0,))
    assert [one.status for one in found] == ["ok", "failed", "ok"]
    assert found[1].message == "its worker process died: it ended with exit code 7; see the log"
    (log,) = (tmp_path / "out" / "logs").glob("actor_01*.log")
    assert log.read_text() == "about to die\n"
    assert takers[0] == takers[1] != takers[2]
    assert [len(one) for one in takers] == [1, 1, 1]


@pytest.mark.thorough
def test_a_character_without_end_then_fails_and_no_other(tmp_path):
    found, takers = play_parts(tmp_path, "works", "hangs", "works", awaited=(0,), minutes=0.02)
    assert [one.status for one in found] == ["ok", "failed", "ok"]
    assert found[1].message == "took more than 0.02 minutes; raise --minutes-each to wait longer"
    assert [len(one) for one in takers] == [1, 1, 1]


@pytest.mark.thorough
def test_a_process_takes_no_more_than_its_share(tmp_path):
    _, takers = play_parts(tmp_path, *["works"] * 5, awaited=(0, 2), per_process=2)
    assert takers[0] == takers[1] != takers[2] == takers[3] != takers[4]
    assert [len(one) for one in takers] == [1] * 5


@pytest.mark.thorough
def test_a_stop_ends_the_character_begun_and_nothing_waits_for_it(tmp_path):
    manifest, out = write_library(tmp_path, 3, test_wait={1: 60.0}), tmp_path / "out"
    batch, found = Batch(read_manifest(manifest), out, "files"), []

    def finish(outcome):
        found.append(outcome.item)
        wait_until(lambda: list(out.glob(".actor_01*.scratch")))
        raise RuntimeError("the terminal is gone")

    workers = Workers(batch, command(manifest, out, "--worker"), environment=ENVIRONMENT)
    began = time.monotonic()
    with pytest.raises(RuntimeError, match="the terminal is gone"):
        workers.run([0, 1, 2], finish)
    assert time.monotonic() - began < 30.0
    assert found == [0]
    assert len(list(out.glob("*.result.json"))) == 1
