"""Conversion of scene options to the choices of the reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jointlimits_core.base.options import checked_options, options_of

from ..base.host import SceneError
from ..base.open_maya import om
from ..scene.joints import chosen_joints
from ..scene.time import TimeChoice, current_frame
from .rest_pose import RestChoice

CHOICE = ("root", "namespace", "pattern", "everything")
"""Names of the options that choose joints, as in `chosen_joints`."""


def values_of(given: Mapping[str, Any], groups: Sequence[str]) -> dict[str, Any]:
    """Values of every option of some groups.

    `given`: by option name or long flag: ``time`` or ``timeRange``. Raises ValueError for an
    unknown name, an invalid value, or an option given twice.
    """
    known = options_of(*groups)
    names = {item.maya[1]: item.name for item in known if item.maya}
    names.update((item.name, item.name) for item in known)
    values: dict[str, Any] = {}
    for name, value in given.items():
        own = names.get(name, name)
        if own in values:
            raise ValueError(f"{name} is the same as the option {own}; give one of them")
        values[own] = value
    return checked_options(values, groups)


def joint_choice_from_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments of `chosen_joints` among the options."""
    return {name: values[name] for name in CHOICE if name in values}


def joints_from_options(
    names: str | Sequence[str] | None, values: Mapping[str, Any]
) -> list[om.MDagPath]:
    """Joints chosen by names and options.

    `names`: joints, or groups above them; without names and options, the selection is used.
    `values`: by option name; options that do not choose joints are ignored. Raises the errors of
    `chosen_joints`.
    """
    return chosen_joints(names_given(names), **joint_choice_from_options(values))


def names_given(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """Node names as a tuple, from one, several or none."""
    return (names,) if isinstance(names, str) else tuple(names or ())


def time_choice_from_options(values: Mapping[str, Any]) -> TimeChoice:
    """Frames chosen by ``time``, ``by`` and ``at_keys``.

    Raises SceneError if ``time`` is neither a known keyword nor ranges.
    """
    return time_choice_of(str(values["time"]), float(values["by"]), bool(values["at_keys"]))


def time_choice_of(words: str, step: float = 1.0, keys_only: bool = False) -> TimeChoice:
    """Frames chosen by a keyword or ranges. Raises SceneError if it is neither."""
    if words == "current":
        now = current_frame()
        return TimeChoice("ranges", ((now, now),), step, keys_only)
    known = words in ("keys", "playback", "animation")
    ranges = () if known else ranges_from_text(words)
    return TimeChoice(words if known else "ranges", ranges, step, keys_only)


def ranges_from_text(text: str) -> tuple[tuple[float, float], ...]:
    """Frame ranges from text such as ``1:120,200:260``; a single frame is a range of its own.

    Raises SceneError for any other text.
    """
    ranges = []
    for part in text.split(","):
        first, _, last = part.partition(":")
        try:
            ranges.append((float(first), float(last or first)))
        except ValueError:
            raise SceneError(
                f"time range must be keys, playback, animation, current, or first and last frames "
                f"such as 1:120,200:260, not {text!r}"
            ) from None
    return tuple(ranges)


def rest_choice_from_options(values: Mapping[str, Any]) -> RestChoice:
    """Rest pose chosen by ``bind``. Raises SceneError for an unknown source or an invalid frame."""
    word, colon, number = str(values["bind"]).partition(":")
    if not colon:
        return RestChoice(word)
    try:
        return RestChoice(word, float(number))
    except ValueError:
        raise SceneError(f"{number!r} is not a frame; give the rest pose as frame:1") from None
