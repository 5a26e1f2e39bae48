"""Every reader: how a file is read, and what must hold of what it accepts."""

from __future__ import annotations

import importlib
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from fuzz import mutation
from fuzz.texts import ASF, RIG
from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.estimation.summary_file import read_summary, write_summary
from jointlimits_core.formats.amc import read_amc
from jointlimits_core.formats.asf import read_asf
from jointlimits_core.formats.bvh import read_bvh
from jointlimits_core.formats.bvh_writer import bvh_text
from jointlimits_core.formats.maya_ascii.reader import read_maya_ascii
from jointlimits_core.formats.read_limits import DEFAULT_LIMITS
from jointlimits_core.importing.read_limits import read_limits
from jointlimits_core.limits.limit_file import limit_set_from_json, read_limit_set
from jointlimits_core.motion import Motion
from jointlimits_core.motion_batch.grouping import naming_of_list

Prepare = Callable[[Path], None]


class WrongError(AssertionError):
    """What a reader accepted does not hold."""


@dataclass(frozen=True)
class Target:
    """A reader.

    Parameters
    ----------
    name : str
        Also of its seeds.
    ending : str
        Of the names of inputs.
    read : callable
        Reads the file at a path and gives what it found.
    check : callable
        Given the path and that, raises :class:`WrongError` where it cannot be right.
    mutated : callable
    prepare : callable
        Makes what lies beside inputs in their folder.
    """

    name: str
    ending: str
    read: Callable[[Path], Any]
    check: Callable[[Path, Any], None]
    mutated: mutation.Mutator = mutation.mutated_text
    prepare: Prepare = lambda _: None


def need(holds: bool, said: str) -> None:
    """Raise if something does not hold."""
    if not holds:
        raise WrongError(said)


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
    need(limit_set_from_json(text, os.fspath(path)).to_json() == text, "another text after reading")
    for joint, limit in limit_set.joints.items():
        for channel, axis in limit.limits.items():
            ends = [end for end in (axis.min_deg, axis.max_deg) if end is not None]
            need(all(map(math.isfinite, ends)), f"{joint}.{channel} has a bound that is no number")
            need(ends == sorted(ends), f"{joint}.{channel} is the wrong way round")


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


def nothing(_: Path, __: Any) -> None:
    """Nothing more to check."""


def _amc(path: Path) -> Motion:
    return read_amc(path, _skeleton(path.parent))


_SKELETONS: dict[Path, Any] = {}


def _skeleton(folder: Path) -> Any:
    if folder not in _SKELETONS:
        _SKELETONS[folder] = read_asf(folder / "arm.asf")
    return _SKELETONS[folder]


def _beside(name: str, data: bytes) -> Prepare:
    def prepare(folder: Path) -> None:
        (folder / name).write_bytes(data)

    return prepare


def _read_by(module: str, function: str, *arguments: Any) -> Callable[[Path], Any]:
    return lambda path: getattr(importlib.import_module(module), function)(path, *arguments)


_FORMATS = "jointlimits_core.formats"
_ALL = (
    Target("bvh", ".bvh", read_bvh, check_bvh),
    Target("asf", ".asf", read_asf, check_skeleton),
    Target("amc", ".amc", _amc, check_amc, prepare=_beside("arm.asf", ASF)),
    Target("ma", ".ma", read_maya_ascii, check_motion, prepare=_beside("rig.ma", RIG)),
    Target("limits", ".limits.json", read_limit_set, check_limits, mutation.mutated_json),
    Target("summary", ".summary.npz", read_summary, check_summary, mutation.mutated_members),
    Target("manifest", ".json", read_manifest, check_manifest, mutation.mutated_json),
    Target("listed", ".csv", naming_of_list, nothing),
    Target("mjcf", ".xml", read_limits, check_limits),
    Target("urdf", ".urdf", read_limits, check_limits),
    Target("bodies", ".csv", _read_by(f"{_FORMATS}.body_csv", "read_body_csv"), check_tracks),
    Target("motive", ".csv", _read_by(f"{_FORMATS}.body_csv", "read_body_csv"), check_tracks),
    Target(
        "c3d",
        ".c3d",
        _read_by(f"{_FORMATS}.c3d_header", "checked_header", DEFAULT_LIMITS),
        nothing,
        mutation.mutated_bytes,
    ),
)
_MODULE_OF = {"bodies": "body_csv", "motive": "body_csv", "c3d": "c3d_header"}


def targets() -> Mapping[str, Target]:
    """Readers that this version has, by name."""
    return {
        one.name: one
        for one in _ALL
        if one.name not in _MODULE_OF or find_spec(f"{_FORMATS}.{_MODULE_OF[one.name]}")
    }
