"""USD: a UsdSkel skeleton, with UsdPhysics bodies and joints.

Positions and rotations of the skeleton and the bodies are doubles. UsdPhysics attributes are
single precision and its joints have no rotate order, so every joint also stores the exact ranges
of the limits in ``customData["jointlimits"]``.
The formats: https://openusd.org/release/api/usd_physics_page_front.html and
https://openusd.org/release/api/_usd_skel__schemas.html.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from typing import Optional

import numpy as np

from ..base import MissingPackageError, number, printable, unique_names
from ..geometry import Floats
from ..limits import LimitSet
from ..motion import Skeleton
from .figure import Figure, FigureJoint, figure_of
from .formats import ExportFormat, ExportOptions
from .joint_models import BallRange, BodyJoints, body_joints
from .losses import Exported, Loss, common_losses, losses_of, only_in_json
from .usd_stage import UsdJoint, usd_joint

FORMAT = ExportFormat(
    name="usd",
    words="a USD skeleton with physics joints",
    endings=("usda", "usdc", "usd"),
    needs_skeleton=True,
    options=("ball_joints", "locked", "hinge_joints", "root_joint", "meters_per_unit"),
)


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write a stage.

    The ending decides: "usda" is text, "usdc" and "usd" are binary. Raises MissingPackageError if
    usd-core is not installed; the message says how to install it.
    """
    assert skeleton is not None
    require_usd()
    # Imported here because it needs an optional package.
    from .usd_stage import UsdFigure, stage_content

    figure = figure_of(limit_set, skeleton)
    turning = [body_joints(joint, options) for joint in figure.joints]
    bones = bones_of(figure)
    joints = [usd_joint(*each) for each in zip(figure.joints, turning, bones)]
    names = unique_names((joint.name for joint in figure.joints), usd_name)
    drawn = UsdFigure(figure, tuple(turning), tuple(joints), tuple(names))
    unit = figure.unit(options)
    content = stage_content(drawn, limit_set.character, unit, options.ending)
    triples = list(zip(figure.joints, turning, joints))
    losses = (*figure.losses, *_losses(limit_set, figure, triples, names, options))
    return Exported(content, losses, tuple(_notes(triples)))


def require_usd() -> None:
    """Check that usd-core is available; raises MissingPackageError, saying what to install."""
    try:
        importlib.import_module("pxr.UsdPhysics")
    except ImportError as error:
        raise MissingPackageError(
            "USD export needs usd-core, which is not installed; install it with: "
            f"pip install usd-core ({error})"
        ) from error


def usd_name(name: str) -> str:
    """Valid prim name: characters other than letters, digits and ``_`` become ``_``."""
    plain = re.sub(r"\W", "_", name.lstrip("|"), flags=re.ASCII)
    return f"_{plain}" if plain[:1].isdigit() else plain


def _notes(triples: Sequence[Triple]) -> Iterator[str]:
    kinds = [made.kind for _, _, made in triples if made is not None]
    names = {"revolute": "revolute", "spherical": "spherical", "d6": "D6", "fixed": "fixed"}
    counted = [f"{kinds.count(kind)} {word}" for kind, word in names.items() if kind in kinds]
    yield f"{len(triples)} bodies; joints: {', '.join(counted) or 'none'}"
    for joint, one, made in triples:
        if made is not None and one.ball is not None:
            yield f"{printable(joint.name)}: {_cone_words(one.ball, made.cone_deg)}"


def _cone_words(ball: BallRange, half_deg: float | None) -> str:
    """Width of a cone, and the share of all rotations that it and the channels allow."""
    box = f"its channels allow {number(100.0 * ball.box_share, 2)} %"
    if half_deg is None:
        return f"no cone, all rotations; {box}"
    # The twist is free, so the share is that of the directions.
    share = 0.5 - 0.5 * float(np.cos(np.radians(half_deg)))
    return (
        f"a cone of {number(half_deg)} degrees around its middle, {number(100.0 * share, 2)} % of "
        f"all rotations; {box}"
    )


_MESSAGES = {
    "rotate-order": "a D6 joint has three angles but no rotate order, and programs apply them in "
    "different orders; the ranges of the three channels were written, the rotate order is in "
    "customData",
    "cone": "a spherical joint keeps the bone in a cone and does not limit its twist; the cone "
    "that contains everything the channels allow was written, which allows more (--ball-joints "
    "channels writes the channels)",
    "no-cone": "a spherical joint only has a cone for its bone, and the channels let the bone "
    "point anywhere; no limit was written (--ball-joints channels writes the channels)",
    "own-axis": "one hinge about the joint's own axis was written, with the range measured about "
    "it (--hinge-joints channels writes the channels)",
    "locked-channel": "locked channels are fixed at the rest pose (--locked range writes the "
    "narrow range measured)",
    "other-turn": "ranges on another full turn were moved to the one around zero, since few "
    "programs support joints that wind up; customData has the originals",
    "one-sided": "few programs support one-sided ranges; a million degrees stand for the missing "
    "limit",
    "root-limits": "a free body has no limits; the root's limits are only in customData "
    "(--root-joint hinges writes them)",
    "other-name": "the name is not valid for a USD prim; letters, digits and _ were written, the "
    "original name is in customData",
}
Triple = tuple[FigureJoint, BodyJoints, Optional[UsdJoint]]


def _losses(
    limit_set: LimitSet,
    figure: Figure,
    triples: Sequence[Triple],
    names: list[str],
    options: ExportOptions,
) -> Iterator[Loss]:
    own = {joint.limit_name for joint, one, _ in triples if one.is_on_own_axis}
    yield from common_losses(limit_set, "USD", figure.limited_names(), own)
    yield from losses_of(_MESSAGES, _rule_joints(triples, own, options))
    renamed = [joint.name for joint, name in zip(figure.joints, names) if joint.name != name]
    yield from losses_of(_MESSAGES, {"other-name": renamed})
    yield from _scene_losses(figure, options)
    yield from only_in_json(limit_set)


def _rule_joints(
    triples: Sequence[Triple], own: set[str], options: ExportOptions
) -> dict[str, list[str]]:
    """Joints that each rule concerns."""
    made = [(joint, one) for joint, _, one in triples if one is not None]
    balls = [(joint, one) for joint, one in made if one.kind == "spherical"]
    ranged = [joint for joint, one in made if one.kind in ("revolute", "d6")]
    return {
        "rotate-order": [joint.name for joint, one in made if one.kind == "d6"],
        "cone": [joint.name for joint, one in balls if one.cone_deg is not None],
        "no-cone": [j.name for j, one in balls if one.cone_deg is None and j.is_limited],
        "own-axis": [joint.name for joint, _, _ in triples if joint.limit_name in own],
        "locked-channel": [j.name for j, one, _ in triples if _is_held(j, one, own, options)],
        "other-turn": [joint.name for joint, one in made if one.moved],
        "one-sided": [joint.name for joint in ranged if joint.is_one_sided],
        "root-limits": [j.name for j, one, _ in triples if one.free and j.limit is not None],
    }


def _is_held(joint: FigureJoint, one: BodyJoints, own: set[str], options: ExportOptions) -> bool:
    """Whether a locked channel with a range is fixed."""
    if one.free or options.locked != "hold" or joint.limit_name in own:
        return False
    return bool((joint.box.high > joint.box.low)[list(joint.locked)].any())


def _scene_losses(figure: Figure, options: ExportOptions) -> Iterator[Loss]:
    if options.meters_per_unit is None and figure.skeleton.meters_per_unit is None:
        yield Loss(
            "unknown-unit",
            "the source does not state its length unit; metres were written, so the figure is "
            f"{number(figure.height(), 2)} m in size (--meters-per-unit 0.01 if they are "
            "centimetres)",
        )
    yield Loss(
        "single-precision",
        "UsdPhysics stores positions, orientations and limits of joints in single precision, "
        "about seven digits; customData has all digits",
    )
    yield Loss(
        "masses",
        "limits contain no bodies: capsules along the bones were written with the mass of water; "
        "moments of inertia are left to the program, and collisions are off",
    )
    yield Loss("up-axis", "the source does not state its up axis; Y was written, Maya's default")


def bones_of(figure: Figure) -> list[Floats]:
    """Direction from every joint to its first child at another position, or zero."""
    least = 1e-9 * figure.height()
    found = [np.zeros(3) for _ in figure.joints]
    for joint in reversed(figure.joints):
        if joint.parent >= 0 and float(np.linalg.norm(joint.place)) > least:
            found[joint.parent] = joint.place
    return found
