"""Edit that builds the joints of a skeleton fit, as one undo."""

from __future__ import annotations

from jointlimits_core.bodies.body_fit import BodyFit
from jointlimits_core.bodies.build import joint_places, motions

from .errors import SceneError
from .scene_edit import SceneEdit
from .select_step import SelectStep
from .skeleton_chain import Chain
from .skeleton_follow import follow
from .skeleton_names import names_for_joints
from .skeleton_quality import put_quality
from .skeleton_results import BuiltFigure, SkeletonResult
from .skeleton_tracks import SceneTracks

LABEL = "Skeleton from Tracks"


def plan_skeleton(
    found: SceneTracks, fit: BodyFit, suffix: str, constrained: bool
) -> tuple[SceneEdit, SkeletonResult]:
    """Plan the joints of every figure of a fit.

    Parameters
    ----------
    found : SceneTracks
        The sampled tracks.
    fit : BodyFit
        The skeleton found in them.
    suffix : str
        Joint name suffix.
    constrained : bool
        Whether the joints follow their sources live; else they get keys.

    Returns
    -------
    edit : SceneEdit
    result : SkeletonResult

    Raises
    ------
    SceneError
        If no two sources are joined.
    ValueError
        For an invalid suffix.
    """
    if not fit.figures:
        raise SceneError(_loose(fit))
    edit = SceneEdit(LABEL)
    every = motions(fit)
    names = names_for_joints([name for one in every for name in one.joint_names], suffix)
    chains, figures = [], []
    for number, motion in enumerate(every):
        count = len(motion.skeleton)
        chain, names = Chain(motion, names[:count]), names[count:]
        _put(edit, chain, found, fit, number if constrained else None)
        chains.append(chain)
        paths = chain.paths()
        figures.append(BuiltFigure(paths[0], dict(zip(motion.joint_names, paths)), motion))
    edit.add(SelectStep(lambda: [chain.made[0] for chain in chains]))
    return edit, SkeletonResult(fit, tuple(figures), constrained)


def _loose(fit: BodyFit) -> str:
    """Message that there is no skeleton, with advice."""
    names = ", ".join(fit.names[body] for body in fit.free)
    gap = 1000.0 * fit.options.free_beyond_m
    return (
        f"no skeleton found, as no two of these tracks are joined: {names}; choose the tracks of "
        "one figure, frames with more motion, or a larger maximum joint gap (the option "
        f"free_beyond_mm, now {gap:g})"
    )


def _put(
    edit: SceneEdit, chain: Chain, found: SceneTracks, fit: BodyFit, figure: int | None
) -> None:
    """Add one chain to an edit; it follows its sources if its figure number is given."""
    chain.make(edit)
    if figure is None:
        chain.key(edit)
    else:
        places = joint_places(fit, figure)
        bodies = list(places.bodies)
        sources = [found.sources[body] for body in bodies]
        follow(edit, chain, sources, places, found.scales[bodies])
    put_quality(edit, chain, fit)
