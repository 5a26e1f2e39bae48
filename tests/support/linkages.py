"""Small linkages whose joints are known, built one body at a time, and naive ways to solve them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import (
    IDENTITY,
    multiply,
    normalize,
    quaternion_from_rotation_vector,
    rotate,
)
from jointlimits_core.skeleton_fit.fit import plain_fit
from jointlimits_core.skeleton_fit.result import BodyFit, BodyOptions
from jointlimits_core.skeleton_fit.tracks import BodyTracks

FRAMES = 400
RATE_HZ = 60.0


def smooth(seed: int, frames: int = FRAMES, size: float = 0.6) -> Floats:
    """Rotation vectors that move slowly, shape (frames, 3), about `size` radians."""
    generator = np.random.default_rng(seed)
    times = np.arange(frames)[:, None] / RATE_HZ
    hz, phase = generator.uniform(0.1, 0.9, (2, 1, 3)), generator.uniform(0, 6.28, (2, 1, 3))
    waves = np.sin(2 * np.pi * hz * times + phase)
    return np.asarray(size * waves.sum(axis=0))


@dataclass
class Linkage:
    """Bodies that are added one by one."""

    seed: int = 0
    frames: int = FRAMES
    names: list[str] = field(default_factory=list)
    positions: list[Floats] = field(default_factory=list)
    rotations: list[Floats] = field(default_factory=list)
    in_child: dict[str, Floats] = field(default_factory=dict)
    in_parent: dict[str, Floats] = field(default_factory=dict)

    def free(self, name: str, around: tuple[float, float, float] = (0, 0, 0)) -> Linkage:
        """A body that flies about."""
        seed = self.seed + 100 * len(self.names)
        self.names.append(name)
        self.positions.append(np.array(around) + smooth(seed + 1, self.frames, 1.0))
        self.rotations.append(quaternion_from_rotation_vector(smooth(seed + 2, self.frames, 1.0)))
        return self

    def join(
        self,
        name: str,
        parent: str,
        *,
        axis: Floats | None = None,
        vectors: Floats | None = None,
        in_child: Floats | None = None,
        in_parent: Floats | None = None,
        mounted: bool = True,
    ) -> Linkage:
        """A body that hangs on another; turns about `axis` of the parent only, or anyhow."""
        generator = np.random.default_rng(self.seed + 100 * len(self.names))
        mount = normalize(generator.normal(size=4)) if mounted else IDENTITY
        turns = smooth(int(generator.integers(1 << 30)), self.frames)
        if vectors is not None:
            turns = vectors
        elif axis is not None:
            turns = turns[:, :1] * axis
        base = self.names.index(parent)
        here = generator.uniform(-0.3, 0.3, 3) if in_child is None else in_child
        there = generator.uniform(-0.3, 0.3, 3) if in_parent is None else in_parent
        rotation = multiply(
            multiply(self.rotations[base], quaternion_from_rotation_vector(turns)), mount
        )
        joint = self.positions[base] + rotate(self.rotations[base], there)
        self.names.append(name)
        self.rotations.append(rotation)
        self.positions.append(joint - rotate(rotation, here))
        self.in_child[name], self.in_parent[name] = here, there
        return self

    def tracks(
        self, noise: float = 0.0, noise_deg: float = 0.0, present: Floats | None = None
    ) -> BodyTracks:
        """All bodies so far, with white noise."""
        generator = np.random.default_rng(self.seed + 7)
        places, turns = np.array(self.positions), np.array(self.rotations)
        places = places + noise * generator.normal(size=places.shape)
        shaken = np.radians(noise_deg) * generator.normal(size=places.shape)
        turns = multiply(turns, quaternion_from_rotation_vector(shaken))
        return BodyTracks(
            tuple(self.names),
            places,
            np.ascontiguousarray(np.swapaxes(turns, 1, 2)),
            RATE_HZ,
            present,  # type: ignore[arg-type]
        )


def arm(seed: int = 0, frames: int = FRAMES) -> Linkage:
    """Trunk, upper arm (ball), forearm (hinge), hand (ball)."""
    linkage = Linkage(seed, frames).free("trunk").join("upper arm", "trunk")
    return linkage.join("forearm", "upper arm", axis=np.array([0.6, 0.0, 0.8])).join(
        "hand", "forearm"
    )


def plain_skeleton(
    tracks: BodyTracks, options: BodyOptions | None = None, strides: bool = True
) -> BodyFit:
    """Fit to all frames, without looking for errors in them."""
    return plain_fit([tracks], options or BodyOptions(), strides=strides)


def solved_by_svd(tracks: BodyTracks, child: int, parent: int) -> tuple[Floats, float]:
    """The paper's section 3.1 as printed: joint in both bodies (6,), and its gap, rms."""
    both = tracks.present[child] & tracks.present[parent]
    turns = tracks.matrices()
    rows = np.concatenate([turns[child][both], -turns[parent][both]], axis=2).reshape(-1, 6)
    gap = -(tracks.positions[child] - tracks.positions[parent])[both].reshape(-1)
    joint = np.linalg.lstsq(rows, gap, rcond=1e-6)[0]
    left_over = (rows @ joint - gap).reshape(-1, 3)
    return joint, float(np.sqrt(np.mean(np.sum(left_over**2, axis=1))))


def kruskal(weights: Floats) -> set[frozenset[int]]:
    """The lightest spanning forest by sorting all edges."""
    group = list(range(len(weights)))
    pairs = [(a, b) for a in range(len(weights)) for b in range(a) if np.isfinite(weights[a, b])]
    chosen = set()
    for a, b in sorted(pairs, key=lambda pair: weights[pair]):
        if group[a] != group[b]:
            chosen.add(frozenset((a, b)))
            group = [group[b] if one == group[a] else one for one in group]
    return chosen
