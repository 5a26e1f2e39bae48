"""Locations in the text of a scene that a writer may change, recorded while it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, Union

from ...base.errors import MayaAsciiError
from ...rig import attributes, limit_plan
from ...rig.controls import is_subject
from ...rig.scene import Node, Scene
from . import lexer, reference_edits, statements


class Place(NamedTuple):
    """Command and byte offsets of a statement."""

    command: str
    start: int
    end: int

    @classmethod
    def from_statement(cls, statement: lexer.Statement) -> Place:
        """Location of a statement."""
        return cls(statement.command, statement.start, statement.end)


@dataclass
class TransformText:
    """Statements about the limits of a joint or transform; new ones go after `last`, in its file.

    `references`: reference nodes that lead to the node's file, the innermost first; empty for a
    node of the scene itself. `assigned`: assignments and their degrees per unit, from the node's
    file and the scenes that reference it, the outermost last. `own`: assignments in the text of the
    scene itself. `connected`: attributes that reference edits connect.
    """

    last: Place
    references: tuple[str, ...] = ()
    assigned: list[tuple[statements.LimitAssignment, float]] = field(default_factory=list)
    own: list[statements.LimitAssignment] = field(default_factory=list)
    connected: list[statements.LimitPlug] = field(default_factory=list)


@dataclass
class ReferenceText:
    """A reference node and its record of edits; a new record goes after `last`."""

    last: Place
    record: reference_edits.EditRecord | None = None
    locked: bool = False


class Setting(NamedTuple):
    """One setAttr.

    `name`: attribute without its index; the long name if known, else as written. `first`: the
    index, or the first of several indices. `start`, `end`: byte offsets of the statement.
    """

    name: str
    first: int
    start: int
    end: int


@dataclass
class CurveText:
    """Statements about an animation curve; new statements go after `last`.

    `elsewhere`: whether another part of the file also sets the curve. `long_names`: number of
    settings by long names minus number by short names.
    """

    last: Place
    settings: list[Setting] = field(default_factory=list)
    elsewhere: bool = False
    long_names: int = 0

    def add(self, node: Node, attribute: str, statement: lexer.Statement) -> None:
        """Record a setAttr statement."""
        parts = attributes.attribute_parts(attribute)
        if parts:
            short, first, _ = parts[-1]
            name = node.family.long_names.get(short, short)
            self.long_names += (name == short and len(short) > 5) - (name != short)
            self.settings.append(Setting(name, first or 0, statement.start, statement.end))


Block = Union[TransformText, ReferenceText, CurveText]


@dataclass
class SceneText:
    """Locations in the text of one scene.

    `transforms`: joints and other transforms, also of referenced files. `references`: reference
    nodes of the scene itself, by name. `curves`: curves that the scene itself creates. `links`:
    source and destination plugs of its connections, as written. `missing`: for each reference that
    cannot be read, the prefix of its nodes' names and the reason. `broken`: errors in records of
    edits, by reference node. `degrees_per_unit`: degrees in the scene's unit of angle.
    `long_names`: number of settings of transforms by long names minus number by short names.
    `moved`: by node, the path of the parent to which an edit moves it, if that parent is in none of
    the files read.
    """

    transforms: dict[Node, TransformText] = field(default_factory=dict)
    references: dict[str, ReferenceText] = field(default_factory=dict)
    curves: dict[Node, CurveText] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    missing: list[tuple[str, str]] = field(default_factory=list)
    broken: dict[str, MayaAsciiError] = field(default_factory=dict)
    degrees_per_unit: float = 1.0
    long_names: int = 0
    moved: dict[Node, str] = field(default_factory=dict)

    def path_of(self, node: Node) -> str:
        """Full path of a node in Maya, with parents that are in none of the files read."""
        above = next((one for one in (node, *node.ancestors()) if one in self.moved), None)
        if above is None:
            return node.path
        return self.moved[above] + node.path[len(above.path.rpartition("|")[0]) :]

    def find(self, scene: Scene, path: str) -> Node | None:
        """Node at a path, even if no file that was read contains its parents."""
        found = scene.find(path)
        for node, above in self.moved.items() if found is None else ():
            if path.startswith(f"{above}|{node.name}"):
                found = found or scene.find(node.path.rpartition("|")[0] + path[len(above) :])
        return found

    def find_by_name(self, scene: Scene, name: str, controls: bool = False) -> list[Node]:
        """Joints or, with `controls`, controls that a name may mean; two if it is ambiguous.

        Nodes of the scene itself are preferred to referenced nodes. A node whose full path is the
        name, with or without its first bar, is preferred to one whose path ends with the name.
        """
        parts = name.lstrip("|").split("|")[::-1]
        found = [
            node
            for node in dict.fromkeys(scene.by_name.get(parts[0], [])[::-1])
            if node in self.transforms
            and is_subject(scene, node, controls)
            and [one.name for one, _ in zip(chain([node], node.ancestors()), parts)] == parts
        ]
        found = [node for node in found if not self.transforms[node].references] or found
        exact = [node for node in found if node.depth == len(parts) - 1]
        return exact[:1] or ([] if name.startswith("|") else found[:2])

    def states_of(self, scene: Scene, node: Node) -> limit_plan.PlugStates:
        """State of a node's attributes; MayaAsciiError if a record of edits is malformed."""
        text, states = self.transforms[node], limit_plan.PlugStates()
        for reference in text.references:
            if reference in self.broken:
                raise self.broken[reference]
        for assignment, degrees_per_unit in text.assigned:
            assignment.change(states, degrees_per_unit)
        driven = [
            (triple, axis)
            for triple in limit_plan.TRIPLES
            for axis in range(3)
            if (node, triple.name(axis)) in scene.sources
        ]
        for triple, axis in [*text.connected, *driven]:
            for index in statements.axes_of(axis):
                states[triple].obstacles[index] = limit_plan.CONNECTED
        return states
