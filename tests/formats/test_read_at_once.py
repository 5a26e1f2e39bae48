"""AMC frames that are read at once equal those that are read line by line, to the bit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import InputError
from jointlimits_core.formats import amc
from jointlimits_core.formats.amc import read_amc
from jointlimits_core.formats.asf import read_asf
from jointlimits_core.formats.registry import ReadRequest
from jointlimits_core.io.input import ReadLimits
from tests.formats.test_acclaim import ASF
from tests.motion.test_long_clips import content_of
from tests.support.shared_data import shared_path
from tests.support.small_files import write

FRAMES = 6
PLAIN_AMC = ":DEGREES\n" + "".join(
    f"{n}\nroot {n} 2.5 -3 {n}.25 20 30e-1\nupper 5 -{n}5 .25\nlower -35 4{n}\n"
    for n in range(1, FRAMES + 1)
)
ODD_WORDS = (
    *("0", "-7", "nan", "inf", "1e999", "1_0", "1.5.5", "0.0-7.5", "1,5", "1.#IND", "0x1"),
    *("1e-400", "#", "# note", "upper", "lower", "root", "lower 1 2", "3", "end", "é", "_", ""),
    *("\n", "\n4\n", ":RADIANS", "\t", "\x0b", "\x1c", "\x85", "\r\n"),
)
# Words and what is between them, so that lines can be joined, cut and moved.
EDITS = st.lists(
    st.tuples(
        st.floats(0, 0.999), st.sampled_from(("put", "drop", "swap")), st.sampled_from(ODD_WORDS)
    ),
    min_size=1,
    max_size=4,
)


def edit_words(text: str, edits: list[tuple[float, str, str]]) -> str:
    parts = re.findall(r"\s|\S+", text)
    for place, how, word in edits:
        at = int(place * len(parts))
        if how == "swap":
            other = (at * 7 + len(word)) % len(parts)
            parts[at], parts[other] = parts[other], parts[at]
        else:
            parts[at] = word if how == "put" else ""
    return "".join(parts)


def outcome(path: Path, arm, limits: ReadLimits) -> tuple:
    """Everything that comes of a file: the motion, or the message and its place."""
    try:
        return content_of(read_amc(path, ReadRequest(arm, limits=limits)))
    except InputError as problem:
        return problem.message, problem.line, problem.column


# --- Acclaim -----------------------------------------------------------------------------------


def same_both_ways(path: Path, arm, limits: ReadLimits, monkeypatch) -> tuple:
    """Result of reading a file, which is the same for frames at once and line by line."""
    found = outcome(path, arm, limits)
    with monkeypatch.context() as patch:
        patch.setattr(amc, "_uniform_numbers", lambda *_: None)
        assert outcome(path, arm, limits) == found
    return found


def amc_both_ways(folder: Path, text: str, limits: ReadLimits, monkeypatch) -> tuple:
    path = write(folder, text.encode("latin-1"), "swing.amc")
    arm = read_asf(write(folder, ASF, "arm.asf"))
    return same_both_ways(path, arm, limits, monkeypatch)


@pytest.mark.thorough
@settings(
    max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(EDITS, st.sampled_from([None, None, None, 40, 300]))
def test_broken_acclaim_is_the_same(tmp_path, monkeypatch, edits, most):
    limits = ReadLimits() if most is None else ReadLimits(max_numbers=most)
    amc_both_ways(tmp_path, edit_words(PLAIN_AMC, edits), limits, monkeypatch)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("upper 5 -35 .25\nlower -35 43", "upper 5 -35\n.25 lower -35 43"),
        ("upper 5 -35 .25\nlower -35 43", "lower -35 43\nupper 5 -35 .25"),
        ("upper 5 -35 .25\n", "upper 5 -35 .25\n\n"),
        ("\n3\n", "\n3 # the third\n"),
        ("upper 5 -35 .25", "upper 5 -35 .25 # good"),
        ("upper 5 -35 .25", "upper 5 -35.25"),
        ("upper 5 -35 .25", " upper 5 -35 .25"),
        ("upper 5 -35 .25", "upper\t5 -35 .25"),
        ("lower -35 46\n", "lower -35 46\nroot 1 2 3 4 5 6\n"),
        ("lower -35 46\n", ""),
        ("lower -35 46\n", "lower -35 46"),
    ],
)
def test_what_is_not_alike_is_read_line_by_line(tmp_path, monkeypatch, old, new):
    assert PLAIN_AMC.count(old) == 1
    amc_both_ways(tmp_path, PLAIN_AMC.replace(old, new), ReadLimits(), monkeypatch)


def test_what_is_wrong_with_every_frame_is_reported(tmp_path, monkeypatch):
    for old, new in (("lower", "upper"), ("upper 5", "lower 5"), ("upper 5", "other 5")):
        found = amc_both_ways(tmp_path, PLAIN_AMC.replace(old, new), ReadLimits(), monkeypatch)
        assert isinstance(found[0], str)
    bone_twice = PLAIN_AMC.replace("lower", "upper 1 2 3\nlower")
    assert amc_both_ways(tmp_path, bone_twice, ReadLimits(), monkeypatch)[1] == 5


def test_a_line_without_numbers_is_not_passed_over(tmp_path, monkeypatch):
    frame = "root 1 2 3 4 5 6\nupper 1 2 3\nlower 1 2\n"
    text = f"1\n{frame}2\n{frame.replace('lower 1 2', 'lower ')}3\n{frame}"
    found = amc_both_ways(tmp_path, text, ReadLimits(), monkeypatch)
    assert found == (
        "bone 'lower' has 0 values in this frame, expected 2 "
        "(its degrees of freedom in the skeleton)",
        8,
        None,
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("55", "55"),
        ("55 5 -35 .25", "55 55 5 -35 .25"),
        ("\n3\n", "\n55\n"),
        ("55 5 -", "  55 -"),  # the first 5 is the name's, the second no value
    ],
)
def test_bones_may_be_named_like_numbers(tmp_path, monkeypatch, old, new):
    """A line of the bone "55" is no frame number, and a 55 in its values is no name."""
    arm = read_asf(write(tmp_path, ASF.replace("upper", "55"), "arm.asf"))
    text = PLAIN_AMC.replace("upper", "55")
    assert old in text
    path = write(tmp_path, text.replace(old, new), "swing.amc")
    same_both_ways(path, arm, ReadLimits(), monkeypatch)


# --- real files, and long ones ----------------------------------------------------------------


@pytest.mark.thorough
def test_real_clips_are_the_same(monkeypatch):
    for path in sorted(shared_path("data/mocap/cmu_asfamc").glob("*/*.amc"))[::9]:
        arm = read_asf(next(path.parent.glob("*.asf")))
        assert isinstance(same_both_ways(path, arm, ReadLimits(), monkeypatch)[0], dict)
