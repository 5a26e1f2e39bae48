"""Estimates without any motion are rejected with advice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.base.errors import EstimationError, InputError
from jointlimits_core.base.findings import UNRESOLVED_DRIVER, Finding
from jointlimits_core.cli.main import main
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate, reject_still_estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.motion.motion import Motion
from tests.support.batch_manifests import bvh_text
from tests.support.made_motion import clip, rotate
from tests.support.maya_scenes import connect, curve, write_scene
from tests.support.shared_data import SHARED


def motion(frames: int, degrees: float, first: float = 1.0) -> Motion:
    """Two joints; the second swings about X."""
    quaternions = np.zeros((frames, 2, 4))
    quaternions[..., 3] = 1.0
    half = np.radians(np.linspace(0.0, degrees, frames)) / 2
    quaternions[:, 1, 0], quaternions[:, 1, 3] = np.sin(half), np.cos(half)
    numbers = np.arange(frames) + first
    return Motion.from_quaternions(["hip", "knee"], [-1, 0], quaternions, 24.0, frames=numbers)


def test_motion_is_let_pass():
    reject_still_estimate(estimate(motion(20, 60.0)))
    reject_still_estimate(estimate([motion(20, 0.0), motion(20, 60.0)]))


@pytest.mark.parametrize("mode", ["standard", "paper"])
def test_a_character_that_never_moves(mode):
    found = estimate(motion(20, 0.0, first=900), EstimateOptions(mode=mode))
    with pytest.raises(EstimationError, match="moves in frames 900 to 919; give a range in which"):
        reject_still_estimate(found)


def test_one_frame():
    with pytest.raises(EstimationError, match=r"one frame \(frame 7\); give a range"):
        reject_still_estimate(estimate(motion(1, 0.0, first=7)))
    # The same pose twice is no more motion than once.
    with pytest.raises(EstimationError, match="moves in frame 7, frame 7"):
        reject_still_estimate(estimate([motion(1, 0.0, first=7), motion(1, 0.0, first=7)]))


def test_many_clips_are_not_all_named():
    with pytest.raises(EstimationError, match="frames 1 to 3 and 2 more clips; give"):
        reject_still_estimate(estimate([motion(3, 0.0) for _ in range(5)]))


def test_joints_that_were_asked_for_may_rest():
    reject_still_estimate(estimate(motion(20, 0.0), EstimateOptions(joints="knee")))


def test_the_command_line_says_it_and_writes_nothing(tmp_path, capsys):
    path = tmp_path / "still.bvh"
    path.write_text(bvh_text(0.0, frames=9))
    assert main(["estimate", str(path), "--out", str(tmp_path / "out")]) == 1
    assert "moves in frames" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# Joints that nodes of a scene drive ---------------------------------------------------------------

RIG = (
    'createNode joint -n "root";\ncreateNode joint -n "up" -p "root";\n'
    'createNode joint -n "low" -p "up";\ncreateNode joint -n "end" -p "low";\n'
    'createNode ikEffector -n "eff" -p "low";\ncreateNode ikHandle -n "legIK";\n'
    'createNode orientConstraint -n "aim" -p "root";\n'
    'createNode expression -n "wobble";\ncreateNode pairBlend -n "mix";\n'
)
GROUP = 'createNode transform -n "off" -p "low";\n'
SOLVED = connect("up.msg", "legIK.hsj") + connect("eff.hp", "legIK.hee")


def refusal(tmp_path, capsys, body):
    path = write_scene(tmp_path, body, name="rig.ma")
    assert main(["estimate", str(path), "--out", str(tmp_path / "out")]) == 1
    assert not (tmp_path / "out").exists()
    return capsys.readouterr().err


def test_driven_joints_are_refused_by_the_names_of_their_drivers(tmp_path, capsys):
    body = RIG + SOLVED + connect("aim.crx", "root.rx") + connect("wobble.out[0]", "end.rz")
    stderr = refusal(tmp_path, capsys, body)
    assert "no joint of rig has keys of its own: 4 joints are driven by " in stderr
    for driver in ("aim (orientConstraint)", "legIK (ikHandle)", "wobble (expression)"):
        assert driver in stderr
    assert "bake them to keys first" in stderr
    assert "nothing is animated" not in stderr


def test_one_driven_joint(tmp_path, capsys):
    stderr = refusal(tmp_path, capsys, RIG + connect("aim.crx", "root.rx"))
    assert "1 joint is driven by aim (orientConstraint); bake" in stderr


@pytest.mark.parametrize(
    ("body", "driver"),
    [
        ("cm.omat -> low.opm", "cm (composeMatrix)"),
        ("c.o -> low.jox", "c (animCurveTA)"),
        ("c.o -> low.rax", "c (animCurveTA)"),
        ("c.o -> off.rx", "off (transform)"),
    ],
)
def test_joints_that_turn_besides_their_rotate_channels(tmp_path, capsys, body, driver):
    """Baking their rotate channels would give keys that do not move."""
    rig = RIG.replace('"end" -p "low"', '"end" -p "off"')
    rig = rig.replace('createNode joint -n "end"', GROUP + 'createNode joint -n "end"')
    keys = curve("c", ((1, 0), (9, 40))) + connect("c.o", "cm.irx") + connect(*body.split(" -> "))
    stderr = refusal(tmp_path, capsys, rig + 'createNode composeMatrix -n "cm";\n' + keys)
    assert f"driven by {driver}, not through" in stderr
    assert "baking these changes nothing; orient-constrain a copy of the skeleton" in stderr


def test_many_drivers_are_counted(tmp_path, capsys):
    body = 'createNode joint -n "root";\n'
    for number in range(7):
        body += f'createNode joint -n "j{number}" -p "root";\n'
        body += f'createNode orientConstraint -n "con{number}" -p "j{number}";\n'
        body += connect(f"con{number}.crx", f"j{number}.rx")
    stderr = refusal(tmp_path, capsys, body)
    assert "7 joints are driven by con0 (orientConstraint), con1" in stderr
    assert "con3 (orientConstraint) and 3 more; bake" in stderr


def test_a_scene_in_which_nothing_drives_anything(tmp_path, capsys):
    assert "nothing is animated: no joint of rig" in refusal(tmp_path, capsys, RIG)


@pytest.mark.thorough
def test_rigs_of_others_name_their_drivers():
    folder = SHARED / "data/maya"
    named = 0
    for path in sorted(folder.rglob("*.ma")):
        try:
            motion = read_motion(path)
        except InputError:
            continue
        if motion.animated or not any(f.rule == UNRESOLVED_DRIVER for f in motion.findings):
            continue
        with pytest.raises(EstimationError, match=r"driven by .* \(\w+\).*; bake them to keys"):
            reject_still_estimate(estimate(motion))
        named += 1
    if not named:
        pytest.skip("no scene with driven joints is on this machine")


def test_keys_beyond_all_bounds_are_a_wheel():
    turned = clip({"arm": rotate(x=np.linspace(0.0, 1e9, 9))})
    assert estimate(turned).joints["arm"].limits["rotateX"].state == "free"


def test_a_file_cut_short_where_nothing_moves_is_to_be_copied_again():
    still = estimate(motion(20, 0.0))
    cut = replace(still, findings=(*still.findings, Finding("frame-count", "has fewer frames")))
    with pytest.raises(EstimationError, match="it looks truncated: copy or export it again"):
        reject_still_estimate(cut)


def test_types_are_not_chosen_in_the_paper_mode():
    with pytest.raises(ValueError, match="must be empty in the paper mode"):
        EstimateOptions(mode="paper", as_types=("arm=hinge",))
