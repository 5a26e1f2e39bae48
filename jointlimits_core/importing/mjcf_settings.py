"""Settings of a whole MJCF model: angle units, Euler orders, default classes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats
from ..rotation import (
    IDENTITY,
    multiply,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
    quaternion_from_matrix,
)
from .xml_numbers import direction, numbers
from .xml_tree import XmlElement, XmlFile

ORIENTATIONS = ("quat", "euler", "axisangle", "xyaxes", "zaxis")


@dataclass(frozen=True)
class MjcfSettings:
    """Settings of a model.

    Parameters
    ----------
    euler_sequence : str
        Axis letters; lower case axes rotate with the body, upper case axes are fixed.
    auto_limits : bool
        Whether a range alone makes a joint limited.
    classes : mapping of str to mapping
        Joint attributes by class name.
    main : str
        Class of elements that name none.
    """

    radians: bool = False
    euler_sequence: str = "xyz"
    auto_limits: bool = True
    classes: Mapping[str, Mapping[str, str]] = None  # type: ignore[assignment]
    main: str = "main"


def settings_of(file: XmlFile) -> MjcfSettings:
    """Read the settings of a model.

    Raises
    ------
    InputError
        With line and column.
    """
    found = MjcfSettings()
    for compiler in file.root.all("compiler"):
        get = compiler.attributes.get
        if get("coordinate", "local") != "local":
            raise file.fail("global coordinates are not supported; save it from MuJoCo", compiler)
        sequence = get("eulerseq", found.euler_sequence)
        if len(sequence) != 3 or set(sequence) - set("xyzXYZ"):
            raise file.fail(f"eulerseq must be three of xyzXYZ, not {sequence!a}", compiler)
        angle = get("angle", "radian" if found.radians else "degree")
        if angle not in ("radian", "degree"):
            raise file.fail(f"angle must be radian or degree, not {angle!a}", compiler)
        automatic = get("autolimits", "true" if found.auto_limits else "false")
        if automatic not in ("true", "false"):
            raise file.fail(f"autolimits must be true or false, not {automatic!a}", compiler)
        found = replace(
            found,
            radians=angle == "radian",
            euler_sequence=sequence,
            auto_limits=automatic == "true",
        )
    classes, main = _classes(file)
    return replace(found, classes=classes, main=main)


def _classes(file: XmlFile) -> tuple[dict[str, dict[str, str]], str]:
    """Joint attributes of every class, including those of enclosing classes."""
    classes: dict[str, dict[str, str]] = {}
    tops = file.root.all("default")
    main = tops[0].attributes.get("class", "main") if tops else "main"
    nothing: dict[str, str] = {}
    waiting = [(top, top.attributes.get("class", main), nothing) for top in reversed(tops)]
    while waiting:
        element, name, above = waiting.pop()
        if not name:
            raise file.fail("a nested default needs a class", element)
        known = {**above, **classes.get(name, {})}
        for joint in element.all("joint"):
            known.update(joint.attributes)
        classes[name] = known
        inside = reversed(element.all("default"))
        waiting += [(child, child.attributes.get("class", ""), known) for child in inside]
    classes.setdefault(main, {})
    return classes, main


def attributes_of(
    file: XmlFile, joint: XmlElement, used: str, settings: MjcfSettings
) -> XmlElement:
    """A joint with the attributes of its class.

    Parameters
    ----------
    used : str
        Class that applies at its place.

    Raises
    ------
    InputError
        For an unknown class.
    """
    name = joint.attributes.get("class", used)
    if name not in settings.classes:
        raise file.fail(f"unknown default class {name!a}", joint)
    return replace(joint, attributes={**settings.classes[name], **joint.attributes})


def orientation(file: XmlFile, element: XmlElement, settings: MjcfSettings) -> Floats:
    """Rotation of a body or frame relative to its parent element, shape (4,).

    Raises
    ------
    InputError
        For several orientations in one element, or invalid numbers.
    """
    given = [name for name in ORIENTATIONS if name in element.attributes]
    if len(given) > 1:
        raise file.fail(f"has {' and '.join(given)}; expected one orientation", element)
    unit = 1.0 if settings.radians else math.pi / 180.0
    if not given:
        return IDENTITY
    if given == ["quat"]:
        w, x, y, z = direction(file, element, "quat", 4).tolist()
        return np.array([x, y, z, w])
    if given == ["axisangle"]:
        *axis, angle = numbers(file, element, "axisangle", 4).tolist()
        length = float(np.linalg.norm(axis))
        if length < 1e-10:
            raise file.fail("the axis of axisangle has zero length", element)
        return quaternion_from_axis_angle(np.array(axis) / length, np.asarray(angle * unit))
    if given == ["zaxis"]:
        return quaternion_between_vectors(np.eye(3)[2], direction(file, element, "zaxis"))
    if given == ["xyaxes"]:
        return _from_axes(file, element)
    return _from_euler(numbers(file, element, "euler", 3) * unit, settings.euler_sequence)


def _from_axes(file: XmlFile, element: XmlElement) -> Floats:
    """Rotation whose first column is the first axis; the second is made orthogonal to it."""
    both = numbers(file, element, "xyaxes", 6)
    first, second = both[:3], both[3:]
    first = first / max(float(np.linalg.norm(first)), 1e-300)
    second = second - first * float(first @ second)
    if min(float(np.linalg.norm(both[:3])), float(np.linalg.norm(second))) < 1e-10:
        raise file.fail("xyaxes are parallel or have zero length", element)
    second = second / np.linalg.norm(second)
    return quaternion_from_matrix(np.stack([first, second, np.cross(first, second)], axis=1))


def _from_euler(angles: Floats, sequence: str) -> Floats:
    turn = IDENTITY
    for letter, angle in zip(sequence, angles):
        step = quaternion_from_axis_angle(np.eye(3)["xyz".index(letter.lower())], angle)
        turn = multiply(turn, step) if letter.islower() else multiply(step, turn)
    return turn
