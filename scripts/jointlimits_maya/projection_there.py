"""Existing projections of joints: the node that drives a joint, and its input."""

from __future__ import annotations

from dataclasses import dataclass

import maya.api.OpenMaya as om

from .attributes import AXES, Attributes, source_of, type_of
from .projection_recipe import PARTS, axes_of, plug_at

NODE_TYPE = "jointLimitProject"
PLAIN_DRIVER = "pairBlend"


@dataclass(frozen=True, eq=False)
class Projection:
    """A projection in the scene.

    Parameters
    ----------
    driver : MObject
        The node that drives the joint.
    takes, gives : str
        Its input and output compounds.
    """

    driver: om.MObject
    takes: str
    gives: str

    @property
    def is_plain(self) -> bool:
        """Whether it consists of standard Maya nodes."""
        return self.gives == "outRotate"


def projection_of(joint: om.MObject) -> Projection | None:
    """The projection that drives a joint's rotation; None if there is none."""
    for plug in Attributes(joint).plugs("rotate"):
        found = _behind(plug)
        if found is not None:
            return found
    return None


def before_projection(plug: om.MPlug) -> om.MPlug:
    """Input channel of the projection that drives a rotate channel.

    Parameters
    ----------
    plug : MPlug
        Any plug; returned as it is if no projection drives it.
    """
    found = _behind(plug)
    if found is None:
        return plug
    axis = AXES.index(plug.partialName(useLongNames=True)[-1])
    return plug_at(found.driver, axes_of(found.takes)[axis])


def _behind(plug: om.MPlug) -> Projection | None:
    source = source_of(plug)
    if source is None:
        return None
    node = source.node()
    kind = type_of(node)
    if kind == NODE_TYPE:
        return Projection(node, "inputRotate", "outputRotate")
    if kind == PLAIN_DRIVER and om.MFnDependencyNode(node).hasAttribute(PARTS):
        return Projection(node, "inRotate1", "outRotate")
    return None
