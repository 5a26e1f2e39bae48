"""Coupled limits: sets of allowed rotations, with projection onto them.

A shape is a region of three-dimensional coordinates and the chart that maps rotations to those
coordinates. See :mod:`.shape` for the interface of shapes, :mod:`.fitting` for how they are fitted.
"""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .charts import Chart, RotationVectors, SwingTwist, TwoAxes, chart_from_dict
    from .coupled_limit import CoupledLimit, FitOptions, fit_options_of
    from .fitting import (
        FITS,
        REGIONS,
        TYPED,
        charted,
        fit_hinge,
        fit_shape,
        fit_universal,
        innermost,
        midrange_centre,
        region_from_dict,
        shape_from_dict,
        shape_of_limit,
        unrolled,
    )
    from .flat import Flat, convex_polygon, flat_around, nearest_in_polygon
    from .hull import article_lines, fit_hull, fit_kdop
    from .mesh import RINGS, SPOKES, SurfaceMesh, surface_mesh
    from .polytope import Polytope, hull_triangles, nearest_on_triangles, triangle_planes
    from .region import (
        Box,
        Ellipsoid,
        OrientedBox,
        Region,
        fit_box,
        fit_ellipsoid,
        fit_oriented_box,
        onto_ellipsoid,
        principal_axes,
        smallest_ellipsoid,
    )
    from .scalar_joint import (
        Frame,
        Project,
        compact_text,
        frame_of,
        project_from_text,
        projected_rotate,
        scalar_project,
    )
    from .shape import CoupledShape, Shape, Softening, nearer_points, part_way_back, softened
    from .validation import CHART_FORMS, REGION_FORMS, highest, shape_problems, space_problem
    from .wrap import MOST_SAMPLES, Wrap, fit_wrap, nearest_in_cells, representative_samples

__getattr__, __dir__ = exports(__name__)
