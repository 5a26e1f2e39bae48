"""Limits of joints as linear rows, for solvers that take inequalities of joint velocities.

A coupled limit is a set of half-spaces ``n . x <= b`` in the coordinates x of a joint's rotation q.
Turning the joint by a small rotation vector d in its own axes, to ``q exp(d)``, moves x by ``J d``,
so that a step stays inside if ``n . J d <= b - n . x`` for all of them. A range that depends on
another joint is a polygon of two channels, whose edges are also such rows, of both joints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..geometry import euler, quaternion
from ..geometry.arrays import ArrayLike, Floats, Integers
from ..limits import layers, records
from ..limits.limit_set import LimitSet
from ..shapes.charts import Chart, RotationVectors
from ..shapes.coupled_limit import CoupledLimit
from ..shapes.fitting import shape_of_limit
from ..shapes.flat import Flat
from ..shapes.hull import DIRECTION_COUNT, both_ways
from ..shapes.polytope import Polytope
from ..shapes.region import Box, OrientedBox, Region
from ..shapes.wrap import Wrap
from .rotate_box import RotateBox, rotate_box_of

PROBE_RAD = 1e-5
"""Small turn about each axis, for derivatives."""
FAR_RAD = 1e3
"""Distance, radians, at which the nearest point of a region is its outermost in that direction."""
_PROBES = quaternion.multiply(
    np.eye(4)[:, None], quaternion.quaternion_from_rotation_vector(PROBE_RAD * np.eye(4, 3, -1))
)
"""Products of the unit quaternions with no turn and with small turns; products are linear."""


@dataclass(frozen=True, eq=False)
class _ShapeRows:
    """Half-spaces of shapes with the same kind of coordinates and the same number of faces.

    `columns`, (joints,); `chart`: with a centre for each joint, (joints, 1, 4); `normals`, (joints,
    faces, 3); `offsets`, (joints, faces).
    """

    columns: Integers
    chart: Chart
    normals: Floats
    offsets: Floats
    most: int

    def at(self, rotations: Floats) -> tuple[Floats, Floats]:
        turned = np.tensordot(rotations[self.columns], _PROBES, 1)
        points = self.chart.coordinates(turned)
        slack = self._slack(points)
        # If a rotation has several coordinates, those furthest inside are used.
        for other in self.chart.other_coordinates(points) if slack.min() < 0.0 else ():
            beside = self._slack(other)
            better = beside.min(axis=1) > slack.min(axis=1)
            points[better], slack[better] = other[better], beside[better]
        nearest = np.argsort(slack, axis=1, kind="stable")[:, : self.most]
        joints = np.arange(len(nearest))[:, None]
        turns = np.swapaxes(points[:, 1:] - points[:, :1], 1, 2) / PROBE_RAD
        rows = np.zeros((*nearest.shape, len(rotations), 3))
        rows[joints, np.arange(nearest.shape[1]), self.columns[:, None]] = (
            self.normals[joints, nearest] @ turns
        )
        return rows.reshape(-1, 3 * len(rotations)), slack[joints, nearest].ravel()

    def _slack(self, points: Floats) -> Floats:
        return np.asarray(self.offsets - (self.normals @ points[:, 0, :, None])[..., 0])


@dataclass(frozen=True, eq=False)
class _TieRows:
    """Edges of a dependency's polygon; `normals`, (edges, 2): along the driver's channel first."""

    columns: tuple[int, int]
    axes: tuple[int, int]
    boxes: tuple[RotateBox, RotateBox]
    normals: Floats
    offsets: Floats
    most: int

    def at(self, rotations: Floats) -> tuple[Floats, Floats]:
        slack = self.offsets.copy()
        rows = np.zeros((len(self.normals), len(rotations), 3))
        for place, (column, axis, box) in enumerate(zip(self.columns, self.axes, self.boxes)):
            values = box.channels(rotations[column])
            slack -= self.normals[:, place] * values[axis]
            rates = np.linalg.pinv(box.channel_axes(values).T)[axis]
            rows[:, column] += self.normals[:, place, None] * rates
        nearest = np.argsort(slack, kind="stable")[: self.most]
        return rows[nearest].reshape(len(nearest), -1), slack[nearest]


@dataclass(frozen=True, eq=False)
class LimitRows:
    """Linear rows of the limits of some joints; made by :func:`limit_rows`.

    `joints`: their names, in the order of the rotations and columns.
    """

    joints: tuple[str, ...]
    parts: tuple[Any, ...]

    def at(self, rotations: ArrayLike) -> tuple[Floats, Floats]:
        """Rows that keep a small step inside the limits: ``rows @ step <= room``.

        Parameters
        ----------
        rotations : array, shape (joints, 4)
            Unit quaternions (x, y, z, w) relative to the parent.

        Returns
        -------
        rows : array, shape (rows, 3 joints)
            For the rotation vectors of all joints one after the other, each in the joint's own
            axes: q becomes ``q exp(step)``.
        room : array, shape (rows,)
            Radians; negative where a rotation is outside and must come back.

        Raises
        ------
        ValueError
            For rotations that are not finite or have another shape.
        """
        given = np.asarray(rotations, dtype=np.float64)
        if given.shape != (len(self.joints), 4) or not np.isfinite(given).all():
            raise ValueError(
                f"rotations must be finite with shape ({len(self.joints)}, 4), one for each of "
                f"{', '.join(self.joints)}, not {given.shape}"
            )
        found = [part.at(given) for part in self.parts]
        return np.concatenate([rows for rows, _ in found]), np.concatenate([b for _, b in found])


def limit_rows(limit_set: LimitSet, joints: Sequence[str], most: int = 20) -> LimitRows:
    """Coupled limits and dependent ranges of joints as linear rows for a solver.

    Parameters
    ----------
    limit_set : LimitSet
        Result of :func:`jointlimits_core.fit`.
    joints : sequence of str
        Joints with a coupled limit, or with a range that depends on another of these joints.
    most : int, optional
        Maximum number of rows per limit; those with the least room are kept. A shape that is not
        convex counts as its convex hull.

    Raises
    ------
    ValueError
        For a joint without such a limit, and for `most` below 1.
    """
    if most < 1:
        raise ValueError(f"most must be at least 1, not {most}")
    names, shapes = tuple(joints), layers.active_shapes(limit_set)
    ties = [
        item
        for item in layers.active_dependencies(limit_set)
        if item.joint in names and item.on_joint in names
    ]
    held = {*shapes, *(name for item in ties for name in (item.joint, item.on_joint))}
    without = [name for name in names if name not in held]
    if without or not names:
        raise ValueError(
            f"no coupled limit of {without[0] if without else 'any joint'}; fit one, or leave the "
            "joint out"
        )
    parts = [*_rows_of_shapes({n: shapes[n] for n in names if n in shapes}, names, most)]
    return LimitRows(
        names, (*parts, *(_rows_of_tie(limit_set, item, names, most) for item in ties))
    )


def _rows_of_shapes(
    shapes: Mapping[str, CoupledLimit], names: Sequence[str], most: int
) -> Iterator[_ShapeRows]:
    """Rows of shapes; joints with equally many faces are evaluated together."""
    alike: dict[Any, list[_ShapeRows]] = {}
    for name, limit in shapes.items():
        shape, column = shape_of_limit(limit), np.array([names.index(name)])
        own: Any = shape.chart
        chart = replace(own, centre=own.centre[None, None])
        normals, offsets = half_spaces_of(shape.region)
        key = len(offsets) if isinstance(chart, RotationVectors) else name
        rows = _ShapeRows(column, chart, normals[None], offsets[None], most)
        alike.setdefault(key, []).append(rows)
    for some in alike.values():
        first: Any = some[0].chart
        centre = np.concatenate([one.chart.centre for one in some])
        columns, normals, offsets = (
            np.concatenate([getattr(one, field) for one in some])
            for field in ("columns", "normals", "offsets")
        )
        chart = replace(first, centre=centre)
        yield _ShapeRows(columns, chart, normals, offsets, most)


def half_spaces_of(region: Region) -> tuple[Floats, Floats]:
    """Half-spaces around a region: unit normals (n, 3), and their distances from the origin, (n,).

    Exact for flat regions, boxes and polytopes; for a wrap, those of the hull around it; other
    regions touch each half-space's plane.
    """
    if isinstance(region, Wrap):
        region = region.around
    if isinstance(region, Polytope):
        return region.normals, np.asarray(region.offsets)
    axes = np.asarray(getattr(region, "axes", np.eye(3))).reshape(-1, 3)
    square = np.concatenate([axes, np.linalg.svd(axes)[2][len(axes) :]]) if len(axes) else np.eye(3)
    normals = np.concatenate([square, -square])
    if isinstance(region, Flat) and len(region.corners) > 2:
        x, y = (np.roll(region.corners, -1, axis=0) - region.corners).T
        normals = np.concatenate([np.stack([y, -x], axis=1) @ axes, square[2:], -square[2:]])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    elif not isinstance(region, (Box, OrientedBox, Flat)):
        normals = np.concatenate([normals, both_ways(DIRECTION_COUNT)])
    return normals, np.sum(region.nearest(FAR_RAD * normals) * normals, axis=1)


def _rows_of_tie(
    limit_set: LimitSet, item: records.Dependency, names: Sequence[str], most: int
) -> _TieRows:
    corners = np.asarray(item.corners_deg)
    on, value = (np.roll(corners, -1, axis=0) - corners).T
    normals = np.stack([value, -on], axis=1) / np.hypot(on, value)[:, None]
    pad = item.pad_deg + 10.0**-records.CORNER_DIGITS
    offsets = np.sum(normals * corners, axis=1) + pad * np.abs(normals).sum(axis=1)
    return _TieRows(
        (names.index(item.on_joint), names.index(item.joint)),
        (euler.CHANNELS.index(item.on_channel), euler.CHANNELS.index(item.channel)),
        (
            rotate_box_of(limit_set.joints[item.on_joint]),
            rotate_box_of(limit_set.joints[item.joint]),
        ),
        normals,
        np.radians(offsets),
        most,
    )
