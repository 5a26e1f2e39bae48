"""Ratios of two runs of the benchmarks are compared."""

from __future__ import annotations

import json

import pytest

from benchmarks import __main__ as program
from benchmarks.figures import BENCHMARKS, Figure


def figures(ratio, time_ms):
    def benchmark(quick):
        """A ratio and a time."""
        yield Figure("theirs / ours", ratio, "x", at_least=True)
        yield Figure("ours", time_ms, "ms")

    return benchmark


@pytest.mark.parametrize(("ratio", "code"), [(9.0, 0), (8.0, 1), (20.0, 0)])
def test_a_ratio_that_is_worse_fails_and_a_time_does_not(tmp_path, monkeypatch, ratio, code):
    base = tmp_path / "base.json"
    monkeypatch.setitem(BENCHMARKS, "made.up", figures(10.0, 5.0))
    assert program.main(["made", "--json", str(base)]) == 0
    assert json.loads(base.read_text("utf-8"))["figures"][0]["value"] == 10.0
    monkeypatch.setitem(BENCHMARKS, "made.up", figures(ratio, 50.0))
    assert program.main(["made", "--compare", str(base)]) == code


def test_another_numpy_is_not_compared(tmp_path, monkeypatch, capsys):
    base = tmp_path / "base.json"
    monkeypatch.setitem(BENCHMARKS, "made.up", figures(10.0, 5.0))
    program.main(["made", "--json", str(base)])
    document = json.loads(base.read_text("utf-8"))
    document["machine"]["numpy"] = "1.0"
    base.write_text(json.dumps(document), "utf-8")
    monkeypatch.setitem(BENCHMARKS, "made.up", figures(1.0, 5.0))
    assert program.main(["made", "--compare", str(base)]) == 0
    assert "not compared" in capsys.readouterr().out
