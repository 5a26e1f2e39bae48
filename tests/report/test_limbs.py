"""Volume of a figure: limbs that taper outwards, and outlines that hold their discs."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.report.figures import limbs
from jointlimits_core.report.figures.character import character_of
from jointlimits_core.report.figures.view import Stage, View, half_that_fits
from tests.support.evaluation_examples import chain
from tests.support.made_pages import EXAMPLES


@pytest.fixture(scope="module")
def person():
    return character_of(read_motion(EXAMPLES / "humanoid_rom.ma"))


def test_limbs_taper_outwards_and_have_a_head_hands_and_feet(person):
    made, names = limbs.limbs_of(person), person.motion.joint_names
    near = {names[joint]: pair for joint, pair in zip(made.joints, made.radii)}
    order = ["Spine", "LeftHip", "LeftKnee", "LeftAnkle"]
    assert sorted(order, key=lambda name: -near[name][0]) == order
    between = np.isnan(made.along[:, 0])
    assert (made.radii[between, 0] >= made.radii[between, 1] - 1e-9).mean() > 0.8
    assert {names[joint] for joint in made.joints[~between]} == {"Head", "LeftWrist", "RightWrist"}
    ends = made.ends(person.pose().places)
    assert np.isfinite(ends).all()
    assert ends[~between][:, 1, 1].max() == ends[..., 1].max(), "the head is the highest"


def test_a_rope_is_not_thicker_than_its_bones_are_long():
    rope = character_of(chain({f"bone{at}": np.zeros((2, 3)) for at in range(300)}, length=2.0))
    assert 0.0 < limbs.limbs_of(rope).radii.max() < 2.0


@pytest.mark.parametrize("radii", [(9.0, 3.0), (3.0, 9.0), (5.0, 5.0)])
def test_corners_of_outlines_are_on_either_disc_and_in_no_other(radii):
    ends, pair = np.array([[[10.0, 20.0], [40.0, 60.0]]]), np.array([radii])
    outline = limbs.outlines(ends, pair)[0]
    away = np.linalg.norm(outline[:, None] - ends[0], axis=-1) - pair
    assert np.abs(away.min(axis=1)).max() < 1e-9


def test_a_disc_within_the_other_adds_nothing():
    outline = limbs.outlines(np.array([[[0.0, 0.0], [5.0, 0.0]]]), np.array([[60.0, 2.0]]))[0]
    away = np.linalg.norm(outline, axis=-1)
    assert away.max() == pytest.approx(60.0)
    assert (away > 59.9).sum() >= limbs.CAP_CORNERS


def test_the_lit_side_is_the_one_towards_the_light():
    ends = np.array(
        [[[0.0, 0.0], [0.0, 50.0]], [[0.0, 0.0], [50.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]]]
    )
    dark, *_, lit = limbs.lit_outlines(ends, np.full((3, 2), 4.0)).mean(axis=2)
    assert ((lit - dark) @ limbs.LIGHT > 0.0).all()


def test_lit_sides_stay_within_the_limb():
    ends, radii = np.array([[[10.0, 20.0], [40.0, 60.0]]]), np.array([[9.0, 5.0]])
    for outline in limbs.lit_outlines(ends, radii)[:, 0]:
        inside = np.linalg.norm(outline[:, None] - ends[0], axis=-1) <= radii[0] + 1e-9
        assert inside.any(axis=1).all()


def test_the_figure_fills_the_picture():
    size, margin = (300.0, 500.0), (20.0, 30.0)
    half = half_that_fits(size, margin, 1.0, 1.1)
    stage = Stage(View(0.0, 0.0), *size, (0.0, 0.0, 0.0), half)
    x, y, _ = stage.project(np.array([1.0, 1.1, 0.0]))
    assert x == pytest.approx(280.0)
    assert y > 30.0
