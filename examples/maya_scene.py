"""The humanoid and its exercise as a Maya ASCII scene, written the way Maya writes one."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator

import numpy as np

from jointlimits_core.geometry.arrays import ArrayLike
from jointlimits_core.geometry.euler import ROTATE_ORDERS
from jointlimits_core.motion.skeleton import Skeleton

from .exercise import Keys, root_keys, rotate_keys
from .humanoid import JOINTS, Joint, joint_orients_deg

NAME = "humanoid_rom.ma"
GROUP = "Humanoid_grp"
POSE = "bindPose1"
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "joint limits for maya: examples")
TANGENT_CODES = {"linear": 2, "flat": 3, "auto": 18}
SIDES = {"Left": 1, "Right": 2}
LABELS = {
    "Hips": 1,
    "Hip": 2,
    "Knee": 3,
    "Ankle": 4,
    "Toe": 5,
    "Spine": 6,
    "Chest": 6,
    "Neck": 7,
    "Head": 8,
    "Clavicle": 9,
    "Shoulder": 10,
    "Elbow": 11,
    "Wrist": 12,
}
"""Values of the attribute ``type``, Maya's joint labels."""
IDENTITY_ROWS = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"


def _numbers(values: ArrayLike, decimals: int = 9) -> str:
    rounded = np.round(np.asarray(values, dtype=np.float64).ravel(), decimals) + 0.0
    return " ".join(f"{value:.15g}" for value in rounded.tolist())


def _uuid(node: str) -> str:
    return str(uuid.uuid5(NAMESPACE, node)).upper()


def _header(last_frame: int) -> Iterator[str]:
    yield "//Maya ASCII 2024 scene"
    yield f"//Name: {NAME}"
    yield f"//Written by examples/make_humanoid.py; frames 1 to {last_frame}"
    yield "//Codeset: UTF-8"
    yield 'requires maya "2024";'
    yield "currentUnit -l centimeter -a degree -t ntsc;"
    yield 'fileInfo "application" "maya";'
    yield 'fileInfo "product" "Maya 2024";'
    yield 'fileInfo "version" "2024";'
    yield f'fileInfo "UUID" "{_uuid(NAME)}";'


def _node(kind: str, name: str, parent: str = "") -> Iterator[str]:
    child_of = f' -p "{parent}"' if parent else ""
    yield f'createNode {kind} -n "{name}"{child_of};'
    yield f'\trename -uid "{_uuid(name)}";'


def _matrix(attribute: str, rows: ArrayLike) -> Iterator[str]:
    first, second = np.split(np.asarray(rows, dtype=np.float64).ravel(), 2)
    yield f'\tsetAttr "{attribute}" -type "matrix" {_numbers(first)}'
    yield f"\t\t {_numbers(second)};"


def _joint(joint: Joint, index: int, skeleton: Skeleton) -> Iterator[str]:
    yield from _node("joint", joint.name, joint.parent or GROUP)
    yield f'\tsetAttr ".t" -type "double3" {_numbers(skeleton.offsets[index])} ;'
    order = ROTATE_ORDERS.index(joint.rotate_order)
    if order:
        yield f'\tsetAttr ".ro" {order};'
    # The values that the Joint tool leaves behind, with none of them enabled.
    yield '\tsetAttr ".mnrl" -type "double3" -360 -360 -360 ;'
    yield '\tsetAttr ".mxrl" -type "double3" 360 360 360 ;'
    orient = joint_orients_deg(skeleton)[index]
    if orient.any():
        yield f'\tsetAttr ".jo" -type "double3" {_numbers(orient)} ;'
    if not joint.side:
        yield '\tsetAttr ".ssc" no;'
    # A file's matrices are for row vectors.
    yield from _matrix(".bps", skeleton.rest_world_matrices()[index].T)
    if joint.side:
        yield f'\tsetAttr ".sd" {SIDES[joint.side]};'
    yield f'\tsetAttr ".typ" {LABELS[joint.name[len(joint.side) :]]};'
    yield f'\tsetAttr ".radi" {1 if joint.side else 2};'


def _pose_record(index: int, translate: ArrayLike, orient: ArrayLike, compensates: str) -> str:
    """Scale, rotate, order, translate; shear and four pivots; rotateAxis, orient, inverse scale."""
    order = ROTATE_ORDERS.index(JOINTS[index - 1].rotate_order) if index else 0
    return (
        f'\tsetAttr ".xm[{index}]" -type "matrix" "xform" 1 1 1 0 0 0 {order} '
        f"{_numbers(translate)}\n\t\t {_numbers(np.zeros(15))}\n"
        f"\t\t 0 0 0 1 {_numbers(orient, 10)} 1 1 1 {compensates};"
    )


def _bind_pose(skeleton: Skeleton) -> Iterator[str]:
    count = len(JOINTS) + 1
    yield from _node("dagPose", POSE)
    yield f'\tsetAttr -s {count} ".wm";'
    yield f'\tsetAttr ".wm[0]" -type "matrix" {IDENTITY_ROWS};'
    yield f'\tsetAttr -s {count} ".xm";'
    yield _pose_record(0, np.zeros(3), [0, 0, 0, 1], "yes")
    for index, joint in enumerate(JOINTS):
        compensates = "yes" if joint.side else "no"
        offset, orient = skeleton.offsets[index], skeleton.joint_orients[index]
        yield _pose_record(index + 1, offset, orient, compensates)
    yield f'\tsetAttr -s {count} ".m";'
    yield f'\tsetAttr -s {count} ".p";'
    yield '\tsetAttr ".bp" yes;'


def _curve(kind: str, name: str, keys: Keys, tangents: str) -> Iterator[str]:
    yield from _node(kind, name)
    yield f'\tsetAttr ".tan" {TANGENT_CODES[tangents]};'
    yield '\tsetAttr ".wgt" no;'
    pairs = [f"{frame} {_numbers(value)}" for frame, value in keys]
    lines = (" ".join(pairs[first : first + 8]) for first in range(0, len(pairs), 8))
    count = len(keys)
    yield f'\tsetAttr -s {count} ".ktv[0:{count - 1}]"  ' + "\n\t\t ".join(lines) + ";"


def _curves() -> Iterator[tuple[str, str, str, str, Keys, str]]:
    """Kind, name, node, attribute, keys and tangents of every curve."""
    root = JOINTS[0]
    for axis, keys in root_keys().items():
        name = f"{root.name}_translate{axis.upper()}"
        yield "animCurveTL", name, root.name, f"t{axis}", keys, root.tangents
    rotate = rotate_keys()[0]
    for joint in JOINTS:
        for axis, keys in sorted(rotate.get(joint.name, {}).items()):
            name = f"{joint.name}_rotate{axis.upper()}"
            yield "animCurveTA", name, joint.name, f"r{axis}", keys, joint.tangents


def _connections(skeleton: Skeleton) -> Iterator[str]:
    for _, curve, node, attribute, _, _ in _curves():
        yield f'connectAttr "{curve}.o" "{node}.{attribute}";'
    for joint in JOINTS[1:]:
        yield f'connectAttr "{joint.parent}.s" "{joint.name}.is";'
    members = [GROUP, *skeleton.names]
    for index, member in enumerate(members):
        yield f'connectAttr "{member}.msg" "{POSE}.m[{index}]";'
    yield f'connectAttr "{POSE}.w" "{POSE}.p[0]";'
    for index, parent in enumerate(skeleton.parents):
        yield f'connectAttr "{POSE}.m[{parent + 1}]" "{POSE}.p[{index + 1}]";'
    for index, member in enumerate(skeleton.names):
        yield f'connectAttr "{member}.bps" "{POSE}.wm[{index + 1}]";'


def scene_text(skeleton: Skeleton) -> str:
    """Text of the scene.

    Parameters
    ----------
    skeleton : Skeleton
        As :func:`examples.humanoid.maya_skeleton` gives it.

    Returns
    -------
    str
    """

    def lines() -> Iterable[str]:
        yield from _header(rotate_keys()[1])
        yield from _node("transform", GROUP)
        for index, joint in enumerate(JOINTS):
            yield from _joint(joint, index, skeleton)
        yield from _bind_pose(skeleton)
        for kind, name, _, _, keys, tangents in _curves():
            yield from _curve(kind, name, keys, tangents)
        yield from _connections(skeleton)
        yield f"// End of {NAME}"

    return "\n".join(lines()) + "\n"
