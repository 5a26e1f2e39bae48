"""Referenced files: loading them under a namespace, and the edits that a scene makes to them.

Sources: maya.md 1.7 (what is recorded) and 8 (`file -r`, the record of edits, placeholders); the
codes of edits beyond 2 and 5 as the program's own reader has them from real scenes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.maya_standin import edit_records
from tests.maya_standin.ma_attributes import modelled_kind
from tests.maya_standin.ma_statements import Flags, Word, quote
from tests.maya_standin.nodes import Node, Plug, Reference

if TYPE_CHECKING:
    from tests.maya_standin.ma_reader import FileReader
    from tests.maya_standin.opening import Opening

_COPY_NUMBER = re.compile(r"\{\d+\}$")
_PLACEHOLDER = re.compile(r"(?:placeHolderList|phl)\[(\d+)\]")
#: Deeper nesting means files that reference each other.
MOST_LEVELS = 16


class RecordedEdit(NamedTuple):
    """One edit of a record: the reference it stands under, its codes and its strings."""

    heading: str
    codes: tuple[int, ...]
    texts: tuple[str, ...]

    def text(self) -> str:
        """As a scene writes it."""
        return " ".join((*map(str, self.codes), *map(quote, self.texts)))


def declare(reader: FileReader, given: Flags) -> None:
    """`file -r` of a scene: make the reference, and load it where it is to be loaded."""
    stored, above = given.rest[0].text, reader.reference
    spaces = [above.namespace if above else "", given.text("namespace").strip(":")]
    name = reader.node_by_name(given.text("referenceNode", "referenceRN"))
    node = reader.scene.create_node("reference", name, reference=above, opaque=True)
    reader.remember(node, given.text("referenceNode"))
    reference = Reference(node, stored, ":".join(filter(None, spaces)), above)
    reference.locked = given.is_on("lockReference")
    reader.scene.add_reference(reference)
    reader.scene.add_namespace(reference.namespace)
    place = find_file(reader.path, stored)
    reference.loaded = _is_wanted(reader.opening, reference, given)
    if not reference.loaded:
        return
    if place is None or _depth(reference) > MOST_LEVELS:
        reference.loaded = False
        # guess: missing-reference-on-open (an error, and the reference stays unloaded)
        reader.problem(f"Reference file not found.: {stored}")
        return
    text = place.read_text(encoding="utf-8", errors="surrogateescape")
    reader.open_nested(str(place), reference).read(text)


def _is_wanted(opening: Opening, reference: Reference, given: Flags) -> bool:
    """What `file -loadReferenceDepth` says; as saved, a deferred reference is not loaded."""
    depth = opening.load_references
    if depth == "none" or (depth == "topOnly" and reference.parent is not None):
        return False
    return depth != "asPrefs" or not given.is_on("deferReference")


def _depth(reference: Reference) -> int:
    return 1 + (_depth(reference.parent) if reference.parent else 0)


def find_file(scene_path: str, stored: str) -> Path | None:
    """The file as stored, from the folder of the scene if it is relative.

    guess: reference-beside-scene (Maya looks in the project, which tests do not have)
    """
    place = Path(scene_path).parent / _COPY_NUMBER.sub("", stored)
    return place if place.is_file() else None


def edit_list(words: Sequence[Word]) -> Iterator[RecordedEdit]:
    """Edits of a record: its reference, then groups of a heading, a count and so many edits."""
    place = 1
    while place + 1 < len(words):
        heading, count = words[place].text, int(words[place + 1].text)
        place += 2
        for left in range(count, 0, -1):
            codes, place = _run(words, place, False)
            texts, place = _run(words, place, True)
            if codes[0] == edit_records.RELATIONSHIP and place < len(words):
                more, place = _run(words, place, False)
                others, place = _run(words, place, True)
                texts += more[:1] + others
            if left == 1 and place < len(words):
                # The last string before a number heads the next group.
                texts, place = texts[:-1], place - 1
            yield RecordedEdit(heading, tuple(map(int, codes)), tuple(texts))


def _run(words: Sequence[Word], place: int, quoted_ones: bool) -> tuple[list, int]:
    found = []
    while place < len(words) and words[place].quoted == quoted_ones:
        found.append(words[place].text if quoted_ones else int(words[place].text))
        place += 1
    return found, place


def apply_edits(reader: FileReader) -> None:
    """Carry out the edits that a file records of its references, and note them as such.

    What a referenced file itself has changed in others is part of it and is no edit of the scene.
    """
    references = {reference.node: reference for reference in reader.scene.references}
    for node, words in reader.records.items():
        reference = references.get(node)
        if reference is None:
            continue
        edits = edit_records.EditReader(reader, reference)
        for edit in edit_list(words):
            if not reference.loaded or not edits.apply(edit):
                reference.raw_edits.append(f"{quote(edit.heading)} {edit.text()}")
        edits.finish()


def placeholder(node: Node, attribute: str) -> int | None:
    """Index of a placeholder of a reference node; None for any other attribute."""
    match = _PLACEHOLDER.fullmatch(attribute) if node.type == "reference" else None
    return int(match[1]) if match else None


def connect_placeholders(opening: Opening) -> None:
    """Connect what a scene connects to placeholders with the attributes they stand for."""
    scene = opening.scene
    for link in opening.links:
        ends = [
            _placeholder_end(opening, node, attribute) for node, attribute in (link[:2], link[2:4])
        ]
        if None in ends or ends[1] in scene.connections:
            scene.raw_connections.append(link)
            continue
        source, target = ends
        scene.connect(source, target)
        owner = target.node.reference or source.node.reference
        if owner is not None:
            owner.edits[("connectAttr", source, target)] = None


def _placeholder_end(opening: Opening, node: Node, attribute: str) -> Plug | None:
    """Plug that one end of a connection means, through a placeholder where it is one."""
    index = placeholder(node, attribute)
    if index is not None:
        plug = opening.placeholders.get((node, index))
        is_loaded = any(one.node is node and one.loaded for one in opening.scene.references)
        return plug if plug or is_loaded else Plug(node, f"placeHolderList[{index}]")
    path = modelled_kind(node, attribute)
    return Plug(node, path) if path else None
