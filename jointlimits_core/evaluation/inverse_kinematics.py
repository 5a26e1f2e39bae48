"""Inverse kinematics under limits, all frames of a clip at once.

Limits hold in every step instead of being repaired at the end: the start is projected into them,
joints at a limit drop out while the others make up for them, and steps that move the effectors away
are rejected. Frames that stall are tried once more from the middle of the limits.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..arrays import ArrayLike, Floats, Integers
from ..progress import Progress
from ..rotation import normalized
from .cyclic_descent import cyclic_descent
from .ik_solution import METHODS, IkOptions, IkSolution
from .jacobian import Figure
from .joint_constraint import JointConstraint
from .least_squares import least_squares
from .stacked_limits import grouped

Constraints = Mapping[int, JointConstraint]
"""Constraints by joint index; joints without one are free."""

SEARCHES = dict(zip(METHODS, (least_squares, cyclic_descent)))


def solve(
    figure: Figure,
    targets: ArrayLike,
    start: ArrayLike,
    constraints: Constraints | None = None,
    options: IkOptions = IkOptions(),  # noqa: B008 - frozen
    progress: Progress | None = None,
) -> IkSolution:
    """Find poses inside the limits whose effectors are on target.

    Parameters
    ----------
    targets : array-like, shape (frames, effectors, 3)
        World positions.
    start : array-like, shape (frames, joints, 4) or (joints, 4)
        Start poses; turning joints are brought inside their limits first.
    constraints : mapping of joint index to JointConstraint, optional
    progress : callable, optional
        Called with (frames done, frames, label) in every round; returning False cancels.

    Raises
    ------
    ValueError
        For targets or starts that are not finite or have another shape, or an unknown method.
    Cancelled
        If `progress` returned False.
    """
    if options.method not in SEARCHES:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {options.method!r}")
    goal = _checked(targets, (len(figure.translations), len(figure.effectors), 3), "targets")
    shape = (len(goal), len(figure.skeleton), 4)
    pose = _checked(np.broadcast_to(np.asarray(start, np.float64), shape), shape, "start")
    limits = grouped(figure.joints.tolist(), constraints or {})
    search = SEARCHES[options.method]
    found = search(figure, goal, normalized(pose), limits, options, progress)
    rows = np.flatnonzero(~found.converged)
    if not (options.restart and limits and len(rows)):
        return found
    again = normalized(pose[rows])
    for group in limits:
        again[:, figure.joints[group.columns]] = group.constraint.middle()
    second = search(figure.take(rows), goal[rows], again, limits, options, progress)
    return _nearer(found, second, rows)


def _nearer(first: IkSolution, second: IkSolution, rows: Integers) -> IkSolution:
    """First solution, with the second in those of `rows` where it is nearer."""
    better = second.residual < first.residual[rows]
    for name in ("rotations", "residual", "converged"):
        getattr(first, name)[rows[better]] = getattr(second, name)[better]
    first.iterations[rows] += second.iterations
    return first


def _checked(values: ArrayLike, shape: tuple[int, ...], name: str) -> Floats:
    array = np.array(values, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite with shape {shape}, not {array.shape}")
    return array
