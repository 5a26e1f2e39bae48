"""The record of what a scene changed in its references, as scenes write it (maya.md 1.7 and 8)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.maya_standin import edit_records as codes
from tests.maya_standin.graph import Scene
from tests.maya_standin.ma_curves import curve_lines
from tests.maya_standin.ma_statements import quote
from tests.maya_standin.ma_values import FileUnits
from tests.maya_standin.ma_words import added_words, short_path, value_words
from tests.maya_standin.nodes import Node, Plug, Reference

_ATTRIBUTE = re.compile(r'setAttr (?P<flags>.*?)"\.(?P<name>[^"]+)" (?P<values>.*);')
_USED = re.compile(r"(?:placeHolderList|phl)\[(\d+)\]")


class EditWriter:
    """Writes records, and gives out placeholders for the connections that the scene then has.

    Attributes
    ----------
    links : list of str
        The connectAttr statements of the connections into and out of references.
    """

    def __init__(self, scene: Scene, units: FileUnits):
        self.scene = scene
        self.units = units
        self.links: list[str] = []
        self._last: dict[Node, int] = {}

    def record(self, reference: Reference) -> Iterator[str]:
        """The record of a reference of the scene, with those of references inside of it."""
        top = reference.node.name
        groups = [
            (one.node.name, sorted(set(self._edits(one, reference))))
            for one in self._inside(reference)
        ]
        for text in reference.raw_edits:
            heading, _, edit = text.partition(" ")
            groups.append((heading.strip('"'), [edit]))
        if not any(edits for _, edits in groups):
            return
        yield f'\tsetAttr ".ed" -type "dataReferenceEdits" {quote(top)}'
        yield from (f"\t\t{quote(heading)} 0" for heading, _ in groups[:1])
        filled = [group for group in groups if group[1]]
        for place, (heading, edits) in enumerate(filled):
            lines = (f"\t\t{edit}" for edit in edits)
            end = ";" if place == len(filled) - 1 else ""
            yield f"\t\t{quote(heading)} {len(edits)}\n" + "\n".join(lines) + end

    def _inside(self, reference: Reference) -> Iterator[Reference]:
        yield reference
        for other in self.scene.references:
            if other.parent is reference:
                yield from self._inside(other)

    def _edits(self, reference: Reference, top: Reference) -> Iterator[str]:
        """Edits as they have to be now: values are those that the nodes have."""
        for kind, *rest in reference.edits:
            if kind in ("connectAttr", "disconnectAttr"):
                yield from self._link(kind, *rest, top)
            else:
                yield from self._edit(kind, *rest)

    def _edit(self, kind: str, node: Node, path: str) -> Iterator[str]:
        here = quote(node.full_path())
        if kind == "parent":
            above = node.parent.full_path() if node.parent else "|"
            yield f'{codes.PARENT} {quote(path)} {quote(above)} "-s -r "'
        elif kind == "addAttr" and path in node.dynamic:
            spec = node.dynamic[path]
            words = " " + added_words(node, spec, self.units)
            yield f"{codes.ADD} {here} {quote(path)} {quote(spec.short)} {quote(words)}"
        elif kind == "deleteAttr" and self._was_in_file(node, path):
            yield f"{codes.DELETE} {here} {quote(path)}"
        elif kind == "setAttr" and node.path_of(path):
            flags = f" -k {'on' if node.keyable[path] else 'off'}" if path in node.keyable else ""
            value = f"{flags} {value_words(node, path, self.units)}"
            yield f"{codes.SET} {here} {quote(path)} {quote(value)}"
        elif kind in ("lock", "unlock") and node.path_of(path):
            code = codes.LOCK if path in node.locked else codes.UNLOCK
            yield f"{code} {here} {quote(path)}"
        elif kind == "keys":
            yield from self._keys(node, here)

    @staticmethod
    def _was_in_file(node: Node, long: str) -> bool:
        """Whether an attribute is gone that the scene itself has not added."""
        known = node.reference.edits if node.reference else {}
        return long not in node.dynamic and ("addAttr", node, long) not in known

    def _keys(self, node: Node, here: str) -> Iterator[str]:
        for line in curve_lines(node, node.keys, self.units):
            match = _ATTRIBUTE.match(line)
            if match is not None:
                value = f" {match['flags']}{match['values']}"
                yield f"{codes.SET} {here} {quote(match['name'])} {quote(value)}"

    def _link(self, kind: str, source: Plug, target: Plug, top: Reference) -> Iterator[str]:
        joined = self.scene.connections.get(target) == source
        if kind == "disconnectAttr":
            if not joined:
                names = f"{quote(self.inner(source))} {quote(self.inner(target))}"
                yield f'{codes.DISCONNECT} {names} ""'
            return
        if not joined:
            return
        inside = [self._is_inside(plug.node, top) for plug in (source, target)]
        ends, plugs = [], []
        for plug, is_inside in zip((source, target), inside):
            place = f"{top.node.name}.placeHolderList[{self._next(top.node)}]" if is_inside else ""
            if is_inside:
                plugs.append(place)
            ends.append(place.replace("placeHolderList", "phl") or self.plug(plug))
        self.links.append(f'connectAttr "{ends[0]}" "{ends[1]}";')
        code = {(True, True): codes.BOTH_INSIDE, (True, False): codes.SOURCE_INSIDE}.get(
            tuple(inside), codes.TARGET_INSIDE
        )
        named = [quote(self.inner(plug)) for plug, here in zip((source, target), inside) if here]
        words = " ".join((quote(top.node.name), *named, *map(quote, plugs), '""'))
        yield f"{codes.CONNECT} {code} {words}"

    def _is_inside(self, node: Node, top: Reference) -> bool:
        reference = node.reference
        while reference is not None and reference is not top:
            reference = reference.parent
        return reference is top

    def _next(self, node: Node) -> int:
        """A placeholder that nothing uses, not even text that was kept."""
        if node not in self._last:
            kept = [
                text
                for a, x, b, y, _ in self.scene.raw_connections
                for owner, text in ((a, x), (b, y))
                if owner is node
            ]
            used = [int(match[1]) for text in kept for match in _USED.finditer(text)]
            self._last[node] = max(used, default=0)
        self._last[node] += 1
        return self._last[node]

    def inner(self, plug: Plug) -> str:
        """A plug as records name it: full path, long names."""
        return f"{plug.node.full_path()}.{plug.path}"

    def name(self, node: Node) -> str:
        """A node as the statements at the end of a scene name it."""
        return ":" + node.name if node.is_default else self.scene.partial_path(node)

    def plug(self, plug: Plug) -> str:
        """A plug as the statements at the end of a scene name it."""
        return f"{self.name(plug.node)}.{short_path(plug.node, plug.path)}"
