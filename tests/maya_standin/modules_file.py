"""Maya module files (.mod), read with the traps that maya.md 4 lists."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.maya_standin.errors import NotModelledError

SPECIFIER = re.compile(
    r"\+ +(?P<conditions>(?:\w+(?:/\w+)?:\S+ +)*)(?P<name>\S+) +(?P<version>\S+) +(?P<root>.+)"
)
ASSIGNMENT = re.compile(r"(?P<name>\w+) *(?P<operator>\+?:?=)(?P<value>.*)")
FOLDER = re.compile(r"(?:\[r\] *)?(?P<name>icons|plug-ins|presets|scripts): (?P<path>.+)")
# "Standard folders" of maya.md 4; scripts are on both search paths, whether they exist or not.
FOLDER_VARIABLES = {
    "icons": ("XBMLANGPATH",),
    "plug-ins": ("MAYA_PLUG_IN_PATH",),
    "presets": ("MAYA_PRESET_PATH",),
    "scripts": ("MAYA_SCRIPT_PATH", "PYTHONPATH"),
}


@dataclass
class ModuleEntry:
    """One `+ ...` entry: what it is called, where it is, and the lines that belong to it."""

    name: str
    version: str
    root: Path
    file: Path
    lines: list = field(default_factory=list)
    dropped: list = field(default_factory=list)


def module_entries(path, maya_version, platform="linux"):
    """Give the entries of a file that are meant for this Maya.

    A blank line or a comment ends an entry: what follows is dropped until the next `+ `.
    """
    entries = []
    current, open_entry = None, False
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("+ "):
            current = _entry(line, path, maya_version, platform)
            open_entry = True
            if current is not None:
                entries.append(current)
        elif current is None:
            continue
        elif not line.strip() or line.lstrip().startswith("#"):
            open_entry = False
        else:
            (current.lines if open_entry else current.dropped).append(line.strip())
    return entries


def _entry(line, path, maya_version, platform):
    match = SPECIFIER.fullmatch(line.rstrip())
    if match is None:
        raise NotModelledError(f"{path}: what Maya does with the entry {line!r} is not modelled")
    for condition in match["conditions"].split():
        name, _, value = condition.partition(":")
        if name not in ("MAYAVERSION", "PLATFORM"):
            raise NotModelledError(f"{path}: the condition {condition} is not modelled")
        if value != {"MAYAVERSION": str(maya_version), "PLATFORM": platform}[name]:
            return None
    root = Path(os.path.normpath(path.parent / match["root"]))
    return ModuleEntry(match["name"], match["version"], root, path)


def module_folders(environment, maya_version):
    """Give the folders that Maya looks for module files in ("Default module dirs")."""
    own = environment.get("MAYA_APP_DIR")
    version = str(maya_version)
    folders = [Path(own, "modules"), Path(own, version, "modules")] if own else []
    folders += [Path(p) for p in environment.get("MAYA_MODULE_PATH", "").split(os.pathsep) if p]
    return [folder for folder in folders if folder.is_dir()]


def scan(environment, maya_version):
    """Give every entry there is: all text files are read, whatever they are called."""
    entries = {}
    for folder in module_folders(environment, maya_version):
        for path in sorted(folder.iterdir()):
            if not path.is_file() or b"\0" in path.read_bytes():
                continue
            for entry in module_entries(path, maya_version):
                if entry.name in entries:
                    raise NotModelledError(f"two modules are called {entry.name}")
                entries[entry.name] = entry
    return entries


def load(entry, environment):
    """Carry out an entry: its folders first, then its variables."""
    folders = {name: name for name in FOLDER_VARIABLES}
    assignments = []
    for line in entry.lines:
        folder, assignment = FOLDER.fullmatch(line), ASSIGNMENT.fullmatch(line)
        if folder:
            folders[folder["name"]] = folder["path"]
        elif assignment:
            assignments.append(assignment)
        else:
            raise NotModelledError(f"{entry.file}: the line {line!r} is not modelled")
    before = environment.get("PYTHONPATH", "").split(os.pathsep)
    for folder, relative in folders.items():
        for variable in FOLDER_VARIABLES[folder]:
            _append(environment, variable, str(entry.root / relative))
    for assignment in assignments:
        _assign(environment, entry, assignment)
    _extend_python_path(environment, before)


def _assign(environment, entry, assignment):
    value = assignment["value"].strip()
    if ":" in assignment["operator"]:
        # An empty value is the root with a slash at its end.
        value = os.path.normpath(entry.root / value) if value else f"{entry.root}/"
    if assignment["operator"].startswith("+"):
        _append(environment, assignment["name"], value)
    else:
        environment[assignment["name"]] = value


def _append(environment, variable, value):
    """Append; where nothing was before, a leading separator stays (maya.md 4)."""
    environment[variable] = environment.get(variable, "") + os.pathsep + value


def _extend_python_path(environment, before):
    for path in environment.get("PYTHONPATH", "").split(os.pathsep):
        if path and path not in before and path not in sys.path:
            sys.path.append(path)


def search(environment, variable, name):
    """Find a file on a search path, or None."""
    for folder in environment.get(variable, "").split(os.pathsep):
        if folder and Path(folder, name).is_file():
            return Path(folder, name)
    return None
