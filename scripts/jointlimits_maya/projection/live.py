"""Live coupled limits: nodes inserted between a joint and its drivers, and removed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jointlimits_core.base import OptionText
from jointlimits_core.rig import Skipped, skipped_attribute
from jointlimits_core.shapes import compact_text

from ..base.open_maya import om
from ..read import (
    NODE_TYPE,
    QUATERNION_INTERPOLATIONS,
    Projection,
    projection_of,
    solved_joints,
    unit_of_curve,
)
from ..scene import (
    Angle,
    Attributes,
    ProjectResult,
    SceneEdit,
    StopResult,
    joint_names,
    short_name,
    source_of,
)
from ..write import joint_obstacle
from .nodes import Recipe, insert_nodes, remove_nodes
from .plain_nodes import UnsupportedShapeError, plain_recipe
from .shapes import Shaped


@dataclass(frozen=True)
class ProjectOptions:
    """Options for keeping joints inside their shapes.

    `softness`: radians that a joint may go beyond the shape. `falloff`: how fast the shape gives
    way, per radian. `plain_nodes`: use standard Maya nodes instead of the plug-in's; boxes only,
    without softness.
    """

    softness: float = 0.0
    falloff: float = 1.0
    plain_nodes: bool = False


def plan_projecting(
    shaped: Sequence[Shaped], options: ProjectOptions
) -> tuple[SceneEdit, ProjectResult]:
    """Plan the projection of joints into their shapes.

    `result`: joints that are already projected get the new shape.
    """
    edit = SceneEdit("Project Joint Limits")
    projected: list[str] = []
    unchanged: list[str] = []
    skipped: list[Skipped] = []
    solved = solved_joints()
    for one in shaped:
        node = one.path.node()
        recipe = _unfit(one, solved) or _recipe(one, options)
        if isinstance(recipe, Skipped):
            skipped.append(recipe)
            continue
        existing = projection_of(node)
        if existing is not None and _is_same(existing, recipe):
            unchanged.append(one.name)
            continue
        if existing is not None:
            remove_nodes(edit, node, existing)
        insert_nodes(edit, node, recipe, short_name(str(one.path.fullPathName())).replace(":", "_"))
        projected.append(one.name)
    form = "plain nodes" if options.plain_nodes else NODE_TYPE
    return edit, ProjectResult(form, tuple(projected), tuple(unchanged), tuple(skipped))


def plan_stopping(joints: Sequence[om.MDagPath]) -> tuple[SceneEdit, StopResult]:
    """Plan the removal of projections, so that joints are driven as before."""
    edit = SceneEdit("Stop Projecting Joint Limits")
    stopped: list[str] = []
    untouched: list[str] = []
    skipped: list[Skipped] = []
    for name, path in zip(joint_names(joints), joints):
        node = path.node()
        existing = projection_of(node)
        if existing is None:
            untouched.append(name)
            continue
        why = joint_obstacle(name, node) or next(_stuck(name, node), None)
        if why is not None:
            skipped.append(why)
            continue
        remove_nodes(edit, node, existing)
        stopped.append(name)
    return edit, StopResult(tuple(stopped), tuple(untouched), tuple(skipped))


def _unfit(one: Shaped, solved: Mapping[str, str]) -> Skipped | None:
    """Reason why a joint cannot be projected, or None."""
    why = joint_obstacle(one.name, one.path.node())
    if why is None and str(one.path.fullPathName()) in solved:
        advice = "IK bypasses inserted nodes; bake the joint's animation and project the keys"
        return Skipped(one.name, "", "driven by an IK handle", advice)
    if why is None and isinstance(projection := one.projection(), Skipped):
        return projection
    return why or next(_stuck(one.name, one.path.node()), None)


def _stuck(name: str, node: om.MObject) -> Iterator[Skipped]:
    """Channels where no node can be inserted."""
    attributes = Attributes(node)
    for plug in (attributes.plug("rotate"), *attributes.plugs("rotate")):
        channel = str(plug.partialName(useLongNames=True))
        if plug.isLocked:
            yield skipped_attribute(name, channel, "locked")
        source = source_of(plug) if plug.isChild else None
        if source is not None and _is_quaternion_curve(source.node()):
            advice = "change the curves to Euler interpolation (Curves > Change Rotation Interp)"
            yield Skipped(name, channel, "its keys are interpolated as quaternions", advice)


def _is_quaternion_curve(node: om.MObject) -> bool:
    if unit_of_curve(node) is None:
        return False
    interpolation = om.MFnDependencyNode(node).findPlug("rotationInterpolation", False)
    return interpolation.asInt() in QUATERNION_INTERPOLATIONS


def _recipe(one: Shaped, options: ProjectOptions) -> Recipe | Skipped:
    """Nodes to insert, or the reason why that is not possible."""
    if not options.plain_nodes:
        return node_recipe(compact_text(one.shape), options)
    try:
        return plain_recipe(one.shape, one.path.node(), options.softness)
    except UnsupportedShapeError as error:
        return Skipped(one.name, "", str(error), OptionText("leave out ", "plain_nodes"))


def node_recipe(text: str, options: ProjectOptions) -> Recipe:
    """Recipe with the plug-in's own node.

    `text`: a shape as compact JSON.
    """
    # live check: joint-frame-into-node (as in constraints: the joint's own axes are inputs)
    frame = ("rotateOrder", "jointOrient", "rotateAxis")
    return Recipe(
        {"node": NODE_TYPE},
        takes="node.inputRotate",
        gives="node.outputRotate",
        values=[
            ("node.shape", text),
            ("node.softness", Angle(options.softness)),
            ("node.falloff", float(options.falloff)),
        ],
        of_joint=[(name, f"node.{name}") for name in frame],
    )


def _is_same(existing: Projection, recipe: Recipe) -> bool:
    """Whether an existing projection already does what a recipe would."""
    if existing.is_plain or recipe.nodes != {"node": NODE_TYPE}:
        return False
    find = om.MFnDependencyNode(existing.driver).findPlug
    wanted = {place.partition(".")[2]: value for place, value in recipe.values}
    softness = wanted["softness"]
    return (
        find("shape", False).asString() == wanted["shape"]
        and isinstance(softness, Angle)
        and find("softness", False).asDouble() == softness.radians
        and find("falloff", False).asDouble() == wanted["falloff"]
    )
