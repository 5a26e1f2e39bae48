"""The stand-in against what real Mayas stored: poses, bind matrices, tangents, keyed values."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from tests.maya_standin.evaluation import Evaluator
from tests.maya_standin.graph import Node, Plug, Scene
from tests.maya_standin.tangent_rules import FIXED, computed_tangent
from tests.support.maya_opening import opened_copy, real_session
from tests.support.shared_data import shared_path

pytestmark = pytest.mark.slow


def scene_paths():
    return sorted(shared_path("data/maya").rglob("*.ma"))


def matrix(values) -> np.ndarray:
    return np.array(values, float).reshape(4, 4)


def is_near(found, stored, tolerance=1e-5) -> bool:
    size = max(1.0, np.abs(stored).max())
    return bool(np.abs(found - stored).max() < tolerance * size)


class Pose:
    """A dagPose node: records, stored world matrices and parents by index."""

    def __init__(self, scene: Scene, node: Node):
        self.scene, self.node = scene, node
        self.members, self.parents = {}, {}
        for target, source in scene.connections.items():
            index = target.path.partition("[")[2].rstrip("]")
            if target.node is node and target.path.startswith("members["):
                self.members[int(index)] = source.node
            is_parent = target.node is node and target.path.startswith("parents[")
            if is_parent and source.path.startswith("members["):
                self.parents[int(index)] = int(source.path[len("members[") : -1])

    def local(self, index):
        value = self.node.values.get(f"xformMatrix[{index}]")
        return None if value is None else matrix(value)

    def record(self, index):
        return getattr(self.node.values.get(f"xformMatrix[{index}]"), "record", ())

    def world(self, index):
        """Stored in the pose, or in the joint that is connected to it."""
        path = f"worldMatrix[{index}]"
        source = self.scene.connections.get(Plug(self.node, path))
        value = self.node.values.get(path)
        if source is not None and source.path == "bindPose":
            value = source.node.values.get("bindPose", value)
        return None if value is None else matrix(value)

    def chained(self, index):
        """World matrix from the records alone."""
        local = self.local(index)
        if local is None or index not in self.parents:
            return local
        above = self.chained(self.parents[index])
        return None if above is None else local @ above

    def still_fits(self, index) -> bool:
        """Whether a member has the parent and the joint orient that it had in the pose."""
        node, record = self.members[index], self.record(index)
        above = self.members.get(self.parents.get(index))
        return bool(record) and above in (None, node.parent) and has_orient(node, record)

    def restore(self) -> set[Node]:
        """Give the members their channels in the pose, as `dagPose -restore`; those it has."""
        restored = set()
        for index, node in self.members.items():
            if not self.still_fits(index):
                continue
            record = self.record(index)
            restored.add(node)
            for path, values in (
                ("translate", record[7:10]),
                ("rotate", record[3:6]),
                ("scale", record[0:3]),
                ("shear", record[10:13]),
            ):
                set_free(self.scene, node, path, values)
        return restored


def has_orient(node: Node, record) -> bool:
    """Whether a record has the joint orient that the node has now."""
    if node.type != "joint":
        return True
    x, y, z = (a / 2.0 for a in node.stored("jointOrient"))
    turn = np.eye(2, dtype=complex)
    for axis, half in ((2, z), (1, y), (0, x)):
        pauli = ([[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]])[axis]
        turn = turn @ (math.cos(half) * np.eye(2) - 1j * math.sin(half) * np.array(pauli))
    parts = (-turn[0, 1].imag, -turn[0, 1].real, -turn[0, 0].imag, turn[0, 0].real)
    return abs(float(np.dot(parts, record[29:33]))) > 1.0 - 1e-9


def set_free(scene: Scene, node: Node, path: str, values) -> None:
    """Set a channel whatever drives it."""
    children = node.children_of(path)
    with scene.quietly():
        for plug in (Plug(node, part) for part in (path, *children)):
            if plug in scene.connections:
                scene.disconnect(scene.connections[plug], plug)
        scene.set_value(Plug(node, path), values)


def settled_above(scene: Scene, node: Node, restored: set[Node]) -> bool:
    """Whether everything above a node is in the pose.

    Restored joints, and above them what nothing drives; a group between two joints is in no pose.
    """
    driven = {plug.node for plug in scene.connections if plug.node.is_a("transform")}
    above, here = [], node.parent
    while here is not None:
        above.append(here)
        here = here.parent
    while above and above[0] in restored:
        del above[0]
    return not any(one in restored or one in driven for one in above)


def test_records_of_poses_have_the_world_matrices_that_maya_stored():
    compared = 0
    for path in scene_paths():
        scene = real_session(path).scene
        for pose in (Pose(scene, node) for node in scene.of_type("dagPose")):
            for index in pose.members:
                stored, chained = pose.world(index), pose.chained(index)
                if stored is not None and chained is not None:
                    assert is_near(chained, stored), (path.name, pose.members[index])
                    compared += 1
    print(f"{compared} world matrices of recorded poses agree with their records")
    assert compared >= 120


def test_matrices_in_bind_pose_are_those_that_maya_stored():
    count: Counter[str] = Counter()
    for path in scene_paths():
        scene = opened_copy(path).scene
        for pose in [Pose(scene, node) for node in scene.of_type("dagPose")]:
            restored = pose.restore()
            count.update(compare_pose(path, pose, restored))
        count.update(compare_skins(path, scene))
    print(f"matrices in bind pose that agree: {dict(count)}")
    assert count["local"] >= 80
    assert count["world"] >= 75
    assert count["bindPose"] >= 65
    assert count["bindPreMatrix"] >= 40


def compare_pose(path, pose, restored):
    """Local, world and bindPose matrices of the members whose pose could be restored."""
    evaluator = Evaluator(pose.scene)
    for index, node in pose.members.items():
        if node not in restored:
            continue
        local = matrix(evaluator.value(Plug(node, "matrix")))
        assert is_near(local, pose.local(index)), (path.name, node)
        yield "local"
        if not settled_above(pose.scene, node, restored):
            continue
        world = matrix(evaluator.value(Plug(node, "worldMatrix[0]")))
        stored = pose.world(index)
        if stored is not None:
            assert is_near(world, stored), (path.name, node)
            yield "world"
        bind = node.values.get("bindPose")
        if bind is not None and stored is not None and is_near(matrix(bind), stored):
            yield "bindPose"


def compare_skins(path, scene):
    """Inverse world matrices of the joints of skins that are now in the pose they were bound in."""
    evaluator = Evaluator(scene)
    poses = [Pose(scene, node) for node in scene.of_type("dagPose")]
    restored = {
        node for pose in poses for index, node in pose.members.items() if pose.still_fits(index)
    }
    for target, source in scene.connections.items():
        if target.node.type != "skinCluster" or not target.path.startswith("matrix["):
            continue
        stored = target.node.values.get("bindPreMatrix" + target.path[len("matrix") :])
        if stored is None or source.node not in restored:
            continue
        if settled_above(scene, source.node, restored):
            world = matrix(evaluator.value(Plug(source.node, "worldMatrix[0]")))
            assert is_near(world @ matrix(stored), np.eye(4), 1e-4), (path.name, source.node)
            yield "bindPreMatrix"


def test_tangents_that_maya_stored_though_it_need_not_are_those_of_the_rules():
    count: Counter[str] = Counter()
    for path in scene_paths():
        for node in real_session(path).scene.of_type("animCurve"):
            keys = node.keys
            for types, stored, incoming in (
                (keys.in_types, keys.in_tangents, True),
                (keys.out_types, keys.out_tangents, False),
            ):
                for index, (kind, tangent) in enumerate(zip(types, stored)):
                    if tangent is None or kind == FIXED:
                        continue
                    x, y = computed_tangent(
                        keys.times, keys.values, index, kind, incoming, keys.weighted
                    )
                    angles = math.atan2(y, x), math.atan2(tangent[1], tangent[0])
                    assert angles[0] == pytest.approx(angles[1], abs=1e-5), (path.name, node)
                    count["flat" if tangent[1] == 0.0 else "sloped"] += 1
    print(f"tangents that Maya computed and stored: {dict(count)}")
    assert count["flat"] >= 50
    assert count["sloped"] >= 4


def test_values_that_maya_left_on_keyed_channels_are_those_of_the_curves():
    compared = 0
    for path in scene_paths():
        scene = real_session(path).scene
        for target, source in scene.connections.items():
            is_keyed = source.node.is_a("animCurve") and source.node.type[-2] == "T"
            # A placeholder of a reference that is not loaded stores no value.
            is_keyed = is_keyed and not target.node.is_a("reference")
            if is_keyed and target.path in target.node.values:
                stored = target.node.values[target.path]
                assert Evaluator(scene).value(source) == pytest.approx(stored, abs=1e-6)
                compared += 1
    print(f"{compared} values on keyed channels agree with their curves")
    assert compared >= 10
