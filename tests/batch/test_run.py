"""Complete batches in processes: characters that fail do not stop the others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from jointlimits_core.base.progress import TimeLeft
from jointlimits_core.batch import command as command_module
from jointlimits_core.batch.run import Outcome, without_own_file
from jointlimits_core.batch.workers import Workers
from tests.support.batch_manifests import bvh_text, write_library, write_manifest
from tests.support.batch_of_files import main
from tests.support.batch_runs import run_to_end
from tests.support.house_files import ROOT


def command(manifest, out, *arguments):
    program = [sys.executable, "-m", "tests.support.batch_of_files", "--manifest", str(manifest)]
    return [*program, "--out", str(out), *arguments]


def run(manifest, out, *arguments, code=None):
    return run_to_end(command(manifest, out, *arguments), code=code)


def test_several_workers_begin_with_what_is_largest(tmp_path, monkeypatch):
    taken = []
    monkeypatch.setattr(Workers, "run", lambda self, items, *more: taken.append(list(items)))
    manifest = write_library(tmp_path / "library", 4)
    (tmp_path / "library" / "clip_01.bvh").unlink()
    for item, frames in ((2, 500), (3, 200)):
        (tmp_path / "library" / f"clip_{item:02d}.bvh").write_text(bvh_text(30, frames))
    for jobs in ("1", "2"):
        main(["--manifest", str(manifest), "--out", str(tmp_path / jobs), "--jobs", jobs])
    assert taken == [[0, 1, 2, 3], [2, 3, 0, 1]]


@pytest.mark.thorough
def test_workers_end_when_their_master_is_killed(tmp_path):
    manifest = write_library(tmp_path, 2, test_wait={0: 60.0, 1: 60.0})
    process = subprocess.Popen(
        command(manifest, tmp_path / "out", "--jobs", "2"), cwd=ROOT, stdout=subprocess.DEVNULL
    )
    try:
        began = time.monotonic()
        while len(_children(process.pid)) < 2 or not _busy(tmp_path / "out"):
            assert time.monotonic() - began < 30
            time.sleep(0.05)
        children = _children(process.pid)
    finally:
        process.kill()
        process.wait()
    began = time.monotonic()
    while any(os.path.exists(f"/proc/{child}/fd/0") for child in children):
        assert time.monotonic() - began < 10
        time.sleep(0.05)


@pytest.mark.thorough
def test_a_fresh_process_takes_over_after_so_many_characters(tmp_path):
    manifest = write_library(tmp_path, 21, test_pid=dict.fromkeys(range(21), True))
    run(manifest, tmp_path / "out", "--jobs", "1", code=0)
    notes = sorted((tmp_path / "out").glob("*.note.txt"))
    takers = [path.read_text().split()[-1] for path in notes]
    assert takers == [takers[0]] * 20 + takers[-1:]
    assert takers[-1] != takers[0]


def _children(pid):
    listed = f"/proc/{pid}/task/{pid}/children"
    if not os.path.exists(listed):
        pytest.skip("this system does not say which processes a process has started")
    tasks = os.listdir(f"/proc/{pid}/task")
    texts = [open(f"/proc/{pid}/task/{task}/children").read() for task in tasks]  # noqa: SIM115
    return [int(word) for text in texts for word in text.split()]


def _busy(out):
    return out.exists() and len([p for p in out.iterdir() if p.suffix == ".scratch"]) == 2


@pytest.mark.thorough
def test_resume_keeps_good_results_and_tries_failures_again(tmp_path, capfd):
    manifest = write_library(tmp_path, 3, broken=(1,))
    arguments = ["--manifest", str(manifest), "--out", str(tmp_path / "out"), "--resume"]
    assert main(arguments) == 1
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.limits.json")}
    clip = tmp_path / "clip_01.bvh"
    clip.write_text(clip.read_text().replace("Fame Rime", "Frame Time"))
    assert main(arguments) == 0
    assert all(path.stat().st_mtime_ns == then for path, then in before.items())
    assert "3 ok, 0 failed, 0 missing" in capfd.readouterr().out
    assert main(arguments) == 0


@pytest.mark.thorough
def test_a_process_that_dies_costs_one_character(tmp_path, capfd):
    manifest = write_library(
        tmp_path, 5, test_die={1: 7, 2: 9}, test_bug={3: "oops"}, test_chatter={0: True}
    )
    assert main(["--manifest", str(manifest), "--out", str(tmp_path / "out")]) == 1
    printed = capfd.readouterr().out
    assert "actor 01: failed: its worker process died: it ended with exit code 7" in printed
    assert "actor 03: failed: unexpected KeyError: 'oops'; see the log" in printed
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert [row["status"] for row in summary["characters"]] == ["ok", *["failed"] * 3, "ok"]
    logs = {path.name[:8]: path.read_text() for path in (tmp_path / "out" / "logs").iterdir()}
    assert logs["actor_01"] == "about to die\n"
    assert "Traceback" in logs["actor_03"]


@pytest.mark.thorough
def test_a_file_that_changes_while_it_is_read_is_a_failure(tmp_path):
    manifest = write_library(tmp_path, 1, test_wait={0: 2.0})
    process = subprocess.Popen(command(manifest, tmp_path / "out"), cwd=ROOT)
    while not list(tmp_path.glob("out/.*.scratch")):
        time.sleep(0.02)
    clip = tmp_path / "clip_00.bvh"
    clip.write_text(clip.read_text().replace("OFFSET 0 -10 0", "OFFSET 0 -11 0"))
    assert process.wait(timeout=60) == 1
    (result,) = (tmp_path / "out").glob("*.result.json")
    assert "changed while it was read" in json.loads(result.read_text())["message"]
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["missing"] == 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--items", "0-9"], "item 9 does not exist: the last item is 1"),
        (["--items", "x"], "items must be like"),
        (["--items", "0", "--merge"], "cannot be combined with --items"),
        (["--jobs", "0"], "must be a whole number from 1"),
    ],
)
def test_usage(tmp_path, arguments, expected):
    manifest = write_library(tmp_path, 2)
    done = run(manifest, tmp_path / "out", *arguments, code=2)
    assert expected in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.thorough
def test_names_and_messages_are_shown_on_any_terminal(tmp_path):
    manifest = write_library(tmp_path, 1, test_bug={0: "\x1b[2J two\nlines"})
    text = manifest.read_text().replace("actor 00", "Zoë")
    manifest.write_text(text)
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = run_to_end(command(manifest, tmp_path / "out"), code=1, environment=environment)
    assert "[1/1] Zo\\xeb: failed: unexpected KeyError" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.thorough
def test_an_option_that_there_is_not_is_refused_before_anything_is_done(tmp_path):
    manifest = write_manifest(
        tmp_path, [{"name": "a", "clips": ["a.bvh"], "options": {"padding": 3}}]
    )
    done = run(manifest, tmp_path / "out", code=2)
    assert "library.json: characters[0] (a):" in done.stderr
    assert "padding" in done.stderr


def test_a_worker_that_cannot_begin_stops_the_batch_and_says_why(tmp_path, capsys):
    import dataclasses

    from jointlimits_core.batch.command import batch_main
    from tests.support.batch_of_files import program

    manifest = write_library(tmp_path, 2)
    broken = dataclasses.replace(
        program(), command=[sys.executable, "-c", "raise SystemExit('no licence')"]
    )
    arguments = ["--manifest", str(manifest), "--out", str(tmp_path / "out")]
    assert batch_main(broken, arguments, "broken", None) == 1
    assert "a worker could not start: it ended with exit code 1\nno licence" in (
        capsys.readouterr().err
    )


def test_the_time_left_follows_from_the_bytes_done(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(command_module, "TimeLeft", lambda: TimeLeft(lambda: now[0]))
    sizes = {"large": 8_000_000, "half": 1_600_000, "small": 400_000}
    lines = command_module.ProgressLines(sizes)
    now[0] = 88.0
    lines.report("half", 1, 2, "reading")
    lines(Outcome(0, "large", "ok", "", ""))
    assert capsys.readouterr().out == "[1/3] large: ok (about 12 s left)\n"
    now[0] = 98.0
    lines(Outcome(1, "half", "ok", "", ""))
    assert capsys.readouterr().out == "[2/3] half: ok (about 4 s left)\n"


def test_a_message_beside_a_name_does_not_repeat_the_file():
    assert without_own_file("a/b.bvh", "a/b.bvh:1:2: no") == "line 1, column 2: no"
    assert without_own_file("a/b", "a/b.bvh:1: no") == "line 1: no"
    assert without_own_file("a/b", "lib/a/b.bvh: no") == "no"
    for other in ("a/b.bvh: no", "ab/c.bvh: no", "no"):
        assert without_own_file("a", other) == other


@pytest.mark.thorough
def test_failures_that_have_scrolled_away_are_repeated(tmp_path, capsys):
    for count, times in ((20, 1), (21, 2)):
        home = tmp_path / str(count)
        manifest = write_library(home, count, broken=(1,))
        assert main(["--manifest", str(manifest), "--out", str(home / "out")]) == 1
        assert capsys.readouterr().out.count("clip_01.bvh:") == times
