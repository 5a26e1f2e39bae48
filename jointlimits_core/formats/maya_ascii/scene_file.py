"""A Maya ASCII scene that is read once: its text, the scene in it, and where it may be edited."""

from __future__ import annotations

from functools import cached_property

from ...base.errors import MayaAsciiError
from ...io.input import DEFAULT_LIMITS, ReadLimits
from ...rig.scene import Scene
from ..text import WholeFile
from .lexer import ADVICE, PathLike
from .scene_index import SceneIndex, index_scene
from .scene_reader import read_scene


class SceneFile(WholeFile):
    """A scene of which everything comes from the bytes that were read first.

    It can be given wherever its path can: what reads its motion and then writes a copy of it reads
    the file once. Errors are those of :func:`.scene_reader.read_scene`.
    """

    def __init__(self, path: PathLike, limits: ReadLimits = DEFAULT_LIMITS) -> None:
        super().__init__(path, limits, MayaAsciiError, ADVICE)
        self._index: SceneIndex | None = None

    @cached_property
    def scene(self) -> Scene:
        """The parsed scene, with the files that it references."""
        return read_scene(self, self.limits)

    def index(self, places: bool = False) -> SceneIndex:
        """Index of its text; `places`: with what :func:`.scene_index.scene_places` needs."""
        if self._index is None or (places and not self._index.has_places):
            self._index = index_scene(self, self.limits, places=places)
        return self._index

    def check_unchanged(self) -> None:
        """Raise MayaAsciiError if the file on disk is no longer the one that was read."""
        if not self.is_unchanged:
            raise MayaAsciiError(self.path, "the scene changed since it was read; try again")


def scene_file(path: PathLike, limits: ReadLimits = DEFAULT_LIMITS) -> SceneFile:
    """The scene itself, or the one at a path."""
    return path if isinstance(path, SceneFile) else SceneFile(path, limits)
