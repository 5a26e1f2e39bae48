"""The stand-in opens real scenes, writes them again, and evaluates what the program reads."""

from __future__ import annotations

import re

import numpy as np
import pytest

from jointlimits_core.base.errors import InputError
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import matrix_from_quaternion
from tests.maya_standin import ma_writer
from tests.maya_standin.evaluation import Evaluator
from tests.maya_standin.graph import Plug
from tests.support.maya_opening import essence, real_session, reopen
from tests.support.shared_data import shared_path


def scene_paths():
    return sorted(shared_path("data/maya").rglob("*.ma"))


@pytest.mark.slow
def test_real_scenes_have_every_node_and_are_written_as_they_were(tmp_path):
    paths = scene_paths()
    assert len(paths) == 35
    nodes = connections = 0
    for path in paths:
        session = real_session(path)
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        names = re.findall(r'^createNode \w+ (?:-\w+ )*?-n(?:ame)? "([^"]+)"', text, re.MULTILINE)
        for name in names:
            assert session.scene.exists(name), (path.name, name)
        once = reopen(session, tmp_path / "written.ma")
        assert essence(session) == essence(once), path.name
        first = (tmp_path / "written.ma").read_bytes()
        reopen(once, tmp_path / "written.ma")
        assert (tmp_path / "written.ma").read_bytes() == first, path.name
        nodes += len(names)
        connections += len(session.scene.connections)
    print(f"{len(paths)} scenes, {nodes} nodes, {connections} connections: read, written, the same")
    assert connections > 1500


@pytest.mark.slow
def test_the_program_and_the_stand_in_read_the_same_in_real_scenes(tmp_path):
    """What the stand-in writes, the values of its curves, and its local rotations."""
    written = curves = rotations = 0
    for path, motion, session in motions_with_sessions():
        if motion.rotates is not None:
            curves += compare_curves(session.scene, motion)
        rotations += compare_local_rotations(session.scene, motion, path)
        ma_writer.write_scene(session, str(tmp_path / path.name))
        again = read_motion(tmp_path / path.name)
        assert again.skeleton.names == motion.skeleton.names, path.name
        np.testing.assert_array_equal(again.frames, motion.frames)
        np.testing.assert_allclose(again.rotations, motion.rotations, atol=1e-12)
        written += 1
    print(f"the same motion from {written} scenes that the stand-in wrote")
    print(f"{curves} values of keyed rotations agree with the program's")
    print(f"{rotations} local rotations agree with the program's")
    assert written >= 10
    assert curves > 1400
    assert rotations >= 750


def motions_with_sessions():
    """Real scenes as the program reads them, and with the stand-in that has them open."""
    for path in scene_paths():
        try:
            motion = read_motion(path)
        except InputError:
            continue
        yield path, motion, real_session(path)


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


def compare_local_rotations(scene, motion, path):
    """Local matrices of all joints at about ten frames."""
    compared = 0
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
    return compared


def is_constrained(scene, node):
    source = scene.connections.get(Plug(node, "rotateX"))
    return source is not None and source.node.is_a("constraint")


def rigid_turn(part):
    """Rotation in a matrix without mirroring, and whose scale is the same along all axes."""
    sizes = np.linalg.norm(part, axis=1)
    if np.ptp(sizes) > 1e-9 or np.linalg.det(part) <= 1e-9:
        return None
    return part / sizes[0]
