"""Joint Limits for Blender: measured from the action of the selected armature.

In Blender: Edit, Preferences, Add-ons, Install from Disk, this file. The panel is in the sidebar of
the 3D viewport (N), tab Joint Limits. Blender's own Python needs the package once, in a clone:

    BLENDER/python/bin/python -m pip install .

Every button is one undo step, and no key is changed: constraints clamp what the action says.
"""

# Blender's own forms of names and of options, and classes that have no types.
# ruff: noqa: N801, RUF012
# mypy: disallow-subclassing-any=False

from collections.abc import Iterator
from typing import Any

import bpy  # type: ignore[import-not-found]

bl_info = {
    "name": "Joint Limits",
    "description": "Joint types and rotation limits, measured from animation",
    "author": "Joint Limits for Maya",
    "version": (0, 2, 0),
    "blender": (4, 2, 0),
    "location": "3D Viewport > Sidebar > Joint Limits",
    "category": "Rigging",
}

KEPT = "joint_limits"
"""Custom property of the armature that holds the estimated limits, as JSON."""
MISSING = "needs the package jointlimits in Blender's Python; see the add-on's file"


def bones_of(armature: Any) -> list[Any]:
    """Pose bones, parents first."""
    return sorted(armature.pose.bones, key=lambda bone: len(bone.parent_recursive))


def skeleton_of(armature: Any) -> Any:
    """Joints in the bones' own axes, at rest as in edit mode."""
    import numpy as np

    from jointlimits_core import Skeleton
    from jointlimits_core.geometry.quaternion import quaternion_from_matrix

    bones = bones_of(armature)
    names = [bone.name for bone in bones]
    parents = [-1 if bone.parent is None else names.index(bone.parent.name) for bone in bones]
    world = np.array([bone.bone.matrix_local for bone in bones], dtype=np.float64)
    local = world.copy()
    below = np.flatnonzero(np.array(parents) >= 0)
    local[below] = np.linalg.inv(world[np.array(parents)[below]]) @ world[below]
    rest = quaternion_from_matrix(local[:, :3, :3])
    return Skeleton(
        tuple(names),
        np.array(parents),
        local[:, :3, 3],
        rest_rotations=rest,
        rest_source="rest position",
        rotate_orders=tuple(order_of(bone).lower() for bone in bones),
        joint_orients=rest,
        name=armature.name,
        meters_per_unit=bpy.context.scene.unit_settings.scale_length,
    )


def order_of(bone: Any) -> str:
    """Rotation order of a bone's Euler angles; XYZ for one keyed otherwise."""
    return bone.rotation_mode if len(bone.rotation_mode) == 3 else "XYZ"


def motion_of(armature: Any) -> Any:
    """The armature's action at its whole frames, before constraints."""
    import numpy as np

    from jointlimits_core import Motion
    from jointlimits_core.motion.reorient import continuous_angles

    scene, bones, skeleton = bpy.context.scene, bones_of(armature), skeleton_of(armature)
    first, last = (round(frame) for frame in armature.animation_data.action.frame_range)
    frames = np.arange(first, last + 1, dtype=np.float64)
    turns = np.array([list(turns_at(bones, frame)) for frame in range(first, last + 1)])
    rotates = np.zeros((len(bones), 3, len(frames)))
    for number, bone in enumerate(bones):
        if order_of(bone) == bone.rotation_mode:
            rotates[number] = turns[:, number, :3].T
        else:
            rotates[number] = continuous_angles(turns[:, number].T, "xyz")
    rate = scene.render.fps / scene.render.fps_base
    return Motion.from_rotates(skeleton, rotates, frames, rate, armature.animation_data.action.name)


def turns_at(bones: list[Any], frame: int) -> Iterator[tuple[float, ...]]:
    """Euler angles and a zero, or the quaternion (x, y, z, w), of every bone in a frame."""
    bpy.context.scene.frame_set(frame)
    for bone in bones:
        if order_of(bone) == bone.rotation_mode:
            yield (*bone.rotation_euler, 0.0)
        else:
            w, x, y, z = bone.matrix_basis.to_quaternion()
            yield x, y, z, w


class Button(bpy.types.Operator):
    """What the three buttons share: an armature, and errors as messages."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether an armature is active."""
        return context.object is not None and context.object.type == "ARMATURE"

    def execute(self, context: Any) -> set[str]:
        """Run; report an error and change nothing if it cannot."""
        try:
            for sentence in self.sentences(context.object):
                self.report({"INFO"}, sentence)
        except ModuleNotFoundError as error:
            self.report({"ERROR"}, f"Joint Limits {MISSING} ({error.name})")
            return {"CANCELLED"}
        except (ValueError, SystemExit) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def sentences(self, armature: Any) -> Iterator[str]:
        """Do the work; yield what to say about it."""
        raise NotImplementedError


class JOINTLIMITS_OT_estimate(Button):
    """Measure joint types and limits from the armature's action."""

    bl_idname = "jointlimits.estimate"
    bl_label = "Estimate"
    bl_description = "Measure joint types and limits from the armature's action"
    pad_deg: bpy.props.FloatProperty(  # type: ignore[valid-type]
        name="Widen By", description="Degrees beyond each measured limit", min=0.0, max=179.0
    )

    def sentences(self, armature: Any) -> Iterator[str]:
        """Estimate, and keep the limits on the armature."""
        from jointlimits_core import estimate
        from jointlimits_core.report.terminal.limits import table

        if not (armature.animation_data and armature.animation_data.action):
            raise ValueError(f"{armature.name} has no action; assign one in the Action Editor")
        frame = bpy.context.scene.frame_current
        limit_set = estimate(motion_of(armature), pad_deg=self.pad_deg)
        bpy.context.scene.frame_set(frame)
        armature[KEPT] = limit_set.to_json()
        print(table(limit_set))
        yield table(limit_set).splitlines()[0]


class JOINTLIMITS_OT_apply(Button):
    """Set Limit Rotation and IK limits from the estimated limits."""

    bl_idname = "jointlimits.apply"
    bl_label = "Apply"
    bl_description = "Set Limit Rotation and IK limits from the estimated limits"

    def sentences(self, armature: Any) -> Iterator[str]:
        """Write the kept limits on the bones."""
        import numpy as np

        from jointlimits_core import LimitSet
        from jointlimits_core.exporters.blender import blender_joints
        from jointlimits_core.exporters.for_blender.apply_limits import apply_limits

        if KEPT not in armature:
            raise ValueError(f"{armature.name} has no limits yet; press Estimate first")
        limit_set = LimitSet.from_json(armature[KEPT], armature.name)
        joints = blender_joints(limit_set, skeleton_of(armature))
        yield from apply_limits(armature, joints, np.eye(3))


class JOINTLIMITS_OT_clear(Button):
    """Remove the limits, and set IK back as it was."""

    bl_idname = "jointlimits.clear"
    bl_label = "Clear"
    bl_description = "Remove the limits, and set IK back as it was"

    def sentences(self, armature: Any) -> Iterator[str]:
        """Remove the constraints."""
        from jointlimits_core.exporters.for_blender.apply_limits import clear_limits

        yield f"limits of {clear_limits(armature)} bones removed"


class JOINTLIMITS_PT_panel(bpy.types.Panel):
    """The three buttons."""

    bl_label = "Joint Limits"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Joint Limits"

    def draw(self, context: Any) -> None:
        """Draw the buttons in the order of the work."""
        column = self.layout.column(align=True)
        column.operator(JOINTLIMITS_OT_estimate.bl_idname, icon="DRIVER_ROTATIONAL_DIFFERENCE")
        column.operator(JOINTLIMITS_OT_apply.bl_idname, icon="CON_ROTLIMIT")
        column.operator(JOINTLIMITS_OT_clear.bl_idname, icon="X")


CLASSES = (
    JOINTLIMITS_OT_estimate,
    JOINTLIMITS_OT_apply,
    JOINTLIMITS_OT_clear,
    JOINTLIMITS_PT_panel,
)


def register() -> None:
    """Add the panel and its buttons."""
    for one in CLASSES:
        bpy.utils.register_class(one)


def unregister() -> None:
    """Remove them."""
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)


if __name__ == "__main__":
    register()
