"""loadPlugin, unloadPlugin, pluginInfo, help."""

from __future__ import annotations

from pathlib import Path

from tests.maya_standin import plugins
from tests.maya_standin.commands.finding import flat
from tests.maya_standin.commands.flags import Bool
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError


@command("loadPlugin")
def load_plugin(session, *names, quiet: Bool = False):
    """Load plug-ins by file name; gives the names of those that were not loaded before."""
    found = []
    for name in flat(names):
        loaded = plugins.load(session, name)
        if loaded is not None:
            found.append(loaded)
        elif not quiet:
            session.say("warning", f"Plug-in, {name}, is already loaded. Command ignored.")
    return found or None


@command("unloadPlugin")
def unload_plugin(session, *names, force: Bool = False):
    """Unload plug-ins; by force the undo queue is emptied first."""
    for name in flat(names):
        if force:
            session.undo_queue.flush()
        plugins.unload(session, name)


@command("pluginInfo")
def plugin_info(
    session,
    *names,
    query: Bool = False,
    loaded: Bool = False,
    path: Bool = False,
    version: Bool = False,
    command: Bool = False,
    unloadOk: Bool = False,
    listPlugins: Bool = False,
):
    """Ask about a plug-in, by the name or the file name; or list those that are loaded."""
    if query and listPlugins:
        return [*session.native_plugins, *session.plugins] or None
    (name,) = flat(names)
    stem = Path(name).stem
    if query and loaded:
        return stem in session.plugins or stem in session.native_plugins
    if stem not in session.plugins:
        raise RuntimeError(f"pluginInfo: no plug-in {name} is registered")
    record = session.plugins[stem].record
    asked = [
        (path, record.path),
        (version, record.version),
        (command, list(record.commands) or None),
        # guess: unload-ok
        (unloadOk, not plugins.in_use(session, stem)),
    ]
    if not query:
        raise NotModelledError("cmds.pluginInfo that edits")
    return next(answer for wanted, answer in asked if wanted)


@command("help")
def help_text(session, name):
    """The synopsis of a command that a plug-in brought: its flags, short and long.

    guess: help-of-command (that the synopsis is made of the syntax, and its form)
    """
    registered = session.commands.get(name)
    if registered is None:
        raise NotModelledError(f"cmds.help({name!r}) of a command of Maya")
    syntax = registered.syntax_creator() if registered.syntax_creator else None
    flags = syntax.flags() if syntax else ()
    lines = [f"   -{flag.short} -{flag.long}" for flag in flags]
    return "\n".join([f"Synopsis: {name} [flags] [Object...]", *lines])
