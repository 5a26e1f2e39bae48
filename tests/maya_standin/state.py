"""All that a scene is, as text: to prove that something was left exactly as it was.

Every node with its place, values, locks, attributes and keys, every connection, reference and
recorded edit, time, ranges, selection and units. Not the undo queue, the counters, or what is only
remembered (revision, caches). Two scenes with the same text behave alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from tests.maya_standin.graph import Scene
from tests.maya_standin.nodes import Node, Plug, Reference
from tests.maya_standin.words import words_of

#: What the keys of a curve hold themselves.
CURVE_FIELDS = words_of(
    "tangentType weightedTangents preInfinity postInfinity rotationInterpolation"
)


def scene_hash(scene: Scene) -> str:
    """SHA-256 of the lines of a scene."""
    return hashlib.sha256(
        "\n".join(state_lines(scene)).encode("utf-8", "surrogateescape")
    ).hexdigest()


def lines_but_modified(scene: Scene) -> list[str]:
    """All of a scene, but whether it was modified since it was opened, which undoing does too."""
    return [line for line in state_lines(scene) if not line.startswith("file ")]


def state_lines(scene: Scene) -> list[str]:
    """A scene as lines; of two scenes that differ, a diff of them says where."""
    return [
        *_settings(scene),
        *(line for node in scene.nodes for line in _node_lines(scene, node)),
        *sorted(f"connect {_name(b)} < {_name(a)}" for b, a in scene.connections.items()),
        *sorted(f"held {_name(plug)} = {_text(value)}" for plug, value in scene.held.items()),
        *sorted(
            f"connect as text {b.full_path()}.{y} < {a.full_path()}.{x}{flags}"
            for a, x, b, y, flags in scene.raw_connections
        ),
        *(line for reference in scene.references for line in _reference_lines(reference)),
    ]


def _settings(scene: Scene) -> Iterator[str]:
    yield f"time {scene.time!r}"
    yield f"units {asdict(scene.units)}"
    yield f"playback {asdict(scene.playback)}"
    yield f"file {scene.file_name!r} {scene.file_type} modified {scene.modified}"
    yield f"namespaces {sorted(scene.namespaces)} current {scene.current_namespace!r}"
    yield f"selection {[_name(item) for item in scene.selection]}"
    yield from (f"statement {text}" for text in scene.raw_statements)


def _node_lines(scene: Scene, node: Node) -> Iterator[str]:
    place = node.full_path()
    # Maya gives its own nodes other UUIDs every time, and so does the stand-in.
    uuid = "" if node.is_default else node.uuid
    yield f"node {place} {node.type} {uuid} locked {node.is_locked}"
    if node.parent is not None:
        yield f"  place {node.parent.children.index(node)}"
    for long, spec in node.dynamic.items():
        yield f"  attribute {long} {spec}"
    for path in sorted(node.values):
        if node.keys is not None and path in CURVE_FIELDS:
            continue
        if scene.is_driven(Plug(node, path)) and not node.is_a("animCurve"):
            continue  # what a connection hides is only what was shown last
        # A value that is written and one that is left out are the same where it is the default.
        if node.values[path] != node.spec(path).initial():
            yield f"  {path} = {_text(node.values[path])}"
    yield f"  locked {sorted(node.locked)}"
    yield from (f"  {path} made by reading" for path in sorted(node.made))
    yield f"  keyable {_without_noise(node.keyable)} channel box {_without_noise(node.channel_box)}"
    for key, text in sorted(node.raw.items()):
        if not key.startswith("+"):
            yield f"  {key} as text {text}"
    if node.keys is not None:
        yield f"  keys {node.keys}"


def _without_noise(table: dict[str, bool]) -> list[tuple[str, bool]]:
    return sorted(table.items())


def _reference_lines(reference: Reference) -> Iterator[str]:
    above = reference.parent.node.name if reference.parent else ""
    yield (
        f"reference {reference.node.name} {reference.path} {reference.namespace} in {above!r}"
        f" loaded {reference.loaded} locked {reference.locked}"
    )
    yield from sorted(f"  edit {[_name(part) for part in edit]}" for edit in reference.edits)
    yield from (f"  edit as text {text}" for text in reference.raw_edits)


def _name(item: Any) -> str:
    if isinstance(item, Plug):
        return f"{item.node.full_path()}.{item.path}"
    return item.full_path() if isinstance(item, Node) else str(item)


def _text(value: Any) -> str:
    record = getattr(value, "record", None)
    return repr(tuple(value)) + repr(record) if record is not None else repr(value)
