"""Numbers in attributes of XML elements."""

from __future__ import annotations

import math
import re

import numpy as np

from ..arrays import Floats
from .xml_tree import XmlElement, XmlFile

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
LARGEST = 1e12
"""Largest number accepted in a model, so that products cannot overflow."""


def numbers(
    file: XmlFile, element: XmlElement, name: str, count: int, default: str | None = None
) -> Floats:
    """Read a fixed count of finite numbers from an attribute.

    Parameters
    ----------
    name : str
        Attribute name.
    default : str, optional
        Text used if the attribute is missing.

    Returns
    -------
    array, shape (count,)

    Raises
    ------
    InputError
        With line and column.
    """
    text = element.attributes.get(name, default)
    words = [] if text is None else text.split()
    bad = [word for word in words[: count + 1] if not _is_number(word)]
    if len(words) != count or bad:
        found = f"{bad[0]!a:.40}" if bad else f"{len(words)}"
        what = "a number" if count == 1 else f"{count} numbers"
        raise file.fail(f"{element.tag}: {name} must be {what}, found {found}", element)
    return np.array([float(word) for word in words])


def _is_number(word: str) -> bool:
    if not _NUMBER.fullmatch(word) or len(word) > 400:
        return False
    value = float(word)
    return math.isfinite(value) and abs(value) <= LARGEST


def direction(
    file: XmlFile, element: XmlElement, name: str, count: int = 3, default: str | None = None
) -> Floats:
    """Unit vector or quaternion from an attribute, shape (count,).

    Raises
    ------
    InputError
        Also for zero length.
    """
    vector = numbers(file, element, name, count, default)
    length = float(np.linalg.norm(vector))
    if length < 1e-10:
        raise file.fail(f"{element.tag}: {name} has zero length", element)
    return np.asarray(vector / length)
