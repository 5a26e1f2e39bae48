"""Plain data of shapes: every kind goes through, and what is wrong is refused with its place."""

from __future__ import annotations

import copy
import json
import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import EstimationError, LimitSetError
from jointlimits_core.geometry.quaternion import normalize, quaternion_from_rotation_vector
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.shapes import hull, validation
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import FITS, REGIONS, TYPED, fit_shape, shape_from_dict
from jointlimits_core.shapes.scalar_joint import compact_text, project_from_text
from tests.support.limit_set_examples import limit_set

ANYWHERE = normalize(np.random.default_rng(5).normal(size=(12, 4)))
DELETED = object()


@cache
def fitted(kind):
    random = np.random.default_rng(0)
    vectors = random.normal(size=(150, 3)) * [0.5, 0.3, 0.2]
    options = FitOptions()
    if kind == "swing-twist":
        kind, options = "hull", FitOptions(coordinates="swing-twist")
    if kind == "point":
        kind, vectors = "hull", np.zeros((5, 3))
    shape = fit_shape(kind, quaternion_from_rotation_vector(vectors), options, [0.0, 0.6, 0.8])
    return json.dumps(shape.to_dict())


KINDS = [*FITS, *TYPED, "swing-twist", "point"]


def data_of(kind):
    return json.loads(fitted(kind))


def changed(kind, path, value):
    data = data_of(kind)
    *way, last = path.split(".")
    place = data
    for name in way:
        place = place[int(name) if name.isdigit() else name]
    if value is DELETED:
        del place[last]
    else:
        place[int(last) if last.isdigit() else last] = value
    return data


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_comes_back_from_its_data(kind):
    data = data_of(kind)
    assert not list(validation.shape_problems(data))
    assert shape_from_dict(data).to_dict() == data
    turned = (0.0, 0.6, 0.0, 0.8)
    projected = project_from_text(compact_text(data))(turned)
    np.testing.assert_allclose(projected, shape_from_dict(data).project(turned), atol=1e-6)


def test_every_kind_that_is_read_is_checked():
    assert set(validation.REGION_FORMS) == set(REGIONS)
    assert {data_of(kind)["coordinates"]["kind"] for kind in KINDS} == set(validation.CHART_FORMS)
    assert {data_of(kind)["region"]["kind"] for kind in KINDS} == set(REGIONS)


EYE = np.eye(3).tolist()
NAN = float("nan")
REGION_KINDS = ", ".join(validation.REGION_FORMS)
CHART_KINDS = ", ".join(validation.CHART_FORMS)
MUTATIONS = [
    ("box", "region.kind", "blob", f"region.kind: must be one of {REGION_KINDS}, not 'blob'"),
    ("box", "region.kind", ["box"], f"region.kind: must be one of {REGION_KINDS}, not an array"),
    ("box", "region.kind", DELETED, f"region.kind: must be one of {REGION_KINDS}, not None"),
    (
        "box",
        "coordinates.kind",
        "zzz",
        f"coordinates.kind: must be one of {CHART_KINDS}, not 'zzz'",
    ),
    ("box", "kind", "hull", "kind: must be 'box' like the region's, not 'hull'"),
    ("box", "more", 1, "more: unknown field"),
    ("box", "region", DELETED, "shape: 'region' is missing"),
    ("box", "region", 3, "region: expected an object, found 3"),
    ("box", "region.more", 1, "region.more: unknown field"),
    ("box", "coordinates.centre", ["nan"] * 4, "coordinates.centre[0]: expected a number"),
    ("box", "coordinates.centre", [0.0] * 5, "coordinates.centre: expected 4 items, found 5"),
    ("box", "coordinates.centre", [], "coordinates.centre: expected 4 items, found 0"),
    ("box", "coordinates.centre", [0.0] * 4, "coordinates.centre: must have length 1, not 0"),
    ("box", "coordinates.centre", [True, 0, 0, 0], "coordinates.centre[0]: expected a number"),
    ("box", "coordinates.centre", None, "coordinates.centre: expected an array, found None"),
    ("box", "coordinates.centre", [0] * 100_000, "expected 4 items, found 100000"),
    ("swing-twist", "coordinates.axis", [0, 0, 0], "coordinates.axis: must have length 1, not 0"),
    ("swing-twist", "coordinates.axis", DELETED, "coordinates: 'axis' is missing"),
    (
        "universal",
        "coordinates.inner",
        [1, 0, 0],
        "coordinates.inner: must be perpendicular to outer",
    ),
    ("box", "region.low", [NAN, 0, 0], "region.low[0]: must be between -100 and 100, not nan"),
    ("box", "region.low", [10**400, 0, 0], "must be between -100 and 100"),
    ("box", "region.high", [-9, 9, 9], "region.high[0]: must be at least low[0], -1.75844, not -9"),
    ("obb", "region.axes", [[0, 0, 0]] * 3, "region.axes[0]: must have length 1, not 0"),
    ("obb", "region.axes", [[1, 0, 0]] * 3, "region.axes[1]: must be perpendicular to axes[0]"),
    (
        "ellipsoid",
        "region.radii",
        [-1, 1, 1],
        "region.radii[0]: must be between 1e-09 and 100, not -1",
    ),
    ("ellipsoid", "region.axes", EYE[:2], "region.axes: expected 3 items, found 2"),
    ("hull", "region.offsets_rad", [0.0] * 80, "region.offsets_rad: the region is empty"),
    ("hull", "region.offsets_rad", [-0.3] * 80, "region.offsets_rad: the region is empty"),
    ("hull", "region.offsets_rad", [0.3] * 77, "region.offsets_rad: expected 80 items, as in d"),
    ("hull", "region.directions.7", [0, 0, 2], "region.directions[7]: must have length 1, not 2"),
    ("hull", "region.directions.7", [0, 1], "region.directions[7]: expected 3 items, found 2"),
    ("hull", "region.directions.7.1", "x", "region.directions[7]: expected a number, found 'x'"),
    ("hull", "region.directions", [[1, 0, 0]] * 5000, "expected 4 to 1024 items, found 5000"),
    ("hull", "region.directions", [[1, 0, 0]] * 80, "the region is unbounded"),
    ("hull", "region.directions", [[1, 0, 0], [-1, 0, 0]] * 40, "the region is unbounded"),
    ("hinge", "region.corners", [[0], [1], [2]], "corners: expected at most 2, found 3"),
    ("kdop", "region.offsets_rad", DELETED, "region: 'offsets_rad' is missing"),
    ("wrap", "region.pad_rad", -1.0, "region.pad_rad: must be between 0 and 100, not -1.0"),
    ("wrap", "region.samples_rad", [], "region.samples_rad: expected 1 to 256 items, found 0"),
    ("wrap", "region.samples_rad.3", [5, 0, 0], "a sample is outside the face"),
    ("implicit", "region.level", 1e5, "region.level: the region is empty"),
    ("implicit", "region.stickiness_per_rad", 0.0, "region.stickiness_per_rad: must be between"),
    ("implicit", "region.radii_rad", [1.0], "items, as in centres_rad, found 1"),
    ("hinge", "region.radius", -5, "region.radius: must be between 0 and 100, not -5"),
    ("hinge", "region.slack", "nan", "region.slack: expected a number, found 'nan'"),
    ("hinge", "region.axes", EYE, "region.axes: expected 0 to 2 items, found 3"),
    ("hinge", "region.corners", [], "region.corners: expected 1 to 8192 items, found 0"),
    ("hinge", "region.corners", [[[1]]], "region.corners[0]: expected a number, found an array"),
    ("hinge", "region.corners", [[0, 1]], "corners[0]: expected 1 numbers, one per axis, found 2"),
    ("universal", "region.corners", [[0, 0], [0, 1], [1, 0]], "must be a convex polygon"),
    (
        "universal",
        "region.corners",
        [[0, 0], [1, 0], [0.1, 0.1], [0, 1]],
        "must be a convex polygon",
    ),
]


@pytest.mark.parametrize(("kind", "path", "value", "expected"), MUTATIONS)
def test_what_is_wrong_is_named_with_its_place(kind, path, value, expected):
    data = changed(kind, path, value)
    assert expected in "; ".join(validation.shape_problems(data))
    with pytest.raises(ValueError, match=re.escape(expected)):
        shape_from_dict(data)
    # The text of a node, and the file.
    text = json.dumps(data)
    with pytest.raises(ValueError, match=re.escape(expected) if value != [NAN, 0, 0] else "NaN"):
        project_from_text(text)


def test_numbers_of_other_types_and_corners_in_one_point_are_fine():
    assert not list(validation.shape_problems(changed("box", "region.low.0", np.float64(-2.0))))
    corners = [[0.0, 0.0], [0.0, 0.0], [0.1, 0.0]]
    assert not list(validation.shape_problems(changed("universal", "region.corners", corners)))


def test_every_problem_of_a_shape_is_listed():
    found = list(validation.shape_problems(changed("wrap", "region.directions", [[1, 0, 0]] * 80)))
    assert "a sample is outside the face" in found[0]
    assert found[-1].endswith("the region is unbounded")


def test_what_json_has_no_word_for_is_no_text_of_a_shape():
    with pytest.raises(ValueError, match="not a valid shape"):
        compact_text({"low": object()})


@pytest.mark.parametrize("given_", [None, 3, "x", [1], [], True])
def test_what_is_no_object_is_no_shape(given_):
    with pytest.raises(ValueError, match="shape: expected an object"):
        shape_from_dict(given_)
    assert len(list(validation.shape_problems(given_))) == 1


# Files --------------------------------------------------------------------------------------------


def document(data):
    """A limit set whose first joint has a shape, as a document."""
    whole = json.loads(limit_set().to_json())
    name = next(iter(whole["joints"]))
    beside = {"kind": "hull", "pad_deg": 3.0, "freedom": 0.1, "samples": 9, "trimmed": 0}
    whole["joints"][name]["coupled"] = {**beside, **data}
    return name, json.dumps(whole)


def test_a_limit_set_is_read_with_its_shape():
    name, text = document(data_of("hull"))
    coupled = LimitSet.from_json(text).joints[name].coupled
    assert coupled.region == data_of("hull")["region"]


@pytest.mark.parametrize(
    ("kind", "path", "value", "expected"),
    [
        ("hull", "region.offsets_rad", [-0.3] * 80, "region.offsets_rad: the region is empty"),
        ("hull", "kind", "box", "kind: must be 'hull' like the region's, not 'box'"),
        ("hinge", "region.radius", -5, "region.radius: must be between 0 and 100, not -5"),
        ("box", "coordinates.centre", [0.0] * 4, "coordinates.centre: must have length 1, not 0"),
    ],
)
def test_a_file_with_a_shape_of_no_use_is_refused_with_its_place(kind, path, value, expected):
    name, text = document(changed(kind, path, value))
    with pytest.raises(LimitSetError) as error:
        LimitSet.from_json(text, "arm.limits.json")
    message = str(error.value)
    assert message.startswith("arm.limits.json: ")
    assert f"joints.{name}.coupled.{expected}" in message
    assert message.endswith("fit the shapes again (jointlimits fit)")


# Any mutation at all ------------------------------------------------------------------------------

LEAVES = st.one_of(
    st.floats(-1e3, 1e3),
    st.floats(),
    st.integers(-5, 5),
    st.booleans(),
    st.none(),
    st.text(max_size=3),
    st.just(10**400),
    st.lists(st.floats(-2.0, 2.0), max_size=4),
    st.lists(st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=3), max_size=5),
    st.sampled_from([*validation.REGION_FORMS, *validation.CHART_FORMS]),
)


def mutate(choose, data):
    """Change, remove, double or scale a part that is chosen by walking down."""
    place = data
    while True:
        names = list(place) if isinstance(place, dict) else range(len(place))
        if not names:
            return
        name = choose(st.sampled_from(names))
        if isinstance(place[name], (dict, list)) and choose(st.integers(0, 3)):
            place = place[name]
            continue
        how = choose(st.sampled_from(["other", "scaled", "gone", "twice"]))
        if how == "gone":
            del place[name]
        elif how == "twice" and isinstance(place, list):
            place.append(copy.deepcopy(place[name]))
        elif how == "scaled":
            place[name] = scaled(place[name], choose(st.sampled_from([0.0, -1.0, 1e-9, 0.5, 30.0])))
        else:
            place[name] = choose(LEAVES)
        return


def scaled(value, by):
    if isinstance(value, list):
        return [scaled(one, by) for one in value]
    return value * by if isinstance(value, float) else value


@pytest.mark.thorough
@settings(max_examples=250, deadline=None)
@given(st.data())
def test_any_change_is_refused_or_leaves_a_shape_that_can_be_used(data):
    plain = data_of(data.draw(st.sampled_from(KINDS)))
    for _ in range(data.draw(st.integers(1, 2))):
        mutate(data.draw, plain)
    try:
        shape = shape_from_dict(plain)
    except ValueError as error:
        assert str(error).startswith("not a valid shape: ")  # noqa: PT017
        with pytest.raises(ValueError, match=r"not a valid shape: |Out of range"):
            project_from_text(compact_text(plain))
        return
    projected = shape.project(ANYWHERE)
    assert np.isfinite(projected).all()
    assert np.abs(np.linalg.norm(projected, axis=1) - 1.0).max() < 1e-6
    project = project_from_text(compact_text(plain))
    for q in ANYWHERE.tolist():
        assert np.isfinite(project(tuple(q))).all()


# Half-spaces --------------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(4, 30), st.floats(-0.5, 1.0))
def test_half_spaces_are_judged_as_a_linear_program_does(seed, count, least):
    optimize = pytest.importorskip("scipy.optimize")
    random = np.random.default_rng(seed)
    directions = random.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    offsets = random.uniform(least, 1.0, size=count)
    walls = list(zip(directions.tolist(), offsets.tolist()))
    for goal in ((1.0, 0.0, 0.0), (0.3, -0.5, 0.8)):
        found = validation.highest_point(goal, walls, 50.0)
        best = optimize.linprog([-g for g in goal], directions, offsets, bounds=[(-50, 50)] * 3)
        assert (found is None) == (best.status == 2)
        if found is not None:
            assert np.dot(goal, found) == pytest.approx(-best.fun, abs=1e-7)


def test_a_cube_away_from_the_origin_is_a_space_and_a_plane_is_none():
    ways, corner = [*EYE, *(-np.eye(3)).tolist()], [*EYE, [-(3**-0.5)] * 3]
    empty, open_ = ["offsets_rad: the region is empty"], ["offsets_rad: the region is unbounded"]
    assert not list(validation.space_problems(ways, [3, 3, 3, -2, -2, -2]))
    assert list(validation.space_problems(ways, [3, 3, 3, -3, -2, -2])) == empty
    assert list(validation.space_problems(ways, [3, 3, 3, -4, -2, -2])) == empty
    assert list(validation.space_problems(ways[:5], [1] * 5)) == open_
    assert not list(validation.space_problems(corner, [1, 1, 1, 1]))


def test_a_fit_that_could_not_be_read_again_is_refused(monkeypatch):
    monkeypatch.setattr(hull, "DIRECTION_COUNT", 600)
    ball = normalize(np.random.default_rng(1).normal(size=(700, 3)))
    rotations = quaternion_from_rotation_vector(0.7 * ball)
    with pytest.raises(EstimationError, match=r"'hull' cannot be used .* 4 to 1024 items"):
        fit_shape("hull", rotations)
