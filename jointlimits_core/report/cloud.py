"""Point cloud of a joint's rotation vectors (the paper's figure 4).

A point's direction is the rotation axis and its distance from the centre the angle in degrees, both
relative to the mean rotation. A hinge gives a line, a universal joint a sheet, a ball a volume.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Integers
from ..euler import quaternion_from_euler, wrapped
from ..joint_frame import local_from_rotate
from ..limits.limit_set import Hinge, JointLimit
from ..limits.shapes.fitting import shape_of_limit
from ..limits.shapes.surface_mesh import surface_mesh
from ..rotation import conjugate, multiply, rotated
from .clips import ClipColours, point_colours
from .samples import JointSamples, mean_rotation, relative_rotation_vectors, shown_indices
from .space import add_space, cube_around, lines, scatter
from .style import BLACK, FIGURE_INCHES, REST, new_figure, png_address

SMALLEST_EDGE_DEG = 8.0
HALF_TURN_DEG = 180.0
BAND = "#C4CBD3"
SHAPE = "#8FB8DE"


@dataclass(frozen=True)
class Cloud:
    """Contents of the figure, in degrees about the joint's own axes.

    Parameters
    ----------
    points : array, shape (shown, 3)
    shown : array of int, shape (shown,)
        Indices of the samples shown.
    rest : array, shape (3,), optional
        The rest pose.
    axes : array, shape (lines, 2, 3)
        The hinge's axis over its range, or the two axes of a universal joint.
    shape : array, shape (lines, 2, 3)
        Lines on the boundary of the coupled limit.
    """

    points: Floats
    shown: Integers
    rest: Floats | None
    axes: Floats
    shape: Floats


def cloud_of(samples: JointSamples, limit: JointLimit) -> Cloud:
    """Compute the cloud of a joint that has at least one sample."""
    mean = mean_rotation(samples.rotations)
    vectors = relative_rotation_vectors(samples.rotations, mean)
    shown = shown_indices(vectors)
    rest = rest_rotation(limit)
    axes = np.zeros((0, 2, 3))
    if limit.hinge is not None:
        axes = hinge_line(limit.hinge, mean, rest)[None]
    elif limit.universal is not None:
        reach = float(np.linalg.norm(vectors, axis=1).max())
        axes = universal_lines(limit.universal.axis_parent, limit.universal.axis_child, mean, reach)
    rest_vector = None if rest is None else relative_rotation_vectors(rest, mean)
    return Cloud(vectors[shown], shown, rest_vector, axes, shape_lines(limit, mean))


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


def cloud_image(cloud: Cloud, samples: JointSamples, clips: ClipColours) -> str:
    """Draw the cloud; return the address of an embedded image."""
    figure = new_figure(*FIGURE_INCHES)
    extent = [cloud.points, cloud.axes.reshape(-1, 3), cloud.shape.reshape(-1, 3)]
    if cloud.rest is not None:
        extent.append(cloud.rest[None])
    centre, half = cube_around(np.concatenate(extent), SMALLEST_EDGE_DEG)
    labels = [f"about {letter} (°)" for letter in "XYZ"]
    axes = add_space(figure, (1, 1, 1), labels, centre, half)
    # The rest pose lies among the samples and must stay visible: draw in the order of the calls.
    axes.computed_zorder = False
    lines(axes, cloud.shape, SHAPE, 0.5)
    # A hinge's samples lie on its line, so it is drawn as a band behind them.
    colour, width = (BAND, 5.0) if len(cloud.axes) == 1 else (BLACK, 1.2)
    lines(axes, cloud.axes, colour, width)
    scatter(axes, cloud.points, point_colours(samples, cloud.shown, clips), centre[2] - half)
    if cloud.rest is not None:
        axes.scatter(*cloud.rest[:, None], s=60, c=REST, marker="D", linewidths=0, zorder=9)
    figure.subplots_adjust(left=0.0, right=0.93, bottom=0.05, top=1.04)
    return png_address(figure)
