"""Draw a pose outside the limits in Blender, before and after they are applied.

    .venv-blender/bin/python -m docs.make_blender_image [PICTURE.png]

runs in a Python that has bpy (Cycles draws without a screen).
"""

from __future__ import annotations

import runpy
import sys
import tempfile
from math import radians
from pathlib import Path
from typing import Any

import bpy

from jointlimits_core import estimate, export

FOLDER = Path(__file__).resolve().parent
CLIP = FOLDER.parent / "examples" / "humanoid_rom.bvh"
PICTURE = FOLDER / "images" / "blender.png"
SIZE = (960, 520)
APART = 1.75
"""Metres between the two figures."""
OUTSIDE = {
    "LeftHip": (-50.0, 0.0, 0.0),
    "LeftKnee": (-75.0, 0.0, 0.0),
    "LeftElbow": (0.0, 80.0, 0.0),
    "RightElbow": (0.0, -80.0, 0.0),
    "LeftShoulder": (0.0, 0.0, 30.0),
    "RightShoulder": (0.0, 0.0, -30.0),
    "Neck": (0.0, 0.0, 75.0),
}
"""Turns of bones in degrees about the clip's axes, none of which their joints allow."""


def main() -> None:
    """Draw."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    before, after = imported(-0.5 * APART), imported(0.5 * APART)
    for armature, color in ((before, (0.8, 0.25, 0.12)), (after, (0.16, 0.33, 0.6))):
        posed(armature)
        with_body(armature, color)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "limits.py"
        export(estimate(CLIP), script, "blender", motion=CLIP)
        program = runpy.run_path(str(script))
    program["apply_limits"](after, program["LIMITS"])
    ground = min(bone.tail_local.z for bone in before.data.bones) - 0.06
    drawn(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE, ground)


def imported(across: float) -> Any:
    """The clip's figure without its animation, at a place; 1.8 m high."""
    bpy.ops.import_anim.bvh(filepath=str(CLIP), global_scale=0.01, rotate_mode="QUATERNION")
    armature = bpy.context.object
    armature.animation_data_clear()
    armature.location.x, armature.rotation_euler.z = across, radians(-35.0)
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    return armature


def posed(armature: Any) -> None:
    """Turn the bones; the axes of a clip with Y up are Blender's X, Z and -Y."""
    from mathutils import Euler

    for name, (x, y, z) in OUTSIDE.items():
        bone = armature.pose.bones[name]
        rest = bone.bone.matrix_local.to_3x3()
        turn = Euler((radians(x), radians(-z), radians(y))).to_matrix()
        bone.matrix_basis = (rest.inverted() @ turn @ rest).to_4x4()


def with_body(armature: Any, color: tuple[float, float, float]) -> None:
    """A tapered block along every bone."""
    material = bpy.data.materials.new("body")
    material.diffuse_color = (*color, 1.0)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    for bone in armature.data.bones:
        length = bone.length
        bpy.ops.mesh.primitive_cone_add(
            vertices=16, radius1=0.05, radius2=0.03, depth=length, end_fill_type="NGON"
        )
        block = bpy.context.object
        block.rotation_euler.x = radians(-90.0)
        bpy.ops.object.transform_apply(rotation=True)
        block.parent, block.parent_type, block.parent_bone = armature, "BONE", bone.name
        block.location.y = -0.5 * length
        block.data.materials.append(material)
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.055, segments=24, ring_count=16)
        ball = bpy.context.object
        ball.parent, ball.parent_type, ball.parent_bone = armature, "BONE", bone.name
        ball.location.y = -length
        ball.data.materials.append(material)


def drawn(path: Path, ground: float) -> None:
    """Light, look and render."""
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_plane_add(size=400.0, location=(0.0, 0.0, ground))
    bpy.ops.object.light_add(type="SUN", rotation=(radians(40.0), radians(15.0), 0.0))
    bpy.context.object.data.energy = 1.4
    bpy.context.object.data.angle = radians(10.0)
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.6, 0.62, 0.65, 1.0)
    turn = (radians(84.0), 0.0, 0.0)
    bpy.ops.object.camera_add(location=(0.0, -6.0, 0.55), rotation=turn)
    scene.camera = bpy.context.object
    scene.camera.data.lens = 54.0
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 24, True
    scene.render.image_settings.compression = 100
    scene.render.image_settings.color_mode = "RGB"
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.view_settings.view_transform = "Standard"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
