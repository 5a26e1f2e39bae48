"""Scenes opened in the stand-in, and what the tests of writing ask of them."""

from __future__ import annotations

import difflib

import numpy as np

from tests.maya_standin.ma_reader import open_scene
from tests.maya_standin.state import state_lines
from tests.support.maya_scenes import connect, curve, write_scene

PERSON = (
    'createNode joint -n "root";\n'
    'createNode joint -n "knee" -p "root";\n'
    '\tsetAttr ".t" -type "double3" 0 -40 0 ;\n'
    '\tsetAttr ".mnrl" -type "double3" -360 -360 -360 ;\n'
    '\tsetAttr ".mxrl" -type "double3" 360 360 360 ;\n'
    'createNode joint -n "ankle" -p "knee";\n'
    '\tsetAttr ".t" -type "double3" 0 -40 1 ;\n'
    'createNode joint -n "hip" -p "root";\n'
    '\tsetAttr ".r" -type "double3" 10 -5 180 ;\n'
    'createNode joint -n "tail" -p "root";\n'
    '\tsetAttr ".r" -type "double3" 0 0 7.1 ;\n'
)
PERSON_KEYS = curve("knee_rotateX", [(1, 0), (12, 140), (24, 35)]) + curve(
    "ankle_rotateX", [(1, -20), (24, 40)]
)
PERSON_LINKS = connect("knee_rotateX.o", "knee.rx") + connect("ankle_rotateX.o", "ankle.rx")


def person_file(folder, more="", name="person.ma"):
    """The character that `limit_set_examples.limit_set` is for, with its keys."""
    return write_scene(folder, PERSON + PERSON_KEYS + PERSON_LINKS + more, name)


def open_changed(session, path):
    """Open a scene; it counts as changed from the start, so that states can be compared."""
    open_scene(session, str(path))
    session.scene.modified = True
    return session.scene


def joints(*names):
    """DAG paths of joints, or of all."""
    from jointlimits_maya.scene.joints import chosen_joints

    every = chosen_joints(everything=True)
    by_name = {str(path.fullPathName()).rpartition("|")[2]: path for path in every}
    return [by_name[name] for name in names] or every


def state(session):
    return state_lines(session.scene)


def difference(before, after):
    """Lines that differ, without those about the difference."""
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def clear_limits(*names):
    """Give joints back what they had before limits were applied."""
    from jointlimits_maya.write.clear import plan_clear

    edit, result = plan_clear(joints(*names))
    edit.do()
    return result


def everything(session):
    """All of the scene, but its file."""
    return [line for line in state(session) if not line.startswith("file ")]


def value(session, plug, seconds=None):
    return session.scene.evaluator.value(session.scene.plug(plug), seconds)


def stored_deg(session, plug):
    return np.degrees(session.scene.stored(session.scene.plug(plug)))


def set_value(session, plug, internal):
    """Somebody else's edit, past all checks."""
    session.scene.set_value(session.scene.plug(plug), internal)


def world_matrices(session, seconds):
    """World matrices of all transforms and joints by full path, (times, 4, 4), row vectors."""
    scene = session.scene
    nodes = [node for node in scene.of_type("transform") if node.type in ("joint", "transform")]
    return {
        node.full_path(): np.array(
            [
                np.reshape(value(session, f"{node.full_path()}.worldMatrix[0]", time), (4, 4))
                for time in seconds
            ]
        )
        for node in nodes
    }
