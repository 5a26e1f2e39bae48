"""``jointlimits ik`` and ``jointlimits look-at``: what they write, say and refuse."""

import re
from pathlib import Path

import numpy as np
import pytest

from jointlimits_core.cli import main
from jointlimits_core.estimation import estimate
from jointlimits_core.formats import read_motion
from jointlimits_core.geometry import angle_between
from jointlimits_core.ik import constraints_of
from jointlimits_core.limits import write_limit_set
from tests.support.shared_data import shared

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MOTION = str(EXAMPLES / "humanoid_rom.bvh")


@pytest.fixture(scope="module")
def limits(tmp_path_factory):
    path = tmp_path_factory.mktemp("limits") / "humanoid.limits.json"
    write_limit_set(estimate(read_motion(MOTION)), path)
    return str(path)


def outside_deg(motion, limit_set):
    """How far a motion is outside of the boxes of a limit set, at most."""
    found = constraints_of(limit_set, motion.skeleton, "box")
    own = {joint: motion.quaternion(motion.joint_names[joint]) for joint in found}
    gaps = [angle_between(q, found[joint].project(q)).max() for joint, q in own.items()]
    return float(np.degrees(max(gaps)))


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["ik", "look-at"])
def test_two_motions_and_a_page_are_written(command, limits, tmp_path, capsys):
    words = [command, MOTION, "--limits", limits, "--form", "box", "--every", "150"]
    assert main([*words, "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    name = f"humanoid_rom.{command}"
    assert re.search(r"Without limits: .*\nWith limits: ", out)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{name}.bvh",
        f"{name}.html",
        f"{name}.without-limits.bvh",
    ]
    given = read_motion(MOTION)
    limited = read_motion(tmp_path / f"{name}.bvh")
    free = read_motion(tmp_path / f"{name}.without-limits.bvh")
    frames = len(range(0, given.frame_count, 150))
    assert limited.frame_count == free.frame_count == frames
    assert limited.frame_rate == pytest.approx(given.frame_rate / 150)
    limit_set = estimate(given)
    if command == "ik":
        assert outside_deg(limited, limit_set) < 1e-3
        assert outside_deg(free, limit_set) > 5.0
        hand = given.skeleton.index("LeftWrist")
        places = [clip.all_world_matrices()[:, hand, :3, 3] for clip in (given, free)]
        assert np.abs(places[0][::150] - places[1]).max() < 25.0  # the hand's end is held
    page = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
    # A still of each motion, which the script replaces by the moving figure.
    assert page.count('<div class="picture"><svg') == 2


@pytest.mark.slow
def test_coupled_limits_fitted_to_other_motions(tmp_path, capsys):
    folder = "data/mocap/cmu_asfamc/02"
    clip, other = (str(shared(f"{folder}/02_0{n}.amc")) for n in (3, 1))
    words = ["ik", clip, "--skeleton", str(shared(f"{folder}/02.asf")), "--fit", other]
    assert main([*words, "--shape", "hull", "--every", "60", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "limits estimated from 02_01.amc, enforced as coupled limits" in out
    degrees = [float(number) for number in re.findall(r"mean joint error ([\d.]+)° from", out)]
    assert degrees[1] < degrees[0]


def test_refusals_are_usage_errors(limits, tmp_path, capsys):
    bare = tmp_path / "bare.bvh"
    bare.write_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\n"
        "MOTION\nFrames: 2\nFrame Time: 0.04\n0 0 0 0 0 0\n0 0 0 0 9 0\n"
    )
    out = ["--out", str(tmp_path)]
    for words, message in (
        (["ik", MOTION, "--every", "0"], "--every must be 1 or more"),
        (["ik", str(bare)], "named for a hand"),
        (["ik", str(bare), "--ends", "c"], "joint 'c' not found, or not unique"),
        (["ik", MOTION, "--limits", limits, "--loop"], "needs exactly one joint in --ends"),
        (
            ["ik", str(bare), "--limits", limits],
            "the limits and the motion have no joint in common",
        ),
        (["look-at", str(bare)], "named head"),
        (["look-at", MOTION, "--target", "0", "nan", "0"], "must be finite"),
    ):
        assert main([*words, *out]) == 2, words
        assert message in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["bare.bvh"]


def test_an_input_is_never_written_over(limits, tmp_path, capsys):
    clip = tmp_path / "walk.ik.bvh"
    clip.write_text(Path(MOTION).read_text(encoding="utf-8"), encoding="utf-8")
    motion = tmp_path / "walk.bvh"
    motion.write_text(Path(MOTION).read_text(encoding="utf-8"), encoding="utf-8")
    words = ["ik", str(motion), "--fit", str(clip), "--form", "box", "--every", "300"]
    assert main([*words, "--out", str(tmp_path)]) == 2
    assert "would overwrite" in capsys.readouterr().err


def test_a_target_is_looked_at(limits, tmp_path, capsys):
    words = ["look-at", MOTION, "--target", "0", "150", "500", "--every", "300"]
    assert main([*words, "--limits", limits, "--form", "box", "--out", str(tmp_path)]) == 0
    assert "Without limits: looking at the point in 100 % of the frames" in capsys.readouterr().out


def test_a_target_out_of_all_bounds_is_refused(tmp_path, capsys):
    words = ["look-at", MOTION, "--target", "1e308", "0", "0", "--out", str(tmp_path / "out")]
    assert main(words) == 2
    assert "--target and --sweep must be finite and at most 1e+09" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_leg_goes_round_in_a_maya_scene(limits, tmp_path, capsys):
    """Without limits the knee bends to either side; with them it keeps to its range."""
    words = ["ik", MOTION, "--limits", limits, "--form", "box", "--ends", "LeftAnkle"]
    words += ["--top", "LeftHip", "--loop", "--to", "ma", "--out", str(tmp_path)]
    assert main(words) == 0
    assert "all targets reached in 120 frames" in capsys.readouterr().out
    limited, free = (
        read_motion(tmp_path / f"humanoid_rom.ik{end}.ma") for end in ("", ".without-limits")
    )
    assert limited.frame_count == free.frame_count == 120
    limit_set = estimate(read_motion(MOTION))
    assert outside_deg(limited, limit_set) < 1e-3
    assert outside_deg(free, limit_set) > 10.0
    turned = [n for n in limited.joint_names if np.ptp(limited.quaternion(n), axis=0).max() > 1e-6]
    assert set(turned) <= {"LeftHip", "LeftKnee", "LeftAnkle"}
