"""References of Maya scenes: search, names, edits, and failures."""

from __future__ import annotations

import os
import pathlib

import numpy as np
import pytest

from jointlimits_core.base.errors import MayaAsciiError
from jointlimits_core.formats.maya_ascii.lexer import Statement
from jointlimits_core.formats.maya_ascii.reader import read_maya_ascii
from jointlimits_core.formats.maya_ascii.reference_edits import EditRecord
from jointlimits_core.formats.maya_ascii.references import find_reference
from jointlimits_core.formats.maya_ascii.scene_file import SceneFile
from tests.support.budgets import budget
from tests.support.maya_scenes import connect, curve, write_scene
from tests.support.shared_data import shared_path

DEG = np.pi / 180.0
RIG = """
createNode transform -n "grp";
createNode joint -n "hip" -p "grp";
	setAttr ".t" -type "double3" 0 100 0 ;
createNode joint -n "knee" -p "hip";
	setAttr ".t" -type "double3" 0 -40 0 ;
connectAttr "hip.s" "knee.is";
"""


def reference(path, namespace="rig", node="rigRN", more=""):
    named = f'-ns "{namespace}" ' if namespace is not None else ""
    return (
        f'file -rdi 1 {named}-rfn "{node}" {more}-typ "mayaAscii" "{path}";\n'
        f'file -r {named}-dr 1 -rfn "{node}" {more}-op "v=0;" -typ "mayaAscii"\n\t\t "{path}";\n'
    )


def edits(*lines, node="rigRN"):
    return (
        f'createNode reference -n "{node}";\n\tsetAttr -s 9 ".phl";\n\tsetAttr ".phl[1]" 0;\n'
        f'\tsetAttr ".ed" -type "dataReferenceEdits" \n\t\t"{node}"\n\t\t"{node}" 0\n'
        f'\t\t"{node}" {len(lines)}\n\t\t' + "\n\t\t".join(lines) + ";\n"
    )


def rules(scene):
    return [finding.rule for finding in scene.findings]


def names(scene):
    return [node.path for node in scene.nodes if node.is_joint]


# Where ------------------------------------------------------------


@pytest.mark.parametrize(
    "stored",
    [
        "rig.ma",
        "parts/../rig.ma",
        "C:/show/project//scenes/rig.ma",
        "C:\\\\work\\\\scenes\\\\rig.ma",
        "/mnt/show/rig.ma{2}",
        "//server/share/rig.ma",
        "$SHOW/rigs/rig.ma",
    ],
)
def test_a_file_beside_the_scene_is_found(tmp_path, stored):
    (tmp_path / "parts").mkdir()
    write_scene(tmp_path, RIG, name="rig.ma")
    scene = SceneFile(write_scene(tmp_path, reference(stored))).scene
    assert rules(scene) == []
    assert names(scene) == ["|rig:grp|rig:hip", "|rig:grp|rig:hip|rig:knee"]


def test_tails_are_looked_for_above_the_scene(tmp_path):
    rig = write_scene(tmp_path, RIG, name="scenes/rigs/rig.ma")
    shot = write_scene(tmp_path, "", name="scenes/shots/010/shot.ma")
    found = find_reference(str(shot), "D:/elsewhere//scenes/rigs/rig.ma")
    assert pathlib.Path(found) == rig
    assert find_reference(str(shot), "rig.ma") is None


def test_other_computers_are_never_asked(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(pathlib.Path, "is_file", lambda self: bool(asked.append(str(self))))
    climbing = "../" * 20 + "net/host/rig.ma"
    for stored in (
        "//server/share/rig.ma",
        "\\\\server\\share\\rig.ma",
        "/net/host/rig.ma",
        climbing,
    ):
        assert find_reference(str(tmp_path / "scene.ma"), stored) is None
    assert asked
    resolved = [os.path.abspath(path) for path in asked]
    assert not any(path.startswith(("//", "\\\\", "/net/")) for path in [*asked, *resolved])
    find_reference("/net/host/shots/scene.ma", "/net/host/rig.ma")
    assert "/net/host/rig.ma" in asked


@pytest.mark.parametrize("stored", ["x" * 5000 + ".ma", "a\0b.ma", ".ma", "", "/", "..", "C:"])
def test_names_no_file_can_have(tmp_path, stored):
    assert find_reference(str(tmp_path / "scene.ma"), stored) is None


# What can go wrong ------------------------------------------------------------


def test_a_missing_reference_is_a_finding(tmp_path):
    body = reference("gone.ma") + 'createNode joint -n "own";\n'
    motion = read_maya_ascii(write_scene(tmp_path, body))
    assert motion.joint_names == ("own",)
    assert [finding.rule for finding in motion.findings] == ["missing-reference"]
    assert "gone.ma" in motion.findings[0].message


def test_no_joints_because_of_a_missing_reference_says_so(tmp_path):
    with pytest.raises(MayaAsciiError, match=r"no joints; .*'gone\.ma'"):
        read_maya_ascii(write_scene(tmp_path, reference("gone.ma")))


def test_other_formats_are_not_followed(tmp_path):
    (tmp_path / "rig.fbx").write_bytes(b"Kaydara FBX Binary")
    body = reference("rig.fbx") + 'createNode joint -n "own";\n'
    assert rules(SceneFile(write_scene(tmp_path, body)).scene) == ["unread-reference"]


def test_broken_references_are_findings(tmp_path):
    write_scene(tmp_path, RIG + 'createNode joint -n "cut', name="rig.ma")
    scene = SceneFile(write_scene(tmp_path, reference("rig.ma"))).scene
    assert rules(scene) == ["broken-reference"]
    assert "never closed" in scene.findings[0].message
    assert len(names(scene)) == 2


def test_loops_and_depth_are_findings(tmp_path):
    write_scene(tmp_path, reference("b.ma", "b") + 'createNode joint -n "a";\n', name="a.ma")
    write_scene(tmp_path, reference("a.ma", "a") + 'createNode joint -n "b";\n', name="b.ma")
    scene = SceneFile(tmp_path / "a.ma").scene
    assert rules(scene) == ["reference-loop"]
    assert names(scene) == ["|b:b", "|a"]
    for i in range(40):
        write_scene(tmp_path, reference(f"d{i + 1}.ma", "n"), name=f"d{i}.ma")
    deep = SceneFile(tmp_path / "d0.ma").scene
    assert rules(deep) == ["deep-reference"]
    assert "more than 16 references, the maximum" in deep.findings[0].message
    deeper = SceneFile(tmp_path / "d0.ma", budget(max_reference_depth=100)).scene
    assert rules(deeper) == ["missing-reference"]


# Names ------------------------------------------------------------


@pytest.mark.parametrize(
    ("namespace", "more", "expected"),
    [
        ("rig", "", "rig:hip"),
        (":", "", "hip"),
        (":", '-rpr "clash" ', "hip"),
        (None, '-rpr "old" ', "old_hip"),
        (None, "", "hip"),
        ("show:rig", "", "show:rig:hip"),
    ],
)
def test_namespaces_and_prefixes(tmp_path, namespace, more, expected):
    write_scene(tmp_path, RIG, name="rig.ma")
    body = reference("rig.ma", namespace, more=more)
    motion = read_maya_ascii(write_scene(tmp_path, body))
    assert motion.joint_names[0] == expected
    assert motion.skeleton.compensates_scale.tolist() == [False, True]


def test_references_in_references(tmp_path):
    write_scene(tmp_path, RIG, name="rig.ma")
    middle = reference("rig.ma", "leg", "legRN") + 'createNode joint -n "toe" -p "leg:knee";\n'
    middle += edits('2 "|leg:grp|leg:hip" "rotateX" " 15"', node="legRN")
    write_scene(tmp_path, middle, name="middle.ma")
    body = reference("middle.ma", "char", "charRN") + edits(
        '2 "|char:leg:grp|char:leg:hip|char:leg:knee" "rotateX" " 25"', node="charRN"
    )
    scene = SceneFile(write_scene(tmp_path, body)).scene
    assert names(scene)[-1] == "|char:leg:grp|char:leg:hip|char:leg:knee|char:toe"
    assert scene.find("char:leg:hip").number("rotateX") == pytest.approx(15 * DEG)
    assert scene.find("char:leg:knee").number("rotateX") == pytest.approx(25 * DEG)


def test_the_same_file_twice(tmp_path):
    write_scene(tmp_path, RIG, name="rig.ma")
    body = reference("rig.ma", "a", "aRN") + reference("rig.ma", "b", "bRN")
    motion = read_maya_ascii(write_scene(tmp_path, body))
    assert motion.joint_names == ("a:hip", "a:knee", "b:hip", "b:knee")


def test_units_of_the_referenced_file_are_its_own(tmp_path):
    header = "//Maya ASCII 2024 scene\ncurrentUnit -l meter -a radian -t film;\n"
    write_scene(tmp_path, RIG, name="rig.ma", header=header)
    motion = read_maya_ascii(write_scene(tmp_path, reference("rig.ma")))
    np.testing.assert_allclose(motion.skeleton.offsets[1], [0, -4000, 0])
    assert motion.skeleton.meters_per_unit == 0.01


# Edits ------------------------------------------------------------


def edits_in(text):
    """First codes and strings of the edits of a record."""
    raw = f'setAttr ".ed" -type "dataReferenceEdits" {text};'.encode()
    record = EditRecord(Statement(raw, 1, 0, len(raw)))
    return [(one.codes[0], *(word.text for word in one.words)) for one in record.edits()]


def test_edits_are_parsed_group_by_group():
    text = (
        '"RN" "RN" 0 "RN2" 2 0 "a" "b" "-s -r " 2 "c" "d" " 1" '
        '"RN" 4 5 4 "RN" "p.x" "RN.placeHolderList[1]" "" 8 "e" "f" '
        '7 "link" ":l" 2 "g" "h" "" 3 "s.x" "d.y" ""'
    )
    assert edits_in(text) == [
        (0, "a", "b", "-s -r "),
        (2, "c", "d", " 1"),
        (5, "RN", "p.x", "RN.placeHolderList[1]", ""),
        (8, "e", "f"),
        (7, "link", ":l", "2", "g", "h", ""),
        (3, "s.x", "d.y", ""),
    ]


@pytest.mark.parametrize("text", ["", '"RN"', '"RN" "RN"', '"RN" "RN" x', '"RN" "RN" 3 2', "1 2 3"])
def test_edits_that_are_cut_off(text):
    assert edits_in(text) == []


def test_values_locks_and_parents_are_edited(tmp_path):
    write_scene(tmp_path, RIG, name="rig.ma")
    body = reference("rig.ma") + 'createNode transform -n "world";\n\tsetAttr ".tx" 5;\n'
    body += edits(
        '0 "|rig:grp" "|world" "-s -r "',
        '2 "|world|rig:grp|rig:hip" "rotate" " -type \\"double3\\" 10 20 30"',
        '2 "|world|rig:grp|rig:hip|rig:knee" "rotateX" " -av -k 1 45"',
        '2 "rig:hip" "rotateZ" " -l 1"',
        '2 "rig:hip" "rotateY" " -av"',
        '8 "rig:knee" "rotateY"',
        '1 "rig:hip" "extra" "extra" " -ci 1 -at \\"double\\""',
        '2 "rig:hip" "extra" " -k 1 3"',
        '2 "rig:nobody" "rotateX" " 1"',
    )
    scene = SceneFile(write_scene(tmp_path, body)).scene
    hip, knee = scene.find("rig:hip"), scene.find("|world|rig:grp|rig:hip|rig:knee")
    np.testing.assert_allclose(hip.vector("rotate") / DEG, [10, 20, 30])
    assert knee.number("rotateX") == pytest.approx(45 * DEG)
    assert hip.number("extra") == 3.0
    assert (hip.is_locked("rotateZ"), knee.is_locked("rotateY")) == (True, True)
    motion = read_maya_ascii(scene.path)
    np.testing.assert_allclose(motion.world_matrices(0)[0, :3, 3], [5, 100, 0])


def test_animation_comes_through_place_holders(tmp_path):
    write_scene(
        tmp_path,
        RIG + 'createNode orientConstraint -n "aim";\n' + connect("aim.crx", "knee.rx"),
        name="rig.ma",
    )
    body = reference("rig.ma") + curve("c", [(1, 0), (3, 90)])
    body += edits(
        '3 "rig:aim.constraintRotateX" "|rig:grp|rig:hip|rig:knee.rotateX" ""',
        '5 4 "rigRN" "|rig:grp|rig:hip|rig:knee.rotateX" "rigRN.placeHolderList[1]" ""',
        '5 3 "rigRN" "|rig:grp|rig:hip|rig:knee.rotateX" "rigRN.placeHolderList[2]" ""',
        '5 4 "rigRN" "|rig:grp|rig:hip.rotateY" "rigRN.placeHolderList[3]" ""',
        '5 0 "rigRN" "|rig:grp|rig:hip|rig:knee.rotateX" "|rig:grp|rig:hip.rotateZ" '
        '"rigRN.placeHolderList[4]" "rigRN.placeHolderList[5]" ""',
    )
    body += connect("c.o", "rigRN.phl[1]") + connect("rigRN.phl[2]", "rigRN.phl[3]")
    body += connect("rigRN.phl[4]", "rigRN.phl[5]") + connect("c.o", "rigRN.phl[77]")
    motion = read_maya_ascii(write_scene(tmp_path, body))
    assert motion.animated == {"rig:hip", "rig:knee"}
    assert motion.frames.tolist() == [1, 2, 3]
    np.testing.assert_allclose(motion.rotate_deg("rig:knee")[-1], [90, 0, 0])
    np.testing.assert_allclose(motion.rotate_deg("rig:hip")[-1], [0, 90, 90])


def test_place_holders_inside_a_referenced_file(tmp_path):
    write_scene(tmp_path, RIG, name="rig.ma")
    shot = reference("rig.ma") + curve("c", [(1, 0), (3, 90)])
    shot += edits('5 4 "rigRN" "|rig:grp|rig:hip.rotateX" "rigRN.placeHolderList[1]" ""')
    shot += connect("c.o", "rigRN.phl[1]")
    write_scene(tmp_path, shot, name="shot.ma")
    motion = read_maya_ascii(write_scene(tmp_path, reference("shot.ma", "A", "ARN"), name="top.ma"))
    assert motion.animated == {"A:rig:hip"}


# Real scenes ------------------------------------------------------------


def test_a_real_scene_finds_its_reference_beside_it():
    scene = SceneFile(shared_path("data/maya/maya2gltf/referencedCube1.ma")).scene
    assert [pathlib.Path(ref.found).name for ref in scene.references] == ["SimpleCube1.ma"]
    assert scene.find("SimpleCube1:pCube1") is not None


def test_a_real_record_of_edits_is_read_whole():
    scene = SceneFile(shared_path("data/maya/referenced/rhino_anim_001.ma")).scene
    text = pathlib.Path(scene.path).read_text(encoding="utf-8")
    record = text[text.index('"rhino_rig_029RN"\n\t\t"rhino_rig_029RN" 0') :]
    found = edits_in(record[: record.index(";\n")])
    assert [sum(e[0] == code for e in found) for code in (2, 3, 5)] == [67, 1, 114]
    assert len(found) == 182
