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
    joints: dict[str, Mapping[str, Any]] = {}
    for name, joint in data["joints"].items():
        joints[name] = joint
        coupled: Mapping[str, Any] = joint.get("coupled") or {}
        region: Mapping[str, Any] = coupled.get("region", {})
        old = region.get("kind")
        if old in SHAPES:
            kind = SHAPES[old]
            note = Finding(READ_AS, f"its shape, {old!r}, is read as {kind!r}", name).to_dict()
            shape = {**coupled, "kind": kind, "region": {**region, "kind": kind}}
            joints[name] = {**joint, "coupled": shape, "findings": [*joint["findings"], note]}
    purpose = data.get("purpose", "")
    notes = [Finding(READ_AS, f"its purpose, {purpose!r}, is not kept").to_dict()]
    return {
        **{name: value for name, value in data.items() if name != "purpose"},
        "joints": joints,
        "findings": [*data["findings"], *(notes if purpose else ())],
    }
