"""Skeletons from real markers, against another skeleton of the same person."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jointlimits_core.formats.c3d import read_c3d
from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.motion.motion import Motion
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.marker_bodies import bodies_from_clips
from jointlimits_core.skeleton_fit.markers import MarkerTracks
from jointlimits_core.skeleton_fit.result import BodyFit
from jointlimits_core.skeleton_fit.tracks import BodyTracks, bodies_from_motion

from .figures import Figure, benchmark, best_seconds, shared

MILLIMETRES = 1000.0
_ASF_JOINTS = {"shin": "tibia", "foot": "foot", "forearm": "radius"}
"""Bone of the ASF that begins at the joint between a body and its parent."""
_PARENTS = {
    "chest": "pelvis",
    "head": "chest",
    "upper_arm": "chest",
    "forearm": "upper_arm",
    "hand": "forearm",
    "thigh": "pelvis",
    "shin": "thigh",
    "foot": "shin",
}
_Z_UP_FROM_MARKERS = np.eye(3)[[1, 2, 0]]
"""The marker file has Z up, the ASF Y."""


def _cmu_tree() -> set[frozenset[str]]:
    """Joined bodies in the full-body set."""
    tree = {frozenset(("chest", "pelvis")), frozenset(("head", "chest"))}
    for side in ("left", "right"):
        for part in ("upper_arm", "forearm", "hand", "thigh", "shin", "foot"):
            parent = _PARENTS[part]
            above = parent if parent in ("chest", "pelvis") else f"{side}_{parent}"
            tree.add(frozenset((f"{side}_{part}", above)))
    return tree


def _edges(fit: BodyFit) -> set[frozenset[str]]:
    return {frozenset((fit.names[one.child], fit.names[one.parent])) for one in fit.joints}


TAKES = {
    "cmu_02_01.c3d": (
        "data/bodies/cmu_02_01.c3d",
        "data/mocap/cmu_asfamc/02/02_01.amc",
        "data/mocap/cmu_asfamc/02/02.asf",
    ),
    "HDM_dg_06-03_03_120.c3d": (
        "data/mocap/hdm05/HDM_dg_06-03_03_120.c3d",
        "data/mocap/hdm05/HDM_dg_06-03_03_120.amc",
        "data/mocap/hdm05/HDM_dg.asf",
    ),
}
"""Markers, and the motion and skeleton that other software solved from them."""
WORST_MM = {"cmu_02_01.c3d": 30.0, "HDM_dg_06-03_03_120.c3d": 17.0}


@benchmark
def cmu_markers(quick: bool) -> Iterator[Figure]:
    """Markers of takes by CMU's set, and the joints of the subjects' own skeletons."""
    for name, files in TAKES.items():
        markers, motion, skeleton = (shared(path) for path in files)
        solved = read_motion(motion, skeleton, frame_rate=120.0)
        yield from _take(name, read_bodies(markers), solved)
        if (points := read_c3d(markers).markers) is not None:
            slides = MILLIMETRES * max(_knee_slides(points, bodies_from_motion(solved)))
            beside = "what a body that turns as the ASF's has at least, if it holds the marker"
            yield Figure(f"{name}: knee's marker in the ASF's bones", slides, "mm", None, beside)


def _take(name: str, bodies: BodyTracks, motion: Motion) -> Iterator[Figure]:
    """One take, judged by its worst knee, ankle and elbow."""
    skeleton = bodies_from_motion(motion)
    fit = fit_skeleton(bodies)
    wanted = _cmu_tree()
    beside = f"{len(bodies)} bodies by their labels, limbs of two markers as Herda et al., "
    beside += f"{bodies.frame_count} frames"
    share = 100.0 * len(_edges(fit) & wanted) / len(wanted)
    yield Figure(f"{name}: joints of the tree that are right", share, "%", 100.0, beside, True)
    corrected, raw, shown = [], [], []
    for side in ("left", "right"):
        for part, bone in _ASF_JOINTS.items():
            true = skeleton.positions[skeleton.index(side[0] + bone)]
            away = _away(fit, f"{side}_{part}", true @ _Z_UP_FROM_MARKERS)
            raw.append(np.nanmedian(np.linalg.norm(away[0], axis=1)))
            joint = fit.joint(f"{side}_{part}")
            known = joint.directions_in_child[np.isfinite(joint.deviation_m)]
            shown.append(np.nanmedian(np.linalg.norm(away[0] @ known.T, axis=1)))
            corrected.append(max(_about_their_middle(one) for one in away))
    beside = "of 6: knees, ankles, elbows; constant offset in the body taken out, worse of its two"
    worst = MILLIMETRES * max(corrected)
    what = f"{name}: worst joint against the ASF's: median, offset-corrected"
    yield Figure(what, worst, "mm", WORST_MM[name], beside)
    beside = f"{MILLIMETRES * max(shown):.0f} mm without what lies along the axes of hinges, "
    beside += "where no motion shows the position"
    yield Figure(f"{name}: the same without correction", MILLIMETRES * max(raw), "mm", None, beside)
    yield from _hips(name, fit, skeleton)


def _hips(name: str, fit: BodyFit, skeleton: BodyTracks) -> Iterator[Figure]:
    """Errors of both hips, compared with their stated uncertainty."""
    for side in ("left", "right"):
        true = skeleton.positions[skeleton.index(f"{side[0]}femur")] @ _Z_UP_FROM_MARKERS
        off = np.nanmedian(np.linalg.norm(_away(fit, f"{side}_thigh", true)[0], axis=1))
        joint = fit.joint(f"{side}_thigh")
        stated, hidden = MILLIMETRES * joint.deviation_m.max(), MILLIMETRES * joint.hidden_m
        beside = f"stated +- {stated:.0f}, or {hidden:.0f} if markers slide with the skin"
        yield Figure(f"{name}: {side} hip against the ASF's", MILLIMETRES * off, "mm", None, beside)


def _away(fit: BodyFit, body: str, true: Floats) -> tuple[Floats, Floats]:
    """From the joint found to the true one, in the axes of child and parent, (frames, 3) each."""
    joint, tracks = fit.joint(body), fit.tracks
    found = []
    for index, centre in (
        (joint.child, joint.centre_in_child),
        (joint.parent, joint.centre_in_parent),
    ):
        turns = tracks.matrices()[index]
        local = np.einsum("fji,fj->fi", turns, true - tracks.positions[index])
        found.append(np.asarray(local - centre))
    return found[0], found[1]


def _about_their_middle(vectors: Floats) -> float:
    seen = vectors[np.isfinite(vectors).all(axis=1)]
    return float(np.median(np.linalg.norm(seen - np.median(seen, axis=0), axis=1)))


def _knee_slides(markers: MarkerTracks, skeleton: BodyTracks) -> list[float]:
    """Median distance of each knee's marker from its middle, as thigh and shin of the ASF see it.

    About the ASF's knee, metres.
    """
    found = []
    for side in "lr":
        marker = markers.positions[markers.names.index(f"{side.upper()}KNE")]
        knee = skeleton.positions[skeleton.index(f"{side}tibia")] @ _Z_UP_FROM_MARKERS
        for bone in ("femur", "tibia"):
            turns = _Z_UP_FROM_MARKERS.T @ skeleton.matrices()[skeleton.index(side + bone)]
            found.append(_about_their_middle(np.einsum("fji,fj->fi", turns, marker - knee)))
    return found


@benchmark
def clusters(quick: bool) -> Iterator[Figure]:
    """Clusters of markers on a leg, and a trial with exchanged labels."""
    bodies = read_bodies(shared("data/bodies/ktk_walkingOptiTrack.c3d"))
    knee = fit_skeleton(bodies.choose_bodies(("Leg", "Knee"))).joints[0].residual_m
    beside = "rms of all frames; other people's figure 4.3"
    yield Figure("OptiTrack walk: knee residual", MILLIMETRES * knee, "mm", 4.3, beside)
    path = shared("data/bodies/biobuddy_right_hip.c3d")
    markers = read_c3d(path).markers
    if markers is None:
        return
    groups = {"pelvis": ["?PSIS", "?ASIS"], "thigh": ["RGT", "RLFE", "RMFE"]}
    thigh = bodies_from_clips([markers], groups)[0]
    found = sum(one.rule == "swapped-markers" for one in thigh.findings)
    yield Figure("hip trial: exchanged labels found", found, "", 1, "RLFE, RMFE at 750", True)
    beside, hip = "other markers of the thigh, by other people", fit_skeleton(thigh).joints[0]
    hip_mm = MILLIMETRES * hip.residual_m
    yield Figure("hip residual with the labels changed back", hip_mm, "mm", 9.5, beside)
    time = best_seconds(lambda: read_bodies(path), 1 if quick else 3)
    beside = f"{len(markers.names)} markers x {markers.frame_count} frames, groups by distance"
    yield Figure("reading and grouping it", time, "s", 2.0, beside)
