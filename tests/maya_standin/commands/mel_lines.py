"""The few forms of MEL that are modelled: Maya's global variables, and plain command lines."""

from __future__ import annotations

import re
from pathlib import Path

from tests.maya_standin.commands.flags import Several
from tests.maya_standin.commands.interface import MEL_GLOBALS
from tests.maya_standin.commands.mel_words import SWITCHES, tokens, unquote
from tests.maya_standin.commands.registry import COMMANDS
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.shelf_file import load_shelf

GLOBAL = re.compile(r"\s*\$\w+\s*=\s*(\$g\w+)\s*;?\s*")
# A procedure that hands its argument to Python, the only form that is modelled.
PROCEDURE = re.compile(
    r'global proc (\w+)\(string \$(\w+)\) \{ python\("([^"]*)" \+ \$\2 \+ "([^"]*)"\); \}'
)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# Short names as they stand in command lines of MEL.
SHORT = {"l": "lock", "k": "keyable", "cb": "channelBox", "e": "edit", "q": "query", "typ": "type"}
# Switches that take a value in MEL (command reference); the others are given or not.
VALUED_SWITCHES = {
    ("setAttr", "lock"),
    ("setAttr", "keyable"),
    ("setAttr", "channelBox"),
    ("undoInfo", "state"),
    ("undoInfo", "stateWithoutFlush"),
    ("refresh", "suspend"),
    ("bakeResults", "simulation"),
    ("bakeResults", "disableImplicitControl"),
    ("bakeResults", "preserveOutsideKeys"),
    ("bakeResults", "minimizeRotation"),
}


def evaluate(session, text):
    """Run MEL text and give the result of its last command."""
    match = GLOBAL.fullmatch(text)
    if match:
        return _global_variable(session, match[1])
    match = PROCEDURE.fullmatch(text)
    if match:
        before, after = match[3], match[4]
        procedures = session.interface.editors.procedures
        procedures[match[1]] = lambda argument: f"{before}{argument}{after}"
        return None
    result = None
    for line in _command_lines(text):
        result = run_command_line(session, line)
    return result


def _global_variable(session, name):
    if name not in MEL_GLOBALS:
        raise NotModelledError(f"the MEL variable {name} is not modelled")
    if session.batch:
        # guess: mel-globals-in-batch
        raise RuntimeError(f'"{name}" is an undeclared variable.')
    return MEL_GLOBALS[name]


def _command_lines(text):
    line = []
    for token in tokens(text):
        if token in "{}()" or token.startswith("$"):
            raise NotModelledError(f"this MEL is not modelled: {text!r}")
        if token == ";":
            yield line
            line = []
        else:
            line.append(token)
    if line:
        yield line


def load_new_shelf(session, path):
    """Show the shelf of a file at once, as Maya's procedure loadNewShelf does.

    The tab gets the next number in the preferences.

    guess: load-new-shelf
    guess: shelf-preferences
    """
    load_shelf(session, Path(path))
    name = Path(path).stem[len("shelf_") :]
    variables = session.option_vars
    number = variables["numShelves"] = variables.get("numShelves", 0) + 1
    variables[f"shelfName{number}"] = name
    variables[f"shelfFile{number}"] = f"shelf_{name}"
    variables[f"shelfLoad{number}"] = 1


# Procedures of Maya's own scripts, which are no commands.
PROCEDURES = {"loadNewShelf": load_new_shelf}


def run_command_line(session, words):
    """Run one command with its flags and objects, as cmds would; or one of Maya's procedures.

    Commands of plug-ins are modelled without flags.
    """
    name, rest = words[0], list(words[1:])
    if name in PROCEDURES:
        return PROCEDURES[name](session, *map(_value, rest))
    if name in session.commands and not any(word.startswith("-") for word in rest):
        return session.commands[name](*map(_value, rest))
    if name not in COMMANDS:
        raise NotModelledError(f"the MEL command {name} is not modelled")
    flags, arguments = {}, []
    while rest:
        word = rest.pop(0)
        if word.startswith("-") and not NUMBER.fullmatch(word):
            flag = SHORT.get(word[1:], word[1:])
            value = _flag_value(name, flag, rest)
            several = isinstance(COMMANDS[name].flags[flag], Several)
            flags[flag] = [*flags.get(flag, ()), value] if several else value
        else:
            arguments.append(_value(word))
    return COMMANDS[name].run(session, arguments, flags)


def _flag_value(name, flag, rest):
    kind = COMMANDS[name].flags.get(flag)
    if kind is None:
        raise NotModelledError(f"{name} -{flag} is not modelled")
    if kind.name == "bool":
        return SWITCHES[rest.pop(0)] if (name, flag) in VALUED_SWITCHES else True
    return _value(rest.pop(0))


def _value(word):
    if word.startswith('"'):
        return unquote(word)
    if NUMBER.fullmatch(word):
        return float(word) if set(word) & set(".eE") else int(word)
    return word
