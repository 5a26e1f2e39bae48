"""Shapes along the bones of a figure, so that something can be seen and has a mass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats

THICKNESS, THINNEST, THICKEST = 0.12, 0.008, 0.024
"""Radius of a bone as a share of its length; the least and the largest as shares of the figure."""


@dataclass(frozen=True, eq=False)
class BoneShape:
    """A capsule from a joint along a bone; a ball where the bone has no length.

    Parameters
    ----------
    bone : array, shape (3,)
        From the joint to the end of the bone, in the frame of the body.
    """

    bone: Floats
    radius: float

    @property
    def length(self) -> float:
        """Length of the bone, which is that of the capsule without its ends."""
        return float(np.linalg.norm(self.bone))

    def volume(self) -> float:
        """Volume in cubic units of the bone."""
        return float(np.pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius))


def bone_shapes(bones: Sequence[Floats], height: float) -> list[BoneShape]:
    """Shapes of one body.

    Parameters
    ----------
    bones : sequence of array, shape (3,)
        Places of its children.
    height : float
        Size of the figure.

    Returns
    -------
    list of BoneShape
        One for every child that is far enough, or a ball; never none.
    """
    thinnest, thickest = THINNEST * height, THICKEST * height
    found = [
        BoneShape(bone, min(max(THICKNESS * float(np.linalg.norm(bone)), thinnest), thickest))
        for bone in bones
        if float(np.linalg.norm(bone)) > thinnest
    ]
    return found or [BoneShape(np.zeros(3), 1.5 * thinnest)]
