"""Options of a check that may differ by joint: ``5,l*=20,lradius.X.min=1``.

A number applies to all limits, JOINT=VALUE to those of a joint, JOINT.CHANNEL.min=VALUE (or max) to
one limit. JOINT is a name or a shell-style pattern. Names may contain commas, dots and equals
signs: the name of an existing joint counts as a whole. The more specific value wins, then the later
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Union

from ..base.errors import EstimationError, OptionError
from ..base.options import option
from ..base.text import listed_parts
from ..estimation.options import matching_names
from ..geometry.euler import CHANNELS
from ..limits.records import BOUNDS

PLACES = "or JOINT=VALUE, or JOINT.CHANNEL.min=VALUE (.max)"


@dataclass(frozen=True)
class ByLimit:
    """Value of an option for each limit."""

    default: float
    joints: Mapping[str, float] = field(default_factory=dict)
    sides: Mapping[tuple[str, str, str], float] = field(default_factory=dict)
    """Values by joint, channel and side."""
    exceptions: tuple[str, ...] = ()
    """Exceptions for joints and sides, as given."""

    def value_for(self, joint: str, channel: str, side: str) -> float:
        """Value for one limit."""
        of_joint = self.joints.get(joint, self.default)
        return self.sides.get((joint, channel, side), of_joint)

    def __str__(self) -> str:
        return ",".join([f"{self.default:g}", *self.exceptions])


Given = Union[float, str, ByLimit]
"""A number, or text in the form above."""


def by_limit(name: str, given: Given, joints: Iterable[str]) -> ByLimit:
    """Values of an option for the limits of these joints.

    `name`: name of the option in the option table. Raises OptionError for a value that the option
    does not accept, and for a pattern that matches no joint.
    """
    declared, names = option(name), list(joints)
    if isinstance(given, ByLimit):
        return given
    if not isinstance(given, str):
        return ByLimit(declared.check(given))
    known = frozenset(names)

    def is_whole(part: str) -> bool:
        key, equals, _ = part.rpartition("=")
        return bool(equals) and (key in known or _place(key)[0] in known)

    default, exceptions = declared.default, []
    of_joint: dict[str, float] = {}
    of_side: dict[tuple[str, str, str], float] = {}
    for part in listed_parts(given, is_whole):
        key, equals, written = part.rpartition("=")
        try:
            value = declared.check(declared.from_text(written))
        except ValueError:
            words = f"must be {declared.accepts()}, {PLACES}, not {part!r}"
            raise OptionError(name, words) from None
        if not equals:
            default = value
            continue
        exceptions.append(part)
        joint, *side = (key,) if key in known else _place(key)
        for one in named_joints(name, names, joint):
            if side:
                of_side[one, side[0], side[1]] = value
            else:
                of_joint[one] = value
    return ByLimit(default, of_joint, of_side, tuple(exceptions))


def named_joints(name: str, joints: Sequence[str], patterns: str) -> list[str]:
    """Joints that an option names; OptionError if there are none."""
    try:
        return matching_names(joints, patterns)
    except EstimationError as error:
        raise OptionError(name, f"must name joints of the limits: {error}") from None


def _place(key: str) -> tuple[str, ...]:
    """Joint, channel and side of ``JOINT.CHANNEL.SIDE``; any other text is a joint."""
    joint, *rest = key.rsplit(".", 2)
    if len(rest) == 2 and rest[1] in BOUNDS:
        channel = rest[0] if rest[0] in CHANNELS else f"rotate{rest[0].upper()}"
        if channel in CHANNELS:
            return joint, channel, rest[1]
    return (key,)
