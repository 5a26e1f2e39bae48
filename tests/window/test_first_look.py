"""What a window shows first, and limits measured in paper mode in the list."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from jointlimits_maya.ui.joints.view import initial_joint
from jointlimits_maya.ui.plots.swing import SwingDisc

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from tests.support.ui_examples import walk, walk_limits


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["standard", "paper"])
def test_it_opens_on_the_joint_that_moves_most(window, mode):
    limits = estimate(walk(), EstimateOptions(mode=mode))
    window.document.open_set(limits)
    (first,) = window.selected
    spread = {name: joint.evidence.spread_deg[0] for name, joint in limits.joints.items()}
    with_limits = [
        name
        for name, joint in limits.joints.items()
        if joint.type != "fixed" and any(a.state == "limited" for a in joint.limits.values())
    ]
    assert first == max(with_limits, key=spread.__getitem__)


def test_no_joint_is_shown_of_a_set_without_joints():
    assert initial_joint(walk_limits()) is not None
    assert initial_joint(replace(walk_limits(), joints={})) is None


def test_a_joint_that_does_not_turn_has_no_bar_in_the_angles_of_the_publication(window):
    limits = estimate(walk(), EstimateOptions(mode="paper"))
    still = {"LeftArm": replace(limits.joints["LeftArm"], type="fixed")}
    limits = replace(limits, joints={**limits.joints, **still})
    window.document.open_set(limits)
    model = window.parts.joints.tree
    kinds = {name: joint.type for name, joint in limits.joints.items()}
    assert set(kinds.values()) > {"fixed"}
    for name, kind in kinds.items():
        line = model.item_of(name).line
        assert bool(line.lanes) is (kind != "fixed")
        assert (line.width_deg > 0.0) is (kind != "fixed")


def test_the_rest_pose_is_whole_on_the_disc(qtbot):
    disc = SwingDisc()
    qtbot.addWidget(disc)
    disc.resize(300, 340)
    disc.set_samples(np.array([[5.0, 0.0], [9.0, 3.0]]), np.zeros(2))
    disc.set_rest(-13.0, 0.0, 0.0)
    disc.show()
    layout = disc.layout_now
    assert layout.shows((-13.0, 0.0))
    image = disc.grab().toImage()
    ratio = image.width() / disc.width()
    x, y = layout.pixel((-13.0, 0.0))
    corners = [(x - 4, y), (x + 4, y), (x, y - 4), (x, y + 4)]
    hues = {image.pixelColor(round(a * ratio), round(b * ratio)).name() for a, b in corners}
    assert hues == {disc.colours.rest.lower()}
    disc.set_rest(80.0, 0.0, 0.0)
    assert not disc.layout_now.shows((80.0, 0.0)), "too far from the samples"
