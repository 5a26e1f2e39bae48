"""Options of the scene, from the words of the option table to the choices of the reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import maya.api.OpenMaya as om

from jointlimits_core.option_table import checked_options, options_of

from .bind_pose import RestChoice
from .errors import SceneError
from .joint_choice import chosen_joints
from .time_choice import TimeChoice, current_frame

CHOICE = ("root", "namespace", "pattern", "everything")
"""Names of the options that choose joints, as :func:`.joint_choice.chosen_joints` has them."""


def values_of(given: Mapping[str, Any], groups: Sequence[str]) -> dict[str, Any]:
    """Values of every option of some groups.

    Parameters
    ----------
    given : mapping of str to object
        By the names of the options, or of their long flags: ``time`` or ``timeRange``.

    Raises
    ------
    ValueError
        For a name that is neither, a value that the option may not have, or one given twice.
    """
    known = options_of(*groups)
    names = {item.maya[1]: item.name for item in known if item.maya}
    names.update((item.name, item.name) for item in known)
    values: dict[str, Any] = {}
    for name, value in given.items():
        own = names.get(name, name)
        if own in values:
            raise ValueError(f"{name} says the same as the option {own}; give one of them")
        values[own] = value
    return checked_options(values, groups)


def joint_choice_from_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments of :func:`.joint_choice.chosen_joints`; options that are not there rest."""
    return {name: values[name] for name in CHOICE if name in values}


def joints_from_options(
    names: str | Sequence[str] | None, values: Mapping[str, Any]
) -> list[om.MDagPath]:
    """Joints that names and the options that choose joints mean.

    Parameters
    ----------
    names : str or sequence of str, optional
        Of joints, or of groups above them; with neither these nor options, the selection is taken.
    values : mapping of str to object
        By the names of the options; those that choose no joints are looked past.

    Raises
    ------
    SceneError
        As :func:`.joint_choice.chosen_joints`.
    """
    return chosen_joints(names_given(names), **joint_choice_from_options(values))


def names_given(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """Names of nodes, whether one was given, or several, or none."""
    return (names,) if isinstance(names, str) else tuple(names or ())


def time_choice_from_options(values: Mapping[str, Any]) -> TimeChoice:
    """Frames that ``time``, ``by`` and ``at_keys`` mean.

    Raises
    ------
    SceneError
        If ``time`` is neither a word that is known nor ranges.
    """
    return time_choice_of(str(values["time"]), float(values["by"]), bool(values["at_keys"]))


def time_choice_of(words: str, step: float = 1.0, keys_only: bool = False) -> TimeChoice:
    """Frames that a word or ranges mean.

    Raises
    ------
    SceneError
        If it is neither.
    """
    if words == "current":
        now = current_frame()
        return TimeChoice("ranges", ((now, now),), step, keys_only)
    known = words in ("keys", "playback", "animation")
    ranges = () if known else ranges_from_text(words)
    return TimeChoice(words if known else "ranges", ranges, step, keys_only)


def ranges_from_text(text: str) -> tuple[tuple[float, float], ...]:
    """Ranges of frames, from ``1:120,200:260``; one frame may stand for itself.

    Raises
    ------
    SceneError
        If that is not what the text is.
    """
    ranges = []
    for part in text.split(","):
        first, _, last = part.partition(":")
        try:
            ranges.append((float(first), float(last or first)))
        except ValueError:
            raise SceneError(
                f"{text!r} is no range of time; give keys, playback, animation, current, or first "
                "and last frames as 1:120,200:260"
            ) from None
    return tuple(ranges)


def rest_choice_from_options(values: Mapping[str, Any]) -> RestChoice:
    """Where ``bind`` takes the rest pose from.

    Raises
    ------
    SceneError
        If that is nothing known.
    """
    word, colon, number = str(values["bind"]).partition(":")
    if not colon:
        return RestChoice(word)
    try:
        return RestChoice(word, float(number))
    except ValueError:
        raise SceneError(f"{number!r} is no frame; give the rest pose as frame:1") from None
