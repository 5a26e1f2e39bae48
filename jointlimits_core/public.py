"""The names that the package offers; they need numpy."""

from __future__ import annotations

from .api import apply, check, diff, estimate, export, fit, merge, read
from .base.errors import EstimationError, InputError, LimitSetError, MayaAsciiError
from .base.findings import Finding
from .base.version import __version__
from .estimation import EstimateOptions
from .formats import read_motion
from .formats.asf import AcclaimError
from .formats.bvh import BvhError
from .io import ReadLimits, SourceFile
from .limits import AxisLimit, JointLimit, LimitSet, read_limit_set, write_limit_set
from .motion import Declaration, Motion, Skeleton

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
    "apply",
    "check",
    "diff",
    "estimate",
    "export",
    "fit",
    "merge",
    "read",
    "read_limit_set",
    "read_motion",
    "write_limit_set",
]
