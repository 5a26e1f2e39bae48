"""The log of a run: everything that somebody elsewhere needs, and never in the way."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import subprocess
import sys
import time
import warnings
from unittest import mock

import numpy as np
import pytest

from jointlimits_core.base.progress import (
    report_message,
    report_stage,
    send_events,
    was_read,
    was_written,
)
from jointlimits_core.base.version import __version__
from jointlimits_core.batch.command import STOPPED
from jointlimits_core.cli import limit_inputs
from jointlimits_core.cli.main import FAULT_EXIT_CODE, main
from jointlimits_core.io.logs import TITLE, header_lines, kept_log
from tests.support.batch_manifests import bvh_text, write_library
from tests.support.house_files import ROOT
from tests.support.stopping import COMMAND, hears_ctrl_c


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(bvh_text(60.0))
    return path


def test_a_log_has_all_that_is_needed(clip, tmp_path, capsys):
    log, out = tmp_path / "logs" / "run.log", tmp_path / "out"
    assert main(["estimate", str(clip), "--out", str(out), "--log", str(log)]) == 0
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[0] == TITLE
    text = "\n".join(lines)
    assert f"version    jointlimits {__version__}" in lines
    assert f"python     {platform.python_version()}, {sys.executable}" in lines
    assert f"numpy      {np.__version__}" in lines
    assert platform.platform() in text
    assert f"folder     {os.getcwd()}" in lines
    assert f"command    jointlimits estimate {clip} --out {out} --log {log}" in lines
    assert "strictness='lossless'" in text
    assert re.search(r"stage +reading walk.bvh \(peak memory \d+ MB\)", text)
    assert re.search(rf"{clip}: {clip.stat().st_size:,} bytes, sha256 {digest(clip)}", text)
    made = out / "walk.limits.json"
    assert f"wrote   {made}: {made.stat().st_size:,} bytes, sha256 {digest(made)}" in text
    printed = capsys.readouterr().out
    for line in printed.splitlines():
        assert f"said    {line}" in text
    assert re.search(r"end +exit code 0; [\d.]+ s, peak memory \d+ MB, ", lines[-1])


@pytest.mark.thorough
def test_runs_are_added_one_below_the_other(clip, tmp_path):
    log = tmp_path / "run.log"
    for _ in range(2):
        assert main(["estimate", str(clip), "--out", str(tmp_path), "--log", str(log)]) == 0
    text = log.read_text(encoding="utf-8")
    assert text.count(TITLE) == text.count("end     exit code 0") == 2


def test_nothing_is_added_to_a_file_that_is_no_log(clip, tmp_path, capsys):
    before = clip.read_bytes()
    assert main(["estimate", str(clip), "--out", str(tmp_path), "--log", str(clip)]) == 0
    assert clip.read_bytes() == before
    stderr = capsys.readouterr().err
    assert stderr.count("\n") == 1
    assert "cannot be written: the existing file is not a log" in stderr
    assert (tmp_path / "walk.limits.json").is_file()


@pytest.mark.parametrize("kind", ["folder", "below a file", "full"])
def test_a_log_that_cannot_be_written_stops_nothing_and_is_reported_once(
    kind, clip, tmp_path, capsys
):
    log = {"folder": tmp_path, "below a file": clip / "run.log", "full": "/dev/full"}[kind]
    assert main(["estimate", str(clip), "--out", str(tmp_path), "--log", str(log)]) == 0
    stderr = capsys.readouterr().err
    assert stderr.count(f"log {log} cannot be written") == 1
    assert stderr.count("\n") == 1


def test_a_disk_that_fills_up_is_reported_once(tmp_path, monkeypatch):
    messages = []
    with kept_log(tmp_path / "run.log", messages.append, [], {}) as log:
        full = mock.Mock(side_effect=OSError(28, "full"))
        monkeypatch.setattr("jointlimits_core.io.logs.open", full, raising=False)
        report_message("one")
        report_message("two")
    (message,) = messages
    assert message.endswith("run.log cannot be written: full; continuing without a log")
    assert not log.is_written


def test_what_was_wrong_is_in_the_log(tmp_path, capsys):
    log, missing = tmp_path / "run.log", tmp_path / "missing.bvh"
    assert main(["estimate", str(missing), "--log", str(log)]) == 1
    text = log.read_text(encoding="utf-8")
    assert f"warned  {missing}: " in text
    assert "exit code 1" in text.splitlines()[-1]
    assert main(["estimate", str(missing), "--apply", "--log", str(log)]) == 2
    assert "exit code 2" in log.read_text(encoding="utf-8").splitlines()[-1]


def test_a_fault_of_ours_is_one_line_and_a_log(clip, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(limit_inputs, "read_given_limits", lambda *_: {}["oops"])
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["show", "walk.limits.json"]) == FAULT_EXIT_CODE == 70
    stderr = capsys.readouterr().err
    assert stderr.count("\n") == 1
    assert "Traceback" not in stderr
    (log,) = tmp_path.glob("jointlimits-*.log")
    assert str(log) in stderr
    assert "KeyError: 'oops'" in stderr
    text = log.read_text(encoding="utf-8")
    assert text.startswith(TITLE)
    assert "command    jointlimits show walk.limits.json" in text
    assert "fault   Traceback" in text
    assert 'tests/io/test_run_log.py"' in text
    named = tmp_path / "named.log"
    assert main(["show", "walk.limits.json", "--log", str(named)]) == FAULT_EXIT_CODE
    assert str(named) in capsys.readouterr().err
    assert "fault   Traceback" in named.read_text(encoding="utf-8")
    assert len(list(tmp_path.glob("jointlimits-*.log"))) == 1


def test_a_command_that_cannot_be_loaded_is_a_fault_too(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    broken = mock.Mock(side_effect=NameError("x"))
    monkeypatch.setattr(sys.modules["jointlimits_core.cli.main"], "import_module", broken)
    assert main(["show", "walk.limits.json"]) == FAULT_EXIT_CODE
    (log,) = tmp_path.glob("jointlimits-*.log")
    assert str(log) in capsys.readouterr().err


def test_memory_that_is_not_there_is_no_fault(capsys, monkeypatch):
    large = mock.Mock(side_effect=MemoryError)
    monkeypatch.setattr(limit_inputs, "read_given_limits", large)
    assert main(["show", "walk.limits.json"]) == 1
    assert "out of memory" in capsys.readouterr().err


def test_every_stage_has_its_line_until_there_are_too_many(tmp_path, monkeypatch):
    monkeypatch.setattr("jointlimits_core.io.logs.MAX_STAGES", 3)
    with kept_log(tmp_path / "run.log", print, [], {}):
        for label in ("reading", "reading", "fitting", "writing", "comparing", "drawing"):
            report_stage(label)
    lines = (tmp_path / "run.log").read_text(encoding="utf-8").splitlines()
    found = (re.search(r" stage +(.*?) \(", line) for line in lines)
    stages = [stage[1] for stage in found if stage]
    assert stages == ["reading", "fitting", "writing", "further stages are not listed"]


def test_names_in_a_log_do_nothing_to_a_terminal(tmp_path):
    with kept_log(tmp_path / "run.log", print, ["jointlimits", "\x1b[2J\udc80"], {}):
        report_message("one\x1b]0;owned\x07\ntwo\u202e")
    text = (tmp_path / "run.log").read_text(encoding="utf-8")
    assert not set(text) & set("\x1b\x07\u202e")
    assert text.count("said") == 2
    assert r"\x1b]0;owned\x07" in text


def test_warnings_of_libraries_are_logged(tmp_path, monkeypatch, recwarn):
    def warn(*_):
        warnings.warn("numbers went wrong", RuntimeWarning, stacklevel=1)
        raise KeyboardInterrupt

    log = tmp_path / "run.log"
    monkeypatch.setattr(limit_inputs, "read_given_limits", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert main(["show", "walk.limits.json", "--log", str(log)]) == 130
    text = log.read_text(encoding="utf-8")
    assert "RuntimeWarning: numbers went wrong" in text
    assert "stopped; nothing was written" in text


@pytest.mark.thorough
def test_a_killed_run_leaves_what_it_had(tmp_path):
    clip, log = tmp_path / "long.bvh", tmp_path / "run.log"
    clip.write_text(bvh_text(60.0, frames=100_000))
    process = subprocess.Popen(
        [*COMMAND, "fit", str(clip), "--out", str(tmp_path / "out"), "--log", str(log)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        preexec_fn=hears_ctrl_c,
    )
    until = time.monotonic() + 30.0
    while not log.exists() or "stage" not in log.read_text(encoding="utf-8"):
        assert time.monotonic() < until
        time.sleep(0.02)
    process.kill()
    process.wait()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[0] == TITLE
    assert "reading long.bvh" in lines[-1] or len(lines) > 10
    assert "end  " not in lines[-1]


def test_listeners_hear_while_their_block_runs():
    received = []
    report_message("before")
    with send_events(lambda *event: received.append(event)):
        report_message("hello")
        report_message("careful", warning=True)
        was_read("walk.bvh", "abc")
        was_written("walk.limits.json")
    report_message("after")
    files = [("read", "walk.bvh", "abc"), ("wrote", "walk.limits.json", "")]
    assert received == [("said", "hello", ""), ("warned", "careful", ""), *files]


@pytest.mark.thorough
def test_a_batch_keeps_a_log_of_every_run(tmp_path, capsys, monkeypatch):
    stamps, real = iter(("20260101-120000", "20260101-120001")), time.strftime
    monkeypatch.setattr(
        time, "strftime", lambda form: next(stamps) if form == "%Y%m%d-%H%M%S" else real(form)
    )
    manifest = write_library(tmp_path, 3, broken=(1,))
    out = tmp_path / "out"
    arguments = ["batch", "--manifest", str(manifest), "--out", str(out)]
    for _ in range(2):
        assert main(arguments) == 1
    logs = sorted((out / "logs").glob("run-*.log"))
    assert len(logs) == 2
    text = logs[0].read_text(encoding="utf-8")
    assert text.startswith(TITLE)
    clip = tmp_path / "clip_00.bvh"
    assert f"read    clip_00.bvh, sha256 {digest(clip)}" in text
    (limits,) = out.glob("actor_00-*.limits.json")
    assert f"wrote   {limits.name}, sha256 {digest(limits)}" in text
    assert re.search(r"said +\[\d/3\] actor 01: failed: ", text)
    assert digest(manifest) in text
    assert "2 ok, 1 failed, 0 missing" in text
    assert "exit code 1" in text.splitlines()[-1]
    assert not list(tmp_path.glob("*.log"))
    named = tmp_path / "named.log"
    assert main([*arguments, "--log", str(named)]) == 1
    assert named.read_text(encoding="utf-8").startswith(TITLE)
    assert len(list((out / "logs").glob("run-*.log"))) == 2
    assert "the same command continues" in STOPPED
    capsys.readouterr()


def test_a_session_log_has_the_same_head_and_is_kept_small(tmp_path, monkeypatch):
    # Tests in Maya's stand-in load the package anew.
    from jointlimits_core.io import logs

    monkeypatch.setattr(logs, "MAX_BYTES", 3000)
    path = logs.log_path(tmp_path / "mine")
    logger = logs.session_logger("test", path, {"maya": "2025"})
    assert logger.name == "jointlimits.test"
    assert not path.exists()
    try:
        raise KeyError("oops\x1b")
    except KeyError as error:
        logger.error("apply failed", exc_info=error)
    lines = path.read_text(encoding="utf-8").splitlines()
    head = [line.split()[0] for line in header_lines({"maya": "2025"})]
    assert [line.split()[0] for line in lines[: len(head)]] == head
    assert "maya       2025" in lines
    assert any("fault   Traceback" in line for line in lines)
    assert "\x1b" not in "\n".join(lines)
    for number in range(40):
        logger.warning("said %d: %s", number, "x" * 100)
    assert path.with_name("jointlimits.log.1").is_file()
    assert path.read_text(encoding="utf-8").startswith(TITLE)
    assert path.stat().st_size < 4000
