"""Joint types and joint limits, read from motion."""

from ._version import __version__
from .errors import (
    AcclaimError,
    BvhError,
    EstimationError,
    InputError,
    LimitSetError,
    MayaAsciiError,
)
from .estimation.options import EstimateOptions
from .estimation.pipeline import estimate
from .findings import Finding
from .formats.read import read_motion
from .limits.limit_file import read_limit_set, write_limit_set
from .limits.limit_set import AxisLimit, JointLimit, LimitSet
from .motion import Motion, SourceFile
from .skeleton import Declaration, Skeleton

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
    "Skeleton",
    "SourceFile",
    "__version__",
    "estimate",
    "read_limit_set",
    "read_motion",
    "write_limit_set",
]
