"""A figure of 16 bodies and 48 degrees of freedom whose joints are known.

The figure
    Pelvis, abdomen, chest, head, and on each side upper arm, forearm, hand, thigh, shin, foot: 15
    ball joints and the turning of the pelvis, 48 degrees of freedom; the pelvis travels besides.
    Lengths differ by 5 % (one sd), where sensors sit by 15 mm, and each sensor is mounted at
    a rotation of its own, all drawn per seed.
The trials
    ``exercise``: every degree of freedom moves all the time, two sinusoids of 0.1 to 0.8 Hz,
    25 degrees rms together. ``walk``: the joint ranges of :data:`WALK_DEG` (half of peak to peak,
    degrees) at a stride of 0.75 to 0.95 Hz, 80 % at the stride and 35 % at twice the stride, left
    and right half a stride apart, and an irregular part of 10 % of the range below 0.4 Hz; the
    pelvis goes to and fro over 4 m. It is a gentle walk, with
    0.4 of the ranges of a brisk one, chosen so that the paper's method alone gets about as many
    hierarchies right as is known of it: 30, 11, 2 of 40 with 10, 20, 30 mm of wobble (known: 33,
    8, 2; with brisk ranges it gets nearly all of them right).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jointlimits_core.geometry.arrays import Booleans, Floats
from jointlimits_core.geometry.quaternion import (
    multiply,
    normalize,
    quaternion_from_rotation_vector,
    rotate,
    rotation_vector_from_quaternion,
)
from jointlimits_core.skeleton_fit.tracks import BodyTracks

from .simulated_faults import Faults, presence, with_faults

STRIDE_HZ = (0.75, 0.95)
HINGED = ("forearm", "shin")
HINGE_LEAN = 0.1
"""Standard deviation, in radians, of the tilt of hinge axes and of the limbs beyond them."""
SIDED = ("upper arm", "forearm", "hand", "thigh", "shin", "foot")
MIDDLE = ("pelvis", "abdomen", "chest", "head")
NAMES = MIDDLE + tuple(f"{side} {part}" for side in ("left", "right") for part in SIDED)
_PARENT_OF = {
    "abdomen": "pelvis",
    "chest": "abdomen",
    "head": "chest",
    "upper arm": "chest",
    "forearm": "upper arm",
    "hand": "forearm",
    "thigh": "pelvis",
    "shin": "thigh",
    "foot": "shin",
}
# Joint to the parent and sensor, standing, metres: x to the left, y up, z forward.
_REST = {
    "pelvis": ((0.00, 0.95, 0.00), (0.00, 1.00, -0.10)),
    "abdomen": ((0.00, 1.06, 0.00), (0.00, 1.14, -0.09)),
    "chest": ((0.00, 1.22, 0.00), (0.00, 1.36, -0.10)),
    "head": ((0.00, 1.50, 0.00), (0.00, 1.64, -0.09)),
    "upper arm": ((0.18, 1.42, 0.00), (0.23, 1.28, 0.00)),
    "forearm": ((0.18, 1.13, 0.00), (0.20, 1.00, 0.04)),
    "hand": ((0.18, 0.87, 0.00), (0.19, 0.80, 0.03)),
    "thigh": ((0.09, 0.92, 0.00), (0.15, 0.70, 0.02)),
    "shin": ((0.09, 0.50, 0.00), (0.10, 0.30, 0.06)),
    "foot": ((0.09, 0.08, 0.00), (0.09, 0.05, 0.11)),
}
WALK_DEG = {
    "pelvis": (0.8, 1.6, 1.2),
    "abdomen": (0.8, 1.2, 1.0),
    "chest": (0.8, 1.6, 0.8),
    "head": (1.2, 1.6, 0.8),
    "upper arm": (6.2, 1.2, 1.2),
    "forearm": (5.0, 1.0, 0.8),
    "hand": (1.6, 0.8, 1.2),
    "thigh": (8.2, 1.2, 1.2),
    "shin": (11.5, 1.2, 0.8),
    "foot": (5.7, 1.2, 1.2),
}
"""Half of peak to peak in a walk, degrees about x (to the left), y (up) and z (forward)."""
EXERCISE_DEG = 25.0


@dataclass(frozen=True, eq=False)
class SimulatedFigure:
    """Tracks of a trial and the truth behind them.

    Parameters
    ----------
    tracks : BodyTracks
    parents : tuple of int
        Of every body; -1 for the pelvis.
    outboard, inboard : arrays, shape (bodies, 3)
        Each body's joint to its parent, in its own sensor's frame and in its parent's; NaN for
        the pelvis.
    wrong : array of bool, shape (bodies, frames)
        Frames that were made outliers.
    """

    tracks: BodyTracks
    parents: tuple[int, ...]
    outboard: Floats
    inboard: Floats
    wrong: Booleans

    def edges(self) -> frozenset[frozenset[int]]:
        """Pairs of joined bodies."""
        return frozenset(
            frozenset((child, parent)) for child, parent in enumerate(self.parents) if parent >= 0
        )


def part_of(name: str) -> str:
    """Body name without its side."""
    return name.partition(" ")[2] if name.startswith(("left ", "right ")) else name


def parent_indices() -> tuple[int, ...]:
    """Parents of :data:`NAMES`."""
    parents = []
    for name in NAMES:
        parent = _PARENT_OF.get(part_of(name))
        sided = f"{name.partition(' ')[0]} {parent}" if parent in SIDED else parent
        parents.append(NAMES.index(sided) if sided else -1)
    return tuple(parents)


def simulated_figure(
    seed: int,
    trial: str = "exercise",
    seconds: float = 45.0,
    frame_rate: float = 60.0,
    faults: Faults | None = None,
    motion_deg: float = EXERCISE_DEG,
    hinges: bool = False,
) -> SimulatedFigure:
    """One trial.

    Parameters
    ----------
    seed : int
        Draws lengths, mounting, motion and faults.
    trial : {"exercise", "walk"}
    seconds, frame_rate : float
    faults : Faults, optional
    motion_deg : float
        Rms of every degree of freedom in an exercise.
    hinges : bool
        Whether knees and elbows turn about one axis only. All else is drawn as without.

    Returns
    -------
    SimulatedFigure
    """
    generator = np.random.default_rng(seed)
    faults = faults or Faults()
    parents = parent_indices()
    count = round(seconds * frame_rate)
    times = np.arange(count) / frame_rate
    joints, sensors = _standing(generator)
    local = _joint_rotations(generator, trial, times, motion_deg)
    if hinges:
        local = _hinged(seed, local)
    bones, origins = _posed(parents, joints, local, _travel(times))
    mounts = normalize(generator.normal(size=(len(NAMES), 4)))
    lever = (sensors - joints)[:, None]
    positions = origins + rotate(bones, lever)
    rotations = multiply(bones, mounts[:, None])
    back = mounts * np.array([-1.0, -1.0, -1.0, 1.0])
    inboard = np.full((len(NAMES), 3), np.nan)
    for child, parent in enumerate(parents):
        if parent >= 0:
            inboard[child] = rotate(back[parent], joints[child] - sensors[parent])
    outboard = rotate(back, joints - sensors)
    outboard[0] = np.nan
    positions, rotations, wrong = with_faults(
        generator, NAMES, positions, rotations, frame_rate, faults
    )
    present = presence(generator, positions.shape[:2], frame_rate, faults.gaps)
    positions[~present], rotations[~present] = np.nan, np.nan
    tracks = BodyTracks(
        names=NAMES,
        positions=positions,
        rotations=np.ascontiguousarray(np.moveaxis(rotations, 1, 2)),
        present=present,
        frame_rate=frame_rate,
        name=f"{trial} {seed}",
    )
    return SimulatedFigure(tracks, parents, outboard, inboard, wrong & present)


def _standing(generator: np.random.Generator) -> tuple[Floats, Floats]:
    """Joints and sensors of a figure that stands, shapes (bodies, 3); left mirrors right."""
    stretch = {part: 1.0 + 0.05 * generator.normal() for part in _REST}
    joints, sensors = np.zeros((len(NAMES), 3)), np.zeros((len(NAMES), 3))
    for index, (name, parent) in enumerate(zip(NAMES, parent_indices())):
        part = part_of(name)
        mirror = np.array([-1.0 if name.startswith("right") else 1.0, 1.0, 1.0])
        joint, sensor = (np.array(point) * mirror for point in _REST[part])
        joints[index] = joint
        if parent >= 0:
            above = part_of(NAMES[parent])
            base = np.array(_REST[above][0]) * (mirror if above in SIDED else 1.0)
            joints[index] = joints[parent] + stretch[above] * (joint - base)
        placement = 0.015 * generator.normal(size=3)
        sensors[index] = joints[index] + stretch[part] * (sensor - joint) + placement
    return joints, sensors


def _joint_rotations(
    generator: np.random.Generator, trial: str, times: Floats, motion_deg: float
) -> Floats:
    """Rotations of every body against its parent, shape (bodies, frames, 4)."""
    if trial == "exercise":
        vectors = _exercise(generator, times, motion_deg)
    elif trial == "walk":
        vectors = _walk(generator, times)
    else:
        raise ValueError(f"no trial {trial!r}; there are 'exercise' and 'walk'")
    return quaternion_from_rotation_vector(np.radians(vectors))


def _hinged(seed: int, local: Floats) -> Floats:
    """The same with knees and elbows that only bend, and limbs that are not quite straight."""
    generator = np.random.default_rng((seed, len(HINGED)))
    bent = local.copy()
    for index, name in enumerate(NAMES):
        if part_of(name) in HINGED:
            axis = normalize(np.array([1.0, 0.0, 0.0]) + HINGE_LEAN * generator.normal(size=3))
            angle = rotation_vector_from_quaternion(local[index])[:, :1]
            out = quaternion_from_rotation_vector([0.0, 0.0, HINGE_LEAN * generator.normal()])
            bent[index] = multiply(quaternion_from_rotation_vector(angle * axis), out)
    return bent


def _exercise(generator: np.random.Generator, times: Floats, motion_deg: float) -> Floats:
    shape = (len(NAMES), 1, 3)
    vectors = np.zeros((len(NAMES), len(times), 3))
    for _ in range(2):
        hz, phase = generator.uniform(0.1, 0.8, shape), generator.uniform(0, 2 * np.pi, shape)
        vectors += motion_deg * np.sin(2 * np.pi * hz * times[:, None] + phase)
    return vectors


def _walk(generator: np.random.Generator, times: Floats) -> Floats:
    stride = generator.uniform(*STRIDE_HZ)
    phases = {part: generator.uniform(0, 2 * np.pi, (2, 3)) for part in _REST}
    vectors = np.empty((len(NAMES), len(times), 3))
    for index, name in enumerate(NAMES):
        part = part_of(name)
        late = np.pi if name.startswith("right") else 0.0
        turn = 2 * np.pi * stride * times[:, None] + late
        first, second = phases[part]
        gait = 0.8 * np.sin(turn + first) + 0.35 * np.sin(2 * turn + second)
        hz = generator.uniform(0.05, 0.4, 3)
        slow = np.sin(2 * np.pi * hz * times[:, None] + generator.uniform(0, 2 * np.pi, 3))
        vectors[index] = np.array(WALK_DEG[part]) * (gait + 0.1 * slow)
    return vectors


def _travel(times: Floats) -> Floats:
    """Position of the pelvis, shape (frames, 3): 4 m to and fro, at about the pace of a walk."""
    z = 2.0 * np.sin(2 * np.pi * times / 9.0)
    return np.stack([0.3 * np.sin(2 * np.pi * times / 13.0), 0.03 * np.sin(11.0 * times), z], -1)


def _posed(
    parents: tuple[int, ...], joints: Floats, local: Floats, travel: Floats
) -> tuple[Floats, Floats]:
    """World rotations and joint positions of every body."""
    bones, origins = local.copy(), np.empty((*local.shape[:2], 3))
    origins[0] = joints[0] + travel
    for child, parent in enumerate(parents):
        if parent >= 0:
            bones[child] = multiply(bones[parent], local[child])
            offset = joints[child] - joints[parent]
            origins[child] = origins[parent] + rotate(bones[parent], offset)
    return bones, origins
