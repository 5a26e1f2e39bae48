"""``jointlimits people`` and ``jointlimits check --people``."""

from __future__ import annotations

import json

import pytest

import jointlimits_core as jl
from jointlimits_core.cli.main import main
from jointlimits_core.estimation.summary_file import read_summary
from jointlimits_core.people.people_file import SHIPPED, read_people
from tests.support.house_files import ROOT

BVH = ROOT / "examples" / "humanoid_rom.bvh"


@pytest.fixture
def library(tmp_path):
    """Manifest of two people, who are the same."""
    for name in ("ann", "ben"):
        (tmp_path / f"{name}.bvh").write_bytes(BVH.read_bytes())
    characters = [{"name": name, "clips": [f"{name}.bvh"]} for name in ("ann", "ben")]
    path = tmp_path / "characters.json"
    document = {"format": "jointlimits.manifest", "version": 1, "characters": characters}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_people_of_a_library_allow_their_own_poses(library, tmp_path, capsys):
    out = str(tmp_path / "people.npz")
    assert main(["people", str(library), "--licence", "ours", "--out", out]) == 0
    assert capsys.readouterr().out == f"wrote {out}: 2 characters\n"
    assert [(one.name, one.licence) for one in read_people(out).persons] == [
        *(("ann", "ours"), ("ben", "ours"))
    ]
    main(["check", "--people", out, str(BVH)])
    printed = capsys.readouterr().out
    assert "(2 people, tolerance 8 degrees)" in printed
    assert "not compared: LeftClavicle, RightClavicle" in printed
    (result,) = jl.check_people(BVH, out)
    # The rarest twists of a person do not count.
    assert result.outside < 0.01 * result.frames


def test_a_person_that_cannot_be_measured_writes_nothing(library, tmp_path, capsys):
    (tmp_path / "ben.bvh").write_text("HIERARCHY", encoding="utf-8")
    out = tmp_path / "people.npz"
    assert main(["people", str(library), "--licence", "ours", "--out", str(out)]) == 1
    assert "ben: " in capsys.readouterr().err
    assert not out.exists()


def test_the_example_goes_further_than_people(capsys):
    """A range-of-motion clip turns its joints as far as its made truth allows."""
    assert main(["check", "--people", "people", str(BVH), "--format", "json"]) == 1
    (clip,) = json.loads(capsys.readouterr().out)["clips"]
    assert not clip["passed"]
    worst = max(clip["joints"], key=lambda one: one["worst_deg"])
    assert worst["people"] == 0
    assert clip["not_compared"]["LeftClavicle"].startswith("clavicles do not move")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "--people", "x.npz"], "missing MOTION"),
        (["check", "x.limits.json"], "missing MOTION"),
        (
            ["check", "--people", "people", str(BVH), "--format", "junit"],
            "--people writes text or json",
        ),
        (["check", "--people", "people", str(BVH), "--tolerance", "3"], "leave out --tolerance"),
        (
            ["check", "--people", "people", str(BVH), "--write-baseline", "b"],
            "leave out --write-baseline",
        ),
        (["check", "--people", "people", str(BVH), "--shapes", "--report"], "--shapes, --report"),
        (["people", "m.json", "--licence", "a", "--out", "x.json"], "--out must end in .npz"),
    ],
)
def test_usage_errors_name_what_is_missing(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("empty", ["", "  "])
@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["estimate", str(BVH), "--from"], "--from"),
        (["estimate"], "INPUT"),
        (["estimate", str(BVH), "--out"], "--out"),
        (["fit", str(BVH), "--skeleton"], "--skeleton"),
        (["check", "--people"], "LIMITS.json"),
        (["check", "x.limits.json", str(BVH), "--baseline"], "--baseline"),
        (["merge", "--out", "x.json", "a.json"], "LIMITS.json"),
        (["people", "m.json", "--licence", "a", "--out"], "--out"),
        (["batch", "--manifest"], "--manifest"),
    ],
)
def test_empty_paths_are_named(arguments, name, empty, capsys):
    assert main([*arguments, empty]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"jointlimits: {name} is empty: give a path; see ")
    assert printed.count("\n") == 1
    with pytest.raises(jl.InputError, match=r"'.*': is an empty path; give a file"):
        jl.check_people(BVH, empty)


@pytest.mark.parametrize("count", [1, 2])
def test_people_cannot_be_measured_from_limit_sets(count, tmp_path, capsys):
    assert main(["estimate", str(BVH), "--out", str(tmp_path)]) == 0
    sets = [str(tmp_path / "humanoid_rom.limits.json")] * count
    capsys.readouterr()
    out = tmp_path / "people.npz"
    assert main(["people", *sets, "--licence", "ours", "--out", str(out)]) == 2
    printed = capsys.readouterr().err
    assert f"{sets[0]}: a limit set has no bones" in printed
    assert "jointlimits merge --people" in printed
    assert printed.count("\n") == 1
    assert not out.exists()


def test_a_rig_without_motion_gets_limits_in_one_command(tmp_path, capsys):
    scene = ROOT / "examples" / "humanoid_rom.ma"
    out = str(tmp_path)
    assert main(["estimate", str(scene), "--from", "people", "--apply", "--out", out]) == 0
    printed = capsys.readouterr().out
    assert "limits from 11 other people" in printed
    assert "humanoid_rom.limits.ma: " in printed


def test_a_summary_has_the_motion_of_the_rig_but_not_that_of_people(tmp_path, capsys):
    summary = str(tmp_path / "a.summary.npz")
    given = ["--from", "people", "--out", str(tmp_path)]
    assert main(["estimate", str(BVH), *given, "--save-summary", summary]) == 0
    assert [clip.clip.name for clip in read_summary(summary).clips] == ["humanoid_rom"]
    capsys.readouterr()
    assert main(["estimate", summary, *given]) == 1
    assert "summaries and --from do not go together" in capsys.readouterr().err


def test_a_summary_of_a_rig_that_does_not_move_is_not_written(tmp_path, capsys):
    still = tmp_path / "still.bvh"
    text = BVH.read_text(encoding="utf-8")
    head, _, frames = text.partition("Frames: ")
    first = frames.splitlines()[2]
    still.write_text(f"{head}Frames: 1\nFrame Time: 0.04\n{first}\n", encoding="utf-8")
    given = ["--from", "people", "--out", str(tmp_path), "--save-summary", "a.summary.npz"]
    assert main(["estimate", str(still), *given]) == 2
    assert "nothing moves here" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.limits.json"))


def test_merge_of_people_takes_what_two_of_them_reach(tmp_path):
    assert main(["estimate", str(BVH), "--out", str(tmp_path)]) == 0
    paths = []
    for end in (60, 90, 175):
        paths.append(str(tmp_path / f"{end}.json"))
        edit = ["--set", f"LeftKnee.X.max={end}", "--out", paths[-1]]
        assert main(["edit", str(tmp_path / "humanoid_rom.limits.json"), *edit]) == 0
    out = tmp_path / "all.json"
    assert main(["merge", "--people", *paths, "--out", str(out)]) == 0
    merged = jl.LimitSet.from_json(out.read_text(encoding="utf-8"))
    assert merged["LeftKnee"]["rotateX"].max_deg == pytest.approx(90.0)


def test_options_that_do_not_go_together_fail_in_a_batch_in_one_line(tmp_path, capsys):
    (tmp_path / "rig.bvh").write_bytes(BVH.read_bytes())
    both = {"people": "people", "mode": "paper"}
    characters = [{"name": "rig", "clips": ["rig.bvh"], "options": both}]
    document = {"format": "jointlimits.manifest", "version": 1, "characters": characters}
    path = tmp_path / "m.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert main(["batch", "--manifest", str(path), "--out", str(tmp_path / "out")]) == 1
    printed = capsys.readouterr().out
    assert "rig: failed: people must be off in the paper mode\n" in printed


def test_the_people_of_a_batch_are_files_beside_its_manifest(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "rig.bvh").write_bytes(BVH.read_bytes())
    (folder / "crew.npz").write_bytes(SHIPPED.read_bytes())
    characters = [{"name": "rig", "clips": ["rig.bvh"], "options": {"people": "crew.npz"}}]
    document = {"format": "jointlimits.manifest", "version": 1, "characters": characters}
    path = folder / "m.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run = ["batch", "--manifest", str(path), "--out", str(tmp_path / "out")]
    assert main(run) == 0
    (found,) = (tmp_path / "out").rglob("*.limits.json")
    limits = jl.LimitSet.from_json(found.read_text(encoding="utf-8"))
    assert limits.options["people"] == "crew.npz"
    # A people file that has changed makes results out of date.
    (folder / "crew.npz").write_bytes(b"")
    capsys.readouterr()
    assert main(run) == 1
    assert "rig: failed: " in capsys.readouterr().out


@pytest.mark.thorough
def test_a_batch_starts_from_people(tmp_path):
    (tmp_path / "rig.bvh").write_bytes(BVH.read_bytes())
    characters = [{"name": "rig", "clips": ["rig.bvh"], "options": {"people": "people"}}]
    document = {"format": "jointlimits.manifest", "version": 1, "characters": characters}
    path = tmp_path / "m.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert main(["batch", "--manifest", str(path), "--out", str(tmp_path / "out")]) == 0
    (found,) = (tmp_path / "out").rglob("*.limits.json")
    limits = jl.LimitSet.from_json(found.read_text(encoding="utf-8"))
    assert limits["LeftShoulder"].findings[0].rule == "other-people"
