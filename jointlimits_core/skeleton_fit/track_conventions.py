"""Conventions of tracks: mirrored axes, order and direction of quaternions, and the up axis.

Read in the wrong convention, bodies still move, but no two of them share a joint. The alternatives
are tried, and a message names the one in which the joints fit. The up axis only decides whether a
walker stands upright; no joint or limit depends on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..base import findings, text
from ..geometry import arrays, quaternion
from . import joint_centres, tree
from .tracks import BodyTracks

MAX_FRAMES = 300
"""Number of frames to examine, enough to tell gaps of millimetres from gaps of decimetres."""
MIN_GAP_M = 0.005
"""Other conventions are tried only for joint gaps of at least this size."""
MAX_CLEAR_RATIO = 0.6
"""Largest ratio of gaps in another convention to gaps in ours at which the other is reported.
Figures simulated in our convention had ratios over 0.95 (pairs 0.85), in others at most 0.3."""
MAX_EQUAL_SHARE = 0.02
"""Largest difference between equally good conventions' gaps, as a share; the simplest is named."""
AUTO = "auto"
UP_AXES = ("y", "z")
UPRIGHT_RATIO = 1.25
"""A figure counts as upright if it is this many times as high as deep."""
Y_FROM_Z = np.array([-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
"""Quarter turn about X that takes Z to Y."""
_TURNS = (
    ((0, 1, 2, 3), False, ""),
    ((1, 2, 3, 0), False, "quaternions are w, x, y, z: name the columns accordingly"),
    ((0, 1, 2, 3), True, "rotations are from world to body: negate qx, qy and qz"),
    (
        (1, 2, 3, 0),
        True,
        "quaternions are w, x, y, z, and from world to body: name the columns accordingly, and "
        "negate qx, qy and qz",
    ),
)
"""Ways to read a rotation's four numbers: order, whether inverse, and how to fix the file."""


def other_convention(tracks: BodyTracks) -> str | None:
    """Message about tracks in a different convention, with the fix; None if ours fits best.

    A mirror image of the whole world is not detected.
    """
    step = max(1, tracks.frame_count // MAX_FRAMES)
    some = tracks.keep_frames(np.arange(0, tracks.frame_count, step))
    own = _typical_gap(some)
    if not own > MIN_GAP_M:
        return None
    tried = [(_typical_gap(meant), words) for meant, words in _meanings(some)]
    least = min(gap for gap, _ in tried)
    if not least < MAX_CLEAR_RATIO * own:
        return None
    gap, words = next(one for one in tried if one[0] <= least + MAX_EQUAL_SHARE * own)
    return (
        "positions and rotations contradict each other: joints have gaps of "
        f"{text.millimetres(own, 0)} mm. They would be {text.millimetres(gap, 0)} mm if {words}"
    )


def _typical_gap(tracks: BodyTracks) -> float:
    """Median gap in the tree of smallest gaps, metres; 0 if no bodies are ever seen together."""
    table = joint_centres.pair_table(joint_centres.pair_moments(tracks), len(tracks))
    return tree.typical_weight(table.residuals_m)


def _meanings(tracks: BodyTracks) -> Iterator[tuple[BodyTracks, str]]:
    """Tracks read again in other conventions, the simplest first, each with advice for the file."""
    orders = [np.array(order) for order in itertools.permutations(range(3))]
    # None of these is another's negative.
    signs = [np.array(s) for s in itertools.product((1.0, -1.0), repeat=3) if sum(s) > 0]
    meanings = [
        (int(np.sum(axes != np.arange(3)) + np.sum(sign < 0.0)) + number, axes, sign, turn)
        for axes, sign, (number, turn) in itertools.product(orders, signs, enumerate(_TURNS))
    ]
    # Our own convention comes first.
    for _, axes, sign, (order, inverse, turning) in sorted(meanings, key=lambda one: one[0])[1:]:
        rotations = tracks.rotations[:, list(order)]
        if inverse:
            rotations = rotations * np.array([-1.0, -1.0, -1.0, 1.0])[:, None]
        words = " and ".join(part for part in (turning, _place_words(axes, sign)) if part)
        positions = tracks.positions[..., axes] * sign
        yield replace(tracks, positions=positions, rotations=rotations), words


def _place_words(axes: arrays.Integers, signs: arrays.Floats) -> str:
    if (axes == np.arange(3)).all():
        mirrored = ", ".join("xyz"[axis] for axis in np.flatnonzero(signs < 0.0))
        if not mirrored:
            return ""
        return f"positions are left-handed and rotations are not: negate {mirrored} of positions"
    order = ", ".join(f"{'-' if sign < 0 else ''}{'xyz'[axis]}" for axis, sign in zip(axes, signs))
    return f"positions and rotations use different axes: write {order} instead of x, y, z"


def up_axis(clips: Sequence[BodyTracks]) -> str:
    """Up axis, "y" or "z", of clips that share a world: as stated, or else a guess, y in doubt."""
    stated = [clip.up for clip in clips if clip.up is not None]
    sizes = [_sizes(clip) for clip in clips] or [np.zeros((2, 2))]
    return stated[0] if stated else _looks(np.mean(sizes, axis=0)) or "y"


def turn_upright(clips: Sequence[BodyTracks], up: str = AUTO) -> tuple[BodyTracks, ...]:
    """Tracks of one performer, converted to Y up.

    `up`: up axis of the tracks, "y" or "z", or "auto" for the axis that each file states, or else a
    guess reported as a finding. Raises ValueError for any other value.
    """
    if up not in (AUTO, *UP_AXES):
        raise ValueError(f"the up axis must be {AUTO}, {' or '.join(UP_AXES)}, not {up!r}")
    if up != AUTO:
        return tuple(with_y_up(clip, up) for clip in clips)
    silent = [clip for clip in clips if clip.up is None]
    looks = {clip.name: _looks(_sizes(clip)) for clip in silent}
    doubt = None
    if set(looks.values()) >= {"y", "z"}:
        tall = ", ".join(name for name, way in looks.items() if way == "z")
        doubt = f"the clips disagree (Z seems to be up in {tall}, but not in the others)"
    elif set(looks.values()) == {None}:
        doubt = "it is not clear from the motion"
    guess = up_axis(silent)
    return tuple(_with_finding(clip, guess, doubt) for clip in clips)


def with_y_up(tracks: BodyTracks, up: str) -> BodyTracks:
    """The same tracks in a world with Y up. `up`, "y" or "z": up axis of the given tracks."""
    if up == "y":
        return replace(tracks, up="y")
    turns = quaternion.multiply(Y_FROM_Z, np.moveaxis(tracks.rotations, 1, 2))
    return replace(
        tracks,
        positions=points_with_y_up(tracks.positions, up),
        rotations=np.ascontiguousarray(np.moveaxis(turns, 2, 1)),
        up="y",
    )


def points_with_y_up(points: arrays.Floats, up: str) -> arrays.Floats:
    """Points, (..., 3), converted to Y up. `up`, "y" or "z": up axis of the given points."""
    if up == "y":
        return points
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)


def _with_finding(clip: BodyTracks, guess: str, doubt: str | None) -> BodyTracks:
    """Clip converted to Y up, with a finding about the conversion or the doubt."""
    up = clip.up or guess
    rule, message = "turned-upright", ""
    if clip.up is None and doubt is not None:
        rule = "way-up-unknown"
        message = (
            f"the up axis is not stated, and {doubt}; {guess.upper()} is assumed; if that is "
            f"wrong, set --up {'y' if guess == 'z' else 'z'} (option track_up)"
        )
    elif up == "z" and clip.up is None:
        message = (
            "the up axis is not stated; it appears to be Z, so the tracks were turned to Y up; "
            "if that is wrong, set --up y (option track_up)"
        )
    elif up == "z":
        message = "Z is up in the file; the tracks were turned to Y up, as in Maya and BVH files"
    found = (findings.Finding(rule, message, clip=clip.name),) if message else ()
    return replace(with_y_up(clip, up), findings=(*clip.findings, *found))


def _looks(sizes: arrays.Floats) -> str | None:
    """Up axis if figures are taller than wide and travel along the floor; None if unclear."""
    (reach_y, reach_z), (travel_y, travel_z) = sizes
    if reach_z > UPRIGHT_RATIO * reach_y:
        return "z" if reach_z - travel_z > reach_y - travel_y else "y"
    return "y" if reach_y > UPRIGHT_RATIO * reach_z else None


def _sizes(tracks: BodyTracks) -> arrays.Floats:
    """Extent of the bodies, and of their common travel, along Y and Z, metres, (2, 2)."""
    bodies = int(np.count_nonzero(tracks.present.any(axis=1)))
    often = tracks.present.sum(axis=0) >= max(2, (bodies + 1) // 2)
    seen = tracks.present[:, often].any(axis=1)
    if not seen.any():
        return np.zeros((2, 2))
    there = tracks.present[np.ix_(seen, often)][..., None]
    places = np.where(there, tracks.positions[np.ix_(seen, often)][..., 1:], np.nan)
    reach = np.mean(np.nanmax(places, axis=0) - np.nanmin(places, axis=0), axis=0)
    # Relative to each body's own mean, so that a missing body does not shift the middle.
    middle = np.nanmean(places - np.nanmean(places, axis=1, keepdims=True), axis=0)
    return np.stack([reach, np.ptp(middle, axis=0)])
