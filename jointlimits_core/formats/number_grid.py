"""Lines with equally many plain numbers, parsed in bulk."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats
from .number_rows import LARGEST

_PLAIN = b"0123456789+-.eE \t\n"
_COMPILED = bool(np.lib.NumpyVersion(np.__version__) >= "1.23.0")
"""Whether `numpy.loadtxt` is compiled; older ones are slower than Python's own splitting."""


def number_grid(text: bytes, width: int) -> Floats | None:
    """Parse lines that all have the same count of plain numbers; None for anything else.

    Parameters
    ----------
    text : bytes
        Lines; empty ones may be skipped or rejected.
    width : int
        Numbers per line, at least one.

    Returns
    -------
    array, shape (lines, width), or None
        Exactly the values of Python's `float`. None unless every line has `width` numbers, all
        plain, finite and separated by spaces or tabs.
    """
    if not text or text.isspace() or text.translate(None, _PLAIN):
        return None
    grid = _compiled(text) if _COMPILED else _split(text, width)
    if grid is None or grid.shape[1] != width or not (np.abs(grid) < LARGEST).all():
        return None
    return grid


def _compiled(text: bytes) -> Floats | None:
    try:
        return np.loadtxt(text.splitlines(), comments=None, ndmin=2)
    except ValueError:
        return None


def _split(text: bytes, width: int) -> Floats | None:
    """Append a non-number to each line to see whether all lines have equal counts."""
    words = text.replace(b"\n", b" nan ").split()
    if len(words) % (width + 1):
        return None
    try:
        grid = np.fromiter(map(float, words), np.float64, len(words)).reshape(-1, width + 1)
    except ValueError:
        return None
    return grid[:, :width] if np.isnan(grid[:, width]).all() else None
