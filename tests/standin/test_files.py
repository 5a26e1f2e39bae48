"""The stand-in reads every form of statement, and opens what Maya opens."""

from __future__ import annotations

import math

import pytest

from tests.maya_standin import Session, ma_writer
from tests.maya_standin.ma_statements import quote
from tests.support.maya_opening import JOINTS, essence, open_body, reopen, value
from tests.support.maya_scenes import connect

# --- forms of statements ----------------------------------------------------------------------


def test_long_and_short_names_units_locks_and_flags(tmp_path):
    scene = open_body(tmp_path, JOINTS + connect("hip.s", "knee.is"))
    hip, knee = scene.node("hip"), scene.node("hip|knee")
    assert (hip.uuid, knee.uuid, knee.parent) == ("A-1", "A-2", hip)
    assert value(scene, "hip.translate") == (1.0, 2.0, 3.0)
    assert value(scene, "knee.jo") == pytest.approx((0.0, math.pi / 2, -math.pi / 4))
    assert knee.locked == {"rotateY"}
    assert knee.keyable == {"rotateZ": False}
    assert knee.channel_box == {"radius": True}
    assert scene.connections[scene.plug("knee.inverseScale")] == scene.plug("hip.scale")
    assert not scene.modified
    # What the file leaves out is Maya's default, not that of the joint tool.
    assert value(scene, "knee.minRotLimit") == pytest.approx([-math.pi / 4] * 3)


def test_added_attributes_with_their_values(tmp_path):
    body = (
        'createNode joint -n "hip";\n'
        '\taddAttr -ci true -k true -sn "w" -ln "weight" -dv 0.5 -min 0 -max 1 -at "double";\n'
        '\taddAttr -ci true -sn "note" -ln "note" -dt "string";\n'
        '\taddAttr -ci true -sn "turn" -ln "turn" -dv 90 -at "doubleAngle";\n'
        '\taddAttr -ci true -sn "m" -ln "mode" -en "off:on" -at "enum";\n'
        '\taddAttr -ci true -sn "v" -ln "vec" -at "double3" -nc 3;\n'
        + "".join(
            f'\taddAttr -ci true -sn "v{a}" -ln "vec{a}" -at "double" -p "vec";\n' for a in "XYZ"
        )
        + '\tsetAttr ".note" -type "string" "{\\"a\\": 1}";\n'
        '\tsetAttr ".vec" -type "double3" 1 2 3 ;\n'
    )
    session = Session()
    scene = open_body(tmp_path, body, session=session)
    assert value(scene, "hip.w") == 0.5
    assert value(scene, "hip.turn") == pytest.approx(math.pi / 2)
    assert value(scene, "hip.note") == '{"a": 1}'
    assert value(scene, "hip.vec") == (1.0, 2.0, 3.0)
    assert scene.node("hip").dynamic["mode"].enum == ("off", "on")
    assert essence(session) == essence(reopen(session, tmp_path / "again.ma"))


def test_what_is_not_modelled_is_kept_as_text(tmp_path):
    body = (
        'createNode madeUpDeformer -n "d";\n\tsetAttr -s 2 ".lots[0:1]"  1 2;\n'
        '\tsetAttr ".odd" -type "doubleArray" 2 0.5 1 ;\n'
        'createNode madeUpShape -n "s" -p "hip";\n'
        + connect("d.out", "s.in")
        + 'relationship "link" ":lightLinker1" "a.message" "b.message";\n'
        'dataStructure -fmt "raw" -as "name=x:float=y";\n'
    )
    session = Session()
    scene = open_body(tmp_path, JOINTS + body, session=session)
    assert scene.node("d").type == "madeUpDeformer"
    assert scene.node("s").parent is scene.node("hip")
    text = ma_writer.scene_text(session, "x.ma")
    assert 'setAttr ".odd" -type "doubleArray" 2 0.5 1;' in text
    assert 'connectAttr "d.out" "s.in";' in text
    assert 'relationship "link" ":lightLinker1" "a.message" "b.message";' in text
    assert essence(session) == essence(reopen(session, tmp_path / "again.ma"))


# --- opening ----------------------------------------------------------------------------------


def script_node(name, kind, text):
    return (
        f'createNode script -n "{name}";\n\tsetAttr ".b" -type "string" {quote(text)};\n'
        f'\tsetAttr ".st" {kind};\n'
    )


SCRIPTS = (
    script_node("onDemand", 0, "x")
    + script_node("onOpen", 1, 'python("evil")')
    + script_node("onOpenInWindow", 2, "x")
    + script_node(
        "sceneConfigurationScriptNode", 6, "playbackOptions -min 5 -max 48 -ast 2 -aet 96 "
    )
)


@pytest.mark.parametrize("batch", [False, True])
def test_script_nodes_are_recorded_and_never_run(tmp_path, batch):
    session = Session(batch=batch)
    scene = open_body(tmp_path, SCRIPTS, session=session)
    window = [] if batch else ["onOpenInWindow"]
    assert session.executed_script_nodes == ["onOpen", *window, "sceneConfigurationScriptNode"]
    assert (scene.playback.minimum * 24, scene.playback.end * 24) == (5.0, 96.0)


def test_a_newer_scene_is_refused_and_the_open_one_stays(tmp_path):
    session = Session(version=2024)
    before = session.scene
    header = '//Maya ASCII 2027 scene\nrequires maya "2027";\n'
    with pytest.raises(RuntimeError, match="2027"):
        open_body(tmp_path, JOINTS, header=header, session=session)
    assert session.scene is before
    scene = open_body(tmp_path, JOINTS, header=header, session=session, ignore_version=True)
    assert scene.exists("knee")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('createNode joint -n "a";\nsetAttr ".t', "Syntax error"),
        (connect("a.r", "b.r"), "cannot be found"),
        ('file -r -ns "x" -rfn "xRN" -typ "mayaAscii" "gone.ma";\n', "Reference file not found"),
    ],
)
def test_a_scene_with_errors_is_open_all_the_same(tmp_path, body, words):
    session = Session()
    with pytest.raises(RuntimeError, match=words):
        open_body(tmp_path, JOINTS + body, session=session)
    assert session.scene.exists("hip|knee")
    assert session.messages[-1][0] == "error"
