"""Page and window show the same ranges and bands of a limit."""

from dataclasses import replace

import pytest
from jointlimits_maya.ui.joints.model import JointLine
from jointlimits_maya.ui.panels.axis import AxisPanel

from jointlimits_core.limits.limit_set import AxisLimit, AxisSource
from jointlimits_core.limits.vocabulary import band_stretches
from jointlimits_core.report.html.words import range_bar
from tests.support.limit_set_examples import FREE, joint
from tests.support.trusted_limits import bound_of


def banded(low, high, below, above):
    return AxisLimit(
        "limited",
        low,
        high,
        source=AxisSource(bound_of("seen", low, below), bound_of("open", high, above)),
    )


@pytest.mark.parametrize(
    ("axis", "stretches"),
    [
        (banded(-10.0, 20.0, (-15.0, -5.0), (19.0, 32.0)), ((-15.0, -10.0), (20.0, 32.0))),
        (banded(-150.0, 150.0, (-172.0, -140.0), (140.0, 205.0)), ((-172.0, -150.0),)),
        (banded(-150.0, 150.0, (-190.0, -140.0), (140.0, 188.0)), ()),
        (replace(banded(0.0, 0.0, (-1.0, 1.0), None), state="locked"), ()),
    ],
)
def test_bands_are_the_same_in_list_dial_and_page(qtbot, axis, stretches):
    made = joint("ball", (axis, FREE, FREE))
    panel = AxisPanel("rotateX")
    qtbot.addWidget(panel)
    panel.show_axis(axis, axis, 0.0, None)
    assert JointLine("neck", made, made).lanes[0].bands == stretches
    assert panel.dial.state.bands == band_stretches(axis) == stretches
    assert [kind for kind, *_ in range_bar(axis)["parts"]].count("band") == len(stretches)
