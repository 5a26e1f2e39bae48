"""The stand-in's scene: names, plugs, edits and their inverses, and what Maya refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from math import degrees, radians
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.maya_standin import NotModelledError, NotModelledNameError, current, installed
from tests.maya_standin.curves import Keys
from tests.maya_standin.errors import AmbiguousNameError, NoSuchObjectError
from tests.maya_standin.graph import AttributeSpec, Plug, Reference, Scene
from tests.maya_standin.journal import UndoQueue
from tests.maya_standin.node_types import TYPES
from tests.maya_standin.state import state_lines

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def scene() -> Scene:
    return Scene()


def state(scene):
    """All that a scene is, but for the modified flag: undoing is a change, too."""
    return [line for line in state_lines(scene) if not line.startswith("file ")]


def chain(scene, *names, kind="joint"):
    nodes = []
    for name in names:
        nodes.append(scene.create_node(kind, name, nodes[-1] if nodes else None))
    return nodes


# --- names ------------------------------------------------------------------------------------


def test_a_node_is_found_by_name_path_and_pattern(scene):
    group, hip, knee = chain(scene, "grp", "a:hip", "a:knee")
    for text in ("a:knee", "a:hip|a:knee", "|grp|a:hip|a:knee", "grp|a:hip|a:knee", ":a:knee"):
        assert scene.find(text) == [knee], text
    for text in ("knee", "|a:knee", "grp|a:knee", "b:knee", "", "|"):
        assert scene.find(text) == [], text
    assert scene.find("*:*") == [hip, knee]
    assert scene.find("*") == [group]
    assert scene.find("a:k??e") == [knee]
    assert scene.find("*:*|*:knee") == [knee]


def test_a_name_that_nothing_has_and_one_that_two_have(scene):
    left = scene.create_node("transform", "left")
    right = scene.create_node("transform", "right")
    hands = [scene.create_node("joint", "hand", parent) for parent in (left, right)]
    assert scene.node("left|hand") is hands[0]
    with pytest.raises(AmbiguousNameError, match="More than one object matches name: hand"):
        scene.node("hand")
    with pytest.raises(NoSuchObjectError, match="No object matches name: foot"):
        scene.node("foot")


@pytest.mark.parametrize(
    ("parents", "expected"), [((None,), "hand"), (("a", "b"), "a|hand"), ((None, "b"), "|hand")]
)
def test_the_partial_path_is_the_shortest_that_is_unique(scene, parents, expected):
    groups = {name: scene.create_node("transform", name) for name in "ab"}
    hands = [scene.create_node("joint", "hand", groups.get(parent)) for parent in parents]
    assert scene.partial_path(hands[0]) == expected
    assert scene.find(expected) == [hands[0]]


def test_a_name_that_is_taken_gets_the_next_free_number(scene):
    assert [scene.create_node("joint", "arm").name for _ in range(3)] == ["arm", "arm1", "arm2"]
    assert scene.create_node("joint", "arm1").name == "arm3"
    assert scene.create_node("network", "arm").name == "arm4"
    below = scene.create_node("joint", "arm", scene.node("arm"))
    assert below.full_path() == "|arm|arm"


def test_namespaces_come_with_names(scene):
    scene.create_node("joint", "a:b:hip")
    assert list(scene.namespaces) == ["a", "a:b"]


# --- plugs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spelled", "path"),
    [
        ("rx", "rotateX"),
        ("rotate.rotateX", "rotateX"),
        ("r.rx", "rotateX"),
        ("r", "rotate"),
        ("wm[0]", "worldMatrix[0]"),
        ("worldMatrix", "worldMatrix"),
        ("mnrl.mrxl", "minRotXLimit"),
        ("xrxe", "maxRotXLimitEnable"),
        ("ndx", "minRotateDampRangeX"),
        ("shearXY", "shearXY"),
    ],
)
def test_every_spelling_of_a_plug_of_a_joint_is_the_same_plug(scene, spelled, path):
    (joint,) = chain(scene, "hip")
    assert scene.plug(f"hip.{spelled}") == Plug(joint, path)


def test_elements_of_arrays_of_compounds_keep_their_whole_path(scene):
    constraint = scene.create_node("orientConstraint", "c")
    for spelled in ("tg[2].tr.trx", "target[2].targetRotateX", "tg[2].trx"):
        assert scene.plug(f"c.{spelled}") == Plug(constraint, "target[2].targetRotateX")
    assert constraint.parent_of("target[2].targetRotateX") == "target[2].targetRotate"
    assert constraint.parent_of("target[2].targetRotate") == "target[2]"
    assert constraint.parent_of("target[2]") == "target"
    assert constraint.parent_of("target") is None
    skin = scene.create_node("skinCluster", "s")
    assert scene.plug("s.wl[7].w[3]") == Plug(skin, "weightList[7].weights[3]")


@pytest.mark.parametrize("spelled", ["hip.foo", "hip", "hip.", "hip.tx.rx", "hip.rx[0]", "no.rx"])
def test_a_plug_that_is_not_there_raises_as_maya_does(scene, spelled):
    chain(scene, "hip")
    with pytest.raises(NoSuchObjectError, match="No object matches name"):
        scene.plug(spelled)


def test_what_nobody_can_know_is_not_guessed(scene):
    with pytest.raises(NotModelledError, match="polyCube"):
        scene.create_node("polyCube")
    cube = scene.create_node("polyCube", "cube", opaque=True)
    with pytest.raises(NotModelledError, match="attribute width of polyCube"):
        cube.path_of("width")
    with pytest.raises(NotModelledError, match="fancy"):
        AttributeSpec("a", "a", "fancy")
    assert not issubclass(NotModelledError, RuntimeError), "code that catches Maya's would hide it"


def test_all_values_of_a_new_node_can_be_read_and_long_names_are_their_own_paths(scene):
    for name in TYPES:
        node = scene.create_node(name, f"{name}1")
        for spec in node.attribute_specs():
            assert node.path_of(spec.long) == spec.long
            assert node.path_of(spec.short) == spec.long, f"{name}.{spec.short} is two attributes"
            scene.stored(Plug(node, spec.long))


def test_default_limits_are_of_the_node_and_off(scene):
    (joint,) = chain(scene, "hip")
    stored = {path: joint.stored(path) for path in ("minRotXLimit", "maxRotZLimit")}
    assert {path: degrees(value) for path, value in stored.items()} == pytest.approx(
        {"minRotXLimit": -45.0, "maxRotZLimit": 45.0}
    )
    assert joint.stored("minRotLimitEnable") == (False, False, False)
    assert joint.stored("segmentScaleCompensate") is True


# --- edits and their inverses -------------------------------------------------------------------

SPEC = AttributeSpec("note", "nt", "string")


def build(scene):
    root, *_ = chain(scene, "root", "hip", "knee")
    curve = scene.create_node("animCurveTA", "hip_rotateX")
    scene.set_keys(curve, Keys((0.0, 1.0), (0.0, 1.0)))
    scene.connect(Plug(curve, "output"), scene.plug("hip.rx"))
    scene.add_attribute(root, SPEC)
    scene.set_value(scene.plug("root.note"), "text")


EDITS = {
    "set": lambda s: s.set_value(s.plug("hip.ty"), 2.0),
    "set a compound": lambda s: s.set_value(s.plug("hip.jo"), (1.0, 2.0, 3.0)),
    "set a keyed channel": lambda s: s.set_value(s.plug("hip.rx"), 0.25),
    "set a curve's infinity": lambda s: s.set_value(s.plug("hip_rotateX.pst"), 3),
    "lock": lambda s: s.set_locked(s.plug("hip.ry"), True),
    "hide": lambda s: s.set_keyable(s.plug("hip.ry"), False),
    "new keys": lambda s: s.set_keys(s.node("hip_rotateX"), Keys((0.0,), (5.0,))),
    "disconnect": lambda s: s.disconnect(s.plug("hip_rotateX.o"), s.plug("hip.rx")),
    "connect": lambda s: s.connect(s.plug("hip.rx"), s.plug("knee.rx")),
    "create": lambda s: s.create_node("joint", "x:new", s.node("hip")),
    "delete": lambda s: s.delete_node(s.node("hip")),
    "rename": lambda s: s.rename(s.node("hip"), "y:pelvis"),
    "reparent": lambda s: s.reparent(s.node("knee"), s.node("root")),
    "add": lambda s: s.add_attribute(s.node("knee"), SPEC),
    "remove": lambda s: s.remove_attribute(s.plug("root.note")),
    "select": lambda s: s.select([s.node("knee"), s.plug("hip.rx")]),
    "lock a node": lambda s: s.set_node_locked(s.node("hip"), True),
}


@pytest.mark.parametrize("name", list(EDITS))
def test_every_edit_is_undone_and_redone_to_the_bit(scene, name):
    build(scene)
    before = state(scene)
    with scene.journal.group() as group:
        EDITS[name](scene)
    after = state(scene)
    assert after != before
    group.undo()
    assert state(scene) == before
    group.redo()
    assert state(scene) == after


@pytest.mark.thorough
@given(st.lists(st.sampled_from(sorted(EDITS)), max_size=8))
def test_many_edits_are_undone_and_redone_together(names):
    scene = Scene()
    build(scene)
    before = state(scene)
    with scene.journal.group() as group:
        for name in names:
            # An earlier edit may have made this one impossible.
            with suppress(RuntimeError, NoSuchObjectError, KeyError):
                EDITS[name](scene)
    after = state(scene)
    group.undo()
    assert state(scene) == before
    group.redo()
    assert state(scene) == after


def test_deleting_takes_children_and_connections_and_undo_brings_all_in_order(scene):
    build(scene)
    scene.create_node("joint", "other", scene.node("root"))
    with scene.journal.group() as group:
        scene.delete_node(scene.node("hip"))
    assert [node.name for node in scene.nodes] == ["root", "hip_rotateX", "other"]
    assert not scene.connections
    group.undo()
    assert [node.name for node in scene.nodes][:3] == ["root", "hip", "knee"]
    assert [node.name for node in scene.node("root").children] == ["hip", "other"]
    assert scene.source(scene.plug("hip.rx")) == scene.plug("hip_rotateX.o")


def test_reading_a_file_leaves_neither_journal_nor_modified_flag(scene):
    with scene.journal.group() as group, scene.quietly():
        build(scene)
    assert not group
    assert not scene.modified
    scene.set_value(scene.plug("hip.ty"), 1.0)
    assert scene.modified


def test_a_matrix_that_a_file_names_without_index_is_that_of_the_first_instance(scene):
    (joint,) = chain(scene, "hip")
    skin = scene.create_node("skinCluster", "skin")
    scene.connect(Plug(joint, "worldMatrix"), scene.plug("skin.ma[0]"))
    assert scene.source(Plug(skin, "matrix[0]")) == Plug(joint, "worldMatrix[0]")
    assert scene.outputs(Plug(joint, "worldMatrix[0]")) == [Plug(skin, "matrix[0]")]


# --- the undo queue -----------------------------------------------------------------------------


def queue_of(scene):
    build(scene)
    return UndoQueue(scene.journal)


def test_a_command_is_one_item_and_a_chunk_is_one_item(scene):
    queue = queue_of(scene)
    with queue.command("one"):
        EDITS["set"](scene)
        EDITS["lock"](scene)
    queue.open_chunk("two")
    with queue.command("a"):
        EDITS["hide"](scene)
    with queue.command("b"):
        EDITS["rename"](scene)
    queue.close_chunk()
    assert [item.name for item in queue.done] == ["one", "two"]
    before = state(scene)
    assert queue.undo() == "two"
    assert scene.find("hip")
    assert queue.redo() == "two"
    assert state(scene) == before


def test_a_command_inside_a_command_belongs_to_it(scene):
    queue = queue_of(scene)
    before = state(scene)
    with queue.command("outer"):
        EDITS["set"](scene)
        with queue.command("inner"):
            EDITS["lock"](scene)
    assert [item.name for item in queue.done] == ["outer"]
    queue.undo()
    assert state(scene) == before


def test_edits_of_the_api_are_on_no_queue(scene):
    queue = queue_of(scene)
    EDITS["set"](scene)
    with queue.command("query"):
        pass
    assert not queue.done
    with pytest.raises(RuntimeError, match="no more commands to undo"):
        queue.undo()


def test_a_command_that_fails_leaves_no_item_and_its_edits_stay(scene):
    queue = queue_of(scene)

    def fail():
        EDITS["set"](scene)
        raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"), queue.command("broken"):
        fail()
    assert not queue.done
    assert queue.chunk_depth == 0
    assert scene.stored(scene.plug("hip.ty")) == 2.0


class EditsWhenUndone:
    """As a command of a plug-in whose undoIt calls other commands."""

    def __init__(self, scene):
        self.scene = scene

    def undo(self):
        self.scene.set_value(self.scene.plug("hip.ty"), 5.0)

    redo = undo


def test_what_undoing_changes_is_recorded_nowhere(scene):
    queue = queue_of(scene)
    queue.add(EditsWhenUndone(scene), "plug-in")
    with scene.journal.group() as group:
        queue.undo()
        queue.redo()
    assert scene.stored(scene.plug("hip.ty")) == 5.0
    assert not group


def test_a_new_command_forgets_what_could_be_redone(scene):
    queue = queue_of(scene)
    with queue.command("one"):
        EDITS["set"](scene)
    queue.undo()
    with queue.command("two"):
        EDITS["lock"](scene)
    with pytest.raises(RuntimeError, match="no more commands to redo"):
        queue.redo()


# --- what is refused ----------------------------------------------------------------------------


def test_a_plug_is_locked_with_the_compound_above_it(scene):
    build(scene)
    scene.set_locked(scene.plug("hip.r"), True)
    assert scene.is_locked(scene.plug("hip.ry"))
    assert not scene.is_locked(scene.plug("hip.ty"))
    with pytest.raises(RuntimeError, match=r"'hip.rotateY' is locked or connected and cannot be"):
        scene.check_settable(scene.plug("hip.ry"))


def test_a_compound_is_not_free_while_a_child_is_locked(scene):
    build(scene)
    scene.set_locked(scene.plug("hip.ry"), True)
    assert not scene.is_locked(scene.plug("hip.r"))
    assert not scene.is_free(scene.plug("hip.r"))
    assert scene.is_free(scene.plug("hip.rz"))


def test_keyed_is_free_and_connected_is_not(scene):
    build(scene)
    assert scene.is_free(scene.plug("hip.rx"))
    scene.connect(scene.plug("hip.r"), scene.plug("knee.r"))
    for spelled in ("knee.r", "knee.rx"):
        assert not scene.is_free(scene.plug(spelled)), spelled
    with pytest.raises(RuntimeError, match=r"already has an incoming connection from 'hip.rotate'"):
        scene.check_connectable(scene.plug("root.r"), scene.plug("knee.r"))


def referenced(scene):
    build(scene)
    node = scene.create_node("reference", "rigRN")
    reference = Reference(node, "rig.ma")
    scene.add_reference(reference)
    for joint in map(scene.node, ("root", "hip", "knee")):
        joint.reference = reference
    return reference


def test_nodes_of_a_reference_can_be_changed_but_neither_renamed_nor_deleted(scene):
    reference = referenced(scene)
    hip = scene.node("hip")
    for check in (scene.check_deletable, scene.check_renamable):
        with pytest.raises(RuntimeError, match="Cannot"):
            check(hip)
    scene.check_settable(scene.plug("hip.ty"))
    reference.locked = True
    with pytest.raises(RuntimeError, match="locked or connected"):
        scene.check_settable(scene.plug("hip.ty"))


def test_changes_on_a_reference_are_on_its_record_and_undo_takes_them_off(scene):
    reference = referenced(scene)
    hip = scene.node("hip")
    with scene.journal.group() as group:
        scene.set_value(scene.plug("hip.ty"), 1.0)
        scene.set_value(scene.plug("hip.ty"), 2.0)
        scene.set_locked(scene.plug("hip.ry"), True)
        scene.connect(scene.plug("root.rx"), scene.plug("hip.rz"))
    assert list(reference.edits) == [
        ("setAttr", hip, "translateY"),
        ("lock", hip, "rotateY"),
        ("connectAttr", scene.plug("root.rx"), scene.plug("hip.rz")),
    ]
    group.undo()
    assert not reference.edits


def test_a_reference_that_ignores_edits_records_none(scene):
    reference = referenced(scene)
    reference.ignore_edits = True
    scene.set_value(scene.plug("hip.minRotXLimitEnable"), True)
    assert not reference.edits
    assert scene.stored(scene.plug("hip.mrxe")) is True


def test_only_attributes_that_were_added_go(scene):
    build(scene)
    scene.check_removable(scene.plug("root.note"))
    with pytest.raises(RuntimeError, match=r"Cannot delete static attribute 'root.rotate'"):
        scene.check_removable(scene.plug("root.r"))
    with pytest.raises(RuntimeError, match="existing attribute"):
        scene.add_attribute(scene.node("root"), AttributeSpec("rotateX", "abc", "double"))
    scene.set_node_locked(scene.node("root"), True)
    with pytest.raises(RuntimeError, match="is locked"):
        scene.check_removable(scene.plug("root.note"))


def test_an_attribute_that_comes_again_may_be_of_another_kind(scene):
    build(scene)
    root = scene.node("root")
    scene.remove_attribute(scene.plug("root.note"))
    with pytest.raises(NoSuchObjectError):
        scene.plug("root.note")
    scene.add_attribute(root, AttributeSpec("note", "nt", "double", 2.5))
    assert scene.stored(scene.plug("root.nt")) == 2.5


def test_what_is_only_computed_cannot_be_set(scene):
    build(scene)
    for spelled in ("hip.wm[0]", "hip.dofMask", "hip_rotateX.o"):
        with pytest.raises(RuntimeError, match="not writable"):
            scene.check_settable(scene.plug(spelled))


def test_values_are_kept_as_their_kind(scene):
    build(scene)
    for spelled, given_value, kept in (
        ("hip.mrxe", 1, True),
        ("hip.ro", 3.0, 3),
        ("hip.tx", 2, 2.0),
        ("root.note", "x", "x"),
        ("hip.opm", list(range(16)), tuple(map(float, range(16)))),
    ):
        scene.set_value(scene.plug(spelled), given_value)
        assert scene.stored(scene.plug(spelled)) == kept
        assert type(scene.stored(scene.plug(spelled))) is type(kept)
    for spelled, wrong in (("hip.opm", [1.0]), ("hip.r", (1.0, 2.0)), ("hip.tx", "many")):
        with pytest.raises(ValueError, match=r".+"):
            scene.set_value(scene.plug(spelled), wrong)


def test_an_enabled_limit_holds_for_what_is_set(scene):
    build(scene)
    scene.set_value(scene.plug("knee.xrxl"), radians(10.0))
    scene.set_value(scene.plug("knee.rx"), 1.0)
    assert scene.stored(scene.plug("knee.rx")) == 1.0, "limits are off"
    scene.set_value(scene.plug("knee.xrxe"), True)
    scene.set_value(scene.plug("knee.r"), (1.0, 1.0, -9.0))
    assert scene.stored(scene.plug("knee.r")) == (radians(10.0), 1.0, -9.0)


# --- modules ------------------------------------------------------------------------------------


def test_maya_is_there_inside_and_gone_outside():
    with installed(version=2024) as session:
        from maya import cmds
        from maya.api import OpenMaya

        assert current() is session
        assert cmds is sys.modules["maya.cmds"]
        assert OpenMaya is sys.modules["maya.api.OpenMaya"]
        with pytest.raises(NotModelledNameError, match=r"maya.api.OpenMaya.MFnWonder"):
            OpenMaya.MFnWonder  # noqa: B018
        with pytest.raises(AttributeError):
            cmds.noSuchCommand  # noqa: B018
    assert not any(name.partition(".")[0] == "maya" for name in sys.modules)
    with pytest.raises(RuntimeError, match="no stand-in session"):
        current()


def test_sessions_share_nothing():
    scenes = []
    for _ in range(2):
        with installed() as session:
            scenes.append(session.scene)
            session.scene.create_node("joint", "hip")
            assert len(session.scene.find("hip*")) == 1
    assert scenes[0] is not scenes[1]


@pytest.mark.thorough
def test_a_process_of_its_own_imports_maya(tmp_path):
    places = (ROOT / "tests/maya_standin/as_maya", ROOT)
    code = """
import maya.standalone
maya.standalone.initialize()
from maya import cmds
print(cmds.about(batch=True), cmds.ls(type="time"))
"""
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout.strip(), run.stderr) == ("True ['time1']", "")


def test_the_fixture_gives_a_scene_with_nothing_but_maya_s_own_nodes(maya):
    assert all(node.is_default for node in maya.scene.nodes)
    assert not maya.scene.modified
    assert not maya.undo_queue.done
    with pytest.raises(RuntimeError, match="Cannot delete"):
        maya.scene.check_deletable(maya.scene.node("persp"))
