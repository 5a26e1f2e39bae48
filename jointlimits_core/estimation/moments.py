"""The 4x4 moment of rotations, the one object that the types are decided on.

``S = mean(q q^T)`` does not know signs (q and -q give the same), the order of the samples or how
many there are, and its eigenvalues do not change under any constant rotation on the left or right.
Its rank is 1 for a rigid joint and 2 for a hinge, whatever the joint's frame. The eigenvector of
the largest eigenvalue is the mean rotation (Markley et al., Averaging Quaternions, 2007).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats


@dataclass(frozen=True, eq=False)
class Moment:
    """Eigenvalues and eigenvectors of the 4x4 moments of joints.

    Parameters
    ----------
    values : array, shape (joints, 4)
        Largest first, not negative, sum 1.
    vectors : array, shape (joints, 4, 4)
        ``vectors[j, k]`` is the unit quaternion of ``values[j, k]``.
    """

    values: Floats
    vectors: Floats

    @property
    def mean_rotation(self) -> Floats:
        """Mean rotations, shape (joints, 4)."""
        return np.asarray(self.vectors[:, 0])

    @property
    def spreads(self) -> Floats:
        """Principal spreads in radians, largest first, shape (joints, 3)."""
        return np.asarray(2.0 * np.sqrt(self.values[:, 1:]))

    @property
    def residual_fixed(self) -> Floats:
        """Root mean square rotation about the mean, radians, shape (joints,)."""
        return np.asarray(2.0 * np.sqrt(self.values[:, 1:].sum(axis=1)))

    @property
    def residual_hinge(self) -> Floats:
        """Root mean square rotation off the best hinge, radians, shape (joints,)."""
        return np.asarray(2.0 * np.sqrt(self.values[:, 2:].sum(axis=1)))


def moment_from_rotations(rotations: Floats) -> Moment:
    """Moments of the samples of joints.

    Parameters
    ----------
    rotations : array, shape (joints, 4, samples)
        Unit quaternions of any sign.

    Returns
    -------
    Moment
        With the signs of the vectors fixed by rule (largest component positive).
    """
    return moment_from_second(rotations @ np.swapaxes(rotations, 1, 2))


def moment_from_second(second: Floats) -> Moment:
    """Moments from sums over the samples.

    Parameters
    ----------
    second : array, shape (joints, 4, 4)
        Sum of ``q q^T``; its trace is the number of samples.

    Returns
    -------
    Moment
        With the signs of the vectors fixed by rule (largest component positive).
    """
    mean = second / np.trace(second, axis1=1, axis2=2)[:, None, None]
    values, vectors = np.linalg.eigh(mean)
    values = np.maximum(values[:, ::-1], 0.0)
    rows = np.swapaxes(vectors[:, :, ::-1], 1, 2)
    largest = np.take_along_axis(rows, np.abs(rows).argmax(axis=2)[..., None], axis=2)
    return Moment(values, rows * np.where(largest < 0.0, -1.0, 1.0))
