"""Every edit of the stand-in is undone and redone to the bit; items of its undo queue."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.maya_standin.curves import Keys
from tests.maya_standin.errors import NoSuchObjectError
from tests.maya_standin.graph import AttributeSpec, Plug, Scene
from tests.maya_standin.state import lines_but_modified


@pytest.fixture
def scene() -> Scene:
    return Scene()


SPEC = AttributeSpec("note", "nt", "string")


def build(scene):
    root = scene.create_node("joint", "root")
    scene.create_node("joint", "knee", scene.create_node("joint", "hip", root))
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
    before = lines_but_modified(scene)
    with scene.journal.group() as group:
        EDITS[name](scene)
    after = lines_but_modified(scene)
    assert after != before
    group.undo()
    assert lines_but_modified(scene) == before
    group.redo()
    assert lines_but_modified(scene) == after


@pytest.mark.thorough
@given(st.lists(st.sampled_from(sorted(EDITS)), max_size=8))
def test_many_edits_are_undone_and_redone_together(names):
    scene = Scene()
    build(scene)
    before = lines_but_modified(scene)
    with scene.journal.group() as group:
        for name in names:
            # An earlier edit may have made this one impossible.
            with suppress(RuntimeError, NoSuchObjectError, KeyError):
                EDITS[name](scene)
    after = lines_but_modified(scene)
    group.undo()
    assert lines_but_modified(scene) == before
    group.redo()
    assert lines_but_modified(scene) == after
