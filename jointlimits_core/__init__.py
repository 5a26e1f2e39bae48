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
from .findings import Finding
from .motion import Declaration, Motion, Skeleton, SourceFile

__all__ = [
    "AcclaimError",
    "BvhError",
    "Declaration",
    "EstimationError",
    "Finding",
    "InputError",
    "LimitSetError",
    "MayaAsciiError",
    "Motion",
    "Skeleton",
    "SourceFile",
    "__version__",
]
