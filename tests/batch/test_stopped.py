"""Batches that are stopped by signals or by a results folder that is not writable."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time

import pytest

from jointlimits_core.base.errors import MayaAsciiError
from jointlimits_core.batch.command import NO_RESULTS_EXIT_CODE, STOPPED
from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.batch.results import Estimated, ResultsError, results_written
from jointlimits_core.batch.run import Batch
from jointlimits_core.batch.workers import Workers
from jointlimits_core.cli.main import main
from jointlimits_core.limits.limit_set import LimitSet
from tests.batch.test_run import command
from tests.support.batch_manifests import bvh_text, contents, write_library
from tests.support.house_files import ROOT

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
processes = pytest.mark.skipif(os.name != "posix", reason="signals and limits as on Unix")


def hears_signals():
    """Signals that a background test run ignores must still reach the command."""
    for name in SIGNALS:
        signal.signal(getattr(signal, name), signal.SIG_DFL)


def start_command(arguments, prepared=hears_signals):
    return subprocess.Popen(
        arguments,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=prepared,
    )


def batch_of(tmp_path, count=1):
    return Batch(read_manifest(write_library(tmp_path, count)), tmp_path / "out", "files")


def wait_until(holds, seconds=30):
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds
        time.sleep(0.02)


def is_there(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.thorough
@processes
@pytest.mark.parametrize("to_all", [False, True], ids=["to it", "to it and its workers"])
@pytest.mark.parametrize("name", SIGNALS)
def test_stopped_by_a_signal_it_ends_its_workers_and_leaves_nothing(tmp_path, name, to_all):
    manifest, out = write_library(tmp_path, 3, test_wait={1: 60.0, 2: 60.0}), tmp_path / "out"
    process = start_command(command(manifest, out, "--jobs", "2", "--progress", "openjd"))
    wait_until(lambda: list(out.glob("*.result.json")) and len(list(out.glob(".*.scratch"))) == 2)
    number = getattr(signal, name)
    (os.killpg if to_all else os.kill)(process.pid, number)
    sent = time.monotonic()
    printed, trouble = process.communicate(timeout=30)
    assert time.monotonic() - sent < 3.0
    assert process.returncode == 128 + number
    assert trouble == f"batch-of-files: {STOPPED}\n"
    assert printed.endswith(f"openjd_fail: {STOPPED}\n")
    assert "failed:" not in printed
    assert len(list(out.glob("*.result.json"))) == 1
    assert not list(out.glob(".*"))
    wait_until(lambda: not is_there(process.pid))


@pytest.mark.thorough
@processes
def test_a_signal_that_is_ignored_stays_so(tmp_path):
    """Ignored as by nohup, when the terminal is closed."""
    manifest, out = write_library(tmp_path, 1, test_wait={0: 1.0}), tmp_path / "out"

    def without_hangup():
        hears_signals()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    process = start_command(command(manifest, out), without_hangup)
    wait_until(lambda: list(out.glob(".*.scratch")))
    os.killpg(process.pid, signal.SIGHUP)
    printed, trouble = process.communicate(timeout=30)
    assert process.returncode == 0, trouble
    assert "1 ok, 0 failed, 0 missing" in printed


@pytest.mark.thorough
@processes
def test_any_command_is_stopped_by_a_farm_as_by_ctrl_c(tmp_path):
    clip = tmp_path / "walk.bvh"
    clip.write_text(bvh_text(60, 400_000))
    log = tmp_path / "run.log"
    words = [sys.executable, "-m", "jointlimits_core", "estimate", *[str(clip)] * 3]
    process = start_command([*words, "--out", str(tmp_path / "out"), "--log", str(log)])
    wait_until(lambda: log.exists() and f"read    {clip}" in log.read_text())
    process.send_signal(signal.SIGTERM)
    _, trouble = process.communicate(timeout=30)
    assert process.returncode == 143
    assert trouble.splitlines()[-1] == "jointlimits: stopped; nothing was written"
    assert "Traceback" not in trouble
    assert not (tmp_path / "out").exists()


@pytest.mark.thorough
def test_signals_are_as_before_afterwards(tmp_path):
    before = [signal.getsignal(getattr(signal, name, signal.SIGINT)) for name in SIGNALS]
    manifest = write_library(tmp_path, 1)
    assert main(["batch", "--manifest", str(manifest), "--out", str(tmp_path / "out")]) == 0
    now = [signal.getsignal(getattr(signal, name, signal.SIGINT)) for name in SIGNALS]
    assert now == before


WITH_LIMIT = """
import resource, sys
from jointlimits_core.batch.motion_files import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.argv[1:2] = []
sys.exit(main())
"""


@pytest.mark.thorough
@processes
@pytest.mark.parametrize(("most", "jobs"), [(700, "1"), (700, "2"), (0, "1")])
def test_a_folder_that_takes_no_results_stops_all_and_is_nobodys_failure(tmp_path, most, jobs):
    manifest, out = write_library(tmp_path, 6), tmp_path / "out"
    given = ["--manifest", str(manifest), "--out", str(out)]
    limited = [sys.executable, "-c", WITH_LIMIT, str(most), *given, "--jobs", jobs]
    process = start_command([*limited, "--progress", "openjd"])
    printed, trouble = process.communicate(timeout=60)
    assert process.returncode == NO_RESULTS_EXIT_CODE, trouble
    assert "Traceback" not in trouble
    reported = [line for line in trouble.splitlines() if "stopped" in line]
    assert len(reported) == 1
    assert f"stopped: results cannot be written: {out}/" in reported[0]
    assert reported[0].endswith(
        "File too large; allow larger files, or choose another folder; "
        "the same command continues with the rest"
    )
    assert printed.splitlines()[-1].startswith("openjd_fail: stopped: results cannot be written")
    assert "failed:" not in printed
    assert contents(out) == {}
    assert not list(out.glob(".*"))
    assert main(["batch", *given, "--resume"]) == 0
    assert main(["batch", *given[:3], str(tmp_path / "undisturbed")]) == 0
    assert contents(out) == contents(tmp_path / "undisturbed")


ONE_STOPS_ONE_BEGINS = """
import os, sys, time
from jointlimits_core.batch.workers import READY, STOPPED, protocol_line
try:
    os.mkdir(sys.argv[1])
except FileExistsError:
    open(sys.argv[1] + "/begins", "w").close()
    time.sleep(60)
mark = sys.stdin.readline().strip()
print(protocol_line(mark, READY), flush=True)
sys.stdin.readline()
while not os.path.exists(sys.argv[1] + "/begins"):
    time.sleep(0.01)
print(protocol_line(mark, STOPPED, "the disk is full"), flush=True)
"""


@pytest.mark.thorough
def test_why_a_batch_stops_is_not_that_its_other_workers_were_killed(tmp_path):
    batch = batch_of(tmp_path, 2)
    worker = [sys.executable, "-c", ONE_STOPS_ONE_BEGINS, str(tmp_path / "first")]
    with pytest.raises(ResultsError, match="the disk is full"):
        Workers(batch, worker, environment=ENVIRONMENT, jobs=2).run([0, 1], pytest.fail)


NAMES_LIKE_LINES = """
import sys
from jointlimits_core.batch import workers
mark = sys.stdin.readline().strip()
print(workers.protocol_line(mark, workers.READY), flush=True)
for line in sys.stdin:
    print('@jointlimits-batch ["outcome", {}]', flush=True)
    print("@jointlimits-batch ready .bvh", flush=True)
    fields = {"item": int(line), "name": "a", "status": "ok", "message": "", "result": "a"}
    print("half a line " + workers.protocol_line(mark, workers.OUTCOME, fields), flush=True)
"""


@pytest.mark.thorough
def test_what_a_worker_prints_is_never_taken_for_its_protocol(tmp_path):
    batch = batch_of(tmp_path, 3)
    worker, found = [sys.executable, "-c", NAMES_LIKE_LINES], []
    Workers(batch, worker, environment=ENVIRONMENT).run([0, 1, 2], found.append)
    assert [(one.item, one.status) for one in found] == [(0, "ok"), (1, "ok"), (2, "ok")]


@pytest.mark.thorough
def test_a_lane_that_fails_stops_the_batch_with_its_fault(tmp_path):
    batch = batch_of(tmp_path, 2)
    worker = [sys.executable, "-c", NAMES_LIKE_LINES]

    def finish(outcome):
        raise RuntimeError("the terminal is gone")

    with pytest.raises(RuntimeError, match="the terminal is gone"):
        Workers(batch, worker, environment=ENVIRONMENT).run([0, 1], finish)


REFUSED = [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.EACCES, errno.EPERM]


@pytest.mark.parametrize("number", REFUSED)
@pytest.mark.parametrize("wrapped", [False, True])
def test_an_estimate_that_cannot_write_where_it_should_stops_all(tmp_path, number, wrapped):
    batch = batch_of(tmp_path)

    def estimate(character, folder, progress):
        try:
            raise OSError(number, os.strerror(number), str(folder / "scene.limits.ma"))
        except OSError as error:
            if not wrapped:
                raise
            raise MayaAsciiError(folder, f"cannot be written ({error.strerror})") from None

    with pytest.raises(ResultsError, match=f"{os.strerror(number)}; .*choose another folder"):
        batch.estimate(0, estimate)
    assert contents(batch.results.folder) == {}
    assert not list(batch.results.folder.iterdir())


@pytest.mark.parametrize("number", REFUSED)
def test_what_is_refused_elsewhere_is_the_characters_failure(tmp_path, number):
    batch = batch_of(tmp_path)

    def estimate(character, folder, progress):
        raise OSError(number, os.strerror(number), str(tmp_path / "clip_00.bvh"))

    outcome = batch.estimate(0, estimate)
    assert not outcome.ok
    assert "clip_00.bvh" in outcome.message
    assert list(batch.results.folder.glob("*.result.json"))


@pytest.mark.parametrize("number", REFUSED)
@pytest.mark.parametrize("step", ["mkdtemp", "replace"])
def test_results_that_cannot_be_written_stop_all(tmp_path, monkeypatch, number, step):
    batch = batch_of(tmp_path)

    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    def estimate(character, folder, progress):
        return Estimated(LimitSet("actor 00", {}))

    monkeypatch.setattr(
        f"jointlimits_core.batch.results.{'tempfile' if step == 'mkdtemp' else 'os'}.{step}", refuse
    )
    with pytest.raises(ResultsError, match="the same command continues with the rest"):
        batch.estimate(0, estimate)
    assert contents(batch.results.folder) == {}
    assert not list(batch.results.folder.glob(".*"))


def test_the_refusal_names_the_folder_where_the_system_names_nothing(tmp_path):
    with (
        pytest.raises(ResultsError, match=rf"{tmp_path}: No space left"),
        results_written(tmp_path),
    ):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_usage_errors_are_reported_to_a_farm(tmp_path, capfd):
    manifest = write_library(tmp_path, 2)
    words = ["batch", "--manifest", str(manifest), "--out", str(tmp_path / "out")]
    assert main([*words, "--items", "1-9", "--progress", "openjd"]) == 2
    captured = capfd.readouterr()
    assert "jointlimits batch: item 9 does not exist: the last item is 1" in captured.err
    assert "openjd_fail: item 9 does not exist: the last item is 1" in captured.out
    assert main([*words, "--items", "1-9"]) == 2
    assert "openjd" not in capfd.readouterr().out
    manifest.write_text("{")
    assert main([*words, "--progress", "openjd"]) == 2
    assert "openjd_fail: " in capfd.readouterr().out
