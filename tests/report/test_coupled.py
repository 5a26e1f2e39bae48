"""Coupled limits and dependencies on the page."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from jointlimits_core.estimation.coupled import with_coupled_limits
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.records import Dependency
from jointlimits_core.motion.motion import Motion
from jointlimits_core.report.figures.samples import mean_rotation, relative_rotation_vectors
from jointlimits_core.report.figures.space import shape_surface
from jointlimits_core.report.html.joint_section import dependencies_section
from jointlimits_core.report.html.words import coupled_words
from tests.support.house_files import ROOT


class Example(NamedTuple):
    """A motion, its limits without and with shapes, and a ball joint that has one."""

    motion: Motion
    plain: LimitSet
    fitted: LimitSet
    ball: str


@pytest.fixture(scope="module")
def example():
    motion = read_motion(ROOT / "examples" / "humanoid_rom.bvh")
    plain = estimate(motion)
    fitted = with_coupled_limits(plain, [motion], "hull")
    ball = next(n for n, j in fitted.joints.items() if j.type == "ball" and j.coupled)
    return Example(motion, plain, fitted, ball)


@pytest.mark.thorough
def test_the_net_is_around_the_samples(example):
    rotations = example.motion.quaternion(example.ball)
    mean = mean_rotation(rotations)
    net = shape_surface(example.fitted.joints[example.ball].coupled, mean)[1].reshape(-1, 3)
    points = relative_rotation_vectors(rotations, mean)
    assert (net.max(axis=0) > points.max(axis=0)).all()
    assert (net.min(axis=0) < points.min(axis=0)).all()
    # The samples reach the boundary but for the padding.
    gap = np.linalg.norm(net[:, None] - points[None, ::5], axis=-1).min()
    assert gap < example.fitted.joints[example.ball].coupled.pad_deg + 1.0


@pytest.mark.thorough
def test_no_words_without_a_shape_or_for_a_hinge(example):
    hinge = next(n for n, j in example.fitted.joints.items() if j.hinge and j.coupled)
    for joint in (example.plain.joints[example.ball], example.fitted.joints[hinge]):
        assert coupled_words(joint) == ""


@pytest.mark.thorough
def test_words_of_the_net(example):
    words = coupled_words(example.fitted.joints[example.ball])
    assert words.startswith("The net is its coupled limit (hull, 3° beyond the samples): ")
    assert words.endswith(" % of all rotations. ")


def test_dependencies_are_escaped_and_listed(example):
    assert dependencies_section(example.plain) is None
    tie = Dependency(
        "<hand>", "rotateX", "elbow", "rotateX", ((0.0, 0.0), (90.0, 0.0), (90.0, 9.0)), 0.4, 1.0, 2
    )
    both = (tie, replace(tie, joint="thumb"))
    html = str(dependencies_section(replace(example.plain, dependencies=both)))
    assert html.count("<li>") == 2
    assert "<hand>" not in html
    assert "&lt;hand&gt;" in html


@pytest.mark.thorough
def test_the_whole_page_has_both(example, tmp_path):
    from jointlimits_core.report.limits_report import write_report

    tie = Dependency(
        example.ball,
        "rotateX",
        example.ball,
        "rotateY",
        ((0.0, 0.0), (90.0, 0.0), (90.0, 9.0)),
        0.4,
        None,
        1,
    )
    alone = replace(
        example.fitted,
        joints={example.ball: example.fitted.joints[example.ball]},
        dependencies=(tie,),
    )
    write_report(alone, [example.motion], tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Channels that limit each other" in text
    assert "The net is its coupled limit" in text
