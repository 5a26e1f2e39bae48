"""Body part of a joint from its name and the names around it.

Names are not enough by themselves: "Leg" is the knee's joint beside "UpLeg" and the hip's beside
"Knee"; "Shoulder" is the clavicle where there is an "Arm" too. Ambiguous names
get no part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..pairing import partners
from ..side_names import node_name, side_readings, words_of

PARTS = (
    *("shoulder", "elbow", "forearm", "wrist", "hip", "knee", "ankle", "toes"),
    *("finger base", "finger middle", "finger tip", "thumb middle", "thumb tip"),
)
"""Parts that can be recognized; see ``normal_ranges.json``."""

_NOT_JOINTS = frozenset(
    (
        *("twist", "roll", "ik", "end", "nub", "eff", "effector", "pole", "aim", "pivot", "prop"),
        *("attach", "helper", "gde", "guide", "offset", "metacarpal", "tip", "site", "ribbon"),
        *("partial", "corrective"),
    )
)
_FILLERS = frozenset(
    (
        *("jnt", "joint", "bone", "bind", "def", "skin", "sk", "char", "bip", "bip01"),
        *("l", "r", "left", "right", "lf", "rt"),
    )
)
# Compact name of a joint (words run together) to the part it always is.
_PLAIN = {
    **dict.fromkeys(("upperarm", "humerus", "uparm", "bicep"), "shoulder"),
    **dict.fromkeys(("elbow", "forearm", "lowerarm", "radius", "loarm", "ulna"), "elbow"),
    **dict.fromkeys(("upleg", "upperleg", "thigh", "femur", "hip"), "hip"),
    **dict.fromkeys(("knee", "shin", "calf", "tibia", "lowerleg", "loleg", "lowleg"), "knee"),
    **dict.fromkeys(("ankle", "foot"), "ankle"),
    **dict.fromkeys(("toe", "toes", "toebase", "forefoot", "ball"), "toes"),
}
_CONTEXT = frozenset(["arm", "shoulder", "shldr", "leg", "hand", "wrist"])
_FINGERS = frozenset(["index", "middle", "mid", "ring", "pinky", "little"])
_SEGMENT = {1: "finger base", 2: "finger middle", 3: "finger tip"}
_THUMB_SEGMENT = {2: "thumb middle", 3: "thumb tip"}


def body_parts(names: Sequence[str]) -> dict[str, str]:
    """Parts of the body that joints are.

    Parameters
    ----------
    names : sequence of str
        All joints of the character: they help to read each other.

    Returns
    -------
    dict of joint name to part
        One of :data:`PARTS`; joints that are something else or unclear are not in it. Only joints
        with a partner on the other side are looked at, and of a limb only the one joint of its
        side that is the part.
    """
    partner = partners(names)
    compact = {name: _compact(name) for name, other in zip(names, partner) if other >= 0}
    words = {word for word in compact.values() if word}
    found = {name: _part(word, words) for name, word in compact.items() if word}
    limbs = _unrivalled({name: part for name, part in found.items() if part is not None})
    fingers = {name: part for name in compact if (part := _finger(name)) is not None}
    return {**limbs, **fingers}


def _unrivalled(found: Mapping[str, str]) -> dict[str, str]:
    """Joints that alone are a part of their side; "LHipJoint" gives way to "LeftHip"."""
    claims: dict[tuple[str, str], list[str]] = {}
    for name, part in found.items():
        claims.setdefault((part, _side(name)), []).append(name)
    kept = {}
    for (part, _), names in claims.items():
        plain = [name for name in names if "joint" not in words_of(node_name(name))]
        best = plain or names
        if len(best) == 1:
            kept[best[0]] = part
    return kept


def _side(name: str) -> str:
    readings = side_readings(name)
    return readings[0].side if readings else ""


def _compact(name: str) -> str:
    """Name run together without its side and fillers: "forearm"; "" for helpers.

    A side glued to the name in front, as in "lfemur", goes too.
    """
    words = [word for word in words_of(node_name(name)) if word not in _FILLERS]
    if set(words) & _NOT_JOINTS:
        return ""
    text = "".join(word for word in words if not word.isdigit())
    for known in sorted({*_PLAIN, *_CONTEXT}, key=len, reverse=True):
        if text.endswith(known):
            before = text[: -len(known)]
            glued = before in ("l", "r", "left", "right")
            if before == "" or glued or len(words) > 1:
                return known
    return text


def _part(word: str, words: set[str]) -> str | None:
    """Part of a joint; `words` are those of the whole character."""
    upper_arm = {"upperarm", "humerus", "uparm", "bicep"}
    if word in _PLAIN:
        return _PLAIN[word]
    if word == "arm":
        return None if words & upper_arm else "shoulder"
    if word in ("shoulder", "shldr"):
        return None if words & {"arm", *upper_arm} else "shoulder"
    if word == "leg":
        if words & {"knee", "shin", "calf", "tibia", "lowerleg"}:
            return None if words & {"hip", "thigh", "upleg", "upperleg"} else "hip"
        return "knee" if words & {"upleg", "upperleg", "thigh", "hip", "femur"} else None
    if word == "hand":
        return "wrist" if "wrist" not in words or "radius" in words else None
    if word == "wrist":
        if "hand" not in words:
            return "wrist"
        return "forearm" if "radius" in words else None
    return None


def _finger(name: str) -> str | None:
    """Segment of a finger or thumb by its number, counted from the palm."""
    node = node_name(name)
    words = words_of(node)
    number = re.search(r"0*([1-9])(?!.*[0-9])", node)
    if number is None or set(words) & _NOT_JOINTS:
        return None
    if "thumb" in words:
        return _THUMB_SEGMENT.get(int(number.group(1)))
    return _SEGMENT.get(int(number.group(1))) if set(words) & _FINGERS else None
