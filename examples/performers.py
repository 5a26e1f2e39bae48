"""Those who perform: a person, a hand, a dog and the arm of a robot, all invented.

Y is up, they look along +Z, their left is +X. Poses hold rotateX, rotateY and rotateZ in degrees,
those of the right side as on the left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .captured_motion import Angles, Bone, Fault, Gait, Performer, Pose

Cycles = Mapping[str, Sequence[float]]


def _both(*left: Bone) -> list[Bone]:
    """Bones of the left side, then the same of the right."""
    right = []
    for bone in left:
        name, parent = (one.replace("Left", "Right") for one in (bone.name, bone.parent))
        (x, y, z), (ex, ey, ez) = bone.offset, bone.end
        right.append(replace(bone, name=name, parent=parent, offset=(-x, y, z), end=(-ex, ey, ez)))
    return [*left, *right]


def _sides(**left: Angles) -> Pose:
    """The same angles on both sides; names without their side."""
    return {f"{side}{name}": angles for side in ("Left", "Right") for name, angles in left.items()}


def _limb(side: str, phase: float, cycles: Cycles) -> dict[str, tuple[float, Sequence[float]]]:
    """The cycles of one limb of a gait, that much earlier; names without their side."""
    return {f"{side}{channel}": (phase, angles) for channel, angles in cycles.items()}


# --- a person -------------------------------------------------------------------------------------

_PERSON_BONES = [
    Bone("Hips", "", (0.0, 94.0, 0.0), "zxy"),
    Bone("Spine", "Hips", (0.0, 10.4, -0.6), "zyx"),
    Bone("Chest", "Spine", (0.0, 18.2, -1.5), "zyx"),
    Bone("Neck", "Chest", (0.0, 22.6, -0.4), "zxy"),
    Bone("Head", "Neck", (0.0, 9.3, 1.8), "zxy", (0.0, 17.5, 2.0)),
    *_both(
        Bone("LeftShoulder", "Chest", (3.1, 17.2, 0.6)),
        Bone("LeftArm", "LeftShoulder", (14.3, 1.2, -2.2)),
        Bone("LeftForeArm", "LeftArm", (28.4, 0.0, 0.0), "xzy"),
        Bone("LeftHand", "LeftForeArm", (25.1, 0.0, 0.0), "yxz", (17.0, 0.0, 0.0)),
    ),
    *_both(
        Bone("LeftUpLeg", "Hips", (9.2, -4.1, 0.0), "zyx"),
        Bone("LeftLeg", "LeftUpLeg", (0.4, -42.3, 0.5), "zyx"),
        Bone("LeftFoot", "LeftLeg", (0.2, -40.6, -2.3), "zyx"),
        Bone("LeftToeBase", "LeftFoot", (0.6, -6.2, 12.6), "zyx", (0.2, -0.6, 6.8)),
    ),
]
_STAND: Pose = {
    **_sides(Arm=(4, -6, -76), ForeArm=(-8, -14, 0), Hand=(0, -4, -6), Shoulder=(0, 2, -3)),
    **_sides(UpLeg=(1, 7, 4), Leg=(4, 0, 0), Foot=(-5, 3, -3)),
    "LeftShoulder": (0, 1, -6),
    "Spine": (3, 0, 1),
    "Chest": (4, 0, -1),
    "Neck": (10, 0, 0),
    "Head": (-12, 3, 1),
}
_SQUAT: Pose = {
    **_STAND,
    **_sides(Arm=(-46, -84, -14), ForeArm=(-20, -22, 0), Hand=(0, -8, 14)),
    **_sides(UpLeg=(-88, 12, 16), Leg=(104, 4, 0), Foot=(-29, 5, -4), ToeBase=(-6, 0, 0)),
    "Hips": (24, 30, 0),
    "Spine": (22, 2, 0),
    "Neck": (-8, 0, 0),
    "Head": (-18, 4, 0),
}
_GREET: Pose = {
    **_STAND,
    "Hips": (0, 34, 3),
    "RightShoulder": (0, 4, 12),
    "RightArm": (-38, -34, 14),
    "RightForeArm": (32, -104, 0),
    "RightHand": (6, 4, -28),
    "Chest": (-2, -6, -5),
    "Neck": (2, -18, 2),
    "Head": (-10, -22, -6),
}
_REACH: Pose = {
    **_STAND,
    **_sides(Arm=(-22, -18, 72), ForeArm=(14, -20, 0), Hand=(0, 8, 34), Shoulder=(0, 6, 24)),
    **_sides(Foot=(14, 2, -3), ToeBase=(-22, 0, 0), Leg=(2, 0, 0)),
    "LeftArm": (-18, -26, 58),
    "Hips": (-3, 32, 0),
    "Spine": (-8, 4, -3),
    "Chest": (-14, 6, -8),
    "Neck": (-18, 6, 0),
    "Head": (-22, 10, 0),
}
_LEAN: Pose = {
    **_REACH,
    **_sides(Foot=(-4, 3, -9), ToeBase=(0, 0, 0), UpLeg=(2, 6, 9)),
    "RightUpLeg": (0, 8, -4),
    "LeftArm": (12, -8, -62),
    "LeftForeArm": (-14, -64, 0),
    "Hips": (0, 28, 4),
    "Spine": (0, -12, 16),
    "Chest": (2, -16, 14),
    "Head": (-4, -34, 10),
}
_KNEE: Pose = {
    **_STAND,
    **_sides(Arm=(10, -30, -58), ForeArm=(-10, -74, 0)),
    "RightArm": (8, 24, -64),
    "LeftUpLeg": (-96, 2, 8),
    "LeftLeg": (112, -3, 0),
    "LeftFoot": (18, 0, 4),
    "LeftToeBase": (12, 0, 0),
    "RightUpLeg": (3, 4, -5),
    "Hips": (-4, 24, 3),
    "Spine": (8, -10, -4),
    "Chest": (6, -12, 0),
    "Neck": (22, 8, 0),
}
_TWIST: Pose = {
    **_STAND,
    **_sides(Arm=(0, -62, -30), ForeArm=(-26, -96, 0), Hand=(-4, -12, 10)),
    "LeftArm": (14, 22, -44),
    "Hips": (2, 44, 0),
    "Spine": (6, 22, 2),
    "Chest": (6, 26, 4),
    "Neck": (8, 24, 0),
    "Head": (-8, 34, 6),
    "RightUpLeg": (-4, 18, 5),
}
_WAVE_OUT: Pose = {**_GREET, "RightForeArm": (44, -62, 0), "RightHand": (-4, -16, 22)}
# Hips, knees, ankles and toes of a step that begins with the heel.
_STEP_LEG: Cycles = {
    "UpLeg x": (-27, -24, -16, -8, 0, 7, 10, 5, -8, -22, -30, -30),
    "UpLeg y": (2, 1, 0, -1, -2, -3, -3, -1, 1, 3, 3, 3),
    "Leg x": (2, 12, 16, 10, 5, 4, 11, 32, 56, 54, 27, 4),
    "Foot x": (0, 6, 0, -5, -8, -10, -2, 16, 10, 2, -1, -2),
    "ToeBase x": (-6, 0, 0, 0, -2, -10, -26, -18, -4, -4, -8, -10),
}
_STEP_ARM: Cycles = {
    "Arm y": (20, 18, 12, 4, -6, -14, -18, -16, -10, 0, 10, 17),
    "ForeArm y": (4, 2, 0, -4, -10, -16, -20, -18, -12, -6, 0, 3),
    "Shoulder y": (3, 2, 0, -2, -3, -4, -4, -3, -1, 1, 3, 3),
}
_STEP_TRUNK: Cycles = {
    "Hips y": (-6, -5, -3, 0, 3, 5, 6, 5, 3, 0, -3, -5),
    "Hips z": (0, 3, 4, 2, 0, -1, 0, -3, -4, -2, 0, 1),
    "Spine y": (5, 4, 2, 0, -2, -4, -5, -4, -2, 0, 2, 4),
    "Chest y": (7, 6, 3, 0, -4, -6, -7, -6, -3, 0, 4, 6),
    "Head y": (-5, -4, -2, 0, 3, 4, 5, 4, 2, 0, -3, -4),
}
_PERSON_SCORE: list[tuple[float, Pose]] = [
    (0.0, _STAND),
    (0.7, _STAND),
    (3.4, {**_STAND, "Hips": (3, 12, 0)}),
    (6.0, {**_STAND, "Hips": (1, 30, 0)}),
    (6.7, {**_STAND, "Hips": (0, 31, 0)}),
    (7.9, _SQUAT),
    (8.4, {**_SQUAT, "Head": (-8, -12, 2)}),
    (9.5, {**_STAND, "Hips": (0, 32, 0)}),
    (10.3, _GREET),
    (10.7, _WAVE_OUT),
    (11.05, _GREET),
    (11.4, {**_WAVE_OUT, "Head": (-6, -28, -9)}),
    (11.8, _GREET),
    (13.0, _REACH),
    (13.4, _REACH),
    (14.4, _LEAN),
    (15.4, {**_STAND, "Hips": (0, 30, 0)}),
    (16.3, _KNEE),
    (17.2, {**_STAND, "Hips": (1, 30, 0)}),
    (18.1, _TWIST),
    (19.2, {**_STAND, "Hips": (0, 26, 0)}),
    (20.0, {**_STAND, "Hips": (0, 27, 0)}),
]
# One side steps and swings a little further than the other.
_RIGHT_LEG: Cycles = {**_STEP_LEG, "Leg x": (3, 11, 14, 9, 5, 5, 12, 34, 60, 57, 28, 5)}
_RIGHT_ARM: Cycles = {**_STEP_ARM, "Arm y": (14, 13, 9, 3, -5, -10, -13, -11, -7, 0, 7, 12)}
PERSON = Performer(
    "walk_and_stretch",
    _PERSON_BONES,
    _PERSON_SCORE,
    Gait(
        *(0.9, 6.4, 1.12),
        {
            **_limb("Left", 0.0, {**_STEP_LEG, **_STEP_ARM}),
            **_limb("Right", 0.5, {**_RIGHT_LEG, **_RIGHT_ARM}),
            **_limb("", 0.0, _STEP_TRUNK),
        },
    ),
    {"LeftFoot": 7.6, "RightFoot": 7.6, "LeftToeBase": 1.4, "RightToeBase": 1.4},
    fault=Fault("LeftHand", 452, 458, (64, -21, 38)),
    seed=11,
)

# --- a hand ---------------------------------------------------------------------------------------

_FINGERS = {
    "Index": ((8.9, 0.4, 2.6), (4.3, 2.6, 2.1)),
    "Middle": ((9.1, 0.6, 0.3), (4.8, 3.0, 2.2)),
    "Ring": ((8.5, 0.3, -1.8), (4.4, 2.8, 2.2)),
    "Pinky": ((7.7, -0.2, -3.7), (3.4, 2.0, 1.9)),
}
"""Where a finger begins, and the lengths of its bones."""


def _finger(name: str, start: Angles, lengths: Angles) -> list[Bone]:
    first, second, third = lengths
    return [
        Bone(f"{name}1", "Hand", start, "zyx"),
        Bone(f"{name}2", f"{name}1", (first, 0.0, 0.0), "zyx"),
        Bone(f"{name}3", f"{name}2", (second, 0.0, 0.0), "zyx", (third, 0.0, 0.0)),
    ]


def _grip(bends: Sequence[float], spread: float, thumb: Sequence[float], wrist: Angles) -> Pose:
    """Pose of a hand: the bend of each finger, how far they spread, thumb across and bent."""
    across, bent = thumb
    pose: dict[str, Angles] = {"ForeArm": (0, -62, 78), "Hand": wrist}
    pose.update(Thumb1=(-10, across, -0.3 * bent), Thumb2=(0, 0.6 * bent, 0), Thumb3=(0, bent, 0))
    for (name, _), bend, aside in zip(_FINGERS.items(), bends, (-1.0, -0.1, 0.7, 1.5)):
        pose[f"{name}1"] = (0, spread * aside, -0.85 * bend)
        pose[f"{name}2"] = (0, 0, -1.05 * bend)
        pose[f"{name}3"] = (0, 0, -0.66 * bend)
    return pose


_OPEN = _grip((9, 7, 8, 11), 4, (-34, 8), (0, 4, 8))
HAND = Performer(
    "hand",
    [
        Bone("ForeArm", "", (0.0, 0.0, 0.0), "zyx"),
        Bone("Hand", "ForeArm", (11.0, 0.0, 0.0), "zyx"),
        Bone("Thumb1", "Hand", (2.4, -0.8, 2.7), "zyx"),
        Bone("Thumb2", "Thumb1", (4.4, 0.0, 0.6), "zyx"),
        Bone("Thumb3", "Thumb2", (3.2, 0.0, 0.2), "zyx", (2.6, 0.0, 0.0)),
        *(bone for name, sizes in _FINGERS.items() for bone in _finger(name, *sizes)),
    ],
    [
        (0.0, _OPEN),
        (0.6, _grip((2, 1, 2, 3), 14, (-52, 2), (0, -3, 14))),
        (1.7, _grip((84, 88, 86, 82), 1, (14, 42), (0, 2, 24))),
        (2.2, _grip((86, 90, 88, 85), 1, (17, 48), (0, 4, 27))),
        (3.0, _OPEN),
        (3.7, _grip((44, 18, 11, 9), 5, (10, 26), (0, -6, 4))),
        (4.3, _grip((16, 46, 14, 12), 4, (18, 28), (0, -4, 6))),
        (4.9, _grip((13, 19, 48, 18), 4, (24, 31), (0, 2, 5))),
        (5.5, _grip((12, 15, 24, 52), 6, (31, 36), (0, 5, 2))),
        (6.3, _grip((4, 85, 84, 80), 2, (12, 38), (0, 9, -4))),
        (7.2, _grip((6, 4, 82, 79), 9, (18, 40), (0, -14, 10))),
        (8.0, _grip((3, 2, 4, 2), 12, (-46, 0), (0, 17, -46))),
        (9.0, _OPEN),
    ],
    alive=0.6,
    seed=5,
)

# --- a dog ----------------------------------------------------------------------------------------

_DOG_BONES = [
    Bone("Hips", "", (0.0, 52.0, -24.0), "zxy"),
    Bone("Spine", "Hips", (0.0, 2.2, 11.0), "zyx"),
    Bone("Chest", "Spine", (0.0, 0.6, 20.0), "zyx"),
    Bone("Neck", "Chest", (0.0, 5.0, 19.0), "zyx"),
    Bone("Head", "Neck", (0.0, 11.5, 9.5), "zyx", (0.0, -2.0, 17.0)),
    Bone("Tail1", "Hips", (0.0, 1.5, -8.0), "zyx"),
    Bone("Tail2", "Tail1", (0.0, -5.0, -9.0), "zyx"),
    Bone("Tail3", "Tail2", (0.0, -4.0, -9.0), "zyx", (0.0, -1.0, -9.0)),
    *_both(
        Bone("LeftShoulder", "Chest", (4.5, 2.0, 12.0), "zyx"),
        Bone("LeftArm", "LeftShoulder", (1.8, -12.0, 6.0), "zyx"),
        Bone("LeftForeArm", "LeftArm", (0.6, -15.5, -6.5), "zyx"),
        Bone("LeftPaw", "LeftForeArm", (0.2, -19.0, 1.2), "zyx"),
        Bone("LeftToes", "LeftPaw", (0.0, -5.6, 2.4), "zyx", (0.0, -1.0, 4.0)),
    ),
    *_both(
        Bone("LeftThigh", "Hips", (5.2, -2.0, -1.5), "zyx"),
        Bone("LeftShin", "LeftThigh", (0.9, -17.5, 6.0), "zyx"),
        Bone("LeftHock", "LeftShin", (0.3, -16.0, -9.5), "zyx"),
        Bone("LeftHindToes", "LeftHock", (0.0, -13.2, 3.0), "zyx", (0.0, -1.2, 4.5)),
    ),
]
_FRONT_LEG: Cycles = {
    "Shoulder x": (-8, -5, -1, 4, 8, 9, 4, -4, -9, -10),
    "Arm x": (-16, -10, -3, 5, 12, 16, 6, -10, -20, -21),
    "ForeArm x": (4, 2, 1, 1, 3, -8, -46, -54, -28, -3),
    "Paw x": (-2, 2, 4, 4, 2, 8, 40, 50, 22, -1),
    "Toes x": (0, -2, -6, -12, -18, -12, 14, 18, 8, 1),
}
_HIND_LEG: Cycles = {
    "Thigh x": (-21, -13, -4, 6, 15, 19, 8, -10, -22, -25),
    "Shin x": (-4, 2, 6, 4, 0, 6, 32, 40, 20, 0),
    "Hock x": (6, 0, -4, -4, -6, -14, -30, -34, -14, 4),
    "HindToes x": (-2, 0, -2, -8, -18, -14, 12, 16, 8, 0),
}
_BACK: Cycles = {
    "Hips y": (-4, -4, -2, 1, 3, 4, 4, 2, -1, -3),
    "Hips z": (3, 2, 0, -2, -3, -3, -2, 0, 2, 3),
    "Spine y": (5, 4, 2, -1, -4, -5, -4, -2, 1, 4),
    "Chest y": (-3, -2, 0, 2, 3, 3, 2, 0, -2, -3),
    "Neck x": (4, 1, -3, -4, 0, 4, 1, -3, -4, 0),
    "Tail1 y": (14, 9, 0, -9, -15, -14, -8, 1, 9, 14),
    "Tail2 y": (10, 14, 9, 0, -9, -15, -14, -8, 1, 9),
    "Tail3 y": (1, 10, 14, 9, 0, -9, -15, -14, -8, 1),
}
_DOG_STANDS: Pose = {
    "Hips": (0, -46, 0),
    "Neck": (4, 0, 0),
    "Head": (6, 0, 0),
    "Tail1": (6, 0, 0),
    "Tail2": (14, 0, 0),
}
_DOG_LOOKS: Pose = {
    **_DOG_STANDS,
    "Spine": (0, 6, 0),
    "Chest": (-2, 9, 3),
    "Neck": (-14, 32, 4),
    "Head": (4, 26, -14),
    "Tail1": (38, 6, 0),
    "Tail2": (24, -8, 0),
}
_DOG_BOWS: Pose = {
    **_sides(Shoulder=(-12, 3, 0), Arm=(-42, 0, 5), ForeArm=(-26, 0, 0), Paw=(-6, 0, 0)),
    **_sides(Thigh=(-28, 4, 3), Shin=(6, 0, 0), Hock=(-4, 0, 0), Toes=(-12, 0, 0)),
    "Hips": (24, -36, 0),
    "Spine": (10, -4, 0),
    "Chest": (6, -6, 0),
    "Neck": (-34, 8, 0),
    "Head": (-12, -9, 6),
    "Tail1": (52, 14, 0),
    "Tail2": (30, 20, 0),
    "Tail3": (16, 12, 0),
}
DOG = Performer(
    "dog",
    _DOG_BONES,
    [
        (0.0, _DOG_STANDS),
        (4.0, {**_DOG_STANDS, "Hips": (0, -37, 0)}),
        (5.2, {**_DOG_STANDS, "Hips": (1, -35, 0)}),
        (6.0, {**_DOG_LOOKS, "Hips": (0, -34, 0)}),
        (6.7, {**_DOG_LOOKS, "Neck": (-16, -34, -3), "Head": (8, -29, 16)}),
        (7.8, _DOG_BOWS),
        (8.5, {**_DOG_BOWS, "Tail1": (48, -26, 0), "Tail2": (26, -24, 0)}),
        (9.6, _DOG_STANDS),
        (10.0, _DOG_STANDS),
    ],
    Gait(
        *(0.3, 5.0, 0.84),
        {
            **_limb("Left", 0.0, _HIND_LEG),
            **_limb("Left", 0.75, _FRONT_LEG),
            **_limb("Right", 0.5, _HIND_LEG),
            **_limb("Right", 0.25, _FRONT_LEG),
            **_limb("", 0.0, _BACK),
        },
    ),
    {f"{side}{foot}": 2.2 for side in ("Left", "Right") for foot in ("Toes", "HindToes")},
    alive=0.8,
    seed=3,
)

# --- the arm of a robot ---------------------------------------------------------------------------


def _reach(
    turn: float, shoulder: float, elbow: float, roll: float, bend: float, tool: float
) -> Pose:
    """Pose of an arm of six axes."""
    return {
        "Turntable": (0, turn, 0),
        "UpperArm": (shoulder, 0, 0),
        "Forearm": (elbow, 0, 0),
        "Roll": (0, 0, roll),
        "Wrist": (bend, 0, 0),
        "Tool": (0, 0, tool),
    }


ROBOT = Performer(
    "robot_arm",
    [
        Bone("Base", "", (0.0, 0.0, 0.0)),
        Bone("Turntable", "Base", (0.0, 34.0, 0.0)),
        Bone("UpperArm", "Turntable", (0.0, 11.0, 15.0)),
        Bone("Forearm", "UpperArm", (0.0, 67.0, 0.0)),
        Bone("Roll", "Forearm", (0.0, 3.5, 26.0)),
        Bone("Wrist", "Roll", (0.0, 0.0, 41.0)),
        Bone("Tool", "Wrist", (0.0, 0.0, 12.0), "yxz", (0.0, 0.0, 9.0)),
    ],
    [
        (0.0, _reach(0, -8, 12, 0, 24, 0)),
        (0.8, _reach(-58, 34, 28, -10, 66, 40)),
        (1.4, _reach(-58, 47, 31, -10, 52, 40)),
        (2.0, _reach(-55, 22, 18, -8, 60, 40)),
        (3.2, _reach(71, 18, 9, 62, 38, -75)),
        (3.8, _reach(71, 40, 22, 62, 31, -75)),
        (4.4, _reach(66, 12, -4, 40, -22, -30)),
        (5.4, _reach(18, -31, -38, -74, -58, 96)),
        (6.4, _reach(-104, 26, 41, -31, 71, 118)),
        (7.2, _reach(-104, 49, 12, -31, 44, 118)),
        (8.0, _reach(0, -8, 12, 0, 24, 0)),
    ],
    alive=0.03,
    seed=2,
)
