"""Clips whose joint names differ by one prefix, and those that are of other characters."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core import estimate, fit
from jointlimits_core.api import estimate as api_estimate
from jointlimits_core.base.errors import EstimationError
from jointlimits_core.batch.grouping import skeleton_key
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.motion.name_matching import matched_joints, prefixes_apart

BODY = ("Hips", "Spine", "LeftArm", "RightArm")
PARENTS = (-1, 0, 1, 1)


def write_clip(path, names, parents=PARENTS, high=60.0):
    """A BVH file whose last joint bends about X."""
    children = {at: [k for k, parent in enumerate(parents) if parent == at] for at in range(-1, 9)}
    order = []

    def lines(at):
        order.append(at)
        keyword = "ROOT" if parents[at] < 0 else "JOINT"
        yield f"{keyword} {names[at]}\n{{\nOFFSET 0 {at} 0"
        yield "CHANNELS 3 Xrotation Yrotation Zrotation"
        for child in children[at]:
            yield from lines(child)
        if not children[at]:
            yield "End Site\n{\nOFFSET 0 1 0\n}"
        yield "}"

    hierarchy = "\n".join(line for root in children[-1] for line in lines(root))
    angles = np.linspace(5.0, high, 40)
    rows = [
        " ".join(f"{angle if at == len(names) - 1 else 0.0:.4f} 0 0" for at in order)
        for angle in angles
    ]
    motion = f"MOTION\nFrames: {len(rows)}\nFrame Time: 0.033333\n"
    path.write_text(f"HIERARCHY\n{hierarchy}\n{motion}" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def prefixed(prefix, names=BODY):
    return [prefix + name for name in names]


SAME = [
    ("mixamorig:", ""),
    ("mixamorig:", "mixamorig7:"),
    ("Character1:", "Character2:"),
    ("Bip01_", ""),
    ("Bip01 ", "Bip02 "),
    ("mixamorig", ""),
    ("a.b:c:", "x:"),
    ("Ünï-", ""),
]


@pytest.mark.parametrize(("own", "other"), SAME)
def test_clips_that_differ_by_one_prefix_are_one_character(tmp_path, own, other):
    first = read_motion(write_clip(tmp_path / "a.bvh", prefixed(own)))
    second = read_motion(write_clip(tmp_path / "b.bvh", prefixed(other), high=90.0))
    limits = estimate([first, second])
    assert limits == estimate([second, first])
    assert list(limits.joints) == prefixed(own)
    assert limits.joints[f"{own}RightArm"].limits["rotateX"].max_deg == pytest.approx(90.0)
    (note,) = [item for item in limits.findings if item.rule == "name-prefix"]
    assert note.clip == "b"
    for prefix in (own, other):
        assert (repr(prefix) if prefix else "no prefix") in note.message
    checked = violations(estimate([first]), second)
    assert checked.joints == tuple(prefixed(own))
    assert checked.bounds[0].worst_deg == pytest.approx(30.0)
    assert "name-prefix" in [item.rule for item in checked.findings]


@pytest.mark.parametrize("options", [{"coupled": "hull"}, {"orientation": "advised"}])
def test_shapes_and_other_orientations_of_clips_that_differ_by_a_prefix(tmp_path, options):
    paths = [
        write_clip(tmp_path / f"{name}.bvh", prefixed(prefix), high=high)
        for name, prefix, high in (("a", "rig:", 60.0), ("b", "", 90.0))
    ]
    coupled = options.pop("coupled", None)
    limits = fit(paths, shape=coupled) if coupled else api_estimate(paths, **options)
    assert list(limits.joints) == prefixed("rig:")
    assert limits.joints["rig:RightArm"].limits["rotateX"].max_deg == pytest.approx(90.0)


def test_a_root_above_may_have_no_prefix(tmp_path):
    names = [["Armature", *prefixed(prefix, BODY[:3])] for prefix in ("", "mixamorig:")]
    parents = (-1, 0, 1, 2)
    clips = [
        read_motion(write_clip(tmp_path / f"{at}.bvh", own, parents))
        for at, own in enumerate(names)
    ]
    assert list(estimate(clips).joints) == names[0]


LIMB = ("Arm", "ForeArm", "Hand", "Thumb")


@pytest.mark.parametrize(
    ("own", "other", "stems", "parents"),
    [
        ("Left", "Right", LIMB, ()),
        ("L_", "R_", LIMB, ()),
        ("Bip01 L ", "Bip01 R ", LIMB, ()),
        ("", "Left", LIMB, ()),
        ("Index", "Thumb", "1234", ()),
        ("a:", "b:", BODY, [(-1, 0, 1, 2)]),
    ],
)
def test_sides_fingers_and_another_hierarchy_differ(tmp_path, own, other, stems, parents):
    clips = [
        read_motion(write_clip(tmp_path / "a.bvh", prefixed(own, stems))),
        read_motion(write_clip(tmp_path / "b.bvh", prefixed(other, stems), *parents)),
    ]
    with pytest.raises(EstimationError, match="different character"):
        estimate(clips)


def test_two_figures_in_one_file_stay_two():
    both = [*prefixed("Character1_"), *prefixed("Character2_")]
    assert prefixes_apart(BODY, both) is None
    assert matched_joints(BODY, both) == {}
    assert prefixes_apart(both, BODY) is None


def test_joints_that_would_collide_are_no_match():
    assert prefixes_apart(["rig_Hips", "Hips", "rig_Spine"], ["Hips", "Spine"]) is None


@pytest.mark.parametrize(("own", "other"), [one for one in SAME if one != ("mixamorig", "")])
def test_files_of_a_folder_that_differ_by_a_prefix_are_one_group(tmp_path, own, other):
    first = skeleton_key(write_clip(tmp_path / "a.bvh", prefixed(own)))
    assert first == skeleton_key(write_clip(tmp_path / "b.bvh", prefixed(other)))
    assert first != skeleton_key(write_clip(tmp_path / "c.bvh", prefixed(own, BODY[::-1])))
