"""Nodes and plugs by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from tests.maya_standin.errors import AmbiguousNameError, NoSuchObjectError
from tests.maya_standin.nodes import Node, Plug

UUID = re.compile(r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(:[A-Za-z_][A-Za-z0-9_]*)*")


@lru_cache(maxsize=1024)
def _pattern(text: str) -> re.Pattern[str]:
    """A name with * and ?, which stand for anything but the signs of namespace and path."""
    parts = {"*": "[^:|]*", "?": "[^:|]"}
    return re.compile("".join(parts.get(sign, re.escape(sign)) for sign in text))


class Lookup:
    """The part of a scene that finds things; see graph.Scene."""

    nodes: dict[Node, None]
    _by_name: dict[str, list[Node]]

    def find(self, text: str) -> list[Node]:
        """Nodes that a name, a path, a UUID or a pattern stands for, in the scene's order.

        "a|b" is a b below an a anywhere, "|a|b" one below an a in the world; * and ? never
        stand for ":" or "|" (the documentation of `ls`).
        """
        if "*" in text or "?" in text:
            return [node for node in self.nodes if self._matches(node, text)]
        if UUID.fullmatch(text):
            return [node for node in self.nodes if node.uuid == text]
        last = text.rpartition("|")[2].lstrip(":")
        found = self._by_name.get(last, [])
        if last == text:
            return list(found)
        return [node for node in found if self._matches(node, text)]

    @staticmethod
    def _matches(node: Node, text: str) -> bool:
        parts = text.split("|")
        here: Node | None = node
        while parts:
            part = parts.pop().lstrip(":")
            if not part and not parts:
                return here is None
            if here is None or (part != here.name and not _pattern(part).fullmatch(here.name)):
                return False
            if parts and not here.is_dag:
                return False
            here = here.parent
        return True

    def node(self, name: str) -> Node:
        """The one node of that name; NoSuchObjectError, AmbiguousNameError."""
        found = self.find(name)
        if not found:
            raise NoSuchObjectError(name)
        if len(found) > 1:
            raise AmbiguousNameError(name)
        return found[0]

    def exists(self, name: str) -> bool:
        """Whether any node, or a plug, has that name."""
        if "." not in name:
            return bool(self.find(name))
        owner, _, attribute = name.partition(".")
        return any(node.path_of(attribute) for node in self.find(owner))

    def plug(self, text: str) -> Plug:
        """A plug from any of its spellings: "grp|ns:jnt.rx", "jnt.rotate.rotateX"."""
        owner, dot, attribute = text.partition(".")
        if not dot:
            raise NoSuchObjectError(text)
        return self.plug_of(self.node(owner), attribute, text)

    @staticmethod
    def plug_of(node: Node, attribute: str, spelled: str = "") -> Plug:
        """A plug of a node from any spelling of its attribute."""
        path = node.path_of(attribute)
        if path is None:
            raise NoSuchObjectError(spelled or f"{node.name}.{attribute}")
        return Plug(node, path)

    def plug_name(self, plug: Plug) -> str:
        return f"{self.partial_path(plug.node)}.{plug.path}"

    def partial_path(self, node: Node) -> str:
        """The shortest name that stands for this node alone (MDagPath.partialPathName)."""
        namesakes = self._by_name.get(node.name, [])
        path, above = node.name, node.parent
        while sum(self._matches(other, path) for other in namesakes) > 1:
            if above is None:
                return "|" + path
            path, above = f"{above.name}|{path}", above.parent
        return path

    def unique_name(self, wanted: str, parent: Node | None = None, dag: bool = True) -> str:
        """The name itself where it is free, else with the next free number at its end.

        Names of DAG nodes have to differ from those of their siblings and of nodes outside of
        the DAG; the others from all. guess: names-across-the-graph.
        """
        name = wanted
        stem = wanted.rstrip("0123456789")
        number = int(wanted[len(stem) :] or 0)
        while any(
            not dag or not other.is_dag or other.parent is parent
            for other in self._by_name.get(name, [])
        ):
            number += 1
            name = f"{stem}{number}"
        return name

    def of_type(self, type_name: str, exact: bool = False) -> Iterator[Node]:
        """Nodes of a type, or of one derived from it."""
        for node in self.nodes:
            if node.type == type_name if exact else node.is_a(type_name):
                yield node

    def walk(self, node: Node) -> Iterator[Node]:
        """A DAG node and everything below it, parents first."""
        yield node
        for child in node.children:
            yield from self.walk(child)
