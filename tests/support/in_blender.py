"""What tests/exporters/test_blender.py has done in Blender; prints its findings as JSON.

Run by a Python that has bpy: ``python -m tests.support.in_blender CHECK [FILE ...]``.
"""

from __future__ import annotations

import importlib.util
import json
import runpy
import sys
from pathlib import Path

import bpy
import numpy as np

from jointlimits_core.exporters.for_blender.apply_limits import written_ranges

ROOT = Path(__file__).resolve().parents[2]
MODES = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "QUATERNION", "XYZ")
FRAMES = 60


def addon():
    path = ROOT / "examples" / "blender" / "joint_limits.py"
    spec = importlib.util.spec_from_file_location("joint_limits_addon", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.register()
    return module


def new_armature(count, chance):
    """A tree of bones that rest every which way."""
    data = bpy.data.armatures.new("hero")
    armature = bpy.data.objects.new("hero", data)
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for number in range(count):
        bone = data.edit_bones.new(f"bone{number:02}")
        if number:
            bone.parent = data.edit_bones[int(chance.integers(max(0, number - 8), number))]
        bone.head = bone.parent.tail if number else (0.0, 0.0, 0.0)
        bone.tail = bone.head + type(bone.head)(chance.normal(size=3))
        bone.roll = float(chance.uniform(-3.0, 3.0))
    bpy.ops.object.mode_set(mode="OBJECT")
    for number, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = MODES[number % len(MODES)]
    return armature


def turn_bone(bone, angles):
    """Set a bone's own channels, in radians."""
    if bone.rotation_mode == "QUATERNION":
        bone.rotation_quaternion = matrix_of(bone, angles).to_quaternion()
    else:
        bone.rotation_euler = angles


def matrix_of(bone, angles):
    from mathutils import Euler

    order = "XYZ" if bone.rotation_mode == "QUATERNION" else bone.rotation_mode
    return Euler([float(angle) for angle in angles], order).to_matrix()


def animate(armature, chance):
    """Keys on every frame; returns the channels, shape (bones, frames, 3)."""
    bones = list(armature.pose.bones)
    middles = chance.uniform(-0.5, 0.5, (len(bones), 1, 3))
    times = np.linspace(0.0, 6.0, FRAMES)[None, :, None]
    waves = np.sin(times * chance.uniform(0.6, 2.0, (len(bones), 1, 3)))
    channels = middles + chance.uniform(0.1, 0.7, (len(bones), 1, 3)) * waves
    for number, bone in enumerate(bones):
        path = "rotation_quaternion" if bone.rotation_mode == "QUATERNION" else "rotation_euler"
        for frame in range(FRAMES):
            turn_bone(bone, channels[number, frame])
            bone.keyframe_insert(path, frame=frame + 1)
    bpy.context.scene.frame_end = FRAMES
    return channels


def locals_of(armature):
    """Rotation of every bone to its parent, as evaluated, shape (bones, 3, 3)."""
    found = []
    for bone in armature.pose.bones:
        own = np.array(bone.matrix.to_3x3(), float)
        above = np.array(bone.parent.matrix.to_3x3(), float) if bone.parent else np.eye(3)
        found.append(above.T @ own)
    return np.array(found)


def all_locals(armature, step=1):
    scene = bpy.context.scene
    found = []
    for frame in range(scene.frame_start, scene.frame_end + 1, step):
        scene.frame_set(frame)
        found.append(locals_of(armature))
    return np.array(found)


def degrees_between(first, second):
    """Angles between rotations; that single precision also scales them does not count."""
    turn = np.swapaxes(first, -2, -1) @ second
    skew = 0.5 * (turn - np.swapaxes(turn, -2, -1))
    sine = np.linalg.norm(skew, axis=(-2, -1)) / np.sqrt(2.0)
    return np.degrees(np.arctan2(sine, 0.5 * (np.trace(turn, axis1=-2, axis2=-1) - 1.0)))


def count(armature):
    return sum(len(bone.constraints) for bone in armature.pose.bones)


def ik_of(armature):
    return [[bone.use_ik_limit_x, bone.ik_min_z, bone.lock_ik_y] for bone in armature.pose.bones]


def check_addon():
    chance = np.random.default_rng(3)
    armature = new_armature(61, chance)  # the root stays free
    channels = animate(armature, chance)
    addon()
    before, ik_before = all_locals(armature), ik_of(armature)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.jointlimits.estimate("EXEC_DEFAULT", True)
    limits = json.loads(armature["joint_limits"])
    result = bpy.ops.jointlimits.apply("EXEC_DEFAULT", True)
    inside = degrees_between(before, all_locals(armature)).max()
    written = count(armature)
    outside, moved, ranges = clamping_errors(armature, channels)
    bpy.ops.jointlimits.clear("EXEC_DEFAULT", True)
    cleared, ik_cleared = count(armature), ik_of(armature) == ik_before
    bpy.ops.ed.undo()
    uncleared = count(bpy.data.objects["hero"])
    bpy.ops.ed.undo()
    armature = bpy.data.objects["hero"]
    return {
        "bones": len(armature.pose.bones),
        "joints": len(limits["joints"]),
        "result": list(result),
        "constraints": written,
        "inside": inside,
        "outside": outside,
        "moved": moved,
        "ranges": ranges,
        "cleared": cleared,
        "ik_cleared": ik_cleared,
        "uncleared": uncleared,
        "after_undo": count(armature),
        "kept_after_undo": "joint_limits" in armature,
    }


def clamping_errors(armature, channels):
    """Poses outside the limits: how far from clamped channels they come out, and were moved.

    Also how far the ranges read again are from the estimated ones, in degrees.
    """
    scene, apart, moved = bpy.context.scene, 0.0, 1e9
    armature.animation_data.action = None
    low, high = channels.min(axis=1), channels.max(axis=1)
    ranges = 0.0
    limited = list(enumerate(armature.pose.bones))[1:]
    joints = json.loads(armature["joint_limits"])["joints"]
    for _, bone in limited:
        axes = joints[bone.name]["limits"].values()
        wanted = np.radians([(axis["min_deg"], axis["max_deg"]) for axis in axes])
        ranges = max(ranges, np.abs(written_ranges(bone) - wanted).max())
    for sign in (-1.0, 1.0):
        given = np.where(sign > 0, high, low) + sign * 0.15
        for number, bone in limited:
            turn_bone(bone, given[number])
        scene.frame_set(scene.frame_current)
        found = locals_of(armature)
        for number, bone in limited:
            rest = np.array(bone.bone.matrix_local.to_3x3(), float)
            if bone.parent:
                rest = np.array(bone.parent.bone.matrix_local.to_3x3(), float).T @ rest
            kept = np.clip(given[number], low[number], high[number])
            wanted = rest @ np.array(matrix_of(bone, kept), float)
            apart = max(apart, float(degrees_between(found[number], wanted)))
            free = rest @ np.array(matrix_of(bone, given[number]), float)
            moved = min(moved, float(degrees_between(found[number], free)))
    return apart, moved, float(np.degrees(ranges))


def check_script(motion, script):
    """A BVH file by Blender's importer, and the script that was exported for it."""
    bpy.ops.import_anim.bvh(filepath=motion, rotate_mode="NATIVE", update_scene_duration=True)
    armature = bpy.context.object
    before = all_locals(armature, 37)
    bpy.ops.ed.undo_push(message="before")
    messages = runpy.run_path(script)["run"](runpy.run_path(script)["LIMITS"])
    after = all_locals(armature, 37)
    ranges = {}
    for bone in armature.pose.bones:
        for one in bone.constraints:
            ranges[bone.name] = [one.euler_order, *np.degrees(written_ranges(bone)).tolist()]
    bone.constraints[0].min_x = -0.25
    changed = written_ranges(bone)[0, 0]
    written = count(armature)
    bpy.ops.ed.undo()
    return {
        "changed": changed,
        "apart": degrees_between(before, after).max(),
        "constraints": written,
        "messages": messages,
        "ranges": ranges,
        "after_undo": count(bpy.context.object),
    }


def keyed_sparsely(armature, chance, name):
    """An action with a few keys, far apart in value; unkeyed bones hold another pose."""
    armature.animation_data_create().action = bpy.data.actions.new(name)
    for bone in armature.pose.bones:
        path = "rotation_quaternion" if bone.rotation_mode == "QUATERNION" else "rotation_euler"
        is_still = chance.random() < 0.2
        for frame in (1, 7, 8, 20):
            turn_bone(bone, chance.normal(0.0, 0.6, 3) + chance.choice([0.0, np.pi, 2.0 * np.pi]))
            if not is_still:
                bone.keyframe_insert(path, frame=frame)
    return armature.animation_data.action


def clips_of(armature, actions):
    """Poses at quarter frames of the scene of all actions, after the current pose.

    The armature's action is among them; it is played with its strips, the others alone.
    """
    scene, animation = bpy.context.scene, armature.animation_data
    own, frame, found = animation.action, scene.frame_current, [locals_of(armature)]
    kept = [(bone, bone.matrix_basis.copy()) for bone in armature.pose.bones]
    for action in [*actions, None]:
        for bone, basis in kept:
            bone.matrix_basis = basis
        animation.action, animation.use_nla = action or own, action in (own, None)
        if action is None:
            break
        for quarter in range(4 * scene.frame_start, 4 * scene.frame_end + 1):
            scene.frame_set(quarter // 4, subframe=0.25 * (quarter % 4))
            found.append(locals_of(armature))
    scene.frame_set(frame)
    for bone, basis in kept:
        bone.matrix_basis = basis
    bpy.context.view_layer.update()
    return np.array(found)


def random_ranges(joints, chance):
    """Ranges of others: some tight, some locked, some wide, some none."""
    for one in joints.values():
        if one["limits"] is not None:
            middle, width = chance.normal(0.0, 20.0, 3), chance.choice([0.0, 30.0, 150.0, 359.0], 3)
            ends = zip((middle - width).tolist(), (middle + width).tolist())
            one["limits"] = tuple(pair if chance.random() < 0.5 else (None, None) for pair in ends)


NOISE_DEG = 0.01
"""A constraint that is muted already moves a pose by .0055 degrees in Blender 5.0."""


def check_keeps(seed):
    """Ranges of others on an armature with actions, a strip, IK and a pose that nothing keys."""
    from jointlimits_core.exporters.for_blender import apply_limits as program

    chance = np.random.default_rng(int(seed))
    armature, scene = new_armature(16, chance), bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 24
    actions = [keyed_sparsely(armature, chance, name) for name in ("run", "jump", "walk")]
    track = armature.animation_data.nla_tracks.new()
    track.strips.new("strip", 10, actions[0]).blend_type = "ADD"
    ik = armature.pose.bones[-1].constraints.new("IK")
    ik.target, ik.chain_count = armature, 2
    ik.subtarget = armature.pose.bones[0].name
    joints = joints_of(armature)
    random_ranges(joints, chance)
    scene.frame_set(5)
    for bone in armature.pose.bones:
        turn_bone(bone, chance.normal(0.0, 0.5, 3))
    bpy.context.view_layer.update()
    before = clips_of(armature, actions)
    names = [bone.name for bone in armature.pose.bones]
    found = {"ik": [names[-1], armature.pose.bones[-1].parent.name]}
    for program.MAY_MOVE in (False, True):
        state = state_lines(armature)
        sentences = program.apply_limits(armature, joints, np.eye(3))
        is_kept = state_lines(armature) == state
        apart = degrees_between(before, clips_of(armature, actions))
        whole = np.arange(-1, len(apart) - 1) % (4 * 23 + 1) % 4 == 0
        whole[0] = True
        listed = {n for n in names if any(text.startswith(f"{n}:") for text in sentences)}
        between = {
            n for n in names if any("between whole" in text and n in text for text in sentences)
        }
        changed = {n for n, far in zip(names, apart[whole].max(axis=0)) if far > NOISE_DEG}
        changed_between = {n for n, far in zip(names, apart.max(axis=0)) if far > NOISE_DEG}
        changed_between -= changed
        found[str(program.MAY_MOVE)] = {
            "kept": is_kept,
            "changed": sorted(changed),
            "listed": sorted(listed),
            "unlisted_between": sorted(changed_between - between - listed),
            "first": sentences[0],
            "constraints": count(armature) - 1,
        }
    return found


def state_lines(armature):
    """All that applying must not touch."""
    animation = armature.animation_data
    lines = [animation.action.name, animation.use_nla, bpy.context.scene.frame_current]
    return [*lines, *(list(map(list, bone.matrix_basis)) for bone in armature.pose.bones)]


def joints_of(armature):
    """What the add-on would hand on, estimated from the armature's action."""
    from jointlimits_core import estimate
    from jointlimits_core.exporters.blender import blender_joints

    module = addon()
    limit_set = estimate(module.motion_of(armature))
    return blender_joints(limit_set, module.skeleton_of(armature))


def write_fbx(folder, *motions):
    """BVH files through Blender's importer and its FBX exporter, all keys kept.

    Returns how the bones of each rest, in Blender's axes. They turn by quaternions: near the
    singular turn of three angles, single precision would cost some thousandths of a degree.
    """
    rests = {}
    for motion in map(Path, motions):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        given = {"rotate_mode": "QUATERNION", "update_scene_fps": True}
        bpy.ops.import_anim.bvh(filepath=str(motion), update_scene_duration=True, **given)
        bones = bpy.context.object.data.bones
        rests[motion.stem] = {
            bone.name: np.array(bone.matrix_local.to_3x3(), float).tolist() for bone in bones
        }
        written = str(Path(folder) / f"{motion.stem}.fbx")
        kept = {"bake_anim_simplify_factor": 0.0, "add_leaf_bones": False}
        bpy.ops.export_scene.fbx(filepath=written, **kept)
    return rests


CHECKS = {"addon": check_addon, "script": check_script, "keeps": check_keeps, "fbx": write_fbx}

if __name__ == "__main__":
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.ed.undo_push(message="start")
    made = CHECKS[sys.argv[1]](*sys.argv[2:])
    print("\nFOUND " + json.dumps(made, default=float))
