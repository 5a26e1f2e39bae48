"""``jointlimits skeleton``: files and messages."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults, Slip
from benchmarks.simulated_figure import simulated_figure
from examples import make_tracked_arm
from jointlimits_core.base.options import checked_options, options_of
from jointlimits_core.cli.main import main
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import rotate
from jointlimits_core.io.json import problems
from jointlimits_core.limits.limit_set import read_limit_set
from jointlimits_core.skeleton_fit.document import document_of
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.result import BodyOptions, body_options_of
from tests.support.body_tables import write_table
from tests.support.house_files import ROOT
from tests.support.linkages import Linkage, arm
from tests.support.shared_data import shared_path
from tests.support.skeleton_runs import document, skeleton, written_names

ARM = ROOT / "examples" / "tracked_arm.csv"
SCHEMA = json.loads(
    (ROOT / "jointlimits_core/skeleton_fit/skeleton.schema.json").read_text("utf-8")
)


@pytest.fixture(scope="module")
def figure(tmp_path_factory):
    """A simulated figure, its table, and everything that the command makes of it."""
    folder = tmp_path_factory.mktemp("figure")
    trial = simulated_figure(3, seconds=15.0, faults=Faults(0.002, 0.3))
    path = write_table(trial.tracks, folder / "walk.csv")
    assert skeleton(folder, path, "--estimate") == 0
    return folder, trial


# What is written ----------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_document_has_the_skeleton(figure):
    folder, trial = figure
    found = document(folder, "walk")
    assert list(problems(found, SCHEMA)) == []
    names, parents = trial.tracks.names, trial.parents
    assert {frozenset((joint["child"], joint["parent"])) for joint in found["joints"]} == {
        frozenset((names[body], names[parent]))
        for body, parent in enumerate(parents)
        if parent >= 0
    }
    assert found["figures"][0][0] == found["joints"][0]["parent"]
    assert all(joint["residual_m"] < 0.01 for joint in found["joints"])
    assert found["clips"][0]["source"]["path"].endswith("walk.csv")
    assert found["clips"][0]["frames"] == trial.tracks.frame_count


@pytest.mark.thorough
def test_the_schema_is_one_that_others_know():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    birds = Linkage(1).free("wren").free("lark", (9, 0, 0)).free("crow", (0, 9, 0)).tracks()
    still = arm(2).join("badge", "hand", vectors=np.zeros((400, 3))).tracks()
    for tracks in (arm(1).tracks(0.001, 0.1), birds, still):
        data = json.loads(json.dumps(document_of([fit_skeleton(tracks)]), allow_nan=False))
        jsonschema.validate(data, SCHEMA)
        assert list(problems(data, SCHEMA)) == []
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "joints": [{}]}, SCHEMA)


def test_numbers_of_the_document_are_those_of_the_fit():
    fit = fit_skeleton(arm(16).tracks(0.001, 0.2))
    for joint, entry in zip(fit.joints, document_of([fit])["joints"]):
        assert (entry["child"], entry["parent"]) == (
            fit.names[joint.child],
            fit.names[joint.parent],
        )
        assert entry["next_best"] == fit.names[joint.next_best]
        assert entry["margin_m"] == joint.margin_m
        assert entry["residual_m"] == joint.residual_m
        np.testing.assert_allclose(np.radians(entry["wobble_deg"]), joint.wobble)
        deviations = [np.inf if one is None else one for one in entry["deviation_m"]]
        np.testing.assert_array_equal(deviations, joint.deviation_m)
        np.testing.assert_array_equal(entry["centre_in_parent_m"], joint.centre_in_parent)
        np.testing.assert_array_equal(entry["directions_in_child"], joint.directions_in_child)
    [clip] = document_of([fit])["clips"]
    for joint in fit.joints:
        assert clip["residual_m"][fit.names[joint.child]] == pytest.approx(joint.residual_m)


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["bvh", "ma"])
def test_motions_have_their_joints_where_they_were_in_centimetres(tmp_path, ending):
    linkage = arm(4)
    path = write_table(linkage.tracks(), tmp_path / "arm.csv")
    assert skeleton(tmp_path, path, "--body-root", "trunk") == 0
    motion = read_motion(tmp_path / "out" / f"arm.skeleton.{ending}")
    world = motion.all_world_matrices()
    for name in ("upper arm", "hand"):
        body = linkage.names.index(name)
        turn, place = linkage.rotations[body], linkage.positions[body]
        truth = 100.0 * (place + rotate(turn, linkage.in_child[name]))
        shown = name if ending == "bvh" and name in motion.joint_names else name.replace(" ", "_")
        at = world[:, motion.joint_names.index(shown), :3, 3]
        np.testing.assert_allclose(at, truth, atol=1e-3)


@pytest.mark.thorough
def test_limits_are_those_of_the_motion_that_is_written(figure):
    folder, _ = figure
    limits = read_limit_set(folder / "out" / "walk.limits.json")
    wanted = estimate(read_motion(folder / "out" / "walk.skeleton.ma"))
    assert list(limits.joints) == list(wanted.joints)
    for name, joint in wanted.joints.items():
        assert limits.joints[name].type == joint.type
        for channel, axis in joint.limits.items():
            same = limits.joints[name].limits[channel]
            assert same.state == axis.state
            if axis.min_deg is not None:
                assert same.min_deg == pytest.approx(axis.min_deg, abs=1e-6)
                assert same.max_deg == pytest.approx(axis.max_deg, abs=1e-6)


@pytest.mark.thorough
def test_limits_go_into_the_scene_and_hold(figure, tmp_path, capsys):
    out = figure[0] / "out"
    limits, scene = str(out / "walk.limits.json"), str(out / "walk.skeleton.ma")
    assert main(["apply", limits, scene, "--out", str(tmp_path / "limited.ma")]) == 0
    assert "of 15 joints" in capsys.readouterr().out
    assert main(["check", limits, scene]) == 0


@pytest.mark.thorough
def test_clips_are_pooled(tmp_path):
    trial = simulated_figure(5, seconds=12.0, faults=Faults(0.002, 0.3)).tracks
    half = trial.frame_count // 2
    first = write_table(trial.keep_frames(range(half)), tmp_path / "run_1.csv")
    second = write_table(trial.keep_frames(range(half, trial.frame_count)), tmp_path / "run_2.csv")
    assert skeleton(tmp_path, first, second, "--estimate") == 0
    assert written_names(tmp_path) == [
        "run.limits.json",
        "run.skeleton.json",
        *("run_1.skeleton.bvh", "run_1.skeleton.ma", "run_2.skeleton.bvh", "run_2.skeleton.ma"),
    ]
    assert [clip["name"] for clip in document(tmp_path, "run")["clips"]] == ["run_1", "run_2"]
    scenes = [read_motion(tmp_path / "out" / f"run_{n}.skeleton.ma") for n in (1, 2)]
    np.testing.assert_array_equal(*[scene.skeleton.offsets[1:] for scene in scenes])
    np.testing.assert_array_equal(*[scene.skeleton.joint_orients for scene in scenes])
    assert len(read_limit_set(tmp_path / "out" / "run.limits.json").clips) == 2


@pytest.mark.thorough
def test_every_figure_has_files_of_its_own(tmp_path, capsys):
    one = arm(6)
    two = Linkage(60).free("dog", (5.0, 0.0, 3.0)).join("tail", "dog")
    one.names += two.names
    one.positions += two.positions
    one.rotations += two.rotations
    path = write_table(one.tracks(), tmp_path / "both.csv")
    assert skeleton(tmp_path, path, "--estimate", "--character", "hero") == 0
    assert written_names(tmp_path) == [
        *("both.figure-1.skeleton.bvh", "both.figure-1.skeleton.ma"),
        *("both.figure-2.skeleton.bvh", "both.figure-2.skeleton.ma"),
        *("hero.figure-1.limits.json", "hero.figure-2.limits.json", "hero.skeleton.json"),
    ]
    second = read_limit_set(tmp_path / "out" / "hero.figure-2.limits.json")
    assert set(second.joints) == {"dog", "tail"}
    assert "2 figures that are not joined to each other" in capsys.readouterr().out


@pytest.mark.thorough
def test_a_figure_without_limits_stops_nothing(tmp_path, capsys):
    one = arm(7)
    rolling = np.sin(np.linspace(0.0, 6.0, one.frames))[:, None] * [0.5, 0.0, 0.0]
    for name, place in (("table", (4.0, 0.0, 4.0)), ("lamp", (4.0, 0.5, 4.0))):
        one.names.append(name)
        one.positions.append(place + rolling)
        one.rotations.append(np.tile([0.0, 0.0, 0.0, 1.0], (one.frames, 1)))
    path = write_table(one.tracks(), tmp_path / "set.csv")
    assert skeleton(tmp_path, path, "--estimate") == 1
    captured = capsys.readouterr()
    assert "set.figure-2: no limits: no joint of" in captured.err
    assert "set.figure-1.limits.json" in written_names(tmp_path)
    assert "set.figure-2.limits.json" not in written_names(tmp_path)
    assert "set.figure-2.skeleton.ma" in written_names(tmp_path)


def test_joints_have_names_that_maya_accepts_everywhere(tmp_path):
    tracks = replace(arm(8).tracks(), names=("rig:trunk", "Rigid Body 1", "2-fore", "hand"))
    assert skeleton(tmp_path, write_table(tracks, tmp_path / "a.csv"), "--estimate") == 0
    names = {"trunk", "Rigid_Body_1", "_2_fore", "hand"}
    out = tmp_path / "out"
    assert set(read_limit_set(out / "a.limits.json").joints) == names
    for ending in ("ma", "bvh"):
        assert set(read_motion(out / f"a.skeleton.{ending}").joint_names) == names
    assert set(document(tmp_path, "a")["parents"]) == set(tracks.names)


@pytest.mark.thorough
def test_doubts_and_findings_go_with_the_limits(tmp_path):
    faults = Faults(0.002, 0.3, slips=(Slip("left shin", 8.0, 0.03, 4.0),))
    tracks = simulated_figure(17, seconds=15.0, faults=faults).tracks
    assert skeleton(tmp_path, write_table(tracks, tmp_path / "slip.csv"), "--estimate") == 0
    limits = read_limit_set(tmp_path / "out" / "slip.limits.json")
    rules = {item.rule for item in limits.joints["left_shin"].findings}
    assert "slip" in rules
    assert "doubtful-joint" in {item.rule for item in limits.joints["left_foot"].findings}


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["bvh", "ma"])
def test_joints_of_motions_can_be_bodies(tmp_path, ending):
    linkage = Linkage(14).free("trunk").join("arm", "trunk").join("hand", "arm")
    path = write_table(linkage.tracks(), tmp_path / "arm.csv")
    known = ("--body-root", "trunk")
    assert skeleton(tmp_path, path, *known) == 0
    assert skeleton(tmp_path, tmp_path / "out" / f"arm.skeleton.{ending}", *known) == 0
    first, second = document(tmp_path, "arm"), document(tmp_path, "arm.skeleton")
    assert second["parents"] == first["parents"] == {"trunk": None, "arm": "trunk", "hand": "arm"}
    for one, other in zip(first["joints"][1:], second["joints"][1:]):
        assert other["residual_m"] < 1e-5
        assert other["length_m"] == pytest.approx(one["length_m"], abs=1e-5)
        np.testing.assert_allclose(other["centre_in_child_m"], 0.0, atol=1e-5)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["humanoid_rom.bvh", "humanoid_rom.ma"])
def test_an_exact_motion_keeps_its_joints(tmp_path, name):
    path = ROOT / "examples" / name
    assert skeleton(tmp_path, path) == 0
    found = document(tmp_path, "humanoid_rom")
    assert found["clips"][0]["slips"] == []
    assert max(joint["residual_m"] for joint in found["joints"]) < 1e-4
    bones = read_motion(path).skeleton
    # These never move against each other: any of them may carry what the other one carries.
    one = {"Chest": "Spine", "Head": "Neck"}
    truth = {
        frozenset(one.get(joint, joint) for joint in (bones.names[child], bones.names[parent]))
        for child, parent in enumerate(bones.parents)
        if parent >= 0
    }
    assert truth == {
        frozenset(one.get(body, body) for body in (joint["child"], joint["parent"]))
        for joint in found["joints"]
    }


# Messages -----------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_table_fits_the_terminal(tmp_path, capsys, monkeypatch):
    path = write_table(arm(9).tracks(), tmp_path / "arm.csv")
    monkeypatch.setattr("jointlimits_core.cli.output.terminal_width", lambda: 76)
    assert skeleton(tmp_path, path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines if not line.startswith("wrote")) <= 76
    assert "next best" not in "\n".join(lines)


@pytest.mark.thorough
def test_what_is_known_beforehand_is_kept(tmp_path):
    path = write_table(arm(12).tracks(), tmp_path / "arm.csv")
    known = "hand=trunk,trunk="
    assert skeleton(tmp_path, path, "--body-parents", known, "--units", "cm") == 0
    found = document(tmp_path, "arm")
    assert found["parents"]["hand"] == "trunk"
    assert found["parents"]["trunk"] is None
    in_cm = {joint["child"]: joint for joint in found["joints"]}["upper arm"]["centre_in_child_m"]
    assert skeleton(tmp_path, path, "--body-parents", known) == 0
    in_mm = document(tmp_path, "arm")["joints"]
    in_mm = {joint["child"]: joint for joint in in_mm}["upper arm"]["centre_in_child_m"]
    np.testing.assert_allclose(in_cm, 10.0 * np.array(in_mm), rtol=1e-6)


def test_options_reach_the_fit():
    values = {"body_root": "b", "body_parents": ("a=b", "b="), "free_beyond_mm": 40.0}
    assert set(values) == {item.name for item in options_of("bodies")}
    assert body_options_of(values) == BodyOptions(
        root="b", parents={"a": "b", "b": None}, free_beyond_m=0.04
    )
    assert body_options_of(checked_options({}, ("bodies",))) == BodyOptions()


def test_a_frame_rate_that_the_file_does_not_say(tmp_path, capsys):
    path = write_table(arm(1).tracks(), tmp_path / "arm.csv")
    path.write_text(path.read_text("utf-8").replace("# frame_rate: 60\n", ""), encoding="utf-8")
    assert skeleton(tmp_path, path) == 1
    assert "set the frame rate" in capsys.readouterr().err
    assert skeleton(tmp_path, path, "--frame-rate", "25") == 0
    assert document(tmp_path, "arm")["clips"][0]["frame_rate"] == 25.0


@pytest.mark.thorough
def test_a_scene_in_another_time_unit_is_named(tmp_path, capsys):
    path = tmp_path / "arm.csv"
    path.write_text(ARM.read_text("utf-8").replace("frame_rate: 30", "frame_rate: 100.7"), "utf-8")
    assert skeleton(tmp_path, path) == 0
    assert (
        "arm.skeleton.ma: Maya has no time unit for 100.7 fps, so the scene uses 100 fps; frame "
        "numbers are unchanged, but the motion plays 0.70 % slower"
    ) in capsys.readouterr().err
    scene, bvh = (read_motion(tmp_path / "out" / f"arm.skeleton.{end}") for end in ("ma", "bvh"))
    assert (scene.frame_rate, bvh.frame_rate) == (100.0, pytest.approx(100.7))
    assert len(scene.frames) == len(bvh.frames)


def test_estimate_says_where_tracks_belong(tmp_path, capsys):
    path = write_table(arm(1).tracks(), tmp_path / "arm.csv")
    (tmp_path / "arm.c3d").write_bytes(b"\x02\x50" + bytes(510))
    for name in (path, tmp_path / "arm.c3d"):
        assert main(["estimate", str(name), "--out", str(tmp_path / "out")]) == 1
        assert "jointlimits skeleton --estimate" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# The example --------------------------------------------------------------------------------------


def test_the_example_is_made_again_to_the_byte(tmp_path):
    make_tracked_arm.main(tmp_path)
    assert (tmp_path / ARM.name).read_bytes() == ARM.read_bytes(), "run examples.make_tracked_arm"


@pytest.mark.thorough
def test_the_example_has_what_it_was_made_with(tmp_path):
    assert skeleton(tmp_path, ARM, "--body-root", "chest", "--estimate") == 0
    found = document(tmp_path, "tracked_arm")
    assert found["parents"] == {
        "chest": None,
        "upper_arm": "chest",
        "forearm": "upper_arm",
        "hand": "forearm",
        "cup": None,
    }
    assert found["free"] == ["cup"]
    joints = {joint["child"]: joint for joint in found["joints"]}
    for name, joint in (("forearm", make_tracked_arm.ELBOW), ("hand", make_tracked_arm.WRIST)):
        # Three standard deviations, and half of the slip, which is in the fit.
        off = abs(1000.0 * joints[name]["length_m"] - np.linalg.norm(joint))
        assert off < 3000.0 * joints[name]["length_deviation_m"] + make_tracked_arm.SLIP_MM / 2
    assert joints["forearm"]["kind"] == "single-axis"
    [slip] = found["clips"][0]["slips"]
    assert slip["body"] == "forearm"
    assert slip["seconds"] == pytest.approx(make_tracked_arm.SLIP_SECONDS, abs=0.1)
    assert slip["distance_m"] == pytest.approx(make_tracked_arm.SLIP_MM / 1000.0, abs=0.003)
    limits = read_limit_set(tmp_path / "out" / "tracked_arm.limits.json")
    assert limits.joints["forearm"].type == "hinge"


# Real markers -------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_walk_of_markers_alone(tmp_path, capsys):
    path = shared_path("data/bodies/cmu_02_01.c3d")
    assert skeleton(tmp_path, path, "--estimate") == 0
    found = document(tmp_path, "cmu_02_01")
    assert list(problems(found, SCHEMA)) == []
    chains = ("thigh", "shin", "foot"), ("upper_arm", "forearm", "hand")
    for side in ("left", "right"):
        for chain, top in zip(chains, ("pelvis", "chest")):
            for part, above in zip(chain, (top, *(f"{side}_{part}" for part in chain))):
                assert found["parents"][f"{side}_{part}"] == above
    assert "LSHO, RSHN, LSHN, RSHO" in capsys.readouterr().out
    assert len(read_limit_set(tmp_path / "out" / "cmu_02_01.limits.json").joints) == 15
