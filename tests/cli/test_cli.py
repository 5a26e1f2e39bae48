"""The command line: what people see, the exit codes, and that nothing is left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from jointlimits_core.cli.estimate import character_name
from jointlimits_core.cli.main import main
from jointlimits_core.limits.limit_set import LimitSet
from tests.support.batch_manifests import HEAD
from tests.support.shared_data import shared_path

ROOT = Path(__file__).resolve().parents[2]
BVH = ROOT / "examples" / "humanoid_rom.bvh"
SCENE = ROOT / "examples" / "humanoid_rom.ma"

TINY_BVH = f"""{HEAD}Frames: 8
Frame Time: 0.04
0 0 0 0 1 0
0 0 1 0 10 0
0 0 2 0 20 0
0 0 3 0 30 0
0 0 4 0 40 0
0 0 5 0 50 0
0 0 6 0 60 0
0 0 7 0 70 0
"""

ASF = """:version 1.10
:name toy
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name leg
    direction 0 -1 0
    length 4
    axis 0 0 0 XYZ
    dof rx
    limits (-10.0 100.0)
  end
:hierarchy
  begin
    root leg
  end
"""


def test_estimate_writes_the_table_and_the_limit_set(tmp_path, capsys):
    clip = tmp_path / "walker.bvh"
    clip.write_text(TINY_BVH)
    assert main(["estimate", str(clip), "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    assert "knee" in shown
    assert "hinge" in shown
    document = json.loads((tmp_path / "out" / "walker.limits.json").read_text())
    knee = document["joints"]["knee"]
    assert knee["type"] == "hinge"
    assert knee["limits"]["rotateX"]["min_deg"] == pytest.approx(1.0, abs=1e-9)
    assert knee["limits"]["rotateX"]["max_deg"] == pytest.approx(70.0, abs=1e-9)
    assert knee["limits"]["rotateX"]["source"]["max"]["frame"] == 7.0
    assert knee["limits"]["rotateY"]["state"] == "locked"
    assert document["joints"]["hip"]["limits"]["rotateX"]["state"] == "free"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["walker.limits.json"]


def test_show_prints_what_estimate_printed(tmp_path, capsys):
    main(["estimate", str(BVH), "--out", str(tmp_path)])
    estimated = capsys.readouterr().out
    assert main(["show", str(tmp_path / "humanoid_rom.limits.json")]) == 0
    shown = capsys.readouterr().out
    assert estimated.startswith(shown.rstrip("\n"))


def test_options_reach_the_estimate(tmp_path):
    arguments = ["--pad", "2", "--samples", "50", "--joints", "*Knee", "--rest", "first"]
    assert main(["estimate", str(BVH), "--out", str(tmp_path), *arguments]) == 0
    limits = LimitSet.from_json((tmp_path / "humanoid_rom.limits.json").read_text())
    assert list(limits.joints) == ["LeftKnee", "RightKnee"]
    assert limits.options["pad_deg"] == 2.0
    assert limits.options["samples"] == 50
    bound = limits.joints["LeftKnee"].limits["rotateX"]
    assert bound.source.max is not None
    assert bound.source.max.kind == "padded"
    assert bound.max_deg == pytest.approx(bound.source.max.value_deg + 2.0)


def test_clips_of_one_character_are_pooled_under_its_name(tmp_path, capsys):
    (tmp_path / "toy.asf").write_text(ASF)
    for number, angle in (("01", 40), ("02", 80)):
        frames = "".join(f"{k}\nroot 0 0 0 0 0 0\nleg {angle * k / 9}\n" for k in range(1, 10))
        (tmp_path / f"toy_{number}.amc").write_text(":FULLY-SPECIFIED\n:DEGREES\n" + frames)
    clips = [str(tmp_path / f"toy_{number}.amc") for number in ("01", "02")]
    skeleton = ["--skeleton", str(tmp_path / "toy.asf")]
    assert main(["estimate", *clips, *skeleton, "--out", str(tmp_path)]) == 0
    limits = LimitSet.from_json((tmp_path / "toy.limits.json").read_text())
    assert [clip.name for clip in limits.clips] == ["toy_01", "toy_02"]
    top = limits.joints["leg"].limits["rotateX"]
    assert top.max_deg == pytest.approx(80.0)
    assert top.source.max is not None
    assert top.source.max.clip == "toy_02"
    assert main(["estimate", *clips, "--out", str(tmp_path / "beside")]) == 0
    beside = tmp_path / "beside" / "toy.limits.json"
    assert beside.read_bytes() == (tmp_path / "toy.limits.json").read_bytes()
    (tmp_path / "toy.asf").rename(tmp_path / "one.asf")
    (tmp_path / "two.asf").write_text(ASF)
    capsys.readouterr()
    assert main(["estimate", clips[0], "--out", str(tmp_path / "none")]) == 1
    assert "none with a matching name: one.asf, two.asf" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("character", "clips", "expected"),
    [
        ("ann", ["a_01", "a_02"], "ann"),
        ("run_01", ["run_01", "run_02"], "run"),
        ("jump", ["jump", "run"], "jump"),
        ("jump", ["jump"], "jump"),
        ("", ["jump", "run"], "jump"),
    ],
)
def test_character_names(character, clips, expected):
    records = [SimpleNamespace(clip=SimpleNamespace(name=name)) for name in clips]
    summary = SimpleNamespace(skeleton=SimpleNamespace(name=character), clips=records)
    assert character_name(summary) == expected


def test_a_clip_is_added_to_a_summary_without_reading_the_others(tmp_path):
    for number, top in (("01", 30), ("02", 70), ("03", 50)):
        rows = "".join(f"0 0 {k} 0 {top * k / 9} 0\n" for k in range(10))
        head = TINY_BVH.split("0 0 0 0 1 0")[0].replace("Frames: 8", "Frames: 10")
        (tmp_path / f"walk_{number}.bvh").write_text(head + rows)
    clips = [str(tmp_path / f"walk_{number}.bvh") for number in ("01", "02", "03")]
    out = ["--out", str(tmp_path)]
    kept = str(tmp_path / "walk.summary.npz")
    assert main(["estimate", *clips, "--character", "all", *out]) == 0
    assert main(["estimate", *clips[:2], "--save-summary", kept, *out]) == 0
    for path in clips[:2]:
        Path(path).unlink()
    first = (tmp_path / "all.limits.json").read_text()
    (tmp_path / "all.limits.json").unlink()
    assert main(["estimate", clips[2], kept, "--character", "all", *out]) == 0
    assert (tmp_path / "all.limits.json").read_text() == first
    limits = LimitSet.from_json(first)
    assert limits.joints["knee"].limits["rotateX"].max_deg == pytest.approx(70.0)
    (tmp_path / "broken.summary.npz").write_bytes(b"PK not a summary")
    assert main(["estimate", str(tmp_path / "broken.summary.npz"), *out]) == 1


@pytest.mark.thorough
def test_apply_estimates_reads_back(tmp_path, capsys):
    assert main(["estimate", str(SCENE), "--apply", "--out", str(tmp_path)]) == 0
    copy = tmp_path / "humanoid_rom.limits.ma"
    assert "wrote" in capsys.readouterr().out
    from jointlimits_core.formats.registry import read_motion
    from jointlimits_core.limits.ranges import unmoved_joints

    limits = LimitSet.from_json((tmp_path / "humanoid_rom.limits.json").read_text())
    unmoved = unmoved_joints(limits)
    declared = read_motion(copy).skeleton.declarations
    checked = 0
    for name, joint in limits.joints.items():
        for channel, axis in joint.limits.items():
            if name not in unmoved and axis.state != "free":
                low, high = declared[name].limits_deg[channel]
                assert low == pytest.approx(axis.min_deg, abs=1e-9)
                assert high == pytest.approx(axis.max_deg, abs=1e-9)
                checked += 1
    assert checked > 40
    # Estimating from the copy finds the same limits: the keys are looked at, not the clamped joint.
    assert main(["estimate", str(copy), "--out", str(tmp_path), "--character", "again"]) == 0
    again = LimitSet.from_json((tmp_path / "again.limits.json").read_text())
    assert {n: j.limits for n, j in again.joints.items()}.keys() == limits.joints.keys()
    for name, joint in limits.joints.items():
        for channel, axis in joint.limits.items():
            assert again.joints[name].limits[channel].min_deg == axis.min_deg


def test_paper_mode_is_kept_away_from_maya(tmp_path, capsys):
    assert main(["estimate", str(SCENE), "--mode", "paper", "--apply", "--out", str(tmp_path)]) == 2
    assert "ZYZ" in capsys.readouterr().err
    assert main(["estimate", str(BVH), "--mode", "paper", "--out", str(tmp_path)]) == 0
    limits = str(tmp_path / "humanoid_rom.limits.json")
    assert main(["apply", limits, str(SCENE), "--out", str(tmp_path / "x.ma")]) == 2
    assert not (tmp_path / "x.ma").exists()


def _bad_inputs(folder: Path) -> dict[str, tuple[Path, str]]:
    """Name of the case to file and words that the message must have."""
    texts = {
        "empty.bvh": ("", "empty"),
        "truncated.bvh": (TINY_BVH[:160], "truncated.bvh:"),
        "no_frames.bvh": (TINY_BVH.split("0 0 0 0 1 0")[0].replace("8", "0"), "frame"),
        "zero_time.bvh": (TINY_BVH.replace("0.04", "0.0"), "zero_time.bvh:"),
        "nan.bvh": (TINY_BVH.replace("0 0 3 0", "0 0 nan 0"), "nan.bvh:22:"),
        "inf.bvh": (TINY_BVH.replace("0 0 3 0", "0 0 inf 0"), "inf.bvh:22:"),
        "ind.bvh": (TINY_BVH.replace("0 0 3 0", "0 0 -1.#IND 0"), "ind.bvh:22:"),
        "words.bvh": (TINY_BVH.replace("0 0 3 0", "0 0 three 0"), "words.bvh:22:"),
        "braces.bvh": ("HIERARCHY\nROOT a\n" + "{\nJOINT b\n" * 200_000, "braces.bvh:"),
        "braces.ma": ("//Maya ASCII 2024 scene\n" + "{" * 1_000_000, "braces.ma:"),
        "brackets.json": ("[" * 1_000_000, "nested"),
        "alone.amc": (":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n", "ASF"),
        "empty_scene.ma": ('//Maya ASCII 2024 scene\nrequires maya "2024";\n', "joint"),
        "wrong.txt": ("hello", "motion"),
        "picture.mb": ("FOR8....", "Maya ASCII"),
    }
    found = {}
    for name, (text, words) in texts.items():
        (folder / name).write_text(text)
        found[name] = (folder / name, words)
    (folder / "binary.bvh").write_bytes(bytes(range(256)) * 40)
    (folder / "binary.ma").write_bytes(bytes(range(256)) * 40)
    (folder / "folder.bvh").mkdir()
    for name in ("binary.bvh", "binary.ma", "folder.bvh", "missing.bvh"):
        found[name] = (folder / name, name)
    return found


BAD = [
    *("empty.bvh", "truncated.bvh", "no_frames.bvh", "zero_time.bvh", "nan.bvh", "inf.bvh"),
    *("ind.bvh", "words.bvh", "braces.bvh", "braces.ma", "alone.amc", "empty_scene.ma"),
    *("wrong.txt", "picture.mb", "binary.bvh", "binary.ma", "folder.bvh", "missing.bvh"),
]


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_leaves_nothing(name, tmp_path, capsys):
    path, words = _bad_inputs(tmp_path)[name]
    out = tmp_path / "out"
    assert main(["estimate", str(path), "--out", str(out)]) == 1
    message = capsys.readouterr().err
    assert words in message
    assert str(path) in message
    assert "Traceback" not in message
    assert not out.exists()


def test_a_limit_set_that_is_none(tmp_path, capsys):
    path, words = _bad_inputs(tmp_path)["brackets.json"]
    assert main(["show", str(path)]) == 1
    assert words in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["line.bvh", "line.amc", "line.ma"])
def test_a_line_of_two_gigabytes_is_refused_in_bounded_memory(name, tmp_path):
    """The file is sparse, so this costs no disk; the process may use 700 MB, not 2 GB."""
    heads = {
        "line.bvh": b"HIERARCHY\nROOT a",
        "line.amc": b":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0",
        "line.ma": b'//Maya ASCII 2024 scene\ncreateNode joint -n "a',
    }
    path = tmp_path / name
    with path.open("wb") as stream:
        stream.write(heads[name])
        stream.truncate(2 << 30)
    (tmp_path / "toy.asf").write_text(ASF)
    script = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (700 << 20, 700 << 20))\n"
        "from jointlimits_core.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    skeleton = ["--skeleton", str(tmp_path / "toy.asf")] if name.endswith(".amc") else []
    arguments = ["estimate", str(path), *skeleton]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments, "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert str(path) in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_clips_of_different_characters_are_not_pooled(tmp_path, capsys):
    one, other = tmp_path / "one.bvh", tmp_path / "other.bvh"
    one.write_text(TINY_BVH)
    other.write_text(TINY_BVH.replace("knee", "elbow"))
    assert main(["estimate", str(one), str(other), "--out", str(tmp_path / "out")]) == 1
    assert "a different character" in capsys.readouterr().err


def test_character_names_cannot_leave_the_folder(tmp_path):
    clip = tmp_path / "c.bvh"
    clip.write_text(TINY_BVH)
    out = tmp_path / "out"
    assert main(["estimate", str(clip), "--out", str(out), "--character", "../../e vil"]) == 0
    assert [path.parent for path in tmp_path.rglob("*.json")] == [out]


@pytest.mark.parametrize(("given", "taken"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "4"}, "4")])
def test_linear_algebra_takes_one_thread_unless_told_otherwise(given, taken):
    """Further threads wait as busily as the first works, and change the last bits of sums."""
    script = (
        "import os, sys\n"
        "from jointlimits_core.cli.main import program\n"
        "sys.argv[1:] = ['--version']\n"
        "program()\n"
        "print(os.environ['OPENBLAS_NUM_THREADS'], 'numpy' in sys.modules)\n"
    )
    kept = {name: words for name, words in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, env=kept | given
    )
    assert done.stdout.split()[-2:] == [taken, "False"], "numpy reads it when it is loaded"


def test_without_standard_streams_it_does_its_work(tmp_path, monkeypatch):
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    clip = tmp_path / "tiny.bvh"
    clip.write_text(TINY_BVH)
    assert main(["estimate", str(clip), "--out", str(tmp_path)]) == 0
    assert main(["estimate", str(tmp_path / "none.bvh")]) == 1
    assert (tmp_path / "tiny.limits.json").exists()


def test_a_pipe_that_nobody_reads_is_no_failure(tmp_path, monkeypatch):
    clip = tmp_path / "tiny.bvh"
    clip.write_text(TINY_BVH)
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert main(["estimate", str(clip), "--out", str(tmp_path)]) == 0
        assert main(["show", str(tmp_path / "tiny.limits.json"), "--format", "json"]) == 0


@pytest.mark.thorough
def test_subject_02_as_in_the_readme_of_the_data(tmp_path, capsys):
    folder = shared_path("data/mocap/cmu_asfamc/02")
    clips = sorted(str(path) for path in folder.glob("02_0*.amc"))
    skeleton = ["--skeleton", str(folder / "02.asf")]
    assert main(["estimate", *clips, *skeleton, "--out", str(tmp_path)]) == 0
    limits = LimitSet.from_json((tmp_path / "02.limits.json").read_text())
    for side in "lr":
        assert limits.joints[f"{side}tibia"].type == "hinge"
        assert limits.joints[f"{side}radius"].type == "hinge"
        assert limits.joints[f"{side}femur"].type == "ball"
        assert limits.joints[f"{side}humerus"].type == "ball"
