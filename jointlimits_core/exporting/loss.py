"""Losses of an export: what a format cannot hold, and what was written instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..wording import names_words


@dataclass(frozen=True)
class Loss:
    """One thing that differs between the file and the limit set.

    Parameters
    ----------
    rule : str
        Short name for programs: "coupled-limit", "unknown-unit", ...
    message : str
        What the format cannot hold, what was written instead and, where possible, what to do;
        one or two sentences without the final full stop.
    joints : tuple of str
        Joints concerned, parents first; empty for the whole character.
    """

    rule: str
    message: str
    joints: tuple[str, ...] = ()

    def sentence(self, most_joints: int = 4) -> str:
        """Message with the joints concerned, safe for a terminal."""
        names = f" ({names_words(self.joints, most_joints)})" if self.joints else ""
        return f"{self.message}{names}."

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"rule": self.rule, "message": self.message, "joints": list(self.joints)}


def losses_of(pairs: Iterable[tuple[str, str, Sequence[str]]]) -> tuple[Loss, ...]:
    """Losses of (rule, message, joints), skipping those without joints."""
    return tuple(Loss(rule, message, tuple(joints)) for rule, message, joints in pairs if joints)
