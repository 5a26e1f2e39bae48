"""Joint names in spoken words, where the name allows it."""

from __future__ import annotations

from ..side_names import node_name, words_of

# Anatomical place of each word. Only unambiguous words: "Leg" is a thigh in one rig and a shin in
# another, and stays as it is.
_PLACES = {
    "femur": "hip",
    "upleg": "hip",
    "upperleg": "hip",
    "thigh": "hip",
    "tibia": "knee",
    "lowerleg": "knee",
    "lowleg": "knee",
    "calf": "knee",
    "shin": "knee",
    "foot": "ankle",
    "toebase": "toes",
    "humerus": "shoulder",
    "uparm": "shoulder",
    "upperarm": "shoulder",
    "radius": "elbow",
    "forearm": "elbow",
    "lowerarm": "elbow",
    "clavicle": "collarbone",
    "lowerback": "lower back",
    "upperback": "upper back",
    "thorax": "chest",
    "lowerneck": "lower neck",
    "upperneck": "upper neck",
}
_UNCHANGED = (
    "hip knee ankle toe toes shoulder elbow wrist hand fingers thumb neck head jaw spine chest arm "
    "leg index middle ring pinky finger collar eye tail back waist"
)
_SIDES = {"l": "left", "lt": "left", "left": "left", "r": "right", "rt": "right", "right": "right"}
_NOISE = frozenset(["j", "jnt", "joint", "bind", "bone", "def", "skin", "b"])


def spoken_name(name: str) -> str:
    """Spoken name of a joint.

    Parameters
    ----------
    name : str
        As in the source: "lfemur", "mixamorig:LeftForeArm", "knee_L_jnt".

    Returns
    -------
    str
        "left hip", "left elbow", "left knee"; unknown names keep their own words.
    """
    words = [word for word in words_of(node_name(name)) if word not in _NOISE]
    side = next((_SIDES[word] for word in words if word in _SIDES), None)
    rest = [word for word in words if word not in _SIDES]
    numbers = [word for word in rest if word.isdigit()]
    place = "".join(word for word in rest if not word.isdigit())
    if side is None and place not in _known() and place[:1] in ("l", "r") and place[1:] in _known():
        side, place, rest = _SIDES[place[0]], place[1:], [place[1:], *numbers]
    if place in _PLACES:
        rest = [_PLACES[place], *numbers]
    return " ".join([*([side] if side else []), *rest]) if place else name


def _known() -> frozenset[str]:
    return frozenset(_UNCHANGED.split()) | _PLACES.keys()
