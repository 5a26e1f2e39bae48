"""Implicit surfaces around a motion, after the method of Herda and others.

See :mod:`.surface` for the surface and its methods, :mod:`.fit` for the steps of the fit.
"""

from .field import CHUNK, Primitives, field_and_gradient, field_hessian, solved, square
from .fit import (
    FARTHEST_CENTRE,
    LARGEST_RADIUS,
    NEAR,
    SHARE,
    SIZE,
    boundary_samples,
    cleaned,
    empty_places,
    enclosing_level,
    fit_implicit,
    fitted_primitives,
    local_energies,
    one_in_each_voxel,
    subdivided,
    with_outliers,
    worth_keeping,
)
from .solver import ISO, Target, energy, fitted, normal_equations
from .surface import ImplicitSurface, surface_points
