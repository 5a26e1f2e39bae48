"""Limit sets of earlier versions: what they hold that is read as something else, with a note."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.findings import Finding

READ_AS = "read-as"
"""Rule of the findings about values of earlier versions."""
SHAPES = {"kdop-sequential": "kdop"}
"""Shapes by their earlier names, each with the nearest of today's."""


def set_of_today(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Plain data of a limit set, with the values that there are today."""
    purpose = data.get("purpose", "")
    notes = [Finding(READ_AS, f"its purpose, {purpose!r}, is not kept").to_dict()]
    return {
        **{name: value for name, value in data.items() if name != "purpose"},
        "joints": {name: _joint_of_today(name, joint) for name, joint in data["joints"].items()},
        "findings": [*data["findings"], *(notes if purpose else ())],
    }


def _joint_of_today(name: str, joint: Mapping[str, Any]) -> Mapping[str, Any]:
    """Plain data of a joint, with a shape that there is today."""
    coupled: Mapping[str, Any] = joint.get("coupled") or {}
    region: Mapping[str, Any] = coupled.get("region", {})
    old = region.get("kind")
    if old not in SHAPES:
        return joint
    kind = SHAPES[old]
    note = Finding(READ_AS, f"its shape, {old!r}, is read as {kind!r}", name)
    shape = {**coupled, "kind": kind, "region": {**region, "kind": kind}}
    return {**joint, "coupled": shape, "findings": [*joint["findings"], note.to_dict()]}
