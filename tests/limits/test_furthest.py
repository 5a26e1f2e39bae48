"""Angles that nobody can have meant are refused, in files and in estimates."""

from __future__ import annotations

import json

import pytest

from jointlimits_core.base.errors import InputError, LimitSetError
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.document import MAX_ANGLE_DEG, angle_range_problems
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.records import ArtistEdit
from tests.support.batch_manifests import HEAD
from tests.support.limit_set_examples import limit_set, with_value

KNEE = ("joints", "knee", "limits", "rotateX")


@pytest.mark.parametrize("value", [1e308, 1.0001e7, -1e300, 10**200], ids="{:.4g}".format)
@pytest.mark.parametrize(
    "place",
    [
        (*KNEE, "max_deg"),
        (*KNEE, "source", "max", "value_deg"),
        ("joints", "knee", "hinge", "min_deg"),
        ("joints", "knee", "rest", "rotate_deg", 1),
        ("joints", "knee", "orientation", "joint_orient_deg", 0),
    ],
    ids=lambda place: str(place[-1]),
)
def test_a_file_with_such_an_angle_is_refused(place, value):
    names = [str(part) for part in place if not isinstance(part, int)]
    with pytest.raises(LimitSetError) as caught:
        LimitSet.from_json(with_value(place, value), "a.json")
    message = str(caught.value)
    assert f"a.json: {'.'.join(names)}: " in message
    assert "must be between -10,000,000 and 10,000,000 degrees, not" in message
    assert len(message) < 250


def test_what_lies_just_inside_is_taken():
    read = LimitSet.from_json(with_value((*KNEE, "max_deg"), MAX_ANGLE_DEG))
    assert read.joints["knee"].limits["rotateX"].max_deg == MAX_ANGLE_DEG


def test_an_edit_may_be_no_such_angle_either():
    edits = json.loads(limit_set(edits=(ArtistEdit("knee", "max", "rotateX", 5.0),)).to_json())
    edits["edits"][0]["value"] = 1e200
    with pytest.raises(LimitSetError, match=r"'knee': rotateX max must be .* not 1e\+200"):
        LimitSet.from_json(json.dumps(edits))


def test_an_estimate_from_keys_just_inside_is_taken(tmp_path):
    found = estimate([read_motion(wound_clip(tmp_path, 9.9e6))])
    assert not list(angle_range_problems(found))
    assert LimitSet.from_json(found.to_json()) == found


@pytest.mark.parametrize("start", [1.1e7, -1e13])
def test_such_keys_are_refused_with_joint_and_frame(tmp_path, start):
    with pytest.raises(InputError, match=r"joint 'knee' is rotated by over 10,000,000 .* frame 0,"):
        read_motion(wound_clip(tmp_path, start))


def wound_clip(folder, start):
    """A clip whose knee starts many turns from zero."""
    rows = "".join(f"0 0 0 {start + frame!r} {frame} 0\n" for frame in range(40))
    path = folder / "wound.bvh"
    path.write_text(f"{HEAD}Frames: 40\nFrame Time: 0.04\n{rows}", encoding="utf-8")
    return path
