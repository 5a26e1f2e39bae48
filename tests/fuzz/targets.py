"""Every reader: how a file is read, and what must hold of what it accepts."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jointlimits_core.batch import naming_of_list, read_manifest
from jointlimits_core.estimation import read_summary
from jointlimits_core.formats import (
    read_amc,
    read_asf,
    read_body_csv,
    read_bvh,
    read_marker_groups,
    read_motion,
)
from jointlimits_core.formats.fbx import read_fbx_takes
from jointlimits_core.formats.maya_ascii import read_maya_ascii
from jointlimits_core.importers import read_limits
from jointlimits_core.io import DEFAULT_LIMITS
from jointlimits_core.limits import LimitSet, read_limit_set
from jointlimits_core.motion import Motion
from tests.fuzz import checks, mutation
from tests.fuzz.model_parts import split_model
from tests.fuzz.result_folder import prepared_results, read_result
from tests.fuzz.texts import ASF, RIG

Prepare = Callable[[Path], None]


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
        Given the path and that, raises :class:`.checks.WrongError` where it cannot be right.
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


def _amc(path: Path) -> Motion:
    return read_amc(path, _skeleton(path.parent))


_SKELETONS: dict[Path, Any] = {}


def _skeleton(folder: Path) -> Any:
    if folder not in _SKELETONS:
        _SKELETONS[folder] = read_asf(folder / "arm.asf")
    return _SKELETONS[folder]


def _with_parts(path: Path) -> LimitSet:
    """Limits of a model whose input holds its other files, too."""
    model, parts = split_model(path.read_bytes())
    for part in path.parent.glob("part*.xml"):
        part.unlink()
    for name, text in {path.name: model, **parts}.items():
        (path.parent / name).write_bytes(text)
    return read_limits(path)


def _beside(name: str, data: bytes) -> Prepare:
    def prepare(folder: Path) -> None:
        (folder / name).write_bytes(data)

    return prepare


def _read_by(module: str, function: str, *arguments: Any) -> Callable[[Path], Any]:
    return lambda path: getattr(importlib.import_module(module), function)(path, *arguments)


_FORMATS = "jointlimits_core.formats"
_HEADER = _read_by(f"{_FORMATS}.c3d", "checked_header", DEFAULT_LIMITS)
_C3D = _read_by(f"{_FORMATS}.c3d", "read_c3d")
_ALL = (
    Target("bvh", ".bvh", read_bvh, checks.check_bvh),
    Target("asf", ".asf", read_asf, checks.check_skeleton),
    Target("amc", ".amc", _amc, checks.check_amc, prepare=_beside("arm.asf", ASF)),
    Target("ma", ".ma", read_maya_ascii, checks.check_motion, prepare=_beside("rig.ma", RIG)),
    Target("amass", ".npz", read_motion, checks.check_motion, mutation.mutated_members),
    Target("fbx", ".fbx", read_fbx_takes, checks.check_motions, mutation.mutated_bytes),
    Target("fbx_text", ".fbx", read_fbx_takes, checks.check_motions),
    Target("limits", ".limits.json", read_limit_set, checks.check_limits, mutation.mutated_json),
    Target("summary", ".summary.npz", read_summary, checks.check_summary, mutation.mutated_members),
    Target("manifest", ".json", read_manifest, checks.check_manifest, mutation.mutated_json),
    Target("listed", ".csv", naming_of_list, checks.nothing),
    Target(
        "result",
        ".result.json",
        read_result,
        checks.check_result,
        mutation.mutated_json,
        prepared_results,
    ),
    Target("mjcf", ".xml", read_limits, checks.check_model),
    Target("mjcf_parts", ".xml", _with_parts, checks.check_parts),
    Target("urdf", ".urdf", read_limits, checks.check_model),
    Target("asf_limits", ".asf", read_limits, checks.check_limits),
    Target("ma_limits", ".ma", read_limits, checks.check_limits, prepare=_beside("rig.ma", RIG)),
    Target("bodies", ".csv", read_body_csv, checks.check_tracks),
    Target("motive", ".csv", read_body_csv, checks.check_tracks),
    Target("markers", ".json", read_marker_groups, checks.check_groups, mutation.mutated_json),
    Target("c3d", ".c3d", _HEADER, checks.nothing, mutation.mutated_bytes),
    Target("c3d_tracks", ".c3d", _C3D, checks.check_tracks, mutation.mutated_bytes),
)


def targets() -> Mapping[str, Target]:
    """Readers by name."""
    return {one.name: one for one in _ALL}
