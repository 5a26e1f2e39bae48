"""LimitSet as JSON: the same there and back; for anything else an error names the place."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.base.errors import LimitSetError
from jointlimits_core.base.findings import Finding
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.asf import read_asf
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits import document
from jointlimits_core.limits.document import limit_set_schema
from jointlimits_core.limits.limit_set import (
    AxisLimit,
    AxisSource,
    BoundSource,
    ClipRecord,
    Evidence,
    Hinge,
    HingeCandidate,
    JointLimit,
    LimitSet,
    Orientation,
    RestPose,
    Universal,
    preferred_pose,
    read_limit_set,
)
from tests.support.budgets import budget
from tests.support.limit_set_examples import limit_set, motion, with_value
from tests.support.shared_data import shared_path

TEXT = limit_set().to_json()


def is_valid(text):
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(limit_set_schema())
    return not list(validator.iter_errors(json.loads(text)))


def test_a_purpose_of_an_earlier_file_is_named():
    made = limit_set()
    found = LimitSet.from_dict({**made.to_dict(), "purpose": "stunt"})
    assert [item.message for item in found.findings if item.rule == "read-as"] == [
        "its purpose, 'stunt', is not kept"
    ]
    assert LimitSet.from_dict({**made.to_dict(), "purpose": ""}) == made


# There and back -----------------------------------------------------------------------------------

NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 5e-324, 1.7e308, 0.1 + 0.2, 1e22]),
    st.floats(allow_nan=False, allow_infinity=False),
)
POSITIVE = st.floats(0, 1e6)
ANGLES = st.sampled_from([0.0, -0.0, 5e-324, 0.1 + 0.2, 1e7]) | st.floats(-1e7, 1e7)
TRIPLES = st.tuples(ANGLES, ANGLES, ANGLES)
TEXTS = st.text(max_size=8)
MAYBE_TEXT = st.none() | TEXTS
SPANS = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=2).map(tuple)
FINDINGS = st.builds(Finding, TEXTS, TEXTS, MAYBE_TEXT, MAYBE_TEXT, SPANS, st.booleans())
KINDS = st.sampled_from(["observed", "padded", "prior", "artist"])
MAYBE_NUMBER = st.none() | NUMBERS
BOUNDS = st.builds(
    BoundSource, KINDS, MAYBE_TEXT, MAYBE_NUMBER, st.none() | ANGLES, st.integers(0, 5)
)
SOURCES = st.builds(AxisSource, st.none() | BOUNDS, st.none() | BOUNDS)


@st.composite
def axis_limits(draw):
    low, high = sorted([draw(ANGLES), draw(ANGLES)])
    state = draw(st.sampled_from(["free", "limited", "locked"]))
    if state == "free":
        low = high = None
    return AxisLimit(state, low, high, draw(st.none() | NUMBERS), draw(SOURCES))


POSES = st.builds(RestPose, TRIPLES, st.booleans(), POSITIVE)
EVIDENCE = st.builds(
    Evidence,
    st.fixed_dictionaries(
        {t: st.none() | NUMBERS for t in ("fixed", "hinge", "universal", "ball")}
    ),
    st.sampled_from(["fixed", "hinge", "universal", "ball", None]),
    NUMBERS,
    TRIPLES,
    POSITIVE,
    st.integers(1, 10**9),
    st.sampled_from(["clear", "close", "no motion"]),
)
HINGES = st.builds(Hinge, TRIPLES, TRIPLES, st.sampled_from(["rotateX"]), ANGLES, ANGLES, ANGLES)
LOCKED = st.fixed_dictionaries({"rotateY": ANGLES, "rotateZ": ANGLES})
CANDIDATES = st.builds(HingeCandidate, HINGES, LOCKED, POSITIVE, POSITIVE, MAYBE_TEXT, SPANS)
JOINTS = st.builds(
    JointLimit,
    type=st.sampled_from(["fixed", "hinge", "universal", "ball"]),
    parent=st.none() | TEXTS,
    evidence=EVIDENCE,
    orientation=st.builds(Orientation, st.sampled_from(["xyz", "zyx"]), TRIPLES, TRIPLES),
    limits=st.fixed_dictionaries({f"rotate{axis}": axis_limits() for axis in "XYZ"}),
    rest=POSES,
    remedies=st.dictionaries(TEXTS, st.none() | POSES, max_size=3),
    preferred_deg=TRIPLES,
    hinge=st.none() | HINGES,
    candidate=st.none() | CANDIDATES,
    universal=st.none() | st.builds(Universal, TRIPLES, TRIPLES),
    animated=st.booleans(),
    findings=st.lists(FINDINGS, max_size=2).map(tuple),
)
CLIPS = st.builds(
    ClipRecord, TEXTS, MAYBE_TEXT, MAYBE_TEXT, st.integers(1, 9), NUMBERS, NUMBERS, NUMBERS
)
OPTIONS = st.dictionaries(
    TEXTS, TEXTS | NUMBERS | st.booleans() | st.none() | st.lists(TEXTS), max_size=3
)
LIMIT_SETS = st.builds(
    LimitSet,
    character=TEXTS,
    joints=st.dictionaries(TEXTS, JOINTS, max_size=2),
    clips=st.lists(CLIPS, max_size=2).map(tuple),
    rest_source=TEXTS,
    options=OPTIONS,
    findings=st.lists(FINDINGS, max_size=2).map(tuple),
    program_version=TEXTS,
)


@pytest.mark.thorough
@given(LIMIT_SETS)
def test_there_and_back(made):
    check_there_and_back(made)


def check_there_and_back(made):
    """A set is the same after reading it, and follows the schema; returns its text."""
    text = made.to_json()
    again = LimitSet.from_json(text)
    assert again == made
    assert again.to_json() == text
    assert is_valid(text)
    return text


def test_a_file_written_before_there_were_candidates_has_none():
    data = json.loads(TEXT)
    for joint in data["joints"].values():
        del joint["candidate"]
    assert LimitSet.from_json(json.dumps(data)) == limit_set()


def test_names_of_the_promised_surface():
    data = json.loads(TEXT)
    assert data["format"] == "jointlimits.limit-set"
    assert data["version"] == 1
    assert data["joints"]["knee"]["type"] == "hinge"
    assert data["joints"]["knee"]["limits"]["rotateX"]["max_deg"] == 140.0
    limit = LimitSet.from_json(TEXT).joints["knee"].limits["rotateX"]
    assert (limit.state, limit.min_deg, limit.source.min.frame) == ("limited", 0.0, 3.0)


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["standard", "paper"])
def test_an_estimate_there_and_back(mode):
    options = EstimateOptions(mode=mode, pad_deg=1.5, limit_root=True, leave_out=())
    found = estimate(motion(), options)
    assert estimate(motion(), options).to_json() == check_there_and_back(found)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("path", "skeleton"),
    [
        ("cmu_asfamc/02/02_01.amc", "cmu_asfamc/02/02.asf"),
        ("cmu_bvh/131_01.bvh", None),
        ("cmu_bvh/10_03.bvh", None),
        ("other_bvh/test_mocapbank.bvh", None),
        ("geno/Geno_stance.bvh", None),
    ],
)
def test_real_clips_there_and_back(path, skeleton):
    bones = None if skeleton is None else read_asf(shared_path(f"data/mocap/{skeleton}"))
    clip = read_motion(shared_path(f"data/mocap/{path}"), bones)
    for mode in ("standard", "paper"):
        check_there_and_back(estimate(clip, EstimateOptions(mode=mode, limit_root=True)))


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (float("nan"), 1.0, "must be between .* not nan"),
        (0.0, float("inf"), "must be between .* not inf"),
        (-1e8, 1.0, "must be between .* not -100000000.0"),
        (5.0, 1.0, "min_deg 5 is above max_deg 1"),
        (None, None, "limited without min_deg and max_deg"),
    ],
)
def test_nothing_is_written_that_cannot_be_read(tmp_path, low, high, words):
    plain = limit_set().joints["knee"]
    knee = replace(plain, limits={**plain.limits, "rotateX": AxisLimit("limited", low, high)})
    made, path = limit_set(joints={"knee": knee}), tmp_path / "a.json"
    with pytest.raises(LimitSetError, match=f"rotateX.*{words}; nothing was written"):
        made.save(path)
    with pytest.raises(LimitSetError):
        made.to_json()
    assert not path.exists()


def test_what_is_too_large_to_read_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(document, "DEFAULT_LIMITS", budget(max_json_bytes=1000))
    with pytest.raises(LimitSetError, match="but only 1,000 can be read"):
        limit_set().save(tmp_path / "a.json")
    assert not list(tmp_path.iterdir())


# Errors that name the place -----------------------------------------------------------------------


def message(text):
    with pytest.raises(LimitSetError) as caught:
        LimitSet.from_json(text, "some.json")
    assert str(caught.value).startswith("some.json")
    assert len(str(caught.value)) < 400
    return str(caught.value)


KNEE = ("joints", "knee")
KNEE_X = (*KNEE, "limits", "rotateX")
TYPES = "must be one of fixed, hinge, universal, ball"


@pytest.mark.parametrize(
    ("path", "to", "expected"),
    [
        ((*KNEE, "type"), "hinged", f"joints.knee.type: {TYPES}, not 'hinged'"),
        ((*KNEE, "type"), 3, f"joints.knee.type: {TYPES}, not 3"),
        ((*KNEE_X, "min_deg"), "0", "rotateX.min_deg: expected number or null"),
        ((*KNEE_X, "state"), None, "limits.rotateX: 'state' is missing"),
        ((*KNEE, "limits", "rotateZ"), None, "joints.knee.limits: 'rotateZ' is missing"),
        ((*KNEE_X, "max_deg"), -5, "min_deg 0 is above max_deg -5"),
        (("joints", "hip", "rest"), {}, "joints.hip.rest: 'rotate_deg' is missing"),
        (("joints", "hip", "rest", "rotate_deg"), [1, 2], "rotate_deg: expected 3 items, found 2"),
        (("joints", "hip", "colour"), 1, "joints.hip.colour: unknown field"),
        (("joints", "hip", "findings", 0, "frame_ranges", 1), [1], "findings[0].frame_ranges[1]"),
        (("clips", 0, "frames"), 0, "clips[0].frames: must be at least 1, not 0"),
        (("clips", 0, "frames"), True, "clips[0].frames: expected integer"),
        (("clips",), None, "document: 'clips' is missing"),
        (("format",), "other", "format: expected 'jointlimits.limit-set', found 'other'"),
        (("version",), 2, "version: expected 1, found 2"),
        (("version",), True, "version: expected 1, found True"),
        (("options",), {"a": {"b": 1}}, "options.a: expected string or number"),
        (("joints",), [], "joints: expected object"),
    ],
)
def test_the_place_of_what_is_wrong(path, to, expected):
    assert expected in message(with_value(path, to))


@pytest.mark.parametrize(
    "word",
    ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 301, "1" * 5000, "-" + "7" * 10**6],
)
def test_numbers_that_are_none(word):
    text = TEXT.replace('"max_deg": 140.0', f'"max_deg": {word}', 1)
    assert text != TEXT
    assert "is not a valid number in a limit set" in message(text)


@pytest.mark.thorough
def test_keys_that_are_there_twice():
    text = TEXT.replace('"format"', '"format": "jointlimits.limit-set", "format"', 1)
    assert "duplicate name 'format'" in message(text)
    many = "{" + ",".join(f'"{n}": 0' for n in range(200_000)) + ',"7": 0}'
    assert "duplicate name '7'" in message(many)


@pytest.mark.parametrize(("open_", "close"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("depth", [100, 900, 5_000, 100_000, 1_000_000])
def test_nested_without_end(open_, close, depth):
    assert message(open_ * depth)
    assert message(open_ * depth + "0" + close * depth)
    inside = TEXT.replace(
        '"character": "person"', '"character": ' + open_ * depth + "0" + close * depth
    )
    assert inside != TEXT
    assert message(inside)
    options = TEXT.replace('"pad_deg": 0.0', '"pad_deg": ' + open_ * depth + "0" + close * depth)
    assert options != TEXT
    assert message(options)


def test_line_and_column():
    with pytest.raises(LimitSetError) as caught:
        LimitSet.from_json('{\n "format": oops}', "a.json")
    assert (caught.value.line, caught.value.column) == (2, 12)
    assert str(caught.value).startswith("a.json:2:12: not valid JSON")


@pytest.mark.thorough
@given(st.text(max_size=30) | st.binary(max_size=30).map(lambda b: b.decode("latin-1")))
def test_any_text(text):
    with pytest.raises(LimitSetError):
        LimitSet.from_json(text)


@pytest.mark.thorough
@given(st.recursive(NUMBERS | TEXTS | st.none(), lambda x: st.lists(x) | st.dictionaries(TEXTS, x)))
def test_any_json(data):
    with pytest.raises(LimitSetError):
        LimitSet.from_json(json.dumps(data))


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"\x00" * 50, bytes(range(256)), b"BVH"])
def test_files_of_another_kind(tmp_path, data):
    path = tmp_path / "x.limits.json"
    path.write_bytes(data)
    with pytest.raises(LimitSetError, match=r"x\.limits\.json"):
        read_limit_set(path)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(LimitSetError, match=r"none\.json: file not found"):
        read_limit_set(tmp_path / "none.json")
    with pytest.raises(LimitSetError, match=r"is a directory; choose a \.limits\.json"):
        read_limit_set(tmp_path)
    with pytest.raises(LimitSetError, match="cannot be read"):
        read_limit_set(tmp_path / ("x" * 5000))


def test_a_file_that_is_too_large(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.truncate(300 << 20)
    with pytest.raises(LimitSetError, match="300 MB, more than 256 MB, the maximum"):
        read_limit_set(path)
    path.write_bytes(b" " * 301)
    with pytest.raises(LimitSetError, match="301 bytes, more than 300 bytes"):
        read_limit_set(path, budget(max_json_bytes=300))


def test_a_set_and_its_joints_are_mappings_that_show_themselves():
    made = limit_set()
    assert list(made) == ["root", "knee", "ankle", "hip", "tail"]
    assert len(made) == 5
    assert bool(made)
    assert bool(replace(made, joints={}))
    assert "knee" in made
    assert "nose" not in made
    knee = made["knee"]
    assert (list(knee), len(knee), knee["rotateX"].width_deg) == (list(CHANNELS), 3, 140.0)
    assert made["hip"]["rotateZ"].width_deg == 60.0
    assert (knee["rotateX"].is_limited, made["root"]["rotateX"].is_limited) == (True, False)
    assert made["root"]["rotateX"].width_deg == 0.0
    assert AxisLimit("limited", min_deg=3.0).width_deg == 0.0
    assert AxisLimit("limited", max_deg=3.0).width_deg == 0.0
    assert repr(AxisLimit("limited", max_deg=3.0)) == "AxisLimit(limited, ..3.0)"
    assert repr(knee) == (
        "JointLimit(hinge: rotateX (limited, 0.0..140.0), rotateY (locked, 0.0..0.0), "
        "rotateZ (locked, 0.0..0.0))"
    )
    assert repr(made["root"]["rotateX"]) == "AxisLimit(free)"
    assert repr(made) == "LimitSet('person', 5 joints from 1 clip)"
    table = made._repr_html_()
    head = "<table><caption>LimitSet(&#x27;person&#x27;, 5 joints from 1 clip)</caption>"
    assert table.startswith(f"{head}<tr><th>root</th><td>ball</td><td>free</td><td>free</td>")
    assert (
        "<th>knee</th><td>hinge</td><td>limited, 0.0..140.0</td><td>locked, 0.0..0.0</td>" in table
    )
    with pytest.raises(KeyError, match=r"no joint 'kne'.*knee"):
        made["kne"]
    with pytest.raises(KeyError, match="person has root, knee, ankle, hip, tail"):
        made["zzzzzz"]
    away = RestPose((1.0, 2.0, 3.0), False, 4.0)
    near = RestPose((7.0, 8.0, 9.0), True, 0.0)
    assert preferred_pose(away, {"a": None, "b": away, "c": near}) == (7.0, 8.0, 9.0)
    assert preferred_pose(away, {"a": None, "b": away}) == (1.0, 2.0, 3.0)
