"""Backup of one node that a re-orientation changed: values before, and values written.

Numbers and fingerprints of keys are plain data in the node's record. Old curves and matrices stay
in the scene, in hidden attributes of the node (kept_originals.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np

SAME = 1e-9
"""Numbers that differ by less count as equal: scenes saved as text lose the last digits."""
SAME_PRINT = 1e-7

Print = Sequence[float]
Given = Union[float, Print]
Place = tuple[str, str, Union[int, None]]
"""Node that stores a matrix (without namespace; "" for the node itself), attribute, index."""


@dataclass(frozen=True)
class Backup:
    """Record of one node.

    Parameters
    ----------
    channels : mapping of attribute to (before, given)
        Internal units. `before` is None for a channel whose curve was set aside; `given` is the
        fingerprint of the keys for a channel that has a curve now.
    matrices : tuple of (place, given)
        Stored poses of the node, with the sixteen numbers written; the kept matrix at the same
        position has the old numbers.
    holders : tuple of str
        Everything that stores the node's pose, changed or not.
    turned : bool
        Whether its own orientation changed, so that its children were counter-rotated.
    changed : bool
        Whether it was changed by hand before it was re-oriented again.
    """

    channels: Mapping[str, tuple[float | None, Given]] = field(default_factory=dict)
    matrices: tuple[tuple[Place, tuple[float, ...]], ...] = ()
    holders: tuple[str, ...] = ()
    turned: bool = False
    changed: bool = False

    @property
    def aside(self) -> tuple[str, ...]:
        """Channels whose curves were set aside."""
        return tuple(name for name, (before, _) in self.channels.items() if before is None)

    def followed_by(self, new: Backup, changed: bool) -> Backup:
        """Record after another change; the oldest values stay the `before` values."""
        channels = dict(self.channels)
        for name, (before, given) in new.channels.items():
            channels[name] = (channels.get(name, (before,))[0], given)
        matrices = dict(self.matrices)
        matrices.update(new.matrices)
        return Backup(
            channels,
            tuple(matrices.items()),
            new.holders,
            self.turned or new.turned,
            self.changed or changed,
        )

    def plain(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "channels": {name: list(pair) for name, pair in self.channels.items()},
            "matrices": [[*place, list(given)] for place, given in self.matrices],
            "holders": list(self.holders),
            "turned": self.turned,
            "changed": self.changed,
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Backup:
        """Inverse of :meth:`plain`.

        Raises
        ------
        KeyError, TypeError, ValueError
            For anything else.
        """
        return cls(
            {str(name): (before, given) for name, (before, given) in data["channels"].items()},
            tuple(
                ((str(holder), str(attribute), index), tuple(map(float, given)))
                for holder, attribute, index, given in data["matrices"]
            ),
            tuple(map(str, data["holders"])),
            bool(data["turned"]),
            bool(data["changed"]),
        )


def key_print(
    seconds: Sequence[float],
    values: Sequence[float],
    is_stepped: Sequence[bool],
    ends: Sequence[int],
) -> list[float]:
    """Fingerprint of the keys of a curve.

    Sums with a different weight for every key: unlike a hash, they hardly change when a scene saved
    as text loses the last digits.

    Parameters
    ----------
    seconds, values, is_stepped : sequences
        One item per key.
    ends : (before, after)
        Pre- and post-infinity types.
    """
    weights = 1.0 + (np.arange(len(seconds)) * 0.6180339887498949) % 1.0
    columns = (seconds, values, [float(one) for one in is_stepped])
    sums = (float(weights @ np.asarray(column, np.float64)) for column in columns)
    return [float(len(seconds)), *sums, *map(float, ends)]


def is_same(now: Given, given: Given) -> bool:
    """Whether a value, or a fingerprint of keys, equals what was written."""
    if isinstance(now, (int, float)) or isinstance(given, (int, float)):
        if not (isinstance(now, (int, float)) and isinstance(given, (int, float))):
            return False
        return abs(now - given) <= SAME * max(1.0, abs(given))
    pairs = list(zip(now, given))
    return len(now) == len(given) and all(
        abs(a - b) <= SAME_PRINT * max(1.0, 1e-3 * abs(b)) for a, b in pairs
    )
