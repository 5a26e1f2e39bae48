"""Shapes along the bones of a figure, for display and mass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats

THICKNESS, THINNEST, THICKEST = 0.12, 0.008, 0.024
"""Bone radius as a share of its length; smallest and largest as shares of the figure."""


@dataclass(frozen=True, eq=False)
class BoneShape:
    """Capsule from a joint along a bone; a sphere if the bone has no length.

    Parameters
    ----------
    bone : array, shape (3,)
        From the joint to the end of the bone, in body coordinates.
    """

    bone: Floats
    radius: float

    @property
    def length(self) -> float:
        """Length of the bone, and of the capsule without its caps."""
        return float(np.linalg.norm(self.bone))

    def volume(self) -> float:
        """Volume in cubic units of the bone's length."""
        return float(np.pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius))


def bone_shapes(bones: Sequence[Floats], height: float) -> list[BoneShape]:
    """Shapes of one body.

    Parameters
    ----------
    bones : sequence of array, shape (3,)
        Positions of its children.
    height : float
        Size of the figure.

    Returns
    -------
    list of BoneShape
        One per child that is far enough, else a single sphere; never empty.
    """
    thinnest, thickest = THINNEST * height, THICKEST * height
    found = [
        BoneShape(bone, min(max(THICKNESS * float(np.linalg.norm(bone)), thinnest), thickest))
        for bone in bones
        if float(np.linalg.norm(bone)) > thinnest
    ]
    return found or [BoneShape(np.zeros(3), 1.5 * thinnest)]
