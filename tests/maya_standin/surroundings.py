"""What lies around the scene: window, environment, modules, and what a test does as the artist."""

from __future__ import annotations

import importlib.util
import os

from tests.maya_standin.commands import idle, startup
from tests.maya_standin.commands.editors import Editors
from tests.maya_standin.commands.interface import SHELF_TOP_LEVEL, Interface
from tests.maya_standin.commands.mel_lines import evaluate
from tests.maya_standin.commands.menus import leaf


class Surroundings:
    """The part of a session that is not the scene; see session.Session.

    Attributes
    ----------
    interface : Interface
        The window, or what would be its state without one.
    environment : dict
        Maya's environment variables, a copy; module files change it.
    main_names : dict
        The names of `__main__`, in which Maya runs text.
    started : bool
        Whether commands are there; False in mayapy before maya.standalone.initialize().
    qt_version : str
        That of the binding that this Python has.
    """

    def __init__(self):
        self.interface = Interface()
        self.interface.editors = Editors()
        self.environment = {
            name: value for name, value in os.environ.items() if name.startswith("MAYA_")
        }
        self.main_names = {"__name__": "__main__"}
        self.modules_found = {}
        self.modules_loaded = []
        self.started = True
        self.qt_version = "6.5.3" if importlib.util.find_spec("PySide6") else "5.15.2"

    def say(self, kind, text):
        """Show a message of a kind: info, warning, error."""
        self.messages.append((kind, text))

    def start_up(self):
        """Come up as Maya does: modules, userSetup.py, shelves; the idle queue is yours to run."""
        startup.start(self)

    def run_deferred(self):
        """Become idle: run what waits, and what that adds."""
        idle.run_deferred(self)

    def press_escape_after(self, steps):
        """Press Esc after that many steps of the progress bar."""
        self.interface.escape_after = steps

    def answer(self, *labels):
        """Say which buttons of the next dialogs will be pressed."""
        self.interface.answers.extend(labels)

    @property
    def shelves(self):
        """Buttons by the name of their shelf, each with its flags."""
        shelves = self.interface.children(SHELF_TOP_LEVEL, "shelf")
        return {shelf.name: self.interface.children(shelf.name) for shelf in shelves}

    def press(self, name):
        """Press a menu item or button by its name or label and give what its command returns."""
        controls = self.interface.controls
        found = [
            control
            for control in controls.values()
            if control.name == leaf(name) or control.flags.get("label") == name
        ]
        (control,) = found
        command = control.flags["command"]
        if callable(command):
            return command(False) if control.kind == "menuItem" else command()
        if control.flags["sourceType"] == "mel":
            return evaluate(self, command)
        return idle.run_python(self, command)
