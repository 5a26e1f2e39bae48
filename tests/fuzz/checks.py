"""What must hold of what a reader accepted."""

from __future__ import annotations

import math
import os
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from jointlimits_core.importers.mjcf import KEPT as MJCF_KEPT
from jointlimits_core.importers.ranges import write_ranges

from jointlimits_core.base import InputError, printable
from jointlimits_core.estimation import read_summary, write_summary
from jointlimits_core.formats import bvh_text, read_bvh
from jointlimits_core.importers import read_limits
from jointlimits_core.limits import LimitSet
from jointlimits_core.motion import Motion
from jointlimits_core.skeleton_fit import groups_by_name

NOTHING_WRITTEN = "^(no joint that moves has limits|none of the limits can be written: )"


class WrongError(AssertionError):
    """What a reader accepted does not hold."""


def need(holds: bool, messageted: str) -> None:
    """Raise if something does not hold."""
    if not holds:
        raise WrongError(messageted)


def check_motion(path: Path, motion: Motion) -> None:
    """Numbers are finite, rotations are rotations, parents come first."""
    bones, count = motion.skeleton, motion.frame_count
    parents = np.asarray(bones.parents)
    need(motion.rotations.shape == (len(bones.names), 4, count), "shape of rotations")
    need(len(set(bones.names)) == len(bones.names), "a name is there twice")
    need(bool((parents < np.arange(len(parents))).all()), "a parent comes after its child")
    need(bool(np.isfinite(motion.rotations).all()), "rotations that are not finite")
    lengths = np.linalg.norm(motion.rotations, axis=1)
    need(bool((np.abs(lengths - 1.0) < 1e-9).all()), "rotations of another length than 1")
    need(motion.rotates is None or bool(np.isfinite(motion.rotates).all()), "rotates not finite")
    need(all(np.isfinite(t).all() for t in motion.translations.values()), "places not finite")
    need(bool((np.diff(motion.frames) > 0.0).all()), "frames that do not increase")
    need(math.isfinite(motion.frame_rate) and motion.frame_rate > 0.0, "frame rate")
    check_skeleton(path, bones)


def check_motions(path: Path, motions: Sequence[Motion]) -> None:
    """Every clip of a file is one, and there is one."""
    need(len(motions) > 0, "no clips")
    for motion in motions:
        check_motion(path, motion)


def check_skeleton(_: Path, bones: Any) -> None:
    """Frames of joints are rotations, offsets are finite."""
    for name in ("rest_rotations", "joint_orients", "rotate_axes"):
        lengths = np.linalg.norm(getattr(bones, name), axis=-1)
        need(bool((np.abs(lengths - 1.0) < 1e-9).all()), f"{name} of another length than 1")
    need(bool(np.isfinite(bones.offsets).all()), "offsets that are not finite")


def check_bvh(path: Path, motion: Motion) -> None:
    """Written and read again it is the same; the numbers are those of the file."""
    check_motion(path, motion)
    _check_bvh_numbers(path, motion)
    if (
        max(np.abs(motion.skeleton.offsets).max(), *map(_largest, motion.translations.values()), 1)
        > 1e6
    ):
        return  # the file that is written has six decimals
    again = path.with_suffix(".again.bvh")
    again.write_text(bvh_text(motion), encoding="utf-8")
    other = read_bvh(again)
    need(other.frame_count == motion.frame_count, "frames after writing and reading")
    need(len(other.skeleton.names) == len(motion.skeleton.names), "joints after writing")
    # Joints may be written in another order; their turns are the same.
    dots = np.abs(np.einsum("jkf,ikf->jif", motion.rotations, other.rotations)).min(axis=2)
    need(bool((dots.max(axis=1) > 1.0 - 1e-9).all()), "rotations after writing and reading")


def _largest(values: Any) -> float:
    return float(np.abs(values).max())


def _check_bvh_numbers(path: Path, motion: Motion) -> None:
    """Plain reading of the last frame of a plain file: its angles are those that were read."""
    words = path.read_bytes().decode("latin-1").split()
    upper = [word.upper() for word in words]
    if upper.count("MOTION") != 1 or "CHANNELS" not in upper or motion.rotates is None:
        return
    if any(finding.rule in ("frame-count", "trailing-text") for finding in motion.findings):
        return
    kinds = [word for word in upper[: upper.index("MOTION")] if word[1:] == "ROTATION"]
    rows = [line.split() for line in path.read_text("latin-1").splitlines() if line.strip()]
    width = len(rows[-1])
    listed = [
        word for word in upper[: upper.index("MOTION")] if word[1:] in ("ROTATION", "POSITION")
    ]
    if width != len(listed) or len(set(motion.skeleton.names)) != upper.count("CHANNELS"):
        return
    try:
        numbers = [float(word) for word in rows[-1]]
    except ValueError:
        return
    turning = [value for value, kind in zip(numbers, listed) if kind[1:] == "ROTATION"]
    if any(finding.rule == "repeated-channel" for finding in motion.findings):
        return
    read = np.degrees(motion.rotates[:, :, -1]).ravel()
    need(len(kinds) <= len(read), "fewer channels than the file has")
    found = np.sort(np.abs(read))[::-1][: len(turning)]
    expected = np.sort(np.abs(turning))[::-1]
    need(bool(np.allclose(found, expected, rtol=1e-9, atol=1e-9)), "angles of the last frame")


def check_amc(path: Path, motion: Motion) -> None:
    """Every angle of the last frame of a plain file is one that was read."""
    check_motion(path, motion)
    need(motion.frame_count >= 1, "no frames")


def check_limits(path: Path, limit_set: Any) -> None:
    """Its own text is read again, to the same text; no bound is the wrong way round."""
    text = limit_set.to_json()
    need(LimitSet.from_json(text, os.fspath(path)).to_json() == text, "another text after reading")
    for joint, limit in limit_set.joints.items():
        for channel, axis in limit.limits.items():
            ends = [end for end in (axis.min_deg, axis.max_deg) if end is not None]
            need(all(map(math.isfinite, ends)), f"{joint}.{channel} has a bound that is no number")
            need(ends == sorted(ends), f"{joint}.{channel} is the wrong way round")


def check_model(path: Path, limit_set: Any) -> None:
    """As limits; written back they change no byte, and narrower ones are read again."""
    check_limits(path, limit_set)
    new = path.with_name(f"new{path.suffix}")
    try:
        write_ranges(limit_set, path, new)
    except InputError as error:
        # Rightly so where there is no range that the model could hold.
        need(re.search(NOTHING_WRITTEN, error.message) is not None, error.message)
        return
    need(new.read_bytes() == path.read_bytes(), "other bytes for the same ranges")
    narrower = with_each_range(limit_set, lambda axis: replace(axis, max_deg=axis.min_deg + 1e-3))
    report = write_ranges(narrower, path, new)
    again = read_limits(new)
    for joint in report.written:
        for channel, axis in again.joints[joint].limits.items():
            wanted = narrower.joints[joint].limits[channel]
            known = [
                one for one in report.skipped if (one.joint, one.attribute) == (joint, channel)
            ]
            if axis.state == "limited" and wanted.max_deg is not None and not known:
                need(
                    math.isclose(axis.max_deg or 0.0, wanted.max_deg, abs_tol=1e-6), "another range"
                )


def with_each_range(limit_set: Any, change: Any) -> Any:
    """A limit set with other ranges where both ends are known."""
    joints = {
        name: replace(
            one,
            limits={
                channel: axis
                if axis.state != "limited" or axis.min_deg is None or axis.max_deg is None
                else change(axis)
                for channel, axis in one.limits.items()
            },
        )
        for name, one in limit_set.joints.items()
    }
    return replace(limit_set, joints=joints)


def check_summary(path: Path, summary: Any) -> None:
    """Written again it reads as the same, to the byte."""
    first, second = path.with_suffix(".first.npz"), path.with_suffix(".second.npz")
    write_summary(summary, first)
    write_summary(read_summary(first), second)
    need(first.read_bytes() == second.read_bytes(), "other bytes after writing and reading")


def check_manifest(path: Path, manifest: Any) -> None:
    """No file lies outside of the folder, no name could lead out of it."""
    folder = os.path.realpath(path.parent) + os.sep
    for character in manifest.characters:
        need(character.name.isprintable(), "a name that is not printable")
        for file in character.inputs:
            need(os.path.realpath(file.path).startswith(folder), f"{file.shown!r} lies outside")
    names = [character.name.casefold() for character in manifest.characters]
    need(len(set(names)) == len(names), "two characters of one name")


def check_tracks(_: Path, tracks: Any) -> None:
    """Places and turns of every body are numbers, where it was seen."""
    bodies = getattr(tracks, "bodies", None)
    if bodies is not None:
        seen = bodies.present
        need(bool(np.isfinite(bodies.positions[seen]).all()), "places that are not finite")
        turns = np.moveaxis(bodies.rotations, 1, -1)[seen]
        lengths = np.linalg.norm(turns, axis=-1)
        need(bool((np.abs(lengths - 1.0) < 1e-6).all()), "rotations of another length than 1")
        need(bool((np.diff(bodies.frames) > 0.0).all()), "frames that do not increase")
        need(math.isfinite(bodies.frame_rate) and bodies.frame_rate > 0.0, "frame rate")
    if getattr(tracks, "markers", None) is not None:
        check_marker_tracks(tracks.markers)


def nothing(_: Path, __: Any) -> None:
    """Nothing more to check."""


def check_marker_tracks(markers: Any) -> None:
    """Places of every marker are numbers, where it was seen."""
    need(bool(np.isfinite(markers.positions[markers.present]).all()), "places that are not finite")
    need(len(set(markers.names)) == len(markers.names), "a marker is there twice")
    need(bool((np.diff(markers.frames) > 0.0).all()), "frames that do not increase")
    need(math.isfinite(markers.frame_rate) and markers.frame_rate > 0.0, "frame rate")


LABELS = ("RTHI", "RKNE", "RANK", "s:LTHI1", "s:LTHI2", "s:LTHI3", "[odd]", "two words")


def check_groups(_: Path, patterns: Any) -> None:
    """Groups are of labels that there are, three for a body; or the body is named."""
    for body, wanted in patterns.items():
        try:
            (group,) = groups_by_name(LABELS, {body: wanted})
        except ValueError as error:
            need(repr(body) in str(error), "an error that does not name the body")
            continue
        parts = {part for label in group.markers for part in label.split("+")}
        need(group.name == body and parts <= set(LABELS), "markers that are not there")
        need(len(group.markers) >= 3, "too few markers")


def check_parts(path: Path, limit_set: LimitSet) -> None:
    """One file with the parts put in by another reader of XML has the same limits."""
    check_limits(path, limit_set)
    try:
        top = ElementTree.parse(path).getroot()
        _put_in(top, path.parent)
    except ElementTree.ParseError:
        return  # namespaces without a name, which nobody asks for
    whole = path.with_name("whole.xml")
    ElementTree.ElementTree(top).write(whole, encoding="utf-8")
    need(read_limits(whole).joints == limit_set.joints, "other limits than in one file")


def _put_in(element: ElementTree.Element, folder: Path) -> None:
    children = list(element)
    for child in children:
        element.remove(child)
    for child in children:
        if child.tag != "include":
            if child.tag in MJCF_KEPT:
                _put_in(child, folder)
                element.append(child)
            continue
        part = Path(os.path.realpath(folder / child.attrib["file"]))
        if folder.resolve() in part.parents and os.path.isfile(part):
            held = ElementTree.parse(part).getroot()
            _put_in(held, folder)
            element.extend(held)


def check_result(_: Path, found: Any) -> None:
    """An accepted result names its own limits; the message about it is one printable line."""
    document, outcome = found.document, found.outcome
    (row,) = found.summary["characters"]
    need(document["character"] == "one" == outcome.name, "the result of another character")
    need(row["status"] == document["status"], "another status in the summary")
    need(row["message"] == outcome.message, "another message in the summary")
    need(outcome.ok == (not found.trouble), "trouble")
    names = [one["name"] for one in document["files"]]
    need(all(os.path.basename(name) == name for name in names), "a file in another folder")
    limits = outcome.result.replace(".result.json", ".limits.json")
    need(not outcome.ok or limits in names, "no limits, and all is well")
    need(
        printable(found.printed[:-1].replace("\n", "")) == found.printed[:-1].replace("\n", ""),
        "what is printed",
    )
