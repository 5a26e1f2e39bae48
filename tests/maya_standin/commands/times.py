"""currentTime, playbackOptions, currentUnit."""

from __future__ import annotations

from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.flags import Bool, Float, Text
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.journal import Edit


@command("currentTime")
def current_time(session, *times, edit: Bool = False, query: Bool = False, update: Bool = True):
    """Ask or change the time; "undoable" (command reference), so a change is an undo item."""
    scene = session.scene
    if query:
        return ui_values.frames(scene, scene.time)
    (frame,) = times
    if not update:
        raise NotModelledError("cmds.currentTime(update=False) is not modelled")
    before, after = scene.time, ui_values.seconds(scene, _number(frame))
    scene.set_time(after)
    # The primitive is not journalled, the command is.
    session.undo_queue.add(
        Edit(lambda: scene.set_time(before), lambda: scene.set_time(after)), "currentTime"
    )
    return ui_values.frames(scene, scene.time)


def _number(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"currentTime takes a time, not {type(value).__name__}")
    return value


# Names of the flags and of the fields of `scene.playback`.
RANGES = {
    "minTime": "minimum",
    "maxTime": "maximum",
    "animationStartTime": "start",
    "animationEndTime": "end",
}


@command("playbackOptions")
def playback_options(
    session,
    *,
    query: Bool = False,
    edit: Bool = False,
    minTime: Float = None,
    maxTime: Float = None,
    animationStartTime: Float = None,
    animationEndTime: Float = None,
):
    """The two ranges of the time slider; the inner one stays inside of the outer one.

    guess: playback-range-follows (which of the two gives way)
    """
    scene, playback = session.scene, session.scene.playback
    given = {
        "minTime": minTime,
        "maxTime": maxTime,
        "animationStartTime": animationStartTime,
        "animationEndTime": animationEndTime,
    }
    if query:
        (asked,) = (name for name, wanted in given.items() if wanted)
        return ui_values.frames(scene, getattr(playback, RANGES[asked]))
    for name, frame in given.items():
        if frame is not None:
            setattr(playback, RANGES[name], ui_values.seconds(scene, frame))
    _widen_or_narrow(playback, given)
    return None


def _widen_or_narrow(playback, given):
    if given["animationStartTime"] is not None:
        playback.minimum = max(playback.minimum, playback.start)
    if given["animationEndTime"] is not None:
        playback.maximum = min(playback.maximum, playback.end)
    playback.start = min(playback.start, playback.minimum)
    playback.end = max(playback.end, playback.maximum)


@command("currentUnit")
def current_unit(
    session,
    *,
    query: Bool = False,
    fullName: Bool = False,
    linear: Text = None,
    angle: Text = None,
    time: Text = None,
    updateAnimation: Bool = True,
):
    """Ask or change a unit. A new time unit moves keys to other frames, not to other times.

    Keys are kept in seconds here, as `updateAnimation=True` (the default) would have it.
    """
    units = session.scene.units
    if query:
        return _unit_name(units, linear, angle, fullName)
    if not updateAnimation:
        raise NotModelledError("cmds.currentUnit(updateAnimation=False) is not modelled")
    if linear is not None:
        units.linear = _short_unit(linear, ui_values.LENGTH_NAMES)
    if angle is not None:
        units.angle = _short_unit(angle, ui_values.ANGLE_NAMES)
    if time is not None:
        _change_rate(session.scene, time)
    return None


def _unit_name(units, linear, angle, full):
    if linear:
        return ui_values.LENGTH_NAMES[units.linear] if full else units.linear
    if angle:
        return ui_values.ANGLE_NAMES[units.angle] if full else units.angle
    return units.time


def _short_unit(given, full_names):
    for short, full in full_names.items():
        if given in (short, full):
            return short
    raise RuntimeError(f"Invalid unit: {given}")


def _change_rate(scene, unit):
    """Change the time unit; ranges and current time keep their seconds.

    guess: time-unit-keeps-seconds
    """
    ui_values.frames_per_second(unit)
    scene.units.time = unit
