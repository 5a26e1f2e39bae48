"""Names of joints and clips with commas, equals signs, colons and quotes, on the command line."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core import estimate
from jointlimits_core.base.options import checked_options
from jointlimits_core.base.text import listed_parts
from jointlimits_core.cli.main import main
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.skeleton_fit.result import body_options_of
from tests.support.body_tables import write_table
from tests.support.linkages import arm

NAMES = ("Hips", "X", "Arm,Y", "Bip01 L, Calf=1", "a=b=c", "rig:Ünï@'q'", "Foot")
CLIP = "walk, slow:2"


@pytest.fixture
def clip(tmp_path):
    """A chain of joints that all bend about X."""
    lines = []
    for at, name in enumerate(NAMES):
        lines += [f"{'JOINT' if at else 'ROOT'} {name}", "{", "OFFSET 0 1 0"]
        lines.append("CHANNELS 3 Xrotation Yrotation Zrotation")
    lines += ["End Site", "{", "OFFSET 0 1 0", *"}" * (len(NAMES) + 1), "MOTION", "Frames: 50"]
    rows = [" ".join([f"{angle:.3f} 0 0"] * len(NAMES)) for angle in np.linspace(0.0, 49.0, 50)]
    path = tmp_path / f"{CLIP}.bvh"
    text = "\n".join(["HIERARCHY", *lines, "Frame Time: 0.04", *rows, ""])
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def limits(clip, tmp_path):
    """Limits that a command writes, as JSON."""

    def estimate(*flags):
        out = tmp_path / "out"
        assert main(["estimate", str(clip), "--out", str(out), "--character", "c", *flags]) == 0
        return json.loads((out / "c.limits.json").read_text(encoding="utf-8"))["joints"]

    return estimate


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_a_joint_that_exists_as_a_whole_is_that_joint(limits, name):
    assert list(limits("--joints", name)) == [name]
    found = limits("--as", f"{name}=ball")
    assert found[name]["type"] == "ball"
    others = [joint for joint in found if joint not in (name, "Hips")]
    assert "ball" not in [found[joint]["type"] for joint in others]


def test_lists_of_such_names(limits):
    assert list(limits("--joints", "X, Arm,Y,Foot")) == ["X", "Arm,Y", "Foot"]
    assert list(limits("--joints", "a=b=c,Bip01*")) == ["Bip01 L, Calf=1", "a=b=c"]
    found = limits("--as", "Arm,Y=ball,a=b=c=universal, Foot=fixed")
    assert [found[name]["type"] for name in ("Arm,Y", "a=b=c", "Foot")] == [
        "ball",
        "universal",
        "fixed",
    ]


def test_clips_of_such_names_can_be_excluded(limits):
    found = limits("--exclude", f"{CLIP}:0-9,{CLIP}:40-49")
    assert found["X"]["limits"]["rotateX"]["min_deg"] == pytest.approx(10.0)
    assert found["X"]["limits"]["rotateX"]["max_deg"] == pytest.approx(39.0)


def test_a_joint_that_does_not_exist_is_named(clip, capsys):
    assert main(["estimate", str(clip), "--joints", "Arm,Z"]) != 0
    assert "no joint matches 'Arm,Z'" in capsys.readouterr().err
    assert main(["estimate", str(clip), "--as", "Arm=hinge,Foot=bell"]) != 0
    assert "must be JOINT=TYPE" in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES[1:])
def test_limits_of_such_joints_are_edited(clip, limits, tmp_path, name):
    limits()
    given, out = tmp_path / "out" / "c.limits.json", tmp_path / "edited.json"
    flags = ["--set", f"{name}.X.max=77.5", "--set", f"{name}.note=as a=b, c", "--out", str(out)]
    assert main(["edit", str(given), *flags]) == 0
    edits = json.loads(out.read_text(encoding="utf-8"))["edits"]
    values = {(one["joint"], one["target"]): one["value"] for one in edits}
    assert values == {(name, "max"): 77.5, (name, "note"): "as a=b, c"}


BODIES = ("trunk", "upper, arm", "fore=arm", "hand=a,b=c")


@pytest.mark.parametrize(
    ("wish", "parents"),
    [
        ("hand=a,b=c=trunk", {"hand=a,b=c": "trunk"}),
        ("fore=arm=hand=a,b=c, upper, arm=trunk", {BODIES[2]: BODIES[3], BODIES[1]: "trunk"}),
        ("hand=a,b=c=", {"hand=a,b=c": None}),
        ("trunk=,fore=arm=trunk", {"trunk": None, "fore=arm": "trunk"}),
        ("foot=shin,shin=x=y", {"foot": "shin", "shin": "x=y"}),
    ],
)
def test_parents_of_such_bodies(wish, parents):
    values = checked_options({"body_parents": (wish,)}, ("bodies",))
    assert body_options_of(values, BODIES).parents == parents


def test_such_bodies_of_a_file(tmp_path):
    tracks = replace(arm(12).tracks(), names=("trunk", "upper=arm", "fore=arm", "hand"))
    table = write_table(tracks, tmp_path / "arm.csv")
    flags = ["--body-parents", "fore=arm=upper=arm,hand=trunk", "--character", "c"]
    assert main(["skeleton", str(table), *flags, "--out", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "c.skeleton.json").read_text(encoding="utf-8"))["parents"]
    assert (found["fore=arm"], found["hand"]) == ("upper=arm", "trunk")


def test_the_same_texts_in_python(clip):
    motion = read_motion(clip)
    found = estimate([motion], joints="X,Arm,Y", as_types=("Arm,Y=ball",))
    assert list(found.joints) == ["X", "Arm,Y"]
    assert found.joints["Arm,Y"].type == "ball"


@pytest.mark.thorough
def test_a_list_of_thousands_of_names_takes_linear_time():
    text = ",".join(f"n{number}" for number in range(20_000))
    assert len(listed_parts(text, {"n1,n2"}.__contains__)) == 19_999
