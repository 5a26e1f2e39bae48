"""Published normal ranges of human joints with their sources, matched to joint names.

Names are read in context: "Leg" is the knee if there is also an "UpLeg", and the hip if there is a
"Knee"; "Shoulder" is the clavicle if there is also an "Arm". Ambiguous names get no part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from ..motion import joint_names, mirror

PARTS = (
    *("shoulder", "elbow", "forearm", "wrist", "hip", "knee", "ankle", "toes"),
    *("finger base", "finger middle", "finger tip", "thumb middle", "thumb tip"),
)
"""Parts that can be recognized; see ``normal_ranges.json``."""

NOT_JOINTS = frozenset(
    (
        *("twist", "roll", "ik", "end", "nub", "eff", "effector", "pole", "aim", "pivot", "prop"),
        *("attach", "helper", "gde", "guide", "offset", "metacarpal", "tip", "site", "ribbon"),
        *("partial", "corrective", "extra", "fkik", "ikx", "pv", "upv", "switch", "settings"),
        *("wing", "skirt", "dress", "coat", "cape", "cloth", "hair"),
    )
)
"""Words in names of joints that are no body parts, or only copies of them."""
_FILLERS = frozenset(
    (
        *("jnt", "joint", "bone", "bind", "def", "skin", "sk", "char", "bip", "bip01"),
        *("l", "r", "left", "right", "lf", "rt"),
        *joint_names.CONTROL_WORDS,
    )
)
_NUMBERED = re.compile(r"_fk([0-9])(?:_|\Z)")
_CHAINS = {
    "arm": ("upperarm", "elbow", "wrist"),
    "leg": ("thigh", "knee", "ankle"),
    "foot": ("toe",),
}
"""Compact names in the numbered chains of controls of mGear, such as "arm_L0_fk1_ctl"."""
# Part for each compact joint name (words run together) that has only one meaning.
_PLAIN = {
    **dict.fromkeys(("upperarm", "humerus", "uparm", "bicep"), "shoulder"),
    **dict.fromkeys(("elbow", "forearm", "lowerarm", "radius", "loarm", "ulna"), "elbow"),
    **dict.fromkeys(("upleg", "upperleg", "thigh", "femur", "hip"), "hip"),
    **dict.fromkeys(("knee", "shin", "calf", "tibia", "lowerleg", "loleg", "lowleg"), "knee"),
    **dict.fromkeys(("ankle", "foot"), "ankle"),
    **dict.fromkeys(("toe", "toes", "toebase", "forefoot", "ball"), "toes"),
}
_CONTEXT = frozenset(["arm", "shoulder", "shldr", "leg", "hand", "wrist"])
_COPIES = frozenset(["joint", "fk", "fkx"])
"""Words in names of copies, which give way to a part's own joint."""
_SEGMENT = {1: "finger base", 2: "finger middle", 3: "finger tip"}
_THUMB_SEGMENT = {2: "thumb middle", 3: "thumb tip"}
FILE = Path(__file__).with_name("normal_ranges.json")


def body_parts(names: Sequence[str]) -> dict[str, str]:
    """Body part of each recognized joint, by joint name.

    `names`: all joints of the character, since names are read in context. The parts are from
    :data:`PARTS`; other or unclear joints are left out. Only joints with a partner on the other
    side are considered, and each part of a limb gets at most one joint per side.
    """
    return dict(_body_parts(tuple(names)))


@lru_cache(maxsize=8)
def _body_parts(names: tuple[str, ...]) -> dict[str, str]:
    partner = mirror.partners(names)
    compact = {name: _compact(name) for name, other in zip(names, partner) if other >= 0}
    words = {word for word in compact.values() if word}
    found = {name: _part(word, words) for name, word in compact.items() if word}
    claims: dict[tuple[str, str], list[str]] = {}
    for name, part in found.items():
        if part is not None:
            readings = joint_names.side_readings(name)
            claims.setdefault((part, readings[0].side if readings else ""), []).append(name)
    limbs = {}
    for (limb, _), claimed in claims.items():
        # "LHipJoint" gives way to "LeftHip", and "FKXHip_L" to "Hip_L"; if several joints remain,
        # all are unclear.
        best = [name for name in claimed if _COPIES.isdisjoint(_words(name))] or claimed
        if len(best) == 1:
            limbs[best[0]] = limb
    for name in compact:
        # Segments of fingers and thumbs are numbered from the palm.
        number = re.search(r"0*([1-9])(?!.*[0-9])", joint_names.node_name(name))
        own = set(_words(name))
        is_finger = own & joint_names.FINGERS and not own & _CHAINS.keys()
        segments = _THUMB_SEGMENT if "thumb" in own else _SEGMENT if is_finger else {}
        if number is not None and int(number.group(1)) in segments and not own & NOT_JOINTS:
            limbs[name] = segments[int(number.group(1))]
    return limbs


def _words(name: str) -> Sequence[str]:
    return joint_names.words_of(joint_names.node_name(name))


def _compact(name: str) -> str:
    """Name as one word without side and fillers, such as "forearm"; "" for helpers.

    A side attached in front, as in "lfemur", is removed too.
    """
    words = [word for word in _words(name) if word not in _FILLERS]
    if set(words) & NOT_JOINTS:
        return ""
    text = "".join(word for word in words if not word.isdigit())
    number = _NUMBERED.search(joint_names.node_name(name).lower())
    if number is not None and text in _CHAINS:
        segment = int(number[1])
        return _CHAINS[text][segment] if segment < len(_CHAINS[text]) else ""
    for known in sorted({*_PLAIN, *_CONTEXT}, key=len, reverse=True):
        is_side = text.removesuffix(known) in ("", "l", "r", "left", "right")
        if text.endswith(known) and (is_side or len(words) > 1):
            return known
    return text


def _part(word: str, words: set[str]) -> str | None:
    """Body part by compact name; `words`: compact names of all joints of the character."""
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


class PriorRange(NamedTuple):
    """Normal range of a body part."""

    part: str
    """One of :data:`jointlimits_core.limits.priors.PARTS`."""
    motions: Mapping[str, tuple[tuple[float, str], ...]]
    """Clinical figures by anatomical motion, such as "flexion": degrees from the anatomical
    position, each with the title of its source."""
    hinge: tuple[str, str] | None = None
    """For hinges: the motion with the large range, and its opposite."""

    def typical_deg(self, motion: str) -> float:
        """Median of the clinical figures; 0 if there are none."""
        return median([degrees for degrees, _ in self.motions.get(motion, ())] or [0.0])

    def widest_deg(self, motion: str) -> float:
        """Largest clinical figure; 0 if there are none."""
        return max((degrees for degrees, _ in self.motions.get(motion, ())), default=0.0)

    def sources(self, motions: Sequence[str]) -> tuple[str, ...]:
        """Titles of the clinical sources for these motions, without duplicates."""
        titles = (title for motion in motions for _, title in self.motions.get(motion, ()))
        return tuple(dict.fromkeys(titles))


def matched_prior(names: Sequence[str]) -> dict[str, PriorRange]:
    """Normal ranges of recognized joints, by joint name.

    Covers limbs and fingers only, since the joints of a neck or spine share one anatomical motion
    in unknown proportions. `names`: all joints of the character.
    """
    ranges = prior_ranges()
    parts = body_parts(names)
    return {name: ranges[parts[name]] for name in names if parts.get(name) in ranges}


@lru_cache(maxsize=1)
def prior_ranges() -> dict[str, PriorRange]:
    """All normal ranges by body part; those from simulations are not read."""
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    motions: dict[str, dict[str, tuple[tuple[float, str], ...]]] = {}
    for row in data["ranges"]:
        source, own = data["sources"][row["source"]], motions.setdefault(row["part"], {})
        if source["kind"] == "clinical":
            figure = (float(row["deg"]), source["title"])
            own[row["motion"]] = (*own.get(row["motion"], ()), figure)
    hinges = {part: (pair[0], pair[1]) for part, pair in data["hinges"].items()}
    return {part: PriorRange(part, found, hinges.get(part)) for part, found in motions.items()}
