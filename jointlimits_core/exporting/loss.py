"""What a format cannot hold, and what was written instead, in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..wording import names_words


@dataclass(frozen=True)
class Loss:
    """One thing that is not in the file as it is in the limit set.

    Parameters
    ----------
    rule : str
        A short name of the kind of loss, for programs: "coupled-limit", "unknown-unit", ...
    message : str
        What the format cannot hold and what was written instead, with what to do where something
        can be done; one or two sentences without the final stop.
    joints : tuple of str
        The joints it is about, parents first; none if it is about the whole character.
    """

    rule: str
    message: str
    joints: tuple[str, ...] = ()

    def sentence(self, most_joints: int = 4) -> str:
        """Message with the joints that it is about, as a terminal may show it."""
        names = f" ({names_words(self.joints, most_joints)})" if self.joints else ""
        return f"{self.message}{names}."

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"rule": self.rule, "message": self.message, "joints": list(self.joints)}


def losses_of(pairs: Iterable[tuple[str, str, Sequence[str]]]) -> tuple[Loss, ...]:
    """Losses of (rule, message, joints), without those that are about no joint at all."""
    return tuple(Loss(rule, message, tuple(joints)) for rule, message, joints in pairs if joints)
