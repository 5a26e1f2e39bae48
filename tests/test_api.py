"""Public functions: paths or objects, options as keywords, errors with the argument's name."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

import jointlimits_core as jl
from jointlimits_core import api
from jointlimits_core.api import ExportKeywords, FitKeywords
from jointlimits_core.base.options import option
from jointlimits_core.estimation.options import EstimateKeywords
from jointlimits_core.exporters.formats import ExportOptions

ROOT = Path(__file__).resolve().parents[1]
BVH, SCENE = (ROOT / "examples" / f"humanoid_rom.{ending}" for ending in ("bvh", "ma"))


@pytest.fixture(scope="module")
def limits():
    return jl.estimate(BVH)


def test_an_option_of_an_earlier_version_says_what_to_do():
    with pytest.raises(TypeError, match="no option 'unlimited_gap_deg'; a channel is free if"):
        jl.estimate(BVH, unlimited_gap_deg=20.0)


def test_paths_and_objects_are_the_same(tmp_path, limits):
    motion = jl.read(BVH)
    assert jl.estimate(motion) == jl.estimate([str(BVH)]) == limits
    path = tmp_path / "hero.limits.json"
    jl.write_limit_set(limits, path)
    assert jl.check(path, BVH).passed
    assert jl.check(limits, [motion, BVH]).passed
    assert jl.diff(limits, path).equal


def test_options_are_keywords(limits):
    wider = jl.estimate(BVH, pad_deg=2.0)
    assert wider == jl.estimate(BVH, jl.EstimateOptions(pad_deg=2.0))
    assert not jl.diff(limits, wider).equal
    both = jl.merge([limits, wider])
    bend, wide = (one.joints["LeftElbow"].limits["rotateZ"] for one in (both, wider))
    assert (bend.min_deg, bend.max_deg) == (wide.min_deg, wide.max_deg)
    assert not jl.check(jl.estimate(jl.read(BVH).keep_frames(range(400))), BVH).passed


@pytest.mark.thorough
def test_shapes_are_fitted(limits):
    found = jl.fit(BVH, "obb", joints="Left*", shape_pad_deg=1.0)
    shoulder = found.joints["LeftShoulder"].coupled
    assert (shoulder.kind, shoulder.pad_deg) == ("obb", 1.0)


def test_a_scene_and_other_programs(tmp_path, limits):
    report = jl.apply(limits, SCENE, tmp_path / "limited.ma")
    assert report.written
    assert jl.export(limits, tmp_path / "hero.csv")
    losses = jl.export(limits, tmp_path / "hero.xml", motion=BVH)
    assert jl.export(limits, tmp_path / "read.xml", motion=jl.read(BVH)) == losses
    assert (tmp_path / "read.xml").read_bytes() == (tmp_path / "hero.xml").read_bytes()
    assert losses
    assert "<mujoco" in (tmp_path / "hero.xml").read_text()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda out, _: jl.estimate(BVH, pda_deg=2), TypeError, "'pda_deg'; did you mean pad_deg?"),
        (lambda out, _: jl.estimate(BVH, pad_deg=-1), ValueError, "pad_deg must be"),
        (lambda out, _: jl.estimate("gone.bvh"), jl.InputError, "gone.bvh"),
        (lambda out, _: jl.estimate([]), jl.EstimationError, "no motion"),
        (lambda out, one: jl.merge([one]), ValueError, "limits must be at least two limit sets"),
        (lambda out, one: jl.export(one, out / "a.xyz"), ValueError, "xyz must end with .csv, .py"),
        (lambda out, one: jl.export(one, out / "a.csv", "xls"), ValueError, "to must be one of"),
        (lambda out, one: jl.export(one, out / "a.xml", motion=3), TypeError, "motion must be a"),
        (lambda out, one: jl.export(one, out / "a.xml", skeleton=3), TypeError, "skeleton must"),
        (
            lambda out, one: jl.export(one, out / "a.csv", locke="x"),
            ValueError,
            "no option 'locke'",
        ),
        (lambda out, one: jl.check("gone.json", BVH), jl.InputError, "gone.json"),
    ],
)
def test_errors_name_the_argument(tmp_path, limits, call, error, words):
    with pytest.raises(error, match=words.replace("?", r"\?")):
        call(tmp_path, limits)


def test_nothing_but_what_is_promised_is_listed():
    assert {*dir(jl), "__version__"} == set(jl.__all__)


def test_a_limit_set_is_a_mapping_of_joints(tmp_path, limits):
    assert len(limits) == len(list(limits)) == len(limits.joints)
    assert "LeftElbow" in limits
    bend = limits["LeftElbow"]["rotateZ"]
    assert (bend.is_limited, bend.width_deg) == (True, pytest.approx(58.6488))
    with pytest.raises(KeyError, match="no joint 'LeftElbw'; did you mean LeftElbow"):
        limits["LeftElbw"]
    limits.save(tmp_path / "hero.limits.json")
    assert jl.LimitSet.load(tmp_path / "hero.limits.json") == limits


def test_what_is_shown_of_it_is_short(limits):
    assert repr(limits) == "LimitSet('humanoid_rom', 21 joints from 1 clip)"
    assert repr(limits["LeftElbow"]["rotateZ"]) == "AxisLimit(limited, 0.0..58.6)"
    assert repr(limits["LeftElbow"]).startswith("JointLimit(hinge: rotateX (limited, ")
    assert "<th>LeftElbow</th><td>hinge</td>" in limits._repr_html_()
    assert list(limits["LeftElbow"]) == ["rotateX", "rotateY", "rotateZ"]
    with pytest.raises(TypeError, match="motions must hold motions or paths, not 5"):
        jl.estimate(5)
    assert repr(jl.read(BVH)) == "Motion('humanoid_rom', 21 joints, 1821 frames at 30 Hz)"


@pytest.mark.skipif(sys.version_info < (3, 10), reason="Python 3.9 cannot evaluate A | B")
@pytest.mark.parametrize("keywords", [EstimateKeywords, FitKeywords, ExportKeywords])
def test_type_checkers_know_the_keywords_and_their_choices(keywords):
    for name, hint in get_type_hints(keywords).items():
        words = get_args(hint) if get_origin(hint) is Literal else ()
        assert words == option(name).choices, name


def test_the_keywords_are_the_options():
    estimate = [one.name for one in fields(jl.EstimateOptions)]
    assert list(EstimateKeywords.__annotations__) == estimate
    export = [one.name for one in fields(ExportOptions) if one.name != "ending"]
    assert list(ExportKeywords.__annotations__) == export
    assert get_args(api.validation.ShapeName) == option("shape").choices
