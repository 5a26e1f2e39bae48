"""The same scene as a file and as the open scene of the stand-in, and how both compare."""

from __future__ import annotations

import numpy as np

from jointlimits_core.formats.registry import read_motion
from tests.maya_standin.ma_reader import open_scene
from tests.support.maya_scenes import HEADER, write_scene

EVERYTHING = {"everything": True}


def open_file(session, path):
    """Open a file in the stand-in; gives its scene."""
    open_scene(session, str(path))
    session.reset_counters()
    return session.scene


def opened_text(session, folder, body, header=HEADER, name="scene.ma"):
    """Write a scene and open it."""
    return open_file(session, write_scene(folder, body, name, header))


def from_scene(joints=None, time=None, rest=None, progress=None):
    """Read the open scene; all joints unless others are given."""
    from jointlimits_maya.read.motion import motion_from_scene
    from jointlimits_maya.scene.joints import chosen_joints

    found = chosen_joints(**(EVERYTHING if joints is None else joints))
    return motion_from_scene(found, time, rest, progress)


def both(session, path):
    """Read a file twice: by the program's own reader, and opened in the stand-in."""
    open_file(session, path)
    return read_motion(path), from_scene()


def both_of(session, folder, body, header=HEADER):
    """Likewise of a scene's text."""
    return both(session, write_scene(folder, body, header=header))


def assert_same_motion(file, scene, atol=1e-12):
    """Everything but findings, and the file that it came from."""
    a, b = file.skeleton, scene.skeleton
    assert b.names == a.names
    assert b.parents.tolist() == a.parents.tolist()
    assert b.rotate_orders == a.rotate_orders
    assert b.rest_source == a.rest_source
    assert b.declarations == a.declarations
    assert b.meters_per_unit == a.meters_per_unit
    assert b.compensates_scale.tolist() == a.compensates_scale.tolist()
    assert (scene.name, b.name) == (file.name, a.name)
    for name in ("offsets", "joint_orients", "rotate_axes", "scales"):
        np.testing.assert_allclose(getattr(b, name), getattr(a, name), atol=1e-9, err_msg=name)
    same_turn = np.abs(np.sum(a.rest_rotations * b.rest_rotations, axis=-1))
    np.testing.assert_allclose(same_turn, 1.0, atol=1e-12)
    assert scene.animated == file.animated
    assert scene.frame_rate == file.frame_rate
    np.testing.assert_allclose(scene.frames, file.frames, rtol=1e-12)
    np.testing.assert_allclose(scene.rotates, file.rotates, rtol=1e-12, atol=atol)
    for name in ("translations", "scales", "between"):
        ours, theirs = getattr(scene, name), getattr(file, name)
        assert set(ours) == set(theirs), name
        for joint, values in theirs.items():
            np.testing.assert_allclose(ours[joint], values, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(b.rest_world_matrices(), a.rest_world_matrices(), atol=1e-7)


def fingerprint(session):
    """All of a session that reading must leave alone."""
    scene, queue = session.scene, session.undo_queue
    nodes = {
        node: (dict(node.values), set(node.locked), dict(node.dynamic), node.keys)
        for node in scene.nodes
    }
    edits = [list(reference.edits) for reference in scene.references]
    ignored = [reference.ignore_edits for reference in scene.references]
    return (
        nodes,
        dict(scene.connections),
        dict(scene.held),
        list(scene.selection),
        scene.time,
        scene.modified,
        edits,
        ignored,
        [item.name for item in queue.done],
        [item.name for item in queue.undone],
        queue.recording,
        session.auto_key,
    )
