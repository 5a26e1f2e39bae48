"""dagPose: saving, restoring and asking poses.

The connections and the record of each member's channels are those of scenes that hold poses.
"""

from __future__ import annotations

from tests.maya_standin.commands.finding import name_for_user, objects
from tests.maya_standin.commands.flags import Bool, Text
from tests.maya_standin.commands.nodes import in_current_namespace
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.nodes import Plug
from tests.maya_standin.pose_record import PoseMatrix

NO_TURN = (0.0, 0.0, 0.0, 1.0)
NEAR = 1e-9


@command("dagPose", undoable=True)
def dag_pose(
    session,
    *names,
    query: Bool = False,
    save: Bool = False,
    restore: Bool = False,
    bindPose: Bool = False,
    members: Bool = False,
    name: Text = "",
):
    """Keep the pose of nodes, give it back, or say which poses or members there are."""
    scene = session.scene
    items = objects(scene, names) if names else list(scene.selection)
    if query:
        return _answer(scene, items, bindPose, members)
    if save:
        wanted = in_current_namespace(scene, name or ("bindPose1" if bindPose else "pose1"))
        return [name_for_user(scene, _save_pose(session, items, wanted, bindPose))]
    if not restore:
        raise NotModelledError("cmds.dagPose that neither saves, restores nor asks")
    for pose in _poses(scene, items, bindPose):
        _restore(scene, pose)
    return None


def _answer(scene, items, bind_pose, members):
    if bind_pose:
        found = _poses(scene, items, True)
        return [name_for_user(scene, pose) for pose in found] or None
    if not members:
        raise NotModelledError("cmds.dagPose(query=True) other than bindPose and members")
    (pose,) = items
    return [name_for_user(scene, node) for node in _members(scene, pose).values()] or None


def _poses(scene, items, bind_only):
    """Give the poses that are named, or those that nodes are members of."""
    found = []
    for item in items:
        if item.type == "dagPose":
            found.append(item)
            continue
        destinations = scene.outputs(Plug(item, "message"))
        found += [d.node for d in destinations if d.path.startswith("members[")]
    return [p for p in dict.fromkeys(found) if p.stored("bindPose") or not bind_only]


def _members(scene, pose):
    """Give the members by their index, in order."""
    found = {}
    for destination, source in scene.connections.items():
        if destination.node is pose and destination.path.startswith("members["):
            found[int(destination.path[len("members[") : -1])] = source.node
    return dict(sorted(found.items()))


def _save_pose(session, nodes, name, bind_pose):
    """Make the node: per member a matrix in the world, a local record and its parent."""
    scene = session.scene
    pose = scene.create_node("dagPose", name)
    scene.set_value(Plug(pose, "bindPose"), bind_pose)
    for index, node in enumerate(nodes):
        world = scene.evaluator.value(Plug(node, "worldMatrix[0]"))
        scene.set_value(Plug(pose, f"worldMatrix[{index}]"), world)
        scene.set_value(Plug(pose, f"xformMatrix[{index}]"), PoseMatrix.of(_record(scene, node)))
        scene.connect(Plug(node, "message"), Plug(pose, f"members[{index}]"))
        parent = Plug(pose, "world")
        if node.parent in nodes:
            parent = Plug(pose, f"members[{nodes.index(node.parent)}]")
        scene.connect(parent, Plug(pose, f"parents[{index}]"))
        if bind_pose and node.type == "joint":
            scene.set_value(Plug(node, "bindPose"), world)
            scene.connect(Plug(node, "bindPose"), Plug(pose, f"worldMatrix[{index}]"))
    return pose


def _record(scene, node):
    """Give the 37 numbers of a local pose, in the order of scene files."""
    value = scene.evaluator.value

    def at(path):
        return value(Plug(node, path))

    record = [*at("scale"), *at("rotate"), at("rotateOrder"), *at("translate"), *at("shear")]
    record += [*at("scalePivot"), *at("scalePivotTranslate")]
    record += [*at("rotatePivot"), *at("rotatePivotTranslate"), *_turn(at("rotateAxis"))]
    if node.type != "joint":
        return [*record, *NO_TURN, 1.0, 1.0, 1.0, 0.0]
    compensated = float(at("segmentScaleCompensate"))
    undone = [1.0 / part for part in at("inverseScale")]
    return [*record, *_turn(at("jointOrient")), *undone, compensated]


def _turn(angles):
    """Give the quaternion of angles in order xyz."""
    from math import cos, sin

    x, y, z, w = NO_TURN
    for axis, angle in enumerate(angles):
        s, c = sin(angle / 2.0), cos(angle / 2.0)
        i, j, k = [(s, 0.0, 0.0), (0.0, s, 0.0), (0.0, 0.0, s)][axis]
        x, y, z, w = (
            c * x + w * i + j * z - k * y,
            c * y + w * j + k * x - i * z,
            c * z + w * k + i * y - j * x,
            c * w - (i * x + j * y + k * z),
        )
    return x, y, z, w


def _restore(scene, pose):
    """Give members the channels that they had; what is driven makes Maya's command fail."""
    for index, node in _members(scene, pose).items():
        stored = pose.stored(f"xformMatrix[{index}]")
        record = getattr(stored, "record", ())
        if not record:
            raise NotModelledError("cmds.dagPose(restore=True) of a pose without records")
        for path, values in (
            ("scale", record[0:3]),
            ("rotate", record[3:6]),
            ("translate", record[7:10]),
        ):
            plug = Plug(node, path)
            now = scene.evaluator.value(plug)
            if any(abs(a - b) > NEAR for a, b in zip(now, values)):
                scene.check_settable(plug)
                scene.set_value(plug, values)
