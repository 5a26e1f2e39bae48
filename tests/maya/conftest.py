"""A scene of the test's own, open and with the plug-in loaded."""

from __future__ import annotations

import pytest

from tests.support.maya_open_scenes import open_changed
from tests.support.maya_scenes import write_scene


@pytest.fixture
def opened(cmds, maya, tmp_path):
    """A function that opens a scene of these statements and returns the commands."""

    def open_text(text):
        open_changed(maya, write_scene(tmp_path, text))
        from jointlimits_maya.scene import undo

        undo.load_plug_in()
        maya.undo_queue.flush()
        return cmds

    return open_text
