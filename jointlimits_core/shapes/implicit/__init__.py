"""Implicit surfaces around a motion, after the method of Herda and others.

See :mod:`.surface` for the surface and its methods, :mod:`.fit` for the steps of the fit.
"""

from .field import CHUNK, Primitives, field_and_gradient, field_hessian, solved, square
from .fit import (
    FARTHEST_CENTRE,
    ISO,
    LARGEST_RADIUS,
    NEAR,
    SHARES,
    SIZE,
    Target,
    boundary_samples,
    cleaned,
    empty_places,
    enclosing_level,
    energy,
    fit_implicit,
    fitted,
    fitted_primitives,
    local_energies,
    normal_equations,
    one_in_each_voxel,
    subdivided,
    with_outliers,
    worth_keeping,
)
from .surface import ImplicitSurface, surface_points
