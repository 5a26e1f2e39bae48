"""Edits of attributes: values, keys, locks, and attributes that are added."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.checked import Checks
from tests.maya_standin.connection_edits import ConnectionEdits
from tests.maya_standin.curves import Keys
from tests.maya_standin.evaluation import CURVE_FIELDS
from tests.maya_standin.limits import LIMITED_KINDS, clamp
from tests.maya_standin.nodes import MISSING, Node, Plug


class AttributeEdits(ConnectionEdits, Checks):
    """The part of a scene that changes attributes; see graph.Scene."""

    held: dict[Plug, Any]

    def stored(self, plug: Plug) -> Any:
        """Value as it is stored, nothing computed; a tuple for a compound."""
        if plug.node.is_a("animCurve") and plug.path in CURVE_FIELDS:
            return getattr(plug.node.keys or Keys(), CURVE_FIELDS[plug.path])
        return plug.node.stored(plug.path)

    def set_value(self, plug: Plug, value: Any) -> None:
        """Set a value in internal units; a sequence for a compound.

        Enabled limits hold for what is set (maya.md 1.6: validateAndSetValue).
        """
        node, path = plug
        children = node.children_of(path)
        if children:
            if len(value) != len(children):
                raise ValueError(f"{path} has {len(children)} children, not {len(value)}")
            for child, part in zip(children, value):
                self.set_value(Plug(node, child), part)
            return
        if node.is_a("animCurve") and path in CURVE_FIELDS:
            self.set_keys(node, replace(node.keys or Keys(), **{CURVE_FIELDS[path]: value}))
            return
        spec = node.spec(path)
        if spec.array and not node.is_element(path):
            raise TypeError(f"{path} is an array: set its elements")
        self.note(node.reference, "setAttr", node, path)
        if spec.kind in LIMITED_KINDS:
            value = clamp(node, path, float(value))
        value = spec.cast(value)
        if self.is_driven(plug):
            self._change_entry(self.held, plug, value)
        self._change_entry(node.values, path, value)

    def clear_value(self, plug: Plug) -> None:
        """Take out a stored value, or an element of an array."""
        for path in [
            p for p in plug.node.values if p == plug.path or p.startswith(plug.path + ".")
        ]:
            self._change_entry(plug.node.values, path, MISSING)

    def set_keys(self, node: Node, keys: Any) -> None:
        """Give an animation curve its keys."""
        if not node.is_a("animCurve"):
            raise TypeError(f"{node.name} is a {node.type}, no animation curve")
        before, held = node.keys, dict(self.held)
        self.note(node.reference, "keys", node, "")

        def give() -> None:
            node.keys = keys
            self.held.clear()

        def back() -> None:
            node.keys = before
            self.held.update(held)

        self.edit(give, back)

    def set_locked(self, plug: Plug, on: bool) -> None:
        """Lock or unlock one attribute itself (not what is above or below it)."""
        if (plug.path in plug.node.locked) == on:
            return
        locked, path = plug.node.locked, plug.path
        self.note(plug.node.reference, "lock" if on else "unlock", plug.node, path)
        lock, unlock = (lambda: locked.add(path)), (lambda: locked.discard(path))
        self.edit(*((lock, unlock) if on else (unlock, lock)))

    def set_keyable(self, plug: Plug, on: bool) -> None:
        self._change_entry(plug.node.keyable, plug.path, on)

    def set_channel_box(self, plug: Plug, on: bool) -> None:
        self._change_entry(plug.node.channel_box, plug.path, on)

    def add_attribute(self, node: Node, spec: AttributeSpec) -> None:
        """Add an attribute; RuntimeError where the node has one of that name."""
        tables = (node.node_type.attributes.chains, node.dynamic)
        if any(name in table for table in tables for name in (spec.long, spec.short)):
            raise RuntimeError(f"Found an existing attribute '{spec.long}' on '{node.name}'.")
        self.note(node.reference, "addAttr", node, spec.long)
        self.edit(lambda: node.add_spec(spec), lambda: node.drop_spec(spec.long))

    def remove_attribute(self, plug: Plug) -> None:
        """Remove an attribute that was added, with its values and connections."""
        node, spec = plug.node, plug.node.dynamic[plug.path]
        start = f"{spec.long}["
        held = {one for one in self.connections if one.node is node and one.path.startswith(start)}
        held |= {Plug(node, path) for path in node.values if path.startswith(start)}
        elements = sorted(held, key=lambda one: one.path) if spec.array else ()
        for part in (plug, *self.below(plug), *elements):
            self.set_locked(part, False)
            if part in self.connections:
                self.disconnect(self.connections[part], part)
            for destination in self.outputs(part):
                self.disconnect(part, destination)
            self._change_entry(node.values, part.path, MISSING)
        self.note(node.reference, "deleteAttr", node, spec.long)
        order = tuple(node.dynamic)

        def back() -> None:
            node.add_spec(spec)
            node.dynamic = {long: node.dynamic[long] for long in order}

        self.edit(lambda: node.drop_spec(spec.long), back)
