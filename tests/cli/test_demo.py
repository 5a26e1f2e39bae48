"""`jointlimits demo`: one command from an installed program to a page of limits."""

from __future__ import annotations

import json
import re
import shlex
import webbrowser
from pathlib import Path

import pytest

from examples.performers import PERSON
from jointlimits_core.cli import gui, output
from jointlimits_core.cli.demo import CLIP
from jointlimits_core.cli.main import main

WRITTEN = {f"{CLIP.stem}{ending}" for ending in (".bvh", ".limits.json", ".limits.html")}


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Pages that a browser was asked to open; there is a terminal, a display and a browser."""
    pages: list[str] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(output, "terminal_width", lambda: 100)
    monkeypatch.setattr(gui, "has_screen", lambda: True)
    monkeypatch.setattr(webbrowser, "open", lambda page: pages.append(page) or True)
    return pages


def test_it_measures_the_clip_and_opens_the_page(tmp_path, opened, capsys):
    assert main(["demo"]) == 0
    folder = tmp_path / "jointlimits-demo"
    assert {path.name for path in folder.iterdir()} == WRITTEN
    assert opened == [(folder / f"{CLIP.stem}.limits.html").as_uri()]
    assert "in a browser" not in capsys.readouterr().out


def test_its_list_has_one_line_which_is_true(opened, capsys):
    main(["demo"])
    lost, printed = PERSON.fault, capsys.readouterr().out
    frames = f"{lost.first}-{lost.last}"
    assert "21 joints measured, 1 to look at:" in printed
    assert f" 1. {lost.joint} is off by up to " in printed
    assert f"--exclude {CLIP.stem}:{frames}@{lost.joint}" in printed
    assert "Suggestions" not in printed


def test_what_it_says_to_try_next_works(opened, capsys):
    main(["demo"])
    _, _, after = capsys.readouterr().out.partition("\nNext, ")
    check, window, own = (
        shlex.split(line)[1:] for line in after.splitlines() if line.startswith("  jointlimits ")
    )
    assert main(check) == 0
    assert set(re.findall(r"\b(?:Left|Right)\w+", capsys.readouterr().out)) == {PERSON.fault.joint}
    assert window[0] == "gui"
    assert all(Path(path).is_file() for path in window[1:])
    assert main([one.replace("YOUR_CLIPS", str(CLIP)) for one in own]) == 0


@pytest.mark.parametrize("lacking", ["terminal", "screen", "browser"])
def test_where_nothing_can_be_opened_it_prints_the_path(lacking, opened, monkeypatch, capsys):
    if lacking == "terminal":
        monkeypatch.setattr(output, "terminal_width", lambda: None)
    elif lacking == "screen":
        monkeypatch.setattr(gui, "has_screen", lambda: False)
    else:
        monkeypatch.setattr(webbrowser, "open", lambda page: False)
    assert main(["demo", "--out", "here"]) == 0
    page = Path("here") / f"{CLIP.stem}.limits.html"
    assert page.is_file()
    assert f"Open {page} in a browser" in capsys.readouterr().out
    assert not opened


def test_it_may_be_run_again_but_loses_no_edits(opened, capsys):
    assert main(["demo"]) == main(["demo"]) == 0
    limits = f"jointlimits-demo/{CLIP.stem}.limits.json"
    edit = ["edit", limits, "--set", "LeftHand.rotateX.max=63.8", "--out", "new.json"]
    assert main(edit) == 0
    Path("new.json").replace(limits)
    assert main(["demo"]) == 2
    assert "1 artist edit that would be lost" in capsys.readouterr().err


def test_as_json_it_opens_nothing(opened, capsys):
    assert main(["demo", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["command"], found["exit_code"]) == ("demo", 0)
    assert {Path(path).name for path in found["written"]} == WRITTEN
    assert not opened


def test_with_gui_it_opens_the_window_on_what_it_wrote(opened, monkeypatch):
    shown = []
    monkeypatch.setattr(gui, "run", lambda options: shown.append(options.inputs) or 0)
    assert main(["demo", "--gui"]) == 0
    ((limits, clip),) = shown
    assert Path(limits).name == f"{CLIP.stem}.limits.json"
    assert Path(clip).read_bytes() == CLIP.read_bytes()
    assert not opened
