"""Lines of equally many plain numbers, read all at once."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats
from .number_rows import LARGEST

_PLAIN = b"0123456789+-.eE \t\n"
_COMPILED = bool(np.lib.NumpyVersion(np.__version__) >= "1.23.0")
"""Whether `numpy.loadtxt` is compiled; before, it is slower than Python's own splitting."""


def number_grid(text: bytes, width: int) -> Floats | None:
    """Numbers of lines that all have as many; what else there is, is for others to make out.

    Parameters
    ----------
    text : bytes
        Lines; those without anything in them may be passed over, or not be put up with.
    width : int
        Numbers of a line, at least one.

    Returns
    -------
    array, shape (lines, width), or None
        The very numbers that Python's `float` gives. None unless every line has so many, all of
        them plain, finite and apart from each other by spaces or tabs.
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
    """Put a number that is none after each line: they are where they belong, or lines differ."""
    words = text.replace(b"\n", b" nan ").split()
    if len(words) % (width + 1):
        return None
    try:
        grid = np.fromiter(map(float, words), np.float64, len(words)).reshape(-1, width + 1)
    except ValueError:
        return None
    return grid[:, :width] if np.isnan(grid[:, width]).all() else None
