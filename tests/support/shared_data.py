"""Real data that is too large, or not ours to pass on: present in CI, absent elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

LINEAR, FLAT = 2, 3
SHARED = Path(__file__).resolve().parents[3] / "shared"


def shared_path(relative: str) -> Path:
    """Path of a shared file; skips the calling test where the folder is not there."""
    path = SHARED / relative
    if not path.exists():
        pytest.skip(f"shared data {relative} is not on this machine")
    return path


def oracle_curves() -> list[dict[str, Any]]:
    """Animation curves with the values of Autodesk's evaluator.

    Linear tangents that point out of a curve were given to it as flat, so here they are flat.
    """
    found = json.loads(shared_path("oracle/animcurves.json").read_text(encoding="utf-8"))
    for curve in found:
        for kinds, outer in ((curve["kit"], 0), (curve["kot"], -1)):
            kinds[outer] = FLAT if kinds[outer] == LINEAR else kinds[outer]
    return list(found)


def clips_of_subject_02() -> tuple[Path, list[Path]]:
    """Skeleton and the six clips of CMU subject 02 that the tests' figures were measured on."""
    folder = shared_path("data/mocap/cmu_asfamc/02")
    return folder / "02.asf", [folder / f"02_{n}.amc" for n in ("01", "03", "04", "05", "06", "10")]
