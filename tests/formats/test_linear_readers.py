"""Twice the input is at most 2.2 times the work; work is calls, not time."""

from __future__ import annotations

import io
import json
import tempfile
from functools import partial
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from jointlimits_core.base.errors import InputError
from jointlimits_core.batch.grouping import FoundFile
from jointlimits_core.estimation.pipeline import summarize
from jointlimits_core.estimation.summary_file import write_summary
from jointlimits_core.importers.read import read_limits
from jointlimits_core.limits.limit_set import LimitSet
from tests.support.budgets import budget
from tests.support.c3d_files import whole_c3d
from tests.support.fbx_files import ascii_text, binary, leg, model
from tests.support.layered_sets import axis
from tests.support.limit_set_examples import joint as joint_limit
from tests.support.made_motion import clip, rotate
from tests.support.readers import READERS
from tests.support.small_files import AMC, MOTIVE_CSV
from tests.support.work import calls

HEAD = "//Maya ASCII 2024 scene\n"
END = "MOTION\nFrames: 1\nFrame Time: 0.01\n"


def joint(name, below="", end="\n"):
    return f'createNode joint -n "{name}"' + (f' -p "{below}"' if below else "") + ";" + end


def scene(*texts):
    return HEAD + "".join(texts)


def joints_of_scene(end, count):
    return scene(*(joint(f"j{k}", end=end) for k in range(count)))


def namesakes(line, count):
    """Joints of one name, each below another joint, and a line about each."""
    pairs = (joint(f"g{k}") + joint("j", f"g{k}") for k in range(count))
    return scene(*pairs, *(line.format(k) for k in range(count)))


def missing_references(count):
    line = 'file -r -ns "a{0}" -rfn "r{0}" "no{0}.ma";\n'
    return scene(*(line.format(k) for k in range(count)), joint("j"))


def bvh(channels, below="", values=3):
    head = f"HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS {channels}\n{below}}}\n"
    return head + END + "0 " * values + "\n"


def leaf(name):
    place = "{\nOFFSET 0 1 0\n"
    return f"JOINT {name}\n{place}CHANNELS 1 Xrotation\nEnd Site\n{place}}}\n}}\n"


def asf(count):
    bone = "begin\nid {0}\nname b{0}\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\n"
    bone += "dof rx\nlimits (-9 9)\nend\n"
    bones = "".join(bone.format(k) for k in range(count))
    names = " ".join(f"b{k}" for k in range(count))
    root = ":root\norder RX RY RZ\naxis XYZ\nposition 0 0 0\norientation 0 0 0\n"
    head = f":version 1.10\n:units\nlength 1\nangle deg\n{root}:bonedata\n"
    return f"{head}{bones}:hierarchy\nbegin\nroot {names}\nend\n"


def c3d(count):
    return whole_c3d(turning=False, names=[f"m{k}" for k in range(max(count, 2))])


def fbx(write, count):
    """A leg with `count` keys beside `count` joints that do not turn."""
    angles = np.linspace(0.0, 9.0, count).tolist()
    return write(leg(angles, joints=[model(1000 + k, f"j{k}") for k in range(count)]))


def amc(count):
    head, first = AMC.decode().split("\n1\n")[0], AMC.decode().split("\n1\n")[1].split("\n2\n")[0]
    return head + "".join(f"\n{k}\n{first}" for k in range(1, count + 1)) + "\n"


def table(count):
    names = ("body{0}.px", "body{0}.py", "body{0}.pz", "body{0}.qx", "body{0}.qy", "body{0}.qz")
    columns = [one.format(k) for k in range(count) for one in (*names, "body{0}.qw")]
    row = "0.0," + "0,0,0,0,0,0,1," * (count - 1) + "0,0,0,0,0,0,1\n"
    return "time," + ",".join(columns) + "\n" + row + row.replace("0.0,", "0.1,", 1)


def limits_of(count):
    one = joint_limit("ball", (axis(-9.0, 9.0),) * 3, parent=None)
    return LimitSet("a", {f"j{k}": one for k in range(count)}).to_json()


def manifest(count):
    characters = [{"name": f"c{k}", "clips": [f"{k}.bvh"]} for k in range(count)]
    head = {"format": "jointlimits.manifest", "version": 1}
    return json.dumps({**head, "characters": characters})


def amass(count):
    made = io.BytesIO()
    turns = np.sin(np.arange(66.0 * count)).reshape(count, 66)
    np.savez(made, poses=turns, mocap_framerate=np.array(60.0))
    return made.getvalue()


def motive(count):
    row = "{0},{1:.6f},0,0,0.6,0.8,100,200,300,0.1,4,5,6"
    head = MOTIVE_CSV.decode().splitlines()[:7]
    return "\n".join([*head, *(row.format(k, k / 60.0) for k in range(count)), ""])


def summary(count):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.summary.npz"
        motion = clip({f"j{k}": rotate(x=np.linspace(0.0, 30.0, 9)) for k in range(count)})
        write_summary(summarize([motion]), path)
        return path.read_bytes()


def result(count):
    """A result with `count` times its files, inputs, references and kinds of findings."""
    document = json.loads(READERS["result"].seed())
    reference = {"scene": "", "stored": "walk.bvh", "found": "walk.bvh"}
    more = {
        "files": document["files"] * count,
        "read": document["inputs"] * count,
        "references": [reference] * count,
        "findings": {f"rule-{k}": 1 for k in range(count)},
    }
    return json.dumps({**document, **more})


INPUTS = {
    "frames of AMASS": ("amass", 60, amass),
    "joints of a summary": ("summary", 20, summary),
    "markers of a C3D": ("c3d", 50, c3d),
    "rows of Motive": ("motive", 60, motive),
    "joints and keys of a binary FBX": ("fbx", 60, partial(fbx, binary)),
    "joints and keys of an ASCII FBX": ("fbx_text", 60, partial(fbx, ascii_text)),
    "frames": ("amc", 60, amc),
    "bodies of a table": ("bodies", 60, table),
    "joints of limits": ("limits", 60, limits_of),
    "characters": ("manifest", 60, manifest),
    "rows of a list": ("listed", 60, lambda n: "".join(f"a/{k}.bvh,c{k}\n" for k in range(n))),
    "files of a result": ("result", 60, result),
    "groups of markers": (
        "markers",
        60,
        lambda n: json.dumps({f"b{k}": [f"m{k}*", "x", "y"] for k in range(n)}),
    ),
    "a line of statements": ("ma", 50, partial(joints_of_scene, " ")),
    "lines that end in CR": ("ma", 50, partial(joints_of_scene, "\r")),
    "namesakes": ("ma", 150, partial(namesakes, 'setAttr "g{0}|j.rx" 3;\n')),
    "connected namesakes": ("ma", 150, partial(namesakes, 'connectAttr "g{0}|j.rx" "g0|j.ry";\n')),
    "missing references": ("reference", 60, missing_references),
    "joints of a scene": (
        "ma",
        40,
        lambda n: scene(joint("r"), *(joint(f"j{k}", "r") for k in range(n))),
    ),
    "channels of a joint": ("bvh", 100, lambda n: bvh(f"{n} " + "Xrotation " * n, values=n)),
    "joints of a BVH": (
        "bvh",
        50,
        lambda n: bvh("1 Xrotation", "".join(leaf(f"b{k}") for k in range(n)), n + 1),
    ),
    "bones": ("asf", 50, asf),
}
"""Reader, the smaller size, and the text of a size."""


def test_every_reader_has_a_case():
    assert {reader for reader, _, _ in INPUTS.values()} == set(READERS)


def test_a_hierarchy_deeper_than_the_budget_is_refused(tmp_path):
    # Each below the one before it, not below the root.
    text = asf(5).replace("root b0 b1 b2 b3 b4", "root b0\nb0 b1\nb1 b2\nb2 b3\nb3 b4")
    path = tmp_path / "a.asf"
    path.write_text(text)
    assert len(read_limits(path, limits=budget(max_depth=6)).joints) == 6
    with pytest.raises(InputError, match="more than 5 nested joints, the maximum"):
        read_limits(path, limits=budget(max_depth=5))


@pytest.mark.thorough
@pytest.mark.parametrize("name", INPUTS)
def test_twice_the_input_is_twice_the_work(tmp_path, name):
    reader, count, text = INPUTS[name]
    target = READERS[reader]
    target.prepare(tmp_path)
    path = tmp_path / f"a{target.ending}"

    def work(size):
        made = text(size)
        path.write_bytes(made if isinstance(made, bytes) else made.encode())
        return calls(lambda: read_whole(reader, path))

    work(2)
    assert work(2 * count) < 2.2 * work(count)


def read_whole(reader, path):
    """A list is asked for files, too."""
    found = READERS[reader].read(path)
    if reader == "listed":
        names = [line.partition(",") for line in path.read_text().splitlines()]
        files = [FoundFile(PurePosixPath(file), None, "") for file, _, _ in names]
        assert [found(file) for file in files] == [name for _, _, name in names]
