"""connectAttr of scene files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.maya_standin import references
from tests.maya_standin.graph import Node, Plug, Scene
from tests.maya_standin.ma_attributes import modelled_kind
from tests.maya_standin.ma_statements import Flags, Word, flag_table, flags_of

if TYPE_CHECKING:
    from tests.maya_standin.ma_reader import FileReader

CONNECT = flag_table("nextAvailable na 0, force f 0, lock l 1")


def connect_statement(reader: FileReader, words: tuple[Word, ...]) -> None:
    """One connectAttr; a problem where one of its ends is not there."""
    given = flags_of(words, CONNECT)
    ends = [reader.plug(word.text) for word in given.rest[:2]]
    if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
        _connect(reader, ends[0], ends[1], given)


def _connect(
    reader: FileReader, source: tuple[Node, str], target: tuple[Node, str], given: Flags
) -> None:
    """Connect two attributes, or keep the connection as text where one is not modelled."""
    scene = reader.scene
    flags = " -na" if given.is_on("nextAvailable") else ""
    if any(references.placeholder(*end) is not None for end in (source, target)):
        reader.opening.links.append((*source, *target, flags))
        return
    paths = [modelled_kind(*end) for end in (source, target)]
    if None in paths:
        scene.raw_connections.append((*source, *target, flags))
        return
    start, end = (Plug(node, str(path)) for (node, _), path in zip((source, target), paths))
    if flags:
        end = _next_element(scene, end)
    if end in scene.connections:
        reader.problem(f"'{scene.plug_name(end)}' already has an incoming connection")
    else:
        scene.connect(start, end)
    if given.is_on("lock"):
        end.node.locked.add(end.path)


def _next_element(scene: Scene, plug: Plug) -> Plug:
    """The element behind the last one of an array; any other plug as it is."""
    spec = plug.node.spec(plug.path)
    if not spec.array or plug.node.is_element(plug.path):
        return plug
    stem = plug.path + "["
    taken = [
        int(other.path[len(stem) :].partition("]")[0])
        for other in scene.connections
        if other.node is plug.node and other.path.startswith(stem)
    ]
    taken += plug.node.indices(plug.path)
    return Plug(plug.node, f"{stem}{max(taken, default=-1) + 1}]")
