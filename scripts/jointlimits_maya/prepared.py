"""What was found or planned, before anything in the scene is changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from .scene_edit import SceneEdit

Result = TypeVar("Result")


@dataclass(frozen=True)
class Answer:
    """What a command gives and what it says.

    Parameters
    ----------
    sentence : str
        For people, as the buttons say it.
    is_whole : bool
        False if something was left alone, or should be looked at: then it is a warning.
    """

    json: str
    sentence: str
    is_whole: bool = True


@dataclass(frozen=True)
class Prepared(Generic[Result]):
    """A result, and the edit that makes it true.

    Parameters
    ----------
    result : object
        What is told to whoever asked.
    edit : SceneEdit, optional
        Not done yet; None if the scene is only looked at.
    """

    result: Result
    edit: SceneEdit | None = None
