"""What changed from one limit set to another."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.cli.main import main
from jointlimits_core.limits.diff import CHANGE_KINDS, diff, diff_text
from jointlimits_core.limits.limit_set import Orientation, write_limit_set
from jointlimits_core.shapes.coupled_limit import CoupledLimit
from tests.support.layered_sets import axis, one_joint
from tests.support.limit_set_examples import FREE, joint, limit_set


def changes_of(a, b, tolerance=0.01):
    return [(c.what, c.joint, c.channel, c.by_deg) for c in diff(a, b, tolerance).changes]


def hip(**changes):
    made = one_joint()
    return one_joint(joints={"hip": dataclasses.replace(made.joints["hip"], **changes)})


def test_moved_bounds_with_their_reason():
    other = one_joint(
        axes=(axis(-40.0, 80.0, "jump", frame=12.0), axis(-20.0, 20.0), axis(-10.0, 10.0))
    )
    found = diff(one_joint(), other)
    assert changes_of(one_joint(), other) == [
        ("min", "hip", "rotateX", 10.0),
        ("max", "hip", "rotateX", -10.0),
    ]
    assert found.changes[0].why == "observed in walk at frame 3, then observed in jump at frame 12"
    text = diff_text(found)
    assert text.splitlines()[0] == (
        "person: 2 differences in 1 joint, 2 limits by up to 10.0 degrees"
    )
    assert "  rotateX min: -30.00 -> -40.00, 10.0 degrees wider (observed in walk" in text


def test_the_same_place_with_another_value():
    other = one_joint(axes=(axis(-31.0, 90.0), axis(-20.0, 20.0), axis(-10.0, 10.0)))
    (change,) = diff(one_joint(), other).changes
    assert change.why == "observed in walk at frame 3 in both, but the value there changed"


@pytest.mark.thorough
@given(st.floats(0.0, 5.0), st.floats(0.0, 5.0))
def test_tolerance(moved, tolerance):
    other = one_joint(axes=(axis(-30.0, 90.0 + moved), axis(-20.0, 20.0), axis(-10.0, 10.0)))
    by = other["hip"]["rotateX"].max_deg - 90.0
    assert diff(one_joint(), other, tolerance).equal == (by <= tolerance)


def test_tolerance_of_the_command(tmp_path):
    moved = one_joint(axes=(axis(-30.0, 70.0), axis(-20.0, 20.0), axis(-10.0, 10.0)))
    paths = [str(tmp_path / name) for name in ("a.json", "b.json")]
    for path, limits in zip(paths, (one_joint(), moved)):
        write_limit_set(limits, path)
    codes = [main(["diff", *paths, "--tolerance", most]) for most in ("20", "19.9")]
    assert codes == [0, 1]


@pytest.mark.parametrize("tolerance", [-1.0, float("nan"), float("inf")])
def test_tolerances_that_make_no_sense(tolerance):
    with pytest.raises(ValueError, match="finite and at least 0 degrees"):
        diff(one_joint(), one_joint(), tolerance)


def test_types_frames_and_states():
    frame = Orientation("zyx", (0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    other = hip(
        type="universal",
        orientation=frame,
        limits={**one_joint().joints["hip"].limits, "rotateX": FREE},
    )
    found = diff(one_joint(), other)
    assert [c.what for c in found.changes] == ["type", "orientation", "state", "min", "max"]
    assert all(c.what in CHANGE_KINDS for c in found.changes)
    text = diff_text(found)
    assert "type: ball -> universal (200 samples, then 200; clear, then clear)" in text
    assert "rotateX min: -30.00 -> none" in text


def test_joints_clips_options_and_the_set():
    other = dataclasses.replace(
        limit_set(),
        joints={"root": limit_set().joints["root"], "new": limit_set().joints["tail"]},
        clips=(dataclasses.replace(limit_set().clips[0], sha256="00" * 32),),
        options={"pad_deg": 2.0, "joints": ("*",)},
        rest_source="mean",
    )
    found = diff(limit_set(), other)
    kinds = {(c.what, c.joint or c.channel) for c in found.changes}
    assert kinds == {
        *(("joint-removed", name) for name in ("knee", "ankle", "hip", "tail")),
        ("joint-added", "new"),
        ("clip-removed", "walk"),
        ("clip-added", "walk"),
        ("option", "pad_deg"),
        ("set", "rest_source"),
    }
    text = diff_text(found)
    assert "only in the first set: hinge" in text
    assert "the set as a whole" in text
    assert "both sets have a clip with this name, but different content" in text
    assert "option pad_deg: 0.00 -> 2.00" in text


def test_names_from_files_are_safe_to_print():
    bad = one_joint(joints={"a\x1b[31m\n": joint("ball", (FREE,) * 3)})
    text = diff_text(diff(one_joint(joints={}), bad))
    assert "\x1b" not in text
    assert "a\\x1b[31m\\n" in text


def test_a_coupled_limit_that_changed():
    coupled = CoupledLimit("hull", {"kind": "c", "centre": [0]}, {"kind": "hull"}, 3.0, 0.0125, 9)
    first = one_joint()
    (name,) = first.joints
    shaped = dataclasses.replace(first.joints[name], coupled=coupled)
    (change,) = diff(first, dataclasses.replace(first, joints={name: shaped})).changes
    assert (change.what, change.before) == ("shape", None)
    expected = "hull of 9 samples, padded by 3 degrees, 1.25 % of all rotations"
    assert change.after == expected
    text = diff_text(diff(first, dataclasses.replace(first, joints={name: shaped})))
    assert f"shape: none -> {expected}" in text
