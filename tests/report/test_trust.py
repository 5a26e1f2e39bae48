"""The report on how far bounds can be trusted: bands, grades, frames, layers, left and right."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.limits import vocabulary
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import AxisLimit, AxisSource, Orientation
from jointlimits_core.limits.records import ArtistEdit, PairSymmetry, SymmetryRecord
from jointlimits_core.report.figures.glyphs import GLYPHS
from jointlimits_core.report.html import words as page_words
from jointlimits_core.report.html.joint_section import edit_words, edits_list, limits_table
from jointlimits_core.report.html.limits_page import layers_words, mirror_words, sides_section
from tests.support.limit_set_examples import FREE, joint, limit_set, lock, span
from tests.support.page_streams import pieces, rows_of, words_of
from tests.support.trusted_limits import advice, asymmetric, bound_of, range_of


def banded(low, high, below, above):
    """A range whose bounds have these bands."""
    return AxisLimit(
        "limited",
        low,
        high,
        source=AxisSource(bound_of("seen", low, below), bound_of("seen", high, above)),
    )


def bands_of(bar):
    return [(start, length) for kind, start, length, *_ in bar["parts"] if kind == "band"]


# Bands


@pytest.mark.parametrize(
    ("axis", "stretches"),
    [
        (banded(-10.0, 20.0, (-15.0, -5.0), (19.0, 32.0)), ((-15.0, -10.0), (20.0, 32.0))),
        (banded(-10.0, 20.0, (-10.0, -5.0), (19.0, 32.0)), ((20.0, 32.0),)),
        # Padding takes up the band.
        (replace(range_of("seen", "open"), min_deg=-13.0, max_deg=28.0), ((-15.0, -13.0),)),
    ],
)
def test_bands_continue_beyond_the_range(axis, stretches):
    assert vocabulary.band_stretches(axis) == stretches


@pytest.mark.parametrize(
    "axis",
    [
        FREE,
        lock(3.0),
        span(0.0, 1.0),
        replace(range_of("open", "open"), state="lock"),
        range_of("artist", "prior"),
        banded(0.0, 360.0, (-9.0, 0.0), (360.0, 370.0)),
    ],
)
def test_no_band_where_there_is_nothing_to_go_on(axis):
    assert vocabulary.band_stretches(axis) == ()
    assert bands_of(page_words.range_bar(axis)) == []
    assert "band" not in [kind for kind, *_ in page_words.dial("rotateX", axis, None)["arcs"]]


spans = st.floats(0.0, 500.0)


@given(st.floats(-1000.0, 1000.0), spans, spans, spans)
def test_range_and_bands_never_cover_more_than_a_turn(low, span, below, above):
    # Rounded, since limits have no rounding errors.
    low, high, bottom, top = np.round(
        [low, low + span, low - below, low + span + above], 3
    ).tolist()
    made = banded(low, high, (bottom, low), (high, top))
    stretches = vocabulary.band_stretches(made)
    lengths = [end - start for start, end in stretches]
    assert all(0.0 < length <= 90.0 for length in lengths)
    assert not lengths or high - low + sum(lengths) <= 360.0 + 1e-6
    drawn = {"min": (bottom, low), "max": (high, top)}
    assert set(stretches) <= set(drawn.values())
    for side, stretch in drawn.items():
        is_known = stretch in stretches or stretch[0] == stretch[1]
        assert ("unknown" not in vocabulary.band_words(made, side)) == is_known


@pytest.mark.parametrize(
    ("axis", "side", "widest"),
    [
        (banded(-150.0, 150.0, (-172.0, -140.0), (140.0, 188.0)), "max", None),
        (banded(-150.0, 150.0, (-190.0, -140.0), (140.0, 155.0)), "min", None),
        (banded(-40.0, 45.0, (-45.0, -35.0), (40.0, 172.5)), "max", None),
        (banded(-170.0, 170.0, (-180.0, -165.0), (165.0, 180.0)), "max", 350.0 - 1e-6),
        (banded(-100.0, 255.0, (-103.0, -90.0), (250.0, 259.0)), "min", None),
        (banded(0.0, 160.0, (-1.0, 1.0), (150.0, 179.0)), "max", 175.4),
    ],
)
def test_a_band_beyond_anatomy_is_unknown(axis, side, widest):
    """Page, window and terminal neither draw it nor print its numbers."""
    limit = axis.min_deg if side == "min" else axis.max_deg
    assert vocabulary.band_words(axis, side, widest) == "90 % band unknown"
    assert all(limit not in stretch for stretch in vocabulary.band_stretches(axis, widest))
    outer = f"{vocabulary.degrees(getattr(axis.source, side).band_deg[side == 'max'])}"
    made = joint("ball", (axis, FREE, FREE))
    assert outer not in words_of(limits_table(made, widest, lambda words, *_: words))


def test_anatomy_is_that_of_the_joints_name():
    names = ("Hips", "LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg", "Neck")
    assert vocabulary.widest_deg(names, "LeftLeg") == pytest.approx(158.0)
    assert vocabulary.widest_deg(names, "Neck") is None
    assert vocabulary.widest_deg(names, "LeftLeg", "rotateQ") is None


def test_dials_and_bars_draw_the_bands():
    axis = range_of("seen", "open")
    drawn = page_words.dial("rotateX", axis, None)
    assert [arc for arc in drawn["arcs"] if arc[0] == "band"] == [
        ("band", -15.0, -10.0),
        ("band", 20.0, 25.0),
    ]
    assert "90 % band -15.0 to 25.0" in drawn["label"]
    assert bands_of(page_words.range_bar(axis)) == [
        pytest.approx((165.0 / 3.6, 5.0 / 3.6), abs=0.01),
        pytest.approx((200.0 / 3.6, 5.0 / 3.6), abs=0.01),
    ]
    assert len(bands_of(page_words.range_bar(banded(185.0, 200.0, (178.0, 190.0), None)))) == 2


# Grades


def test_every_grade_and_layer_has_a_shape_and_a_meaning_of_its_own():
    assert set(vocabulary.GRADE_MEANINGS) == {
        *vocabulary.GRADES,
        vocabulary.TURNS,
        *vocabulary.LAYERS,
    }
    assert len({GLYPHS[word] for word in vocabulary.GRADE_MEANINGS}) == len(
        vocabulary.GRADE_MEANINGS
    )
    legend = words_of(page_words.grades_legend())
    assert all(
        f"{vocabulary.GRADE_NAMES[word]} – {vocabulary.GRADE_MEANINGS[word]}" in legend
        for word in (*vocabulary.GRADES, vocabulary.TURNS)
    )


def test_marks_of_bounds():
    assert words_of(page_words.limit_mark(bound_of("open"))).endswith("may be wider")
    assert words_of(page_words.limit_mark(bound_of("artist"))).endswith("artist")
    assert words_of(page_words.limit_mark(bound_of("prior"))).endswith("prior")
    assert page_words.limit_mark(None) is None
    # Nobody looked at how this one was reached; "untested" would be wrong.
    assert page_words.limit_mark(span(0.0, 1.0).source.min) is None


@pytest.mark.parametrize(
    ("reached", "words"),
    [
        ({}, "reached 3 times in 2 clips, and turned back there"),
        ({"visits": 1, "clips": 1, "stop": "held"}, "reached once, and held there"),
        ({"visits": 2, "clips": 1, "stop": None}, "reached twice in 1 clip"),
        (
            {"visits": 1, "clips": 1, "stop": "cut"},
            "reached once; the clip ends while moving there",
        ),
        ({"visits": 0}, ""),
    ],
)
def test_how_a_bound_was_reached(reached, words):
    assert vocabulary.reach_words(bound_of("seen", **reached)) == words


def test_what_hardly_moves_is_not_called_reached():
    still = bound_of("untested", band=(-0.5, 0.5))
    assert vocabulary.reach_words(still) == vocabulary.reach_words(bound_of("artist")) == ""
    for source in (still, bound_of("artist")):
        axis = AxisLimit("limited", -10.0, 0.0, source=AxisSource(None, source))
        assert vocabulary.band_words(axis, "max") == vocabulary.band_words(axis, "min") == ""
    axis = banded(-10.0, 30.0, None, (-3.0, 40.0))
    assert vocabulary.band_words(axis, "max") == "90 % band −3.0° to 40.0°"


def test_the_table_of_bounds():
    made = joint("ball", (range_of("seen", "artist"), FREE, lock(7.0)))
    first, second, *others = rows_of(limits_table(made, None, lambda words, *_: words))
    assert first[0] == "X unused gap 330.0°"
    assert [*first[1:3], first[4]] == [
        *("min", "−10.0°"),
        "walk, frame 3 ; reached 3 times in 2 clips, and turned back there "
        "; 90 % band −15.0° to −5.0°",
    ]
    assert [second[n] for n in (0, 1, 3)] == ["max", "20.0°", "set by the artist"]
    assert others == [["Y", "no limit"], ["Z", "locked at 7.0°"]]


# Frames


def test_frames_in_words():
    own = Orientation("xyz", (0.0, 0.0, 20.0), (0.0, 0.0, 0.0))
    assert page_words.orientation_words(own) == (
        "In the joint’s own orientation: rotate order xyz, joint orient 0.0°, 0.0°, 20.0°."
    )
    turned = replace(own, rotate_axis_deg=(0.0, 0.0, -20.0), kind="advised")
    assert page_words.orientation_words(turned) == (
        "In the advised orientation, not the joint’s own: rotate order xyz, "
        "joint orient 0.0°, 0.0°, 20.0°, rotate axis 0.0°, 0.0°, −20.0°."
    )
    assert "kind “rig”" in page_words.orientation_words(replace(own, kind="rig"))


def test_advice_in_words():
    made = joint("ball", (FREE, FREE, FREE))
    assert page_words.advice_words(made) == ""
    assert page_words.advice_words(replace(made, advice=advice("none", ""))) == ""
    order = replace(made, advice=advice())
    assert page_words.advice_words(order) == "rotate order yzx: box 37 % smaller."
    strict = advice(
        "R",
        "turns about rotateZ alone",
        locked=("rotateX", "rotateY"),
        box_share_before=0.0026,
        box_share_after=0.0,
        strict_max_deg=0.44,
    )
    assert page_words.advice_words(replace(made, advice=strict)) == (
        "turns about rotateZ alone. It needs rotate order yzx, joint orient 0.0°, 0.0°, 0.0°. The "
        "box of its channels shrinks from 0.26 % to 0 % of all rotations. Holding the other "
        "channels at zero changes no pose by more than 0.4°."
    )
    followed = replace(order, orientation=Orientation("yzx", (0.0,) * 3, (0.0,) * 3, "advised"))
    assert page_words.advice_words(followed).endswith(
        "The limits above are those of the advised orientation."
    )
    assert "It needs" not in page_words.advice_words(replace(followed, advice=strict))


# Layers

LEVEL = [0.0, 0.0, 0.0]
TURNED = {"rotate_order": "zyx", "joint_orient_deg": LEVEL, "rotate_axis_deg": LEVEL}


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (ArtistEdit("knee", "max", "rotateX", 90.0), "X max is 90.0°; estimated 140.0°"),
        (
            ArtistEdit("knee", "min", "rotateX", -5.0, "brace", "Ann", "2024-05-01"),
            "X min is −5.0°; estimated 0.0° (brace; Ann, 2024-05-01)",
        ),
        (
            ArtistEdit("knee", "state", "rotateY", "free", author="Ann"),
            "Y is free; estimated locked (Ann)",
        ),
        (ArtistEdit("root", "min", "rotateX", -5.0), "X min is −5.0°; estimated no limit"),
        (ArtistEdit("knee", "type", None, "ball"), "type is ball; estimated hinge"),
        (ArtistEdit("knee", "note", None, "ask Ann"), "note: ask Ann"),
        (ArtistEdit("knee", "orientation", None, TURNED), "the orientation was set"),
    ],
)
def test_edits_in_words(edit, words):
    (held,) = with_edits(limit_set(), [edit]).edits
    assert edit_words(held) == words


def test_layers_are_named_in_the_header():
    assert layers_words(limit_set()) == []
    assert edits_list(limit_set(), "knee") is None
    made = limit_set()
    hip = replace(made.joints["hip"], limits={"rotateX": range_of("prior", "prior")})
    made = replace(made, joints={**made.joints, "hip": hip})
    made = with_edits(made, [ArtistEdit("knee", "max", "rotateX", 90.0)])
    text = words_of(layers_words(made))
    assert "artist 1 edit by the artist, on knee." in text
    assert "prior 2 limits from published ranges, on hip." in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ""),
        ({"options": {"strictness": "own"}}, "Strictness: own."),
        ({"options": {"strictness": "robust"}, "mode": "paper"}, ""),
        (
            {"options": {"strictness": "robust", "orientation": "advised"}},
            "Strictness: robust (one-frame outliers are outside, and listed). "
            "Limits are given in the advised orientations.",
        ),
    ],
)
def test_strictness_in_words(changes, words):
    assert page_words.strictness_words(limit_set(**changes)) == words


# Left and right


def test_pairs_are_listed_the_most_different_first():
    record = asymmetric(("lknee", "rknee", 4.0), ("lhip", "rhip", -31.0), ("la", "ra", 0.0))
    section = sides_section(record, str)
    assert [[cell for cell in row if cell] for row in rows_of(section)] == [
        ["lhip", "rhip", "31.0°", "lhip goes further on X", "X the same way, Y and Z opposite"],
        ["lknee", "rknee", "4.0°", "rknee goes further on X", "X the same way, Y and Z opposite"],
        ["la", "ra", "0.0°", "the same on both sides", "X the same way, Y and Z opposite"],
    ]
    assert "Without a partner: spine." in words_of(section)
    assert "pooled" not in words_of(section)
    # Only what is clear has the colour; the bar of the largest is full.
    bars = [bar["parts"][1] for bar in pieces(section, "bar")]
    assert [bar[:3] for bar in bars if bar[0] == "range"] == [["range", 0, 100.0]]


def test_pooled_pairs_and_pairs_that_cannot_be_compared():
    pooled = asymmetric(("lknee", "rknee", 4.0), pooled=True)
    assert "both sides use the wider range" in words_of(sides_section(pooled, str))
    lost = PairSymmetry("l", "r", "geometry", None, (1, 1, 1), "doubtful", None, None, None, False)
    (row,) = rows_of(sides_section(SymmetryRecord("report", (lost,)), str))
    assert row == ["l", "r", "not compared", "", "", "doubtful, so edits are not mirrored"]
    assert sides_section(None, str) is None
    assert sides_section(SymmetryRecord("report"), str) is None


@pytest.mark.parametrize(
    ("signs", "words"),
    [
        ((1, 1, 1), "X, Y and Z the same way"),
        ((-1, -1, -1), "X, Y and Z opposite"),
        ((-1, 1, -1), "Y the same way, X and Z opposite"),
    ],
)
def test_mirrored_poses_in_words(signs, words):
    (pair,) = asymmetric(("l", "r", 1.0), signs=signs).pairs
    assert mirror_words(pair) == words
