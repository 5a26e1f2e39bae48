"""Lines of a joint in the space of rotation vectors: axes, shape, box, and the cube around them."""

from __future__ import annotations

import numpy as np

from ...geometry import (
    AnyArray,
    Floats,
    conjugate,
    local_from_rotate,
    multiply,
    quaternion_from_euler,
    rotated,
    wrapped,
)
from ...limits import Hinge, JointLimit
from ...shapes import shape_of_limit, surface_mesh
from .samples import relative_rotation_vectors

SMALLEST_EDGE_DEG = 8.0
HALF_TURN_DEG = 180.0


def box_edges(low: Floats, high: Floats) -> Floats:
    """Return the twelve edges of a box, shape (12, 2, 3)."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    edges = [
        (a, b) for a in range(8) for b in range(a + 1, 8) if abs(corners[a] - corners[b]).sum() == 1
    ]
    return np.asarray(low + (high - low) * corners[np.array(edges)], dtype=np.float64)


def rest_rotation(limit: JointLimit) -> Floats | None:
    """Local rotation of the rest pose, shape (4,); None where the channels are not rotates."""
    if "rotateX" not in limit.limits:
        return None
    frame = limit.frame
    orient, axis = (
        quaternion_from_euler(np.radians(degrees))
        for degrees in (frame.joint_orient_deg, frame.rotate_axis_deg)
    )
    return local_from_rotate(np.radians(limit.rest.rotate_deg), orient, axis, frame.rotate_order)


def hinge_angles_deg(rotations: Floats, hinge: Hinge, reference: Floats) -> Floats:
    """Signed angle about a hinge's axis from a rotation to others.

    Parameters
    ----------
    rotations : array, shape (..., 4)
    reference : array, shape (4,)

    Returns
    -------
    array, shape (...)
        Degrees in [-180, 180), ignoring rotation across the axis.
    """
    turn = multiply(conjugate(reference), rotations)
    along = turn[..., :3] @ np.asarray(hinge.axis_child)
    return np.degrees(wrapped(2.0 * np.arctan2(along, turn[..., 3])))


def hinge_line(hinge: Hinge, mean: Floats, rest: Floats | None) -> Floats:
    """Stretch of the axis that the hinge's range covers, shape (2, 3), seen from the mean.

    The range is measured from the rest pose, the cloud from the mean rotation, so the rotation
    about the axis between the two is subtracted.
    """
    half = 0.5 * (hinge.max_deg - hinge.min_deg)
    middle = 0.0
    if rest is not None:
        from_mean = float(hinge_angles_deg(rest, hinge, mean))
        middle = from_mean + 0.5 * (hinge.min_deg + hinge.max_deg)
        middle = float(np.degrees(wrapped(np.radians(middle))))
    return np.multiply([[middle - half], [middle + half]], [hinge.axis_child])


def universal_lines(
    axis_parent: tuple[float, float, float],
    axis_child: tuple[float, float, float],
    mean: Floats,
    reach: float,
) -> Floats:
    """Both axes in the joint's own frame at the mean rotation, shape (2, 2, 3)."""
    first = rotated(conjugate(mean), np.asarray(axis_parent))
    both = np.stack([first, np.asarray(axis_child)])
    return np.stack([-reach * both, reach * both], axis=1)


def shape_lines(limit: JointLimit, mean: Floats) -> Floats:
    """Lines on the boundary of a joint's coupled limit, shape (lines, 2, 3), seen from the mean.

    Empty for a joint without one, and for a hinge, whose line shows it already.
    """
    if limit.coupled is None or limit.hinge is not None:
        return np.zeros((0, 2, 3))
    mesh = surface_mesh(shape_of_limit(limit.coupled))
    ends = relative_rotation_vectors(mesh.rotations, mean)[mesh.edges]
    # The boundary jumps to the other side half a turn away from the mean: skip such lines.
    whole = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) < HALF_TURN_DEG
    return np.asarray(ends[whole])


def cube_around(
    points: AnyArray, smallest: float = SMALLEST_EDGE_DEG, margin: float = 0.08
) -> tuple[tuple[float, float, float], float]:
    """Centre and half edge of the smallest cube around some points, for equal axes.

    Parameters
    ----------
    points : array, shape (points, 3)
        Without points, the smallest cube about zero.
    smallest : float
        Least edge of the cube, so that a joint that hardly moves looks like it.
    margin : float
        Room on each side, as a share of the edge.
    """
    if not len(points):
        return (0.0, 0.0, 0.0), 0.5 * smallest
    low, high = points.min(axis=0), points.max(axis=0)
    edge = max(float((high - low).max()) * (1.0 + 2.0 * margin), smallest)
    x, y, z = (float(value) for value in 0.5 * (low + high))
    return (x, y, z), 0.5 * edge
