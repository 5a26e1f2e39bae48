"""The kinds of values that flags of commands take, and what Maya says when they are wrong.

The kinds are written as annotations of the functions that stand for commands. Which flag takes
what is Autodesk's command reference, as the type stubs have it.
"""

from __future__ import annotations

import numbers
import re


def _is_number(value):
    # The abstract class is slow to ask, and lists of times are long.
    return type(value) is float or isinstance(value, numbers.Real)


class Kind:
    """One kind of value: its name in Maya's messages, and whether a value is of it."""

    def __init__(self, name, accepts):
        self.name, self.accepts = name, accepts

    def convert(self, value):
        return value


class Several(Kind):
    """A flag that may be given many times: from Python one value or a list of them."""

    def __init__(self, item):
        super().__init__(item.name, self._all_items)
        self._item = item

    def _all_items(self, value):
        return self._item.accepts(value) or (
            isinstance(value, (list, tuple)) and all(map(self._item.accepts, value))
        )

    def convert(self, value):
        """Give a list of values, whichever way it came."""
        if self._item.accepts(value):
            return [self._item.convert(value)]
        return list(map(self._item.convert, value))


class Switch(Kind):
    """A flag that is given to say yes; 0 and 1 are as good as False and True."""

    def convert(self, value):
        return bool(value)


def _is_switch(value):
    return isinstance(value, (bool, int))


def _sequence_of(count, accepts):
    def accepts_all(value):
        return isinstance(value, (list, tuple)) and len(value) == count and all(map(accepts, value))

    return accepts_all


def _is_time_range(value):
    """Tell whether a range is one: (start, end), (frame,), "start:end" or, by K, one frame."""
    if isinstance(value, (list, tuple)):
        return 0 < len(value) <= 2 and _is_number(value[0]) and _is_number(value[-1])
    return isinstance(value, str)


def _is_angle(value):
    """Tell whether a value is a number, or a text of one with its unit."""
    return _is_number(value) or (isinstance(value, str) and ANGLE.fullmatch(value) is not None)


ANGLE = re.compile(r"([-+]?[0-9.]+)(deg|rad)")
Bool = Switch("bool", _is_switch)
Int = Kind("int", lambda value: isinstance(value, numbers.Integral))
Float = Kind("float", _is_number)
Text = Kind("string", lambda value: isinstance(value, str))
Callback = Kind("script", lambda value: isinstance(value, str) or callable(value))
Pair = Kind("(float, float)", _sequence_of(2, _is_number))
AnglePair = Kind("(angle, angle)", _sequence_of(2, _is_angle))
Switches = Kind("(bool, bool)", _sequence_of(2, _is_switch))
Triple = Kind("(float, float, float)", _sequence_of(3, _is_number))
Matrix = Kind("matrix", _sequence_of(16, _is_number))
NamedInt = Kind("(string, int)", lambda v: _is_named(v, lambda n: isinstance(n, numbers.Integral)))
NamedFloat = Kind("(string, float)", lambda v: _is_named(v, _is_number))
NamedText = Kind("(string, string)", lambda v: _is_named(v, lambda n: isinstance(n, str)))
Texts = Several(Text)
Numbers = Several(Float)
Points = Several(Triple)
NamedScript = Kind("(string, script)", lambda v: _is_named(v, Callback.accepts))
TimeRanges = Several(Kind("timerange", _is_time_range))


def _is_named(value, accepts):
    return (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and isinstance(value[0], str)
        and accepts(value[1])
    )


def check_flag(flag, kind, value, query):
    """Give the value as the command gets it, or raise as Maya does.

    In query mode most flags only say what is asked for, so True is good for all of them.
    """
    if query and value is True:
        return True
    if not kind.accepts(value):
        raise TypeError(
            f"Invalid arguments for flag '{flag}'. Expected {kind.name}, got {type(value).__name__}"
        )
    return kind.convert(value)
