"""Installer of Joint Limits for Maya: drag this file into a viewport.

It copies the module to the user's modules folder (or links it where it is) and loads it at once.
Dragging it again updates or uninstalls. It never overwrites foreign files or newer versions; a
failure changes nothing.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from maya import cmds

MODULE = "jointLimits"
PLUG_IN = "jointLimits.py"
TITLE = "Joint Limits"
SHIPPED = (
    "jointlimits_core",
    "scripts",
    "plug-ins",
    "shelves",
    "icons/*.png",
    "icons/*.svg",
    "icons/README.md",
    "docs/*.md",
    "docs/evidence/*.md",
    "docs/images",
    "examples/*.ma",
    "examples/*.bvh",
    "examples/*.csv",
    "examples/*.yaml",
    "examples/*/*.py",
    "tests/maya_live",
    "module.mod",
    "drag_into_maya_joint_limits.py",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
)
"""Shipped files and folders; also read by .ci/module_zip.py, without running this file."""
LEFT_OUT = ("docs/index.md",)
"""The site's first page, which links to pages that only the site has."""
ENTRY = re.compile(r"\+ +(?:\S+:\S* +)*(\S+) +(\S+) +(.+)")


class InstallError(Exception):
    """Installation failed without changing anything; the message says what to do."""


# Files --------------------------------------------------------------------------------------------


def entry_of(path: Path) -> tuple[str, str, Path] | None:
    """Name, version and folder of the first module declared in a text file, or None."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    found = next((match for match in map(ENTRY.fullmatch, lines) if match), None)
    return found and (found[1], found[2], (path.parent / found[3].strip()).resolve())


def installed(modules: Path) -> tuple[str, Path] | None:
    """Version and folder of the module installed in a modules folder, or None."""
    entry = entry_of(_module_file(modules))
    return entry[1:] if entry and entry[0] == MODULE else None


def version_in(root: Path) -> str:
    """Version of the module in a folder.

    Raises
    ------
    InstallError
        If there is none.
    """
    entry = entry_of(root / "module.mod")
    if entry is None or entry[0] != MODULE:
        raise InstallError(f"{root} does not contain the module; unpack the whole download first")
    return entry[1]


def install(root: Path, modules: Path, *, link: bool = False) -> Path:
    """Install the module in `root`.

    Parameters
    ----------
    modules : Path
        A folder that Maya searches for modules.
    link : bool
        Use the files where they are instead of copying them.

    Returns
    -------
    Path
        The folder that Maya will use.

    Raises
    ------
    InstallError
        If foreign files or a newer version are in the way; nothing was changed.
    OSError
        If a file cannot be written; nothing was changed.
    """
    target = root if link else modules / MODULE
    _refuse(root, modules, target)
    modules.mkdir(parents=True, exist_ok=True)
    with _copied(root, target) if not link else contextlib.nullcontext():
        _write_module_file(root, modules, target)
    return target


def uninstall(modules: Path) -> bool:
    """Remove what :func:`install` made, except a linked folder; False if nothing is installed."""
    found = installed(modules)
    if found is None:
        return False
    _module_file(modules).unlink()
    copy = modules / MODULE
    if found[1] == copy.resolve() and _is_ours(copy):
        shutil.rmtree(copy)
    return True


def _module_file(modules: Path) -> Path:
    return modules / f"{MODULE}.mod"


def _is_ours(folder: Path) -> bool:
    entry = entry_of(folder / "module.mod")
    return entry is not None and entry[0] == MODULE and (folder / "jointlimits_core").is_dir()


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _refuse(root: Path, modules: Path, target: Path) -> None:
    """Raise if installing would overwrite foreign files, a newer version, or the module itself."""
    version, module_file = version_in(root), _module_file(modules)
    if target.resolve() == root.resolve() and root.parent.resolve() == modules.resolve():
        raise InstallError("this is the installed module itself; choose Uninstall to remove it")
    found = installed(modules)
    if module_file.exists() and found is None:
        raise InstallError(f"{module_file} is not part of Joint Limits; move it away first")
    if found and _numbers(found[0]) > _numbers(version):
        raise InstallError(
            f"version {found[0]} is installed, which is newer than {version}; uninstall it first"
        )
    if target != root and target.exists() and not _is_ours(target):
        raise InstallError(f"{target} is not part of Joint Limits; move it away first")
    for other in sorted(modules.iterdir()) if modules.is_dir() else ():
        entry = entry_of(other) if other.is_file() and other != module_file else None
        if entry and entry[0] == MODULE:
            raise InstallError(f"{other} also declares a module {MODULE}; move it away first")


@contextlib.contextmanager
def _copied(root: Path, target: Path) -> Iterator[None]:
    """Copy the module to `target`; restore the old state if the block fails."""
    place = Path(tempfile.mkdtemp(prefix=f".{MODULE}.", dir=target.parent))
    old, new = place / "old", place / "new"
    try:
        for source in _shipped(root):
            _copy(source, new / source.relative_to(root))
        if target.exists():
            target.rename(old)
        try:
            new.rename(target)
            yield
        except BaseException:
            if target.exists():
                shutil.rmtree(target)
            if old.exists():
                old.rename(target)
            raise
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _shipped(root: Path) -> Iterator[Path]:
    left_out = {root / name for name in LEFT_OUT}
    for pattern in SHIPPED:
        yield from (path for path in sorted(root.glob(pattern)) if path not in left_out)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", ".*"))
    else:
        shutil.copy2(source, target)


def _write_module_file(root: Path, modules: Path, target: Path) -> None:
    """Write the .mod file for Maya: the module's own, with its installed folder."""
    lines = (root / "module.mod").read_text(encoding="utf-8").splitlines()
    folder = target.name if target.parent == modules else target.as_posix()
    lines[0] = f"+ {MODULE} {version_in(root)} {folder}"
    part = modules / f".{MODULE}.part"
    try:
        part.write_text("\n".join(lines) + "\n", encoding="utf-8")
        part.replace(_module_file(modules))
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


# Maya ---------------------------------------------------------------------------------------------


def modules_folder() -> Path:
    """The user's modules folder, for all versions of Maya."""
    return Path(cmds.internalVar(userAppDir=True)) / "modules"


def load_now(root: Path) -> bool:
    """Load the module, its plug-in, shelf and menu into the running Maya.

    Returns
    -------
    bool
        False if an older version is in use and cannot be unloaded, so that Maya must be restarted.
    """
    if not _unload():
        return False
    if MODULE not in (cmds.moduleInfo(listModules=True) or ()):
        # live check: load-module-at-once
        cmds.loadModule(scan=True)
        cmds.loadModule(load=MODULE)
    # In front of any other copy; Maya puts modules at the end.
    _search([str(root / "scripts"), str(root)])
    cmds.loadPlugin(str(root / "plug-ins" / PLUG_IN), quiet=True)
    if not cmds.about(batch=True):
        from jointlimits_maya import interactive

        interactive.build_menu()
        interactive.load_shelf(root / "shelves")
    return True


def _search(folders: list[str], leave: Iterable[str] = ()) -> None:
    """Put folders in front of sys.path and take others out.

    After a drop, Maya takes the first entry away without looking at it (executeDroppedPythonFile):
    the folder of this file, which it put there. That one stays first.
    """
    # Compared as paths: Maya writes "C:/..." where Python has "C:\\...".
    is_dropped = bool(sys.path) and Path(sys.path[0]) == Path(__file__).parent
    dropped = sys.path[:1] if is_dropped else []
    gone = {*folders, *leave}
    sys.path[:] = dropped + folders + [one for one in sys.path[len(dropped) :] if one not in gone]


def _unload() -> bool:
    """Unload the plug-in and forget its packages; False if it is in use (undo, for example)."""
    if cmds.pluginInfo(PLUG_IN, query=True, loaded=True):
        # live check: unload-ok
        if not cmds.pluginInfo(PLUG_IN, query=True, unloadOk=True):
            return False
        cmds.unloadPlugin(PLUG_IN)
    for name in list(sys.modules):
        if name.partition(".")[0] in ("jointlimits_core", "jointlimits_maya"):
            del sys.modules[name]
    return True


def onMayaDroppedPythonFile(*_: object) -> None:  # noqa: N802
    """Install, update or uninstall; called by Maya when the file is dropped into a viewport."""
    # Maya imports this file by its name, and would call the old one when a newer one is dropped.
    sys.modules.pop(__name__, None)
    root, modules = Path(__file__).resolve().parent, modules_folder()
    try:
        message = _carried_out(_choice(root, modules), root, modules)
    except (InstallError, OSError) as error:
        message = f"Nothing was changed: {error}."
    if message:
        _show(message)


def _choice(root: Path, modules: Path) -> str:
    """Ask what to do; without a window, install."""
    if cmds.about(batch=True):
        return "Install"
    found, version = installed(modules), version_in(root)
    there = f"Version {found[0]} is installed. " if found else ""
    buttons = ["Update", "Uninstall", "Cancel"] if found else ["Install", "Link", "Cancel"]
    message = (
        f"{there}Version {version} is here:\n{root}\n\n"
        f"{buttons[0]} copies it to {modules}. "
        + ("" if found else "Link uses it where it is, for developers.")
    )
    answer = cmds.confirmDialog(
        title=TITLE,
        message=message,
        button=buttons,
        defaultButton=buttons[0],
        cancelButton="Cancel",
        dismissString="Cancel",
    )
    return str(answer)


def _carried_out(choice: str, root: Path, modules: Path) -> str:
    """Carry out the choice; return a message."""
    if choice == "Cancel":
        return ""
    if choice == "Uninstall":
        _leave()
        uninstall(modules)
        copy = modules / MODULE
        _search([], leave=(str(copy / "scripts"), str(copy)))
        return "Joint Limits is uninstalled. Limits in scenes are unchanged."
    folder = install(root, modules, link=choice == "Link")
    if not load_now(folder):
        return "Joint Limits is installed. Restart Maya: an older version is still in use."
    from jointlimits_maya import interactive

    if not interactive.offer_numpy():
        return "Joint Limits is installed, but it needs numpy, which is still missing."
    return "Joint Limits is installed; see its shelf and menu."


def _leave() -> None:
    """Remove shelf, menu and plug-in from the running Maya, if present."""
    if not cmds.about(batch=True):
        with contextlib.suppress(ImportError):
            from jointlimits_maya import interactive

            interactive.remove_menu_and_shelf()
    _unload()


def _show(text: str) -> None:
    if cmds.about(batch=True):
        print(text)
    else:
        cmds.confirmDialog(title=TITLE, message=text, button=["OK"])
