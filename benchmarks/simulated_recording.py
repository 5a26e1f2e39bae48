"""Sensors on the bones of recorded motion: real motion, and a known skeleton.

Where sensors sit
    On each chosen bone, between 0.3 and 0.7 of its length, 5 to 12 cm off it in any direction, in
    any mount, all drawn per seed; the same in all clips of the person.
Skin that repeats with the motion
    Half of its variance is a mass on a spring with a damper, driven by the acceleration of the
    place where the sensor sits; half follows the rotation of the bone against its parent by a
    linear map that is drawn per sensor. So a stride that repeats has skin that repeats, which no
    filter over time separates from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import (
    conjugate,
    multiply,
    normalize,
    quaternion_from_rotation_vector,
    rotate,
    rotation_vector_from_quaternion,
)
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from jointlimits_core.skeleton_fit.result import BodyFit
from jointlimits_core.skeleton_fit.tracks import BodyTracks, bodies_from_motion

CMU_BONES = (
    *("root", "lowerback", "upperback", "thorax", "lowerneck", "upperneck", "head"),
    *(side + bone for side in "lr" for bone in ("femur", "tibia", "foot", "toes")),
    *(side + bone for side in "lr" for bone in ("humerus", "radius", "wrist", "hand")),
)
"""Bones of CMU's ASF files that get a sensor, 23: all that move, without the thumbs, which begin
where the hands do."""
AWAY_M = (0.05, 0.12)
ALONG = (0.3, 0.7)
DRAWS, BOUND_FRAMES = 2000, 400
"""Number of random errors for an expectation, and of frames of a clip for a bound."""
SPRING_HZ, DAMPING = 7.0, 0.3
"""Frequency and damping of soft tissue on thigh and shin: 5 to 10 Hz, with a few swings after heel
strike."""


@dataclass(frozen=True)
class RecordingFaults:
    """Faults of sensors on a recording; none by default.

    Parameters
    ----------
    noise, noise_deg : float
        One sd of independent noise per axis and frame, metres and degrees.
    skin, skin_deg : float
        One sd per axis of skin that repeats with the motion, metres and degrees.
    """

    noise: float = 0.0
    noise_deg: float = 0.0
    skin: float = 0.0
    skin_deg: float = 0.0


@dataclass(frozen=True, eq=False)
class SimulatedRecording:
    """Tracks of the clips of one person and the truth behind them.

    Parameters
    ----------
    clips : tuple of BodyTracks
    parents : tuple of int
        Of every body; -1 for the root.
    outboard, inboard : arrays, shape (bodies, 3)
        Each body's joint to its parent, in its own sensor's frame and in its parent's; NaN for
        the root.
    """

    clips: tuple[BodyTracks, ...]
    parents: tuple[int, ...]
    outboard: Floats
    inboard: Floats

    def edges(self) -> frozenset[frozenset[int]]:
        """Pairs of joined bodies."""
        return frozenset(
            frozenset((child, parent)) for child, parent in enumerate(self.parents) if parent >= 0
        )

    def errors_m(self, fit: BodyFit) -> Floats:
        """Distance of every joint between the right bodies from the true one, metres.

        The worse of the two bodies; across directions along which the place is known only.
        """
        errors = []
        for joint in fit.joints:
            ends = self._ends(joint.child, joint.parent)
            if ends is None:
                continue
            known = np.isfinite(joint.deviation_m)
            in_child = joint.directions_in_child @ (joint.centre_in_child - ends[0])
            in_parent = joint.directions_in_parent @ (joint.centre_in_parent - ends[1])
            errors.append(max(np.linalg.norm(in_child[known]), np.linalg.norm(in_parent[known])))
        return np.array(errors)

    def least_errors_m(self, fit: BodyFit, faults: RecordingFaults) -> Floats:
        """Expected errors of the joints of `errors_m` for the best possible unbiased estimate.

        The Cramer-Rao bound of white noise: unknown are every pose of every body and all places of
        joints; the tree, the noise and its sizes are known. The expectation of the worse of a
        joint's two errors is that of normal errors with the bound as covariance.
        """
        row = {child: number for number, child in enumerate(self._children())}
        bounds = self._bounds(faults)
        draws = np.random.default_rng(0).normal(size=(DRAWS, 6))
        least = []
        for joint in fit.joints:
            if self._ends(joint.child, joint.parent) is None:
                continue
            inward = self.parents[joint.child] == joint.parent
            values, vectors = np.linalg.eigh(bounds[row[joint.child if inward else joint.parent]])
            off = draws * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
            sides = (off[:, :3], off[:, 3:]) if inward else (off[:, 3:], off[:, :3])
            known = np.isfinite(joint.deviation_m)
            both = [
                np.linalg.norm(side @ directions[known].T, axis=1)
                for side, directions in zip(
                    sides, (joint.directions_in_child, joint.directions_in_parent)
                )
            ]
            least.append(float(np.maximum(*both).mean()))
        return np.array(least)

    def _children(self) -> list[int]:
        return [child for child, parent in enumerate(self.parents) if parent >= 0]

    def _bounds(self, faults: RecordingFaults) -> Floats:
        """Least covariance of each joint's place in child and parent, shape (joints, 6, 6).

        In every frame the gaps of all joints are linear in the places, with the noise of both
        bodies; everything else about the poses takes part in no gap.
        """
        children = self._children()
        information = np.zeros((6 * len(children), 6 * len(children)))
        for clip in self.clips:
            step = max(1, clip.frame_count // BOUND_FRAMES)
            turns = np.stack([one[::step] for one in clip.matrices()])
            places, noises = self._slopes(children, turns, faults)
            covariance = noises @ np.swapaxes(noises, 1, 2)
            part = np.swapaxes(places, 1, 2) @ np.linalg.solve(covariance, places)
            information += clip.frame_count * part.mean(axis=0)
        values, vectors = np.linalg.eigh(information)
        # Directions in which nothing moves are not counted.
        inverse = (vectors / np.maximum(values, 1.0)) @ vectors.T
        blocks = inverse.reshape(len(children), 6, len(children), 6)
        return np.stack([blocks[row, :, row] for row in range(len(children))])

    def _slopes(
        self, children: Sequence[int], turns: Floats, faults: RecordingFaults
    ) -> tuple[Floats, Floats]:
        """Derivatives of all gaps by the places, and by the unit noises of all bodies."""
        frames, tilt = turns.shape[1], np.radians(faults.noise_deg)
        places = np.zeros((frames, 3 * len(children), 6 * len(children)))
        noises = np.zeros((frames, 3 * len(children), 6 * len(self.parents)))
        for number, child in enumerate(children):
            rows, own = slice(3 * number, 3 * number + 3), 6 * number
            parent = self.parents[child]
            places[:, rows, own : own + 3] = turns[child]
            places[:, rows, own + 3 : own + 6] = -turns[parent]
            ends = ((child, self.outboard[child], 1.0), (parent, self.inboard[child], -1.0))
            for body, arm, sign in ends:
                noises[:, rows, 6 * body : 6 * body + 3] = sign * faults.noise * np.eye(3)
                turned = turns[body] @ np.cross(np.eye(3), arm).T
                noises[:, rows, 6 * body + 3 : 6 * body + 6] = sign * tilt * turned
        return places, noises

    def _ends(self, child: int, parent: int) -> tuple[Floats, Floats] | None:
        """True place of a joint in both bodies; None if they are not joined."""
        if self.parents[child] == parent:
            return self.outboard[child], self.inboard[child]
        if self.parents[parent] == child:
            return self.inboard[parent], self.outboard[parent]
        return None


def recorded_figure(
    motions: Sequence[Motion],
    bones: Sequence[str],
    seed: int,
    faults: RecordingFaults | None = None,
) -> SimulatedRecording:
    """Sensors on a person's bones in some clips.

    Parameters
    ----------
    motions : sequence of Motion
        Of one skeleton.
    bones : sequence of str
        Joints that get a sensor, parents first.
    seed : int
        Draws places, mounting and faults.
    faults : RecordingFaults, optional

    Returns
    -------
    SimulatedRecording
    """
    generator = np.random.default_rng(seed)
    faults = faults or RecordingFaults()
    parents = nearest_above(motions[0].skeleton, bones)
    sensors = _places(generator, motions[0].skeleton, bones)
    mounts = normalize(generator.normal(size=(len(bones), 4)))
    followers = generator.normal(size=(2, len(bones), 3, 3))
    clips = []
    for motion in motions:
        exact = bodies_from_motion(motion, list(bones))
        skin = _skin(exact, parents, sensors, followers, faults)
        clips.append(_sensed(generator, exact, sensors, mounts, skin, faults))
    outboard = rotate(conjugate(mounts), -sensors)
    inboard = _in_parents(bodies_from_motion(motions[0], list(bones)), parents, sensors, mounts)
    return SimulatedRecording(tuple(clips), tuple(parents), outboard, inboard)


def nearest_above(figure: Skeleton, chosen: Sequence[str]) -> list[int]:
    """Parent of every chosen bone among the chosen ones."""
    parents = []
    for name in chosen:
        above = figure.parent_name(name)
        while above is not None and above not in chosen:
            above = figure.parent_name(above)
        parents.append(-1 if above is None else list(chosen).index(above))
    return parents


def _places(generator: np.random.Generator, figure: Skeleton, bones: Sequence[str]) -> Floats:
    """Sensors in the axes of their bones, metres, shape (bones, 3)."""
    places = np.zeros((len(bones), 3))
    for row, bone in enumerate(bones):
        below = [i for i, p in enumerate(figure.parents) if figure.names[p] == bone and p >= 0]
        ends = figure.offsets[below] * (figure.meters_per_unit or 0.01)
        end = ends[np.argmax(np.linalg.norm(ends, axis=1))] if below else np.zeros(3)
        off = generator.normal(size=3)
        off *= generator.uniform(*AWAY_M) / np.linalg.norm(off)
        places[row] = generator.uniform(*ALONG) * end + off
    return places


def _in_parents(
    exact: BodyTracks, parents: Sequence[int], sensors: Floats, mounts: Floats
) -> Floats:
    """Each joint in the frame of the parent's sensor, shape (bodies, 3)."""
    found = np.full((len(parents), 3), np.nan)
    for child, parent in enumerate(parents):
        if parent >= 0:
            step = exact.positions[child, 0] - exact.positions[parent, 0]
            local = rotate(conjugate(exact.rotations[parent, :, 0]), step)
            found[child] = rotate(conjugate(mounts[parent]), local - sensors[parent])
    return found


def _sensed(
    generator: np.random.Generator,
    exact: BodyTracks,
    sensors: Floats,
    mounts: Floats,
    skin: tuple[Floats, Floats],
    faults: RecordingFaults,
) -> BodyTracks:
    """One clip as its sensors give it."""
    bones = np.swapaxes(exact.rotations, 1, 2)
    shift, tilt = skin
    positions = exact.positions + rotate(bones, sensors[:, None] + shift)
    positions = positions + faults.noise * generator.normal(size=positions.shape)
    turns = multiply(multiply(bones, quaternion_from_rotation_vector(tilt)), mounts[:, None])
    shaken = np.radians(faults.noise_deg) * generator.normal(size=positions.shape)
    turns = normalize(multiply(turns, quaternion_from_rotation_vector(shaken)))
    rotations = np.ascontiguousarray(np.swapaxes(turns, 1, 2))
    return BodyTracks(exact.names, positions, rotations, exact.frame_rate, name=exact.name)


def _skin(
    exact: BodyTracks,
    parents: Sequence[int],
    sensors: Floats,
    followers: Floats,
    faults: RecordingFaults,
) -> tuple[Floats, Floats]:
    """Shift and tilt of every sensor in its bone's axes, shape (bodies, frames, 3) each."""
    if not (faults.skin or faults.skin_deg):
        nothing = np.zeros_like(exact.positions)
        return nothing, nothing
    bones = np.swapaxes(exact.rotations, 1, 2)
    places = exact.positions + rotate(bones, sensors[:, None])
    push = np.gradient(np.gradient(places, axis=1), axis=1) * exact.frame_rate**2
    swing = _on_spring(rotate(conjugate(bones), -push), exact.frame_rate)
    above = bones[[max(parent, 0) for parent in parents]]
    bend = rotation_vector_from_quaternion(multiply(conjugate(above), bones))
    bend[[parent < 0 for parent in parents]] = 0.0
    shift, tilt = (
        _unit(_unit(swing) + _unit(np.einsum("bij,bfj->bfi", follower, bend)))
        for follower in followers
    )
    return faults.skin * shift, np.radians(faults.skin_deg) * tilt


def _on_spring(push: Floats, frame_rate: float) -> Floats:
    """Displacement of a mass on a damped spring, shape as given, by its transfer function."""
    omega = 2.0 * np.pi * np.fft.rfftfreq(push.shape[1], 1.0 / frame_rate)
    own = 2.0 * np.pi * SPRING_HZ
    response = 1.0 / (own**2 - omega**2 + 2.0j * DAMPING * own * omega)
    spectrum = np.fft.rfft(push, axis=1) * response[:, None]
    return np.fft.irfft(spectrum, push.shape[1], axis=1)


def _unit(values: Floats) -> Floats:
    """About its mean, rms 1 per axis over all frames of a body; zero where nothing moves."""
    moved = values - values.mean(axis=1, keepdims=True)
    size = np.sqrt(np.mean(moved**2, axis=(1, 2), keepdims=True))
    return np.asarray(np.divide(moved, size, out=np.zeros_like(moved), where=size > 1e-9))
