"""The cloud of a hinge shows the hinge's axis, and the motion along it."""

from __future__ import annotations

import pytest
from jointlimits_maya.ui.toolkit.palette import colours_of
from jointlimits_maya.ui.toolkit.qt import QtGui

from tests.support.window_hand import Hand


def pixels_like(image, colour):
    """How many pixels have a colour, but for the smoothing of edges."""
    wanted = QtGui.QColor(colour)
    found = 0
    for y in range(image.height()):
        for x in range(image.width()):
            pixel = image.pixelColor(x, y)
            pairs = zip(pixel.getRgb()[:3], wanted.getRgb()[:3])
            found += max(abs(one - other) for one, other in pairs) < 24
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(("joint", "least", "most"), [("LeftForeArm", 300, 1e9), ("spine", 0, 0)])
def test_a_hinge_has_its_axis_in_the_cloud_and_others_have_none(full, qtbot, joint, least, most):
    Hand(full, qtbot).click_joint(joint)
    cloud = full.parts.pictures.cloud.cloud
    assert cloud.isVisible()
    image = cloud.grab().toImage()
    assert least <= pixels_like(image, colours_of(cloud).gap) <= most


@pytest.mark.thorough
def test_the_samples_of_a_hinge_are_not_hidden_by_its_axis(full, qtbot):
    """Along the axis there is the colour of the clips, not only that of the band."""
    Hand(full, qtbot).click_joint("LeftForeArm")
    cloud = full.parts.pictures.cloud.cloud
    image, stage = cloud.grab().toImage(), cloud.stage
    low, high = stage.project(cloud._axes[0])[:, :2]
    gap = colours_of(cloud).gap
    seen = set()
    for share in range(10, 91):
        x, y = low + (high - low) * share / 100.0
        seen.add(image.pixelColor(round(x), round(y)).name())
    assert seen - {gap.lower()}, "nothing but the axis"
