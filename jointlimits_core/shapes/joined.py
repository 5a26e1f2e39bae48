"""One shape from several shapes of one joint: rotations that at least one, or several, allow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.errors import EstimationError
from ..geometry.arrays import Floats
from . import fitting, hull, polytope, validation
from .charts import RotationVectors
from .coupled_limit import CoupledLimit, FitOptions
from .flat import Flat
from .mesh import surface_mesh
from .shape import CoupledShape

PAD_DEG = 1.0
"""Degrees by which a joined shape extends beyond the boundary points of its parts."""


def joined_shape(parts: Sequence[CoupledLimit], rank: int = 1) -> CoupledLimit | None:
    """Hull around the shapes of one joint, as far out as `rank` of them reach in every direction.

    `parts`: at least `rank` shapes. If `rank` is 1, the result contains all that any of them
    contains. Flat shapes, such as those of hinges, are joined into a hull with volume. If
    no shape can be made with `rank`, it is made with 1; None if that fails too.
    """
    if rank > 1:
        return _join(parts, rank) or _join(parts, 1)
    return _join(parts, 1)


def _join(parts: Sequence[CoupledLimit], rank: int) -> CoupledLimit | None:
    shapes = [fitting.shape_of_limit(one) for one in parts]
    surfaces = [surface_mesh(one, finer=2).rotations for one in shapes]
    every = np.concatenate(surfaces)
    try:
        if rank > 1 or not any(isinstance(one.region, Flat) for one in shapes):
            shape = _hull(surfaces, fitting.midrange_centre(every), rank)
            every = every[shape.contains(every)]
        if any(isinstance(one.region, Flat) for one in shapes):
            shape = fitting.fit_shape("hull", every, FitOptions(PAD_DEG))
    except EstimationError:
        return None
    found = shape.to_dict()
    if next(validation.shape_problems(found), None) is not None:
        return None
    samples, trimmed = (sum(getattr(one, name) for one in parts) for name in ("samples", "trimmed"))
    return CoupledLimit(
        **found,
        pad_deg=min(one.pad_deg for one in parts),
        freedom=shape.freedom(),
        samples=samples,
        trimmed=trimmed,
    )


def _hull(surfaces: Sequence[Floats], centre: Floats, rank: int) -> CoupledShape:
    """Polytope whose sides are at the `rank`-th furthest reach of the surfaces."""
    chart = RotationVectors(centre)
    pad = float(np.radians(PAD_DEG))
    normals = hull.both_ways(hull.DIRECTION_COUNT)
    sides = [polytope.enclose(normals, chart.coordinates(one), pad) for one in surfaces]
    offsets = np.sort([offset for _, offset in sides], axis=0)[-rank]
    return CoupledShape(chart, polytope.Polytope(sides[0][0], offsets))
