"""Couplings of joints in an MJCF model: equalities and tendons.

They are not ranges of a joint, so they are not imported; findings report them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..findings import Finding
from ..wording import plural, printable
from .xml_tree import XmlElement

COUPLING = frozenset(["equality", "tendon", "connect", "weld", "fixed", "spatial"])
"""Elements read here."""


def couplings(root: XmlElement, bodies: Mapping[str, str]) -> Iterator[Finding]:
    """Findings about couplings between the joints of a model.

    Parameters
    ----------
    bodies : mapping of str to str
        Body of each named joint.
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
