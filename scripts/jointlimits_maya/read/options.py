"""Conversion of options to choices of joints, frames and rest pose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jointlimits_core.base.options import checked_options, options_of

from ..base import host
from ..base.open_maya import om
from ..scene import joints, time
from .rest_pose import RestChoice

CHOICE = ("root", "namespace", "pattern", "everything", "controls")
"""Names of the options that choose joints, as in `chosen_joints`."""


def values_of(given: Mapping[str, Any], groups: Sequence[str]) -> dict[str, Any]:
    """Values of every option in the given groups.

    `given`: by option name (``time``) or long flag (``timeRange``). Raises ValueError for an
    unknown name, an invalid value, or an option given twice.
    """
    known = options_of(*groups)
    names = {item.maya[1]: item.name for item in known if item.maya}
    names.update((item.name, item.name) for item in known)
    names.update((former, item.name) for item in known for former in item.former)
    values: dict[str, Any] = {}
    for name, value in given.items():
        own = names.get(name, name)
        if own in values:
            raise ValueError(f"{name} is the same as the option {own}; give one of them")
        values[own] = value
    return checked_options(values, groups)


def joint_choice_from_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Options that are keyword arguments of `chosen_joints`."""
    return {name: values[name] for name in CHOICE if name in values}


def joints_from_options(
    names: str | Sequence[str] | None, values: Mapping[str, Any]
) -> list[om.MDagPath]:
    """Joints, or controls, chosen by names and options.

    `names`: joints, controls, or groups above them; without names and options, the selection is
    used. `values`: by option name; options that do not choose joints are ignored. Raises the same
    errors as `chosen_joints`.
    """
    return joints.chosen_joints(names_given(names), **joint_choice_from_options(values))


def joints_and_controls(
    names: str | Sequence[str] | None, values: Mapping[str, Any]
) -> tuple[list[om.MDagPath], list[om.MDagPath]]:
    """Joints chosen by names and options, and controls chosen likewise; one may be empty.

    With the option `controls`, there are no joints. Raises the errors of `chosen_joints`.
    """
    choice = joint_choice_from_options(values)
    wanted = True if choice.get("controls") else None
    every = joints.chosen_joints(names_given(names), **{**choice, "controls": wanted})
    controls = [one for one in every if joints.is_control(one)]
    return every[: len(every) - len(controls)], controls


def names_given(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """Node names as a tuple, given one name, several names or None."""
    return (names,) if isinstance(names, str) else tuple(names or ())


def time_choice_of(words: str) -> time.TimeChoice:
    """Frames chosen by a keyword or ranges; a final ``/N`` takes every N-th. Raises SceneError."""
    source, slash, every = words.partition("/")
    try:
        step = float(every) if slash else 1.0
        if source == "at-keys":
            return time.TimeChoice("keys", (), step, keys_only=True)
        if source in ("keys", "playback", "animation"):
            return time.TimeChoice(source, (), step)
        if source == "current":
            now = time.current_frame()
            return time.TimeChoice("ranges", ((now, now),), step)
        parts = [part.partition(":") for part in source.split(",")]
        ranges = tuple((float(first), float(last or first)) for first, _, last in parts)
    except host.SceneError:
        raise
    except ValueError:
        raise host.SceneError(
            "time range must be keys, at-keys, playback, animation, current, or first and last "
            "frames such as 1:120,200:260 (add /2 for every second frame), "
            f"not {words!r}"
        ) from None
    return time.TimeChoice("ranges", ranges, step)


def rest_choice_from_options(values: Mapping[str, Any]) -> RestChoice:
    """Rest pose chosen by ``bind``. Raises SceneError for an unknown source or an invalid frame."""
    word, colon, number = str(values["bind"]).partition(":")
    if not colon:
        return RestChoice(word)
    try:
        return RestChoice(word, float(number))
    except ValueError:
        raise host.SceneError(f"{number!r} is not a frame; give the rest pose as frame:1") from None
