"""A small reader of Maya ASCII scenes that shares nothing with the package: regular expressions,
elementary matrices for row vectors as Autodesk prints them, and curves one key at a time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache

import numpy as np

STATEMENT = re.compile(r'(?:"(?:\\.|[^"\\])*"|//[^\n]*|[^";])*?;', re.S)
WORD = re.compile(r'"((?:\\.|[^"\\])*)"|([^\s";]+)', re.S)
ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
SHORT = {
    "translate": "t",
    "rotate": "r",
    "scale": "s",
    "jointOrient": "jo",
    "rotateAxis": "ra",
    "rotateOrder": "ro",
    "keyTimeValue": "ktv",
    "tangentType": "tan",
    "output": "o",
    **{
        f"{long}{axis}": short + axis.lower()
        for long, short in (("translate", "t"), ("rotate", "r"), ("scale", "s"))
        for axis in "XYZ"
    },
    **{
        f"{long}{axis}": short + axis.lower()
        for long, short in (("jointOrient", "jo"), ("rotateAxis", "ra"))
        for axis in "XYZ"
    },
}


class Node:
    def __init__(self, kind, name, parent):
        self.kind, self.name, self.parent = kind, name, parent
        self.values, self.matrices, self.keys = {}, {}, {}

    def three(self, short, default=0.0):
        whole = self.values.get(short, [default] * 3)
        return [self.values.get(short + axis, [whole[n]])[0] for n, axis in enumerate("xyz")]


class NaiveScene:
    """Nodes by name; a scene for the tests has no two of the same name."""

    def __init__(self, text):
        self.nodes, self.sources, self.links = {}, {}, []
        node = None
        for statement in statements_of(text):
            words = [a or b for a, b in WORD.findall(statement)]
            if words[0] == "createNode":
                flags = dict(zip(words[2:], words[3:]))
                parent = flags.get("-p", flags.get("-parent", "")).rpartition("|")[2] or None
                node = Node(words[1], flags.get("-n", flags.get("-name", "?")), parent)
                self.nodes[node.name] = node
            elif words[0] == "setAttr" and node is not None:
                self._set(node, statement, words)
            elif words[0] == "connectAttr":
                self.links.append((words[1], words[2]))
                self.sources[plug(words[2])] = plug(words[1])
            elif words[0] == "select":
                node = None
        unit = re.search(r"currentUnit[^;]*-a(?:ngle)?\s+(\w+)", text)
        self.angle = 1.0 if unit and unit[1].startswith("rad") else np.pi / 180.0

    def _set(self, node, statement, words):
        attribute = next((w for w in words if w.startswith(".")), None)
        if attribute is None:
            return
        name, _, index = attribute[1:].partition("[")
        name = SHORT.get(name, name)
        behind = statement[statement.index(attribute) + len(attribute) + 1 : -1]
        values = [a or b for a, b in WORD.findall(behind)]
        if values[:1] == ["-type"]:
            if values[1] == "matrix":
                node.matrices[attribute[1:]] = values[2:]
                return
            values = values[2:]
        try:
            numbers = [float(v) if v not in ("yes", "no", "on", "off") else v for v in values]
        except ValueError:
            return
        if name == "ktv":
            first = int(index.rstrip("]").split(":")[0])
            for n in range(len(numbers) // 2):
                node.keys[first + n] = (numbers[2 * n], numbers[2 * n + 1])
        elif numbers:
            node.values[name] = numbers

    def key_times(self):
        return sorted({t for node in self.nodes.values() for t, _ in node.keys.values()})

    def channel(self, node, short, frames, default=0.0):
        """Values of one channel, shape (frames,)."""
        source = self.sources.get((node.name, short))
        if source is None:
            compound, axis = short[:-1], "xyz".index(short[-1])
            return np.full(len(frames), node.three(compound, default)[axis])
        name, output = source
        if self.nodes[name].kind.startswith("animCurve"):
            return curve_values(self.nodes[name], frames)
        return self.channel(self.nodes[name], output, frames, default)

    def vector(self, node, short, frames, default=0.0):
        return np.stack([self.channel(node, short + a, frames, default) for a in "xyz"], axis=1)

    def local(self, node, frames):
        """Row-vector matrices, shape (frames, 4, 4)."""
        order = ORDERS[int(node.values.get("ro", [0])[0])]
        turn = euler(self.vector(node, "r", frames) * self.angle, order)
        move = moved(self.vector(node, "t", frames))
        scale = diagonal(self.vector(node, "s", frames, 1.0))
        axis = euler(np.array([node.three("ra")]) * self.angle, "xyz")
        if node.kind != "joint":
            rp, rpt, sp, spt = (moved(node.three(key)) for key in ("rp", "rpt", "sp", "spt"))
            about = np.linalg.inv(sp) @ scale @ sp @ spt @ np.linalg.inv(rp)
            return about @ axis @ turn @ rp @ rpt @ move
        orient = euler(np.array([node.three("jo")]) * self.angle, "xyz")
        inverse = np.eye(4)
        fed = self.sources.get((node.name, "is"))
        if fed is not None and node.values.get("ssc", ["yes"])[0] not in ("no", 0.0):
            parent = self.vector(self.nodes[fed[0]], "s", frames, 1.0)
            inverse = diagonal(1.0 / np.where(parent == 0.0, 1.0, parent))
        return scale @ axis @ turn @ orient @ inverse @ move

    def worlds(self, names, frames):
        """Row-vector world matrices of each, shape (frames, 4, 4)."""
        local = cache(lambda name: self.local(self.nodes[name], frames))
        for name in names:
            node = self.nodes[name]
            result = local(name)
            while node.parent is not None:
                result = result @ local(node.parent)
                node = self.nodes[node.parent]
            yield result

    def of_kind(self, *kinds):
        return [node.name for node in self.nodes.values() if node.kind in kinds]


def statements_of(text):
    return [
        re.sub(r"^\s*(//[^\n]*\n\s*)*", "", match.group()) for match in STATEMENT.finditer(text)
    ]


def plug(text):
    name, _, attribute = text.partition(".")
    last = attribute.rpartition(".")[2] if "[" not in attribute else attribute
    return name.rpartition("|")[2], SHORT.get(last, last)


def euler(angles, order):
    """Product of elementary rotations for row vectors: the first named stands first."""
    result = np.tile(np.eye(4), (len(angles), 1, 1))
    for letter in order:
        axis = "xyz".index(letter)
        c, s = np.cos(angles[:, axis]), np.sin(angles[:, axis])
        turn = np.tile(np.eye(4), (len(angles), 1, 1))
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn[:, i, i], turn[:, i, j], turn[:, j, i], turn[:, j, j] = c, s, -s, c
        result = result @ turn
    return result


def moved(vectors):
    vectors = np.asarray(vectors, dtype=float)
    result = np.zeros((*vectors.shape[:-1], 4, 4))
    result[...] = np.eye(4)
    result[..., 3, :3] = vectors
    return result


def diagonal(factors):
    result = np.tile(np.eye(4), (len(factors), 1, 1))
    for axis in range(3):
        result[:, axis, axis] = factors[:, axis]
    return result


def curve_values(node, frames):
    """Linear, flat, stepped and automatic tangents, not weighted; constant outside."""
    keys = [node.keys[n] for n in sorted(node.keys)]
    times = [time for time, _ in keys]
    return np.array([curve_value(node, keys, times, frame) for frame in frames])


def curve_value(node, keys, times, frame):
    if len(keys) == 1 or frame <= keys[0][0]:
        return keys[0][1]
    if frame >= keys[-1][0]:
        return keys[-1][1]
    n = bisect_right(times, frame) - 1
    (t0, v0), (t1, v1) = keys[n], keys[n + 1]
    part, tangent = (frame - t0) / (t1 - t0), int(node.values.get("tan", [18])[0])
    if part == 0.0 or tangent == 5:
        return v0
    if tangent == 2:
        return v0 + part * (v1 - v0)
    assert tangent in (3, 18), f"{node.name} has tangents {tangent}"
    m0, m1 = (slope(keys, k) * (t1 - t0) if tangent == 18 else 0.0 for k in (n, n + 1))
    return (
        (2 * part**3 - 3 * part**2 + 1) * v0
        + (part**3 - 2 * part**2 + part) * m0
        + (3 * part**2 - 2 * part**3) * v1
        + (part**3 - part**2) * m1
    )


def slope(keys, n):
    """Automatic tangent: flat at the ends and at turning points, else no steeper than thrice."""
    if n in (0, len(keys) - 1):
        return 0.0
    (ta, va), (t, v), (tb, vb) = keys[n - 1 : n + 2]
    before, after = (v - va) / (t - ta), (vb - v) / (tb - t)
    if before * after <= 0.0:
        return 0.0
    through = (vb - va) / (tb - ta)
    most = 3.0 * min(abs(before), abs(after))
    return max(-most, min(most, through))
