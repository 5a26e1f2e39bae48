"""Writes the open scene as Maya ASCII: the same scene, the same text.

The forms are those of real scenes (maya.md 8). What the reader kept as text is written again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.maya_standin import edit_writer
from tests.maya_standin.commands.ui_values import ANGLE_NAMES, LENGTH_NAMES
from tests.maya_standin.graph import Playback, Scene
from tests.maya_standin.ma_curves import curve_lines
from tests.maya_standin.ma_statements import quote
from tests.maya_standin.ma_values import FileUnits, number_text
from tests.maya_standin.ma_words import added_words, attribute_name, value_words
from tests.maya_standin.nodes import Node, Reference

if TYPE_CHECKING:
    from tests.maya_standin.session import Session

#: The script node in which Maya keeps the time slider (real scenes).
RANGES = "sceneConfigurationScriptNode"
_CURVE_VALUES = ("tangentType", "weightedTangents", "preInfinity", "postInfinity")


def write_scene(session: Session, path: str) -> None:
    """Write the open scene to a file; nothing of the session changes."""
    Path(path).write_text(
        scene_text(session, Path(path).name), encoding="utf-8", errors="surrogateescape"
    )


def scene_text(session: Session, name: str) -> str:
    """Text of the open scene as a file of that name has it."""
    scene = session.scene
    units = FileUnits(scene.units.linear, scene.units.angle, scene.units.time)
    edits = edit_writer.EditWriter(scene, units)
    lines = [
        f"//Maya ASCII {session.version} scene",
        f"//Name: {name}",
        "//Codeset: UTF-8",
        *_references(scene),
        f'requires maya "{session.version}";',
        *(f"requires {text};" for text in scene.requires if not text.startswith("maya ")),
        f"currentUnit -l {LENGTH_NAMES[units.linear]} -a {ANGLE_NAMES[units.angle]}"
        f" -t {units.time};",
        *(f"fileInfo {quote(key)} {quote(text)};" for key, text in scene.file_info.items()),
        *_nodes(scene, units, edits),
        *_ranges(scene, units),
        *_connections(scene, edits),
        *(f"{text};" for text in scene.raw_statements),
        f"// End of {name}",
        "",
    ]
    return "\n".join(lines)


def _references(scene: Scene) -> Iterator[str]:
    """References of the scene itself; those inside of references are in their files."""
    own = [reference for reference in scene.references if reference.parent is None]
    for start in ("-rdi 1", "-r"):
        for reference in own:
            deferred = "" if reference.loaded or start != "-r" else " -dr 1"
            locked = " -lrf 1" if reference.locked and start == "-r" else ""
            yield (
                f"file {start} -ns {quote(reference.namespace)}{deferred}{locked}"
                f' -rfn {quote(reference.node.name)} -op "v=0;" -typ "mayaAscii"'
                f" {quote(reference.path)};"
            )


def _nodes(scene: Scene, units: FileUnits, edits: edit_writer.EditWriter) -> Iterator[str]:
    own = [node for node in scene.nodes if node.reference is None]
    shared = [node for node in own if node.is_default and not node.is_dag]
    references = {reference.node: reference for reference in scene.references}
    for node in (*_parents_first(own), *shared):
        if node.is_default and not node.is_dag:
            lines = list(_body(node, scene, units, None, edits))
            yield from (f"select -ne :{node.name};", *lines) if lines else ()
            continue
        parent = f" -p {quote(scene.partial_path(node.parent))}" if node.parent else ""
        flag = " -s" if node.is_default else ""
        yield f"createNode {node.type}{flag} -n {quote(node.name)}{parent};"
        if not node.is_default:
            yield f"\trename -uid {quote(node.uuid)};"
        yield from _body(node, scene, units, references.get(node), edits)


def _parents_first(nodes: list[Node]) -> Iterator[Node]:
    """Nodes of the scene in their order, but none before the one above it."""
    done: set[Node] = set()
    for node in nodes:
        above: list[Node] = []
        here: Node | None = node
        while here is not None and here not in done and here.reference is None:
            above.append(here)
            here = here.parent
        for one in reversed(above):
            done.add(one)
            if one.is_dag or not one.is_default:
                yield one


def _body(
    node: Node,
    scene: Scene,
    units: FileUnits,
    reference: Reference | None,
    edits: edit_writer.EditWriter,
) -> Iterator[str]:
    """Statements about the node that has just been made or selected."""
    if node.is_locked:
        yield "\tlockNode -l 1;"
    yield from (f"\taddAttr {text};" for text in _added_lines(node, units))
    for path in sorted(node.values):
        if node.keys is not None and path in _CURVE_VALUES:
            continue
        if node.values[path] != node.spec(path).initial() and path not in _hidden_lines(node):
            yield f"\tsetAttr {attribute_name(node, path)} {value_words(node, path, units)};"
    if node.type == "time" and node.is_default:
        yield f'\tsetAttr ".o" {number_text(units.outside("time", scene.time))};'
    if node.keys is not None:
        yield from _curve(node, units)
    yield from (
        f'\tsetAttr ".{key.rstrip()}" {text};'
        for key, text in node.raw.items()
        if not key.startswith("+")
    )
    yield from _flags(node)
    if reference is not None:
        yield from edits.record(reference)


def _hidden_lines(node: Node) -> tuple[str, ...]:
    """What is written in another way."""
    return ("before",) if node.name == RANGES else ()


def _added_lines(node: Node, units: FileUnits) -> Iterator[str]:
    for long, spec in node.dynamic.items():
        yield added_words(node, spec, units)
        yield from (added_words(node, child, units, long) for child in spec.children)


def _curve(node: Node, units: FileUnits) -> Iterator[str]:
    keys = node.keys
    yield f'\tsetAttr ".tan" {keys.default_type};'
    if not keys.weighted:
        yield '\tsetAttr ".wgt" no;'
    yield from (f"\t{line}" for line in curve_lines(node, keys, units))
    for name, code in (("pre", keys.pre), ("pst", keys.post)):
        if code:
            yield f'\tsetAttr ".{name}" {code};'
    if keys.rotation_interpolation != 1 and "rotationInterpolation" not in node.values:
        yield f'\tsetAttr ".roti" {keys.rotation_interpolation};'


def _flags(node: Node) -> Iterator[str]:
    for path in sorted(node.keyable):
        yield f"\tsetAttr -k {_on_or_off(node.keyable[path])} {attribute_name(node, path)};"
    for path in sorted(node.channel_box):
        yield f"\tsetAttr -cb {_on_or_off(node.channel_box[path])} {attribute_name(node, path)};"
    for path in sorted(node.locked):
        yield f"\tsetAttr -l on {attribute_name(node, path)};"


def _on_or_off(value: bool) -> str:
    return "on" if value else "off"


def _ranges(scene: Scene, units: FileUnits) -> Iterator[str]:
    """The node that sets the time slider when script nodes are run."""
    present = any(node.reference is None for node in scene.find(RANGES))
    if scene.playback == Playback() and not present:
        return
    numbers = " ".join(
        f"-{flag} {number_text(units.outside('time', getattr(scene.playback, name)))}"
        for flag, name in (("min", "minimum"), ("max", "maximum"), ("ast", "start"), ("aet", "end"))
    )
    yield f"select -ne {RANGES};" if present else f'createNode script -n "{RANGES}";'
    yield f'\tsetAttr ".b" -type "string" "playbackOptions {numbers} ";'
    if not present:
        yield '\tsetAttr ".st" 6;'


def _connections(scene: Scene, edits: edit_writer.EditWriter) -> Iterator[str]:
    """Connections of the scene itself, and through placeholders those of its references."""
    lines = [
        f'connectAttr "{edits.plug(source)}" "{edits.plug(target)}";'
        for target, source in scene.connections.items()
        if source.node.reference is None and target.node.reference is None
    ]
    lines += [
        f'connectAttr "{edits.name(a)}.{x}" "{edits.name(b)}.{y}"{flags};'
        for a, x, b, y, flags in scene.raw_connections
        if a.reference is None and b.reference is None
    ]
    yield from sorted(lines)
    yield from sorted(edits.links)
