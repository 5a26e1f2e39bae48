"""The command line: what people see, the exit codes, and that nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from jointlimits_core.cli.estimate import character_name
from jointlimits_core.cli.main import main
from jointlimits_core.limits.limit_set import LimitSet
from tests.support.batch_manifests import HEAD
from tests.support.house_files import ROOT
from tests.support.shared_data import shared_path

SCENE = ROOT / "examples" / "humanoid_rom.ma"

TINY_BVH = f"{HEAD}Frames: 8\nFrame Time: 0.04\n0 0 0 0 1 0\n" + "".join(
    f"0 0 {k} 0 {10 * k} 0\n" for k in range(1, 8)
)

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


BAD = {
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
    "alone.amc": (":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n", "ASF"),
    "empty_scene.ma": ('//Maya ASCII 2024 scene\nrequires maya "2024";\n', "joint"),
    "wrong.txt": ("hello", "motion"),
    "picture.mb": ("FOR8....", "Maya ASCII"),
    "binary.bvh": (bytes(range(256)) * 40, "binary.bvh"),
    "binary.ma": (bytes(range(256)) * 40, "binary.ma"),
}
"""Name of a file to what it holds and words that the message must have."""


@pytest.mark.parametrize("name", [*BAD, "folder.bvh", "missing.bvh"])
def test_bad_input_is_one_line_and_leaves_nothing(name, tmp_path, capsys):
    path, out = tmp_path / name, tmp_path / "out"
    held, words = BAD.get(name, (None, name))
    if held is not None:
        path.write_bytes(held if isinstance(held, bytes) else held.encode())
    elif name == "folder.bvh":
        path.mkdir()
    assert main(["estimate", str(path), "--out", str(out)]) == 1
    message = capsys.readouterr().err
    assert words in message
    assert str(path) in message
    assert "Traceback" not in message
    assert not out.exists()


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
