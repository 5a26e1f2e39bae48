"""``jointlimits export``: what it writes, what it says, what it refuses."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil

import numpy as np
import pytest

from jointlimits_core.cli.main import main
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.exporters.formats import export_formats
from jointlimits_core.exporters.losses import Loss
from jointlimits_core.formats.bvh import write_bvh
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import read_limit_set, write_limit_set
from tests.formats.test_acclaim import AMC, ASF
from tests.support.house_files import ROOT
from tests.support.limit_set_examples import limit_set

BVH = ROOT / "examples" / "humanoid_rom.bvh"
ENDINGS = {"mjcf": "xml", "python": "py", "csv": "csv", "rom": "bvh"}
EVERY = pytest.mark.parametrize("to", ENDINGS)


@pytest.fixture(scope="module")
def limits_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("estimated")
    shutil.copy(BVH, folder / "walk.bvh")
    assert main(["estimate", str(folder / "walk.bvh"), "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def folder(limits_folder, tmp_path):
    shutil.copy(limits_folder / "walk.limits.json", tmp_path / "walk.limits.json")
    shutil.copy(BVH, tmp_path / "walk.bvh")
    return tmp_path


def export(folder, to, *more, out=None):
    target = folder / (out or f"out.{ENDINGS[to]}")
    limits = str(folder / "walk.limits.json")
    return main(["export", limits, "--to", to, "--out", str(target), *more]), target


@pytest.mark.thorough
def test_joints_are_placed_by_a_clip_that_is_still_there(folder, capsys):
    code, target = export(folder, "mjcf")
    assert code == 0
    printed = capsys.readouterr().out
    assert re.search(r"joint positions from .*walk\.bvh", printed)
    own = target.read_bytes()
    assert export(folder, "mjcf", "--motion", str(folder / "walk.bvh"))[1].read_bytes() == own


def moved_away(folder, **changes):
    """Limits whose clip cannot be found where it was."""
    path = folder / "walk.limits.json"
    limits = read_limit_set(path)
    clip = dataclasses.replace(limits.clips[0], file=str(folder / "gone.bvh"), **changes)
    write_limit_set(dataclasses.replace(limits, clips=(clip,)), path)
    return path


@pytest.mark.thorough
@EVERY
def test_without_a_skeleton_the_message_names_a_remedy(to, folder, capsys):
    moved_away(folder)
    code, target = export(folder, to)
    if export_formats()[to].needs_skeleton:
        assert code == 1
        assert "--motion FILE" in capsys.readouterr().err
        assert not target.exists()
    else:
        assert code == 0


@pytest.mark.thorough
def test_a_clip_that_has_changed_places_nothing(folder, capsys):
    moved_away(folder)
    shutil.copy(BVH, folder / "gone.bvh")
    assert export(folder, "mjcf")[0] == 0
    with open(folder / "gone.bvh", "a", encoding="utf-8") as stream:
        stream.write("\n")
    assert export(folder, "mjcf")[0] == 1


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_place_of_a_clip_is_never_opened(folder, capsys):
    moved_away(folder)
    os.mkfifo(folder / "gone.bvh")
    assert export(folder, "mjcf")[0] == 1


@pytest.fixture
def amc_folder(tmp_path):
    """Limits beside the AMC that they were estimated from, and its skeleton."""
    (tmp_path / "arm.asf").write_text(ASF, encoding="utf-8")
    (tmp_path / "arm_01.amc").write_text(AMC, encoding="utf-8")
    read = read_motion(tmp_path / "arm_01.amc", skeleton=tmp_path / "arm.asf")
    limits = estimate([read], EstimateOptions(limit_root=True))
    write_limit_set(limits, tmp_path / "walk.limits.json")
    return tmp_path


def test_the_skeleton_beside_an_amc_motion_is_taken(amc_folder, capsys):
    motion = amc_folder / "arm_01.amc"
    code, target = export(amc_folder, "mjcf")
    assert code == 0
    printed = "".join(capsys.readouterr().out.split())
    assert f"jointpositionsfrom{motion}with{amc_folder / 'arm.asf'}" in printed
    own = target.read_bytes()
    assert export(amc_folder, "mjcf", "--motion", str(motion))[1].read_bytes() == own
    (amc_folder / "other.asf").write_text(ASF, encoding="utf-8")  # the one of its name is taken
    assert export(amc_folder, "mjcf")[1].read_bytes() == own


def test_an_audit_holds_an_amc_motion_against_the_skeleton_beside_it(amc_folder, capsys):
    assert main(["audit", str(amc_folder / "arm_01.amc")]) in (0, 1)
    assert capsys.readouterr().out.startswith(f"{amc_folder / 'arm_01.amc'}: ")
    (amc_folder / "other.asf").write_text(ASF, encoding="utf-8")
    shutil.move(amc_folder / "arm.asf", amc_folder / "third.asf")
    assert main(["audit", str(amc_folder / "arm_01.amc")]) == 1
    assert "none with a matching name: other.asf, third.asf" in capsys.readouterr().err


def test_several_skeletons_beside_an_amc_motion_are_listed(amc_folder, capsys):
    for name in ("one.asf", "two.asf"):
        shutil.copy(amc_folder / "arm.asf", amc_folder / name)
    (amc_folder / "arm.asf").unlink()
    assert export(amc_folder, "mjcf")[0] == 1
    stderr = " ".join(capsys.readouterr().err.split())
    assert "--skeleton FILE" in stderr
    assert "several skeletons in its folder, none with a matching name: one.asf, two.asf" in stderr
    assert export(amc_folder, "mjcf", "--motion", str(amc_folder / "arm_01.amc"))[0] == 1
    assert (
        "several skeletons in its folder, none with a matching name: one.asf, two.asf"
        in capsys.readouterr().err
    )


@pytest.mark.thorough
def test_a_skeleton_can_be_any_motion(folder):
    moved_away(folder)
    assert export(folder, "rom", "--skeleton", str(folder / "walk.bvh"))[0] == 0


def test_the_motion_is_not_written_over(folder, capsys):
    code, target = export(folder, "rom", "--motion", str(folder / "walk.bvh"), out="walk.bvh")
    assert code == 2
    assert target.read_bytes() == BVH.read_bytes()


@pytest.mark.thorough
def test_the_papers_angles_only_go_into_a_table(folder, capsys):
    path = folder / "walk.limits.json"
    assert main(["estimate", str(BVH), "--mode", "paper", "--out", str(folder / "p")]) == 0
    shutil.copy(folder / "p" / "humanoid_rom.limits.json", path)
    capsys.readouterr()
    assert export(folder, "python")[0] == 2
    assert "export to csv" in capsys.readouterr().err
    assert export(folder, "csv")[0] == 0


@pytest.mark.thorough
def test_long_notes_are_cut_in_the_terminal_only(folder, capsys):
    losses = folder / "losses.json"
    assert export(folder, "rom", "--losses", str(losses))[0] == 0
    printed = capsys.readouterr().out
    notes = json.loads(losses.read_text(encoding="utf-8"))["notes"]
    assert len(notes) > 12
    assert sum(line in printed.splitlines() for line in notes) == 12
    assert f"and {len(notes) - 12} more lines" in printed


def test_nothing_of_others_acts_in_the_terminal(folder, capsys):
    limits = limit_set()
    limits.joints["\x1b[31mred"] = limits.joints.pop("tail")
    limits.joints["Hips"] = limits.joints.pop("root")
    write_limit_set(limits, folder / "walk.limits.json")
    assert export(folder, "mjcf", "--motion", str(folder / "walk.bvh"))[0] == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.thorough
def test_joints_that_move_relative_to_their_parents_are_reported(folder, capsys):
    motion = read_motion(folder / "walk.bvh")
    elbow = motion.joint_names.index("LeftElbow")
    places = np.tile(motion.skeleton.offsets[elbow], (motion.frame_count, 1))
    still = motion.joint_names.index("RightElbow")
    moved = {
        **motion.translations,
        elbow: places,
        still: motion.skeleton.offsets[still] + 0 * places,
    }
    places[-1, 1] += 3.0
    write_bvh(dataclasses.replace(motion, translations=moved), folder / "moving.bvh")
    losses = folder / "losses.json"
    more = ["--motion", str(folder / "moving.bvh"), "--losses", str(losses)]
    assert export(folder, "mjcf", *more)[0] == 0
    found = json.loads(losses.read_text(encoding="utf-8"))["losses"]
    (moving,) = (loss for loss in found if loss["rule"] == "moving-joint")
    assert moving["joints"] == ["LeftElbow"]
    assert "moving-joint" not in capsys.readouterr().err


def test_a_loss_is_a_sentence_with_its_joints():
    loss = Loss("x", "something is lost", tuple("abcdef"))
    assert loss.sentence() == "something is lost (a, b, c, d and 2 more joints)."
    assert Loss("x", "something is lost").sentence() == "something is lost."


def test_every_format_has_a_name_an_ending_and_words():
    for name, form in export_formats().items():
        assert form.name == name
        assert form.endings
        assert all(ending == ending.lower() for ending in form.endings)
        assert form.words
