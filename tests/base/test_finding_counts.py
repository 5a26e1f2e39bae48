"""Counts of findings, and the findings of a character on one line."""

from __future__ import annotations

import re

import pytest

from jointlimits_core.base.findings import (
    MAX_RULES,
    UNREPORTED_RULES,
    Finding,
    reported_counts,
    reported_words,
    rule_counts,
)
from jointlimits_core.motion.screening.rules import LEFT_OUT_BY_DEFAULT
from tests.support.house_files import ROOT


def findings(*rules):
    return [Finding(rule, "seen") for rule in rules]


def test_all_rules_are_counted_by_their_names():
    found = rule_counts(findings("spike", "gimbal", "spike", "frame-count"))
    assert list(found.items()) == [("frame-count", 1), ("gimbal", 1), ("spike", 2)]
    assert rule_counts([]) == {}


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({}, ""),
        ({"never-moves": 40, "gimbal": 2}, ""),
        ({"frame-count": 1}, "1 finding: frame-count"),
        ({"frame-count": 1, "spike": 1}, "2 findings: frame-count, spike"),
        ({"frame-count": 1, "never-moves": 9, "spike": 3}, "4 findings: frame-count, spike (3)"),
    ],
)
def test_a_line_tells_what_somebody_has_to_do_something_about(counts, words):
    assert reported_words(counts) == words


def test_a_line_stays_a_line():
    many = {f"rule-{k}": 1 for k in range(MAX_RULES + 3)}
    names = ", ".join(list(many)[:MAX_RULES])
    assert reported_words(many) == f"{len(many)} findings: {names} and 3 more rules"
    assert "\n" not in reported_words({"two\nlines": 1})


def test_a_rule_that_nobody_has_thought_of_is_listed():
    assert reported_counts({"brand-new": 1}) == {"brand-new": 1}


def test_what_leaves_frames_or_files_out_is_listed():
    lost = {*LEFT_OUT_BY_DEFAULT, "frame-count", "missing-reference", "outside-reference"}
    assert not lost & UNREPORTED_RULES


def test_quiet_rules_are_rules_that_there_are():
    places = (ROOT / "jointlimits_core", ROOT / "scripts" / "jointlimits_maya")
    files = [path for place in places for path in place.rglob("*.py")]
    text = "".join(path.read_text("utf-8") for path in files if path.name != "findings.py")
    assert [rule for rule in sorted(UNREPORTED_RULES) if f'"{rule}"' not in text] == []


def test_the_document_names_the_rules_that_lines_do_not():
    text = (ROOT / "docs" / "farm.md").read_text("utf-8")
    table = text.partition("These rules are only counted")[2].partition("|\n\n")[0]
    assert set(re.findall(r"`([a-z-]+)`", table)) == UNREPORTED_RULES
