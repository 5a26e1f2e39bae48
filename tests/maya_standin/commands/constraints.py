"""orientConstraint, pointConstraint, parentConstraint: made with the connections Maya makes.

The connections are those that scenes with constraints hold.
"""

from __future__ import annotations

from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.commands.finding import name_for_user, objects
from tests.maya_standin.commands.flags import Float, Text, Texts
from tests.maya_standin.commands.nodes import in_current_namespace
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.nodes import Plug

# Attribute of the target, and of the constraint's element for it.
TARGET_LINKS = (
    ("translate", "targetTranslate"),
    ("rotate", "targetRotate"),
    ("scale", "targetScale"),
    ("rotateOrder", "targetRotateOrder"),
    ("parentMatrix[0]", "targetParentMatrix"),
)
OWN_LINKS = (
    ("parentInverseMatrix[0]", "constraintParentInverseMatrix"),
    ("rotateOrder", "constraintRotateOrder"),
)


@command("orientConstraint", undoable=True)
def orient_constraint(session, *names, name: Text = "", skip: Texts = (), weight: Float = 1.0):
    """Let a node turn like another one."""
    made = _constraint(session, "orientConstraint", names, name, weight)
    _drive(session.scene, made, "rotate", skip)
    return [name_for_user(session.scene, made)]


@command("parentConstraint", undoable=True)
def parent_constraint(session, *names, name: Text = "", weight: Float = 1.0):
    """Let a node follow another one as if it were below it."""
    made = _constraint(session, "parentConstraint", names, name, weight)
    _drive(session.scene, made, "rotate", ())
    _drive(session.scene, made, "translate", ())
    return [name_for_user(session.scene, made)]


def _constraint(session, type_name, names, name, weight):
    """Make the node below the constrained one, with all that it reads."""
    scene = session.scene
    items = objects(scene, names) if names else list(scene.selection)
    if len(items) != 2:
        raise NotModelledError(f"cmds.{type_name} with other than one target")
    target, own = items
    wanted = name or f"{own.short_name}_{type_name}1"
    node = scene.create_node(type_name, in_current_namespace(scene, wanted), own)
    for source, destination in TARGET_LINKS:
        scene.connect(Plug(target, source), Plug(node, f"target[0].{destination}"))
    for source, destination in OWN_LINKS:
        scene.connect(Plug(own, source), Plug(node, destination))
    if target.type == "joint":
        scene.connect(Plug(target, "jointOrient"), Plug(node, "target[0].targetJointOrient"))
    if own.type == "joint":
        scene.connect(Plug(own, "jointOrient"), Plug(node, "constraintJointOrient"))
    _add_weight(scene, node, target, weight)
    return node


def _add_weight(scene, node, target, weight):
    alias = f"{target.short_name}W0"
    scene.add_attribute(node, AttributeSpec(alias, "w0", "double", 1.0, keyable=True))
    scene.set_value(Plug(node, alias), weight)
    scene.connect(Plug(node, alias), Plug(node, "target[0].targetWeight"))


def _drive(scene, node, channel, skip):
    """Connect the outputs into the channels of the constrained node that are not skipped."""
    for axis in "XYZ":
        if axis.lower() in skip:
            continue
        plug = Plug(node.parent, f"{channel}{axis}")
        if plug in scene.connections:
            raise NotModelledError(f"a constraint on the driven channel {scene.plug_name(plug)}")
        output = f"constraint{channel[0].upper()}{channel[1:]}{axis}"
        scene.check_connectable(Plug(node, output), plug)
        scene.connect(Plug(node, output), plug)
