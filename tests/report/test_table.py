"""The table for the terminal."""

import re
from dataclasses import replace

import pytest

from jointlimits_core.base.findings import Finding
from jointlimits_core.base.text import (
    MAX_FINDING_LINES,
    columns_of,
    finding_lines,
    frames_words,
    group_findings,
    in_columns,
    names_words,
    number,
    plural,
    shorten,
)
from jointlimits_core.limits.review_steps import EDIT
from jointlimits_core.limits.vocabulary import grade_marks, mark_name, range_words
from jointlimits_core.report.terminal.limits import MAX_NOTES, table
from tests.support.limit_set_examples import FREE, joint, limit_set, lock, span
from tests.support.trusted_limits import advice, asymmetric, range_of


def rows_of(text):
    """Lines of the joints: those between the rule and the next empty line."""
    lines = text.split("\n")
    rule = next(n for n, line in enumerate(lines) if line and set(line) == {"-"})
    return lines[rule + 1 : lines.index("", rule)]


def named(name, **fields):
    made = limit_set()
    return replace(made, joints={name: replace(made.joints["hip"], **fields)})


def test_wide_characters_take_two_columns():
    joints = {name: joint("ball", (FREE, FREE, FREE)) for name in ("膝関節", "knee", "e\u0301")}
    rows = rows_of(table(limit_set(joints=joints), ascii_only=False))
    assert len({columns_of(row[: row.index("ball")]) for row in rows}) == 1


def test_messages_cannot_act_on_the_terminal():
    bad = Finding("spike\x1b", "one\nframe \x1b[2J", "hip\x07", "clip\r")
    text = table(limit_set(findings=(bad,)), ascii_only=False)
    assert all(c == "\n" or c.isprintable() for c in text)


def test_ascii_only_escapes_the_rest():
    text = table(named("épaule"), ascii_only=True)
    assert text.isascii()
    assert "\\xe9paule" in text
    assert "épaule" in table(named("épaule"), ascii_only=False)


def test_narrow_terminals_show_whole_degrees_and_then_shorten_names():
    name = "character:rig:skeleton|left_shoulder_twist_03"
    wide, whole, narrow = (rows_of(table(named(name), width=w))[0] for w in (None, 95, 70))
    assert name in wide
    assert name in whole
    assert name not in narrow
    assert "Z 150.0..210.0" in wide
    assert "Z 150..210" in whole
    assert len(whole) <= 95
    assert len(narrow) <= 70
    assert whole.split(name)[1].strip() in narrow
    assert "Z 150..210" in rows_of(table(named(name), width=10))[0]


def test_marks_lead_to_footnotes():
    text = table(limit_set())
    hip = next(row for row in rows_of(text) if row.startswith("hip"))
    assert hip.endswith(" 1")
    note = "[1] euler-flip: hip: changes branch (clip walk, frames 7-9, 12)."
    assert note in text


def before_review(text):
    """Lines before the last part, what to look at first."""
    return text.rstrip("\n").rpartition("\n\n")[0].split("\n")


def test_joints_without_animation_are_a_count_and_no_note():
    item = Finding("never-moves", "not animated in this clip", "tail", "walk")
    text = table(named("tail", animated=False, findings=(item,)))
    assert "never-moves" not in text
    assert "1 joint, 1 not animated (" in text.split("\n")[0]


def test_what_to_look_at_first_comes_last_with_what_settles_it():
    item = Finding(
        *("bends-backwards", "bends backwards by 20 degrees", "knee", "walk", ((7.0, 9.0),)),
        channel="rotateX",
        side="min",
        degrees=20.0,
        instead_deg=1.25,
    )
    text = table(named("knee", findings=(item,)))
    assert text.endswith(
        "\n1 joint measured, 1 to look at:\n"
        " 1. knee bends backwards by 20 degrees (clip walk, frames 7-9); without them the minimum "
        "of rotateX\n    is 1.2.\n"
        "    Exclude 3 of 200 frames of knee: --exclude walk:7-9@knee\n"
    )
    assert "bends-backwards" not in text
    assert table(named("knee")).endswith("\n1 joint measured, nothing to look at.\n")


def test_suggestions_follow_a_list_without_entries():
    item = Finding("order-useless", "rotate order yxz hits gimbal lock", "knee")
    text = table(named("knee", findings=(item,)))
    assert text.endswith(
        "\n1 joint measured, nothing to look at.\n\nSuggestions\n"
        "  - knee: rotate order yxz hits gimbal lock.\n"
        "    Use the suggested orientations: --orientation advised\n"
    )
    assert "order-useless" not in text


def test_a_command_stays_in_one_line_however_long_and_another_step_follows():
    name = "a_joint_with_a_name_that_is_much_longer_than_the_ones_of_all_other_joints"
    item = Finding(
        *("bends-backwards", "bends backwards", name, "walk", ((7.0, 20.0),)),
        channel="rotateX",
        side="min",
        degrees=20.0,
    )
    lines = table(named(name, findings=(item,)), 80).splitlines()
    assert lines[-4:] == [
        f"    Exclude 14 of 200 frames of {name}:",
        f"      --exclude walk:7-20@{name}",
        "    or keep as is:",
        f"      {EDIT} --pin {name}.rotateX.min",
    ]


def test_findings_of_a_rule_are_listed_once():
    many = tuple(
        Finding("gimbal", "near gimbal lock", f"j{n}", "walk", left_out=n < 3) for n in range(9)
    )
    text = table(limit_set(findings=many))
    assert text.count("gimbal:") == 1
    assert "j0, j1, j2, j3 and 5 more joints" in text
    assert "the same in 8 more" in text
    assert "excluded in 3 of them" in text


def test_what_does_not_fit_is_counted():
    many = tuple(Finding(f"rule-{n}", "x" * 30, None, "walk") for n in range(40) for _ in range(2))
    lines = before_review(table(limit_set(findings=many)))
    listed = [line for line in lines if line.startswith("[")]
    assert len(listed) <= MAX_FINDING_LINES
    # 80 findings of the clips, and one of the hip.
    assert lines[-1] == f"... and {81 - 2 * len(listed)} more in the JSON"


@pytest.mark.parametrize(
    ("axes", "marks"),
    [
        ((FREE, FREE, FREE), ()),
        ((range_of("firm", "seen"), lock(), lock()), ("seen",)),
        ((range_of("firm", "firm"), range_of("seen", "open"), FREE), ("open",)),
        ((range_of("firm", "firm"), range_of("untested", "untested", "locked"), FREE), ("firm",)),
        ((range_of("untested", "untested", "locked"), FREE, FREE), ("untested",)),
        (
            (range_of("firm", "artist"), range_of("prior", "seen"), FREE),
            ("seen", "prior", "artist"),
        ),
        ((range_of("artist", "artist"), FREE, FREE), ("artist",)),
        ((span(0.0, 1.0), FREE, FREE), ()),
    ],
)
def test_the_weakest_bound_of_a_joint(axes, marks):
    made = joint("ball", axes)
    assert grade_marks(made) == marks
    text = table(limit_set(joints={"hip": made}))
    assert ("grade" in text) == bool(marks)
    (row,) = rows_of(text)
    cells = re.split(r"  +", row)[5:]
    assert cells == ([", ".join(map(mark_name, marks))] if marks else [])


def test_what_would_settle_a_type_is_listed_once():
    made = limit_set().joints["hip"]
    close = replace(made.evidence, sure="close", settle="bend it further")
    joints = {name: replace(made, evidence=close) for name in ("a", "b")}
    text = table(limit_set(joints={**joints, "hip": made}))
    assert "\nTo confirm joint types, record:\na, b: bend it further.\n" in text
    assert "settle" not in table(limit_set())


def test_advice_is_listed_until_it_is_followed():
    text = table(named("hip", advice=advice()))
    assert "\nAdvice\nhip: rotate order yzx: box 37 % smaller.\n" in text
    assert "Advice" not in table(named("hip", advice=advice("K", "frame kept")))
    followed = replace(limit_set().joints["hip"].frame, kind="advised")
    done = table(named("hip", advice=advice(), orientation=followed))
    assert "Advice" not in done
    assert "The limits are relative to the suggested joint orientations." in done.split("\n")[0]


def test_long_notes_are_wrapped_and_counted():
    made = limit_set().joints["hip"]
    joints = {
        f"j{n}": replace(made, advice=advice(text=f"order {n} " + "is better " * 12))
        for n in range(MAX_NOTES + 3)
    }
    lines = before_review(table(limit_set(joints=joints), width=60))
    notes = lines[lines.index("Advice") + 1 :]
    assert notes[-1] == "... and 3 more in the JSON"
    assert sum(line.startswith("j") for line in notes) == MAX_NOTES
    assert max(map(len, notes)) <= 60


def test_clearly_asymmetric_pairs_have_a_line_each():
    text = table(limit_set(symmetry=asymmetric(("lknee", "rknee", 20.5), ("lhip", "rhip", -31.0))))
    lines = before_review(text[text.index("Left and right") :])
    assert lines[1:] == [
        "lhip, rhip: lhip goes 31.0 degrees further on rotateX.",
        "lknee, rknee: rknee goes 20.5 degrees further on rotateX.",
    ]
    pooled = asymmetric(("lknee", "rknee", 20.5), pooled=True)
    assert "on rotateX; pooled, both have the wider range." in table(limit_set(symmetry=pooled))
    assert "Left and right" not in table(limit_set(symmetry=asymmetric(("a", "b", 9.0))))
    many = asymmetric(*((f"l{n}", f"r{n}", 20.0 + n) for n in range(MAX_NOTES + 2)))
    assert before_review(table(limit_set(symmetry=many)))[-1] == "... and 2 more in the JSON"


def test_notes_cannot_act_on_the_terminal():
    evil = "a\x1b[2J\nb"
    made = named(evil, advice=advice(text=evil))
    made = replace(made, symmetry=asymmetric((evil, "r", 20.0)))
    text = table(replace(made, options={"strictness": evil}), ascii_only=False)
    assert all(c == "\n" or c.isprintable() for c in text)


def test_no_findings_and_no_joints():
    text = table(limit_set(joints={}))
    assert "No notes." in text
    assert "0 joints (none)" in text


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (span(-12.345, 140.0), "-12.3..140.0"),
        (span(-0.04, 0.0), "-0.040..0.000"),
        (lock(-0.01), "locked 0.0"),
        (replace(lock(), max_deg=0.5), "locked 0.0..0.5"),
        (FREE, "free"),
        (replace(span(-57.3, 1.0), max_deg=None), "-57.3.."),
        (replace(span(0.0, 114.59), min_deg=None), "..114.6"),
    ],
)
def test_ranges_in_words(limit, words):
    assert range_words(limit) == words


def test_numbers_frames_and_names_in_words():
    assert number(-0.001) == "0.0"
    assert number(-0.26) == "-0.3"
    assert frames_words(()) == ""
    assert frames_words(((7.0, 7.0),)) == "frame 7"
    assert frames_words(((1.0, 20.0), (31.5, 31.5))) == "frames 1-20, 31.5"
    assert frames_words(((1234567.0, 1234568.0),)) == "frames 1234567-1234568"
    assert frames_words([(n, n) for n in range(9)], most=2) == "frames 0, 1 and 7 more"
    assert shorten("abcdefghij", 10) == "abcdefghij"
    assert shorten("abcdefghijk", 9) == "abc...ijk"


def test_lists_of_names_say_of_what_they_are():
    names = ["a", "b", "c", "d", "e"]
    assert names_words(names) == "a, b, c, d and 1 more joint"
    assert names_words([*names, "f"], noun="body") == "a, b, c, d and 2 more bodies"
    assert plural(2, "day") == "2 days"
    many = [Finding("gap", f"of {name}", name) for name in [*names, "f"]]
    (group,) = group_findings(many)
    assert "and 2 more bodies: of a" in group.sentence(noun="body")
    assert "and 2 more bodies" in "\n".join(finding_lines([group], 200, "body"))


def test_columns_are_as_wide_as_the_widest_text_on_a_terminal():
    lines = in_columns([("name", "n"), ("骨", "100"), ("b", "7")], right=(1,), indent=" ")
    assert lines == [" name    n", " ---------", " 骨    100", " b       7"]
