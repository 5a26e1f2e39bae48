"""Coupled limits (shapes) of every joint, from all frames of the clips, and their dependencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..base import EstimationError, Finding, OptionText, Progress, report_progress
from ..geometry import Booleans, Floats
from ..limits import JointLimit, LimitSet
from ..motion import Motion, screen
from ..shapes import (
    CoupledLimit,
    CoupledShape,
    FitOptions,
    Flat,
    fit_hinge,
    fit_options_of,
    fit_shape,
    fit_universal,
    twist_axes,
)
from .dependencies import with_dependencies
from .options import EstimateOptions

RULE = "no-shape"
EACH_SIDE = "left and right ranges are pooled, but shapes are fitted to each side separately"
SHAPE_OPTIONS = ("with shapes", "coupled")
"""Option groups of :func:`with_requested_shapes`."""


def with_coupled_limits(
    limit_set: LimitSet,
    clips: Sequence[Motion],
    kind: str,
    fit: FitOptions | None = None,
    options: EstimateOptions | None = None,
    progress: Progress | None = None,
) -> LimitSet:
    """Fit a shape to every moving joint.

    Hinges and universal joints get the form of their type, which describes their axes better than a
    solid shape. The root and fixed joints get none. A joint to which no shape can be fitted has a
    finding with the reason. Raises EstimationError if there are no clips, or the clips do not have
    the joints. `limit_set`: from the same clips, in the standard mode. `kind`: shape of ball
    joints, one of :data:`jointlimits_core.shapes.fitting.FITS`. `options`: those of the estimate,
    so that the same frames are excluded.
    """
    if not clips:
        raise EstimationError("shapes are fitted to clips; a summary does not hold every frame")
    fit = fit or FitOptions()
    rotations = _pooled(limit_set, clips, options or EstimateOptions(), progress)
    axes = twist_axes(clips[0].skeleton)
    joints = dict(limit_set.joints)
    for number, (name, limit) in enumerate(limit_set.joints.items()):
        if name in rotations:
            axis = axes[clips[0].skeleton.index(name)]
            joints[name] = _with_shape(name, limit, rotations[name], kind, fit, axis)
        report_progress(progress, number + 1, len(joints), f"fitted {name}")
    pooled = options is not None and options.symmetry == "pool"
    notes = [Finding(RULE, EACH_SIDE)] if pooled else []
    return replace(limit_set, joints=joints, findings=(*limit_set.findings, *notes))


def _pooled(
    limit_set: LimitSet,
    clips: Sequence[Motion],
    options: EstimateOptions,
    progress: Progress | None,
) -> dict[str, Floats]:
    """Rotations of every joint that gets a shape, shape (samples, 4), in time order."""
    kept = []
    for number, clip in enumerate(clips):
        report_progress(progress, number, len(clips), f"taking the poses of {clip.name}")
        kept.append(screen(clip, options.skip_rules, options.leave_out).motion)
    missing = [name for name in limit_set.joints if name not in kept[0].joint_names]
    if missing:
        raise EstimationError(f"clip {kept[0].name!r} has no joint {missing[0]!r}")
    return {
        name: np.concatenate([clip.quaternion(name) for clip in kept])
        for name, limit in limit_set.joints.items()
        if limit.type != "fixed" and any(axis.state != "free" for axis in limit.limits.values())
    }


def _with_shape(
    name: str, limit: JointLimit, rotations: Floats, kind: str, fit: FitOptions, axis: Floats
) -> JointLimit:
    try:
        shape = _shape_of_type(limit.type, rotations, kind, fit, axis)
    except EstimationError as error:
        finding = Finding(RULE, f"no shape could be fitted: {error}", name)
        return replace(limit, coupled=None, findings=(*limit.findings, finding))
    outside = int(np.count_nonzero(~reaches(shape, rotations)))
    return replace(limit, coupled=coupled_limit(shape, fit, len(rotations), outside))


def _shape_of_type(
    joint_type: str, rotations: Floats, kind: str, fit: FitOptions, axis: Floats
) -> CoupledShape:
    if joint_type == "hinge":
        return fit_hinge(rotations, fit)
    if joint_type == "universal":
        return fit_universal(rotations, fit)
    return fit_shape(kind, rotations, fit, axis)


def reaches(shape: CoupledShape, rotations: Floats) -> Booleans:
    """Rotations inside a shape, ignoring components that a hinge or universal joint lacks."""
    points = shape.chart.coordinates(rotations)
    if isinstance(shape.region, Flat):
        flat = shape.region
        points = flat.origin + (points - flat.origin) @ flat.axes.T @ flat.axes
        return flat.contains(points)
    return shape.contains(rotations)


def coupled_limit(shape: CoupledShape, fit: FitOptions, samples: int, outside: int) -> CoupledLimit:
    """Shape as data for a limit set."""
    data = shape.to_dict()
    return CoupledLimit(
        kind=data["kind"],
        coordinates=data["coordinates"],
        region=data["region"],
        pad_deg=fit.pad_deg,
        freedom=shape.freedom(),
        samples=samples,
        trimmed=outside,
    )


def with_requested_shapes(
    limit_set: LimitSet,
    clips: Sequence[Motion],
    values: Mapping[str, Any],
    options: EstimateOptions,
    progress: Progress | None = None,
) -> LimitSet:
    """Fit shapes and find dependencies if the option ``coupled`` is on.

    Raises ValueError if the limits are not on rotate channels. Raises EstimationError, Cancelled as
    :func:`.coupled.with_coupled_limits`. `limit_set`: from these clips. `values`: values of all
    options of the groups :data:`SHAPE_OPTIONS`. `options`: those of the estimate.
    """
    if not values["coupled"]:
        return limit_set
    if options.mode == "paper":
        raise ValueError(OptionText("shapes go with the standard mode; leave ", "mode", " out"))
    fit = fit_options_of(values)
    found = with_coupled_limits(limit_set, clips, values["shape"], fit, options, progress)
    return with_dependencies(found, clips, options, progress, fit.pad_deg)
