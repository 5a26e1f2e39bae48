"""Live coupled limits: our node, or a network of Maya nodes, between a joint and its drivers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from jointlimits_core.base.errors import OptionText
from jointlimits_core.geometry import arrays, euler
from jointlimits_core.geometry.quaternion import (
    IDENTITY,
    conjugate,
    matrix_from_quaternion,
    multiply,
    quaternion_from_matrix,
)
from jointlimits_core.rig.limit_plan import LOCKED, Skipped
from jointlimits_core.shapes import charts, scalar_joint

from ..base.open_maya import om
from ..read import drivers, upstream
from ..read.joint_drivers import drivers_of_joints
from ..scene.edit import Angle, SceneEdit, Value, put_value
from ..scene.joints import is_control, joint_names, short_name
from ..scene.plugs import Attributes, connected_elements, find_plug, source_of
from ..scene.results import ProjectResult, StopResult
from ..write.limit_edits import joint_obstacle
from .shapes import Shaped


@dataclass(frozen=True)
class Part:
    """A node of a recipe.

    Attributes have long names, with an index for elements of arrays: "matrixIn[1]". `inputs`: what
    each connected attribute reads, as "name.attribute" of another part.
    """

    name: str
    kind: str
    inputs: dict[str, str] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe:
    """Nodes to insert between a joint and its drivers.

    `driver`: name of the part that drives the joint; its compound `takes` is the input, its
    compound `gives` the output. `reads`, (joint, its attribute, "name.attribute"): connections from
    the joint itself and from others.
    """

    parts: Sequence[Part]
    driver: str
    takes: str
    gives: str
    reads: Sequence[tuple[om.MObject, str, str]]


def insert_nodes(edit: SceneEdit, joint: om.MObject, recipe: Recipe, name: str) -> None:
    """Add nodes to an edit, and route the joint's rotation through them.

    `name`: prefix of the node names.
    """
    made: dict[str, Callable[[], om.MObject]] = {}
    for part in recipe.parts:
        ending = "" if part.name == recipe.driver else f"_{part.name}"
        made[part.name] = edit.create(part.kind, f"{name}_jointLimits{ending}")

    def plug_at(place: str) -> om.MPlug:
        key, _, path = place.partition(".")
        return find_plug(made[key](), path)

    def connect_parts(modifier: om.MDGModifier) -> None:
        for part in recipe.parts:
            for attribute, value in part.values.items():
                put_value(modifier, plug_at(f"{part.name}.{attribute}"), value)
            for attribute, source in part.inputs.items():
                modifier.connect(plug_at(source), plug_at(f"{part.name}.{attribute}"))
        for other, attribute, place in recipe.reads:
            modifier.connect(find_plug(other, attribute), plug_at(place))

    edit.modify(connect_parts)
    driver = made[recipe.driver]
    others = [node for name, node in made.items() if name != recipe.driver]
    if others:
        _list_parts(edit, driver, others)
    _reroute(edit, joint, driver, recipe)


def _list_parts(
    edit: SceneEdit, driver: Callable[[], om.MObject], others: Sequence[Callable[[], om.MObject]]
) -> None:
    """List all other nodes in an attribute of the node that drives the joint."""
    message = om.MFnMessageAttribute()
    attribute = message.create(drivers.PARTS, drivers.PARTS)
    message.array = True

    def connect_others(modifier: om.MDGModifier) -> None:
        for number, other in enumerate(others):
            place = find_plug(driver(), f"{drivers.PARTS}[{number}]")
            modifier.connect(find_plug(other(), "message"), place)

    edit.modify(lambda modifier: modifier.addAttribute(driver(), attribute))
    edit.modify(connect_others)


def _reroute(
    edit: SceneEdit, joint: om.MObject, driver: Callable[[], om.MObject], recipe: Recipe
) -> None:
    """Connect the joint's drivers to the nodes, and the nodes to the joint.

    This takes two edits, as Maya cannot undo one modifier that disconnects and connects a plug.
    """
    # live check: reconnect-in-one-modifier
    sources: dict[str, om.MPlug] = {}
    names = ("rotate", *drivers.axes_of("rotate"))
    takes, gives = drivers.axes_of(recipe.takes), drivers.axes_of(recipe.gives)

    def disconnect(modifier: om.MDGModifier) -> None:
        for name in names:
            plug = find_plug(joint, name)
            if plug.isDestination:
                sources[name] = plug.sourceWithConversion()
                modifier.disconnect(sources[name], plug)

    def connect(modifier: om.MDGModifier) -> None:
        for name, taking in zip(names, (recipe.takes, *takes)):
            if name in sources:
                modifier.connect(sources[name], find_plug(driver(), taking))
        for name, taking, giving in zip(names[1:], takes, gives):
            plug = find_plug(joint, name)
            if not sources.keys() & {"rotate", name}:
                put_value(modifier, find_plug(driver(), taking), Angle(plug.asDouble()))
            modifier.connect(find_plug(driver(), giving), plug)

    edit.modify(disconnect)
    edit.modify(connect)


def remove_nodes(edit: SceneEdit, joint: om.MObject, existing: drivers.Projection) -> None:
    """Add the removal of a projection's nodes to an edit; the joint gets its drivers back.

    Nodes that also drive another joint, such as a duplicate with input connections, stay for it.
    Channels that something else drives by now keep that.
    """
    rotate, *plugs = map(Attributes(joint).plug, ("rotate", *drivers.axes_of("rotate")))
    whole, *ins = _inputs_of(existing)
    ends = [end for out in _outputs_of(existing) for end in out.destinations()]
    is_shared = any(end.node() != joint for end in ends)
    sources = [source_of(plug) for plug in plugs]
    ours = [source is not None and source.node() == existing.driver for source in sources]
    for plug in (rotate, *plugs):
        if plug in ends:
            edit.disconnect(plug.source(), plug)
    free = [own or source is None for own, source in zip(ours, sources)]
    pairs = [one for one, is_free in zip(zip(ins, plugs, ours), free) if is_free]
    if whole.isDestination and all(free):
        pairs = [(whole, rotate, True)]
    for into, plug, is_ours in pairs:
        if source_of(into) is not None:
            _reconnect(edit, into, plug, is_shared)
        elif is_ours:
            edit.modify(partial(_give_value, plug, into.asDouble()))
    if not is_shared:
        edit.delete_nodes(*_nodes_of(existing))


def _inputs_of(existing: drivers.Projection) -> list[om.MPlug]:
    """The compound that a projection takes, and its channels."""
    names = (existing.takes, *drivers.axes_of(existing.takes))
    return [find_plug(existing.driver, name) for name in names]


def _outputs_of(existing: drivers.Projection) -> list[om.MPlug]:
    """The compound that a projection gives, and its channels."""
    names = (existing.gives, *drivers.axes_of(existing.gives))
    return [find_plug(existing.driver, name) for name in names]


def _nodes_of(existing: drivers.Projection) -> list[om.MObject]:
    """All nodes of a projection; last the one that drives the joint."""
    driver = existing.driver
    if not om.MFnDependencyNode(driver).hasAttribute(drivers.PARTS):
        return [driver]
    listed = connected_elements(find_plug(driver, drivers.PARTS))
    return [*(plug.node() for _, plug in listed), driver]


def _removal_obstacles(name: str, existing: drivers.Projection) -> Iterator[Skipped]:
    """Reasons why a projection cannot be removed. `name`: that of the joint, for the message."""
    for function in map(om.MFnDependencyNode, _nodes_of(existing)):
        what = f"{function.name()}, which keeps it inside,"
        if function.isFromReferencedFile:
            advice = "remove or change it in that file, or switch its enable off"
            yield Skipped(name, "", f"{what} is in a referenced file", advice)
        if function.isLocked:
            yield Skipped(name, "", f"{what} is locked", "unlock it (lockNode -lock off)")
    for plug in _inputs_of(existing):
        if plug.isLocked and plug.isDestination:
            yield Skipped(name, str(plug.name()), *LOCKED)


def _reconnect(edit: SceneEdit, into: om.MPlug, plug: om.MPlug, is_shared: bool) -> None:
    """Redirect the connection into a node's input to the joint; copy it if others need it."""
    source = source_of(into)
    assert source is not None, "what nothing drives is not reconnected"
    if into.isDestination and not is_shared:
        edit.disconnect(source, into)
    edit.connect(source, plug)


def _give_value(plug: om.MPlug, radians: float, modifier: om.MDGModifier) -> None:
    """Copy a value set on the node to an undriven channel, unless the channel has it already."""
    if plug.asDouble() != radians:
        put_value(modifier, plug, Angle(radians))


FALLOFF_PER_RAD = 1.0
"""Default of the node's falloff: how fast a shape gives way, per radian."""


def plan_projecting(
    shaped: Sequence[Shaped], softness: float, *, plain_nodes: bool
) -> tuple[SceneEdit, ProjectResult]:
    """Plan projections of joints into shapes; existing projections that differ are replaced.

    `softness`: radians by which a joint may leave the shape. `plain_nodes`: use standard Maya nodes
    instead of the plug-in's, which only works for boxes without softness.
    """
    edit = SceneEdit("Project Joint Limits")
    projected: list[str] = []
    unchanged: list[str] = []
    skipped: list[Skipped] = []
    solved = upstream.solved_joints()
    for one in shaped:
        node = one.path.node()
        recipe: Recipe | Skipped | None = _joint_obstacle(one, solved)
        if recipe is None and plain_nodes:
            try:
                recipe = plain_recipe(one, softness)
            except UnsupportedShapeError as error:
                advice = OptionText("leave out ", "plain_nodes")
                recipe = Skipped(one.name, "", str(error), advice)
        elif recipe is None:
            recipe = node_recipe(one, softness)
        if isinstance(recipe, Skipped):
            skipped.append(recipe)
            continue
        existing = drivers.projection_of(node)
        if existing is not None and _is_same(existing, node, recipe):
            unchanged.append(one.name)
            continue
        if existing is not None:
            why = next(_removal_obstacles(one.name, existing), None)
            if why is not None:
                skipped.append(why)
                continue
            remove_nodes(edit, node, existing)
        insert_nodes(edit, node, recipe, short_name(str(one.path.fullPathName())).replace(":", "_"))
        projected.append(one.name)
    form = "plain nodes" if plain_nodes else drivers.NODE_TYPE
    paths = {one.name: str(one.path.fullPathName()) for one in shaped if one.name in projected}
    driven = drivers_of_joints(paths, drivers.Drivers(solved))
    by_hand = tuple(name for name in projected if name not in driven)
    return edit, ProjectResult(form, tuple(projected), tuple(unchanged), tuple(skipped), by_hand)


def plan_stopping(joints: Sequence[om.MDagPath]) -> tuple[SceneEdit, StopResult]:
    """Plan the removal of projections, so that joints are driven as before."""
    edit = SceneEdit("Stop Projecting Joint Limits")
    stopped: list[str] = []
    untouched: list[str] = []
    skipped: list[Skipped] = []
    for name, path in zip(joint_names(joints), joints):
        node = path.node()
        existing = drivers.projection_of(node)
        if existing is None:
            untouched.append(name)
            continue
        obstacles = (*_channel_obstacles(name, node), *_removal_obstacles(name, existing))
        why = joint_obstacle(name, node) or next(iter(obstacles), None)
        if why is not None:
            skipped.append(why)
            continue
        remove_nodes(edit, node, existing)
        stopped.append(name)
    return edit, StopResult(tuple(stopped), tuple(untouched), tuple(skipped))


def _joint_obstacle(one: Shaped, solved: Mapping[str, str]) -> Skipped | None:
    """Reason why a joint cannot be projected, or None."""
    why = joint_obstacle(one.name, one.path.node())
    if why is None and is_control(one.path):
        advice = "keep the joints that follow it inside, or bring its keys inside"
        return Skipped(one.name, "", "a control, which is posed by hand", advice)
    if why is None and str(one.path.fullPathName()) in solved:
        advice = "IK bypasses inserted nodes; bake the joint's animation and project the keys"
        return Skipped(one.name, "", "driven by an IK handle", advice)
    if why is None and isinstance(projection := one.projection(), Skipped):
        return projection
    return why or next(_channel_obstacles(one.name, one.path.node()), None)


def _channel_obstacles(name: str, node: om.MObject) -> Iterator[Skipped]:
    """Reason, for each channel where no node can be inserted."""
    attributes = Attributes(node)
    for plug in (attributes.plug("rotate"), *attributes.plugs("rotate")):
        channel = str(plug.partialName(useLongNames=True))
        if plug.isLocked:
            yield Skipped(name, channel, *LOCKED)
        source = source_of(plug) if plug.isChild else None
        is_curve = source is not None and drivers.unit_of_curve(source.node()) is not None
        if source is not None and is_curve and drivers.is_quaternion_curve(source.node()):
            advice = "change the curves to Euler interpolation (Curves > Change Rotation Interp)"
            yield Skipped(name, channel, "its keys are interpolated as quaternions", advice)


def node_recipe(one: Shaped, softness: float) -> Recipe:
    """Recipe with the plug-in's own node."""
    # live check: joint-frame-into-node (as in constraints: the joint's own axes are inputs)
    frame = ("rotateOrder", "jointOrient", "rotateAxis")
    values: dict[str, Value] = {"softness": Angle(softness), "falloff": FALLOFF_PER_RAD}
    if one.shape is not None:
        values["shape"] = scalar_joint.compact_text(one.shape)
    if one.ranges:
        values["ranges"] = one.ranges
    part = Part("node", drivers.NODE_TYPE, values=values)
    reads = [(one.path.node(), name, f"node.{name}") for name in frame]
    for place, driver in enumerate(one.drivers):
        for name in ("rotate", *frame):
            element = f"driver{name[0].upper()}{name[1:]}[{place}]"
            reads.append((driver.node(), name, f"node.{element}"))
    return Recipe([part], "node", "inputRotate", "outputRotate", reads)


def _is_same(existing: drivers.Projection, joint: om.MObject, recipe: Recipe) -> bool:
    """Whether a recipe would only make the existing projection again."""
    (part, *others) = recipe.parts
    driven = [source_of(plug) for plug in Attributes(joint).plugs("rotate")]
    if existing.is_plain or others or driven != _outputs_of(existing)[1:]:
        return False
    node = Attributes(existing.driver)
    texts = {name: node.plug(name).asString() for name in ("shape", "ranges")}
    given = {
        **{name: text for name, text in texts.items() if text},
        "softness": Angle(node.number("softness")),
        "falloff": node.number("falloff"),
    }
    return given == part.values and all(
        source_of(find_plug(existing.driver, place.partition(".")[2])) == find_plug(read, name)
        for read, name, place in recipe.reads
    )


def _axis_connections(destination: str, source: str) -> dict[str, str]:
    """Connections between the X, Y and Z of two attributes."""
    return {f"{destination}{axis}": f"{source}{axis}" for axis in "XYZ"}


def _conversion(name: str, source: str, factor: float = 1.0) -> Part:
    # live check: unit-conversion-by-hand (an angle as its internal number)
    return Part(name, "unitConversion", {"input": source}, {"conversionFactor": factor})


def _direction(name: str, inputs: dict[str, str]) -> Part:
    """Part that outputs a unit vector; a zero vector stays zero."""
    # live check: vector-product-of-nothing
    return Part(name, "vectorProduct", inputs, {"operation": 0, "normalizeOutput": True})


def _dot(name: str, first: dict[str, str], second: str) -> Part:
    # live check: vector-product-dot-in-x
    return Part(name, "vectorProduct", {**first, "input2": second}, {"operation": 1})


def _product(name: str, vector: str, factor: str) -> Part:
    into = {f"input2{axis}": factor for axis in "XYZ"}
    return Part(name, "multiplyDivide", {"input1": vector, **into}, {"operation": 1})


def _from_quaternion(name: str, inputs: dict[str, str]) -> Part:
    # live check: compose-matrix-quaternion
    return Part(name, "composeMatrix", inputs, {"useEulerRotation": False})


def _logarithm(quaternion: str) -> list[Part]:
    """Parts that compute a rotation vector, ``vector.output``, from a decomposeMatrix."""
    parts = _axis_connections("input1", f"{quaternion}.outputQuat")
    half = {"inputQuatX": "sine.outputX", "inputQuatW": f"{quaternion}.outputQuatW"}
    return [
        _direction("way", parts),
        _dot("sine", parts, "way.output"),
        _from_quaternion("about", half),
        Part("angle", "decomposeMatrix", {"inputMatrix": "about.outputMatrix"}),
        _conversion("number", "angle.outputRotateX"),
        _product("vector", "way.output", "number.output"),
    ]


_SEEN = [
    Part("turn", "composeMatrix"),
    Part("seen", "multMatrix", {"matrixIn[1]": "turn.outputMatrix"}),
    Part("parts", "decomposeMatrix", {"inputMatrix": "seen.matrixSum"}),
]

ROTATION_VECTOR = [*_SEEN, *_logarithm("parts"), Part("hold", "clamp", {"input": "vector.output"})]
"""Parts that clamp the coordinates of a rotation vector."""

SWING_TWIST = [
    *_SEEN,
    _direction("spin", {"input1X": "parts.outputQuatX", "input1Y": "parts.outputQuatW"}),
    _from_quaternion("twist", {"inputQuatX": "spin.outputX", "inputQuatW": "spin.outputY"}),
    Part("twisted", "decomposeMatrix", {"inputMatrix": "twist.outputMatrix"}),
    _conversion("untwisted", "twisted.outputRotateX", -1.0),
    Part("untwist", "composeMatrix", {"inputRotateX": "untwisted.output"}),
    Part(
        "swing",
        "multMatrix",
        {"matrixIn[0]": "untwist.outputMatrix", "matrixIn[1]": "seen.matrixSum"},
    ),
    Part("swung", "decomposeMatrix", {"inputMatrix": "swing.matrixSum"}),
    *_logarithm("swung"),
    _conversion("twistNumber", "twisted.outputRotateX"),
    Part(
        "hold",
        "clamp",
        {"inputR": "twistNumber.output", "inputG": "vector.outputY", "inputB": "vector.outputZ"},
    ),
    _conversion("heldTwist", "hold.outputR"),
    Part("heldSpin", "composeMatrix", {"inputRotateX": "heldTwist.output"}),
]
"""Parts that clamp swing and twist about X, and output the matrix of the clamped twist."""


def _exponential(inputs: dict[str, str]) -> list[Part]:
    """Parts for the matrix ``held.outputMatrix`` of a rotation vector."""
    quaternion = {
        **_axis_connections("inputQuat", "heldVector.output"),
        "inputQuatW": "heldHalf.outputQuatW",
    }
    return [
        _direction("heldWay", inputs),
        _dot("heldLength", inputs, "heldWay.output"),
        _conversion("heldAngle", "heldLength.outputX"),
        Part("heldAbout", "composeMatrix", {"inputRotateX": "heldAngle.output"}),
        Part("heldHalf", "decomposeMatrix", {"inputMatrix": "heldAbout.outputMatrix"}),
        _product("heldVector", "heldWay.output", "heldHalf.outputQuatX"),
        _from_quaternion("held", quaternion),
    ]


CLAMPED = [
    Part(
        "off",
        "plusMinusAverage",
        {"input3D[0]": "hold.input", "input3D[1]": "hold.output"},
        {"operation": 2},
    ),
    _dot("far", {"input1": "off.output3D"}, "off.output3D"),
    Part(
        "outside",
        "condition",
        {"firstTerm": "far.outputX"},
        {"operation": 2, "secondTerm": 0.0, "colorIfTrueR": 1.0, "colorIfFalseR": 0.0},
    ),
]
"""Parts that output 1 if anything was clamped, else 0."""

BACK_NODES = [
    Part("back", "multMatrix", {"matrixIn[2]": "held.outputMatrix"}),
    Part("rotate", "decomposeMatrix", {"inputMatrix": "back.matrixSum"}),
    Part(
        "blend",
        "pairBlend",
        {
            **{f"inRotate{a}2": f"rotate.outputRotate{a}" for a in "XYZ"},
            "weight": "outside.outColorR",
        },
    ),
]
"""Parts that output the joint's channels: the input, or the clamped rotation if it differs."""


class UnsupportedShapeError(ValueError):
    """A shape that standard nodes cannot represent; the message says why."""


def plain_recipe(one: Shaped, softness: float) -> Recipe:
    """Standard nodes that keep a joint inside a box, with its current jointOrient and rotateAxis.

    `softness`: must be 0. Raises UnsupportedShapeError if the shape is not a box, or reaches beyond
    180 degrees, and for ranges that depend on other joints.
    """
    if softness:
        raise UnsupportedShapeError("plain nodes do not support softness")
    if one.shape is None or one.ranges:
        raise UnsupportedShapeError("plain nodes support no range that depends on another joint")
    shape, joint = one.shape, one.path.node()
    frame, low, high = _box(shape)
    attributes = Attributes(joint)
    orient, axis = (
        euler.quaternion_from_euler(attributes.vector(name))
        for name in ("jointOrient", "rotateAxis")
    )
    centre = np.asarray(shape["coordinates"]["centre"], dtype=np.float64)
    before = multiply(axis, frame)
    after = multiply(conjugate(frame), multiply(conjugate(centre), orient))
    twists = shape["coordinates"]["kind"] == "swing-twist"
    swing = {"input1Y": "hold.outputG", "input1Z": "hold.outputB"}
    held = _exponential(swing if twists else {"input1": "hold.output"})
    inputs = {"turn": {f"inputRotate{axis}": f"blend.inRotate{axis}1" for axis in "XYZ"}}
    if twists:
        inputs["back"] = {"matrixIn[1]": "heldSpin.outputMatrix"}
    values: dict[str, dict[str, Value]] = {
        "seen": {"matrixIn[0]": _matrix(before), "matrixIn[2]": _matrix(after)},
        "back": {
            "matrixIn[0]": _matrix(conjugate(before)),
            "matrixIn[3]": _matrix(conjugate(after)),
        },
        "hold": {
            **{f"min{c}": float(value) for c, value in zip("RGB", low)},
            **{f"max{c}": float(value) for c, value in zip("RGB", high)},
        },
    }
    parts = [
        replace(
            part,
            values={**part.values, **values.get(part.name, {})},
            inputs={**part.inputs, **inputs.get(part.name, {})},
        )
        for part in (*(SWING_TWIST if twists else ROTATION_VECTOR), *CLAMPED, *BACK_NODES, *held)
    ]
    reads = [(joint, "rotateOrder", f"{name}.inputRotateOrder") for name in ("turn", "rotate")]
    return Recipe(parts, "blend", "inRotate1", "outRotate", reads)


def _box(shape: Mapping[str, Any]) -> tuple[arrays.Floats, arrays.Floats, arrays.Floats]:
    """Orientation of a box as a quaternion, and its low and high ends along its X, Y and Z."""
    kind, region = shape["coordinates"]["kind"], shape["region"]
    if region["kind"] not in ("box", "obb") or kind not in ("rotation-vector", "swing-twist"):
        raise UnsupportedShapeError(
            f"plain nodes support boxes only, not {region['kind']} in {kind} coordinates"
        )
    low, high = (np.asarray(region[end], dtype=np.float64) for end in ("low", "high"))
    if np.any(np.abs([low, high]) >= np.pi):
        raise UnsupportedShapeError(
            "plain nodes do not support a box that reaches beyond 180 degrees"
        )
    if kind == "swing-twist":
        if region["kind"] == "obb":
            raise UnsupportedShapeError(
                "plain nodes do not support oriented boxes in swing-twist coordinates"
            )
        chart = charts.SwingTwist(
            IDENTITY, np.asarray(shape["coordinates"]["axis"], dtype=np.float64)
        )
        axes = np.vstack([chart.axis, chart.cross_axes])
        order = [2, 0, 1]
        return quaternion_from_matrix(axes.T), low[order], high[order]
    axes = np.asarray(region["axes"], dtype=np.float64) if region["kind"] == "obb" else np.eye(3)
    if np.linalg.det(axes) < 0.0:
        # Left-handed axes are not a rotation; flipping the last axis makes them right-handed.
        axes = axes * np.array([[1.0], [1.0], [-1.0]])
        low, high = np.append(low[:2], -high[2]), np.append(high[:2], -low[2])
    return quaternion_from_matrix(axes.T), low, high


def _matrix(quaternion: arrays.Floats) -> om.MMatrix:
    """Rotation as a Maya matrix, for row vectors."""
    whole = np.eye(4)
    whole[:3, :3] = matrix_from_quaternion(quaternion).T
    return om.MMatrix(whole.ravel().tolist())
