"""Benchmarks write their figures, and fail where they are asked to hold their targets."""

from __future__ import annotations

import json

import pytest

from benchmarks import __main__ as program
from benchmarks.figures import BENCHMARKS, Figure


@pytest.mark.parametrize(("value", "code"), [(0.9, 0), (1.1, 1)])
def test_a_missed_target_fails(tmp_path, monkeypatch, value, code):
    def yield_time(quick):
        """A time."""
        yield Figure("ours", value, "s", 1.0)

    monkeypatch.setitem(BENCHMARKS, "made.up", yield_time)
    written = tmp_path / "figures.json"
    assert program.main(["made", "--json", str(written), "--check"]) == code
    (figure,) = json.loads(written.read_text("utf-8"))["figures"]
    assert (figure["value"], figure["met"]) == (value, not code)
