"""A small learned distance field of one joint's rotations, in numpy, with fixed seeds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jointlimits_core.geometry.arrays import Booleans, Floats
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_rotation_vector

WIDTH, STEPS, BATCH, RATE = 32, 1500, 256, 3e-3
SEEN, ASKED = 1500, 6000
"""Numbers of rotations that distances are measured to, and from (random ones)."""
ALLOWED_SHARE = 0.001
"""Share of its own training poses that a field may call outside."""


@dataclass(frozen=True, eq=False)
class Field:
    """Network from rotation matrices to distances, radians; outside above `threshold`."""

    weights: tuple[Floats, ...]
    threshold: float

    def distance(self, turns: Floats) -> Floats:
        """Distance of each rotation (frames, 4) from those that were seen."""
        return _forward(self.weights, _features(turns))[-1][:, 0]

    def is_outside(self, turns: Floats) -> Booleans:
        """Whether each rotation is farther than the threshold."""
        return np.asarray(self.distance(turns) > self.threshold)


_known: dict[tuple[str, bytes], Field] = {}


def field_of(part: str, turns: Floats) -> Field:
    """Field of a part's rotations, (frames, 4); the same for the same rotations."""
    key = part, turns[:: max(1, len(turns) // 50)].tobytes()
    if key not in _known:
        _known[key] = _train(turns, sum(map(ord, part)))
    return _known[key]


def _train(turns: Floats, seed: int) -> Field:
    random = np.random.default_rng(seed)
    seen = turns[:: max(1, len(turns) // SEEN)]
    near = seen[random.integers(len(seen), size=ASKED)]
    sizes = np.abs(random.normal(0.0, 0.8, (ASKED, 1))) * (random.random((ASKED, 1)) > 0.2)
    ways = random.normal(size=(ASKED, 3))
    shake = sizes * ways / np.linalg.norm(ways, axis=1, keepdims=True)
    asked = multiply(near, quaternion_from_rotation_vector(shake))
    apart = 2.0 * np.arccos(np.clip(np.abs(asked @ seen.T).max(axis=1), 0.0, 1.0))
    given, wanted = _features(asked), apart[:, None]
    layers = [(9, WIDTH), (WIDTH, WIDTH), (WIDTH, 1)]
    weights = [
        value
        for n, m in layers
        for value in (random.normal(0.0, np.sqrt(2.0 / n), (n, m)), np.zeros(m))
    ]
    first, second = ([np.zeros_like(one) for one in weights] for _ in range(2))
    for step in range(1, STEPS + 1):
        rows = random.integers(ASKED, size=BATCH)
        slopes = _slopes(weights, given[rows], wanted[rows])
        pace = RATE * (1.0 - step / STEPS) + 1e-5
        for one, m, v, slope in zip(weights, first, second, slopes):
            m += 0.1 * (slope - m)  # Adam (Kingma and Ba, 2015)
            v += 0.001 * (slope**2 - v)
            one -= pace * (m / (1.0 - 0.9**step)) / (np.sqrt(v / (1.0 - 0.999**step)) + 1e-8)
    field = Field(tuple(weights), 0.0)
    return Field(field.weights, float(np.quantile(field.distance(turns), 1.0 - ALLOWED_SHARE)))


def _features(turns: Floats) -> Floats:
    """Rotation matrices as rows of nine: the same for q and -q."""
    x, y, z, w = turns.T
    return np.stack(
        [
            *(1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            *(2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            *(2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
        ],
        axis=1,
    )


def _forward(weights: tuple[Floats, ...] | list[Floats], given: Floats) -> list[Floats]:
    values = [given]
    for place in range(0, len(weights), 2):
        above = values[-1] @ weights[place] + weights[place + 1]
        values.append(np.maximum(above, 0.0) if place + 2 < len(weights) else above)
    return values


def _slopes(weights: list[Floats], given: Floats, wanted: Floats) -> list[Floats]:
    values = _forward(weights, given)
    found: list[Floats] = []
    back = (values[-1] - wanted) / len(given)
    for place in range(len(weights) - 2, -1, -2):
        found = [values[place // 2].T @ back, back.sum(axis=0), *found]
        back = (back @ weights[place].T) * (values[place // 2] > 0.0)
    return found
