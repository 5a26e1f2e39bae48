"""Bodies from markers: swapped labels, groups, and the pose of each group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Union

import numpy as np

from ..base.errors import EstimationError, OptionText
from ..base.findings import Finding
from ..base.text import millimetres, plural
from ..geometry.arrays import frame_ranges
from .clips import frames_of, markers_end_to_end
from .cluster_pose import ClusterPose, cluster_pose, limb_pose
from .markers import (
    TOLERANCE_M,
    GroupPatterns,
    MarkerGroup,
    MarkerTracks,
    distance_spreads,
    groups_by_distance,
    groups_by_ending,
    groups_by_name,
    keep_labelled,
    known_groups,
)
from .tracks import BodyTracks

_JUMP_METERS, _JUMP_STEPS = 0.015, 6.0
"""A marker jumps if its step exceeds both this length and this multiple of its usual step."""
_MAX_NEARER_SHARE = 0.35
"""Largest distance from a jump's end to the other's start, as a share of the markers' spacing."""
_MAX_GAP_FRAMES = 5
"""Longest gap in a marker's track across which a swap is still recognised."""
_MAX_PAIRS, _MAX_PAIRS_OF_A_FRAME = 20_000_000, 500_000
"""Maximum number of pairs of jumps compared per clip (a few seconds of work) and per frame."""
MAX_THIN_SHARE = 0.12
"""A group is reported as thin if it is narrower than this share of its length."""
MIN_M = 0.001
"""Lower bound of a marker's noise, metres: all markers slide with the skin over the bone."""
Grouping = Union[str, GroupPatterns, Sequence[MarkerGroup]]
WAYS = ("auto", "distance", "ending", "set")
MIN_FRAMES = 2
MIN_HELD_SHARE = 0.5
"""Minimum share of the markers that bodies found by distance must include."""
_MAX_RIGID_FACTOR = 4.0
"""Factor on the tolerance for markers that share a name, such as `Leg1` and `Leg2`."""


class MarkerSwap(NamedTuple):
    """Swap of two labels: indices of the markers, and of the first frame after the swap."""

    first: int
    second: int
    frame: int


def marker_swaps(markers: MarkerTracks) -> tuple[tuple[MarkerSwap, ...], list[int]]:
    """Label swaps, in frame order, and frames not searched because too many markers jump.

    Two markers must jump at the same time, each to the other's position.
    """
    # Marker of each jump, also across short gaps, and the frames before and after it.
    jumps_of = [np.zeros((3, 0), dtype=np.int64)]
    for index, present in enumerate(markers.present):
        seen = np.flatnonzero(present)
        if len(seen) < 3:
            continue
        steps = np.linalg.norm(np.diff(markers.positions[index, seen], axis=0), axis=1)
        limit = max(_JUMP_METERS, _JUMP_STEPS * float(np.median(steps)))
        at = np.flatnonzero((steps > limit) & (np.diff(seen) <= _MAX_GAP_FRAMES + 1))
        jumps_of.append(np.stack([np.full(len(at), index), seen[at], seen[at + 1]]))
    marker, before, after = np.concatenate(jumps_of, axis=1)
    # Jumps that are in progress between each frame and the one before.
    lengths = after - before
    jumps = np.repeat(np.arange(len(lengths)), lengths)
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    frames = before[jumps] + 1 + np.arange(len(jumps)) - first
    there, starts, sizes = np.unique(np.sort(frames), return_index=True, return_counts=True)
    groups = np.split(jumps[np.argsort(frames, kind="stable")], starts[1:])
    # Frames with the fewest pairs to compare come first; usually all frames are searched.
    pairs = sizes * (sizes - 1) // 2
    order = np.argsort(pairs, kind="stable")
    tried = (np.cumsum(pairs[order]) <= _MAX_PAIRS) & (pairs[order] <= _MAX_PAIRS_OF_A_FRAME)
    found = []
    for row in order[tried].tolist():
        frame, group = int(there[row]), groups[row]
        # Pairs that jump to each other's position, the later jump starting just before the frame.
        pair = group[np.stack(np.triu_indices(len(group), 1))]
        pair = pair[:, (before[pair] == frame - 1).any(axis=0)]
        old, new = (markers.positions[marker[pair], at[pair]] for at in (before, after))
        apart = _MAX_NEARER_SHARE * np.linalg.norm(old[1] - old[0], axis=1)
        exchanged = (np.linalg.norm(new - old[::-1], axis=2) < apart).all(axis=0)
        both = marker[pair[:, exchanged]].T.tolist()
        found += [MarkerSwap(first, second, frame) for first, second in both]
    found.sort(key=lambda swap: (swap.frame, swap))
    return tuple(found), sorted(there[order[~tried]].tolist())


def without_swaps(markers: MarkerTracks) -> MarkerTracks:
    """Markers that keep the labels of the first frames, and a finding for each swap."""
    swaps, untried = marker_swaps(markers)
    if not (swaps or untried):
        return markers
    # Row of the true label for each row of the file, updated at every swap.
    holds = np.arange(len(markers.names))
    positions, present = np.array(markers.positions), np.array(markers.present)
    found = list(markers.findings)
    for swap, until in zip(swaps, [*(after.frame for after in swaps[1:]), markers.frame_count]):
        pair = [swap.first, swap.second]
        holds[pair] = holds[pair[::-1]]
        positions[holds, swap.frame : until] = markers.positions[:, swap.frame : until]
        present[holds, swap.frame : until] = markers.present[:, swap.frame : until]
        one, other = markers.names[swap.first], markers.names[swap.second]
        number, last = float(markers.frames[swap.frame]), float(markers.frames[-1])
        message = f"{one} and {other} swap labels at frame {number:g}; they were swapped back."
        found.append(Finding("swapped-markers", message, None, markers.name, ((number, last),)))
    if untried:
        message = (
            f"swapped labels were not searched for in {plural(len(untried), 'frame')} in which too "
            "many markers jump at once; check the labels there"
        )
        ranges = frame_ranges(markers.frames, np.isin(np.arange(markers.frame_count), untried))
        found.append(Finding("swaps-not-sought", message, None, markers.name, ranges))
    return replace(markers, positions=positions, present=present, findings=tuple(found))


def choose_groups(
    markers: MarkerTracks, how: Grouping = "auto", tolerance: float = TOLERANCE_M
) -> tuple[MarkerGroup, ...]:
    """Groups of markers that form bodies.

    `how`: "set" for a marker set with known labels; "ending" for labels that differ in a number;
    "distance" for constant distances; "auto" for "set" if it finds groups, or else "ending" where
    distances are constant and "distance" for the other markers; or patterns as for
    :func:`groups_by_name`. `tolerance`: metres, see :data:`TOLERANCE_M`. Raises ValueError for an
    unknown method, or patterns that match no label.
    """
    if isinstance(how, Mapping):
        return groups_by_name(markers.names, how)
    if not isinstance(how, str):
        return tuple(how)
    if how not in WAYS:
        raise ValueError(f"grouping must be {', '.join(WAYS)} or a mapping, not {how!r}")
    groups = known_groups(markers.names) if how in ("auto", "set") else ()
    if groups or how == "set":
        return groups
    if how == "distance":
        return groups_by_distance(markers, tolerance)
    named = groups_by_ending(markers.names)
    if how == "ending":
        return named
    spreads, rigid = distance_spreads(markers), []
    for group in named:
        chosen = np.isin(markers.names, group.markers)
        if spreads[np.ix_(chosen, chosen)].max() <= _MAX_RIGID_FACTOR * tolerance:
            rigid.append(group)
    return groups_by_distance(markers, tolerance, rigid)


def bodies_from_clips(
    clips: Sequence[MarkerTracks], how: Grouping = "auto", tolerance: float = TOLERANCE_M
) -> tuple[BodyTracks, ...]:
    """Bodies from markers, with the same axes in all clips of one performer.

    Groups without an orientation are left out, with a finding. `how`, `tolerance`: as for
    :func:`choose_groups`. Raises EstimationError if a clip has one frame, or no group forms a body.
    """
    for clip in clips:
        if clip.frame_count < MIN_FRAMES:
            raise EstimationError(f"{clip.name!r} has one frame; grouping markers needs two")
    if isinstance(how, str):
        clips = [keep_labelled(clip) for clip in clips]
    clips = [without_swaps(clip) for clip in clips]
    markers = markers_end_to_end(clips)
    groups = choose_groups(markers, how, tolerance)
    poses, problems = _poses(markers, groups)
    if problems and not poses:
        why = next(iter(problems.values()))
        raise EstimationError(f"no body can be made from the markers of {markers.name!r}: {why}")
    _reject_few_bodies(markers, groups, poses, how, tolerance)
    return tuple(
        BodyTracks(
            tuple(poses),
            np.stack([pose.positions[part] for pose in poses.values()]),
            np.stack([pose.rotations[:, part] for pose in poses.values()]),
            clip.frame_rate,
            np.stack([pose.present[part] for pose in poses.values()]),
            clip.name,
            clip.frames,
            clip.source,
            (*clip.findings, *_findings(clip, part, groups, poses, problems)),
            clip.up,
        )
        for clip, part in zip(clips, frames_of(clips))
    )


def _reject_few_bodies(
    markers: MarkerTracks,
    groups: Sequence[MarkerGroup],
    poses: Mapping[str, ClusterPose],
    how: Grouping,
    tolerance: float,
) -> None:
    """Raise EstimationError if there is no body, or automatic bodies include too few markers."""
    held = {label for group in groups if group.name in poses for label in group.markers}
    seen = int(np.count_nonzero(markers.present.any(axis=1)))
    if not poses:
        text = (
            f"no three of the {len(markers.names)} markers of {markers.name!r} stay at constant "
            f"distances, to within {1000.0 * tolerance:g} mm"
        )
    elif how == "auto" and not known_groups(markers.names) and len(held) < MIN_HELD_SHARE * seen:
        text = (
            f"only {len(held)} of the {seen} markers of {markers.name!r} stay at constant "
            f"distances from others, forming {plural(len(poses), 'body')} ({', '.join(poses)})"
        )
    else:
        return
    text += "; list the markers of each body in a file for "
    raise EstimationError(OptionText(text, "marker_groups"))


def _poses(
    markers: MarkerTracks, groups: Sequence[MarkerGroup]
) -> tuple[dict[str, ClusterPose], dict[str, str]]:
    """Poses of groups by name, and the reasons why other groups have none."""
    row = {name: index for index, name in enumerate(markers.names)}
    poses, problems = {}, {}
    for group in groups:
        # A label may stand for the midpoint of two markers.
        parts = [[label] if label in row else label.split("+") for label in group.markers]
        chosen = [[row[name] for name in names] for names in parts]
        places = np.stack([markers.positions[rows].mean(axis=0) for rows in chosen])
        seen = np.stack([markers.present[rows].all(axis=0) for rows in chosen])
        try:
            pose = limb_pose(*places) if group.limb else cluster_pose(places, seen, group.markers)
        except EstimationError as error:
            problems[group.name] = str(error)
        else:
            poses[group.name] = pose
    return poses, problems


def _findings(
    markers: MarkerTracks,
    part: slice,
    groups: Sequence[MarkerGroup],
    poses: Mapping[str, ClusterPose],
    problems: Mapping[str, str],
) -> Iterator[Finding]:
    """Findings about missing poses, thin groups, and markers that belong to no group."""
    clip = markers.name
    for name, problem in problems.items():
        text = f"Left out, as its markers give no orientation: {problem}."
        yield Finding("no-orientation", text, name, clip, left_out=True)
    for group in (group for group in groups if group.name in poses):
        pose, labels = poses[group.name], ", ".join(group.markers)
        unfit = pose.unfit_frames[part]
        if unfit.any():
            worst = float(np.nanmax(pose.residuals[:, part][:, unfit]))
            text = (
                f"Its markers ({labels}) do not keep their shape in {unfit.sum()} frames, by up to "
                f"{millimetres(worst, 0)} mm: labels are swapped, or the body bends. It has no "
                "pose in these frames."
            )
            ranges = frame_ranges(markers.frames, unfit)
            yield Finding("cluster-out-of-shape", text, group.name, clip, ranges, True)
        along, across = np.linalg.svd(pose.shape - pose.shape.mean(axis=0), compute_uv=False)[:2]
        if not group.limb and across < MAX_THIN_SHARE * along:
            # The pose uses up six of the markers' coordinates.
            count = len(pose.shape)
            noise = max(pose.rms * float(np.sqrt(count / (3.0 * count - 6.0))), MIN_M)
            text = (
                f"Its markers ({labels}) are nearly on a line: rotation about that line is known "
                f"only to within about {np.degrees(noise / across):.0f} degrees. Put a marker "
                "farther off the line, or give the body a limb's axes (marker groups)."
            )
            yield Finding("thin-cluster", text, group.name, clip)
    named = {label for group in groups for label in group.markers}
    held = named.union(*(label.split("+") for label in named))
    there = zip(markers.names, markers.present.any(axis=1))
    loose = [name for name, seen in there if seen and name not in held]
    if loose:
        shown = ", ".join(loose[:12]) + (" ..." if len(loose) > 12 else "")
        text = f"{len(loose)} markers belong to no rigid body: {shown}."
        yield Finding("loose-markers", text, clip=clip)
