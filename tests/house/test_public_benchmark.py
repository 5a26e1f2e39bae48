"""The public benchmark: what is missing is named and scored as missing, and figures repeat."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.__main__ import main as benchmarks_main
from benchmarks.public import tracks
from benchmarks.public.gate_track import FAULTS, Score, gate_scores, mean_of
from benchmarks.public.methods import METHODS, Method
from benchmarks.public.page import benchmark_page, page_problem
from benchmarks.public.page import main as page_main
from benchmarks.public.splits import DATA_VARIABLE, Copy, main, read_splits
from tests.support.shared_data import shared_path

MACHINE = {"python": "3", "numpy": "2"}
PEOPLE = ("03", "13", "49")
"""People with few clips, of both halves."""


@pytest.fixture(scope="module")
def splits():
    return [one for one in read_splits() if one.name in PEOPLE]


@pytest.fixture
def copy(tmp_path, splits):
    """A copy of the database with these people."""
    source = Copy(shared_path("data/mocap"))
    for one in splits:
        for entry in {*one.clips, *one.skeletons.values()}:
            shutil.copy(source.find(entry), tmp_path / entry.name)
    return Copy(tmp_path)


def nothing(training):
    return lambda part, poses: None


def no_function(training):
    return None


def all_inside(training):
    return lambda part, poses: np.zeros(len(poses.turns), dtype=bool)


def not_truth_values(training):
    return lambda part, poses: np.full(len(poses.turns), np.nan)


def changing(training):
    def judge(part, poses):
        poses.turns[:] = 0.0
        return np.zeros(len(poses.turns), dtype=bool)

    return judge


def leaving(training):
    raise SystemExit


def of_others(training):
    assert tuple(training.others)
    return all_inside(training)


def of_learned(training):
    assert training.learn["knee"].size
    return all_inside(training)


def method(fit):
    return Method(fit.__name__, fit, "", "")


def test_nobody_is_in_both_halves():
    people = read_splits()
    assert len({one.name for one in people}) == len(people)
    assert {one.half for one in people} == {"A", "B"}
    hashes = [entry.sha256 for one in people for entry in one.clips]
    assert len(set(hashes)) == len(hashes)


@pytest.mark.thorough
def test_methods_that_return_nothing_are_missing_not_skipped(copy, splits):
    some = [*map(method, (nothing, no_function, all_inside, not_truth_values, changing, leaving))]
    scores = gate_scores(copy, True, some, splits)
    assert [(one.method, one.person) for one in scores] == [
        (each.name, person) for each in some for person in PEOPLE
    ]
    lost, none, fine, nan, changed, left = (
        [s for s in scores if s.method == each.name] for each in some
    )
    assert all("float64 of shape" in one.missing for one in nan)
    assert all("read-only" in one.missing for one in changed)
    assert all("SystemExit" in one.missing for one in left)
    with pytest.raises(ValueError, match="several methods have the same name"):
        gate_scores(copy, True, [*some, method(leaving)], splits)
    assert all("nothing for" in one.missing and one.outside is None for one in lost)
    assert all("fit returned None" in one.missing for one in none)
    assert mean_of(lost) is None
    whole = mean_of(fine)
    assert (whole.outside, whole.allowed) == (0.0, 100.0)


@pytest.mark.thorough
def test_another_file_and_a_missing_person_are_named(copy, splits, capsys):
    clip = copy.folder / "03_01.amc"
    clip.write_text(clip.read_text("utf-8") + "\n", "utf-8")
    for path in copy.folder.glob("13*"):
        path.unlink()
    scores = gate_scores(Copy(copy.folder), True, [method(all_inside)], splits)
    first, second, _ = scores
    assert "03_01.amc has another content: sha256" in first.missing
    assert "13_29.amc is not in" in second.missing
    assert mean_of(scores) is None
    assert main([str(copy.folder)]) == 1
    assert "person 03, half A, 4 clips: 03_01.amc has another" in capsys.readouterr().out


@pytest.mark.thorough
def test_what_needs_a_missing_person_is_missing(copy, splits):
    """Fewer people to learn from would give other figures under the same name."""
    for path in copy.folder.glob("13*"):
        path.unlink()
    clip = copy.folder / splits[-1].clips[0].name
    clip.unlink()
    clip.mkdir()
    some = [*map(method, (all_inside, of_others, of_learned))]
    found = {(one.method, one.person): one.missing for one in gate_scores(copy, True, some, splits)}
    assert f"{clip.name} cannot be read" in found["all_inside", "49"]
    assert found["all_inside", "03"] == ""
    assert "no data of person 13, 49" in found["of_others", "03"]
    assert "no data of person 13" in found["of_learned", "03"]


def test_only_an_older_page_is_replaced(tmp_path, capsys):
    path = tmp_path / "mine.md"
    path.write_text("# Mine\n", "utf-8")
    for some, text in (
        (["public", "--page", str(path)], "mine.md is not a page of this benchmark"),
        (["public", "--page", str(tmp_path)], "is not a page of this benchmark"),
        (["public", "--page", str(tmp_path / "no" / "p.md")], "no folder"),
        (["reading", "--page", str(tmp_path / "p.md")], "the page is that of public"),
    ):
        with pytest.raises(SystemExit):
            benchmarks_main(some)
        assert text in capsys.readouterr().err
    assert page_main([str(path), str(path)]) == page_main([str(tmp_path / "new.md")]) == 2
    assert path.read_text("utf-8") == "# Mine\n"
    path.write_text(benchmark_page([], MACHINE), "utf-8")
    assert page_problem(path) is None


def test_a_half_counts_and_misses_its_own_people(monkeypatch):
    def scores(copy, quick, methods):
        caught = dict.fromkeys(FAULTS, 0.0)
        return [
            Score(each.name, name, half, 0.0, caught, 0.0, 5, "gone" if half == "B" else "")
            for each in methods
            for name, half in (("1", "A"), ("2", "B"), ("3", "B"))
        ]

    monkeypatch.setattr(tracks, "gate_scores", scores)
    monkeypatch.setattr(tracks, "user_copy", lambda: None)
    figures = {one.name: one.compared_with for one in tracks.gate(True)}
    name = METHODS[0].name
    assert figures[f"{name}, half A: outside"] == "5 frames, 1 people"
    assert figures[f"{name}, half B: outside"] == "missing: 2, 3"


def test_missing_data_has_a_reason(monkeypatch, tmp_path, capsys):
    skipped = {"benchmark": "public.gate", "name": "public.gate", "skipped": "no such data"}
    assert "## Gate\n\nMissing: no such data." in benchmark_page([skipped], MACHINE)
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "no"))
    assert main([]) == 1
    assert "which is not a folder" in capsys.readouterr().out


@pytest.mark.thorough
def test_files_are_found_by_their_numbers(copy, splits):
    (copy.folder / "03_01.amc").rename(copy.folder / "03_01-jump.AMC")
    assert Copy(copy.folder).problems(splits[0]) == []


@pytest.mark.slow
def test_figures_repeat_to_the_last_digit(copy, splits):
    first, second = (gate_scores(copy, True, METHODS, splits) for _ in range(2))
    assert first == second
    assert len([one for one in METHODS if not one.is_ours]) >= 6
    assert not [one.missing for one in first if one.missing]


def test_the_page_names_what_is_missing():
    name = f"{METHODS[0].name}, all: outside"
    record = {"benchmark": "public.gate", "name": name, "value": float("nan"), "unit": "%"}
    lost = {**record, "compared_with": "missing: 13", "target": None, "at_least": False}
    found = [{**lost, "name": f"{METHODS[1].name}, all: outside", "value": 2.0}]
    page = benchmark_page([lost, *found], MACHINE)
    assert f"| {METHODS[0].name} | missing | missing |" in page
    assert f"* {name}: missing: 13" in page
    assert f"* outside: {METHODS[1].name} (2.0" in page
    assert "Missing: not run." in page


def test_a_split_without_enough_clips_is_only_learned_from():
    some = read_splits()[0]
    assert some.is_held_out
    assert not replace(some, clips=some.clips[:2]).is_held_out
