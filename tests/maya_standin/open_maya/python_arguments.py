"""How keyword arguments of `cmds.someCommand(...)` become the MArgList of a plug-in's command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.maya_standin.open_maya.strict import not_modelled
from tests.maya_standin.open_maya.syntax import Flag, GivenArguments, MArgList, MSyntax

KINDS: dict[int, tuple[str, tuple[type, ...]]] = {
    MSyntax.kBoolean: ("bool", (bool, int)),
    MSyntax.kLong: ("int", (int,)),
    MSyntax.kUnsigned: ("int", (int,)),
    MSyntax.kDouble: ("float", (int, float)),
    MSyntax.kString: ("str", (str,)),
    MSyntax.kDistance: ("distance", (int, float)),
    MSyntax.kAngle: ("angle", (int, float)),
    MSyntax.kTime: ("time", (int, float)),
}
MODES = {"query": "query", "q": "query", "edit": "edit", "e": "edit"}


def argument_list(syntax: MSyntax, objects: Sequence[Any], keywords: Mapping[str, Any]) -> MArgList:
    """Arguments as a command's doIt gets them; TypeError as Maya words it where they are wrong."""
    modes = {MODES[name] for name, value in keywords.items() if name in MODES and value}
    given = GivenArguments({}, [], (), "query" in modes, "edit" in modes)
    if syntax.argument_types:
        given.arguments = _command_arguments(syntax, objects)
    else:
        given.objects = _object_names(objects)
    _check_modes(syntax, keywords)
    for name, value in keywords.items():
        if name not in MODES:
            flag = _flag(syntax, name)
            uses = _uses(flag, value, given.query)
            if uses:
                given.uses[flag.long] = uses
    arguments = MArgList(_flat(given))
    arguments.given = given
    return arguments


def _command_arguments(syntax: MSyntax, values: Sequence[Any]) -> tuple[Any, ...]:
    if len(values) != len(syntax.argument_types):
        raise TypeError(f"The command takes {len(syntax.argument_types)} arguments")
    return tuple(
        _check_value(f"argument {number}", value, kind)
        for number, (value, kind) in enumerate(zip(values, syntax.argument_types))
    )


def _check_modes(syntax: MSyntax, keywords: Mapping[str, Any]) -> None:
    allowed = {"query": syntax.enableQuery, "edit": syntax.enableEdit}
    for name in keywords:
        if name in MODES and not allowed[MODES[name]]:
            raise TypeError(f"Invalid flag '{name}'")


def _flag(syntax: MSyntax, name: str) -> Flag:
    if not syntax.has_flag(name):
        raise TypeError(f"Invalid flag '{name}'")
    return syntax.flag(name)


def _object_names(objects: Sequence[Any]) -> list[str]:
    names: list[str] = []
    for item in objects:
        parts = [item] if isinstance(item, str) else item
        if not isinstance(parts, Sequence) or not all(isinstance(part, str) for part in parts):
            raise TypeError("Object names must be strings or lists of strings")
        names += parts
    return names


def _uses(flag: Flag, value: Any, query: bool) -> list[tuple[Any, ...]]:
    """Arguments of each use of a flag; none where it is switched off."""
    if query and not flag.query_with_arguments:
        # The Python commands' own way: a queried flag is given True.
        if value is not True:
            return not_modelled(f"query of {flag.long} with a value that is not True")
        return [()]
    if not flag.types:
        # guess: no-arg-flag-from-python (False is as good as leaving the flag out)
        return [()] if _check_value(_flag_words(flag), value, MSyntax.kBoolean) else []
    if flag.multi_use and isinstance(value, (list, tuple)) and _is_several(flag, value):
        return [_one_use(flag, item) for item in value]
    return [_one_use(flag, value)]


def _is_several(flag: Flag, value: Sequence[Any]) -> bool:
    return len(flag.types) == 1 or all(isinstance(item, (list, tuple)) for item in value)


def _one_use(flag: Flag, value: Any) -> tuple[Any, ...]:
    values = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if len(values) != len(flag.types):
        raise TypeError(
            f"Flag '{flag.long}' must be passed {len(flag.types)} arguments, not {len(values)}"
        )
    return tuple(
        _check_value(_flag_words(flag), item, kind) for item, kind in zip(values, flag.types)
    )


def _flag_words(flag: Flag) -> str:
    return f"flag '{flag.long}'"


def _check_value(what: str, value: Any, kind: int) -> Any:
    name, types = KINDS[kind]
    wrong_bool = isinstance(value, bool) and bool not in types
    if not isinstance(value, types) or wrong_bool:
        raise TypeError(
            f"Invalid arguments for {what}. Expected {name}, got {type(value).__name__}"
        )
    return bool(value) if kind == MSyntax.kBoolean else value


def _flat(given: GivenArguments) -> list[Any]:
    flat: list[Any] = []
    for long, uses in given.uses.items():
        for use in uses:
            flat += [f"-{long}", *use]
    return [*flat, *given.arguments, *given.objects]
