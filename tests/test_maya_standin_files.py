"""The stand-in opens and writes scenes: real ones, and small ones for every form of statement."""

from __future__ import annotations

import math
import re
from contextlib import suppress

import numpy as np
import pytest

from jointlimits_core.errors import InputError
from jointlimits_core.formats.read import read_motion
from jointlimits_core.rotation import matrix_from_quaternion
from tests.maya_scenes import connect, curve, write_scene
from tests.maya_standin import Session, ma_reader, ma_writer, references
from tests.maya_standin.evaluation import Evaluator
from tests.maya_standin.graph import Plug
from tests.maya_standin.ma_statements import SyntaxProblem, quoted, statements
from tests.maya_standin.state import scene_hash, state_lines
from tests.shared_data import shared


def opened(folder, body, *, header=None, session=None, **options):
    """Scene of a small file."""
    session = session or Session()
    named = {} if header is None else {"header": header}
    return ma_reader.open_scene(session, str(write_scene(folder, body, **named)), **options)


def value(scene, name):
    plug = scene.plug(name)
    return plug.node.stored(plug.path)


def essence(session):
    """What a scene is, but for its file's name and the node that Maya adds when saving."""
    lines, skip = [], False
    for line in state_lines(session.scene):
        if not line.startswith("  "):
            skip = "sceneConfigurationScriptNode" in line or line.startswith("file ")
        if not skip:
            lines.append(line)
    return sorted(lines)


def reopened(session, path):
    """Another session with what the first one's scene is written as."""
    ma_writer.write_scene(session, str(path))
    other = Session()
    with suppress(RuntimeError):
        ma_reader.open_scene(other, str(path))
    return other


# --- statements -------------------------------------------------------------------------------


def test_statements_strings_and_comments():
    text = '//x;\nsetAttr ".a" -type "string" "q\\"; \\n\\\\" ; /* ; */ select -ne :time1;'
    first, second = statements(text)
    assert [word.text for word in first.words] == [".a", "-type", "string", 'q"; \n\\']
    assert [word.quoted for word in first.words] == [True, False, True, True]
    assert (second.command, second.line) == ("select", 2)
    assert quoted('q"; \n\\') == '"q\\"; \\n\\\\"'


@pytest.mark.parametrize("text", ['setAttr "x', "setAttr x", 'setAttr "x;\n'])
def test_text_that_ends_too_early(text):
    with pytest.raises(SyntaxProblem):
        list(statements(text))


# --- real scenes ------------------------------------------------------------------------------


def scene_paths():
    return sorted(shared("data/maya").rglob("*.ma"))


def test_real_scenes_have_every_node_and_are_written_as_they_were(tmp_path):
    paths = scene_paths()
    assert len(paths) == 35
    nodes = connections = 0
    for path in paths:
        session = Session()
        with suppress(RuntimeError):
            ma_reader.open_scene(session, str(path))
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        names = re.findall(r'^createNode \w+ (?:-\w+ )*?-n(?:ame)? "([^"]+)"', text, re.MULTILINE)
        for name in names:
            assert session.scene.exists(name), (path.name, name)
        once = reopened(session, tmp_path / "written.ma")
        assert essence(session) == essence(once), path.name
        first = (tmp_path / "written.ma").read_bytes()
        reopened(once, tmp_path / "written.ma")
        assert (tmp_path / "written.ma").read_bytes() == first, path.name
        nodes += len(names)
        connections += len(session.scene.connections)
    print(f"{len(paths)} scenes, {nodes} nodes, {connections} connections: read, written, the same")
    assert connections > 1500


def test_the_program_reads_the_same_motion_from_what_is_written(tmp_path):
    compared = 0
    for path in scene_paths():
        try:
            motion = read_motion(path)
        except InputError:
            continue
        session = Session()
        with suppress(RuntimeError):
            ma_reader.open_scene(session, str(path))
        ma_writer.write_scene(session, str(tmp_path / path.name))
        again = read_motion(tmp_path / path.name)
        assert again.skeleton.names == motion.skeleton.names, path.name
        np.testing.assert_array_equal(again.frames, motion.frames)
        np.testing.assert_allclose(again.rotations, motion.rotations, atol=1e-12)
        compared += 1
    print(f"the same motion from {compared} scenes")
    assert compared >= 10


def motions_with_scenes():
    """Real scenes as the program reads them and as the stand-in opens them."""
    for path in scene_paths():
        try:
            motion = read_motion(path)
        except InputError:
            continue
        session = Session()
        with suppress(RuntimeError):
            ma_reader.open_scene(session, str(path))
        yield path, motion, session.scene


def test_curves_in_real_scenes_have_the_values_that_the_program_reads():
    compared = 0
    for _, motion, scene in motions_with_scenes():
        if motion.rotates is not None:
            compared += compare_curves(scene, motion)
    print(f"{compared} values of keyed rotations agree with the program's")
    assert compared > 1400


def compare_curves(scene, motion):
    """Values of channels that a curve drives alone, at every frame."""
    compared = 0
    evaluator = Evaluator(scene)
    for place, name in enumerate(motion.skeleton.names):
        found = scene.find(name)
        for axis in range(3) if len(found) == 1 else ():
            source = scene.connections.get(Plug(found[0], "rotate" + "XYZ"[axis]))
            if source is None or not source.node.is_a("animCurve"):
                continue
            for index, frame in enumerate(motion.frames):
                mine = evaluator.value(source, float(frame / motion.frame_rate))
                assert mine == pytest.approx(motion.rotates[place, axis, index], abs=1e-10), name
                compared += 1
    return compared


def test_local_rotations_in_real_scenes_are_those_that_the_program_reads():
    compared = 0
    for path, motion, scene in motions_with_scenes():
        evaluator = Evaluator(scene)
        step = max(1, len(motion.frames) // 10)
        for place, name in enumerate(motion.skeleton.names):
            (node,) = scene.find(name)
            if is_constrained(scene, node):
                # The program takes what the scene stored, the stand-in computes.
                continue
            for index in range(0, len(motion.frames), step):
                seconds = float(motion.frames[index] / motion.frame_rate)
                local = evaluator.value(Plug(node, "matrix"), seconds)
                turn = rigid_turn(np.reshape(local, (4, 4))[:3, :3])
                if turn is not None:
                    theirs = matrix_from_quaternion(motion.rotations[place, :, index]).T
                    np.testing.assert_allclose(turn, theirs, atol=1e-9, err_msg=f"{path} {name}")
                    compared += 1
    print(f"{compared} local rotations agree with the program's")
    assert compared >= 750


def is_constrained(scene, node):
    source = scene.connections.get(Plug(node, "rotateX"))
    return source is not None and source.node.is_a("constraint")


def rigid_turn(part):
    """Rotation in a matrix without mirroring, and whose scale is the same along all axes."""
    sizes = np.linalg.norm(part, axis=1)
    if np.ptp(sizes) > 1e-9 or np.linalg.det(part) <= 1e-9:
        return None
    return part / sizes[0]


# --- forms of statements ----------------------------------------------------------------------

JOINTS = """createNode joint -n "hip";
\trename -uid "A-1";
\tsetAttr ".t" -type "double3" 1 2 3 ;
\tsetAttr ".ro" 2;
createNode joint -name "knee" -parent "hip";
\trename -uuid "A-2";
\tsetAttr ".jointOrient" -type "double3" 0 90 -45 ;
\tsetAttr -l on ".ry";
\tsetAttr -k off ".rz";
\tsetAttr -cb on ".radi";
"""


def test_long_and_short_names_units_locks_and_flags(tmp_path):
    scene = opened(tmp_path, JOINTS + connect("hip.s", "knee.is"))
    hip, knee = scene.node("hip"), scene.node("hip|knee")
    assert (hip.uuid, knee.uuid, knee.parent) == ("A-1", "A-2", hip)
    assert value(scene, "hip.translate") == (1.0, 2.0, 3.0)
    assert value(scene, "knee.jo") == pytest.approx((0.0, math.pi / 2, -math.pi / 4))
    assert knee.locked == {"rotateY"}
    assert knee.keyable == {"rotateZ": False}
    assert knee.channel_box == {"radius": True}
    assert scene.connections[scene.plug("knee.inverseScale")] == scene.plug("hip.scale")
    assert not scene.modified
    # What is not said is Maya's default, not that of the joint tool.
    assert value(scene, "knee.minRotLimit") == pytest.approx([-math.pi / 4] * 3)


def test_units_of_the_file_are_those_of_the_scene(tmp_path):
    header = "//Maya ASCII 2025 scene\ncurrentUnit -l meter -a radian -t 120fps;\n"
    body = (
        'createNode joint -n "hip";\n\tsetAttr ".t" -type "double3" 1 0 0 ;\n\tsetAttr ".rx" 0.5;\n'
        + curve("c", [(12, 0.25), (24, 1.5)])
        + connect("c.o", "hip.ry")
        + 'select -ne :time1;\n\tsetAttr ".o" 12;\n'
    )
    scene = opened(tmp_path, body, header=header)
    assert (scene.units.linear, scene.units.angle, scene.units.time) == ("m", "rad", "120fps")
    assert value(scene, "hip.t") == (100.0, 0.0, 0.0)
    assert value(scene, "hip.rx") == 0.5
    assert scene.time == pytest.approx(0.1)
    keys = scene.node("c").keys
    assert (keys.times, keys.values) == ((0.1, 0.2), (0.25, 1.5))
    assert Evaluator(scene).value(scene.plug("hip.rotateY")) == 0.25


def test_keys_with_stored_tangents_infinities_and_gaps(tmp_path):
    body = (
        'createNode animCurveTA -n "c";\n\tsetAttr ".tan" 10;\n\tsetAttr ".pre" 4;\n'
        '\tsetAttr ".pst" 5;\n\tsetAttr -s 3 ".ktv[0:2]"  24 180 0 0 12 90;\n'
        '\tsetAttr -s 3 ".kit[1:2]"  1 18;\n\tsetAttr ".kot[2]"  5;\n'
        '\tsetAttr -s 3 ".kix[1:2]"  0.5 1;\n\tsetAttr -s 3 ".kiy[1:2]"  0.25 0;\n'
    )
    keys = opened(tmp_path, body).node("c").keys
    assert keys.times == (0.0, 0.5, 1.0)
    assert keys.values == pytest.approx((0.0, math.pi / 2, math.pi))
    assert keys.in_types == (1, 18, 10)
    assert keys.out_types == (10, 5, 10)
    # Seconds and radians in a file of degrees.
    assert keys.in_tangents == ((0.5, 0.25), (1.0, 0.0), None)
    assert (keys.weighted, keys.pre, keys.post) == (True, 4, 5)


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
    scene = opened(tmp_path, body, session=session)
    assert value(scene, "hip.w") == 0.5
    assert value(scene, "hip.turn") == pytest.approx(math.pi / 2)
    assert value(scene, "hip.note") == '{"a": 1}'
    assert value(scene, "hip.vec") == (1.0, 2.0, 3.0)
    assert scene.node("hip").dynamic["mode"].enum == ("off", "on")
    assert essence(session) == essence(reopened(session, tmp_path / "again.ma"))


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
    scene = opened(tmp_path, JOINTS + body, session=session)
    assert scene.node("d").type == "madeUpDeformer"
    assert scene.node("s").parent is scene.node("hip")
    text = ma_writer.scene_text(session, "x.ma")
    assert 'setAttr ".odd" -type "doubleArray" 2 0.5 1;' in text
    assert 'connectAttr "d.out" "s.in";' in text
    assert 'relationship "link" ":lightLinker1" "a.message" "b.message";' in text
    assert essence(session) == essence(reopened(session, tmp_path / "again.ma"))


def test_parent_rename_lock_node_and_built_in_nodes(tmp_path):
    body = (
        'createNode transform -n "group";\nparent "hip" "group";\nrename "group" "grp";\n'
        'createNode joint -n "toe" -p "hip|knee";\n\tlockNode -l 1 ;\n'
        'select -ne :defaultResolution;\n\tsetAttr ".w" 640;\n'
        'createNode transform -s -n "persp";\n\tsetAttr ".v" no;\n'
    )
    scene = opened(tmp_path, JOINTS + body)
    assert scene.node("toe").full_path() == "|grp|hip|knee|toe"
    assert scene.node("toe").is_locked
    assert [node.name for node in scene.find("persp")] == ["persp"]
    assert value(scene, "persp.v") is False


def test_matrices_and_pose_records(tmp_path):
    numbers = "1 1 1 0 0 0.5 0 7 8 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 1 1 1 1 yes"
    body = (
        '\tsetAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 -2 0 0 1;\n'
        f'createNode dagPose -n "pose";\n\tsetAttr ".xm[3]" -type "matrix" "xform" {numbers};\n'
        + connect("hip.msg", "pose.m[3]")
    )
    session = Session()
    scene = opened(tmp_path, JOINTS + body, session=session)
    assert value(scene, "knee.bindPose")[12] == -2.0
    found = value(scene, "pose.xformMatrix[3]")
    assert found[12:15] == (7.0, 8.0, 9.0)
    assert found[0] == pytest.approx(math.cos(0.5))
    assert found[1] == pytest.approx(math.sin(0.5))
    assert f'"xform" {numbers};' in ma_writer.scene_text(session, "x.ma")


def test_next_available_elements(tmp_path):
    body = 'createNode skinCluster -n "s";\n' + "".join(
        f'connectAttr "{name}.wm" "s.ma" -na;\n' for name in ("hip", "knee")
    )
    scene = opened(tmp_path, JOINTS + body)
    assert scene.connections[scene.plug("s.matrix[1]")].node.name == "knee"


# --- opening ----------------------------------------------------------------------------------


def script_node(name, kind, text):
    return (
        f'createNode script -n "{name}";\n\tsetAttr ".b" -type "string" {quoted(text)};\n'
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
    scene = opened(tmp_path, SCRIPTS, session=session)
    window = [] if batch else ["onOpenInWindow"]
    assert session.executed_script_nodes == ["onOpen", *window, "sceneConfigurationScriptNode"]
    assert (scene.playback.minimum * 24, scene.playback.end * 24) == (5.0, 96.0)


def test_without_script_nodes_the_time_slider_stays_as_it_was(tmp_path):
    session = Session()
    scene = opened(tmp_path, SCRIPTS, session=session, execute_script_nodes=False)
    assert session.executed_script_nodes == []
    assert (scene.playback.minimum * 24, scene.playback.maximum * 24) == (1.0, 120.0)


def test_a_newer_scene_is_refused_and_the_open_one_stays(tmp_path):
    session = Session(version=2024)
    before = session.scene
    header = '//Maya ASCII 2027 scene\nrequires maya "2027";\n'
    with pytest.raises(RuntimeError, match="2027"):
        opened(tmp_path, JOINTS, header=header, session=session)
    assert session.scene is before
    scene = opened(tmp_path, JOINTS, header=header, session=session, ignore_version=True)
    assert scene.exists("knee")


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(RuntimeError, match="File not found"):
        ma_reader.open_scene(Session(), str(tmp_path / "none.ma"))
    (tmp_path / "no.ma").write_text("HIERARCHY\nROOT hip\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="Unrecognized"):
        ma_reader.open_scene(Session(), str(tmp_path / "no.ma"))


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
        opened(tmp_path, JOINTS + body, session=session)
    assert session.scene.exists("hip|knee")
    assert session.messages[-1][0] == "error"


def test_plugins_that_are_missing(tmp_path):
    session = Session()
    session.missing_plugins.add("mtoa")
    with pytest.raises(RuntimeError, match='"mtoa", was not found'):
        opened(
            tmp_path, 'requires -nodeType "aiOptions" "mtoa" "5.2.0";\n' + JOINTS, session=session
        )
    assert session.scene.exists("knee")


# --- references -------------------------------------------------------------------------------

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
        SHOT + 'createNode transform -n "grp";\n' + EDITS
        + curve("turn", [(0, 0), (24, 180)]) + connect("turn.o", "charRN.phl[1]") + body
    )  # fmt: skip
    session = Session()
    opened(folder, text, session=session, **options)
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
    other = reopened(session, tmp_path / "again.ma")
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


def test_references_in_references(tmp_path):
    write_scene(tmp_path, JOINTS, name="hero.ma")
    write_scene(tmp_path, SHOT.replace("char", "inner") + 'createNode transform -n "top";\n',
                name="asset.ma")  # fmt: skip
    body = SHOT.replace("hero.ma", "asset.ma")
    session = Session()
    scene = opened(tmp_path, body, session=session)
    assert scene.node("char:inner:knee").full_path() == "|char:inner:hip|char:inner:knee"
    inner = scene.node("char:inner:hip").reference
    assert (inner.node.name, inner.parent.node.name) == ("char:innerRN", "charRN")
    scene.set_value(scene.plug("char:inner:knee.rx"), 1.0)
    other = reopened(session, tmp_path / "again.ma")
    assert value(other.scene, "char:inner:knee.rx") == pytest.approx(1.0)
    assert len(opened(tmp_path, body, load_references="topOnly").find("char:inner:knee")) == 0


def test_references_that_are_not_loaded_keep_their_edits(tmp_path):
    session = shot(tmp_path, load_references="none")
    assert not session.scene.exists("char:hip")
    assert not session.scene.references[0].loaded
    text = ma_writer.scene_text(session, "x.ma")
    assert '2 "|grp|char:hip|char:knee" "mark" " -k 1 4.5"' in text
    assert 'connectAttr "turn.o" "charRN.phl[1]";' in text


def test_a_file_that_references_itself(tmp_path):
    body = SHOT.replace("hero.ma", "scene.ma")
    with pytest.raises(RuntimeError, match="Reference file not found"):
        opened(tmp_path, body + JOINTS)


def test_a_reference_is_added_to_the_open_scene(tmp_path):
    path = write_scene(tmp_path, JOINTS, name="hero.ma")
    session = Session()
    before = scene_hash(session.scene)
    reference = references.create_reference(session, str(path), "a")
    again = references.create_reference(session, str(path), "b")
    assert [node.name for node in reference.nodes if node.is_a("joint")] == ["a:hip", "a:knee"]
    assert again.node.name != reference.node.name
    assert session.scene.node("b:knee").reference is again
    assert scene_hash(session.scene) != before


# --- state ------------------------------------------------------------------------------------


CHANGES = {
    "value": lambda scene: scene.set_value(scene.plug("knee.rx"), 0.1),
    "smallest change of a value": lambda scene: scene.set_value(
        scene.plug("hip.tx"), math.nextafter(1.0, 2.0)
    ),
    "lock": lambda scene: scene.set_locked(scene.plug("knee.rx"), True),
    "unlock": lambda scene: scene.set_locked(scene.plug("knee.ry"), False),
    "connection": lambda scene: scene.connect(scene.plug("hip.rx"), scene.plug("knee.rx")),
    "node": lambda scene: scene.create_node("transform", "new"),
    "name": lambda scene: scene.rename(scene.node("knee"), "shin"),
    "parent": lambda scene: scene.reparent(scene.node("knee"), None),
    "selection": lambda scene: scene.select([scene.node("knee")]),
    "keyable": lambda scene: scene.set_keyable(scene.plug("knee.rx"), False),
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_changes_the_hash_and_undo_brings_it_back(tmp_path, name):
    session = Session()
    scene = opened(tmp_path, JOINTS, session=session)
    before, modified = session.scene_hash(), scene.modified
    with scene.journal.group() as group:
        CHANGES[name](scene)
    after = session.scene_hash()
    assert after != before
    group.undo()
    scene.modified = modified
    assert session.scene_hash() == before
    group.redo()
    scene.modified = after != before and name != "selection"
    assert session.scene_hash() == after


def test_time_and_units_are_part_of_the_hash_and_the_undo_queue_is_not(tmp_path):
    session = Session()
    scene = opened(tmp_path, JOINTS, session=session)
    before = session.scene_hash()
    session.undo_queue.open_chunk("x")
    assert session.scene_hash() == before
    scene.set_time(2.0)
    moved = session.scene_hash()
    scene.units.angle = "rad"
    assert len({before, moved, session.scene_hash()}) == 3
