"""``jointlimits merge`` and ``jointlimits diff``."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from jointlimits_core.cli.main import main
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set, write_limit_set
from tests.support.layered_sets import axis, spans
from tests.support.limit_set_examples import joint


def limit_file(folder, name, high, clip_name="walk", **changes):
    axes = (axis(-30.0, high, clip_name), axis(-20.0, 20.0), axis(-10.0, 10.0))
    limit_set = LimitSet("person", {"hip": joint("ball", axes, parent=None)})
    path = folder / f"{name}.json"
    write_limit_set(dataclasses.replace(limit_set, **changes), path)
    return str(path)


@pytest.fixture
def pair(tmp_path):
    return limit_file(tmp_path, "a", 90.0), limit_file(tmp_path, "b", 70.0, "jump")


@pytest.mark.parametrize(("how", "high"), [("union", 90.0), ("intersection", 70.0)])
def test_merge(pair, tmp_path, capsys, how, high):
    out = tmp_path / "new" / "c.json"
    assert main(["merge", *pair, "--how", how, "--out", str(out)]) == 0
    assert spans(read_limit_set(out), "hip")[0] == (-30.0, high)
    shown = capsys.readouterr().out
    assert "hip" in shown
    assert f"wrote {out}" in shown


def test_merge_takes_the_last_in_layers(pair, tmp_path):
    out = str(tmp_path / "c.json")
    assert main(["merge", *pair, "--how", "layers", "--out", out, "--character", "Bo"]) == 0
    merged = read_limit_set(out)
    assert spans(merged, "hip")[0] == (-30.0, 70.0)
    assert merged.character == "Bo"


@pytest.mark.parametrize("which", [0, 1])
def test_merge_never_writes_over_what_it_merges(pair, tmp_path, capsys, which):
    before = [Path(path).read_bytes() for path in pair]
    link = tmp_path / "link.json"
    link.symlink_to(pair[which])
    for out in (pair[which], str(link)):
        assert main(["merge", *pair, "--out", out]) == 2
        assert "would overwrite" in capsys.readouterr().err
    assert [Path(path).read_bytes() for path in pair] == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["merge", "A", "missing.json", "--out", "c.json"], 1, "missing.json: file not found"),
        (["merge", "A", "B", "--how", "average", "--out", "c.json"], 2, "--how must be one of"),
        (["merge", "A", "FAR", "--how", "intersection", "--out", "c.json"], 1, "no angle"),
        (["merge", "A", "PAPER", "--out", "c.json"], 1, "mode 'paper'"),
        (["diff", "A", "B", "--tolerance", "-1"], 2, "tolerance must be finite and at least 0"),
        (["diff", "A", "B", "--tolerance", "nan"], 2, "tolerance must be finite and at least 0"),
        (["diff", "A", "B", "--tolerance", "much"], 2, "must be a number, not"),
        (["diff", "A", "BROKEN"], 1, "ends before it is complete"),
    ],
)
def test_what_cannot_be_done(pair, tmp_path, capsys, monkeypatch, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    far = LimitSet("person", {"hip": joint("ball", (axis(200.0, 220.0),) * 3, parent=None)})
    write_limit_set(far, tmp_path / "far.json")
    paths = {
        "A": pair[0],
        "B": pair[1],
        "FAR": str(tmp_path / "far.json"),
        "PAPER": limit_file(tmp_path, "paper", 90.0, mode="paper"),
        "BROKEN": str(broken),
    }
    assert main([paths.get(word, word) for word in arguments]) == code
    assert message in capsys.readouterr().err
    assert not (tmp_path / "c.json").exists()


def test_diff_as_text(pair, capsys):
    assert main(["diff", pair[0], pair[0]]) == 0
    assert "no difference" in capsys.readouterr().out
    assert main(["diff", *pair]) == 1
    shown = capsys.readouterr().out
    assert "rotateX max: 90.00 -> 70.00, 20.0 degrees narrower" in shown
    assert "observed in walk at frame 3, then observed in jump at frame 3" in shown


def test_diff_tolerance(pair):
    assert main(["diff", *pair, "--tolerance", "20"]) == 0
    assert main(["diff", *pair, "--tolerance", "19.9"]) == 1
