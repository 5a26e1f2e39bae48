"""References in the stand-in: loading, edits, placeholders, writing."""

from __future__ import annotations

import math

import numpy as np
import pytest

from jointlimits_core.formats.registry import read_motion
from tests.maya_standin import Session, ma_writer
from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.graph import Plug
from tests.support.maya_opening import JOINTS, essence, open_body, reopen, value
from tests.support.maya_scenes import connect, curve, write_scene

SHOT = """file -rdi 1 -ns "char" -rfn "charRN" -op "v=0;" -typ "mayaAscii" "hero.ma";
file -r -ns "char" -rfn "charRN" -op "v=0;" -typ "mayaAscii" "hero.ma";
"""
EDITS = """createNode reference -n "charRN";
\tsetAttr ".ed" -type "dataReferenceEdits"
\t\t"charRN"
\t\t"charRN" 0
\t\t"charRN" 7
\t\t0 "|char:hip" "|grp" "-s -r "
\t\t1 "|grp|char:hip|char:knee" "mark" "mark" " -ci 1 -at \\"double\\""
\t\t2 "|grp|char:hip" "rotate" " -type \\"double3\\" 0 90 0"
\t\t2 "|grp|char:hip|char:knee" "mark" " -k 1 4.5"
\t\t5 4 "charRN" "|grp|char:hip|char:knee.rotateX" "charRN.placeHolderList[1]" ""
\t\t8 "|grp|char:hip|char:knee" "rotateZ"
\t\t9 "|grp|char:hip|char:knee" "rotateY";
"""


def shot(folder, body="", **options):
    """A scene that references hero.ma and keys its knee."""
    write_scene(folder, JOINTS + connect("hip.s", "knee.is"), name="hero.ma")
    text = (
        SHOT
        + 'createNode transform -n "grp";\n'
        + EDITS
        + curve("turn", [(0, 0), (24, 180)])
        + connect("turn.o", "charRN.phl[1]")
        + body
    )
    session = Session()
    open_body(folder, text, session=session, **options)
    return session


def test_references_with_edits_and_placeholders(tmp_path):
    scene = shot(tmp_path).scene
    (reference,) = scene.references
    knee = scene.node("char:knee")
    assert (reference.namespace, reference.loaded, reference.path) == ("char", True, "hero.ma")
    assert knee.full_path() == "|grp|char:hip|char:knee"
    assert knee.reference is reference
    assert scene.node("grp").reference is None
    assert value(scene, "char:hip.rotateY") == pytest.approx(math.pi / 2)
    assert value(scene, "char:knee.mark") == 4.5
    assert knee.locked == {"rotateZ"}
    assert scene.connections[scene.plug("char:knee.rx")].node is scene.node("turn")
    kinds = {entry[0] for entry in reference.edits}
    assert kinds == {"parent", "addAttr", "setAttr", "connectAttr", "lock", "unlock"}
    assert "char" in scene.namespaces


def test_edits_are_written_and_read_again(tmp_path):
    session = shot(tmp_path)
    knee = session.scene.node("char:knee")
    session.scene.set_value(Plug(knee, "minRotXLimit"), -0.25)
    session.scene.set_value(Plug(knee, "minRotXLimitEnable"), True)
    other = reopen(session, tmp_path / "again.ma")
    assert essence(session) == essence(other)
    assert value(other.scene, "char:knee.minRotXLimit") == -0.25
    assert other.scene.references[0].edits
    # The hero's file is as it was: what changed is on record in the scene alone.
    assert "mrxl" not in (tmp_path / "hero.ma").read_text(encoding="utf-8")


def test_the_program_reads_a_referenced_scene_that_was_written(tmp_path):
    session = shot(tmp_path)
    ma_writer.write_scene(session, str(tmp_path / "again.ma"))
    motion = read_motion(tmp_path / "again.ma")
    assert motion.skeleton.names == ("char:hip", "char:knee")
    first = read_motion(tmp_path / "scene.ma")
    np.testing.assert_array_equal(motion.rotations, first.rotations)
    assert np.degrees(motion.rotates[1, 0, -1]) == pytest.approx(180.0)


def test_strings_keys_and_connections_on_referenced_nodes_come_back(tmp_path):
    """What applying limits, and re-orienting with keys, leaves on a referenced character."""
    body = curve("spin", [(0, 0), (24, 90)]) + connect("spin.o", "knee.rx")
    write_scene(tmp_path, JOINTS + body, name="hero.ma")
    session = Session()
    scene = open_body(tmp_path, SHOT, session=session)
    knee, spin = scene.node("char:knee"), scene.node("char:spin")
    scene.add_attribute(knee, AttributeSpec("record", "record", "string"))
    scene.set_value(Plug(knee, "record"), '{"a":"\\\\ \\"b\\"","n":[1,2]}')
    scene.set_keys(spin, spin.keys.with_key(0.5, -0.125))
    scene.disconnect(scene.plug("char:spin.output"), scene.plug("char:knee.rx"))
    # What was shown last is no edit of the reference; a value that is set is.
    scene.set_value(scene.plug("char:knee.rx"), 0.25)
    scene.connect(scene.plug("char:spin.output"), scene.plug("char:knee.rz"))
    scene.set_value(Plug(knee, "bindPose"), [float(n) for n in range(16)])
    other = reopen(session, tmp_path / "again.ma")
    assert essence(session) == essence(other)
    assert value(other.scene, "char:knee.record") == value(scene, "char:knee.record")
    assert other.scene.node("char:spin").keys.values == pytest.approx((0.0, -0.125, math.pi / 2))
    assert scene.plug("char:knee.rx").path == "rotateX"
    assert other.scene.plug("char:knee.rx") not in other.scene.connections
    # The program reads the same: what it cannot say of the string does not matter to it.
    assert read_motion(tmp_path / "again.ma").skeleton.names == ("char:hip", "char:knee")
