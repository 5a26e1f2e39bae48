"""Constant rotations between a joint and the control that drives it.

The link is constant if ``control = before * joint * after`` in every frame, with two constant
rotations: rotated parents, joint orientations and constraint offsets are of this form; blends, IK
and switched spaces are not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry import quaternion
from ..geometry.arrays import Floats

MAX_RESIDUAL_DEG = 0.01
"""Largest residual, in degrees, of a link that counts as constant."""
MIN_KNOWN_PER_RESIDUAL = 100.0
"""A direction counts as known if the motion in it is at least this multiple of the residual."""
_MIN_GAP = 1e-9
"""With a smaller relative gap between eigenvalues, half turns leave quaternion signs unknown."""


@dataclass(frozen=True, eq=False)
class ConstantLink:
    """Rotations of ``control = before * joint * after``, quaternions of shape (4,).

    `residual_deg`: largest angle, over all frames, between a control's rotation and this product.
    `known`, shape (n, 4): orthonormal directions in which the motion, or the structure of the rig,
    determines the product; all four if nothing is undetermined.
    """

    before: Floats
    after: Floats
    residual_deg: float
    known: Floats

    @property
    def is_constant(self) -> bool:
        """Whether the residual is that of a constant link."""
        return self.residual_deg < MAX_RESIDUAL_DEG

    def control_of(self, joint: Floats) -> Floats:
        """Rotations of the control from those of the joint, shape (..., 4)."""
        return quaternion.multiply(self.before, quaternion.multiply(joint, self.after))

    def joint_of(self, control: Floats) -> Floats:
        """Inverse of :meth:`control_of`."""
        inner = quaternion.multiply(quaternion.conjugate(self.before), control)
        return quaternion.multiply(inner, quaternion.conjugate(self.after))

    def unknown_deg(self, joint: Floats) -> float:
        """Largest turn, in degrees, of rotations (..., 4) into directions that are not known."""
        outside = np.linalg.norm(joint - joint @ self.known.T @ self.known, axis=-1)
        return float(np.degrees(2.0 * np.arcsin(np.minimum(outside, 1.0))).max(initial=0.0))


def constant_link(joint: Floats, control: Floats, before: Floats | None = None) -> ConstantLink:
    """Link that fits the rotations of a joint and its control best.

    `joint`, `control`, shape (frames, 4): local rotations in the same frames, at least one, with
    quaternions of either sign. `before`, shape (4,): the first constant, if the structure of the
    rig determines it; used if the motion confirms it. Motion about one axis or none does not
    determine them all; then :attr:`ConstantLink.known` lacks some directions.
    """
    if before is not None:
        link = _link(joint, control, before, _mean(_remainders(joint, control, before)), np.eye(4))
        if link.is_constant:
            return link
    turn, decided = _linear_map(joint, control)
    # Images of x, y, z and of no rotation: before * i * after, ..., before * after. Undoing the
    # last one leaves before * i * before^-1, ...: the columns of the matrix of `before`.
    images = quaternion.multiply(turn.T, quaternion.conjugate(turn[:, 3]))
    first = quaternion.quaternion_from_matrix(images[:3, :3].T)
    after = quaternion.multiply(quaternion.conjugate(first), turn[:, 3])
    link = _link(joint, control, first, after, np.eye(4))
    known = _moved_directions(joint, link.residual_deg) if decided else np.zeros((0, 4))
    return ConstantLink(first, after, link.residual_deg, known)


def _link(
    joint: Floats, control: Floats, before: Floats, after: Floats, known: Floats
) -> ConstantLink:
    made = ConstantLink(before, after, 0.0, known)
    off = quaternion.angle_between(made.control_of(joint), control)
    return ConstantLink(before, after, float(np.degrees(off.max())), known)


def _remainders(joint: Floats, control: Floats, before: Floats) -> Floats:
    """Second constant that each frame alone would give, shape (frames, 4)."""
    inner = quaternion.multiply(quaternion.conjugate(before), control)
    return quaternion.multiply(quaternion.conjugate(joint), inner)


def _mean(rotations: Floats) -> Floats:
    """Mean rotation: the leading eigenvector of the moment (Markley et al., 2007), shape (4,)."""
    return np.asarray(np.linalg.eigh(rotations.T @ rotations)[1][:, -1])


def _linear_map(joint: Floats, control: Floats) -> tuple[Floats, bool]:
    """Rotation of four-dimensional space, (4, 4), that takes joint quaternions to the control's.

    ``before * q * after`` is linear in q and a rotation of its four components; and every such
    rotation has this form. Also returns whether the motion decides the signs.

    Signs: the M of unit norm that maximizes ``sum((c M q)^2)`` over the frames, a sum without
    signs, is the leading eigenvector of the moment of the products c q^T. For exact data, ``c M q``
    then has the same sign relative to the true one in all frames: the frames' weights are the
    leading eigenvector of ``(q_s . q_t)^2``, up to signs, and that has one sign (Perron, 1907).
    With signs, the best rotation follows from the singular value decomposition (Schoenemann, "A
    generalized solution of the orthogonal Procrustes problem", 1966; Kabsch, 1976).
    """
    products = (control[:, :, None] * joint[:, None, :]).reshape(-1, 16)
    values, vectors = np.linalg.eigh(products.T @ products)
    decided = bool(values[-1] - values[-2] > _MIN_GAP * values[-1])
    signs = np.where(products @ vectors[:, -1] < 0.0, -1.0, 1.0)
    left, _, right = np.linalg.svd((signs @ products).reshape(4, 4))
    left[:, 3] *= np.sign(np.linalg.det(left) * np.linalg.det(right))
    return np.asarray(left @ right), decided


def _moved_directions(joint: Floats, residual_deg: float) -> Floats:
    """Directions of quaternion space in which the joint moves, shape (n, 4), orthonormal."""
    axes = np.linalg.eigh(joint.T @ joint)[1].T
    reach_deg = np.degrees(2.0 * np.abs(joint @ axes.T).max(axis=0))
    known = axes[reach_deg > max(MAX_RESIDUAL_DEG, MIN_KNOWN_PER_RESIDUAL * residual_deg)]
    # A rotation of four dimensions is determined by its effect on three.
    return np.eye(4) if len(known) == 3 else known
