"""runTimeCommand, callbacks and editorTemplate: what plug-ins add to Maya's own editors.

The command references have the flags. A template calls procedures of MEL, no Python functions
(public plug-ins: guess: attribute-editor-procedures).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.maya_standin.commands.flags import Bool, Callback, Text
from tests.maya_standin.commands.idle import run_python
from tests.maya_standin.commands.registry import command
from tests.maya_standin.commands.ui import needs_window
from tests.maya_standin.errors import NotModelledError

AE_HOOK = "AETemplateCustomContent"


@dataclass
class Editors:
    """Runtime commands by name, callbacks by (hook, owner), MEL procedures, and the template."""

    runtime_commands: dict = field(default_factory=dict)
    callbacks: dict = field(default_factory=dict)
    procedures: dict = field(default_factory=dict)
    template: list = field(default_factory=list)
    texts: dict = field(default_factory=dict)

    def execute(self, hook, *arguments):
        """Call the callbacks of a hook, whoever owns them."""
        for (one, _), functions in list(self.callbacks.items()):
            for function in functions if one == hook else ():
                function(*arguments)

    def show_joint(self, session, node):
        """Open the Attribute Editor on a node, or load another one into it; gives the texts."""
        if not self.template:
            self.execute(AE_HOOK, node)
        for item in self.template:
            if "callCustom" in item:
                new, replace, attribute = item["callCustom"]
                name = replace if self.texts else new
                run_python(session, self.procedures[name](f"{node}.{attribute}"))
        return list(self.texts.values())


@command("runTimeCommand", undoable=True)
def run_time_command(
    session,
    name,
    *,
    edit: Bool = False,
    exists: Bool = False,
    delete: Bool = False,
    label: Text = "",
    annotation: Text = "",
    category: Text = "",
    command: Callback = "",
    commandLanguage: Text = "mel",
    default: Bool = False,
):
    """Make, delete or look for a runtime command; "undoable", so that each is an undo item."""
    known = session.interface.editors.runtime_commands
    if exists:
        return name in known
    if edit:
        if not delete or name not in known:
            raise RuntimeError(f"runTimeCommand: {name} was not found, or is not deleted")
        values = known[name]
        session.scene.journal.do(lambda: known.pop(name), lambda: known.update({name: values}))
        return name
    if name in known:
        raise RuntimeError(f"runTimeCommand: the name {name} is not unique")
    values = {
        "label": label,
        "annotation": annotation,
        "category": category,
        "command": command,
        "commandLanguage": commandLanguage,
        "default": default,
    }
    session.scene.journal.do(lambda: known.update({name: values}), lambda: known.pop(name))
    return name


@command("callbacks")
def callbacks(
    session,
    *arguments,
    addCallback: Callback = None,
    executeCallbacks: Bool = False,
    clearCallbacks: Bool = False,
    listCallbacks: Bool = False,
    hook: Text = "",
    owner: Text = "",
):
    """Callbacks of a hook and an owner, both of which have to be given; listed None if there are
    none (measured in mayapy 2027 by a public test).
    """
    if executeCallbacks:
        session.interface.editors.execute(hook, *arguments)
        return None
    if not (hook and owner):
        raise NotModelledError("cmds.callbacks without a hook or an owner")
    known = session.interface.editors.callbacks
    if listCallbacks:
        return list(known.get((hook, owner), ())) or None
    if clearCallbacks:
        known.pop((hook, owner), None)
        return None
    known.setdefault((hook, owner), []).append(addCallback)
    return None


@command("editorTemplate")
def editor_template(
    session,
    *names,
    beginLayout: Text = None,
    collapse: Bool = False,
    callCustom: Bool = False,
    endLayout: Bool = False,
):
    """One line of a template; it does nothing in batch (measured as above)."""
    editors = session.interface.editors
    if session.batch:
        return
    if callCustom:
        new, replace, _ = names
        if not {new, replace} <= set(editors.procedures):
            raise NotModelledError("callCustom of what is no MEL procedure")
        editors.template.append({"callCustom": names})
    elif beginLayout is not None:
        editors.template.append({"beginLayout": beginLayout, "collapse": collapse})
    elif endLayout:
        editors.template.append({"endLayout": True})


@command("text")
@needs_window
def text(
    session, name, *, exists: Bool = False, edit: Bool = False, label: Text = "", align: Text = ""
):
    """A label, by name."""
    texts = session.interface.editors.texts
    if exists:
        return name in texts
    if edit != (name in texts):
        raise RuntimeError(f"text: {name} is {'not there' if edit else 'not unique'}")
    texts[name] = label
    return name
