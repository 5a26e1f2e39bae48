"""What Maya remembers and says about itself: optionVar, about, autoKeyframe, evaluationManager."""

from __future__ import annotations

from tests.maya_standin.commands.flags import Bool, NamedFloat, NamedInt, NamedText, Text, Texts
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError

# MGlobal.apiVersion of a release is its year and four digits (2025 gives 20250000); [K].
API_VERSION_OF_YEAR = 10000


@command("optionVar")
def option_variable(
    session,
    *,
    exists: Text = None,
    query: Text = None,
    remove: Texts = None,
    intValue: NamedInt = None,
    floatValue: NamedFloat = None,
    stringValue: NamedText = None,
    list: Bool = False,
):
    """Preferences by name; a variable that does not exist is 0 when asked for."""
    variables = session.option_vars
    if exists is not None:
        return exists in variables
    if query is not None:
        return variables.get(query, 0)
    if list:
        return sorted(variables)
    for name in remove or ():
        variables.pop(name, None)
    for given in filter(None, (intValue, floatValue, stringValue)):
        variables[given[0]] = given[1]
    return None


@command("about")
def about(
    session,
    *,
    batch: Bool = False,
    version: Bool = False,
    apiVersion: Bool = False,
    preferences: Bool = False,
    linux: Bool = False,
    windows: Bool = False,
    macOS: Bool = False,
    product: Bool = False,
    qtVersion: Bool = False,
):
    """One question at a time."""
    answers = {
        "batch": (batch, session.batch),
        "version": (version, str(session.version)),
        "apiVersion": (apiVersion, session.version * API_VERSION_OF_YEAR),
        "linux": (linux, True),
        "windows": (windows, False),
        "macOS": (macOS, False),
        "product": (product, f"Maya {session.version}"),
        "qtVersion": (qtVersion, session.qt_version),
    }
    asked = [answer for wanted, answer in answers.values() if wanted]
    if len(asked) != 1 or preferences:
        raise NotModelledError("cmds.about with none or several questions is not modelled")
    return asked[0]


@command("internalVar")
def internal_variable(session, *, userAppDir: Bool = False):
    """Where the user's files are, with a slash at the end."""
    if not userAppDir:
        raise NotModelledError("cmds.internalVar other than userAppDir is not modelled")
    return session.environment["MAYA_APP_DIR"].rstrip("/") + "/"


@command("autoKeyframe")
def auto_keyframe(session, *, query: Bool = False, edit: Bool = False, state: Bool = None):
    """Whether setting a value also keys it."""
    if query:
        return session.auto_key
    if state is not None:
        session.auto_key = state
    return None


@command("evaluationManager")
def evaluation_manager(session, *, query: Bool = False, mode: Text = None, enabled: Bool = False):
    """The mode of evaluation; a query gives a list with one word."""
    ui = session.interface
    if query:
        if enabled:
            return ui.evaluation_mode != "off"
        return [ui.evaluation_mode]
    if mode not in ("off", "serial", "parallel"):
        raise RuntimeError(f"evaluationManager: {mode} is no mode")
    ui.evaluation_mode = mode
    return True


@command("warning")
def warning(session, *texts, noContext: Bool = False):
    session.say("warning", " ".join(map(str, texts)))


@command("error")
def error(session, *texts, noContext: Bool = False):
    """Say it and raise it."""
    session.say("error", " ".join(map(str, texts)))
    raise RuntimeError(" ".join(map(str, texts)))
