"""Joint limits as clipboard text, to copy between joints and windows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from jointlimits_core.base import LimitSetError, names_words
from jointlimits_core.io import parsed_json
from jointlimits_core.limits import JOINT_TYPES, STATES, AxisLimit, LimitSet
from jointlimits_core.motion import matched_joints

from .edits import (
    Change,
    keys,
    together,
    typed,
)
from .mirroring import as_edits

FORMAT, FORMAT_VERSION = "jointlimits.joints", 1


def text_of(limits: LimitSet, joints: Sequence[str]) -> str:
    """Types and ranges of joints as text.

    Raises
    ------
    ValueError
        If no joint is given.
    """
    if not joints:
        raise ValueError("no joint is selected; select the joints to copy from")
    copied = {
        name: {
            "type": limits.joints[name].type,
            "limits": {
                channel: {"state": axis.state, "min_deg": axis.min_deg, "max_deg": axis.max_deg}
                for channel, axis in limits.joints[name].limits.items()
            },
        }
        for name in joints
    }
    document = {"format": FORMAT, "version": FORMAT_VERSION, "joints": copied}
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def pasted(text: str, data: LimitSet, joints: Sequence[str]) -> Change:
    """Give joints the limits in a text.

    Parameters
    ----------
    text : str
        From :func:`text_of`. One joint applies to all of `joints`; several apply by name.
    data : LimitSet
        Without edits.

    Raises
    ------
    ValueError
        If the text is not copied limits, or none of its joints is here.
    """
    copied = _read(text)
    if len(copied) == 1:
        (only,) = copied.values()
        if not joints:
            raise ValueError("no joint is selected; select the joints to paste onto")
        return together(_onto(name, only, data) for name in joints)
    found = matched_joints(copied, list(data.joints))
    names = list(data.joints)
    if not found:
        text = (
            "none of the copied joints is here: {names}. Copy one joint to paste it onto any other"
        )
        raise ValueError(text.format(names=names_words(list(copied))))
    return together(_onto(names[row], copied[name], data) for name, row in found.items())


def _onto(name: str, copied: tuple[str, Mapping[str, AxisLimit]], data: LimitSet) -> Change:
    kind, axes = copied
    parts = [typed(data, name, kind)]
    for channel, axis in axes.items():
        if channel not in data.joints[name].limits:
            text = "{name} has no channel {channel}, which was copied"
            raise ValueError(text.format(name=name, channel=channel))
        parts.append(Change(as_edits(name, channel, axis), keys(name, channel)))
    return together(parts)


def _nothing() -> str:
    return "the clipboard has no joint limits; copy some from a joint first"


def _read(text: str) -> dict[str, tuple[str, Mapping[str, AxisLimit]]]:
    try:
        document = parsed_json(text, "clipboard", LimitSetError, "joint limits")
    except LimitSetError:
        raise ValueError(_nothing()) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(_nothing())
    joints = document.get("joints")
    if not isinstance(joints, dict) or not joints:
        raise ValueError(_nothing())
    return {str(name): _joint(joint) for name, joint in joints.items()}


def _joint(joint: Any) -> tuple[str, Mapping[str, AxisLimit]]:
    kind = joint.get("type") if isinstance(joint, dict) else None
    axes = joint.get("limits") if isinstance(joint, dict) else None
    if kind not in JOINT_TYPES or not isinstance(axes, dict):
        raise ValueError(_nothing())
    return kind, {str(channel): _axis(axis) for channel, axis in axes.items()}


def _axis(axis: Any) -> AxisLimit:
    if not isinstance(axis, dict) or axis.get("state") not in STATES:
        raise ValueError(_nothing())
    if axis["state"] == "free":
        return AxisLimit("free")
    low, high = _degrees(axis.get("min_deg")), _degrees(axis.get("max_deg"))
    if low > high:
        raise ValueError(_nothing())
    return AxisLimit(axis["state"], low, high)


def _degrees(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(_nothing())
    return float(value)
