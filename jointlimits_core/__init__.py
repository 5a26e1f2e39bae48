"""Joint types and joint limits, measured from motion.

Names are imported at first use, so that the parts without numpy (version, option table, errors)
also work where numpy is not installed, as in a fresh Maya installation.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .base.version import __version__

if TYPE_CHECKING:
    from .api import apply, check, check_people, diff, estimate, export, fit, merge, read
    from .base.errors import EstimationError, InputError, LimitSetError, MayaAsciiError
    from .base.findings import Finding
    from .estimation.options import EstimateOptions
    from .evaluation.baseline import Baseline, read_baseline, write_baseline
    from .formats.asf import AcclaimError
    from .formats.bvh import BvhError
    from .formats.registry import read_motion
    from .ik.limit_rows import LimitRows, limit_rows
    from .io.input import ReadLimits, SourceFile
    from .limits.limit_set import AxisLimit, JointLimit, LimitSet, read_limit_set, write_limit_set
    from .motion.motion import Motion
    from .motion.skeleton import Declaration, Skeleton

_NAMES = {
    "api": "apply check check_people diff estimate export fit merge read",
    "base.errors": "EstimationError InputError LimitSetError MayaAsciiError",
    "base.findings": "Finding",
    "estimation.options": "EstimateOptions",
    "evaluation.baseline": "Baseline read_baseline write_baseline",
    "formats.asf": "AcclaimError",
    "formats.bvh": "BvhError",
    "formats.registry": "read_motion",
    "ik.limit_rows": "LimitRows limit_rows",
    "io.input": "ReadLimits SourceFile",
    "limits.limit_set": "AxisLimit JointLimit LimitSet read_limit_set write_limit_set",
    "motion.motion": "Motion",
    "motion.skeleton": "Declaration Skeleton",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
