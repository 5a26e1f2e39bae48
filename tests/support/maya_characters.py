"""Characters in the stand-in: small made-up ones, and ones with mocap on them.

All functions change the session's open scene through its primitive edits and commands, with
nothing on the undo queue, and give nodes of it. Angles are degrees, lengths centimetres, times
frames of the scene's unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.geometry.quaternion import matrix_from_quaternion
from jointlimits_core.rig.scene import nearest_time_unit
from tests.maya_standin import Session, ma_reader, ma_writer
from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.registry import COMMANDS
from tests.maya_standin.curves import Keys
from tests.maya_standin.graph import Node, Plug, Reference, Scene
from tests.maya_standin.tangent_rules import LINEAR

ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
AXES = "XYZ"

#: A leg of one known type per joint: ranges of motion in degrees by channel.
LEG = {
    "pelvis": {"rotateX": (-10.0, 12.0), "rotateY": (-15.0, 11.0), "rotateZ": (-8.0, 9.0)},
    "hip": {"rotateX": (-20.0, 35.0), "rotateY": (-30.0, 25.0), "rotateZ": (-40.0, 15.0)},
    "knee": {"rotateZ": (2.0, 110.0)},
    "ankle": {"rotateX": (-12.0, 18.0), "rotateZ": (-30.0, 40.0)},
    "toe": {},
}


def command(session: Session, name: str, *names: str, **flags: Any) -> Any:
    """Run a command of the stand-in, without leaving it on the undo queue."""
    result = COMMANDS[name].run(session, names, flags)
    session.undo_queue.flush()
    return result


def add_joint(
    scene: Scene,
    name: str,
    parent: Node | None = None,
    *,
    translate: Sequence[float] = (0.0, 10.0, 0.0),
    orient_deg: Sequence[float] = (0.0, 0.0, 0.0),
    axis_deg: Sequence[float] = (0.0, 0.0, 0.0),
    order: str = "xyz",
) -> Node:
    """A joint as Maya's tool makes it: limits of 360 degrees, switched off (maya.md 1.4)."""
    node = scene.create_node("joint", name, parent)
    scene.set_value(Plug(node, "translate"), translate)
    scene.set_value(Plug(node, "jointOrient"), [math.radians(x) for x in orient_deg])
    scene.set_value(Plug(node, "rotateAxis"), [math.radians(x) for x in axis_deg])
    scene.set_value(Plug(node, "rotateOrder"), ORDERS.index(order))
    scene.set_value(Plug(node, "minRotLimit"), [math.radians(-360.0)] * 3)
    scene.set_value(Plug(node, "maxRotLimit"), [math.radians(360.0)] * 3)
    if parent is not None and parent.type == "joint":
        scene.connect(Plug(parent, "scale"), Plug(node, "inverseScale"))
    return node


def key(
    scene: Scene,
    plug: Plug,
    values: Sequence[float],
    frames: Iterable[float] | None = None,
    tangent: int = LINEAR,
) -> Node:
    """Give a channel an animation curve; values in degrees or centimetres, one per frame."""
    numbers = range(1, len(values) + 1) if frames is None else frames
    angular = plug.node.spec(plug.path).kind == "angle"
    kind = "animCurveTA" if angular else "animCurveTL"
    # Named after the channel of the character, in no namespace, as Maya does.
    curve = scene.create_node(kind, f"{plug.node.short_name}_{plug.path.replace('.', '_')}")
    keys = Keys(
        [ui_values.seconds(scene, frame) for frame in numbers],
        [math.radians(value) if angular else float(value) for value in values],
        default_type=tangent,
    )
    scene.set_keys(curve, keys)
    scene.connect(Plug(curve, "output"), plug)
    return curve


def wave(low: float, high: float, frames: int, turn: int) -> list[float]:
    """Values that reach both ends, at a pace of their own."""
    t = np.linspace(0.0, 2.0 * np.pi, frames)
    values = np.sin((2 * turn + 1) * t + 0.7 * turn)
    values = (values - values.min()) / np.ptp(values)
    return [float(low + (high - low) * value) for value in values]


def leg(
    session: Session,
    frames: int = 60,
    *,
    keyed: bool = True,
    namespace: str = "",
    ranges: Mapping[str, Mapping[str, tuple[float, float]]] = LEG,
) -> list[Node]:
    """Five joints in a chain, below a group: ball, ball, hinge, universal, fixed.

    Every joint has its own joint orient and rotate order.
    """
    scene = session.scene
    prefix = f"{namespace}:" if namespace else ""
    scene.add_namespace(namespace)
    group = scene.create_node("transform", prefix + "rig")
    joints: list[Node] = []
    for place, name in enumerate(ranges):
        above = joints[-1] if joints else group
        joints.append(
            add_joint(
                scene,
                prefix + name,
                above,
                orient_deg=(5.0 * place, -20.0 + 7.0 * place, 90.0 if place == 1 else 3.0 * place),
                order=ORDERS[place % len(ORDERS)],
            )
        )
    if keyed:
        key_ranges(session, joints, frames, ranges)
    _finish(session, frames)
    return joints


def key_ranges(
    session: Session,
    joints: Iterable[Node],
    frames: int = 60,
    ranges: Mapping[str, Mapping[str, tuple[float, float]]] = LEG,
) -> list[Node]:
    """Key every channel through its range, one key a frame; the curves."""
    curves, turn = [], 0
    for joint in joints:
        for channel, (low, high) in ranges[joint.short_name].items():
            values = wave(low, high, frames, turn % 4)
            curves.append(key(session.scene, Plug(joint, channel), values))
            turn += 1
    return curves


def _finish(session: Session, frames: int) -> None:
    """Set the time slider, and leave the scene as if it had just been opened."""
    scene, last = session.scene, ui_values.seconds(session.scene, frames)
    scene.playback.minimum = scene.playback.start = ui_values.seconds(scene, 1)
    scene.playback.maximum = scene.playback.end = last
    scene.modified = False
    session.undo_queue.flush()


def from_motion(session: Session, motion: Any, frames: int | None = None) -> list[Node]:
    """A character with a `Motion` of the program on it, keyed at every frame.

    Joint orients and rotate axes are those of the skeleton (the axis frames of an ASF file and what
    takes them back), rotations are keys on the motion's own branch, and the scene's time unit is
    the nearest to the motion's frame rate.
    """
    scene, skeleton = session.scene, motion.skeleton
    scene.units.time = nearest_time_unit(motion.frame_rate)
    count = min(len(motion.frames), frames or len(motion.frames))
    joints: list[Node] = []
    for place, name in enumerate(skeleton.names):
        above = int(skeleton.parents[place])
        joint = add_joint(
            scene,
            name,
            joints[above] if above >= 0 else None,
            translate=[float(x) for x in skeleton.offsets[place]],
            orient_deg=_orient_deg(skeleton.joint_orients[place]),
            axis_deg=_orient_deg(skeleton.rotate_axes[place]),
            order=skeleton.rotate_orders[place],
        )
        joints.append(joint)
        is_keyed = motion.animated is None or name in motion.animated
        for axis in range(3) if is_keyed else ():
            values = np.degrees(motion.rotates[place, axis, :count])
            key(scene, Plug(joint, f"rotate{AXES[axis]}"), values, motion.frames[:count])
    _finish(session, int(motion.frames[count - 1]))
    return joints


def _orient_deg(quaternion: Sequence[float]) -> list[float]:
    """Angles about X, then Y, then Z of a quaternion (x, y, z, w), also where Y is 90 degrees."""
    (r00, r01, r02), (r10, r11, r12), (r20, _, _) = matrix_from_quaternion(quaternion).tolist()
    z = math.atan2(r10, r00)
    sine, cosine = math.sin(z), math.cos(z)
    x = math.atan2(sine * r02 - cosine * r12, cosine * r11 - sine * r01)
    y = math.atan2(-r20, cosine * r00 + sine * r10)
    return [math.degrees(angle) for angle in (x, y, z)]


def save(session: Session, path: Path) -> Path:
    """Write the open scene to a file."""
    ma_writer.write_scene(session, str(path))
    return path


def reopen(session: Session, path: Path) -> Scene:
    """Save the open scene and open what was written."""
    return ma_reader.open_scene(session, str(save(session, path)))


def reference_scene(session: Session, folder: Path, namespace: str = "char") -> Reference:
    """Save the open scene as a character, and reference it into a new scene of the same units."""
    path = save(session, folder / "character.ma")
    units, playback = session.scene.units, session.scene.playback
    scene = session.new_scene()
    scene.units, scene.playback = units, playback
    scene.file_name = str(folder / "shot.ma")
    reference = ma_reader.create_reference(session, path.name, namespace)
    scene.modified = False
    return reference


def joints_of(scene: Scene, namespace: str = "") -> list[Node]:
    """Joints of a namespace in the scene's order, parents first."""
    return [node for node in scene.of_type("joint") if node.namespace == namespace]


def add_layer(
    session: Session,
    joints: Iterable[Node],
    name: str = "layer1",
    swing_deg: float = 6.0,
    frames: int = 60,
) -> Node:
    """An additive layer on the rotations of joints, with keys of its own on X."""
    scene, joints = session.scene, list(joints)
    attributes = [f"{scene.partial_path(joint)}.rotate" for joint in joints]
    layer = scene.node(command(session, "animLayer", name, attribute=attributes))
    for place, joint in enumerate(joints):
        source = scene.connections[Plug(joint, "rotateX")]
        values = wave(-swing_deg, swing_deg, frames, place % 3)
        key(scene, Plug(source.node, "inputBX"), values)
    scene.modified = False
    return layer


def constrain(session: Session, joint: Node, frames: int = 60) -> Node:
    """Let an animated locator turn a joint through an orientConstraint; the constraint."""
    scene = session.scene
    for axis in AXES:
        plug = Plug(joint, f"rotate{axis}")
        if plug in scene.connections:
            scene.disconnect(scene.connections[plug], plug)
    handle = scene.create_node("transform", f"{joint.short_name}_ctl")
    for turn, axis in enumerate(AXES):
        key(scene, Plug(handle, f"rotate{axis}"), wave(-25.0, 20.0, frames, turn))
    names = [scene.partial_path(node) for node in (handle, joint)]
    made = command(session, "orientConstraint", *names)
    scene.modified = False
    return scene.node(*made)
