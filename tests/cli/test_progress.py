"""A line about long work: on a terminal, in logs where it is asked for, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import time

import pytest

from jointlimits_core.base.progress import PARTS, Cancelled
from jointlimits_core.io.progress_line import FilesProgress, ProgressLine
from tests.support.batch_manifests import bvh_text
from tests.support.stopping import on_a_terminal

unix = pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are of Unix")

SHAPES = ("--shape", "hull")


class Screen:
    """Takes what a terminal, or a file, is given."""

    def __init__(self, terminal):
        self.text, self.terminal = "", terminal

    def isatty(self):
        return self.terminal

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def wait_for(condition, seconds=5.0):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


def test_short_work_shows_nothing():
    screen = Screen(True)
    with ProgressLine(screen) as line:
        assert line(1, 2, "reading") is True
    assert screen.text == ""


def test_a_terminal_has_one_line_that_goes_away():
    screen = Screen(True)
    with ProgressLine(screen, quiet_seconds=0.0) as line:
        line(3, 6, "screened a clip")
        assert wait_for(lambda: "screened" in screen.text)
        assert screen.text.startswith("\r 50 %  screened a clip, 3 of 6")
    assert screen.text.endswith("\r")
    assert "\n" not in screen.text


def test_a_long_step_is_shown_though_nothing_is_reported_again():
    screen = Screen(True)
    with ProgressLine(screen, quiet_seconds=0.2) as line:
        line(0, 1, "writing the page")
        assert wait_for(lambda: "writing the page" in screen.text)
    assert "%" not in screen.text  # nobody knows how much of one thing is done


@pytest.mark.parametrize(("style", "terminal"), [("auto", False), ("off", True), ("off", False)])
def test_nothing_is_shown_where_nobody_looks_or_wants_it(style, terminal):
    screen = Screen(terminal)
    with ProgressLine(screen, quiet_seconds=0.0, style=style) as line:
        line(1, 2, "reading")
        time.sleep(0.1)
    assert screen.text == ""


@pytest.mark.parametrize("terminal", [False, True])
def test_lines_stay_where_they_are_asked_for(terminal):
    screen = Screen(terminal)
    with ProgressLine(screen, quiet_seconds=0.0, style="lines") as line:
        line(1, 4, "reading a clip")
        assert wait_for(lambda: screen.text)
    assert screen.text == " 25 %  reading a clip, 1 of 4\n"


def test_names_do_nothing_to_the_terminal_and_the_line_fits(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    screen = Screen(True)
    with ProgressLine(screen, quiet_seconds=0.0) as line:
        line(1, 2, "reading \x1b[2J" + "long" * 50)
        assert wait_for(lambda: screen.text)
    assert "\x1b" not in screen.text
    assert all(len(part) < 40 for part in screen.text.split("\r"))


def test_files_count_by_their_size(tmp_path):
    paths = [tmp_path / "small.bvh", tmp_path / "large.bvh"]
    paths[0].write_bytes(b"x" * 100)
    paths[1].write_bytes(b"x" * 300)
    received = []
    files = FilesProgress(lambda *step: received.append(step) or True, paths)
    files.next(paths[0])
    assert files.next(paths[1])(1, 2, "what the reader says") is True
    assert received == [
        (0, PARTS, "reading small.bvh (1 of 2)"),
        (PARTS // 4, PARTS, "reading large.bvh (2 of 2)"),
        (PARTS * 5 // 8, PARTS, "reading large.bvh (2 of 2)"),
    ]


def test_reading_files_can_be_called_off(tmp_path):
    path = tmp_path / "missing.bvh"
    files = FilesProgress(lambda *_: False, [path])
    with pytest.raises(Cancelled):
        files.next(path)
    assert FilesProgress(None, [path]).next(path)(0, 0, "") is True


@pytest.fixture(scope="module")
def long_clip(tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "long.bvh"
    path.write_text(bvh_text(60.0, frames=150_000))
    return path


@unix
@pytest.mark.slow
def test_the_line_is_there_on_a_terminal_and_away_in_the_end(long_clip, tmp_path):
    clips = [str(long_clip)] * 4
    ended = on_a_terminal(["fit", *clips, *SHAPES, "--out", str(tmp_path)])
    assert ended.code == 0, ended.shown
    assert re.search(r"\r *\d+ %  \w+", ended.shown)
    assert ended.shown.endswith("\r")
    assert "Traceback" not in ended.shown


@unix
@pytest.mark.slow
@pytest.mark.parametrize(("command", "times"), [("estimate", 30), ("fit", 4)])
def test_ctrl_c_is_answered_within_a_second(command, times, long_clip, tmp_path):
    out = tmp_path / "out"
    # The line comes after a second: by then the command is at work.
    ended = on_a_terminal([command, *[str(long_clip)] * times, "--out", str(out)], until="%")
    assert ended.code == 130, ended.shown
    assert ended.seconds < 1.0
    assert "jointlimits: stopped; nothing was written" in ended.shown
    assert "Traceback" not in ended.shown
    assert not out.exists() or not list(out.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_what_was_written_before_ctrl_c_is_named(tmp_path, capsys, monkeypatch):
    from jointlimits_core.cli.main import main
    from jointlimits_core.estimation import summary_file

    def interrupt(*_):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5.0)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        monkeypatch.setattr(summary_file, "write_summary", interrupt)
        clip = tmp_path / "clip.bvh"
        clip.write_text(bvh_text(60.0))
        summary = str(tmp_path / "all.summary.npz")
        arguments = ["estimate", str(clip), "--out", str(tmp_path), "--save-summary", summary]
        assert main(arguments) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    written = tmp_path / "clip.limits.json"
    assert written.is_file()
    expected = f"jointlimits: stopped; files already written are complete: {written}\n"
    assert capsys.readouterr().err == expected


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_where_nothing_can_be_raised_comes_again(tmp_path, capfd, monkeypatch):
    from jointlimits_core.cli import limit_inputs
    from jointlimits_core.cli.main import main

    class Held:
        def __del__(self):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)

    def interrupt(*_):
        Held()
        time.sleep(5.0)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        monkeypatch.setattr(limit_inputs, "read_given_limits", interrupt)
        began = time.monotonic()
        assert main(["show", "walk.limits.json"]) == 130
        assert time.monotonic() - began < 1.0
    finally:
        signal.signal(signal.SIGINT, before)
    assert capfd.readouterr().err == "jointlimits: stopped; nothing was written\n"
