"""Faults of simulated sensors: noise, skin, slips, swaps, gaps and outliers.

Noise: independent per frame and axis (one sd). Wobble: how skin carries a sensor, a random
process of :data:`WOBBLE_HZ`, a band around the stride, so that no band filter takes it out;
one sd per axis for translation (in the body's own axes) and for the rotation vector. It is
independent of the motion and does not repeat with the stride, which real skin partly does: a
method that keeps only what repeats is better off here than it would be there.
Slip: from a moment on a sensor sits elsewhere on its body. Swap: two bodies exchange tracks.
Gaps and outliers: frames that are missing, or anywhere within the room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from jointlimits_core.geometry.arrays import Booleans, Floats
from jointlimits_core.geometry.quaternion import (
    multiply,
    normalize,
    quaternion_from_rotation_vector,
    rotate,
)
from jointlimits_core.skeleton_fit.tracks import BodyTracks

WOBBLE_HZ = (0.3, 1.5)


@dataclass(frozen=True)
class Slip:
    """A sensor that moves on its body once and stays there.

    Parameters
    ----------
    body : str
    seconds : float
        When.
    distance : float
        How far, metres; the direction is drawn.
    angle_deg : float
        How far it turns; the axis is drawn.
    """

    body: str
    seconds: float
    distance: float = 0.0
    angle_deg: float = 0.0


@dataclass(frozen=True)
class Faults:
    """Faults of a trial; none by default.

    Parameters
    ----------
    noise, noise_deg : float
        One sd of independent noise per axis and frame, metres and degrees.
    wobble, wobble_deg : float
        One sd per axis of band-limited skin motion, metres and degrees.
    slips : tuple of Slip
    outliers : float
        Share of frames of each body at a random place in the room, with a random rotation.
    gaps : float
        Share of frames of each body that are missing, in runs of half a second.
    """

    noise: float = 0.0
    noise_deg: float = 0.0
    wobble: float = 0.0
    wobble_deg: float = 0.0
    slips: tuple[Slip, ...] = ()
    outliers: float = 0.0
    gaps: float = 0.0


def with_faults(
    generator: np.random.Generator,
    names: Sequence[str],
    positions: Floats,
    rotations: Floats,
    frame_rate: float,
    faults: Faults,
) -> tuple[Floats, Floats, Booleans]:
    """Tracks from sensors with slips, wobble, noise and outliers; :func:`presence` makes gaps.

    Parameters
    ----------
    generator : Generator
    names : sequence of str
        Of the bodies.
    positions : array, shape (bodies, frames, 3)
        Metres.
    rotations : array, shape (bodies, frames, 4)
        Unit quaternions x, y, z, w.
    frame_rate : float
    faults : Faults

    Returns
    -------
    positions, rotations : arrays
        As given.
    wrong : array of bool, shape (bodies, frames)
        Outliers.
    """
    times = np.arange(positions.shape[1]) / frame_rate
    positions, rotations = _slipped(generator, names, positions, rotations, times, faults.slips)
    positions, rotations = _wobbled(generator, positions, rotations, frame_rate, faults)
    return _with_outliers(generator, positions, rotations, faults.outliers)


def swapped(tracks: BodyTracks, first: str, second: str, start: int, stop: int) -> BodyTracks:
    """The same tracks with two bodies exchanged in some frames.

    Parameters
    ----------
    tracks : BodyTracks
    first, second : str
        Names of the bodies.
    start, stop : int
        Frames, the last one not included.

    Returns
    -------
    BodyTracks
    """
    order = np.arange(len(tracks.names))
    a, b = tracks.names.index(first), tracks.names.index(second)
    order[[a, b]] = b, a
    positions, rotations = tracks.positions.copy(), tracks.rotations.copy()
    present = tracks.present.copy()
    positions[:, start:stop] = tracks.positions[order, start:stop]
    rotations[:, :, start:stop] = tracks.rotations[order, :, start:stop]
    present[:, start:stop] = tracks.present[order, start:stop]
    return replace(tracks, positions=positions, rotations=rotations, present=present)


def _slipped(
    generator: np.random.Generator,
    names: Sequence[str],
    positions: Floats,
    rotations: Floats,
    times: Floats,
    slips: tuple[Slip, ...],
) -> tuple[Floats, Floats]:
    for slip in slips:
        body, after = names.index(slip.body), times >= slip.seconds
        shift, axis = (vector / np.linalg.norm(vector) for vector in generator.normal(size=(2, 3)))
        moved = rotate(rotations[body, after], slip.distance * shift)
        positions[body, after] += moved
        turn = quaternion_from_rotation_vector(np.radians(slip.angle_deg) * axis)
        rotations[body, after] = multiply(rotations[body, after], turn)
    return positions, rotations


def _wobbled(
    generator: np.random.Generator,
    positions: Floats,
    rotations: Floats,
    frame_rate: float,
    faults: Faults,
) -> tuple[Floats, Floats]:
    """Skin and sensor noise on top of the motion of the bones."""
    shape = positions.shape
    shift = faults.wobble * _band_limited(generator, shape, frame_rate)
    turn = np.radians(faults.wobble_deg) * _band_limited(generator, shape, frame_rate)
    turn += np.radians(faults.noise_deg) * generator.normal(size=shape)
    positions = positions + rotate(rotations, shift)
    positions += faults.noise * generator.normal(size=shape)
    return positions, normalize(multiply(rotations, quaternion_from_rotation_vector(turn)))


def _band_limited(
    generator: np.random.Generator, shape: tuple[int, ...], frame_rate: float
) -> Floats:
    """Random processes along the second axis, of :data:`WOBBLE_HZ`, rms 1."""
    spectrum = np.fft.rfft(generator.normal(size=shape), axis=1)
    hz = np.fft.rfftfreq(shape[1], 1.0 / frame_rate)
    spectrum[:, (hz < WOBBLE_HZ[0]) | (hz > WOBBLE_HZ[1])] = 0.0
    wave = np.fft.irfft(spectrum, shape[1], axis=1)
    return np.asarray(wave / np.sqrt(np.mean(wave**2, axis=1, keepdims=True)))


def _with_outliers(
    generator: np.random.Generator, positions: Floats, rotations: Floats, share: float
) -> tuple[Floats, Floats, Booleans]:
    wrong: Booleans = generator.random(positions.shape[:2]) < share
    count = int(wrong.sum())
    positions, rotations = positions.copy(), rotations.copy()
    positions[wrong] = generator.uniform(-2.0, 2.0, (count, 3))
    rotations[wrong] = normalize(generator.normal(size=(count, 4)))
    return positions, rotations, wrong


def presence(
    generator: np.random.Generator, shape: tuple[int, ...], frame_rate: float, share: float
) -> Booleans:
    """Mask of the frames that are present: each body loses runs of half a second.

    Parameters
    ----------
    generator : Generator
    shape : (bodies, frames)
    frame_rate : float
    share : float
        Of the frames that are missing.

    Returns
    -------
    array of bool, shape (bodies, frames)
    """
    present: Booleans = np.ones(shape, dtype=bool)
    run = max(1, round(0.5 * frame_rate))
    for body in range(shape[0]):
        for start in generator.choice(shape[1] // run, round(share * shape[1] / run), False):
            present[body, start * run : (start + 1) * run] = False
    return present
