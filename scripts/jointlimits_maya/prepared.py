"""Planned results, before anything in the scene is changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from .scene_edit import SceneEdit

Result = TypeVar("Result")


@dataclass(frozen=True)
class Answer:
    """Result and message of a command.

    Parameters
    ----------
    sentence : str
        The message, as the buttons show it.
    is_whole : bool
        False if something was skipped or needs attention; the message is then a warning.
    """

    json: str
    sentence: str
    is_whole: bool = True


@dataclass(frozen=True)
class Prepared(Generic[Result]):
    """A result, and the edit that produces it.

    Parameters
    ----------
    result : object
    edit : SceneEdit, optional
        Not done yet; None if the scene is only read.
    """

    result: Result
    edit: SceneEdit | None = None
