"""Data of the character on a page, which the script ``character.js`` draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...geometry import arrays, euler, quaternion
from ...limits import limit_set, review_entries
from ...limits.ranges import span_of
from ...motion.motion import Motion
from ..figures import character as figure
from ..figures import limbs, samples, space, view
from ..figures.playback import MAX_ERROR_DEG, Playback, Streams, playback
from ..figures.range_shapes import OTHER_SHARE, SELECTED_SHARE, RangeShape, range_shapes
from .page import Piece, piece
from .words import coupled_words

TOLERANCE_DEG = 0.1
"""Degrees beyond a limit at which a joint is shown as outside; twice the data's error."""
VIEW = view.View(-32.0, 12.0)
FIT_RATIO = 1.16
"""Scale at which the sphere around all frames fits the picture's height, as in the script."""


def character_data(
    limits: limit_set.LimitSet,
    shown: Playback,
    looked: review_entries.Review,
    outside: Mapping[str, arrays.Floats] | None = None,
) -> dict[str, Any]:
    """Page data of a character and its joints, keyed by block id.

    `outside`: degrees outside the limits in all frames shown, (frames,), by joint, from a check; by
    default from the ranges. Marks are placed in the space of their bone; the script moves them with
    the bones and paints them.
    """
    numbers = {name: number for number, name in enumerate(limits.joints)}
    shapes = range_shapes(limits, shown.motions[0].skeleton)
    look, pinned = figure.look_joints(looked), figure.pinned_joints(limits)
    streams, joints, order = Streams(), [], list(figure.STATE_NAMES)
    for node, name in enumerate(shown.motions[0].joint_names):
        if name not in limits.joints:
            continue
        limit = limits.joints[name]
        out, near = figure.distances(limit, shown.degrees[name])
        out = (outside or {}).get(name, out)
        of_outside, of_near, of_others = (
            order.index(figure.joint_state(limit, *case, name in look, name in pinned))
            for case in ((True, False), (False, True), (False, False))
        )
        states = np.where(near < figure.NEAR_DEG, of_near, of_others)
        states = np.where(out > TOLERANCE_DEG, of_outside, states)
        joint = {
            "name": name,
            "id": numbers[name],
            "node": node,
            "end": shown.character.end(node),
            "states": streams.add(states.astype(np.float64)),
            "outside": streams.add(np.where(out > TOLERANCE_DEG, out, 0.0), shown.data["step"]),
        }
        joints.append({**joint, **_joint(limit, name, limits, shown, shapes.get(name))})
    drawn = {
        "joints": joints,
        "limbs": _limbs(shown.character),
        "packedStates": streams.text(),
        "shares": [OTHER_SHARE, SELECTED_SHARE],
        "view": {"yaw": VIEW.yaw_deg, "pitch": VIEW.pitch_deg},
        "half": half_of(shown.character),
        "label": f"{limits.character or 'Character'} in motion; " + KEYS,
    }
    return {"figure-data": {**shown.data, **drawn}}


def _limbs(character: figure.Character) -> dict[str, Any]:
    """Volume of a character, and how it is lit, see :mod:`..figures.limbs`."""
    made = limbs.limbs_of(character)
    between = np.isnan(made.along).any(axis=1).tolist()
    return {
        "joints": made.joints.tolist(),
        "bones": made.bones.tolist(),
        "along": [None if no else ends for no, ends in zip(between, _short(made.along, 4))],
        "radii": _short(made.radii, 4),
        "tones": limbs.TONES,
        "light": limbs.LIGHT.tolist(),
        "least": limbs.MIN_PIXELS,
        "far": limbs.FAR_SHARE,
    }


def half_of(character: figure.Character) -> float:
    """Half edge of the cube that holds a character in the picture."""
    return float(FIT_RATIO * character.reach / np.sqrt(3.0))


KEYS = (
    "drag or arrow keys turn it, plus and minus zoom, F fits, space plays, comma and full stop "
    "step by a frame"
)


def _joint(
    limit: limit_set.JointLimit,
    name: str,
    limits: limit_set.LimitSet,
    shown: Playback,
    shape: RangeShape | None,
) -> dict[str, Any]:
    """Limits, excluded frames, clouds and range of a joint."""
    out = np.concatenate([samples.excluded_frames(limits, name, one) for one in shown.motions])
    left_out, spans = [[first, stop - 1] for first, stop in arrays.runs(out)], None
    if set(euler.CHANNELS) <= set(limit.limits):
        ranges = [span_of(limit.limits[channel]) for channel in euler.CHANNELS]
        spans = [one and [round(end, 3) for end in one] for one in ranges]
    found: dict[str, Any] = {"limits": spans, "runs": left_out}
    if limit.type == "fixed":  # it has no section, so no clouds
        return found
    rotations = np.concatenate([motion.quaternion(name) for motion in shown.motions])
    found |= _cloud(limit, rotations, out, spans)
    if shape is not None:
        found["range"] = {
            "corners": _short(shape.corners(), 3),
            "area": shape.area,
            "spokes": shape.spokes,
            "tip": _short(shape.tip, 4),
        }
    return found


def _cloud(
    limit: limit_set.JointLimit, rotations: arrays.Floats, out: arrays.Booleans, spans: Any
) -> dict[str, Any]:
    """Axes, net and box of a joint's cloud of poses, relative to their mean."""
    mean = quaternion.IDENTITY if out.all() else samples.mean_rotation(rotations[~out])
    known, rest = rotations[np.isfinite(rotations).all(axis=1)], space.rest_rotation(limit)
    seen = samples.relative_rotation_vectors(known, mean)
    found: dict[str, Any] = {
        "mean": _short(mean, 6),
        "rest": None,
        "restVector": None,
        "axes": _short(space.axis_lines(limit, mean, seen)),
        "net": [],
        "box": [],
        "cloudWords": "Each point is a rotation from the mean: its direction is the axis, its "
        f"distance the angle. {coupled_words(limit)}",
    }
    if rest is not None:
        found["rest"] = _short(np.array(limit.rest.rotate_deg))
        found["restVector"] = _short(samples.relative_rotation_vectors(rest, mean))
    if limit.coupled is not None and limit.hinge is None:
        found["net"] = _short(space.shape_surface(limit.coupled, mean)[0], 1)
    if spans is not None and all(span is not None for span in spans):
        found["box"] = _short(space.box_edges(*np.array(spans).T), 1)
    if limit.hinge is not None and rest is not None:
        found["hinge"] = {"axis": list(limit.hinge.axis_child), "rest": _short(rest, 6)}
    return found


def _short(values: arrays.Floats, digits: int = 2) -> Any:
    return np.round(values, digits).tolist()


def shown_clips(
    limits: limit_set.LimitSet, motions: Sequence[Motion], keep: Sequence[float] = ()
) -> Playback | None:
    """Clips of the character, prepared for a page; None if there are none."""
    named = [motion for motion in motions if set(motion.joint_names) & set(limits.joints)]
    return playback(limits, named, keep)


def character_section(shown: Playback) -> Piece:
    """The figure with its controls, and a note on its omissions."""
    words = "; ".join([*shown.notes, f"angles are rounded to {2.0 * MAX_ERROR_DEG:g} degrees"])
    return piece("character", note=f"{words[:1].upper()}{words[1:]}.")


def bones_path(motion: Motion, size: float) -> str:
    """Bones in a motion's middle frame, as the SVG path of a square picture of this size.

    The path is empty without bones, or if no position is known in that frame.
    """
    character = figure.character_of(motion.keep_frames([motion.frame_count // 2]))
    at = character.pose().places @ (VIEW.matrix[:2] * [[1.0], [-1.0]]).T
    seen = at[np.isfinite(at).all(axis=1)]
    if not len(seen):
        return ""
    middle, extent = 0.5 * (seen.min(axis=0) + seen.max(axis=0)), np.ptp(seen, axis=0).max()
    fitted = size * (0.5 + 0.9 * (at - middle) / max(extent, np.finfo(float).tiny))
    lines = fitted[character.bones].reshape(-1, 4)
    lines = lines[np.isfinite(lines).all(axis=1)].tolist()
    return "".join("M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*line) for line in lines)
