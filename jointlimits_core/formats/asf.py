"""Acclaim skeletons (ASF).

Conversion:

* A joint has the name of the bone that it rotates and sits at the end of the parent bone: its
  offset is the parent's `direction * length`, and zero for the children of the root.
* `axis` is the orientation C in which a bone rotates, composed in its own order ("XYZ" rotates
  about X first); a bone rotated by M there rotates by ``C M C^-1`` relative to its parent. So
  jointOrient is C, rotateAxis is ``C^-1``, and the rest pose is the identity everywhere.
* The order of `dof` is the rotate order: `rx ry rz` rotates about X first, which is "xyz".
* `dof` and `limits` are the author's declarations and are only kept as such.
* One length unit of the file is ``1 / length`` inches.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..arrays import Floats
from ..euler import quaternion_from_euler
from ..joint_frame import CHANNELS
from ..rotation import conjugate
from ..skeleton import Declaration, Skeleton
from .asf_file import ROOT, AsfFile, Bone, read_asf_file
from .read_limits import DEFAULT_LIMITS, ReadLimits
from .source import FilePath

METERS_PER_INCH = 0.0254


def read_asf(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> Skeleton:
    """Read an ASF skeleton.

    Parameters
    ----------
    path : path-like or str
    limits : ReadLimits
        Input budget.

    Returns
    -------
    Skeleton
        `declarations[joint].dof` has the channels in the order of values in an AMC file, including
        "translateX", ... and "length"; `limits_deg` has the rotations only, with None where the
        file says inf.

    Raises
    ------
    AcclaimError
        With line and column; also for unknown bones, bones with two parents or none.
    """
    file = read_asf_file(path, limits)
    names, parents = _ordered(file)
    bones = [file.root, *(file.bones[name] for name in names[1:])]
    axes = np.array([_quaternion(file, bone) for bone in bones])
    return Skeleton(
        names=tuple(names),
        parents=np.array(parents),
        offsets=_offsets(file, bones, parents),
        rest_source="asf",
        rotate_orders=tuple(_rotate_order(bone) for bone in bones),
        joint_orients=axes,
        rotate_axes=conjugate(axes),
        declarations={bone.name: _declaration(file, bone) for bone in bones},
        name=Path(path).stem,
        meters_per_unit=METERS_PER_INCH / file.length_unit,
    )


def _ordered(file: AsfFile) -> tuple[list[str], list[int]]:
    """Names and parents in hierarchy order, each parent before its children."""
    _check_hierarchy(file)
    names: list[str] = []
    parents: list[int] = []
    waiting = [(ROOT, -1)]
    while waiting:
        name, parent = waiting.pop()
        index = len(names)
        names.append(name)
        parents.append(parent)
        waiting += [(child.text, index) for child in reversed(file.children.get(name, []))]
    reached = set(names)
    for name, bone in file.bones.items():
        if name not in reached:
            message = f"bone {name!a} is not linked to the root; its parents are missing or cyclic"
            raise file.text.fail(message, bone.place.line, bone.place.column)
    return names, parents


def _check_hierarchy(file: AsfFile) -> None:
    """Check that parents and children are known, and every child has one parent."""
    seen: set[str] = set()
    for parent, children in file.children.items():
        if parent != ROOT and parent not in file.bones:
            line = children[0].line if children else None
            raise file.text.fail(f"the hierarchy names an unknown bone {parent!a}", line)
        for child in children:
            if child.text not in file.bones:
                message = f"the hierarchy names an unknown bone {child}"
                raise file.text.fail(message, child.line, child.column)
            if child.text in seen:
                message = f"bone {child} has two parents"
                raise file.text.fail(message, child.line, child.column)
            seen.add(child.text)


def _quaternion(file: AsfFile, bone: Bone) -> Floats:
    angles = bone.axis if file.radians else np.radians(bone.axis)
    return quaternion_from_euler(angles, bone.axis_order)


def _offsets(file: AsfFile, bones: list[Bone], parents: list[int]) -> Floats:
    """Position of each joint relative to its parent, shape (joints, 3)."""
    offsets = np.zeros((len(bones), 3))
    offsets[0] = file.root.position
    for index, parent in enumerate(parents):
        above = bones[parent]
        if parent > 0 and above.direction is not None and above.length is not None:
            offsets[index] = [component * above.length for component in above.direction]
            if not np.isfinite(offsets[index]).all():
                message = f"the length of bone {above.name!a} overflows"
                raise file.text.fail(message, above.place.line, above.place.column)
    return offsets


def _rotate_order(bone: Bone) -> str:
    """Rotate order of the rotations in `dof`; fixed axes come last."""
    listed = [channel[-1].lower() for channel in bone.dof if channel in CHANNELS]
    return "".join(listed + [axis for axis in "xyz" if axis not in listed])


def _declaration(file: AsfFile, bone: Bone) -> Declaration:
    lows, highs = (_limits_deg(file, bone.limits[start::2]) for start in (0, 1))
    limits = {
        channel: (low, high)
        for channel, low, high in zip(bone.dof, lows, highs)
        if channel in CHANNELS
    }
    return Declaration(dof=bone.dof, limits_deg=limits)


def _limits_deg(file: AsfFile, values: list[float]) -> list[float | None]:
    degrees = np.degrees(values) if file.radians else np.array(values)
    return [float(value) if np.isfinite(value) else None for value in degrees]
