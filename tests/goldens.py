"""Golden outputs: what the program says and writes, kept from one checkout to hold another against.

    python -m tests.goldens make FOLDER
    python -m tests.goldens compare OLD NEW [--diff NAME]

`make` runs the command line, Maya's commands in the stand-in and what can be imported, and keeps
one file for every output. What differs from run to run (VOLATILE, paths, the version) is replaced.

`compare` calls an output "same" where the bytes are, "wording only" by these rules, and otherwise
"different"; exit code 1 where one is different, missing or new:

* JSON: the same keys in the same order, numbers within 1e-12 of each other (relative), and the same
  texts, but for texts that have a space in both: sentences.
* Files that other programs read (COMMENTS): the same lines, but for lines that are comments.
* HTML: the same numbers in the text outside of tags and style sheets.
* Any other text: the same numbers in it.

Start-up times (times.json) are shown side by side and decide nothing.
"""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable

import jointlimits_core
from tests.maya_standin import Session, installed
from tests.maya_standin.state import state_lines
from tests.support.maya_projecting import keyed_arm
from tests.support.maya_scenes import HEADER
from tests.support.tracked_locators import ARM, figure, locators

ROOT = Path(__file__).resolve().parents[1]
PLUG_IN = ROOT / "plug-ins" / "jointLimits.py"
OPTIONS = Path(jointlimits_core.__file__).parent / "base" / "options.json"
PROGRAM = (sys.executable, "-m", "jointlimits_core")
TIMES = "times.json"
COMMANDS = (
    *("estimate", "skeleton", "fit", "project", "apply", "check", "evaluate", "ik", "look-at"),
    *("show", "merge", "diff", "import-limits", "export", "manifest", "batch", "gui"),
)
FILES = {
    "{ma}": "examples/humanoid_rom.ma",
    "{bvh}": "examples/humanoid_rom.bvh",
    "{csv}": "examples/tracked_arm.csv",
    "{full}": "est/humanoid_rom.limits.json",
    "{half}": "est/half.limits.json",
}
"""Short for the files that most calls are about."""
SHAPES = ("kdop", "box", "obb", "ellipsoid", "implicit", "wrap")

VOLATILE = tuple(
    (re.compile(pattern, re.MULTILINE), put)
    for pattern, put in (
        (r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\+00:00|Z)?", "TIME"),
        (r"\b\d{8}-\d{6}-[\w.-]+?-\d+\b", "STAMP"),
        (r"process \d+$", "process PID"),
        (r"peak memory [\d.,]+ [KMG]B", "peak memory SIZE"),
        (r"^ +\d+\.\d\d s  ", "SECONDS  "),
        (r"(exit code \d+); [\d.]+ s,", r"\1; SECONDS,"),
        (r"^(python|numpy|system)  +.*$", r"\1"),
    )
)
UUID = re.compile(r"\b[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\b")
"""Of nodes: new ones have another one in every session."""
COMMENTS = {
    ".ma": "//",
    **dict.fromkeys((".py", ".csv"), "#"),
    **dict.fromkeys((".bvh", ".xml", ".state", ".names"), "<!--"),
}
"""How comments begin in the files that count to the byte; `.state` and `.names` are our own."""

CALLS = """
no-command |
unknown | unknown
version | --version
estimate-scene | estimate {ma} --apply --out est
estimate-clip | estimate {bvh} --joints *Knee,*Shoulder --report --out est/clip
estimate-half | estimate half.bvh --character half --out est
estimate-two | estimate {bvh} half.bvh --character two --symmetry pool --out est
estimate-robust | estimate half.bvh --strictness robust --joints *Knee,*Elbow --pad 3 --out est/rob
estimate-wide | estimate half.bvh --strictness generous --prior widen --out est/g
estimate-paper | estimate {ma} --mode paper --character printed --out est
estimate-advised | estimate {ma} --frame advised --apply --out est/r
estimate-options | estimate half.bvh --rest mean --samples 200\
 --limit-root --advise --symmetry report --prior report --leave-out spike\
 --out est/options
estimate-save-summary | estimate half.bvh --character s --save-summary s.summary.npz --out est
estimate-summary | estimate s.summary.npz {bvh} --character s --out est/summary
estimate-keep-edits | estimate {ma} --keep-edits edited.json --out est/kept
estimate-amc | estimate lib/arm/arm.amc --skeleton lib/arm/arm.asf --frame-rate 6 --report --out amc
estimate-log | estimate half.bvh --joints *Knee --log run.log --out est/log
estimate-missing | estimate missing.bvh --out no
estimate-broken | estimate broken.bvh half.bvh --out no
estimate-empty-scene | estimate empty.ma --out no
estimate-wrong-file | estimate wrong.txt --out no
estimate-tracks | estimate {csv} --out no
estimate-alone | estimate alone.amc --out no
estimate-another | estimate half.bvh lib/arm/arm.amc --skeleton lib/arm/arm.asf --out no
estimate-nothing | estimate
estimate-rest | estimate half.bvh --rest tpose --out no
estimate-samples | estimate half.bvh --samples 0 --out no
estimate-pad | estimate half.bvh --pad nan --out no
estimate-rule | estimate half.bvh --leave-out nothing-like-this --out no
estimate-apply-clip | estimate half.bvh --apply --out no
estimate-paper-apply | estimate {ma} --mode paper --apply --out no
estimate-bounded | estimate half.bvh --input-budget max_joints=5 --out no
estimate-option | estimate half.bvh --strict robust --out no
skeleton-arm | skeleton {csv} --body-root chest --estimate --report --out arm
skeleton-plain | skeleton {csv} --no-robust --no-slips --up z --out arm/p
skeleton-units | skeleton {csv} --units m --out no
skeleton-parents | skeleton {csv} --body-parents hand=forearm --character p --out arm
skeleton-bad-parents | skeleton {csv} --body-parents hand=nobody --out no
skeleton-groups | skeleton {csv} --groups colour --out no
skeleton-missing | skeleton missing.c3d --out no
skeleton-json | skeleton edited.json --out no
fit-hull | fit {bvh} --shape hull --character coupled --out fit
fit-page | fit half.bvh --joints *Hip --shape obb --shape-pad 1 --shape-trim 2 --report --out fit/r
fit-swing | fit half.bvh --joints *Hip --shape box --shape-coordinates swing-twist --out fit/swing
fit-paper | fit half.bvh --mode paper --out no
fit-summary | fit s.summary.npz --out no
fit-pad | fit half.bvh --shape-pad -1 --out no
project-hard | project fit/coupled.limits.json half.bvh --out hard.bvh
project-narrow | project fit/half_hull.limits.json {bvh} --out narrow.bvh
project-soft | project fit/half_hull.limits.json {bvh} --softness 2 --out soft.bvh
project-no-shapes | project {half} half.bvh --out no.bvh
project-ending | project fit/coupled.limits.json half.bvh --out no.txt
project-missing | project missing.json half.bvh --out no.bvh
apply-scene | apply {full} {ma} --out limited.ma
apply-again | apply {half} limited.ma --out again.ma
apply-replace | apply {half} limited.ma --replace --lock-unmoved --out replaced.ma
apply-arm | apply arm/tracked_arm.limits.json arm/tracked_arm.skeleton.ma --out arm_limited.ma
apply-paper | apply est/printed.limits.json {ma} --out no.ma
apply-over | apply {half} {ma} --out {ma}
apply-another | apply amc/arm.limits.json {ma} --out no.ma
apply-missing | apply missing.json {ma} --out no.ma
check-passes | check {full} {ma} half.bvh
check-fails | check {half} {bvh}
check-json | check {half} {bvh} --format json --branch circle
check-csv | check {half} {bvh} --format csv --branch keys
check-junit | check {half} half.bvh {bvh} --format junit --out c.xml
check-report | check {half} {bvh} --tolerance 1 --report c.html
check-shapes | check fit/half_hull.limits.json {bvh} --shapes --format json
check-missing | check {half} missing.bvh half.bvh
check-tolerance | check {half} half.bvh --tolerance -1
check-paper | check est/printed.limits.json half.bvh
evaluate-text | evaluate {half} {bvh} half.bvh
evaluate-json | evaluate {half} {bvh} --format json --out e.json
evaluate-held | evaluate {half} {bvh} half.bvh --held-out
evaluate-one-out | evaluate est/two.limits.json {bvh} half.bvh --leave-one-out
evaluate-missing | evaluate {half} missing.bvh
ik-box | ik {bvh} --form box --every 60 --out ik
ik-coupled | ik half.bvh --limits fit/coupled.limits.json --form coupled --every 90 --out ik/coupled
ik-ccd | ik half.bvh --fit {bvh} --form types --method ccd --every 90 --out ik/ccd
ik-loop | ik half.bvh --form box --ends LeftAnkle --top LeftHip --loop --to ma --out ik/loop
ik-every | ik half.bvh --every 0 --out no
ik-ends | ik half.bvh --ends Nobody --out no
look-at-sweep | look-at half.bvh --form coupled --sweep 90 --every 40 --out look
look-at-place | look-at half.bvh --form box --target 0 150 500 --every 90 --to ma --out look/p
look-at-nan | look-at half.bvh --target 0 nan 0 --out no
show-set | show {full}
show-coupled | show fit/coupled.limits.json
show-edited | show edited.json
show-advised | show est/r/humanoid_rom.limits.json
show-broken | show broken.json
show-missing | show missing.json
merge-union | merge est/two.limits.json {half} --out union.json
merge-both | merge {half} est/two.limits.json --how intersection --out i.json
merge-frames | merge {half} edited.json --out no.json
merge-layers | merge {full} edited.json --how layers --character all --out layers.json
merge-one | merge {half} --out no.json
merge-over | merge {half} edited.json --out edited.json
diff-same | diff {half} {half}
diff-text | diff {full} {half}
diff-json | diff {full} edited.json --format json
diff-scene | diff {full} limited.ma --tolerance 1
diff-tolerance | diff {half} edited.json --tolerance much
diff-broken | diff {half} broken.json
export-mjcf | export fit/coupled.limits.json --to mjcf --motion half.bvh --losses l.json --out a.xml
export-ball | export {full} --to mjcf --motion {ma} --ball-joints ball\
 --hinge-joints axis --root-joint fixed --locked range --meters-per-unit 0.02 --out ball.xml
export-usd | export {full} --to usd --motion {ma} --out out.usda
export-python | export {full} --to python --replace --lock-unmoved --out out.py
export-csv | export {full} --to csv --out out.csv
export-rom | export {full} --to rom --motion {ma} --speed 180\
 --hold 2 --out rom.bvh
export-no-skeleton | export {full} --to mjcf --out no.xml
export-rom-scene | export {half} --to rom --rate 24 --out rom.ma
export-amc | export amc/arm.limits.json --to mjcf --motion lib/arm/arm.amc --out amc.xml
export-paper | export est/printed.limits.json --to python --out no.py
export-ending | export {half} --to rom --out no.amc
export-speed | export {half} --to rom --speed 0 --out no.bvh
export-missing | export missing.json --to csv --out no.csv
import-mjcf | import-limits a.xml --like fit/coupled.limits.json --out from_mjcf.json
import-asf | import-limits lib/arm/arm.asf --out from_asf.json
import-scene | import-limits limited.ma --character taken --out from_scene.json
import-urdf | import-limits robot.urdf --out from_urdf.json
import-wrong | import-limits wrong.txt --out no.json
manifest-library | manifest lib --out lib.json --set strictness=robust
manifest-file | manifest lib --character-by file --out file.json
manifest-pattern | manifest lib --character-pattern {character}/*.bvh --out pattern.json
manifest-list | manifest lib --character-list lib/who.csv --character-by folder --out list.json
manifest-maya | manifest examples --host maya --out maya.json
manifest-there | manifest lib --out lib.json
manifest-set | manifest lib --set padding=3 --out no.json
manifest-gone | manifest gone
batch-all | batch --manifest lib.json --out batch --library-report
batch-resume | batch --manifest lib.json --out batch --resume
batch-items | batch --manifest lib.json --out items --items 0
batch-openjd | batch --manifest lib.json --out openjd --items 0-1 --protocol openjd
batch-merge | batch --manifest lib.json --out openjd --merge
batch-failing | batch --manifest failing.json --out failing
batch-report | batch --manifest failing.json --out reported --failures report
batch-missing | batch --manifest missing.json --out no
gui-two | gui edited.json {half}
"""

ASF = """:version 1.10
:name ARM
:units
  mass 1.0
  length 0.45
  angle deg
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 1 2 3
   orientation 0 0 0
:bonedata
  begin
     id 1
     name upper
     direction 0.6 0.8 0.0
     length 5.0
     axis 10 20 30 XYZ
    dof rx ry rz
    limits (-160.0 20.0) (-inf inf) (-60.0 inf)
  end
  begin
     id 2
     name lower
     direction 0.0 1.0 0.0
     length 4.0
     axis -40 50 60 ZYX
    dof rz
    limits (-10.0 170.0)
  end
:hierarchy
  begin
    root upper
    upper lower
  end
"""
URDF = (
    '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
    '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
    '<limit lower="-1" upper="0.5" effort="1" velocity="1"/></joint></robot>\n'
)
EDIT = {
    "joint": "LeftElbow",
    "target": "max",
    "channel": "rotateZ",
    "value": 150.0,
    "note": "needed for the stunt",
    "author": None,
    "date": None,
    "replaced": None,
}
FAILING = [
    {"name": "good", "clips": ["half.bvh"]},
    {"name": "bad", "clips": ["broken.bvh"]},
    {"name": "gone", "clips": ["missing.bvh"]},
]
NAMES_CODE = """
import importlib, json, pkgutil
found = {}
for top in ("jointlimits_core", "jointlimits_maya"):
    package = importlib.import_module(top)
    found[top + ".dir"] = [name for name in dir(package) if not name.startswith("_")]
for top in ("jointlimits_core", "jointlimits_maya"):
    package = importlib.import_module(top)
    found[top] = sorted(package.__all__)
    walk = pkgutil.walk_packages(package.__path__, top + ".", lambda name: None)
    for name in sorted(info.name for info in walk if info.ispkg):
        try:
            names = getattr(importlib.import_module(name), "__all__", None)
        except ImportError:  # needs Maya or Qt
            continue
        if names is not None:
            found[name] = sorted(names)
print(json.dumps(found))
"""

Step = Callable[[Any, Any], Any]
"""Something done in Maya, given `maya.cmds` and `jointlimits_maya`."""

HUMANOID: dict[str, Step] = {
    "estimate": lambda c, m: c.estimateJointLimits("Hips"),
    "estimate-robust": lambda c, m: c.estimateJointLimits("Hips", stc="robust", padding=2.5),
    "estimate-options": lambda c, m: c.estimateJointLimits(
        "Hips",
        samples="50",
        advise=True,
        timeRange="10:200,300:310",
        byFrame=2,
        characterName="hero",
        limitRoot=True,
        symmetry="report",
        prior="report",
        bindFrom="frame:1",
        leaveOut="spike",
    ),
    "estimate-query": lambda c, m: c.estimateJointLimits("LeftAnkle", query=True),
    "apply-query": lambda c, m: c.applyJointLimits("LeftKnee", query=True),
    "apply": lambda c, m: c.applyJointLimits("Hips"),
    "apply-again": lambda c, m: c.applyJointLimits("Hips"),
    "applied-query": lambda c, m: c.applyJointLimits("LeftKnee", query=True),
    "check": lambda c, m: c.checkJointLimits("Hips"),
    "switch-off": lambda c, m: c.switchJointLimits("Hips", limitsOn=False),
    "switch-on": lambda c, m: c.switchJointLimits("Hips", limitsOn=True),
    "switch": lambda c, m: c.switchJointLimits("LeftKnee", everybodys=True),
    "clear": lambda c, m: c.clearJointLimits("Hips"),
    "estimate-part": lambda c, m: c.estimateJointLimits("Hips", timeRange="1:40"),
    "check-part": lambda c, m: c.checkJointLimits("Hips", tolerance=0.5, branch="circle"),
    "apply-part": lambda c, m: c.applyJointLimits("Hips"),
    "apply-off": lambda c, m: c.applyJointLimits("LeftKnee", enable=False, replace=True),
    "apply-may-move": lambda c, m: c.applyJointLimits(
        "Hips", mayMove=True, replace=True, lockUnmoved=True, lockChannels=True, stiffness=0.5
    ),
    "clear-part": lambda c, m: c.clearJointLimits(allJoints=True),
    "estimate-advised": lambda c, m: c.estimateJointLimits("Hips", limitFrame="advised"),
    "apply-reorient": lambda c, m: c.applyJointLimits("Hips", reorient="R"),
    "clear-reorient": lambda c, m: c.clearJointLimits("Hips"),
    "estimate-coupled": lambda c, m: c.estimateJointLimits(
        "Hips", coupled=True, shapeForm="obb", timeRange="1:900", onlyJoints="*Shoulder,*Hip"
    ),
    "check-shapes": lambda c, m: c.checkJointLimits("Hips", shapes=True),
    "project": lambda c, m: c.projectJointLimits("LeftShoulder", softness=2),
    "project-off": lambda c, m: c.projectJointLimits("LeftShoulder", projectOn=False),
    "project-plain": lambda c, m: c.projectJointLimits("RightShoulder", plainNodes=True),
    "project-plain-off": lambda c, m: c.projectJointLimits("RightShoulder", projectOn=False),
    "project-keys": lambda c, m: c.projectKeys("Hips", keyRange="1:1500"),
    "estimate-paper": lambda c, m: c.estimateJointLimits("Hips", mode="paper"),
    "apply-paper": lambda c, m: c.applyJointLimits("Hips"),
    "python-estimate": lambda c, m: m.estimate(["LeftHip"], strictness="generous"),
    "python-apply": lambda c, m: m.apply(m.estimate(["LeftHip"]), ["LeftHip"]),
    "python-check": lambda c, m: m.check(m.estimate(["LeftHip"]), ["LeftHip"]),
    "python-switch": lambda c, m: m.switch_limits(False, ["LeftHip"]),
    "python-clear": lambda c, m: m.clear(["LeftHip"]),
    "python-wrong": lambda c, m: m.estimate(["LeftHip"], paddings=3),
    "nobody": lambda c, m: c.estimateJointLimits("nobody"),
    "no-joints": lambda c, m: c.estimateJointLimits("persp"),
    "bad-word": lambda c, m: c.estimateJointLimits("Hips", strictness="loose"),
    "bad-number": lambda c, m: c.estimateJointLimits("Hips", padding=-1),
    "bad-range": lambda c, m: c.estimateJointLimits("Hips", timeRange="9:2"),
    "bad-rest": lambda c, m: c.estimateJointLimits("Hips", bindFrom="t-pose"),
    "bad-rule": lambda c, m: c.estimateJointLimits("Hips", leaveOut="noise"),
    "bad-edits": lambda c, m: c.estimateJointLimits("Hips", keepEdits="none.json"),
    "bad-type": lambda c, m: c.estimateJointLimits("Hips", padding="wide"),
    "bad-limits": lambda c, m: c.applyJointLimits("Hips", limits="{}"),
    "missing-limits": lambda c, m: c.applyJointLimits("Hips", limits="none.json"),
    "bad-reorient": lambda c, m: c.applyJointLimits("Hips", reorient="K"),
    "bad-branch": lambda c, m: c.checkJointLimits("Hips", branch="x"),
    "nothing-selected": lambda c, m: (c.select(clear=True), c.clearJointLimits()),
}
SHOULDER: dict[str, Step] = {
    "keyed": lambda c, m: keyed_arm(c),
    "no-estimate": lambda c, m: c.projectKeys("shoulder"),
    "estimate": lambda c, m: c.estimateJointLimits(
        "arm", limitRoot=True, coupled=True, shapeForm="box", timeRange="1:15"
    ),
    "project-keys": lambda c, m: c.projectKeys("arm", softness=1, keyRange="15:40"),
    "project-live": lambda c, m: c.projectJointLimits("arm"),
    "stop": lambda c, m: m.stop_projecting("shoulder"),
    "project-plain": lambda c, m: c.projectJointLimits("arm", plainNodes=True),
    "stop-plain": lambda c, m: c.projectJointLimits("arm", projectOn=False),
}
TRACKERS: dict[str, Step] = {
    "nothing-selected": lambda c, m: (c.select(clear=True), c.estimateSkeleton()),
    "bad-suffix": lambda c, m: c.estimateSkeleton("trackers", jointSuffix="+"),
    "keyed": lambda c, m: c.estimateSkeleton("trackers", bodyRoot="chest", timeRange="1:100"),
    "quality": lambda c, m: m.joint_quality("chest_joint"),
    "estimate": lambda c, m: c.estimateJointLimits("chest_joint"),
    "apply": lambda c, m: c.applyJointLimits("chest_joint"),
    "live": lambda c, m: c.estimateSkeleton("trackers", constrained=True, jointSuffix="_live"),
}


# Making -------------------------------------------------------------------------------------------


class Goldens:
    """A folder that outputs are kept in, and the scratch folder that they are made in."""

    def __init__(self, folder: Path, scratch: Path):
        self.folder = folder
        self.scratch = scratch.resolve()
        homes = ((self.scratch, "SCRATCH"), (ROOT, "PROJECT"), (Path(sys.prefix), "PYTHON"))
        self._places = [(str(path), name) for path, name in homes]
        version = re.escape(jointlimits_core.__version__)
        self._version = re.compile(rf"(?<![\d.]){version}(?![\d.])")

    def normalised(self, text: str) -> str:
        for path, name in self._places:
            text = text.replace(path, name)
        for pattern, put in VOLATILE:
            text = pattern.sub(put, text)
        return self._version.sub("VERSION", text)

    def keep(self, name: str, content: str | bytes) -> None:
        path = self.folder / self.normalised(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            with suppress(UnicodeDecodeError):
                content = content.decode("utf-8")
        if isinstance(content, str):
            if path.suffix == ".state":
                content = UUID.sub("UUID", content)
            content = self.normalised(content).encode("utf-8", "surrogateescape")
        path.write_bytes(content)

    def keep_json(self, name: str, data: Any) -> None:
        self.keep(name, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def make(folder: Path) -> None:
    """Make all outputs in a folder that is not there yet."""
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="goldens-") as scratch:
        goldens = Goldens(folder.resolve(), Path(scratch))
        prepare(goldens.scratch)
        command_line(goldens)
        names(goldens)
        from_python(goldens)
        in_maya(goldens)
        start_up(goldens)
    print(f"{len(outputs(folder))} outputs in {folder}")


def prepare(scratch: Path) -> None:
    """Write the files that the runs are about, beside a copy of the examples."""
    shutil.copytree(ROOT / "examples", scratch / "examples", ignore=_no_caches)
    clip = (scratch / "examples" / "humanoid_rom.bvh").read_text(encoding="utf-8")
    half = _first_frames(clip, 900)
    limits = json.loads(jointlimits_core.estimate(_motion(scratch)).to_json())
    frames = (f"{n}\nroot 0 {n} 0 0 {n} 0\nupper {n} 5 {n % 7}\nlower {n}\n" for n in range(1, 61))
    amc = ":FULLY-SPECIFIED\n:DEGREES\n" + "".join(frames)
    failing = {"format": "jointlimits.manifest", "version": 1, "characters": FAILING}
    texts = {
        "half.bvh": half,
        "lib/anna/walk.bvh": half,
        "lib/anna/rom.bvh": clip,
        "lib/arm/arm.asf": ASF,
        "lib/arm/arm.amc": amc,
        "lib/who.csv": "file,character\nanna/walk.bvh,walker\n",
        "robot.urdf": URDF,
        "alone.amc": amc,
        "broken.bvh": clip[:700],
        "broken.json": "{",
        "empty.ma": HEADER,
        "wrong.txt": "hello",
        "edited.json": json.dumps({**limits, "edits": [EDIT]}, indent=1) + "\n",
        "failing.json": json.dumps(failing),
    }
    write_texts(scratch, texts)


def write_texts(scratch: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch / name).write_text(text, encoding="utf-8")


def _no_caches(folder: str, found: list[str]) -> list[str]:
    return [name for name in found if name == "__pycache__"]


def _motion(scratch: Path) -> Any:
    return jointlimits_core.read_motion(scratch / "examples" / "humanoid_rom.ma")


def _first_frames(clip: str, count: int) -> str:
    """A BVH text with the first frames only."""
    head, words, motion = clip.partition("Frame Time:")
    head = re.sub(r"Frames:\s*\d+", f"Frames: {count}", head)
    return head + words + "\n".join(motion.split("\n")[: count + 1]) + "\n"


# The command line ---------------------------------------------------------------------------------


def command_line(goldens: Goldens) -> None:
    """Run every call, one after another: some read what others wrote."""
    for line in every_call():
        name, _, words = (part.strip() for part in line.partition("|"))
        before = files_in(goldens.scratch)
        done = run(goldens.scratch, *PROGRAM, *shlex.split(words))
        home = f"cli/{name}"
        goldens.keep(f"{home}/errors.txt", f"exit code {done.returncode}\n".encode() + done.stderr)
        goldens.keep(f"{home}/stdout.txt", done.stdout)
        for path, stamp in files_in(goldens.scratch).items():
            if before.get(path) != stamp:
                goldens.keep(f"{home}/{path}", (goldens.scratch / path).read_bytes())
    for command in COMMANDS:
        done = run(goldens.scratch, *PROGRAM, command, "--help")
        goldens.keep(f"help/{command}.txt", done.stdout + done.stderr)
    goldens.keep("help/jointlimits.txt", run(goldens.scratch, *PROGRAM, "--help").stdout)


def every_call() -> Iterator[str]:
    """The calls, with a fit for every shape before the first projection."""
    for line in CALLS.strip().splitlines():
        if line.startswith("project-hard"):
            yield "fit-half | fit half.bvh --shape hull --character half_hull --out fit"
            for shape in SHAPES:
                yield f"fit-{shape} | fit half.bvh --joints *Hip --shape {shape} --out fit/{shape}"
        for short, path in FILES.items():
            line = line.replace(short, path)
        yield line


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run a program in a folder, in surroundings that are the same everywhere."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "scripts")])
    environment = {
        **os.environ,
        "COLUMNS": "100",
        "PYTHONPATH": paths,
        "PYTHONUTF8": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, timeout=300, check=False
    )


def files_in(folder: Path) -> dict[str, tuple[int, int]]:
    """Files below a folder with what tells whether they were written."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_mtime_ns, path.stat().st_ino)
        for path in found
    }


# From Python --------------------------------------------------------------------------------------


def names(goldens: Goldens) -> None:
    """Public names of the packages, and the table of options."""
    done = run(goldens.scratch, sys.executable, "-c", NAMES_CODE)
    for package, found in json.loads(done.stdout).items():
        goldens.keep(f"names/{package}.names", "\n".join(found) + "\n")
    goldens.keep("options.json", OPTIONS.read_bytes())


def from_python(goldens: Goldens) -> None:
    """What the public names of the core give."""
    core = jointlimits_core
    motion = _motion(goldens.scratch)
    options = core.EstimateOptions(strictness="robust", pad_deg=2.0)
    limits = core.estimate(motion, options)
    goldens.keep("core/estimate.json", limits.to_json())
    core.write_limit_set(limits, goldens.scratch / "own.limits.json")
    again = core.read_limit_set(goldens.scratch / "own.limits.json")
    own = core.Motion.from_quaternions(
        names=["upper", "lower"],
        parents=[-1, 0],
        quaternions=[[[0, 0, 0, 1], [0, 0, 0.1 * step, 1]] for step in range(12)],
        frame_rate=30.0,
    )
    results = {
        "the same when read again": again == limits,
        "joints": list(motion.joint_names),
        "world at frame 7": motion.world_matrices(frame=7).tolist(),
        "rotate": motion.rotate_deg("LeftKnee")[::100].tolist(),
        "options": plain(options),
        "own": json.loads(core.estimate(own).to_json()),
    }
    goldens.keep_json("core/results.json", results)


def start_up(goldens: Goldens) -> None:
    """Processor time of what everybody waits for, the least of some runs."""
    clip = "examples/humanoid_rom.bvh"
    asked = {
        "--version": (*PROGRAM, "--version"),
        "--help": (*PROGRAM, "--help"),
        "import jointlimits_core": (sys.executable, "-c", "import jointlimits_core"),
        "estimate": (*PROGRAM, "estimate", clip, "--out", "timed"),
    }
    times = {}
    for name, words in asked.items():
        runs = []
        for _ in range(5):
            before = os.times()
            run(goldens.scratch, *words)
            after = os.times()
            used = after.children_user + after.children_system
            runs.append(used - before.children_user - before.children_system)
        times[name] = round(min(runs), 3)
    (goldens.folder / TIMES).write_text(json.dumps(times, indent=1) + "\n", encoding="utf-8")


# In Maya ------------------------------------------------------------------------------------------


def in_maya(goldens: Goldens) -> None:
    """Every command in three scenes, and its help."""
    os.environ["MAYA_APP_DIR"] = str(goldens.scratch / "app")
    os.chdir(goldens.scratch)
    trackers = goldens.scratch / "trackers.ma"
    tracks = figure(ARM, seconds=6.0)[1]
    body = 'createNode transform -n "trackers";\n' + locators(tracks, below="trackers")
    trackers.write_text(HEADER + body, encoding="utf-8")
    humanoid = goldens.scratch / "examples" / "humanoid_rom.ma"
    story(goldens, "humanoid", HUMANOID, humanoid)
    story(goldens, "shoulder", SHOULDER, None)
    story(goldens, "trackers", TRACKERS, trackers)
    os.chdir(ROOT)


def story(goldens: Goldens, name: str, steps: dict[str, Step], scene: Path | None) -> None:
    """Do steps in a scene, one after another, in a Maya of their own."""
    with installed() as session:
        import maya.cmds as cmds

        cmds.loadPlugin(str(PLUG_IN))
        import jointlimits_maya

        if scene is not None:
            cmds.file(str(scene), open=True, force=True)
        goldens.keep(f"maya/{name}/opened.state", "\n".join(state_of(session)) + "\n")
        for count, (step, act) in enumerate(steps.items()):
            home = f"maya/{name}/{count:02}-{step}"
            outcome, changes = done_in(session, cmds, lambda act=act: act(cmds, jointlimits_maya))
            goldens.keep_json(f"{home}.json", outcome)
            if changes:
                goldens.keep(f"{home}.state", "\n".join(changes) + "\n")
        for command in sorted(session.commands):
            with suppress(TypeError):
                goldens.keep(f"maya/help/{command}.txt", getattr(cmds, command)(help=True))


def done_in(
    session: Session, cmds: Any, act: Callable[[], Any]
) -> tuple[dict[str, Any], list[str]]:
    """What a step gives and says, whether it can be undone, and lines that it changes."""
    before, count = state_of(session), len(session.messages)
    outcome: dict[str, Any] = {}
    try:
        outcome["result"] = plain(act())
    except (RuntimeError, TypeError, ValueError) as error:
        outcome["error"] = [type(error).__name__, str(error)]
    outcome["messages"] = [list(message) for message in session.messages[count:]]
    after = state_of(session)
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    changes = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    if changes and cmds.undoInfo(query=True, undoName=True):
        cmds.undo()
        outcome["undo gives back"] = state_of(session) == before
        cmds.redo()
        outcome["redo gives again"] = state_of(session) == after
    return outcome, changes


def state_of(session: Session) -> list[str]:
    """All of the scene, but whether it was changed since it was opened."""
    return [line for line in state_lines(session.scene) if not line.startswith("file ")]


def plain(value: Any) -> Any:
    """A result as JSON has it."""
    if isinstance(value, str) and value.startswith(("{", "[")):
        return json.loads(value)
    if hasattr(value, "to_json"):
        return json.loads(value.to_json())
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {field.name: plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        ordered = sorted(value) if isinstance(value, (set, frozenset)) else value
        return [plain(one) for one in ordered]
    if hasattr(value, "tolist"):
        return value.tolist()
    return value if value is None or isinstance(value, (str, int, float)) else repr(value)


# Comparing ----------------------------------------------------------------------------------------


def compare(old: Path, new: Path) -> int:
    """Print a line for every output, the worst last; 1 where something is different."""
    before, after = outputs(old), outputs(new)
    verdicts = {name: "missing" for name in before if name not in after}
    verdicts.update({name: "new" for name in after if name not in before})
    for name in before.keys() & after.keys():
        verdicts[name] = verdict(name, before[name].read_bytes(), after[name].read_bytes())
    order = ("same", "wording only", "new", "missing", "different")
    for name in sorted(verdicts, key=lambda name: (order.index(verdicts[name]), name)):
        print(f"{verdicts[name]:12}  {name}")
    print_times(old, new)
    counts = Counter(verdicts.values())
    print(f"\n{len(verdicts)} outputs: " + ", ".join(f"{counts[word]} {word}" for word in order))
    return int(any(counts[word] for word in order[2:]))


def outputs(folder: Path) -> dict[str, Path]:
    """Outputs of a folder by name."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    return {name: path for name, path in found.items() if path.is_file() and name != TIMES}


def verdict(name: str, old: bytes, new: bytes) -> str:
    """Whether an output is the same, the same in other words, or different; see the top."""
    if old == new:
        return "same"
    try:
        before, after = old.decode("utf-8"), new.decode("utf-8")
    except UnicodeDecodeError:
        return "different"
    return "wording only" if alike(Path(name).suffix, before, after) else "different"


def alike(suffix: str, old: str, new: str) -> bool:
    """Whether two texts differ in their wording only."""
    if suffix in COMMENTS:
        return _without_comments(old, suffix) == _without_comments(new, suffix)
    with suppress(ValueError):
        return alike_json(json.loads(old), json.loads(new))
    if suffix == ".html":
        return _numbers(_visible(old)) == _numbers(_visible(new))
    return _numbers(old) == _numbers(new)


def alike_json(old: Any, new: Any) -> bool:
    if isinstance(old, bool) or isinstance(new, bool) or old is None or new is None:
        return old is new
    if isinstance(old, (int, float)) and isinstance(new, (int, float)):
        return math.isclose(old, new, rel_tol=1e-12) or (old != old and new != new)
    if isinstance(old, dict) and isinstance(new, dict):
        return list(old) == list(new) and all(alike_json(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(alike_json, old, new))
    sentences = all(isinstance(one, str) and " " in one for one in (old, new))
    return bool(sentences or (type(old) is type(new) and old == new))


def _without_comments(text: str, suffix: str) -> list[str]:
    return [line for line in text.split("\n") if not line.lstrip().startswith(COMMENTS[suffix])]


def _visible(page: str) -> str:
    """Text of a page with its scripts, without tags and style sheets."""
    return re.sub(r"<[^>]*>", " ", re.sub(r"<style.*?</style>", " ", page, flags=re.DOTALL))


def _numbers(text: str) -> list[str]:
    return re.findall(r"(?:(?<![\w)])-)?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", text)


def print_times(old: Path, new: Path) -> None:
    """Start-up times side by side."""
    with suppress(OSError):
        before, after = (json.loads((one / TIMES).read_text()) for one in (old, new))
        print(f"\n{'processor time, seconds':28}{'old':>8}{'new':>8}")
        for name in before:
            print(f"{name:28}{before[name]:8.3f}{after.get(name, math.nan):8.3f}")


def print_diff(old: Path, new: Path, name: str) -> int:
    """Print how one output differs."""
    lines = [
        (path / name).read_text("utf-8", "replace").splitlines() if (path / name).exists() else []
        for path in (old, new)
    ]
    print("\n".join(difflib.unified_diff(*lines, f"{old}/{name}", f"{new}/{name}", lineterm="")))
    return int(lines[0] != lines[1])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="goldens", description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("make").add_argument("folder", type=Path)
    comparing = commands.add_parser("compare")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--diff", metavar="NAME", help="how one output differs")
    given = parser.parse_args(arguments)
    if given.command == "make":
        make(given.folder)
        return 0
    if given.diff:
        return print_diff(given.old, given.new, given.diff)
    return compare(given.old, given.new)


if __name__ == "__main__":
    sys.exit(main())
