"""Base class of commands, which take flags and a selection, return JSON and can be undone.

Flags are made from the option table. A command class holds what its command, its button and the
window share: the plan, and the wording of the result. numpy is imported only when a command runs,
so that the plug-in loads without it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from jointlimits_core.base import errors, registry
from jointlimits_core.base.options import Option, option_table, options_of
from jointlimits_core.base.progress import Cancelled, Progress
from jointlimits_core.base.text import plural, suggestion

from ..base import host
from ..base.open_maya import om
from ..scene.undo import Prepared, UndoableCommand

if TYPE_CHECKING:
    from jointlimits_core.rig.limit_plan import Skipped

HELP = ("-h", "-help")
CHOICE = "scene"
"""Option group of the flags that select joints; in a query, they still take a value."""
_NUMBERS = ("number", "integer")
_KINDS = {"switch": om.MSyntax.kBoolean, **dict.fromkeys(_NUMBERS, om.MSyntax.kDouble)}
"""Flag types by option type; all others are strings."""


def flags_of(groups: Sequence[str]) -> tuple[Option, ...]:
    """Options in some groups that have a command flag."""
    return tuple(item for item in options_of(*groups) if item.maya)


def flag_names(item: Option) -> list[tuple[str, ...]]:
    """Short and long flags of an option, then the older pair, which still works."""
    return [pair for pair in (item.maya[:2], item.former[2:]) if pair]


def syntax_of(groups: Sequence[str], *, can_query: bool) -> om.MSyntax:
    """Syntax of a command with these option groups, whose objects are node names.

    Names are plain strings, not nodes, so that a missing node gets our own error message.
    """
    syntax = om.MSyntax()
    syntax.setObjectType(om.MSyntax.kStringObjects)
    syntax.addFlag(*HELP)  # live check: no-arg-flag-from-python
    for item in flags_of(groups):
        kind = _KINDS.get(item.type, om.MSyntax.kString)
        for short, long in flag_names(item):
            syntax.addFlag(f"-{short}", f"-{long}", kind)
            if can_query and item.group == CHOICE:
                # live check: query-with-full-args
                syntax.makeFlagQueryWithFullArgs(f"-{short}", False)
        for short, long in zip(item.maya[2::2], item.maya[3::2]):
            syntax.addFlag(f"-{short}", f"-{long}", om.MSyntax.kString)
    syntax.enableQuery = can_query
    return syntax


def given_options(parsed: om.MArgParser, groups: Sequence[str]) -> dict[str, Any]:
    """Values of the given flags, by option name."""
    given: dict[str, Any] = {}
    for item in flags_of(groups):
        flags = [f"-{short}" for short, _ in flag_names(item)]
        flag = next((flag for flag in flags if parsed.isFlagSet(flag)), None)
        if flag is not None:
            given[item.name] = _value(parsed, item, flag)
        for short in item.maya[2::2]:
            if parsed.isFlagSet(f"-{short}"):
                whole = given.get(item.name, item.default)
                given[item.name] = f"{whole},{parsed.flagArgumentString(f'-{short}', 0)}"
    return given


def _value(parsed: om.MArgParser, item: Option, flag: str) -> Any:
    if item.type == "switch":
        return parsed.flagArgumentBool(flag, 0)
    if item.type in _NUMBERS:
        number = parsed.flagArgumentDouble(flag, 0)
        return int(number) if item.type == "integer" and number.is_integer() else number
    return item.from_text(parsed.flagArgumentString(flag, 0))


@dataclass(frozen=True)
class Reader:
    """Reader of a message: the user of a command, a button or the window.

    `naming`: gives an option's flag or window label. `details`: where to find the details.
    """

    naming: errors.OptionNaming
    details: str = "The Script Editor"


def flag_words(name: str) -> str:
    """Wording for an option, such as "the flag mayMove"; empty if it has no flag."""
    return f"the flag {_long_flag(name)}" if _long_flag(name) else ""


def _long_flag(name: str) -> str:
    item = option_table().get(name)
    return item.maya[1] if item is not None and item.maya else ""


def failure_text(error: BaseException) -> str:
    """Error message, with options named by their flags."""
    naming = _long_flag if isinstance(error, errors.OptionError) else flag_words
    return errors.reader_words(error, naming)


FOR_COMMANDS = Reader(flag_words)
FOR_BUTTONS = Reader(lambda name: "")
"""Reader of messages from buttons, which name options as scripts do."""


def add_skipped(text: str, skipped: Sequence[Skipped], reader: Reader) -> tuple[str, str]:
    """Sentence and details that report a result and its skipped items."""
    if not skipped:
        return f"{text}.", ""
    whys = []
    for one in skipped:
        place = f"{one.joint}.{one.attribute}" if one.attribute else one.joint
        whys.append((place, one.reason, errors.reader_words(one.advice, reader.naming)))
    place, reason, advice = whys[0]
    return (
        f"{text}; {plural(len(skipped), 'item')} skipped: {place} ({reason}; {advice}). "
        f"{reader.details} lists all.",
        "\n".join(f"skipped: {place}: {reason}; {advice}" for place, reason, advice in whys),
    )


def first_warning(warnings: Sequence[str]) -> str:
    """First warning, to append to a message; empty if there are no warnings."""
    if not warnings:
        return ""
    more = len(warnings) - 1
    rest = f" (and {plural(more, 'more warning')})" if more else ""
    return f" Warning: {warnings[0]}{rest}."


class JointLimitsCommand(UndoableCommand):
    """Base class of the commands.

    A command returns JSON as one string and reports what it did in one sentence, with
    ``MGlobal.displayInfo``, or ``displayWarning`` if something was skipped. A failure is shown with
    ``MGlobal.displayError`` and raised as RuntimeError; the scene is then unchanged.
    """

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    takes: ClassVar[str] = (
        "Start with joints, controls, or groups above them; default: the selection."
    )
    groups: ClassVar[tuple[str, ...]] = ()
    function: ClassVar[str] = ""
    """The function of the command, as "module:name"; it is imported on first use."""
    names_as: ClassVar[str] = "joints"
    """Parameter of the function that takes the names."""
    removed: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Flags of earlier versions (short, long), which took a value; their error says what to do."""
    examples: ClassVar[tuple[str, ...]] = ()
    can_query: ClassVar[str] = ""
    """Result of ``-query``; empty if the command has no query."""
    progress: ClassVar[str] = ""
    """Title of the progress bar; empty for a quick command."""

    @classmethod
    def new_syntax(cls) -> om.MSyntax:
        """Create the command's syntax for Maya."""
        syntax = syntax_of(cls.groups, can_query=bool(cls.can_query))
        for short, long in cls.removed:
            syntax.addFlag(f"-{short}", f"-{long}", om.MSyntax.kString)
        return syntax

    @classmethod
    def help_text(cls) -> str:
        """Text of ``-help``."""
        rows = []
        for item in flags_of(cls.groups):
            default = ",".join(item.default) if isinstance(item.default, tuple) else item.default
            if item.type == "switch":
                default = str(default).lower()
            text = item.help if default in (None, "") else f"{item.help} [{default}]"
            rows.append((f"-{item.maya[0]}/-{item.maya[1]}", text))
            if item.each:
                words = f"{item.maya[1]} of joints or single limits: l*=20,LeftKnee.X.min=1"
                rows.append((f"-{item.maya[2]}/-{item.maya[3]}", words))
        width = max(len(flag) for flag, _ in rows)
        flags = ["", "Flags, with their defaults", *(f"  {flag:{width}}  {t}" for flag, t in rows)]
        query = ["", "-query", f"  {cls.can_query}"] if cls.can_query else []
        examples = ["", "Examples (Python, then MEL)", *(f"  {line}" for line in cls.examples)]
        return "\n".join([f"{cls.name}: {cls.summary}", cls.takes, *flags, *query, *examples])

    def doIt(self, arguments: om.MArgList) -> None:  # noqa: N802
        """Parse the arguments, plan, run and report."""
        parsed = om.MArgParser(self.syntax(), arguments)
        if parsed.isFlagSet("-help"):
            self.setResult(self.help_text())
            return
        try:
            names = tuple(parsed.getObjectStrings())
            for short, long in self.removed:
                if parsed.isFlagSet(f"-{short}"):
                    raise ValueError(f"no flag {long}{suggestion(long, ())}")
            if parsed.isQuery:
                self.setResult(self.query(names, given_options(parsed, (CHOICE,))))
                return
            prepared = self.plan_with_progress(names, given_options(parsed, self.groups))
            answer, complete = self.answer(prepared.result), self.is_complete(prepared.result)
            sentence, _ = self.message(prepared.result, FOR_COMMANDS)
        except ImportError as error:
            if not host.is_numpy_missing(error):
                raise
            raise self._report_failure(host.advice()) from None
        except Cancelled:
            raise self._report_failure("stopped; nothing was changed") from None
        except (ValueError, OSError) as error:
            raise self._report_failure(failure_text(error)) from None
        self._edit = prepared.edit
        try:
            self.redoIt()
        except host.MayaRefusedError as error:
            self._edit = None
            raise self._report_failure(str(error)) from None
        self.setResult(answer)
        show = om.MGlobal.displayInfo if complete else om.MGlobal.displayWarning
        show(f"{self.name}: {sentence}")

    @classmethod
    def plan_with_progress(cls, names: Sequence[str], options: dict[str, Any]) -> Prepared[Any]:
        """Plan the command, with a progress bar."""
        if not cls.progress:
            return cls.plan(names, options, None)
        with host.scene_progress(cls.progress) as progress:
            return cls.plan(names, options, progress)

    @classmethod
    def plan(
        cls, names: Sequence[str], options: dict[str, Any], progress: Progress | None
    ) -> Prepared[Any]:
        """Plan the command; the option "limits" may be of any type that the function accepts."""
        limits = (options.pop("limits", None),) if "limits" in cls.groups else ()
        function = registry.load_function(cls.function, "jointlimits_maya")
        # An option may have the same name as a parameter; a flag never does.
        given = {_long_flag(name) or name: value for name, value in options.items()}
        given.update({"progress": progress} if cls.progress else {})
        prepared: Prepared[Any] = function.plan(*limits, **{cls.names_as: names}, **given)
        return prepared

    @staticmethod
    def message(result: Any, reader: Reader) -> tuple[str, str]:
        """Sentence about a result, and details."""
        raise NotImplementedError

    @staticmethod
    def is_complete(result: Any) -> bool:
        """Whether the result needs no attention."""
        return bool(result.is_complete)

    @staticmethod
    def answer(result: Any) -> str:
        """Result as JSON."""
        return json_of(result.to_dict())

    def query(self, names: Sequence[str], choice: Mapping[str, Any]) -> str:
        """Result of ``-query``."""
        raise NotImplementedError

    def _report_failure(self, problem: str) -> RuntimeError:
        # live check: error-of-a-command
        om.MGlobal.displayError(f"{self.name}: {problem}")
        return RuntimeError(problem)


def json_of(data: Any) -> str:
    """Plain data as JSON text, with options named by their flags."""
    return json.dumps(_name_flags(data), allow_nan=False)


def _name_flags(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _name_flags(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_name_flags(value) for value in data]
    return errors.reader_words(data, flag_words) if isinstance(data, str) else data
