"""Nodes that stand between what drives a joint's rotation and the joint: as data, and built.

A recipe says which nodes there are, what is set on them and how they hang together. So the node of
the plug-in and the form of plain nodes are put in and taken out by the same few lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import maya.api.OpenMaya as om

from .attributes import AXES, Attributes
from .plug_values import Angle, Value, put_value
from .scene_edit import SceneEdit

PARTS = "jointLimitParts"
"""Message attribute that finds all nodes of a projection, on the one that drives the joint."""


@dataclass(frozen=True)
class Recipe:
    """Nodes between driver and joint; places are "node.attribute", an array's element by its index.

    Parameters
    ----------
    nodes : dict of str to str
        Type of every node by what it is called here; the last one drives the joint.
    values : list of (place, value)
    wires : list of (place, place)
    of_joint : list of (attribute of the joint, place)
        What the joint itself tells the nodes.
    takes : str
        Place of the compound of three angles that what drives the joint goes into.
    gives : str
        Place of the compound that drives the joint.
    """

    nodes: dict[str, str]
    takes: str
    gives: str
    values: list[tuple[str, Value]] = field(default_factory=list)
    wires: list[tuple[str, str]] = field(default_factory=list)
    of_joint: list[tuple[str, str]] = field(default_factory=list)

    @property
    def driver(self) -> str:
        """The node that drives the joint."""
        return self.gives.partition(".")[0]


def axes_of(compound: str) -> list[str]:
    """Names of a compound's children: outRotate has outRotateX, inRotate1 has inRotateX1."""
    stem = compound.rstrip("0123456789")
    return [f"{stem}{axis}{compound[len(stem) :]}" for axis in AXES]


def plug_at(node: om.MObject, path: str) -> om.MPlug:
    """Plug of an attribute, or of an element of one: ``matrixIn[1]``."""
    name, _, index = path.partition("[")
    plug: om.MPlug = om.MFnDependencyNode(node).findPlug(name, False)
    return plug.elementByLogicalIndex(int(index[:-1])) if index else plug


def put_in(edit: SceneEdit, joint: om.MObject, recipe: Recipe, name: str) -> None:
    """Have an edit make the nodes and lead the joint's rotation through them.

    Parameters
    ----------
    joint : MObject
    name : str
        What the nodes are called after.
    """
    made: dict[str, om.MObject] = {}

    def create(modifier: om.MDGModifier) -> None:
        for key, kind in recipe.nodes.items():
            made[key] = modifier.createNode(kind)

    def at(place: str) -> om.MPlug:
        key, _, path = place.partition(".")
        return plug_at(made[key], path)

    def settle(modifier: om.MDGModifier) -> None:
        for key, node in made.items():
            last = key == recipe.driver
            modifier.renameNode(
                node, f"{name}_jointLimits" if last else f"{name}_jointLimits_{key}"
            )
        for place, value in recipe.values:
            put_value(modifier, at(place), value)
        for source, destination in recipe.wires:
            modifier.connect(at(source), at(destination))
        for attribute, place in recipe.of_joint:
            modifier.connect(plug_at(joint, attribute), at(place))

    def lead(modifier: om.MDGModifier) -> None:
        _lead_through(modifier, joint, made[recipe.driver], recipe)

    edit.modify(create, when_reached=True)
    edit.modify(settle, when_reached=True)
    if len(recipe.nodes) > 1:
        _remember_parts(edit, made, recipe)
    edit.modify(lead, when_reached=True)


def _remember_parts(edit: SceneEdit, made: dict[str, om.MObject], recipe: Recipe) -> None:
    """Connect every other node's message to the one that drives the joint."""

    def add(modifier: om.MDGModifier) -> None:
        message = om.MFnMessageAttribute()
        attribute = message.create(PARTS, PARTS)
        message.array = True
        modifier.addAttribute(made[recipe.driver], attribute)

    def connect(modifier: om.MDGModifier) -> None:
        others = [node for key, node in made.items() if key != recipe.driver]
        for number, node in enumerate(others):
            to = plug_at(made[recipe.driver], f"{PARTS}[{number}]")
            modifier.connect(plug_at(node, "message"), to)

    edit.modify(add, when_reached=True)
    edit.modify(connect, when_reached=True)


def _lead_through(
    modifier: om.MDGModifier, joint: om.MObject, driver: om.MObject, recipe: Recipe
) -> None:
    """What drove the joint drives the nodes, and these drive the joint."""
    takes, gives = (place.partition(".")[2] for place in (recipe.takes, recipe.gives))
    attributes = Attributes(joint)
    whole = attributes.plug("rotate")
    if whole.isDestination:
        source = whole.sourceWithConversion()
        modifier.disconnect(source, whole)
        modifier.connect(source, plug_at(driver, takes))
    for plug, taking, giving in zip(attributes.plugs("rotate"), axes_of(takes), axes_of(gives)):
        into = plug_at(driver, taking)
        if plug.isDestination:
            source = plug.sourceWithConversion()
            modifier.disconnect(source, plug)
            modifier.connect(source, into)
        elif not whole.isDestination:
            put_value(modifier, into, Angle(plug.asDouble()))
        modifier.connect(plug_at(driver, giving), plug)


def take_out(
    edit: SceneEdit, joint: om.MObject, driver: om.MObject, takes: str, gives: str
) -> None:
    """Have an edit give a joint's rotation back to what drove it, and delete the nodes.

    Parameters
    ----------
    joint : MObject
    driver : MObject
        The node that drives the joint.
    takes, gives : str
        Its compounds of angles.
    """
    plugs = Attributes(joint).plugs("rotate")
    ins = [plug_at(driver, name) for name in axes_of(takes)]
    outs = [plug_at(driver, name) for name in axes_of(gives)]
    whole = plug_at(driver, takes)
    for out, plug in zip(outs, plugs):
        edit.disconnect(out, plug)
    if whole.isDestination:
        _back(edit, whole, Attributes(joint).plug("rotate"))
    for into, plug in zip(ins, plugs):
        if into.isDestination:
            _back(edit, into, plug)
        elif not whole.isDestination:
            _give_value(edit, plug, into.asDouble())
    for node in (*parts_of(driver), driver):
        _delete(edit, node)


def _back(edit: SceneEdit, into: om.MPlug, plug: om.MPlug) -> None:
    source = into.sourceWithConversion()
    edit.disconnect(source, into)
    edit.modify(lambda modifier: modifier.connect(source, plug))


def _give_value(edit: SceneEdit, plug: om.MPlug, radians: float) -> None:
    """Give a channel that nothing drives what was set on the node; no edit if it has it."""

    def give(modifier: om.MDGModifier) -> None:
        if plug.asDouble() != radians:
            put_value(modifier, plug, Angle(radians))

    edit.modify(give, when_reached=True)


def _delete(edit: SceneEdit, node: om.MObject) -> None:
    # The stubs have lost the argument.
    edit.modify(lambda m: m.deleteNode(node), when_reached=True)  # type: ignore[call-overload]


def parts_of(driver: om.MObject) -> Sequence[om.MObject]:
    """All other nodes of a projection."""
    function = om.MFnDependencyNode(driver)
    if not function.hasAttribute(PARTS):
        return ()
    array = function.findPlug(PARTS, False)
    found = [array.elementByLogicalIndex(n) for n in array.getExistingArrayAttributeIndices()]
    return [plug.sourceWithConversion().node() for plug in found if plug.isDestination]
