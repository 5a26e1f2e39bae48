"""The batch in Maya, through the stand-in, each run in processes of its own."""

from __future__ import annotations

import json
import re
import sys

import pytest

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.maya_ascii.reader import read_maya_ascii
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set
from tests.support.batch_manifests import contents, write_manifest
from tests.support.batch_runs import killed_again_and_again, run_to_end
from tests.support.batch_scenes import command, environment, leg, write_scenes
from tests.support.control_rigs import body
from tests.support.driven_rigs import CHAIN, control, keyed, orient
from tests.support.house_files import ROOT
from tests.support.maya_scenes import connect, slider, write_scene

pytestmark = pytest.mark.thorough

COUNT, BROKEN = 20, (3, 11)


def run(manifest, out, *arguments, code=None):
    return run_to_end(command(manifest, out, *arguments), code=code, environment=environment())


def row_of(out):
    """The only row of a summary."""
    (row,) = json.loads((out / "summary.json").read_text())["characters"]
    return row


def limits_in(out):
    return read_limit_set(next(out.glob("*.limits.json")))


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    home = tmp_path_factory.mktemp("scenes")
    manifest = write_scenes(home, COUNT, broken=BROKEN)
    done = run(manifest, home / "undisturbed", code=1)
    return manifest, contents(home / "undisturbed"), done.stdout


def test_twenty_scenes_two_of_them_broken(library):
    manifest, files, printed = library
    summary = json.loads(files["summary.json"])
    assert (summary["ok"], summary["failed"], summary["missing"]) == (18, 2, 0), printed
    failed = {row["name"]: row["message"] for row in summary["characters"] if row["message"]}
    assert list(failed) == ["actor 03", "actor 11"]
    assert failed["actor 03"].startswith("actor_03.ma: Maya opened it with errors")
    limits = next(text for name, text in files.items() if name.startswith("actor_05-"))
    knee = LimitSet.from_json(limits.decode()).joints["knee"]
    motion = read_motion(manifest.parent / "actor_05.ma")
    expected = estimate(motion).joints["knee"].limits["rotateX"]
    assert knee.limits["rotateX"].max_deg == pytest.approx(expected.max_deg, abs=1e-9)
    assert knee.limits["rotateX"].max_deg > 30.0


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--jobs", "1"], ["--jobs", "2"]])
def test_the_same_bytes_with_any_number_of_workers(library, tmp_path, arguments):
    manifest, undisturbed, _ = library
    run(manifest, tmp_path / "out", *arguments, code=1)
    assert contents(tmp_path / "out") == undisturbed


def test_the_same_bytes_in_ranges_and_merged(library, tmp_path):
    manifest, undisturbed, _ = library
    for items, code in (("12-19", 0), ("0-2,4-10", 0), ("3,11", 1)):
        run(manifest, tmp_path / "out", "--items", items, code=code)
    run(manifest, tmp_path / "out", "--merge", code=1)
    assert contents(tmp_path / "out") == undisturbed


def test_the_same_bytes_when_killed_again_and_again(library, tmp_path):
    manifest, undisturbed, _ = library
    out = tmp_path / "out"
    again = command(manifest, out, "--resume", "--jobs", "2")
    killed = killed_again_and_again(again, out, undisturbed, times=4, environment=environment())
    assert killed > 0
    run(manifest, out, "--resume", code=1)
    assert contents(out) == undisturbed


def test_a_copy_with_limits_is_saved_and_the_scene_stays(tmp_path):
    manifest = write_scenes(tmp_path, 1, options={"apply": True, "pad_deg": 1.0})
    scene = tmp_path / "actor_00.ma"
    before = scene.read_bytes()
    run(manifest, tmp_path / "out", code=0)
    assert scene.read_bytes() == before
    (copy,) = (tmp_path / "out").glob("*.limits.ma")
    (result,) = (tmp_path / "out").glob("*.result.json")
    limits = limits_in(tmp_path / "out")
    axis = limits.joints["knee"].limits["rotateX"]
    declared = read_motion(copy).skeleton.declarations["knee"].limits_deg["rotateX"]
    assert declared == pytest.approx((axis.min_deg, axis.max_deg), abs=1e-9)
    document = json.loads(result.read_text())
    assert "knee" in document["details"]["applied"]["written"]
    assert [one["name"] for one in document["files"]][1] == copy.name


def test_controls_of_an_entry_get_limits_in_the_copy(tmp_path):
    write_scene(tmp_path, body(), "rig.ma")
    entry = {"name": "rig", "scene": "rig.ma", "options": {"controls": True, "apply": True}}
    run(write_manifest(tmp_path, [entry]), tmp_path / "out", code=0)
    axis = limits_in(tmp_path / "out").joints["L_fk1_ctl"].limits["rotateZ"]
    (copy,) = (tmp_path / "out").glob("*.limits.ma")
    declared = read_maya_ascii(copy, controls=True).skeleton.declarations["L_fk1_ctl"]
    assert declared.limits_deg["rotateZ"] == pytest.approx((axis.min_deg, axis.max_deg), abs=1e-9)
    assert axis.max_deg == pytest.approx(130.0, abs=1e-6)


@pytest.mark.parametrize("enable_driven", [False, True])
def test_limits_that_follow_a_control_are_on_only_on_request(tmp_path, enable_driven):
    write_scene(tmp_path, CHAIN + control() + keyed("ctl") + orient("ctl"), "rig.ma")
    entry = {"name": "rig", "scene": "rig.ma"}
    options = {"apply": True, "limit_root": True, "enable_driven": enable_driven}
    manifest = write_manifest(tmp_path, [entry], options=options)
    run(manifest, tmp_path / "out", code=0)
    (copy,) = (tmp_path / "out").glob("*.limits.ma")
    declared = read_motion(copy).skeleton.declarations
    assert bool(declared["arm"].limits_deg) == enable_driven
    assert declared["hip"].limits_deg
    (result,) = (tmp_path / "out").glob("*.result.json")
    applied = json.loads(result.read_text())["details"]["applied"]
    assert applied["following"] == ([] if enable_driven else ["arm"])
    assert applied["drivers"]["arm"]["control"] == "ctl"


def test_scenes_of_one_character_are_pooled(tmp_path):
    for number, top in enumerate((30.0, 70.0)):
        write_scene(tmp_path, leg(top), f"clip_{number}.ma")
    entry = {"name": "ann", "clips": ["clip_0.ma", "clip_1.ma"]}
    run(write_manifest(tmp_path, [entry]), tmp_path / "out", code=0)
    found = limits_in(tmp_path / "out")
    both = estimate([read_motion(tmp_path / f"clip_{number}.ma") for number in (0, 1)])
    for joint, limit in both.joints.items():
        for channel, axis in limit.limits.items():
            ours = found.joints[joint].limits[channel]
            assert ours.min_deg == pytest.approx(axis.min_deg, abs=1e-9)
            assert ours.max_deg == pytest.approx(axis.max_deg, abs=1e-9)


def reference_rig(folder, name="rig.ma"):
    """A scene that refers to a rig, and nothing else."""
    body = (
        f'file -rdi 1 -ns "hero" -rfn "heroRN" -op "v=0;" -typ "mayaAscii" "{name}";\n'
        f'file -r -ns "hero" -dr 1 -rfn "heroRN" -op "v=0;" -typ "mayaAscii" "{name}";\n'
        'createNode reference -n "heroRN";\n'
    )
    return write_scene(folder, body.replace(f'"{name}"', f'"{(folder / name).as_posix()}"'))


def test_referenced_rigs_are_part_of_a_result(tmp_path):
    rig = write_scene(tmp_path, leg(50.0), "rig.ma")
    reference_rig(tmp_path)
    entry = {"name": "hero", "scene": "scene.ma", "namespace": "hero"}
    manifest = write_manifest(tmp_path, [entry])
    run(manifest, tmp_path / "out", code=0)
    (result,) = (tmp_path / "out").glob("*.result.json")
    assert [one["path"] for one in json.loads(result.read_text())["read"]] == ["rig.ma"]
    limits = limits_in(tmp_path / "out")
    assert sorted(limits.joints) == ["hero:hip", "hero:knee"]
    before = limits.joints["hero:knee"].limits["rotateX"].max_deg
    rig.write_text(rig.read_text().replace(leg(50.0), leg(60.0)))
    assert "1 ok" in run(manifest, tmp_path / "out", "--resume", code=0).stdout
    limits = limits_in(tmp_path / "out")
    assert limits.joints["hero:knee"].limits["rotateX"].max_deg > before + 5.0


def test_the_ranges_of_a_scene_are_read_and_kept_though_its_script_nodes_do_not_run(tmp_path):
    write_scene(tmp_path, leg(40.0) + slider(3, 8, 2, 20))
    entry = {"name": "ann", "scene": "scene.ma", "options": {"apply": True, "time": "playback"}}
    run(write_manifest(tmp_path, [entry]), tmp_path / "out", code=0)
    limits = limits_in(tmp_path / "out")
    assert (limits.clips[0].first_frame, limits.clips[0].last_frame) == (3.0, 8.0)
    (copy,) = (tmp_path / "out").glob("*.limits.ma")
    assert "playbackOptions -min 3 -max 8 -ast 2 -aet 20" in copy.read_text()


def test_a_reference_that_appears_later_makes_an_accepted_result_stale(tmp_path):
    (tmp_path / "later").mkdir()
    rig = tmp_path / "later" / "rig.ma"
    text = f'file -r -ns "hero" -rfn "heroRN" -typ "mayaAscii" "{rig.as_posix()}";\n'
    write_scene(tmp_path, text + 'createNode reference -n "heroRN";\n' + leg(40.0))
    entry = {"name": "ann", "scene": "scene.ma", "options": {"opening": "lenient"}}
    manifest, out = write_manifest(tmp_path, [entry]), tmp_path / "out"
    run(manifest, out, code=0)
    (result,) = out.glob("*.result.json")
    assert json.loads(result.read_text())["references"] == [
        {"scene": "", "stored": "later/rig.ma", "found": None}
    ]
    made = result.stat().st_mtime_ns
    run(manifest, out, "--resume", code=0)
    assert result.stat().st_mtime_ns == made
    write_scene(tmp_path / "later", leg(50.0), "rig.ma")
    run(manifest, out, "--resume", code=0)
    assert result.stat().st_mtime_ns > made
    assert json.loads(result.read_text())["references"] == []


WAVE = 'createNode expression -n "wave";\n'
FAILURES = {
    "errors": (
        leg(40.0) + connect("missing.outColor", "alsoMissing.color"),
        {},
        r"^scene.ma: Maya opened it with errors:.*set opening to lenient if they do not matter",
        "lenient",
    ),
    "expressions": (
        leg(40.0) + WAVE,
        {"options": {"opening": "strict"}},
        r"^scene.ma: has the expression wave, which Maya would run; ",
        "usual",
    ),
    "no joints": (leg(40.0), {"namespace": "hero"}, "no joints in the namespace 'hero'", None),
}


@pytest.mark.parametrize("case", FAILURES)
def test_failures_say_what_to_do_and_some_can_be_accepted(tmp_path, case):
    body, more, message, opening = FAILURES[case]
    write_scene(tmp_path, body)
    entry = {"name": "ann", "scene": "scene.ma", **more}
    run(write_manifest(tmp_path, [entry]), tmp_path / "out", code=1)
    assert re.search(message, row_of(tmp_path / "out")["message"])
    if opening is not None:
        entry["options"] = {"opening": opening}
        run(write_manifest(tmp_path, [entry]), tmp_path / "out", code=0)
        result = json.loads((tmp_path / "out" / row_of(tmp_path / "out")["result"]).read_text())
        accepted = result["details"].get("open_errors", [])
        assert [text.startswith("scene.ma: ") for text in accepted] == [True] * (case == "errors")


def test_a_reference_that_is_not_there_is_a_failure_that_says_so(tmp_path):
    reference_rig(tmp_path, "nowhere.ma")
    manifest = write_manifest(tmp_path, [{"name": "hero", "scene": "scene.ma"}])
    run(manifest, tmp_path / "out", code=1)
    message = row_of(tmp_path / "out")["message"]
    assert "nowhere.ma" in message
    assert "Traceback" not in message


def test_script_nodes_are_not_run(tmp_path):
    body = leg(40.0) + (
        'createNode script -n "evil";\n\tsetAttr ".b" -type "string" "python(\\"open(\'ran\', '
        '\'w\')\\")";\n\tsetAttr ".st" 1;\n'
    )
    write_scene(tmp_path, body)
    manifest = write_manifest(tmp_path, [{"name": "hero", "scene": "scene.ma"}])
    run(manifest, tmp_path / "out", code=0)
    assert not list(tmp_path.rglob("ran"))
    assert not (ROOT / "ran").exists()


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"scene": "a.ma", "options": {"padding": 1}}, "no option 'padding'"),
        ({"scene": "a.ma", "options": {"pad_deg": -1}}, "pad_deg must be"),
        ({"scene": "a.ma", "options": {"root": "hip"}}, "'root' must be next to the name"),
        ({"scene": "a.bvh"}, "'a.bvh' is not a Maya scene"),
        (
            {"clips": ["a.ma"], "options": {"apply": True}},
            "limits can be applied to one scene only",
        ),
        ({"scene": "a.ma", "frame_rate": 24}, "a skeleton and a frame rate are for AMC"),
        ({"scene": "a.ma", "options": {"references": "some"}}, "references must be one of"),
    ],
)
def test_entries_that_cannot_be_done_are_refused_at_once(tmp_path, entry, expected):
    manifest = write_manifest(tmp_path, [{"name": "a", **entry}])
    done = run(manifest, tmp_path / "out", code=2)
    assert f"characters[0] (a): {expected}" in done.stderr
    assert not (tmp_path / "out").exists()


WITHOUT_NUMPY = """
import maya.standalone
import runpy
import sys
sys.modules["numpy"] = None
sys.argv = ["batch", "--manifest", "m.json"]
runpy.run_module("jointlimits_maya.batch", run_name="__main__")
"""


def test_without_numpy_it_says_what_to_type(tmp_path):
    maya = environment(MAYA_APP_DIR=str(tmp_path))
    done = run_to_end([sys.executable, "-c", WITHOUT_NUMPY], code=1, environment=maya)
    assert "needs numpy, which Maya does not include" in done.stderr
    assert " -m pip install --target " in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_without_maya_it_says_what_to_start(tmp_path):
    manifest = write_scenes(tmp_path, 1)
    plain = environment(PYTHONPATH=str(ROOT / "scripts"))
    done = run_to_end(command(manifest, tmp_path / "out"), code=1, environment=plain)
    assert "start the batch with mayapy" in done.stderr
    assert sys.executable in command(manifest, tmp_path)[0]
