"""Shapes that are requested with an estimate: joints that get one, and rejected requests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.base.options import options_of
from jointlimits_core.estimation import coupled
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.limits.limit_set import AxisLimit
from tests.support.made_motion import clip, rotate, waves

FRAMES = 60
BALL = rotate(*waves((-40.0, 60.0), (-30.0, 25.0), (-20.0, 45.0), frames=FRAMES))
HINGE = rotate(x=waves((0.0, 80.0), frames=FRAMES)[0])
_X, _, _Z = waves((-40.0, 60.0), (-1.0, 1.0), (-20.0, 45.0), frames=FRAMES)
MOTION = clip({"ball": BALL, "hinge": HINGE, "two": rotate(x=_X, z=_Z), "still": HINGE * 0.0})
DEFAULTS = {
    item.name: item.default for group in coupled.SHAPE_OPTIONS for item in options_of(group)
}


def asked(options=None, **values):
    options = options or EstimateOptions()
    plain = estimate([MOTION], options)
    return coupled.with_requested_shapes(plain, [MOTION], {**DEFAULTS, **values}, options)


def test_each_type_gets_its_shape_and_what_is_still_gets_none():
    joints = asked(coupled=True, shape="box").joints
    shapes = {name: one.coupled for name, one in joints.items() if one.coupled is not None}
    kinds = {name: (one.kind, len(one.region.get("axes", ()))) for name, one in shapes.items()}
    assert kinds == {"ball": ("box", 0), "hinge": ("flat", 1), "two": ("flat", 2)}
    assert all(one.coupled.trimmed == 0 for one in joints.values() if one.coupled)


def test_both_sides_of_a_pool_are_noted_to_have_their_own():
    found = asked(EstimateOptions(symmetry="pool"), coupled=True, shape="box").findings
    assert coupled.EACH_SIDE in [item.message for item in found]


def test_a_joint_without_a_shape_has_the_reason(monkeypatch):
    def refused(*_):
        raise EstimationError("it goes round and round")

    monkeypatch.setattr(coupled.fitting, "fit_shape", refused)
    joint = asked(coupled=True, shape="box").joints["ball"]
    assert joint.coupled is None
    assert joint.findings[-1].message == "no shape could be fitted: it goes round and round"


def test_what_cannot_have_shapes_is_refused():
    plain = estimate([MOTION])
    with pytest.raises(EstimationError, match="shapes need every frame"):
        coupled.with_coupled_limits(plain, [], "box")
    other = clip({"ball": BALL}, name="other")
    with pytest.raises(EstimationError, match="clip 'other' has no joint 'hinge'"):
        coupled.with_coupled_limits(plain, [other], "box")
    with pytest.raises(ValueError, match="shapes need the standard mode"):
        asked(EstimateOptions(mode="paper"), coupled=True)


def test_joints_without_a_middle_range_have_no_meaningful_channels():
    joint = estimate([MOTION]).joints["ball"]
    free = {**joint.limits, "rotateY": AxisLimit("free", None, None)}
    assert coupled._meets_gimbal_lock(replace(joint, limits=free))
    assert not coupled._meets_gimbal_lock(joint)
