"""Faces of regions: outward directions as stored, and unit normals."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...arrays import Floats


def unit_rows(directions: Floats) -> Floats:
    """Nonzero directions scaled to unit length, shape (directions, 3)."""
    return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))


class Faced:
    """Mixin for regions with faces; `directions` point outward, with approximately unit length.

    They are normalized before use, so that files can hold few digits.
    """

    directions: Floats
    """Shape (faces, 3)."""

    @cached_property
    def normals(self) -> Floats:
        """Outward unit normals, shape (faces, 3)."""
        return unit_rows(self.directions)
