"""Joint types and joint limits measured from motion.

Names are imported on first use, so that the version, the option table and the errors are available
without numpy: Maya does not include it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .base.version import __version__

if TYPE_CHECKING:
    from .base import (
        AcclaimError,
        BvhError,
        EstimationError,
        Finding,
        InputError,
        LimitSetError,
        MayaAsciiError,
    )
    from .estimation import EstimateOptions, estimate
    from .formats import read_motion
    from .io import ReadLimits, SourceFile
    from .limits import AxisLimit, JointLimit, LimitSet, read_limit_set, write_limit_set
    from .motion import Declaration, Motion, Skeleton

_HOME = {
    "AcclaimError": "errors",
    "AxisLimit": "limits.limit_set",
    "BvhError": "errors",
    "Declaration": "skeleton",
    "EstimateOptions": "estimation.options",
    "EstimationError": "errors",
    "Finding": "findings",
    "InputError": "errors",
    "JointLimit": "limits.limit_set",
    "LimitSet": "limits.limit_set",
    "LimitSetError": "errors",
    "MayaAsciiError": "errors",
    "Motion": "motion",
    "ReadLimits": "formats.read_limits",
    "Skeleton": "skeleton",
    "SourceFile": "motion",
    "estimate": "estimation.pipeline",
    "read_limit_set": "limits.limit_set",
    "read_motion": "formats.read",
    "write_limit_set": "limits.limit_set",
}

__all__ = [
    "AcclaimError",
    "AxisLimit",
    "BvhError",
    "Declaration",
    "EstimateOptions",
    "EstimationError",
    "Finding",
    "InputError",
    "JointLimit",
    "LimitSet",
    "LimitSetError",
    "MayaAsciiError",
    "Motion",
    "ReadLimits",
    "Skeleton",
    "SourceFile",
    "__version__",
    "estimate",
    "read_limit_set",
    "read_motion",
    "write_limit_set",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
