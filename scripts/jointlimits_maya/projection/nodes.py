"""Nodes inserted between a joint's rotation and what drives it, and removed again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..base.open_maya import om
from ..read import PARTS, Projection, axes_of, plug_at
from ..scene import Angle, Attributes, SceneEdit, Value, put_value


@dataclass(frozen=True)
class Recipe:
    """Nodes between driver and joint; places are "node.attribute" or "node.attribute[index]".

    `nodes`: type of every node by its name in the recipe; the last one drives the joint. `values`:
    (place, value). `wires`: (place, place). `of_joint`, (attribute of the joint, place):
    connections from the joint itself. `takes`: place of the input, a compound of three angles.
    `gives`: place of the output compound, which drives the joint.
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


def insert_nodes(edit: SceneEdit, joint: om.MObject, recipe: Recipe, name: str) -> None:
    """Add the creation of the nodes, with the joint's rotation routed through them, to an edit.

    `name`: prefix of the node names.
    """
    made: dict[str, om.MObject] = {}

    def create(modifier: om.MDGModifier) -> None:
        for key, kind in recipe.nodes.items():
            made[key] = modifier.createNode(kind)

    def at(place: str) -> om.MPlug:
        key, _, path = place.partition(".")
        return plug_at(made[key], path)

    def set_up(modifier: om.MDGModifier) -> None:
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

    edit.modify(create, when_reached=True)
    edit.modify(set_up, when_reached=True)
    if len(recipe.nodes) > 1:
        _remember_parts(edit, made, recipe)
    _reroute(edit, joint, made, recipe)


def _remember_parts(edit: SceneEdit, made: dict[str, om.MObject], recipe: Recipe) -> None:
    """Connect the messages of all other nodes to the one that drives the joint."""

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


def _reroute(
    edit: SceneEdit, joint: om.MObject, made: Mapping[str, om.MObject], recipe: Recipe
) -> None:
    """Add the reconnection of the joint's drivers to the nodes, and the nodes to the joint.

    A plug that is disconnected and connected in one modifier cannot be undone.
    """
    # live check: reconnect-in-one-modifier
    sources: dict[str, om.MPlug] = {}
    names = ("rotate", *axes_of("rotate"))

    def disconnect(modifier: om.MDGModifier) -> None:
        for name in names:
            plug = plug_at(joint, name)
            if plug.isDestination:
                sources[name] = plug.sourceWithConversion()
                modifier.disconnect(sources[name], plug)

    def connect(modifier: om.MDGModifier) -> None:
        driver = made[recipe.driver]
        takes, gives = (place.partition(".")[2] for place in (recipe.takes, recipe.gives))
        for name, taking in zip(names, (takes, *axes_of(takes))):
            if name in sources:
                modifier.connect(sources[name], plug_at(driver, taking))
        for name, taking, giving in zip(names[1:], axes_of(takes), axes_of(gives)):
            plug = plug_at(joint, name)
            if not sources.keys() & {"rotate", name}:
                put_value(modifier, plug_at(driver, taking), Angle(plug.asDouble()))
            modifier.connect(plug_at(driver, giving), plug)

    edit.modify(disconnect, when_reached=True)
    edit.modify(connect, when_reached=True)


def remove_nodes(edit: SceneEdit, joint: om.MObject, existing: Projection) -> None:
    """Add the reconnection of a joint to its original drivers, without the nodes, to an edit."""
    driver, plugs = existing.driver, Attributes(joint).plugs("rotate")
    ins = [plug_at(driver, name) for name in axes_of(existing.takes)]
    outs = [plug_at(driver, name) for name in axes_of(existing.gives)]
    whole = plug_at(driver, existing.takes)
    for out, plug in zip(outs, plugs):
        edit.disconnect(out, plug)
    if whole.isDestination:
        _back(edit, whole, Attributes(joint).plug("rotate"))
    for into, plug in zip(ins, plugs):
        if into.isDestination:
            _back(edit, into, plug)
        elif not whole.isDestination:
            _give_value(edit, plug, into.asDouble())
    edit.delete_nodes(*_parts_of(driver), driver)


def _back(edit: SceneEdit, into: om.MPlug, plug: om.MPlug) -> None:
    """Add the connection of a node's input to the joint, after all are disconnected."""
    source = into.sourceWithConversion()
    edit.disconnect(source, into)
    edit.modify(lambda modifier: modifier.connect(source, plug), when_reached=True)


def _give_value(edit: SceneEdit, plug: om.MPlug, radians: float) -> None:
    """Copy a value set on the node to a channel that nothing drives, unless it is the same."""

    def give(modifier: om.MDGModifier) -> None:
        if plug.asDouble() != radians:
            put_value(modifier, plug, Angle(radians))

    edit.modify(give, when_reached=True)


def _parts_of(driver: om.MObject) -> Sequence[om.MObject]:
    """All other nodes of a projection."""
    function = om.MFnDependencyNode(driver)
    if not function.hasAttribute(PARTS):
        return ()
    array = function.findPlug(PARTS, False)
    found = [array.elementByLogicalIndex(n) for n in array.getExistingArrayAttributeIndices()]
    return [plug.sourceWithConversion().node() for plug in found if plug.isDestination]
