"""Goldens: what every command prints and writes, what it does in Maya, and the public names.

    GOLDENS=update pytest tests/goldens -m ""      after an intended change; then read the diff
    GOLDENS=/tmp/now pytest tests/goldens -m ""    at full length, to diff two checkouts

A row of COMMANDS is a name and an argument line. It runs in a folder with the examples and what
version 0.1 saved (tests/saved). Its golden has the exit code, what it prints, and every file that
it writes; of a page the data and the rows of tables. Long texts are kept as digests (kept.py).
`python -m tests.goldens REVISION` lists how the goldens differ from those of a revision.
"""

from __future__ import annotations

import difflib
import importlib
import json
import re
import shlex
import shutil
import sys

import pytest

from jointlimits_core.cli.main import main
from jointlimits_core.formats.body_csv import read_body_csv
from tests.goldens.kept import FOLDER, check, plain, sections_of
from tests.maya_standin.state import state_lines
from tests.support.house_files import ROOT
from tests.support.maya_projecting import keyed_arm
from tests.support.maya_scenes import HEADER
from tests.support.tracked_locators import locators

SAVED = ROOT / "tests" / "saved" / "0.1"
EXAMPLES = ("humanoid_rom.ma", "humanoid_rom.bvh", "tracked_arm.csv")
SHORT = {
    "{ma}": "humanoid_rom.ma",
    "{bvh}": "humanoid_rom.bvh",
    "{csv}": "tracked_arm.csv",
    "{arms}": "lib/anna/arms.bvh",
    "{legs}": "lib/anna/legs.bvh",
    "{plain}": "plain.limits.json",
    "{edited}": "edited.limits.json",
    "{hull}": "shape-hull.limits.json",
}
COMMANDS = """
no-command |
unknown | unknown
version | --version
estimate-help | estimate --help
estimate-scene | estimate {ma} --apply --out out
estimate-clip | estimate {bvh} --out out
estimate-page | estimate {bvh} --joints *Knee,LeftShoulder --report --out out
estimate-two | estimate {arms} {legs} --character two --symmetry pool --out out
estimate-robust | estimate {arms} --strictness robust --joints *Knee,*Elbow --pad 3 --out out
estimate-generous | estimate {arms} --strictness generous --prior widen --out out
estimate-paper | estimate {ma} --mode paper --character printed --out out
estimate-advised | estimate {ma} --orientation advised --joints Left* --out out
estimate-filter-keys | estimate {ma} --apply --filter-keys --may-move --joints Left* --out out
estimate-options | estimate {arms} --joints Left* --rest mean --samples 200 --limit-root\
 --symmetry report --prior report --leave-out spike --out out
estimate-exclude | estimate {arms} {legs} --joints *Elbow --exclude arms:0-10,legs --out out
estimate-as | estimate {arms} --joints LeftElbow --as LeftElbow=ball --out out
estimate-summary | estimate {arms} --joints LeftElbow --save-summary out/a.summary.npz --out out
estimate-from-summary | estimate arms.summary.npz {legs} --character s --out out
estimate-keep-edits | estimate {bvh} --joints Left* --keep-edits {edited} --out out
estimate-json | estimate {arms} --joints LeftElbow --format json --out out
estimate-csv | estimate {arms} --joints LeftElbow,LeftShoulder --format csv --out out
estimate-missing | estimate missing.bvh --out out
estimate-missing-json | estimate missing.bvh --format json --out out
estimate-broken | estimate lib/bert/torn.bvh {arms} --out out
estimate-tracks | estimate {csv} --out out
estimate-nothing | estimate
estimate-rest | estimate {arms} --rest tpose --out out
estimate-samples | estimate {arms} --samples 0 --out out
estimate-pad | estimate {arms} --pad nan --out out
estimate-rule | estimate {arms} --leave-out nothing-like-this --out out
estimate-apply-clip | estimate {arms} --apply --out out
estimate-budget | estimate {arms} --input-budget max_joints=5 --out out
estimate-option | estimate {arms} --strict robust --out out
skeleton-help | skeleton --help
skeleton-page | skeleton {csv} --body-root chest --estimate --report --out out
skeleton-json | skeleton {csv} --up z --format json --out out
skeleton-csv | skeleton {csv} --format csv --out out
skeleton-bad-parents | skeleton {csv} --body-parents hand=nobody --out out
skeleton-missing | skeleton missing.c3d --out out
skeleton-limits | skeleton {plain} --out out
fit-help | fit --help
fit-page | fit {bvh} --joints LeftShoulder --shape obb --shape-pad 1 --report --out out
fit-hull | fit {bvh} --joints LeftShoulder --shape hull --out out
fit-kdop | fit {bvh} --joints LeftShoulder --shape kdop --out out
fit-box | fit {bvh} --joints LeftShoulder --shape box --out out
fit-ellipsoid | fit {bvh} --joints LeftShoulder --shape ellipsoid --out out
fit-implicit | fit {bvh} --joints LeftShoulder --shape implicit --out out
fit-wrap | fit {arms} --joints LeftElbow,LeftShoulder --shape wrap --out out
fit-swing | fit {bvh} --joints LeftShoulder --shape box --shape-coordinates swing-twist --out out
fit-json | fit {arms} --joints LeftElbow,LeftShoulder --shape box --format json --out out
fit-csv | fit {arms} --joints LeftElbow,LeftShoulder --shape box --format csv --out out
fit-pad | fit {arms} --shape-pad -1 --out out
project-help | project --help
project-hull | project {hull} {arms} --out out/hard.bvh
project-soft | project {hull} {arms} --softness 2 --out out/soft.bvh
project-tied | project dependencies.limits.json wrong.bvh --out out/tied.bvh
project-no-shapes | project {plain} {arms} --out out/no.bvh
project-ending | project {hull} {arms} --out out/no.txt
project-json | project {hull} {arms} --format json --out out/hard.bvh
apply-help | apply --help
apply-scene | apply {plain} {ma} --out out/limited.ma
apply-edited | apply {edited} {ma} --may-move --lock-unmoved --out out/limited.ma
apply-again | apply declared.limits.json person.ma --replace --format json --out out/again.ma
apply-paper | apply paper.limits.json {ma} --out out/no.ma
apply-over | apply {plain} {ma} --out {ma}
apply-another | apply skeleton.limits.json {ma} --out out/no.ma
apply-missing | apply missing.json {ma} --out out/no.ma
check-help | check --help
check-passes | check {plain} {arms} {bvh}
check-fails | check arms.limits.json {bvh}
check-json | check arms.limits.json {legs} --format json --branch circle
check-csv | check arms.limits.json {bvh} --format csv --branch keys
check-junit | check legs.limits.json {legs} {arms} --format junit --out out/c.xml
check-page | check arms.limits.json {bvh} --tolerance 1 --report out/c.html
check-missing | check {plain} missing.bvh {arms}
check-missing-json | check {plain} missing.bvh {arms} --format json
check-missing-csv | check {plain} missing.bvh {arms} --format csv
check-tolerance | check {plain} {arms} --tolerance -1
check-paper | check paper.limits.json {arms}
check-tied | check dependencies.limits.json wrong.bvh --shapes
check-another | check dependencies.limits.json {arms}
check-box | check shape-box.limits.json {arms} --shapes --format json
check-obb | check shape-obb.limits.json {arms} --shapes --format csv
check-hull | check {hull} {arms} --shapes --format csv
check-kdop | check shape-kdop.limits.json {arms} --shapes --format csv
check-ellipsoid | check shape-ellipsoid.limits.json {arms} --shapes --format csv
check-implicit | check shape-implicit.limits.json {arms} --shapes --format csv
check-wrap | check shape-wrap.limits.json {arms} --shapes --format csv
check-swing-twist | check shape-swing-twist.limits.json {arms} --shapes --format csv
show-help | show --help
show-plain | show {plain}
show-edited | show {edited}
show-layers | show layers.limits.json
show-merged | show merged.limits.json
show-advised | show advised.limits.json
show-paper | show paper.limits.json
show-declared | show declared.limits.json
show-skeleton | show skeleton.limits.json
show-tied | show dependencies.limits.json
show-csv | show {edited} --format csv
show-json | show {edited} --format json
show-missing | show missing.json
show-missing-csv | show missing.json --format csv
show-broken | show lib/bert/torn.bvh
edit-help | edit --help
edit-set | edit {plain} --set LeftElbow.Z.max=140 --set LeftWrist.X.state=free --set\
 LeftShoulder.note=fine --author Ann --out out/e.json
edit-undo | edit {edited} --undo LeftElbow.Z.max --pin LeftWrist.Y.min --format json\
 --out out/e.json
edit-wrong | edit {plain} --set LeftElbow.Q.max=1 --out out/e.json
merge-help | merge --help
merge-union | merge arms.limits.json legs.limits.json --character u --out out/u.json
merge-intersection | merge arms.limits.json legs.limits.json --how intersection --out out/i.json
merge-layers | merge {plain} {edited} --how layers --character all --format json --out out/l.json
merge-frames | merge {plain} advised.limits.json --out out/no.json
merge-paper | merge {plain} paper.limits.json --out out/no.json
merge-one | merge {plain} --out out/no.json
merge-over | merge {plain} {edited} --out {edited}
diff-help | diff --help
diff-same | diff {plain} {plain}
diff-text | diff arms.limits.json legs.limits.json
diff-json | diff {plain} {edited} --format json
diff-csv | diff {plain} {edited} --format csv
diff-scene | diff {plain} {ma} --tolerance 1
diff-broken | diff {plain} lib/bert/torn.bvh
export-help | export --help
export-mjcf | export {hull} --to mjcf --motion {arms} --losses out/l.json --out out/a.xml
export-urdf | export {plain} --to urdf --motion {arms} --out out/a.urdf
export-blender | export {plain} --to blender --out out/a.py
export-python | export {plain} --to python --replace --lock-unmoved --out out/a.py
export-csv | export {plain} --to csv --format json --out out/a.csv
export-rom | export {plain} --to rom --motion {arms} --out out/a.bvh
export-rom-scene | export arms.limits.json --to rom --out out/a.ma
export-no-skeleton | export {plain} --to mjcf --out out/no.xml
export-paper | export paper.limits.json --to python --out out/no.py
export-speed | export {plain} --to rom --speed 0 --out out/no.bvh
manifest-help | manifest --help
manifest-library | manifest lib --set strictness=robust
manifest-file | manifest lib --character-by file --format json --out file.json
manifest-pattern | manifest lib --character-by {character}/*.bvh --out out.json
manifest-maya | manifest . --host maya --out maya.json
manifest-there | manifest lib --out lib.json
manifest-set | manifest lib --set padding=3 --out no.json
batch-help | batch --help
batch-all | batch --manifest lib.json --jobs 1 --out out
batch-saved | batch --manifest lib.json --jobs 1 --merge --out batch
batch-missing | batch --manifest missing.json --out out
gui-help | gui --help
"""
"""`{name}` is short for a file of SHORT."""
THOROUGH = {"fit-wrap", "fit-implicit", "batch-all", "estimate-filter-keys", "humanoid", "trackers"}
"""Rows and stories that take a second or more."""


def case(name, *more):
    return pytest.param(name, *more, id=name, marks=[pytest.mark.thorough] * (name in THOROUGH))


def rows():
    for line in COMMANDS.replace("\\\n", "").strip().splitlines():
        name, _, words = (part.strip() for part in line.partition("|"))
        for short, path in SHORT.items():
            words = words.replace(short, path)
        yield name, words


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A folder with everything that rows are about."""
    folder = tmp_path_factory.mktemp("goldens") / "run"
    shutil.copytree(SAVED, folder)
    for path in (*(ROOT / "examples" / name for name in EXAMPLES), SAVED / "maya" / "person.ma"):
        shutil.copy(path, folder)
    return folder


@pytest.fixture
def scratch(inputs, monkeypatch):
    """It as the current folder; what a row writes goes before the next."""
    before = files_in(inputs)
    monkeypatch.chdir(inputs)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    yield inputs
    for path in files_in(inputs).keys() - before.keys():
        path.unlink()


def files_in(folder):
    """What tells whether the files below a folder were written."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in paths}


@pytest.mark.parametrize(("name", "words"), [case(*row) for row in rows()])
def test_command(name, words, scratch, capfd):
    if name.endswith("-help") and sys.version_info < (3, 13):
        pytest.skip("argparse before Python 3.13 words its help differently")
    before = files_in(scratch)
    code = main(shlex.split(words))
    out, err = capfd.readouterr()
    found = {f"jointlimits {words}": f"exit code {code}", "stdout": out, "stderr": err}
    for path, stamp in files_in(scratch).items():
        if before.get(path) != stamp and path.suffix != ".log":
            found.update(sections_of(path, path.relative_to(scratch).as_posix()))
    check(f"cli/{name}", found, scratch)


HUMANOID = {
    "estimate": lambda c, m: c.estimateJointLimits("Hips"),
    "estimate-robust": lambda c, m: c.estimateJointLimits("LeftHip", stc="robust", padding=2.5),
    "estimate-options": lambda c, m: c.estimateJointLimits(
        "LeftHip",
        samples="50",
        advise=True,
        timeRange="10:200,300:310",
        characterName="hero",
        limitRoot=True,
        symmetry="report",
        prior="report",
        bindFrom="frame:1",
        leaveOut="spike",
    ),
    "estimate-query": lambda c, m: c.estimateJointLimits("LeftAnkle", query=True),
    "apply-query": lambda c, m: c.applyJointLimits("LeftKnee", query=True),
    "estimate-part": lambda c, m: c.estimateJointLimits("LeftHip", timeRange="1:1800"),
    "apply": lambda c, m: c.applyJointLimits("LeftHip"),
    "apply-again": lambda c, m: c.applyJointLimits("LeftHip"),
    "applied-query": lambda c, m: c.applyJointLimits("LeftKnee", query=True),
    "check": lambda c, m: c.checkJointLimits("LeftHip"),
    "check-circle": lambda c, m: c.checkJointLimits("LeftHip", tolerance=0.5, branch="circle"),
    "switch-off": lambda c, m: c.switchJointLimits("LeftHip", limitsOn=False),
    "switch-on": lambda c, m: c.switchJointLimits("LeftHip", limitsOn=True),
    "switch": lambda c, m: c.switchJointLimits("LeftKnee", everybodys=True),
    "clear": lambda c, m: c.clearJointLimits("LeftHip"),
    "apply-off": lambda c, m: c.applyJointLimits("LeftKnee", enable=False, replace=True),
    "apply-may-move": lambda c, m: c.applyJointLimits(
        "LeftHip", mayMove=True, replace=True, lockUnmoved=True, lockChannels=True
    ),
    "clear-all": lambda c, m: c.clearJointLimits(allJoints=True),
    "bad-word": lambda c, m: c.estimateJointLimits("LeftHip", strictness="loose"),
    "bad-number": lambda c, m: c.estimateJointLimits("LeftHip", padding=-1),
    "bad-range": lambda c, m: c.estimateJointLimits("LeftHip", timeRange="9:2"),
    "bad-type": lambda c, m: c.estimateJointLimits("LeftHip", padding="wide"),
    "bad-rule": lambda c, m: c.estimateJointLimits("LeftHip", leaveOut="noise"),
    "bad-limits": lambda c, m: c.applyJointLimits("LeftHip", limits="{}"),
    "missing-limits": lambda c, m: c.applyJointLimits("LeftHip", limits="none.json"),
    "bad-reorient": lambda c, m: c.applyJointLimits("LeftHip", reorient="K"),
    "bad-branch": lambda c, m: c.checkJointLimits("LeftHip", branch="x"),
    "nobody": lambda c, m: c.estimateJointLimits("nobody"),
    "no-joints": lambda c, m: c.estimateJointLimits("persp"),
    "nothing-selected": lambda c, m: (c.select(clear=True), c.clearJointLimits()),
    "python-estimate": lambda c, m: m.estimate(["LeftHip"], strictness="generous"),
    "python-apply": lambda c, m: m.apply(m.estimate(["LeftHip"]), ["LeftHip"]),
    "python-check": lambda c, m: m.check(m.estimate(["LeftHip"]), ["LeftHip"]),
    "python-switch": lambda c, m: m.switch_limits(False, ["LeftHip"]),
    "python-clear": lambda c, m: m.clear(["LeftHip"]),
    "python-wrong": lambda c, m: m.estimate(["LeftHip"], paddings=3),
}
SHOULDER = {
    "keyed": lambda c, m: keyed_arm(c),
    "no-estimate": lambda c, m: c.projectKeys("shoulder"),
    "advised": lambda c, m: c.estimateJointLimits(
        "arm", limitRoot=True, limitOrientation="advised"
    ),
    "reorient": lambda c, m: c.applyJointLimits("arm", reorient="R"),
    "clear-reorient": lambda c, m: c.clearJointLimits("arm"),
    "coupled": lambda c, m: c.estimateJointLimits(
        "arm", limitRoot=True, coupled=True, shapeForm="box", timeRange="1:15"
    ),
    "check-shapes": lambda c, m: c.checkJointLimits("arm", shapes=True),
    "project-keys": lambda c, m: c.projectKeys("arm", softness=1, timeRange="15:40"),
    "project-live": lambda c, m: c.projectJointLimits("arm"),
    "stop": lambda c, m: m.stop_projecting("shoulder"),
    "project-plain": lambda c, m: c.projectJointLimits("arm", plainNodes=True),
    "stop-plain": lambda c, m: c.projectJointLimits("arm", projectOn=False),
    "paper": lambda c, m: c.estimateJointLimits("arm", mode="paper"),
    "apply-paper": lambda c, m: c.applyJointLimits("arm"),
}
TRACKERS = {
    "nothing-selected": lambda c, m: (c.select(clear=True), c.estimateSkeleton()),
    "bad-suffix": lambda c, m: c.estimateSkeleton("trackers", timeRange="+"),
    "keyed": lambda c, m: c.estimateSkeleton("trackers", bodyRoot="chest", timeRange="1:100"),
    "quality": lambda c, m: m.joint_quality("chest_joint"),
    "estimate": lambda c, m: c.estimateJointLimits("chest_joint"),
    "apply": lambda c, m: c.applyJointLimits("chest_joint"),
    "live": lambda c, m: c.estimateSkeleton("trackers", constrained=True),
}
STORIES = {"humanoid": HUMANOID, "shoulder": SHOULDER, "trackers": TRACKERS}


@pytest.mark.parametrize("story", [case(story) for story in STORIES])
def test_maya_commands(story, scratch, maya_with_plug_in):
    """Steps in a scene, one after another: results, messages, and what changes in the scene."""
    cmds, ours = (importlib.import_module(name) for name in ("maya.cmds", "jointlimits_maya"))
    bodies = locators(read_body_csv(scratch / "tracked_arm.csv").bodies, below="trackers")
    tracks = f'createNode transform -n "trackers";\n{bodies}'
    (scratch / "trackers.ma").write_text(HEADER + tracks, encoding="utf-8")
    scene = {"humanoid": "humanoid_rom.ma", "trackers": "trackers.ma"}.get(story)
    if scene is not None:
        cmds.file(str(scratch / scene), open=True, force=True)
    found = {}
    for step, act in STORIES[story].items():
        outcome, changes = do_step(maya_with_plug_in, cmds, lambda act=act: act(cmds, ours))
        found[step] = json.dumps(outcome, indent=1)
        found[f"{step}, changes"] = "\n".join(changes)
    check(f"maya/{story}", found, scratch)


def test_flags_of_maya_commands(maya_with_plug_in, tmp_path):
    cmds = importlib.import_module("maya.cmds")
    texts = {}
    for command in sorted(maya_with_plug_in.commands):
        try:
            texts[command] = getattr(cmds, command)(help=True)
        except TypeError:  # not for people
            continue
    assert len(texts) >= 8
    check("maya/flags", texts, tmp_path)


def do_step(session, cmds, act):
    """What a step gives and prints, whether it can be undone, and lines that it changes.

    Values that are 0 but for rounding are left out: on another machine they are 0.
    """
    before, count, outcome = state_of(session), len(session.messages), {}
    try:
        outcome["result"] = plain(act())
    except (RuntimeError, TypeError, ValueError) as error:
        outcome["error"] = [type(error).__name__, str(error)]
    outcome["messages"] = [list(message) for message in session.messages[count:]]
    after = state_of(session)
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    changes = [line for line in lines if not re.match(r"---|\+\+\+|@@|.* = \S+e-1\d$", line)]
    if changes and cmds.undoInfo(query=True, undoName=True):
        cmds.undo()
        outcome["undo gives back"] = state_of(session) == before
        cmds.redo()
        outcome["redo gives again"] = state_of(session) == after
    return outcome, changes


def state_of(session):
    """All of the scene, but whether it was changed since it was opened."""
    return [line for line in state_lines(session.scene) if not line.startswith("file ")]


@pytest.mark.parametrize("face", ["jointlimits_core", "jointlimits_maya"])
def test_public_names(face, tmp_path):
    """No name of the public faces goes without a change of their list."""
    names = [name for name in dir(importlib.import_module(face)) if not name.startswith("_")]
    check(f"names/{face}", {"names": "\n".join(names)}, tmp_path)


def test_no_golden_is_left_over():
    names = {f"cli/{name}" for name, _ in rows()} | {f"maya/{story}" for story in STORIES}
    names |= {"maya/flags", "names/jointlimits_core", "names/jointlimits_maya"}
    kept = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.txt")}
    assert kept == names
