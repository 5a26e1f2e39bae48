"""Limits as a table, read back by Python's own reader of CSV."""

from __future__ import annotations

import csv
import dataclasses
import io

import pytest

from jointlimits_core.exporters.formats import ExportOptions, export_formats
from jointlimits_core.io.csv import csv_text
from tests.support.limit_set_examples import limit_set


def rows(limits):
    text = export_formats()["csv"].export(limits, None, ExportOptions()).content
    return list(csv.DictReader(io.StringIO(text)))


def test_digits_give_the_same_doubles_back():
    assert float(csv_text("a", [[0.1 + 0.2]]).split()[1]) == 0.1 + 0.2
    assert csv_text("abcd", [[None, True, 3, -0.0]]) == "a,b,c,d\n,yes,3,0.0\n"


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2", "@SUM(A1)", "\t=1", '=HYPERLINK("x")'])
def test_no_name_is_a_formula(name):
    limits = dataclasses.replace(limit_set(), character=name)
    limits.joints[name] = limits.joints.pop("tail")
    found = rows(limits)
    assert found[0]["character"][0] not in "=+-@\t"
    assert found[-1]["joint"][0] not in "=+-@\t"


def test_names_with_commas_and_line_ends_stay_one_cell():
    limits = limit_set()
    limits.joints['a, "b"\nc'] = limits.joints.pop("tail")
    assert rows(limits)[-1]["joint"] == 'a, "b"\\nc'


def test_the_papers_angles_have_a_place():
    limits = limit_set()
    hip = limits.joints["hip"]
    angles = dict(zip(("phi", "psi", "theta"), hip.limits.values()))
    limits.joints["hip"] = dataclasses.replace(hip, limits=angles)
    found = [
        row for row in rows(dataclasses.replace(limits, mode="paper")) if row["joint"] == "hip"
    ]
    assert [row["channel"] for row in found] == ["phi", "psi", "theta"]
    assert [row["rest_deg"] for row in found] == ["", "", ""]
