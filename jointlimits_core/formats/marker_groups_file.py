"""Files of marker groups: body names and marker labels, as JSON.

{"thigh": ["RTHI*"], "upper_arm": {"limb": ["RUPA", "RELB", "RWRA+RWRB"]}}
"""

from __future__ import annotations

from typing import Any

from ..bodies.marker_groups import GroupPatterns
from ..errors import InputError
from ..strict_json import parsed_json
from .read_limits import DEFAULT_LIMITS, ReadLimits
from .source import FilePath
from .text import read_text
from .words import decoded

ENDING = ".json"
EXAMPLE = '{"thigh": ["RTHI*"], "upper_arm": {"limb": ["RUPA", "RELB", "RWRA"]}}'


def read_marker_groups(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> GroupPatterns:
    """Read patterns of labels by body name.

    Parameters
    ----------
    path : path-like or str

    Returns
    -------
    mapping
        As accepted by :func:`jointlimits_core.bodies.marker_groups.groups_by_name`.

    Raises
    ------
    InputError
        With line and column for text that is not JSON, or naming the body with invalid labels.
    """
    text = read_text(path, limits, InputError)
    data = parsed_json(decoded(text.data), str(path), InputError, "file of marker groups")
    if not isinstance(data, dict) or not data:
        raise InputError(path, f"has no bodies; expected something like {EXAMPLE}")
    for body, labels in data.items():
        if not _are_labels(labels):
            raise InputError(path, f"labels of body {body!r} are invalid; write {EXAMPLE}")
    return data


def _are_labels(labels: Any) -> bool:
    if isinstance(labels, dict):
        return list(labels) == ["limb"] and _are_labels(labels["limb"])
    return isinstance(labels, list) and bool(labels) and all(isinstance(x, str) for x in labels)
