"""Joint limits for the active armature, written by jointlimits. Needs nothing installed.

Open this file in Blender's Text Editor, select the armature and run it. Everything is one undo
step. Bones are found by name. Each gets a Limit Rotation constraint and IK limits about its own
axes. The script prints and returns sentences about the limits that it leaves off.

Limits that would change a pose are left off. To find them, the script reads the current pose, the
armature's animation over its own range and the scene's, and all other actions for its bones, before
and after. Changes of up to a degree between frames, seen only in motion blur, are only listed.

Limits are about the axes of the program that they come from. If a bone has the same axes, in any
order and with any signs, its ranges are exact. Otherwise they are the smallest ranges that contain
everything that the limits allow, and a sentence names the bones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import bpy  # type: ignore[import-not-found]
import numpy as np

REPLACE = False  # True: mute other Limit Rotation constraints
MAY_MOVE = False  # True: write limits even if poses change; the same bones are listed

NAME = "Joint Limits"
EXACT = "joint_limits_ranges"  # custom property for the ranges in double precision
BEFORE = "joint_limits_before"  # custom property for the bone's original IK settings
IK_SETTINGS = ("use_ik_limit_{}", "ik_min_{}", "ik_max_{}", "lock_ik_{}")
ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
MAX_SAME_RAD = 1e-5  # radians; Blender stores bones in single precision
MAX_RANGE_RAD = np.radians(359.0)
MAX_MISFIT_SHARE = 0.02  # of the figure's size
GRID_POINTS = 7
MIN_CHANGE_RAD = np.radians(0.001)
MAX_BETWEEN_RAD = np.radians(1.0)  # change between whole frames, which only motion blur shows
MAX_FRAMES = 25_000
QUARTERS = (0.0, 0.25, 0.5, 0.75)  # of a frame
CURRENT = ("", None)  # place of the current pose

Joint = Any  # a joint's entry in LIMITS
Array = Any
Place = Any  # name of an action ("" for the armature's own animation) and a frame


def run(limits: Mapping[str, Joint]) -> list[str]:
    """Write limits on the active armature as one undo step; return what was left off."""
    armature = bpy.context.object
    if armature is None or armature.type != "ARMATURE":
        raise SystemExit("Joint limits: select an armature first.")
    left = apply_limits(armature, limits)
    for sentence in left or ["0 bones left off"]:
        print(f"Joint limits: {sentence}")
    bpy.ops.ed.undo_push(message=NAME)
    return left


def apply_limits(
    armature: Any, limits: Mapping[str, Joint], armature_from_source: Array = None
) -> list[str]:
    """Write limits on an armature; return sentences about what was left off.

    `armature_from_source`, shape (3, 3): rotation from the source's axes to the armature's; by
    default, the one that best maps the joints' rest positions to the bones' heads.
    """
    bones = armature.pose.bones
    left = [f"no bone is named {name}" for name, one in limits.items() if name not in bones]
    found = {name: one for name, one in limits.items() if name in bones}
    if armature_from_source is None:
        places_of_joints = [one["place"] for one in found.values()]
        heads = [bones[name].bone.head_local for name in found]
        armature_from_source = fitted_rotation(places_of_joints, heads)
    messages: dict[str, list[str]] = {}
    limited = [bones[name] for name, one in found.items() if one["limits"] is not None]
    before = {bone.name: state_of(bone) for bone in limited}
    places, held = poses_held(armature, QUARTERS)
    for bone in limited:
        for sentence in limit(bone, limits, armature_from_source):
            messages.setdefault(sentence, []).append(bone.name)
    moved = [sentence for bone in limited for sentence in leave_off(bone, places, held)]
    named = tuple(f"{bone.name}:" for bone in limited if MAY_MOVE and excess(bone, held).any())
    still = restore_changed(armature, before, places, held)
    moved += [sentence for sentence in still if not sentence.startswith(named)]
    if moved:
        count = len({sentence.partition(":")[0] for sentence in moved})
        what = "change poses" if MAY_MOVE else "left off, since poses would change"
        moved.insert(0, f"limits of {count} bone{'s' * (count != 1)} {what}")
    for bone in limited:
        if not MAY_MOVE and excess(bone, held).max() > MIN_CHANGE_RAD:
            between = "limits change poses by up to a degree between whole frames (motion blur)"
            messages.setdefault(between, []).append(bone.name)
    left += [f"{text} ({', '.join(names)})" for text, names in messages.items()]
    return [*moved, *left]


def clear_limits(armature: Any) -> int:
    """Remove everything that :func:`apply_limits` wrote; return the number of bones."""
    cleared = 0
    for bone in armature.pose.bones:
        own = [one for one in bone.constraints if one.name == NAME]
        for constraint in own:
            bone.constraints.remove(constraint)
        if EXACT in bone:
            del bone[EXACT]
        if BEFORE in bone:
            for name, value in zip(ik_settings(), bone[BEFORE]):
                setattr(bone, name, type(getattr(bone, name))(value))
            del bone[BEFORE]
        cleared += bool(own)
    return cleared


def poses_held(armature: Any, parts: tuple[float, ...]) -> tuple[list[Place], dict[str, Array]]:
    """Every pose that an armature takes in the file.

    `parts`: fractions of a frame, added to each whole frame. Returns places and each bone's own
    rotations, shape (places, 3, 3). Frame, action and pose are restored afterwards.
    """
    scene, animation = bpy.context.scene, armature.animation_data
    if animation and animation.use_tweak_mode:
        raise SystemExit("Joint limits: leave the tweak mode of the NLA editor first.")
    active = active_clip(animation)
    clips = [("", *active), *other_clips(armature)]
    ranges = [frames_of(animation, *clip) for _, *clip in clips]
    count = sum(map(len, ranges))
    if count > MAX_FRAMES:
        raise SystemExit(f"Joint limits: {count:,} frames to check; the maximum is {MAX_FRAMES:,}.")
    frame, subframe, kept = scene.frame_current, scene.frame_subframe, values_of(armature)
    use_nla = animation and animation.use_nla
    bpy.context.view_layer.update()
    places: list[Place] = [CURRENT]
    poses = [own_rotations(armature)]
    try:
        for (name, *clip), frames in zip(clips, ranges):
            restore_values(kept)  # for everything that this action does not key
            if name:
                assign(animation, clip, False)
            for at, part in product(frames, parts):
                scene.frame_set(at, subframe=part)
                places.append((name, at + part))
                poses.append(own_rotations(armature))
    finally:
        if len(clips) > 1:
            assign(animation, active, use_nla)
        scene.frame_set(frame, subframe=subframe)
        restore_values(kept)
        bpy.context.view_layer.update()
    return places, dict(zip(armature.pose.bones.keys(), np.array(poses).swapaxes(0, 1)))


def active_clip(animation: Any) -> tuple[Any, Any]:
    """Active action and slot of an armature."""
    return getattr(animation, "action", None), getattr(animation, "action_slot", None)


def assign(animation: Any, clip: Any, use_nla: bool) -> None:
    """Assign an action and its slot to an armature."""
    action, slot = clip
    animation.action, animation.use_nla = action, use_nla
    if slot is not None:
        animation.action_slot = slot


def other_clips(armature: Any) -> Iterator[tuple[str, Any, Any]]:
    """Name, action and slot of the other actions for an armature's bones."""
    paths = tuple(f'pose.bones["{name}"]' for name in armature.pose.bones.keys())  # noqa: SIM118
    for action in bpy.data.actions if armature.animation_data else ():
        for slot in getattr(action, "slots", (None,)):
            if (action, slot) != active_clip(armature.animation_data) and any(
                curve.data_path.startswith(paths) for curve in curves_of(action, slot)
            ):
                of_slot = f" ({slot.name_display})" if slot and len(action.slots) > 1 else ""
                yield f"{action.name}{of_slot}", action, slot


def curves_of(action: Any, slot: Any) -> Iterator[Any]:
    """Curves of an action; in Blender 4.4 and later, only those of one slot."""
    if slot is None:
        yield from getattr(action, "fcurves", ())
        return
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(slot)
            yield from bag.fcurves if bag else ()


def frames_of(animation: Any, action: Any, slot: Any) -> range:
    """Whole frames over the scene's range, an action and, if it is active, the NLA strips."""
    scene = bpy.context.scene
    ends = [scene.frame_start, scene.frame_end]
    for curve in curves_of(action, slot) if action else ():
        ends += tuple(curve.range())
    if animation and (action, slot) == active_clip(animation):
        strips = [strip for track in animation.nla_tracks for strip in track.strips]
        ends += [end for strip in strips for end in (strip.frame_start, strip.frame_end)]
    return range(int(np.floor(min(ends))), int(np.ceil(max(ends))) + 1)


def own_rotations(armature: Any) -> list[Array]:
    """Rotation of every bone in its own axes, as Limit Rotation sees it."""
    spaces = {"from_space": "POSE", "to_space": "LOCAL"}
    own = [
        armature.convert_space(pose_bone=bone, matrix=bone.matrix, **spaces).to_3x3()
        for bone in armature.pose.bones
    ]
    found = np.array(own, np.float32)
    return list(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12))


ROTATIONS = ("rotation_euler", "rotation_quaternion", "rotation_axis_angle")
TRANSFORMS = ("location", "scale", *ROTATIONS)


def values_of(armature: Any) -> list[tuple[Any, dict[str, Any]]]:
    """Values that an action can set on an armature and its bones."""
    found = []
    for owner in (armature, *armature.pose.bones):
        values = {name: tuple(getattr(owner, name)) for name in TRANSFORMS}
        custom = {f"[{key}]": value for key, value in owner.items()}
        numbers = {key: value for key, value in custom.items() if isinstance(value, (int, float))}
        found.append((owner, {**values, **numbers}))
    return found


def restore_values(kept: list[tuple[Any, dict[str, Any]]]) -> None:
    """Restore the values that :func:`values_of` found."""
    for owner, values in kept:
        for name, value in values.items():
            if name in TRANSFORMS:
                setattr(owner, name, value)
            else:
                owner[name[1:-1]] = value


def leave_off(bone: Any, places: list[Place], held: Mapping[str, Array]) -> Iterator[str]:
    """Remove from a bone's new constraint the axes that would change a pose, and describe them."""
    beyond = excess(bone, held)
    is_whole = np.array([frame is None or frame == round(frame) for _, frame in places])
    is_off = (beyond > np.where(is_whole, MIN_CHANGE_RAD, MAX_BETWEEN_RAD)[:, None]).any(axis=0)
    if not is_off.any():
        return
    letters = " and ".join(letter for letter, off in zip("XYZ", is_off) if off)
    yield f"{bone.name}: {letters}: {change_words(beyond.max(axis=1), places)}"
    if MAY_MOVE:
        return
    constraint = own_constraint(bone)
    for letter in np.array(list("xyz"))[is_off]:
        setattr(constraint, f"use_limit_{letter}", False)
    if not any(getattr(constraint, f"use_limit_{letter}") for letter in "xyz"):
        bone.constraints.remove(constraint)


def excess(bone: Any, held: Mapping[str, Array]) -> Array:
    """Radians by which a bone's constraint clamps each axis of its poses, shape (places, 3)."""
    constraint, poses = own_constraint(bone), held[bone.name].astype(float)
    if constraint is None:
        return np.zeros((len(poses), 3))
    low, high = written_ranges(bone).T
    is_limited = [getattr(constraint, f"use_limit_{letter}") for letter in "xyz"]
    past = (eulers(poses, constraint.euler_order) - low) % (2.0 * np.pi)
    width = np.maximum(high - low, 0.0)
    beyond = np.where(past <= width, 0.0, np.minimum(past - width, 2.0 * np.pi - past))
    return np.where(is_limited, beyond, 0.0)


def restore_changed(
    armature: Any, before: Mapping[str, Any], places: list[Place], held: Mapping[str, Array]
) -> Iterator[str]:
    """Restore bones whose poses still change, for example because of IK; describe them."""
    known = {place: number for number, place in enumerate(places)}
    for _ in range(3):
        now_places, now = poses_held(armature, (0.0,))
        at = [known[place] for place in now_places]
        apart = {name: angles_between(held[name][at], now[name]) for name in before}
        changed = [name for name, angles in apart.items() if angles.max() > MIN_CHANGE_RAD]
        for name in changed:
            yield f"{name}: its constraints or IK limits: {change_words(apart[name], now_places)}"
            if not MAY_MOVE:
                set_back(armature.pose.bones[name], before[name])
        if MAY_MOVE or not changed:
            return


def change_words(beyond: Array, places: list[Place]) -> str:
    """Describe in how many frames a pose would change, and by how much at most."""
    worst = int(beyond.argmax())
    action, frame = places[worst]
    out = {place for place, far in zip(places, beyond) if far > MIN_CHANGE_RAD and place != CURRENT}
    frames = len({place for place in out if place[1] == round(place[1])})
    count = f"{frames} frame{'s' * (frames != 1)}" if frames else "values between frames"
    if frame is None:
        count, where = "the current pose", ""
    else:
        where = f", at worst at frame {frame:g}" + (f" of {action}" if action else "")
    end = "are limited anyway" if MAY_MOVE else "set MAY_MOVE to True to limit them"
    return f"{count} would change by up to {np.degrees(beyond[worst]):.3f} degrees{where}; {end}"


def angles_between(first: Array, second: Array) -> Array:
    """Angles between rotations in radians, shape (places,)."""
    turn = np.swapaxes(first, 1, 2).astype(float) @ second.astype(float)
    skew = 0.5 * (turn - np.swapaxes(turn, 1, 2))
    sine = np.linalg.norm(skew, axis=(1, 2)) / np.sqrt(2.0)
    return np.arctan2(sine, 0.5 * (np.trace(turn, axis1=1, axis2=2) - 1.0))


def own_constraint(bone: Any) -> Any:
    """The constraint that this script wrote, or None."""
    return next((one for one in bone.constraints if one.name == NAME), None)


SETTINGS = ("name", "owner_space", "euler_order", "use_transform_limit", "use_legacy_behavior")


def state_of(bone: Any) -> dict[str, Any]:
    """The part of a bone's state that :func:`limit` changes."""
    own = own_constraint(bone)
    names = [f"{name}_{letter}" for name in ("use_limit", "min", "max") for letter in "xyz"]
    found = [name for name in (*SETTINGS, *names) if hasattr(own, name)]
    return {
        "own": {name: getattr(own, name) for name in found},
        "mutes": {one.name: one.mute for one in bone.constraints},
        "ik": {name: getattr(bone, name) for name in ik_settings()},
        "kept": {name: list(bone[name]) for name in (EXACT, BEFORE) if name in bone},
    }


def set_back(bone: Any, state: dict[str, Any]) -> None:
    """Restore the state of a bone from :func:`state_of`."""
    own = own_constraint(bone)
    if own and not state["own"]:
        bone.constraints.remove(own)
    elif state["own"]:
        own = own or bone.constraints.new("LIMIT_ROTATION")
        for name, value in state["own"].items():
            setattr(own, name, value)
    for name, value in state["mutes"].items():
        bone.constraints[name].mute = value
    for name, value in state["ik"].items():
        setattr(bone, name, value)
    for name in (EXACT, BEFORE):
        if name in state["kept"]:
            bone[name] = state["kept"][name]
        elif name in bone:
            del bone[name]


def fitted_rotation(places: Array, heads: Array) -> Array:
    """Rotation that best maps places to heads, up to scale (Kabsch)."""
    if len(places) < 3:
        raise SystemExit(f"Joint limits: {len(places)} bones match joints by name; 3 are needed.")
    ours, theirs = np.array(places, float), np.array([tuple(head) for head in heads], float)
    ours, theirs = ours - ours.mean(axis=0), theirs - theirs.mean(axis=0)
    left, sizes, right = np.linalg.svd(theirs.T @ ours)
    if sizes[1] < 1e-6 * sizes[0]:
        raise SystemExit("Joint limits: the joints lie on a line; their axes cannot be matched.")
    signs = np.array([1.0, 1.0, np.sign(np.linalg.det(left @ right))])
    turn = left @ (signs[:, None] * right)
    scale = (sizes @ signs) / (ours**2).sum()
    if np.abs(scale * ours @ turn.T - theirs).max() > MAX_MISFIT_SHARE * np.abs(theirs).max():
        raise SystemExit("Joint limits: the armature's rest pose differs from the joints'.")
    return turn


def limit(bone: Any, limits: Mapping[str, Joint], armature_from_source: Array) -> Iterator[str]:
    """Write the limits of one bone; yield messages about it."""
    one, parent = limits[bone.name], bone.parent
    if (parent.name if parent else "") != one["parent"]:
        yield f"its parent is not {one['parent'] or 'none'}, so its limits were not written"
        return
    others = [c for c in bone.constraints if c.type == "LIMIT_ROTATION" and c.name != NAME]
    if any(not other.mute for other in others) and not REPLACE:
        yield "it already has another Limit Rotation; set REPLACE to True to mute it"
        return
    for other in others:
        other.mute = True
    rest = pure(bone.bone.matrix_local)
    above, parent_from_source = np.eye(3), armature_from_source
    if parent:
        above = pure(parent.bone.matrix_local)
        parent_from_source = above.T @ armature_from_source @ matrix(limits[parent.name]["turn"])
    bone_from_source = rest.T @ armature_from_source @ matrix(one["turn"])
    # The bone's own rotation is `before R after`, where R rotates by the limits' channels.
    before = rest.T @ above @ parent_from_source @ matrix(one["above"])
    after = matrix(one["after"]) @ bone_from_source.T
    order, ranges, is_exact = ranges_about_bone(one, before, after)
    write_constraint(bone, order, ranges)
    if not is_exact:
        yield "the bone's axes differ from the joint's, so its ranges allow more than its limits"
    if write_ik(bone, ranges):
        yield "IK limits were widened to include the rest pose, which Blender requires"


def write_constraint(bone: Any, order: str, ranges: Array) -> None:
    """Set a bone's Limit Rotation; `ranges`, shape (3, 2), are infinite if there is no limit."""
    constraint = own_constraint(bone) or bone.constraints.new("LIMIT_ROTATION")
    constraint.name, constraint.owner_space, constraint.euler_order = NAME, "LOCAL", order
    constraint.use_transform_limit = True
    if hasattr(constraint, "use_legacy_behavior"):
        constraint.use_legacy_behavior = False
    # Blender has no one-sided limits; angles are at most half a turn from zero.
    ends = np.where(np.isfinite(ranges), ranges, [-np.pi, np.pi])
    for letter, (low, high), limited in zip("xyz", ends, np.isfinite(ranges).any(axis=1)):
        setattr(constraint, f"use_limit_{letter}", bool(limited))
        setattr(constraint, f"min_{letter}", low)
        setattr(constraint, f"max_{letter}", high)
    bone[EXACT] = ends.ravel().tolist()


def written_ranges(bone: Any) -> Array:
    """Ranges of a bone in radians, shape (3, 2), in double precision.

    Where someone has edited the constraint, its own single-precision values are returned.
    """
    constraint = own_constraint(bone)
    names = [f"{end}_{letter}" for letter in "xyz" for end in ("min", "max")]
    ends = np.array([getattr(constraint, name) for name in names], np.float32)
    exact = np.array(bone.get(EXACT, ends), float)
    return np.where(exact.astype(np.float32) == ends, exact, ends).reshape(3, 2)


def ik_settings() -> list[str]:
    """Names of the IK settings of a bone."""
    return [pattern.format(letter) for letter in "xyz" for pattern in IK_SETTINGS]


def write_ik(bone: Any, ranges: Array) -> bool:
    """Set the IK limits of a bone; return whether a range had to be widened to include zero."""
    if BEFORE not in bone:
        bone[BEFORE] = [float(getattr(bone, name)) for name in ik_settings()]
    widened = False
    for letter, (low, high) in zip("xyz", ranges):
        at_zero = low == high and abs(low) < MAX_SAME_RAD
        setattr(bone, f"lock_ik_{letter}", bool(at_zero))
        setattr(bone, f"use_ik_limit_{letter}", bool(np.isfinite([low, high]).any()))
        setattr(bone, f"ik_min_{letter}", max(min(low, 0.0), -np.pi))
        setattr(bone, f"ik_max_{letter}", min(max(high, 0.0), np.pi))
        widened = widened or low > MAX_SAME_RAD or high < -MAX_SAME_RAD
    return widened


def ranges_about_bone(one: Joint, before: Array, after: Array) -> tuple[str, Array, bool]:
    """Rotation order for a bone, ranges about its axes in radians, and whether these are exact."""
    ends = np.radians(np.array(one["limits"], float))  # NaN for None
    low, high = np.where(np.isnan(ends), [-np.inf, np.inf], ends).T
    # A channel that lacks a limit is sampled over a full turn.
    least = np.where(np.isfinite(low), low, np.where(np.isfinite(high), high - np.pi, -np.pi))
    most = np.where(np.isfinite(high), high, least + 2.0 * np.pi)

    def angles(own: Array, order: str) -> Array:
        return eulers(before @ rotations(own, one["order"]) @ after, order)

    own = np.array(list(product(*(np.linspace(a, b, GRID_POINTS) for a, b in zip(least, most)))))
    found = []
    for order in ORDERS:
        values = unwrap(angles(own, order))
        exact = same_channels(own, values, low, high)
        if exact is not None:
            return order, exact, True
        found.append((float(np.prod(np.ptp(values, axis=0) + MAX_SAME_RAD)), order))
    order = min(found)[1]
    ranges = enclosing_ranges(lambda at: angles(at, order), own, least, most)
    ranges[np.ptp(ranges, axis=1) > MAX_RANGE_RAD] = -np.inf, np.inf
    return order, ranges, False


def same_channels(own: Array, values: Array, low: Array, high: Array) -> Array:
    """Exact ranges if every angle is a limited channel up to sign and a constant, else None."""
    ranges, free = np.zeros((3, 2)), [0, 1, 2]
    for channel in range(3):
        if np.ptp(values[:, channel]) < MAX_SAME_RAD:
            held = own[0, np.ptp(own, axis=0) < MAX_SAME_RAD]
            ranges[channel] = undo_rounding(values[:, channel].mean(), [0.0, *held, *-held])
            continue
        for other, sign in product(list(free), (1.0, -1.0)):
            apart = values[:, channel] - sign * own[:, other]
            apart = apart - 2.0 * np.pi * np.round((apart - apart[0]) / (2.0 * np.pi))
            if np.ptp(own[:, other]) > MAX_SAME_RAD and np.ptp(apart) < MAX_SAME_RAD:
                free.remove(other)
                ends = sorted((sign * low[other], sign * high[other]))
                ranges[channel] = near_zero(np.array(ends) + undo_rounding(apart.mean(), [0.0]))
                break
        else:
            return None
    return ranges


def undo_rounding(angle: float, known: list[float]) -> float:
    """An angle freed of the bones' rounding error if it is a known angle plus quarter turns."""
    quarter = 0.5 * np.pi
    exact = [one + quarter * np.round((angle - one) / quarter) for one in known]
    return float(next((one for one in exact if abs(angle - one) < MAX_SAME_RAD), angle))


def near_zero(ends: Array) -> Array:
    """A range shifted by full turns to lie around zero."""
    middle = ends.mean() if np.isfinite(ends).all() else ends[np.isfinite(ends)].sum()
    return ends - 2.0 * np.pi * np.round(middle / (2.0 * np.pi))


def enclosing_ranges(angles: Any, own: Array, least: Array, most: Array) -> Array:
    """Smallest and largest value of each angle over a box of channels, shape (3, 2)."""
    first = angles(own)
    values = unwrap(first)
    step, ranges = (most - least) / (GRID_POINTS - 1), np.zeros((3, 2))
    near = np.array(list(product((-1.0, 0.0, 1.0), repeat=3)))
    for channel, (end, sign) in product(range(3), enumerate((1.0, -1.0))):
        at, middle = own[(sign * values[:, channel]).argmin()], values[:, channel].mean()
        for halvings in range(1, 24):
            tried = np.clip(at + near * step / 2.0**halvings, least, most)
            got = angles(tried)[:, channel]
            got = got - 2.0 * np.pi * np.round((got - middle) / (2.0 * np.pi))
            at = tried[(sign * got).argmin()]
        ranges[channel, end] = sign * (sign * got).min()
    return ranges + np.array([-MAX_SAME_RAD, MAX_SAME_RAD])


def unwrap(values: Array) -> Array:
    """Angles, shape (samples, 3), moved to the turn around their mean direction."""
    middle = np.arctan2(np.sin(values).mean(axis=0), np.cos(values).mean(axis=0))
    return values - 2.0 * np.pi * np.round((values - middle) / (2.0 * np.pi))


def pure(matrix_local: Any) -> Array:
    """Rotation of a bone's rest matrix, in double precision."""
    left, _, right = np.linalg.svd(np.array(matrix_local.to_3x3(), float))
    return left @ right


def matrix(quaternion: Any) -> Array:
    """Matrix of a quaternion (w, x, y, z)."""
    w, x, y, z = quaternion
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def rotations(angles: Array, order: str) -> Array:
    """Matrices for angles about X, Y, Z, shape (samples, 3), applied in an order such as "XYZ"."""
    total = np.tile(np.eye(3), (len(angles), 1, 1))
    for letter in order:
        axis = "XYZ".index(letter)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn = np.tile(np.eye(3), (len(angles), 1, 1))
        turn[:, i, i] = turn[:, j, j] = np.cos(angles[:, axis])
        turn[:, j, i] = np.sin(angles[:, axis])
        turn[:, i, j] = -turn[:, j, i]
        total = turn @ total
    return total


def eulers(turns: Array, order: str) -> Array:
    """Angles about X, Y, Z of matrices as in Blender: the triple with the smaller sum."""
    i, j, k = ("XYZ".index(letter) for letter in order)
    even = 1.0 if (j - i) % 3 == 1 else -1.0
    found = []
    for side in (1.0, -1.0):
        angles = np.zeros((len(turns), 3))
        angles[:, i] = np.arctan2(side * even * turns[:, k, j], side * turns[:, k, k])
        flat = side * np.hypot(turns[:, i, i], turns[:, j, i])
        angles[:, j] = np.arctan2(-even * turns[:, k, i], flat)
        angles[:, k] = np.arctan2(side * even * turns[:, j, i], side * turns[:, i, i])
        found.append(angles)
    first, second = found
    is_first = np.abs(first).sum(axis=1) <= np.abs(second).sum(axis=1)
    return np.where(is_first[:, None], first, second)
