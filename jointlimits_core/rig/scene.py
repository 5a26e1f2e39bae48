"""Parts of a Maya scene that matter for motion: units, nodes, values and connections.

Values are in Maya's internal units (centimetres, radians, seconds) instead of the file's units, as
conversion factors and stored tangents in a scene refer to internal units.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..base.findings import Finding
from ..geometry.arrays import Floats
from ..io.input import DEFAULT_LIMITS, ReadLimits
from .attributes import ANGLE, LENGTH, attribute_parts, family_of, split_plug

CENTIMETERS = {
    **dict.fromkeys(("mm", "millimeter"), 0.1),
    **dict.fromkeys(("cm", "centimeter"), 1.0),
    **dict.fromkeys(("m", "meter"), 100.0),
    **dict.fromkeys(("km", "kilometer"), 1e5),
    **dict.fromkeys(("in", "inch"), 2.54),
    **dict.fromkeys(("ft", "foot"), 30.48),
    **dict.fromkeys(("yd", "yard"), 91.44),
    **dict.fromkeys(("mi", "mile"), 160934.4),
}
"""Centimetres in one unit, by the unit names of ``currentUnit -linear``."""

RADIANS = {"deg": math.pi / 180.0, "degree": math.pi / 180.0, "rad": 1.0, "radian": 1.0}
"""Radians in one unit, by the unit names of ``currentUnit -angle``."""

FRAMES_PER_SECOND = {
    "game": 15.0,
    "film": 24.0,
    "pal": 25.0,
    "ntsc": 30.0,
    "show": 48.0,
    "palf": 50.0,
    "ntscf": 60.0,
    "hour": 1.0 / 3600.0,
    "min": 1.0 / 60.0,
    "sec": 1.0,
    "millisec": 1000.0,
    **{
        f"{rate:g}fps": float(rate)
        for rate in (
            *(2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 23.976, 29.97, 40, 47.952, 59.94, 75, 80, 90, 100),
            *(120, 125, 150, 200, 240, 250, 300, 375, 400, 500, 600, 750, 1200, 1500, 2000, 3000),
            *(6000, 44100, 48000),
        )
    },
}
"""Time units in one second, by the unit names of ``currentUnit -time``.

119.88fps is missing, since only the latest versions of Maya know it.
"""

MAX_OF_A_RULE = 100
"""Largest number of findings of one rule that are listed."""
_MAX_NAMESAKES = 1000
_PLAYBACK = re.compile(r"-(min|max|ast|aet) (-?\d{1,9}(?:\.\d{1,9})?)(?=\s|\Z)")
MISSING = "not in the scene"
"""Type of a connected node that none of the files read creates."""
Plug = tuple["Node", str]
"""A node and the long name of one of its attributes, with an index where it is an array."""


def frames_per_second(name: str) -> float | None:
    """Time units per second; None for an unknown name.

    `name`: a name such as "film", or a rate such as "120fps" or "23.976fps".
    """
    if name in FRAMES_PER_SECOND:
        return FRAMES_PER_SECOND[name]
    match = re.match(r"(\d{1,9}(?:\.\d{1,9})?)(?:fps|df)\Z", name)
    rate = float(match[1]) if match else 0.0
    return rate if rate > 0.0 else None


def nearest_time_unit(rate: float) -> str:
    """Name of Maya's time unit whose rate is nearest, as a ratio, to `rate` (in fps)."""
    return min(
        FRAMES_PER_SECOND, key=lambda name: abs(math.log(FRAMES_PER_SECOND[name]) - math.log(rate))
    )


class Units(NamedTuple):
    """Units of one file.

    `centimeters`: centimetres in one unit of length; `radians`: radians in one unit of angle;
    `frames_per_second`: units of time in one second.
    """

    centimeters: float = 1.0
    radians: float = RADIANS["degree"]
    frames_per_second: float = 24.0


@dataclass(eq=False, repr=False)
class Node:
    """Node of a scene. `name`: short name with namespace. `units`: those of the node's file."""

    node_type: str
    name: str
    parent: Node | None
    units: Units
    values: dict[str, float] = field(default_factory=dict)
    multis: dict[str, list[tuple[int, Floats]]] = field(default_factory=dict)
    matrices: dict[str, Floats] = field(default_factory=dict)
    locked: set[str] = field(default_factory=set)
    dynamic: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, float] = field(default_factory=dict)
    children: dict[str, Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.family = family_of(self.node_type)

    def __repr__(self) -> str:
        return f"<{self.node_type} {self.name}>"

    @property
    def is_joint(self) -> bool:
        """Whether the node is a joint."""
        return self.node_type == "joint"

    @property
    def is_transform(self) -> bool:
        """Whether the node moves its children; in a damaged file, other nodes may have children."""
        return "rotate" in self.family.children

    def ancestors(self) -> Iterator[Node]:
        """All nodes above, from the parent to the root."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    @property
    def path(self) -> str:
        """Full path, "|a|b"."""
        names = [self.name, *(node.name for node in self.ancestors())]
        return "|" + "|".join(reversed(names))

    @property
    def depth(self) -> int:
        """Number of ancestors."""
        return sum(1 for _ in self.ancestors())

    def long_name(self, name: str) -> str | None:
        """Long name of an attribute, given its long or short name; None if it is unknown."""
        return self.dynamic.get(name) or self.family.long_names.get(name)

    def plug_name(self, attribute: str) -> str | None:
        """Long form of an attribute, "rotateX" for "r.rx", "members[3]" for "m[3]"; else None."""
        parts = attribute_parts(attribute)
        known = [self.long_name(name) for name, _, _ in parts]
        if not parts or None in known:
            return None
        first = parts[-1][1]
        return f"{known[-1]}" if first is None else f"{known[-1]}[{first}]"

    def number(self, attribute: str, default: float = 0.0) -> float:
        """Value of a single attribute by its long name."""
        return self.values.get(attribute, self.defaults.get(attribute, default))

    def vector(self, compound: str) -> Floats:
        """Values of a compound's children, shape (3,)."""
        return np.array([self.number(child) for child in self.family.children[compound]])

    def is_locked(self, attribute: str) -> bool:
        """True if an attribute, or the compound it belongs to, is locked."""
        return attribute in self.locked or any(
            attribute in children and compound in self.locked
            for compound, children in self.family.children.items()
        )


class Reference(NamedTuple):
    """Referenced file, and the path where it was found. `scene`: file with the reference."""

    scene: str
    stored_path: str
    found: str | None


@dataclass
class Scene:
    """A scene with its references loaded.

    `path`, `units`: of the top file. `playback`: first and last frame of its time slider; None if
    the file does not say. `nodes`: in the order of creation; parents may come later than children
    after re-parenting. `sources`: connections, source by destination. `unread`: sources of unknown
    attributes, by node and attribute. `limits`: input budget.
    """

    path: str
    units: Units = field(default_factory=Units)
    playback: tuple[float, float] | None = None
    nodes: list[Node] = field(default_factory=list)
    sources: dict[Plug, Plug] = field(default_factory=dict)
    unread: dict[Node, dict[str, str]] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    roots: dict[str, Node] = field(default_factory=dict)
    by_name: dict[str, list[Node]] = field(default_factory=dict)
    limits: ReadLimits = DEFAULT_LIMITS
    joints_read: int = 0
    """Joints created so far, including joints of references."""
    _copies: dict[str, int] = field(default_factory=dict)
    _noted: dict[str, int] = field(default_factory=dict)
    _missing: dict[str, Node] = field(default_factory=dict)

    def add(self, node: Node) -> Node:
        """Add a node; as in Maya, it gets a number after its name if a sibling has that name."""
        self._place(node)
        self.nodes.append(node)
        self.by_name.setdefault(node.name, []).append(node)
        return node

    def _place(self, node: Node) -> None:
        original = node.name
        siblings = self.roots if node.parent is None else node.parent.children
        while node.name in siblings:
            self._copies[original] = self._copies.get(original, 0) + 1
            node.name = f"{original}{self._copies[original]}"
        siblings[node.name] = node

    def find(self, path: str) -> Node | None:
        """Last node with a full path, a partial path or a name; None if there is none."""
        names = [part for part in path.split("|") if part]
        if not names:
            return None
        if path.startswith("|"):
            return self._walk_down(names)
        candidates = [self.by_name.get(name, ()) for name in names]
        if len(names) == 1:
            return candidates[0][-1] if candidates[0] else None
        # Start from the rarest name, or from the last of equally rare names.
        place = min(range(len(names)), key=lambda k: (len(candidates[k]), -k))
        above = names[:place][::-1]
        for node in reversed(candidates[place][-_MAX_NAMESAKES:]):
            if [ancestor.name for ancestor, _ in zip(node.ancestors(), above)] == above:
                found = self._walk_down(names[place + 1 :], node)
                if found is not None:
                    return found
        return None

    def _walk_down(self, names: list[str], node: Node | None = None) -> Node | None:
        siblings = self.roots if node is None else node.children
        for name in names:
            node = siblings.get(name)
            if node is None:
                return None
            siblings = node.children
        return node

    def reparent(self, node: Node, parent: Node | None) -> None:
        """Move a node below another, unless that would make a loop or too deep a hierarchy."""
        above = [] if parent is None else [parent, *parent.ancestors()]
        if node in above or len(above) > self.limits.max_depth:
            return
        siblings = self.roots if node.parent is None else node.parent.children
        siblings.pop(node.name, None)
        node.parent, name = parent, node.name
        self._place(node)
        if node.name != name:
            self.by_name.setdefault(node.name, []).append(node)

    def plug(self, plug: str) -> Plug | None:
        """Node and attribute of "node.attribute"; None if there is no such node or attribute."""
        path, attribute = split_plug(plug)
        node = self.find(path)
        if node is None:
            return None
        name = node.plug_name(attribute)
        return None if name is None else (node, name)

    def connect(self, source: str, destination: str) -> None:
        """Add a connection to a known attribute; for compounds, connect their children too."""
        for origin, origin_name, target in self._ends(source, destination, source):
            node, name = target
            self.sources[target] = (origin, origin_name)
            children = node.family.children.get(name, ())
            from_children = origin.family.children.get(origin_name, (origin_name,) * len(children))
            for child, from_child in zip(children, from_children):
                self.sources[node, child] = (origin, from_child)

    def disconnect(self, source: str, destination: str) -> None:
        """Remove a connection."""
        for origin, _, (node, name) in self._ends(source, destination, None):
            for child in (name, *node.family.children.get(name, ())):
                if self.sources.get((node, child), (None, ""))[0] is origin:
                    del self.sources[node, child]

    def _ends(
        self, source: str, destination: str, unread: str | None
    ) -> Iterator[tuple[Node, str, Plug]]:
        """Ends of a connection to a known attribute; for an unknown one, `unread` is recorded."""
        target, (path, attribute) = self.plug(destination), split_plug(source)
        if target is None:
            node_path, unknown = split_plug(destination)
            below = self.find(node_path)
            if below is not None and unread is not None:
                self.unread.setdefault(below, {})[unknown] = unread
            elif below is not None:
                self.unread.get(below, {}).pop(unknown, None)
            return
        # A missing node is not part of the scene.
        origin = self.find(path)
        if origin is None:
            origin = self._missing.setdefault(path, Node(MISSING, path, None, self.units))
        # A source with an unknown name is kept, so that the finding can name it.
        yield origin, origin.plug_name(attribute) or attribute, target

    def note(self, rule: str, message: str, joint: str | None = None) -> None:
        """Add a finding, up to :data:`MAX_OF_A_RULE` of each rule."""
        count = self._noted[rule] = self._noted.get(rule, 0) + 1
        if count < MAX_OF_A_RULE:
            self.findings.append(Finding(rule, message, joint))
        elif count == MAX_OF_A_RULE:
            self.findings.append(Finding(rule, "more of these exist; they are not listed"))


def playback_range(script: str) -> tuple[float, float] | None:
    """First and last frame of the time slider, from the script in which a scene stores them.

    The script is only data: its four numbers are read, nothing is run.
    """
    ends = {flag: float(number) for flag, number in _PLAYBACK.findall(script)}
    if not script.lstrip().startswith("playbackOptions ") or not ends:
        return None
    return min(ends.values()), max(ends.values())


def unit_factor(node: Node, attribute: str) -> float:
    """Factor from an attribute's values in the node's file to internal units."""
    kind = node.family.kinds.get(attribute)
    if kind == ANGLE:
        return node.units.radians
    return node.units.centimeters if kind == LENGTH else 1.0
