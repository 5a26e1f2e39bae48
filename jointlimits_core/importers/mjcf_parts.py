"""Included files of an MJCF model, and couplings of its joints.

MuJoCo replaces ``<include>`` by the content of that file's outermost element, and accepts each
file once: https://mujoco.readthedocs.io/en/stable/XMLreference.html#include.
Couplings (equalities and tendons) are not ranges of a joint, so they are not imported; findings
report them.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from ..base import Finding, ModelError, plural, printable
from ..io import ReadLimits
from .xml import XmlElement, XmlFile, read_xml

COUPLING = frozenset(["equality", "tendon", "connect", "weld", "fixed", "spatial"])
"""Elements read here."""


def couplings(root: XmlElement, bodies: Mapping[str, str]) -> Iterator[Finding]:
    """Findings about couplings between the joints of a model.

    `bodies`: body of each named joint.
    """
    yield from _equalities(root, bodies)
    for tendons in root.all("tendon"):
        for tendon in tendons.all("fixed"):
            name = printable(tendon.attributes.get("name", ""))
            called = f"tendon {name}" if name else "a tendon"
            joints = [one.attributes.get("joint", "") for one in tendon.all("joint")]
            for body in dict.fromkeys(bodies[joint] for joint in joints if joint in bodies):
                text = f"{called} couples it to others; the coupling is not imported"
                yield Finding("tendon", text, body)
    spatial = sum(len(tendons.all("spatial")) for tendons in root.all("tendon"))
    if spatial:
        text = f"{plural(spatial, 'spatial tendon')} may restrict joints; this is not imported"
        yield Finding("tendon", text)


def _equalities(root: XmlElement, bodies: Mapping[str, str]) -> Iterator[Finding]:
    held = 0
    for equality in root.all("equality"):
        for one in equality.children:
            if one.attributes.get("active") == "false":
                continue
            held += one.tag in ("connect", "weld")
            first, second = (one.attributes.get(name, "") for name in ("joint1", "joint2"))
            if one.tag == "joint" and first in bodies:
                to = f"to {printable(second)}" if second else "to one angle"
                text = f"an equality holds {printable(first)} {to}; it is not imported"
                yield Finding("equality", text, bodies[first])
    if held:
        many = plural(held, "equality")
        text = f"{many} between bodies may restrict joints; this is not imported"
        yield Finding("equality", text)


INCLUDE = "include"
RULE = "include"


class Includes:
    """Included files of one model, in its folder or below.

    `limits`: `max_reference_depth` limits the depth of nested includes. `kept`: names of the
    elements to keep.
    """

    def __init__(self, limits: ReadLimits, kept: Collection[str]) -> None:
        self._limits, self._kept = limits, kept
        self._taken: set[str] = set()
        self.findings: list[Finding] = []

    def resolve(self, file: XmlFile) -> None:
        """Insert the included parts into the tree.

        Raises ModelError with its place, for a file included twice, an include without a name, a
        broken file.
        """
        folder = os.path.realpath(os.path.dirname(os.fspath(file.text.path)) or ".")
        self._taken = {os.path.realpath(file.text.path)}
        self._within(file, file.root, folder, 0)

    def _within(self, file: XmlFile, top: XmlElement, folder: str, depth: int) -> None:
        waiting = [top]
        while waiting:
            element = waiting.pop()
            children: list[XmlElement] = []
            for child in element.children:
                if child.tag == INCLUDE:
                    children += self._part(file, child, folder, depth)
                else:
                    children.append(child)
                    waiting.append(child)
            element.children = children

    def _part(
        self, file: XmlFile, include: XmlElement, folder: str, depth: int
    ) -> list[XmlElement]:
        """Elements of an included file; none, with a finding, if it is not available."""
        named = include.attributes.get("file", "")
        if not named:
            raise file.fail("<include> needs a file name", include)
        path = os.path.realpath(os.path.join(folder, named))
        why = self._left_out(path, folder, depth)
        if why:
            text = f"{named!a} {why}; its content is missing"
            self.findings.append(Finding(RULE, f"line {include.line}: {text}"))
            return []
        if path in self._taken:
            raise file.fail(f"{named!a} is included twice, which MuJoCo rejects as well", include)
        self._taken.add(path)
        part = read_xml(path, self._limits, ModelError, self._kept)
        # Relative to the model's folder, as in MuJoCo.
        self._within(part, part.root, folder, depth + 1)
        return part.root.children

    def _left_out(self, path: str, folder: str, depth: int) -> str:
        """Why a file is not read; empty if it is."""
        if Path(folder) not in Path(path).parents:
            return "is outside the model's folder and is not read"
        if depth >= self._limits.max_reference_depth:
            how = self._limits.refusal("max_reference_depth", "nested includes")
            return f"is not read: {how}"
        return "" if os.path.isfile(path) else "was not found in the model's folder"
