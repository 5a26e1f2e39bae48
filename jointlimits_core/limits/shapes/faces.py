"""Faces of regions: the ways that they look, as they are written and of unit length."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...arrays import Floats


def unit_rows(directions: Floats) -> Floats:
    """Directions of any length but zero brought to unit length, shape (directions, 3)."""
    return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))


class Faced:
    """What has faces; `directions` are those that look outward, of about unit length.

    They are brought to unit length before use, so that they can be written with few digits.
    """

    directions: Floats
    """Shape (faces, 3)."""

    @cached_property
    def normals(self) -> Floats:
        """Outward unit normals, shape (faces, 3)."""
        return unit_rows(self.directions)
