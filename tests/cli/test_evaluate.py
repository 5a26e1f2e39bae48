"""``jointlimits evaluate``: what it prints, its options and exit codes."""

import json
from pathlib import Path

import pytest

from jointlimits_core.base import in_columns
from jointlimits_core.cli import main
from jointlimits_core.estimation import EstimateOptions, estimate
from jointlimits_core.evaluation import evaluate
from jointlimits_core.formats import read_motion
from jointlimits_core.limits import write_limit_set
from jointlimits_core.report.terminal import evaluation_text
from tests.cli.test_check import bvh
from tests.support.evaluation_examples import box, limits
from tests.support.made_motion import clip, rotate, waves
from tests.support.shared_data import shared


@pytest.fixture
def files(tmp_path):
    """Limits from two clips of a knee, and a third clip that goes further."""
    paths = {
        "walk": bvh(tmp_path / "walk.bvh", range(0, 61, 5)),
        "run": bvh(tmp_path / "run.bvh", range(10, 81, 5)),
        "jump": bvh(tmp_path / "jump.bvh", [20, 40, 60, 95, 100, 30, 20, 10]),
    }
    limit_set = estimate([read_motion(paths["walk"]), read_motion(paths["run"])])
    write_limit_set(limit_set, tmp_path / "knee.limits.json")
    return {**paths, "limits": str(tmp_path / "knee.limits.json"), "folder": tmp_path}


def evaluated(files, *arguments):
    out = files["folder"] / "out.json"
    clips = [files[name] for name in ("walk", "run", "jump")]
    given = [*clips, *arguments, "--format", "json", "--out", str(out)]
    assert main(["evaluate", files["limits"], *given]) == 0
    return json.loads(out.read_text(encoding="utf-8"))


def test_everything_in_one_document(files):
    document = evaluated(files)
    assert (document["format"], document["version"]) == ("jointlimits.evaluation", 1)
    coverage = document["coverage"]
    assert [item["used"] for item in coverage["clips"]] == [True, True, False]
    # Of the clip that the limits do not come from, two of eight frames are outside.
    assert coverage["whole_pose"] == pytest.approx(0.75)
    assert [item["frames_clipped"] for item in document["rehearsals"]] == [0, 0, 2]
    assert document["rehearsals"][2]["joints"][0]["worst_deg"] == pytest.approx(20.0)
    assert document["violations"][2]["violations"][0]["worst_frame"] == 4.0
    assert document["leak"] == []
    assert document["cross_validation"] is None
    assert document["next_moves"]["clips"] == 2


def test_only_clips_that_are_held_out(files):
    document = evaluated(files, "--held-out")
    assert [item["clip"] for item in document["coverage"]["clips"]] == ["jump"]
    assert [item["clip"] for item in document["rehearsals"]] == ["jump"]


def test_one_clip_out_at_a_time(files):
    document = evaluated(files, "--leave-one-out")
    crossed = document["cross_validation"]
    assert [fold["clip"] for fold in crossed["folds"]] == ["walk", "run", "jump"]
    assert crossed["bounds"][0]["joint"] == "knee"
    assert crossed["bounds"][0]["inner_clip"] == "jump"
    assert crossed["bounds"][0]["inner_deg"] == pytest.approx(80.0)


def test_the_text_has_every_part(files, capsys):
    clips = [files[name] for name in ("walk", "run", "jump")]
    assert main(["evaluate", files["limits"], *clips, "--leave-one-out"]) == 0
    out = capsys.readouterr().out
    for words in (
        "Coverage: frames inside (tolerance 0.1 degrees), of clips that the limits do not come",
        "total: 75.0% of 8 frames",
        "Clamping preview: what enabling the limits would change",
        "Leak: no universal or ball joint has limits",
        "Cross-validation: each clip against limits from all the others",
        "knee X max",
        "Move these next",
        "bend it further (rotateX above 80.0 degrees)",
    ):
        assert words in out
    assert max(map(len, out.splitlines())) <= 110


def test_the_text_of_clips_that_are_all_inside(files, capsys):
    assert main(["evaluate", files["limits"], files["walk"]]) == 0
    out = capsys.readouterr().out
    assert "of the limits' own clips" in out
    assert "every joint is inside in every frame" in out
    assert "Clamping preview: enabling the limits changes none of 13 frames" in out


def test_the_tolerance(files):
    assert evaluated(files, "--tolerance", "25")["coverage"]["whole_pose"] == 1.0


def test_exit_codes(files, capsys):
    limit_set, walk, run = files["limits"], files["walk"], files["run"]
    assert main(["evaluate", limit_set]) == 2
    assert main(["evaluate", limit_set, walk, run, "--held-out", "--leave-one-out"]) == 2
    assert main(["evaluate", limit_set, walk, "--leave-one-out"]) == 2
    assert main(["evaluate", limit_set, walk, "--tolerance", "-3"]) == 2
    assert main(["evaluate", limit_set, walk, "--format", "junit"]) == 2
    assert main(["evaluate", limit_set, walk, "--out", walk]) == 2
    capsys.readouterr()
    assert main(["evaluate", limit_set, walk, run, "--held-out"]) == 1
    assert "come from every clip" in capsys.readouterr().err
    missing = str(files["folder"] / "missing.bvh")
    assert main(["evaluate", limit_set, walk, missing]) == 1
    shown = capsys.readouterr()
    assert "missing.bvh" in shown.err
    assert shown.out == ""
    assert main(["evaluate", walk, walk]) == 1
    printed = files["folder"] / "paper.json"
    write_limit_set(estimate(read_motion(walk), EstimateOptions(mode="paper")), printed)
    assert main(["evaluate", str(printed), walk]) == 2


def test_leak_is_measured_against_the_clips_that_the_limits_come_from():
    x, y, z = waves((-30, 30), (-30, 30), (-30, 30), frames=200)
    own, other = clip({"a": rotate(x, y, z)}, name="own"), clip({"a": rotate(x)}, name="other")
    limit_set = estimate(own)
    both, alone = evaluate(limit_set, [own, other]), evaluate(limit_set, own)
    assert both.leak == alone.leak
    assert evaluate(limit_set, other).leak[0].leak > alone.leak[0].leak
    assert "flat" not in evaluation_text(alone)


def test_names_cannot_act_on_the_terminal():
    name = "a\x1b[31m\n\u202eb"
    limit_set = limits({name: box((0, 10), (0, 10), (0, 10))}, clips=("x\x1b",))
    found = evaluate(limit_set, clip({name: rotate(x=[0, 30])}, name="y\x1b"))
    text = evaluation_text(found, ascii_only=True)
    text.encode("ascii")
    assert "\x1b" not in text
    assert "\\x1b[31m" in text


def test_columns():
    lines = in_columns([("name", "n"), ("骨", "100"), ("b", "7")], right=(1,), indent=" ")
    assert lines == [" name    n", " ---------", " 骨    100", " b       7"]


@pytest.mark.thorough
def test_subject_02_one_clip_held_out_at_a_time(tmp_path, capsys):
    folder = shared("data/mocap/cmu_asfamc/02")
    skeleton = ["--skeleton", str(folder / "02.asf")]
    clips = [str(path) for path in sorted(Path(folder).glob("*.amc"))]
    assert main(["estimate", *clips, *skeleton, "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    limit_set = str(tmp_path / "02.limits.json")
    assert main(["evaluate", limit_set, *clips, *skeleton, "--leave-one-out"]) == 0
    out = capsys.readouterr().out
    assert "02_10" in out
    assert "left shoulder (lhumerus)" in out
    assert "not moved in any clip: lhipjoint" in out
