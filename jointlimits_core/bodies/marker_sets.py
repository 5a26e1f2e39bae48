"""Marker sets whose labels name the body part they are on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Union

from .marker_groups import MarkerGroup, groups_by_name

_Body = Union[Sequence[str], Mapping[str, Sequence[str]]]

_MIDDLE: dict[str, _Body] = {
    "pelvis": ["LFWT", "RFWT", "LBWT", "RBWT"],
    "chest": ["CLAV", "STRN", "C7", "T10", "RBAC"],
    "head": ["LFHD", "RFHD", "LBHD", "RBHD"],
}
# Thighs and upper arms have two markers: their frames need the next limb's end (Herda et al.).
_SIDE: dict[str, _Body] = {
    "upper_arm": {"limb": ["?UPA", "?ELB", "?WRA+?WRB"]},
    "forearm": ["?FRM", "?WRA", "?WRB"],
    "hand": ["?WRA", "?WRB", "?FIN"],
    "thigh": {"limb": ["?THI", "?KNE", "?ANK"]},
    # Knee, shin and ankle are nearly on a line: the plane of the knee gives a better rotation.
    "shin": {"limb": ["?ANK", "?KNE", "?THI"]},
    "foot": ["?HEE", "?MT5", "?TOE"],
}
_OTHER_LABELS: tuple[dict[str, str], ...] = (
    {},
    {"FWT": "ASI", "BWT": "PSI", "RBAC": "RBAK", "SHN": "TIB", "MT5": "ANK"},
)
"""The set of CMU's database, and its labels in Vicon's Plug-in Gait set."""
LEAST_BODIES = 5


def known_groups(labels: Collection[str]) -> tuple[MarkerGroup, ...]:
    """Groups of a full-body marker set known by its labels.

    Parameters
    ----------
    labels : collection of str
        Without a subject's name before a colon.

    Returns
    -------
    tuple of MarkerGroup
        The bodies with all markers present, of the set that has most of them; none if fewer than
        five.
    """
    best: tuple[MarkerGroup, ...] = ()
    for names in _OTHER_LABELS:
        patterns = {
            body: wanted
            for body, wanted in _bodies(names).items()
            if all(part in labels for point in _points(wanted) for part in point.split("+"))
        }
        if len(patterns) > max(len(best), LEAST_BODIES - 1):
            best = groups_by_name(tuple(labels), patterns)
    return best


def _bodies(names: Mapping[str, str]) -> dict[str, _Body]:
    """All bodies of a set, with labels renamed by a mapping."""
    bodies = {body: _renamed(wanted, names, "?") for body, wanted in _MIDDLE.items()}
    for side, sign in (("left", "L"), ("right", "R")):
        for body, wanted in _SIDE.items():
            bodies[f"{side}_{body}"] = _renamed(wanted, names, sign)
    return bodies


def _renamed(wanted: _Body, names: Mapping[str, str], sign: str) -> _Body:
    if isinstance(wanted, Mapping):
        return {"limb": [_label(point, names, sign) for point in wanted["limb"]]}
    return [_label(point, names, sign) for point in wanted]


def _label(point: str, names: Mapping[str, str], sign: str) -> str:
    parts = [part.replace("?", sign) for part in point.split("+")]
    for old, new in names.items():
        parts = [
            new if part == old else part[:1] + new if part[1:] == old else part for part in parts
        ]
    return "+".join(parts)


def _points(wanted: _Body) -> Sequence[str]:
    return wanted["limb"] if isinstance(wanted, Mapping) else wanted
