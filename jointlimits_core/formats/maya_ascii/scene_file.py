"""A Maya ASCII scene that is read once: its text, the scene in it, and the editable locations."""

from __future__ import annotations

from functools import cached_property

from ...base.errors import MayaAsciiError
from ...io.input import DEFAULT_LIMITS, ReadLimits
from ...rig.scene import Scene
from ..text import WholeFile
from . import lexer, scene_reader, scene_text


class SceneFile(WholeFile):
    """Scene whose file is read only once.

    Functions that take a path also take this object, so that reading the motion and then writing a
    copy reads the file only once. Errors are those of :func:`.scene_reader.read_scene`.
    """

    def __init__(self, path: lexer.PathLike, limits: ReadLimits = DEFAULT_LIMITS) -> None:
        super().__init__(path, limits, MayaAsciiError, lexer.ADVICE)

    @property
    def scene(self) -> Scene:
        """The parsed scene, with the files that it references."""
        return self._content[0]

    @property
    def text(self) -> scene_text.SceneText:
        """Locations in the text that a writer may change."""
        return self._content[1]

    @cached_property
    def _content(self) -> tuple[Scene, scene_text.SceneText]:
        return scene_reader.read_scene(self, self.limits)

    def check_unchanged(self) -> None:
        """Raise MayaAsciiError if the file on disk has changed since it was read."""
        if not self.is_unchanged:
            raise MayaAsciiError(self.path, "the scene changed since it was read; try again")


def scene_file(path: lexer.PathLike, limits: ReadLimits = DEFAULT_LIMITS) -> SceneFile:
    """Scene file at a path; a scene file is returned unchanged."""
    return path if isinstance(path, SceneFile) else SceneFile(path, limits)
