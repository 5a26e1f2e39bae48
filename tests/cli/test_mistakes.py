"""Common mistakes, each answered by one line with its remedy."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from jointlimits_core.cli.main import main
from tests.support.house_files import ROOT

BVH, SCENE, LIMITS = "humanoid_rom.bvh", "humanoid_rom.ma", "humanoid_rom.limits.json"
ASF = ":root\norder TX TY TZ RX RY RZ\n:bonedata\n"
OTHER_BVH = """HIERARCHY
ROOT ball
{ OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
  End Site
  { OFFSET 0 1 0 } }
MOTION
Frames: 8
Frame Time: 0.1
""" + "\n".join(f"{10 * step} 0 0" for step in range(8))

MISTAKES = {
    "": "missing COMMAND; see jointlimits --help",
    "estimat walk.bvh": "no command 'estimat'; did you mean estimate?",
    "estimate": "missing INPUT; see jointlimits estimate --help",
    f"estimate {BVH} --reprot": "no option --reprot; did you mean --report?",
    f"estimate {BVH} --rep": "no option --rep",
    f"estimate {BVH} --frames 0-100": "no option --frames; did you mean --exclude?",
    f"estimate {BVH} --take walk": "--take is for .fbx files, and none of the inputs is one",
    f"batch --manifest {BVH} --out results": "is a motion, not a manifest; jointlimits manifest",
    f"people {BVH} --licence free --out p.npz": "is a motion, not a manifest",
    f"estimate {BVH} --pad": "--pad needs a value",
    f"estimate {BVH} --pad ten": "--pad must be a number from 0 to less than 180 degrees",
    f"estimate {BVH} --pad=-3": "--pad must be a number from 0",
    f"estimate {BVH} --frame advisd": "not 'advisd'; did you mean advised?",
    f"estimate {SCENE} --mode paper --apply": "ZYZ",
    "estimate humanod_rom.bvh": f"file not found; did you mean {BVH}?",
    "estimate -": "-: file not found; standard input cannot be used here: give a file",
    "estimate https://a.b/walk.bvh": "download the file and give the path of the copy",
    "estimate nowhere/walk.bvh": "file not found: no folder 'nowhere'; check the path",
    "estimate folder": "is a directory; choose a motion file in it",
    "estimate empty.bvh": "empty.bvh: is empty; copy or export it again",
    "estimate cut.bvh": "4 were found and used); it looks truncated: copy or export",
    "estimate notes.txt": "is not a supported motion file; expected a .npz, .amc, .bvh",
    "estimate take.fbx": "is cut short in its header; copy or export it again",
    f"estimate {LIMITS}": "is JSON, not a motion; to see a limit set: jointlimits show",
    "estimate only.asf": "skeleton without motion; name its .amc file",
    "estimate alone/alone.amc": "no skeleton (.asf) found in its folder; give its ASF file",
    f"estimate {BVH} --joints LeftKne": "no joint matches 'LeftKne'; did you mean LeftKnee?",
    f"estimate {BVH} --apply": "among the inputs; name one, or omit --apply",
    f"estimate {BVH} --out {SCENE}": "expected a folder, found a file; choose another folder",
    f"estimate {BVH} --rest frame:99999": "no clip has frame 99999",
    f"estimate {BVH} --leave-out spikes": "no screening rule 'spikes'; did you mean spike?",
    f"estimate {BVH} --as LeftKnee=hing": "--as must be JOINT=TYPE of fixed, hinge, universal",
    f"estimate {BVH} --input-budget max_joins=9": "did you mean max_joints?",
    f"estimate {BVH} other.bvh": "clip 'other' belongs to a different character than "
    "'humanoid_rom'",
    f"check {BVH} {LIMITS}": f"{BVH}: is a motion, not a limit set; limits come first: "
    "jointlimits check LIMITS.json",
    f"check {LIMITS}": "missing MOTION",
    f"check cut.json {BVH}": "the limit set is incomplete; copy or create it again",
    f"check other.json {BVH}": "'format' is missing; not a limits file of this program",
    f"check {LIMITS} other.bvh": "use limits of the clip's own character",
    "show humanoid_rom.limit.json": f"file not found; did you mean {LIMITS}?",
    f"show {BVH}": f"for its limits: jointlimits estimate {BVH}",
    f"apply {SCENE} {LIMITS} --out a.ma": f"{SCENE}: is a motion, not a limit set",
    f"apply {LIMITS} {BVH} --out a.ma": "save the scene as Maya ASCII (.ma)",
    f"apply {LIMITS} {SCENE}": "missing --out",
    f"apply {LIMITS} {SCENE} --out {SCENE}": "this is the scene itself; write the copy to another",
    f"export {LIMITS} --to mjfc --out a.xml": "not 'mjfc'; did you mean mjcf?",
    f"export {LIMITS} --to mjcf --out a.txt": "--out a.txt must end with .xml or .mjcf",
    f"merge {LIMITS} --out both.json": "at least two limit sets; give another one",
    f"diff {LIMITS}": "missing SECOND.json",
    f"diff {LIMITS} {BVH}": f"to measure its limits: jointlimits estimate {BVH}",
    f"audit {BVH}": "is a motion that declares no limits",
    f"{BVH}": f"put a command before the file: jointlimits estimate {BVH}",
    f"estimate {BVH} -o out": "no option -o; did you mean --out?",
    f"estimate {BVH} --symmetry": "--symmetry needs a value: {off,report,pool}",
    f"check {LIMITS} --report {BVH} {BVH}": "write --report after the motions",
    f"edit {LIMITS} --undo LeftKnee --out e.json": "--undo LeftKnee: no edit there",
    f"estimate alone/alone.amc --skeleton {BVH}": "comes before the first section (:units",
    "estimate walk.bvh.gz": "is compressed; unpack it",
    f"apply hero.limits.json {SCENE} --out a.ma": "can be written: not in scene (18 joints,",
    f"apply other.limits.json {SCENE} --out a.ma": "no joint that moves has limits",
    f"merge {LIMITS} other.limits.json --out m.json": "other: has no joint in common with",
    f"batch --manifest {LIMITS} --out results": "jointlimits manifest DIR writes a manifest",
    "manifest folder --set stricness=robust": "did you mean strictness?",
    "batch --manifest missing.json --out results": "missing.json: file not found; check the path",
    "manifest nowhere": "nowhere: is not a folder; give the folder that contains the motion files",
    f"fit {BVH} --shape hul": "not 'hul'; did you mean hull?",
    f"edit {LIMITS} --set LeftKne.X.min=2 --out e.json": "did you mean LeftKnee?",
    f"edit {LIMITS} --set LeftKnee.X.mn=2 --out e.json": "no 'mn' to edit; did you mean min?",
    f"edit {LIMITS} --exclude walk:1-9 --out e.json": "no clip 'walk' to exclude (CLIP,",
    f"estimate {BVH} --skeleton other.asf": "--skeleton is for .amc files, and none of the inputs",
    "-v": "no option -v; did you mean --version?",
    "--verison": "no option --verison; did you mean --version?",
    "help estimate": "no command 'help'; did you mean --help?",
    "version": "no command 'version'; did you mean --version?",
    "estimate robot.xml": "is XML, not a motion",
    f"ik {BVH} --form box": "no command 'ik'; pose from Python with jointlimits_core.ik",
    f"look-at {BVH}": "no command 'look-at'; use look_at of jointlimits_core.ik",
    f"evaluate {LIMITS} {BVH}": "no command 'evaluate'; use check for frames outside the limits",
    "estimate *.amc": "either nothing matches or this shell does not expand *",
    f"estimate {BVH} --fps 30": "no option --fps; did you mean --frame-rate?",
    f"show {LIMITS} --json": "no option --json; did you mean --format json?",
    f"check {LIMITS} {BVH} --verbose": "no option --verbose; did you mean --log FILE?",
    f"estimate {BVH} --exclude 10-20": "no clip '10-20' to exclude (CLIP, CLIP:A-B",
    f"project {LIMITS} {BVH} --out p.bvh": "no coupled limits; run jointlimits fit first",
    f"edit {LIMITS} --set LeftKnee.X.min --out e.json": "then = and the value",
    f"apply {LIMITS} {SCENE} --out folder": "a directory; give the path of a new .ma file",
    f"apply {LIMITS} {SCENE} --out o.ma --reorient R": "no option --reorient; Maya does it (mayapy",
    f"manifest {BVH}": "is not a folder; give the folder that contains the motion files",
    f"estimate {BVH} --noise 1": "no option --noise; the noise is estimated from the motion",
    f"estimate {BVH} --purpose stunt": "no option --purpose; say it in the character's name",
    "completion bash": "no command 'completion'; jointlimits --help lists the commands",
    f"export {LIMITS} --to mel --out e.mel": "not 'mel'; use python, which Maya",
    f"check {LIMITS} {BVH} --tolerance nan": "--tolerance must be",
    f"check {LIMITS} {BVH} --tolerance much": "must be a number from 0 degrees, not",
    f"check {LIMITS} {BVH} --format xml": "--format must be one of",
    f"check {LIMITS} {BVH} --branch left": "--branch must be one of",
    f"diff {LIMITS} {LIMITS} --tolerance -1": "tolerance must be finite and at least 0",
    f"diff {LIMITS} {LIMITS} --tolerance nan": "tolerance must be finite and at least 0",
    f"diff {LIMITS} {LIMITS} --tolerance much": "must be a number, not",
    f"diff {LIMITS} cut.json": "is incomplete",
    f"merge {LIMITS} missing.json --out c.json": "missing.json: file not found",
    f"merge {LIMITS} {LIMITS} --how average --out c.json": "--how must be one of",
    "skeleton arm.csv --robust off": "no option --robust; outlier frames are excluded "
    "where frames held out agree",
    "skeleton arm.csv --no-slips": "no option --no-slips; slips are always reported, "
    "and never change the fit",
    "skeleton arm.csv --swaps=on": "no option --swaps; swapped tracks are swapped back",
    "skeleton arm.csv --motion-lines on": "no option --motion-lines; strides that repeat "
    "decide where gaps do not",
    "skeleton arm.csv --no-mirror-sides": "no option --no-mirror-sides; strides that repeat "
    "decide where gaps do not, left and right together",
    "skeleton arm.csv --symmetry pool": "no option --symmetry; estimate limits from the motion "
    "written, as jointlimits estimate CLIP.skeleton.ma",
    f"fit {BVH} --shape hull-exact": "not 'hull-exact'; use hull",
    f"fit {BVH} --shape kdop-sequential": "not 'kdop-sequential'; use kdop",
    f"fit {BVH} --shape ellipsoid-holden": "not 'ellipsoid-holden'; use ell",
    f"fit {BVH} --mode paper": "standard mode",
    "fit all.summary.npz": "every frame",
    f"fit {BVH} --shape-trim 80": "no option --shape-trim; leave frames out",
    f"project {BVH} {BVH} --out {BVH}": "overwrite",
    f"project {BVH} {BVH} --softness 500 --out x.bvh": "--softness must be",
    f"project {BVH} {BVH} --softness -3 --out x.bvh": "softness must be",
    f"export {LIMITS} --to mjcf --out model.json": "must end with .xml or .mjcf",
    f"export {LIMITS} --to rom --out rom.amc": "must end with .bvh or .ma",
    f"export {LIMITS} --to mjcf --out a.xml --meters-per-unit nan": "--meters-per-unit must be",
    f"export {LIMITS} --to python --out a.py --losses {LIMITS}": "would overwrite",
    f"edit {LIMITS} --set LeftKnee.W.min=1 --out e.json": "no channel 'W'; "
    "write rotateX, rotateY, rotateZ",
    f"edit {LIMITS} --set LeftKnee.X.min=low --out e.json": "'low' is not a number of degrees",
    f"edit {LIMITS} --set LeftKnee.X.min=nan --out e.json": "'LeftKnee': rotateX min must be "
    "between -10,000,000 and",
    f"edit {LIMITS} --set LeftKnee.Y.max=inf --out e.json": "rotateY max must be between",
    f"edit {LIMITS} --set LeftKnee.X.max=1e8 --out e.json": "not 100000000.0",
    f"edit {LIMITS} --set LeftKnee.X.min=-1e308 --out e.json": "not -1e+308",
    f"edit {LIMITS} --set LeftKnee.typ=hinge --out e.json": "no 'typ' to edit; did you mean type?",
    f"edit {LIMITS} --set LeftKnee.type=hing --out e.json": "type must be one of "
    "fixed, hinge, universal, ball",
    "manifest folder --character-by folders": "not 'folders'; did you mean folder?",
    "manifest folder --character-pattern *.bvh": "a pattern with {character} or a .csv table",
    "manifest folder --character-by {character}/{character}": "{character} exactly once",
    "manifest folder --set strictness": "expected NAME=VALUE",
    "manifest folder --set strictness=loose": "strictness must be one of",
    "manifest folder --set coupled=maybe": "coupled must be true or false",
    "manifest folder --frame-rate -1": "--frame-rate must be frames per second, at least 1",
    "manifest folder --out folder/m.txt": "must end with .json: a manifest is JSON",
    "manifest folder --out elsewhere/m.json": "a manifest must be in the motion folder or above it",
    # A day of a TD.
    f"export rom.xml {LIMITS}": "missing --out",
    f"export {LIMITS} --out hero.fbx": "--out hero.fbx must end with .csv, .py, .xml",
    f"export {LIMITS} --to maya --out a.py": "not 'maya'; use python, which Maya",
    f"estimate {BVH} --pad 2,5": "not '2,5'; write 2.5",
    f"check {LIMITS} {BVH} --tolerance *=2,5": "not '2,5'; write 2.5",
    f"check {LIMITS} {BVH} --allow 5%": "not '5%'; write 5",
    f"edit {LIMITS} --set LeftKnee.X.min=-2,5 --out e.json": "'-2,5' is not a number of degrees; "
    "write -2.5",
    f"estimate {BVH} --exclude humanoid_rom:0.5s-1.2s": "must be whole numbers, as in "
    "humanoid_rom:120-160, not '0.5s-1.2s'",
    f"estimate {BVH} --exclude humanoid_rom:1-9@LeftHnd": "cannot exclude joint 'LeftHnd': "
    "humanoid_rom has no such joint; did you mean",
    f"estimate {BVH} --frame-rate 120": "--frame-rate is for .amc files, and none of the inputs",
    "manifest folder --frame-rate 0.0083": "not 0.0083; 0.0083 seconds per frame are 120.482",
    f"estimate {BVH} --report r.html": "unexpected argument 'r.html'; --report takes no value",
    f"apply {LIMITS} {SCENE} --out copy.mb": "copy is Maya ASCII; give it a name that ends in .ma",
    f"check old.json {BVH}": "version: expected 1, found 0",
    "manifest . --character-by {character}_take*.bvh": "matches none of",
    "manifest . --character-by who.csv": "who.csv: matches none of",
    "manifest . --character-by semicolon.csv": "expected two columns with a comma between them",
    "batch manifest.json --out results": "missing --manifest",
    "batch --manifest windows.json --out results": "use forward slashes; write 'anna/walk.bvh'",
    "batch --manifest drive.json --out results": "is absolute; write it from the manifest's folder",
    "batch --manifest field.json --out results": "[0].clip: unknown field; did you mean clips?",
    "batch --manifest utf16.json --out results": "saved as UTF-16; save it as UTF-8",
    "batch --manifest empty.json --out results": "characters: expected at least 1 item, found 0",
    # The night before a delivery.
    f"estimate {BVH} \u2014report": "begins with a dash; write two hyphens: --report",
    f"estimate {BVH} \u2013-report": "begins with a dash; write two hyphens: --report",
    f"estimate {BVH} /report": "/report: file not found; an option begins with two hyphens",
    f"estimate {BVH} -- --report": "--report: file not found; options come before --",
    f"estimate {BVH} --report=yes": "--report takes no value",
    f"estimate {BVH} --pad 0.1rad": "not '0.1rad'; write 5.72958",
    f"export {LIMITS} --to mjcf --out a.xml --meters-per-unit 1cm": "not '1cm'; write 0.01",
    f"edit {LIMITS} --set LeftKnee.X.min=-0.5rad --out e.json": "number of degrees; write -28.6479",
    f"edit {LIMITS} --set LeftKnee.X.min -90 --out e.json": "a negative number needs = before it",
    f"manifest {BVH} {SCENE}": f"unexpected argument {SCENE!r}; it takes DIR",
    r"estimate C:\mocap\walk.bvh": "this is a Windows path: give the path on this computer",
    r"estimate folder\walk.bvh": "use forward slashes: folder/walk.bvh",
    rf"estimate {BVH} --out C:\out": "this is a Windows path: give the path on this computer",
    "estimate ~/walk.bvh": "the shell does not expand ~, $NAME or %NAME% here",
    "estimate $MOCAP/walk.bvh": "the shell does not expand ~, $NAME or %NAME% here",
    f"estimate {BVH} --out=~/out": "the shell does not expand ~, $NAME or %NAME% here",
    f"check {LIMITS} {BVH} --write-baseline=~/known.json": "--write-baseline ~/known.json: the",
    "estimate around": "a link leads back to itself: give the path of the file",
    "estimate gone.bvh": "is a link to 'moved.bvh', which does not exist",
    "estimate two": "put a name with spaces in quotes: 'two words.bvh'",
    "estimate two words.bvh": "put quotes around 'two words.bvh'",
    f"check {LIMITS} {BVH} a take of 3.bvh": "put quotes around 'a take of 3.bvh'",
    "estimate pipe.bvh": "is a pipe or a device, not a file; save its content as a file first",
    "batch --manifest pattern.json --out results": "[0].clips[0]: 'anna/*.bvh': name every clip",
    "batch --manifest word.json --out results": "found 'walk.bvh'; write [\"walk.bvh\"]",
    "batch --manifest exclude.json --out results": 'an array; write ["walk:1-9"]',
    "batch --manifest rate.json --out results": "'frame_rate' is for AMC clips, and there are none",
    "batch --manifest comma.json --out results": "remove the comma before the closing bracket",
    "batch --manifest quotes.json --out results": "put names and strings in double quotes",
    "batch --manifest comment.json --out results": "JSON has no comments: remove this one",
}


def write_manifests(path):
    """Manifests with a mistake, and tables of characters."""
    for name, entries in {
        "windows.json": [{"name": "anna", "clips": ["anna\\walk.bvh"]}],
        "drive.json": [{"name": "anna", "clips": ["C:/mocap/walk.bvh"]}],
        "field.json": [{"name": "anna", "clip": ["anna/walk.bvh"]}],
        "empty.json": [],
        "pattern.json": [{"name": "anna", "clips": ["anna/*.bvh"]}],
        "word.json": [{"name": "anna", "clips": "walk.bvh"}],
        "exclude.json": [{"name": "a", "clips": [BVH], "options": {"exclude": "walk:1-9"}}],
        "rate.json": [{"name": "anna", "clips": [BVH], "frame_rate": 120}],
        "utf16.json": [{"name": "anna", "clips": ["anna/walk.bvh"]}],
    }.items():
        head = {"format": "jointlimits.manifest", "version": 1}
        coding = "utf-16" if name == "utf16.json" else "utf-8"
        (path / name).write_text(json.dumps({**head, "characters": entries}), encoding=coding)
    for name, text in {
        "comma.json": '{"format": "jointlimits.manifest", "characters": [{"name": "a"},]}',
        "quotes.json": "{'format': 'jointlimits.manifest'}",
        "comment.json": "// our library\n{}",
    }.items():
        (path / name).write_text(text)
    (path / "who.csv").write_text("anna/walk.bvh,Anna\n")
    (path / "semicolon.csv").write_text("humanoid_rom.bvh;Anna\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of a newcomer."""
    path = tmp_path_factory.mktemp("newcomer")
    for name in (BVH, SCENE):
        shutil.copy2(ROOT / "examples" / name, path / name)
    assert main(["estimate", str(path / BVH), "--out", str(path)]) == 0
    whole, limits = (path / BVH).read_text(), (path / LIMITS).read_text()
    lines = whole.splitlines(keepends=True)
    start = next(n for n, line in enumerate(lines) if line.startswith("Frame Time"))
    (path / "folder").mkdir()
    (path / "alone").mkdir()
    for name, text in {
        "empty.bvh": "",
        "cut.bvh": "".join(lines[: start + 5]),
        "notes.txt": "buy milk",
        "take.fbx": "Kaydara FBX Binary  \0",
        "only.asf": ASF,
        "robot.xml": "<mujoco/>",
        "alone/alone.amc": ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n",
        "cut.json": limits[:2000],
        "other.json": '{"a": 1}',
        "other.bvh": OTHER_BVH,
        "walk.bvh.gz": "packed",
        "two words.bvh": OTHER_BVH,
        "a take of 3.bvh": OTHER_BVH,
        "hero.bvh": whole.replace("ROOT ", "ROOT hero_").replace("JOINT ", "JOINT hero_"),
    }.items():
        (path / name).write_text(text)
    for name, target in {"around": "there", "there": "around", "gone.bvh": "moved.bvh"}.items():
        (path / name).symlink_to(target)
    os.mkfifo(path / "pipe.bvh")
    limit_set = json.loads(limits)
    (path / "old.json").write_text(json.dumps({**limit_set, "version": 0}))
    write_manifests(path)
    for name in ("hero.bvh", "other.bvh"):
        assert main(["estimate", str(path / name), "--out", str(path)]) == 0
    return path


IDS = [given.replace("humanoid_rom", "rom").replace("limits.json", "json") for given in MISTAKES]
"""One in four of them is tried by the quick tests, all by the thorough ones."""
CASES = [
    pytest.param(given, id=short, marks=() if n % 4 == 0 else pytest.mark.thorough)
    for n, (given, short) in enumerate(zip(MISTAKES, IDS))
]


@pytest.mark.parametrize("given", CASES)
def test_a_mistake_is_answered_by_one_line(folder, monkeypatch, capsys, given):
    monkeypatch.chdir(folder)
    before = sorted(os.listdir())
    assert main(given.split()) in (1, 2)
    captured = capsys.readouterr()
    lines = (captured.err or captured.out).strip().splitlines()
    assert MISTAKES[given] in (captured.err or captured.out)
    assert len(lines) == 1 or given.startswith("check")
    assert "internal error" not in captured.err
    assert sorted(os.listdir()) == before
