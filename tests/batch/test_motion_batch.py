"""``jointlimits batch``: a library of motion files gives the same bytes however it is split."""

from __future__ import annotations

import csv
import json
import random
import shutil
import sys
from functools import partial

import pytest

from jointlimits_core.batch.manifest import OPTIONS, read_manifest
from jointlimits_core.batch.motion_files import MotionFiles, estimate_entry
from jointlimits_core.cli.main import main
from jointlimits_core.estimation import pipeline
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate, summarize
from jointlimits_core.formats import registry
from jointlimits_core.formats.registry import read_motion, read_takes
from jointlimits_core.limits.limit_set import read_limit_set
from tests.support.batch_manifests import bvh_text, contents, write_library, write_manifest
from tests.support.batch_runs import killed_again_and_again, run_to_end
from tests.support.batch_scenes import leg
from tests.support.maya_scenes import write_scene
from tests.support.page_streams import content_of, pieces, words_of
from tests.support.shared_data import shared_path

COUNT, BROKEN, CUT = 9, (4,), 2
estimated = partial(estimate_entry, MotionFiles, OPTIONS)


def command(manifest, out, *arguments):
    program = [sys.executable, "-m", "jointlimits_core", "batch", "--manifest", str(manifest)]
    return [*program, "--out", str(out), *arguments]


def run(manifest, out, *arguments, code=0):
    return run_to_end(command(manifest, out, *arguments), code=code)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    home = tmp_path_factory.mktemp("motions")
    manifest = write_library(home, COUNT, broken=BROKEN, options={"symmetry": "report"})
    clip = home / f"clip_{CUT:02d}.bvh"
    clip.write_text("\n".join(clip.read_text().splitlines()[:-4]) + "\n")
    done = run(manifest, home / "undisturbed", code=1)
    return manifest, contents(home / "undisturbed"), done.stdout


def limits_of(folder, name):
    (path,) = folder.glob(f"{name}*.limits.json")
    return read_limit_set(path)


@pytest.mark.thorough
def test_what_is_in_a_result_is_what_estimate_gives(library):
    manifest, _, _ = library
    found = limits_of(manifest.parent / "undisturbed", "actor_03")
    motion = read_motion(manifest.parent / "clip_03.bvh")
    expected = estimate(motion, EstimateOptions(symmetry="report"))
    assert found.joints == expected.joints
    assert found.clips == expected.clips
    assert found.character == "actor 03"


@pytest.mark.thorough
def test_one_that_fails_stops_no_other(library):
    _, files, printed = library
    assert printed.endswith("8 ok, 1 failed, 0 missing; 1 with findings\n")
    rows = json.loads(files["summary.json"])["characters"]
    assert [row["status"] for row in rows] == ["ok"] * 4 + ["failed"] + ["ok"] * 4
    assert rows[4]["message"].startswith("clip_04.bvh:")
    assert b"\nactor 04,failed,,,0,0,,," in files["library.csv"]
    assert b"clip_04.bvh:" in files["library.html"]


@pytest.mark.thorough
def test_what_was_found_in_a_clip_is_reported_everywhere(library):
    manifest, files, printed = library
    limit_set = limits_of(manifest.parent / "undisturbed", f"actor_{CUT:02d}")
    assert [one.rule for one in limit_set.findings].count("frame-count") == 1
    assert "] actor 02: ok, 1 finding: frame-count" in printed
    assert printed.count("finding") == 2
    summary = json.loads(files["summary.json"])
    row = summary["characters"][CUT]
    (result,) = [json.loads(files[name]) for name in files if name == row["result"]]
    assert result["findings"] == row["findings"]
    assert row["findings"]["frame-count"] == 1
    assert summary["with_findings"] == 1
    assert summary["findings"]["frame-count"] == {"characters": 1, "findings": 1}
    page = files["library.html"].decode("utf-8")
    (link,) = [name for name in files if name.startswith("actor_02-") and "limits" in name]
    assert {"is": "a", "in": "actor 02", "href": f"./{link}"} in pieces(content_of(page), "a")
    assert len(pieces(content_of(page), "bones")) == 8


@pytest.mark.thorough
def test_the_same_bytes_by_two_processes(library, tmp_path):
    manifest, undisturbed, _ = library
    run(manifest, tmp_path, "--jobs", "2", code=1)
    assert contents(tmp_path) == undisturbed


@pytest.mark.thorough
def test_the_same_bytes_by_parts_on_other_machines(library, tmp_path):
    manifest, undisturbed, _ = library
    elsewhere = tmp_path / "another" / "mount"
    shutil.copytree(manifest.parent, elsewhere, ignore=shutil.ignore_patterns("undisturbed"))
    out = tmp_path / "out"
    for items, place in (("6-8", manifest), ("0-3", elsewhere / manifest.name), ("4-5", manifest)):
        run(place, out, "--items", items, code=1 if items == "4-5" else 0)
    run(manifest, out, "--merge", code=1)
    assert contents(out) == undisturbed


@pytest.mark.slow
def test_killed_fifty_times_nothing_is_half_written_and_nothing_is_lost(library, tmp_path):
    manifest, undisturbed, _ = library
    again = command(manifest, tmp_path, "--resume", "--jobs", "2")
    chance, at_work = random.Random(11), 0
    for _ in range(50):
        at_work += killed_again_and_again(
            again, tmp_path, undisturbed, times=1, seed=chance.random()
        )
        # So that there is always something to do.
        there = sorted(tmp_path.glob("*.json"))
        for path in chance.sample(there, k=len(there) // 3):
            path.unlink()
    assert at_work > 10
    run(manifest, tmp_path, "--resume", code=1)
    assert contents(tmp_path) == undisturbed
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.thorough
def test_failures_that_are_only_reported(library, tmp_path):
    manifest, undisturbed, _ = library
    part = run(manifest, tmp_path, "--items", "4-8", "--progress", "openjd")
    assert "] actor 04: failed: clip_04.bvh:" in part.stdout
    missing = run(manifest, tmp_path, "--merge", code=1)
    assert missing.stdout.endswith("4 ok, 1 failed, 4 missing\n")
    run(manifest, tmp_path, "--items", "0-3")
    run(manifest, tmp_path, "--merge", code=1)
    assert contents(tmp_path) == undisturbed


@pytest.mark.thorough
def test_lines_for_a_farm(library, tmp_path):
    manifest, _, _ = library
    printed = run(manifest, tmp_path, "--items", "3-4", "--progress", "openjd").stdout
    lines = printed.splitlines()
    assert [line for line in lines if line.startswith("openjd_progress")] == [
        *("openjd_progress: 50.0", "openjd_progress: 100.0")
    ]
    assert "openjd_status: actor 03: ok" in lines
    assert not any(line.startswith("openjd_fail") for line in lines)
    printed = run(manifest, tmp_path, "--merge", "--progress", "openjd", code=1).stdout
    assert printed.splitlines()[-1].startswith(
        "openjd_fail: 8 characters without limits, see summary"
    )


def test_clips_are_read_one_by_one_and_give_what_all_give(tmp_path, monkeypatch):
    for number, top in enumerate((20, 50, 35)):
        (tmp_path / f"{number}.bvh").write_text(bvh_text(top))
    clips = ["0.bvh", "1.bvh", "2.bvh"]
    manifest = write_manifest(tmp_path, [{"name": "a", "clips": clips}])
    (character,) = read_manifest(manifest).characters
    alive = []

    def reading(path, **options):
        motions = read_takes(path, **options)
        alive.append(path.name)
        return motions

    def summing(clips, *others, **more):
        alive.extend("summed" for _ in clips)
        return summarize(clips, *others, **more)

    monkeypatch.setattr(registry, "read_takes", reading)
    monkeypatch.setattr(pipeline, "summarize", summing)
    found = estimated(character, tmp_path).limit_set
    assert alive == ["0.bvh", "summed", "1.bvh", "summed", "2.bvh", "summed"]
    assert found == estimate([read_motion(tmp_path / clip) for clip in clips])


NAMED_ALIKE = ("walk", "walk@knee", "walk:3", "one")


@pytest.mark.parametrize("wish", ["walk@knee", "walk:3", "walk:3@hip", "walk@knee@knee"])
def test_exclusions_mean_the_same_whether_clips_are_read_one_by_one(tmp_path, wish):
    """Files may be named like frames or joints of another; one clip has one frame."""
    paths = [tmp_path / f"{name}.bvh" for name in NAMED_ALIKE]
    for number, path in enumerate(paths):
        path.write_text(bvh_text(20 + 5 * number, frames=1 if path.stem == "one" else 24))
    options = EstimateOptions(exclude=(wish,))
    expected = estimate([read_motion(path) for path in paths], options)
    entry = {"name": "a", "clips": [path.name for path in paths]}
    for report in (False, True):
        more = {"exclude": [wish], "report": report}
        folder = tmp_path / f"report {report}"
        manifest = write_manifest(tmp_path, [{**entry, "options": more}])
        folder.mkdir()
        (character,) = read_manifest(manifest).characters
        assert estimated(character, folder).limit_set.joints == expected.joints
    files = list(map(str, paths))
    assert main(["estimate", *files, "--exclude", wish, "--out", str(tmp_path / "alone")]) == 0
    assert limits_of(tmp_path / "alone", "").joints == expected.joints


@pytest.mark.parametrize(
    "options", [{"orientation": "advised"}, {"rest": "frame:3"}, {"mode": "paper"}]
)
def test_what_needs_every_frame_has_every_frame(tmp_path, options):
    for number, top in enumerate((20, 50)):
        (tmp_path / f"{number}.bvh").write_text(bvh_text(top))
    entry = {"name": "a", "clips": ["0.bvh", "1.bvh"], "options": options}
    (character,) = read_manifest(write_manifest(tmp_path, [entry])).characters
    found = estimated(character, tmp_path).limit_set
    clips = [read_motion(tmp_path / name) for name in ("0.bvh", "1.bvh")]
    assert found == estimate(clips, EstimateOptions(**options))


def test_coupled_limits_of_an_entry(tmp_path):
    (tmp_path / "0.bvh").write_text(bvh_text(40))
    entry = {"name": "a", "clips": ["0.bvh"], "options": {"coupled": True, "shape": "box"}}
    (character,) = read_manifest(write_manifest(tmp_path, [entry])).characters
    found = estimated(character, tmp_path).limit_set
    assert found.joints["knee"].coupled is not None


def test_a_page_of_an_entry(tmp_path):
    (tmp_path / "0.bvh").write_text(bvh_text(40))
    entry = {"name": "<Anna>", "clips": ["0.bvh"], "options": {"report": True}}
    (character,) = read_manifest(write_manifest(tmp_path, [entry])).characters
    page = estimated(character, tmp_path).files[".limits.html"].read_text(encoding="utf-8")
    assert "&lt;Anna&gt;" in page
    assert "knee" in page
    assert "<Anna>" not in page


@pytest.mark.thorough
def test_limits_into_the_copy_of_a_scene(tmp_path):
    write_scene(tmp_path, leg(40.0), "leg.ma")
    before = (tmp_path / "leg.ma").read_bytes()
    entry = {"name": "a", "scene": "leg.ma", "options": {"apply": True}}
    out = tmp_path / "out"
    run(write_manifest(tmp_path, [entry]), out)
    (copy,) = out.glob("*.limits.ma")
    assert (tmp_path / "leg.ma").read_bytes() == before
    assert read_motion(copy).skeleton.declarations["knee"].limits_deg["rotateX"] != (None, None)
    assert "rotateX" not in read_motion(tmp_path / "leg.ma").skeleton.declarations
    (result,) = out.glob("*.result.json")
    applied = json.loads(result.read_text())["details"]["applied"]
    assert "knee" in applied["written"]


def write_knee(folder, keys):
    """Scene with five keys on the X channel of a knee."""
    (folder / "leg.ma").write_text(
        '//Maya ASCII 2024 scene\nrequires maya "2024";\ncreateNode joint -n "hip";\n'
        'createNode joint -n "knee" -p "hip";\ncreateNode animCurveTA -n "x";\n'
        f'\tsetAttr -s 5 ".ktv[0:4]"  {keys};\nconnectAttr "x.o" "knee.rx";\n'
    )


@pytest.mark.thorough
@pytest.mark.parametrize("may_move", [False, True])
def test_channels_that_limits_would_change_are_counted(tmp_path, may_move):
    write_knee(tmp_path, "1 5 2 20 3 35 4 30 5 10")
    options = {"apply": True, "may_move": may_move, "exclude": ["leg:3"]}
    manifest = write_manifest(tmp_path, [{"name": "a", "scene": "leg.ma", "options": options}])
    printed = run(manifest, tmp_path / "out").stdout
    words = "poses change on 1 channel" if may_move else "left off: 1 channel"
    assert f"a: ok, {words}" in printed
    row = json.loads((tmp_path / "out" / "summary.json").read_text())["characters"][0]
    assert (row["left_off"], row["moved"]) == ((0, 1) if may_move else (1, 0))


@pytest.mark.thorough
def test_filtered_keys_of_a_scene_are_measured_and_written(tmp_path):
    write_knee(tmp_path, "1 5 2 20 3 395 4 30 5 10")
    options = {"apply": True, "filter_keys": True}
    entry = {"name": "a", "scene": "leg.ma", "options": options}
    run(write_manifest(tmp_path, [entry]), tmp_path / "out")
    (copy,) = (tmp_path / "out").glob("*.limits.ma")
    assert "1 5 2 20 3 35 4 30 5 10;" in copy.read_text()
    limits = limits_of(tmp_path / "out", "a").joints["knee"].limits["rotateX"]
    assert (limits.min_deg, limits.max_deg) == pytest.approx((5.0, 35.0))
    (result,) = (tmp_path / "out").glob("*.result.json")
    applied = json.loads(result.read_text())["details"]["applied"]
    assert applied["filtered"]["joints"]["knee"]["keys"] == 1

    # Where the keys stay as they are, the page begins with the channel that gets no limits.
    entry["options"] = {"apply": True, "report": True}
    run(write_manifest(tmp_path, [entry]), tmp_path / "plain")
    (page,) = (tmp_path / "plain").glob("*.limits.html")
    words = words_of(content_of(page.read_text(encoding="utf-8")))
    assert " : rotateX got no limits in the copy: they" in words


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"clips": ["a.mb"]}, "'a.mb' is not a motion file; expected one of ."),
        ({"clips": ["a.amc"]}, "'a.amc' needs a skeleton; give its ASF file as 'skeleton'"),
        ({"scene": "a.ma", "root": "hips"}, "'root' needs the batch in Maya; remove it"),
        ({"scene": "a.ma", "options": {"references": "none"}}, "'references' needs the batch in"),
        ({"clips": ["a.bvh"], "options": {"apply": True}}, "give a .ma file as 'scene'"),
        ({"scene": "a.ma", "options": {"apply": True, "mode": "paper"}}, "remove apply and"),
        ({"clips": ["a.bvh"], "options": {"padding": 1}}, "no option 'padding'"),
        ({"clips": ["../a.bvh"]}, "leaves the manifest's folder"),
    ],
)
def test_entries_that_cannot_be_done_are_refused_at_once(tmp_path, capsys, entry, expected):
    manifest = write_manifest(tmp_path, [{"name": "x", **entry}])
    out = tmp_path / "out"
    assert main(["batch", "--manifest", str(manifest), "--out", str(out)]) == 2
    assert expected in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.thorough
def test_it_starts_without_numpy_in_the_process_that_hands_out_work():
    code = (
        "import sys, jointlimits_core.batch.motion_files, jointlimits_core.cli.batch; "
        "print('numpy' in sys.modules)"
    )
    assert run_to_end([sys.executable, "-c", code], code=0).stdout == "False\n"


@pytest.mark.thorough
def test_real_performers(tmp_path):
    source = shared_path("data/mocap/cmu_asfamc")
    for performer in ("02", "03", "11"):
        shutil.copytree(source / performer, tmp_path / "cmu" / performer)
    home = tmp_path / "cmu"
    assert main(["manifest", str(home)]) == 0
    run(home / "characters.json", tmp_path / "out", "--jobs", "2")
    with open(tmp_path / "out" / "library.csv", encoding="utf-8", newline="") as stream:
        rows = [(row["character"], row["clips"], row["joints"]) for row in csv.DictReader(stream)]
    assert rows == [("02", "10", "31"), ("03", "4", "31"), ("11", "1", "31")]
    every = [limits_of(tmp_path / "out", name) for name, *_ in rows]
    assert {one.joints["lradius"].type for one in every} == {"hinge"}


@pytest.mark.thorough
def test_a_scene_without_animation_is_skipped_and_a_failure_is_named_once(tmp_path):
    still = '//Maya ASCII 2024 scene\nrequires maya "2024";\ncreateNode joint -n "hip";\n'
    (tmp_path / "still.ma").write_text(still, encoding="utf-8")
    cube = still.replace("joint", "transform")
    (tmp_path / "cube.ma").write_text(cube, encoding="utf-8")
    (tmp_path / "broken.bvh").write_text("HIERARCHY", encoding="utf-8")
    entries = [{"name": name, "scene": f"{name}.ma"} for name in ("still", "cube")]
    entries.append({"name": "bad", "clips": ["broken.bvh"]})
    manifest = tmp_path / "characters.json"
    for named, code in ((entries[:2], 0), (entries, 1)):
        document = {"format": "jointlimits.manifest", "version": 1, "characters": named}
        manifest.write_text(json.dumps(document), encoding="utf-8")
        printed = run(manifest, tmp_path / "out", code=code).stdout
        assert "still: skipped: nothing is animated" in printed
        assert "] cube: skipped: the scene has no joints" in printed
    assert printed.count("bad: failed: broken.bvh") == 1
    assert printed.splitlines()[-1] == "0 ok, 1 failed, 0 missing; 2 skipped"
    rows = json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))["characters"]
    assert [row["status"] for row in rows] == ["skipped", "skipped", "failed"]
    page = (tmp_path / "out" / "library.html").read_text("utf-8")
    assert "0 ok, 1 failed, 0 missing; 2 skipped." in page
    assert '"the scene has no joints' in page
    with open(tmp_path / "out" / "library.csv", encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    assert [row["status"] for row in table] == ["skipped", "skipped", "failed"]
    assert [row["message"].count("cube") for row in table] == [0, 0, 0]
