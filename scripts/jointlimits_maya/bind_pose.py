"""The rest pose that the open scene has: stored with the skin, at a frame, or as it stands."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import SceneError

SOURCES = ("stored", "dagPose", "bindPose", "bindPreMatrix", "frame", "current")
"""Where the rest pose may come from; "stored" is the best of the three behind it, joint by joint."""


@dataclass(frozen=True)
class RestChoice:
    """Which pose is at rest.

    Parameters
    ----------
    source : str
        One of :data:`SOURCES`.
    frame : float, optional
        For the source "frame".

    Raises
    ------
    SceneError
        If these make no sense.
    """

    source: str = "stored"
    frame: float | None = None

    def __post_init__(self) -> None:
        if self.source not in SOURCES:
            raise SceneError(f"{self.source!r} is no rest pose; give one of {list(SOURCES)}")
        if (self.source == "frame") != (self.frame is not None):
            raise SceneError("a frame belongs to the rest pose 'frame', and to no other")
