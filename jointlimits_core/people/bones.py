"""Bones of a human figure, found by joint names and checked against the joint tree.

A limb counts only if its joints are below each other in the right order: hip, knee, ankle, toes;
shoulder, elbow, wrist. The pelvis is where the legs meet, the chest where the arms meet. Joints
without a certain role are listed with a reason, and a skeleton that is not exactly one human figure
is rejected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.errors import EstimationError
from ..base.text import names_words
from ..limits.priors import NOT_JOINTS, body_parts
from ..motion.joint_names import FINGER_WORDS, HEAD, LEFT, RIGHT, node_name, side_readings, words_of
from ..motion.skeleton import Skeleton

SIDES = (LEFT, RIGHT)
LIMBS = (("shoulder", "elbow", "wrist"), ("hip", "knee", "ankle", "toes"))
"""Parts of a limb, from the trunk outwards."""
NEEDED = ("hip", "knee", "shoulder", "elbow")
"""Parts that both sides of a human figure must have."""
MIN_UPRIGHT_DEG = 45.0
"""Minimum angle between spine and hip line; at half of it, legs count as square to the spine."""
MIN_SHOULDER_SHARE = 0.01
"""Smallest distance between the shoulders, as a share of the distance from hips to shoulders."""
MIN_BACKWARDS_COSINE = 0.5
"""Cosine of the angle to straight back, above which toes point backwards."""
ANIMAL_WORDS = frozenset(
    (
        *("paw", "hoof", "hock", "fetlock", "pastern", "stifle", "foreleg", "forelimb", "hindleg"),
        *("hindlimb", "frontleg", "backleg", "rearleg", "pincer", "withers", "croup"),
        *("beak", "snout"),
    )
)
"""Words that do not occur in the joint names of human figures."""
EXTRAS = {
    "finger": "the data from people has no fingers",
    "clavicle": "clavicles do not move in the data from people",
    "twist": "a twist joint shares its parent's rotation",
    "roll": "a twist joint shares its parent's rotation",
    "tail": "people have no tail",
    "eye": "the data from people has no face",
    "jaw": "the data from people has no face",
}


class NotHumanError(EstimationError):
    """A skeleton that is not one human figure."""


@dataclass(frozen=True)
class Figure:
    """Bones of a human figure.

    `joints`: index by role, such as "pelvis", "chest", "head", "left knee". `chains`: the joints
    that bend between two roles: "spine" from below the pelvis to the chest, "head" from below the
    chest to the head. `skipped`: reason by name, for every other joint.
    """

    skeleton: Skeleton
    joints: Mapping[str, int]
    chains: Mapping[str, tuple[int, ...]]
    skipped: Mapping[str, str]

    def has(self, *roles: str) -> bool:
        """Whether all these roles were found."""
        return all(role in self.joints for role in roles)

    def rows_of(self, part: str, role: str) -> tuple[int, ...]:
        """Joints of a part: those of its chain, or the one with the role."""
        return self.chains.get(part, (self.joints[role],))

    def below(self, above: str, role: str) -> int:
        """First joint below one role on the way to another."""
        return _path(self.skeleton, self.joints[above], self.joints[role])[0]


def find_figure(skeleton: Skeleton) -> Figure:
    """Bones of the human figure in a skeleton.

    Raises NotHumanError, which says what is missing or does not fit a human figure.
    """
    groups = _groups(skeleton)
    found = {key: _limbs(skeleton, rows) for key, rows in groups.items()}
    people = [key for key, limbs in found.items() if not _missing(limbs)]
    if len(people) > 1:
        raise NotHumanError(
            f"{len(people)} human figures in one skeleton ({names_words(people, noun='figure')}); "
            "give one of them, for example with the joints option"
        )
    if not people:
        best = min(found.values(), key=lambda limbs: len(_missing(limbs)))
        raise NotHumanError(
            f"not a human figure: no {names_words(_missing(best), noun='joint')} found by name; "
            "limits from other people need two arms and two legs with known names"
        )
    rows = groups[people[0]]
    _reject_animal([skeleton.names[row] for row in rows])
    joints = _with_trunk(skeleton, rows, found[people[0]])
    figure = Figure(skeleton, joints, _chains(skeleton, joints), {})
    _reject_posture(figure)
    return Figure(skeleton, joints, figure.chains, _skipped(figure))


def _groups(skeleton: Skeleton) -> dict[str, list[int]]:
    """Joints by namespace, or by root if there is only one namespace."""
    spaces: dict[str, list[int]] = {}
    roots: dict[str, list[int]] = {}
    for row, name in enumerate(skeleton.names):
        short = name.rsplit("|", 1)[-1]
        spaces.setdefault(short.rpartition(":")[0] or skeleton.names[0], []).append(row)
        root = skeleton.ancestors(row)[-1]
        roots.setdefault(skeleton.names[root], []).append(row)
    return spaces if len(spaces) > 1 else roots


def _limbs(skeleton: Skeleton, rows: Sequence[int]) -> dict[str, int]:
    """Joints of the limbs by role, where the tree agrees with the names."""
    names = [skeleton.names[row] for row in rows]
    named: dict[str, int] = {}
    for name, part in body_parts(names).items():
        for reading in side_readings(name)[:1]:
            named.setdefault(f"{reading.side} {part}", skeleton.index(name))
    kept: dict[str, int] = {}
    for side in SIDES:
        for limb in LIMBS:
            above: list[int] = []
            for part in limb:
                row = named.get(f"{side} {part}")
                if row is None or not set(above) <= set(skeleton.ancestors(row)):
                    break
                kept[f"{side} {part}"] = row
                above.append(row)
    return kept


def _missing(limbs: Mapping[str, int]) -> list[str]:
    wanted = [f"{side} {part}" for part in NEEDED for side in SIDES]
    return [role for role in wanted if role not in limbs]


def _reject_animal(names: Sequence[str]) -> None:
    for name in names:
        words = words_of(node_name(name))
        pairs = [first + second for first, second in zip(words, words[1:])]
        odd = ANIMAL_WORDS.intersection((*words, *pairs))
        if odd:
            raise NotHumanError(
                f"not a human figure: {name} is named after a part that people do not have "
                f"({sorted(odd)[0]}); rename it if this is a human figure"
            )


def _with_trunk(
    skeleton: Skeleton, rows: Sequence[int], limbs: Mapping[str, int]
) -> dict[str, int]:
    """Joints of the limbs with pelvis, chest and head."""
    joints = dict(limbs)
    joints["pelvis"] = _meeting(skeleton, joints["left hip"], joints["right hip"])
    joints["chest"] = _meeting(skeleton, joints["left shoulder"], joints["right shoulder"])
    words = {row: words_of(node_name(skeleton.names[row])) for row in rows}
    above = {row: skeleton.ancestors(row)[1:] for row in rows if HEAD in words[row]}
    arms = {joints[f"{side} shoulder"] for side in SIDES}  # what a hand holds has heads, too
    heads = [row for row in above if joints["chest"] in above[row] and arms.isdisjoint(above[row])]
    heads = [row for row in heads if NOT_JOINTS.isdisjoint(words[row])]
    heads = [row for row in heads if not set(heads) & set(above[row])]
    plain = [row for row in heads if len(words[row]) == min(len(words[one]) for one in heads)]
    if len(plain) == 1:
        joints["head"] = plain[0]
    return joints


def _meeting(skeleton: Skeleton, left: int, right: int) -> int:
    """Lowest joint above both."""
    above = skeleton.ancestors(left)[1:]
    shared = [row for row in skeleton.ancestors(right)[1:] if row in above]
    if not shared:
        names = names_words([skeleton.names[left], skeleton.names[right]])
        raise NotHumanError(f"not a human figure: no joint above both {names}")
    return shared[0]


def _path(skeleton: Skeleton, top: int, bottom: int) -> list[int]:
    """Joints below `top` down to `bottom`; empty if `top` is not above it."""
    chain = skeleton.ancestors(bottom)
    return chain[: chain.index(top)][::-1] if top in chain else []


def _chains(skeleton: Skeleton, joints: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    start = joints["pelvis"]
    if start not in skeleton.ancestors(joints["chest"]):
        start = _meeting(skeleton, start, joints["chest"])
    chains = {"spine": tuple(_path(skeleton, start, joints["chest"]))}
    if "head" in joints:
        chains["head"] = tuple(_path(skeleton, joints["chest"], joints["head"]))
    return chains


def _reject_posture(figure: Figure) -> None:
    """Raise NotHumanError if the chest is not above the pelvis, or the figure stands on four legs.

    In the rest pose of a four-legged animal, the spine is level and both limbs point down.
    """
    places = figure.skeleton.rest_world_matrices()[:, :3, 3]
    left, right = (places[figure.joints[f"{side} hip"]] for side in SIDES)
    arms = np.mean([places[figure.joints[f"{side} shoulder"]] for side in SIDES], axis=0)
    across, spine = left - right, arms - 0.5 * (left + right)
    size = float(np.linalg.norm(across) * np.linalg.norm(spine))
    between = np.ptp([places[figure.joints[f"{side} shoulder"]] for side in SIDES], axis=0)
    if np.linalg.norm(between) < MIN_SHOULDER_SHARE * np.linalg.norm(spine):
        raise NotHumanError(
            "not a human figure: in the rest pose, both shoulders are in the same place"
        )
    names = names_words([figure.skeleton.names[figure.joints[f"{side} hip"]] for side in SIDES])
    if size == 0.0 or abs(float(across @ spine)) > size * np.cos(np.radians(MIN_UPRIGHT_DEG)):
        raise NotHumanError(
            f"not a human figure: in the rest pose, {names} are not beside each other below the "
            "shoulders; set another rest pose"
        )
    toes = _bone(figure, places, "ankle", "toes")
    front = np.cross(across, spine) / size
    wide = places[figure.joints["left shoulder"]] - places[figure.joints["right shoulder"]]
    if wide @ across < 0.0 or (toes is not None and toes @ front < -MIN_BACKWARDS_COSINE):
        raise NotHumanError(
            "not a human figure: in the rest pose, left and right of arms or feet do not fit those "
            "of the legs; rename the joints that are on the other side"
        )
    bones = [_bone(figure, places, *ends) for ends in (("hip", "ankle"), ("shoulder", "elbow"))]
    if any(bone is None for bone in bones):
        return
    up = spine / np.linalg.norm(spine)
    leg, arm = (bone @ up for bone in bones if bone is not None)
    alike = bones[0] @ bones[1]  # type: ignore[operator]
    if abs(leg) < np.sin(np.radians(MIN_UPRIGHT_DEG / 2)) and abs(arm) < 0.5 and alike > 0.5:
        raise NotHumanError(
            "not a human figure: in the rest pose, arms and legs point the same way, at right "
            "angles to the spine, like those of an animal on four legs"
        )


def _bone(figure: Figure, places: np.ndarray, start: str, end: str) -> np.ndarray | None:
    """Mean direction of both sides' limbs between two parts, unit; None if unknown."""
    roles = [f"{side} {part}" for side in SIDES for part in (start, end)]
    if not figure.has(*roles):
        return None
    rows = [figure.joints[role] for role in roles]
    summed = places[rows[1]] - places[rows[0]] + places[rows[3]] - places[rows[2]]
    length = float(np.linalg.norm(summed))
    return None if length == 0.0 else np.asarray(summed / length)


def _skipped(figure: Figure) -> dict[str, str]:
    """Reason for every joint without a role, by name."""
    used = {*figure.joints.values(), *(row for chain in figure.chains.values() for row in chain)}
    above = set(figure.skeleton.ancestors(figure.joints["pelvis"]))
    clavicles = {
        row
        for side in SIDES
        for row in _path(figure.skeleton, figure.joints["chest"], figure.joints[f"{side} shoulder"])
    }
    reasons = {}
    for row, name in enumerate(figure.skeleton.names):
        if row not in used:
            known = EXTRAS["clavicle"] if row in clavicles else _reason(name)
            reasons[name] = "it places the figure" if row in above else known
    return reasons


def _reason(name: str) -> str:
    words = set(words_of(node_name(name)))
    if words & FINGER_WORDS:
        return EXTRAS["finger"]
    known = [reason for word, reason in EXTRAS.items() if any(word in one for one in words)]
    return known[0] if known else "its body part is unknown"
