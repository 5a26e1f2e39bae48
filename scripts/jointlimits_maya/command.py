"""The commands: flags and selection in, JSON out, undoable.

Nothing here imports numpy before a command is run, so that the plug-in loads without it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

import maya.api.OpenMaya as om

from jointlimits_core.progress import Cancelled

from . import numpy_install
from .errors import MayaRefusedError
from .flags import CHOICE, given_options, help_of_flags, in_flags, syntax_of
from .prepared import Answer, Prepared
from .scene_edit import SceneEdit


class Tellable(Protocol):
    """A result that can be told."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left alone."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""


Told = TypeVar("Told", bound=Tellable)


class JointLimitsCommand(om.MPxCommand):
    """What the commands have in common.

    A command gives JSON as one string and says in a sentence what it did, with
    ``MGlobal.displayInfo``, or ``displayWarning`` if something was left alone. What cannot be done
    is told with ``MGlobal.displayError`` and raised as RuntimeError, and nothing in the scene has
    changed.
    """

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    takes: ClassVar[str] = (
        "Joints, or groups above joints, are named first; else the selection is taken."
    )
    groups: ClassVar[tuple[str, ...]] = ()
    examples: ClassVar[tuple[str, ...]] = ()
    can_query: ClassVar[str] = ""
    """What ``-query`` gives; there is no query if empty."""

    def __init__(self) -> None:
        super().__init__()
        self._edit: SceneEdit | None = None

    @classmethod
    def creator(cls) -> JointLimitsCommand:
        """Make one, for Maya."""
        return cls()

    @classmethod
    def new_syntax(cls) -> om.MSyntax:
        """Syntax, for Maya."""
        return syntax_of(cls.groups, can_query=bool(cls.can_query))

    @classmethod
    def help_text(cls) -> str:
        """What ``-help`` gives."""
        query = ["", "-query", f"  {cls.can_query}"] if cls.can_query else []
        examples = ["", "Examples (Python, then MEL)", *(f"  {line}" for line in cls.examples)]
        flags = ["", "Flags, with their defaults", help_of_flags(cls.groups)]
        return "\n".join([f"{cls.name}: {cls.summary}", cls.takes, *flags, *query, *examples])

    def doIt(self, arguments: om.MArgList) -> None:  # noqa: N802
        """Parse, plan, do and answer."""
        parsed = om.MArgParser(self.syntax(), arguments)
        if parsed.isFlagSet("-help"):
            self.setResult(self.help_text())
            return
        try:
            names = tuple(parsed.getObjectStrings())
            if parsed.isQuery:
                self.setResult(self.query(names, given_options(parsed, (CHOICE,))))
                return
            options = given_options(parsed, self.groups)
            prepared = self.plan(names, options)
        except ImportError as error:
            if not numpy_install.is_numpy_missing(error):
                raise
            raise self._failed(numpy_install.advice()) from None
        except Cancelled:
            raise self._failed("stopped; nothing was changed") from None
        except (ValueError, OSError) as error:
            raise self._failed(str(error)) from None
        self._edit = prepared.edit
        try:
            self.redoIt()
        except RuntimeError as error:
            self._edit = None
            raise self._failed(str(MayaRefusedError(error))) from None
        self.setResult(in_flags(prepared.result.json))
        self._say(prepared.result)

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Plan the command."""
        raise NotImplementedError

    def query(self, names: Sequence[str], choice: Mapping[str, Any]) -> str:
        """Answer of ``-query``."""
        raise NotImplementedError

    def redoIt(self) -> None:  # noqa: N802
        """Do the edit, or do it again."""
        if self._edit is not None:
            self._edit.do()

    def undoIt(self) -> None:  # noqa: N802
        """Undo the edit."""
        if self._edit is not None:
            self._edit.undo()

    def isUndoable(self) -> bool:  # noqa: N802
        """Whether there is anything to undo."""
        return self._edit is not None and not self._edit.is_empty

    def _say(self, answer: Answer) -> None:
        say = om.MGlobal.displayInfo if answer.is_whole else om.MGlobal.displayWarning
        say(in_flags(f"{self.name}: {answer.sentence}"))

    def _failed(self, problem: str) -> RuntimeError:
        # live check: error-of-a-command
        message = in_flags(problem)
        om.MGlobal.displayError(f"{self.name}: {message}")
        return RuntimeError(message)


class EstimateCommand(JointLimitsCommand):
    """``estimateJointLimits``."""

    name = "estimateJointLimits"
    summary = (
        "estimates joint types and limits from the animation and gives the limit set as JSON. "
        "Changes nothing in the scene."
    )
    groups = ("estimate", "scene", "time", "rest pose", "result", "with shapes", "coupled")
    can_query = "the latest limit set of these joints in this session, or nothing"
    examples = (
        "limits = cmds.estimateJointLimits('rig:hips', strictness='robust', timeRange='1:240')",
        "cmds.applyJointLimits('rig:hips', limits=limits)",
        "limits = cmds.estimateJointLimits('rig:hips', coupled=True, shapeForm='hull')",
        'string $limits = `estimateJointLimits -padding 3 "rig:hips"`;',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Estimate, and keep the result for ``applyJointLimits``."""
        from . import api, kept, wording
        from .progress import scene_progress

        with scene_progress("Estimating joint limits") as progress:
            found = api.prepare_estimate(names, options, progress).result
        kept.keep(found, _chosen(names, options))
        is_whole = not wording.to_look_at(found)
        answer = Answer(found.to_json(), wording.estimate_said(found)[0], is_whole)
        return Prepared(answer)

    def query(self, names: Sequence[str], choice: Mapping[str, Any]) -> str:
        """Give the latest estimate."""
        from . import kept

        found = kept.latest(_chosen(names, choice))
        return "" if found is None else found.to_json()


class ApplyCommand(JointLimitsCommand):
    """``applyJointLimits``."""

    name = "applyJointLimits"
    summary = (
        "writes limits, degrees of freedom and preferred angles on joints, as one undo. Tells what "
        "was written, and what was left alone, why, and what to do."
    )
    groups = ("scene", "limits", "write")
    can_query = "what the joints have: rotation limits, and the record of what was applied"
    examples = (
        "cmds.applyJointLimits(limits='hero.limits.json', root='rig:hips')",
        "cmds.applyJointLimits(query=True)",
        'applyJointLimits -limits "hero.limits.json" -replace true "rig:hips";',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Plan the writing."""
        from . import api, wording
        from .progress import scene_progress

        limits = options.pop("limits", None)
        with scene_progress("Reading the animation") as progress:
            prepared = api.prepare_apply(limits, names, options, progress)
        return answered(prepared, wording.apply_said)

    def query(self, names: Sequence[str], choice: Mapping[str, Any]) -> str:
        """Give limits and records of joints."""
        from .applied import applied_limits

        return _json(applied_limits(_chosen(names, choice)))


class ClearCommand(JointLimitsCommand):
    """``clearJointLimits``."""

    name = "clearJointLimits"
    summary = "gives joints back what they had before limits were applied, as one undo."
    groups = ("scene",)
    examples = (
        "cmds.clearJointLimits('rig:hips')",
        "cmds.clearJointLimits(allJoints=True)",
        "clearJointLimits;",
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Plan the clearing."""
        from . import api, wording

        prepared = api.prepare_clear(names, options)
        return answered(prepared, wording.clear_said)


class SwitchCommand(JointLimitsCommand):
    """``switchJointLimits``."""

    name = "switchJointLimits"
    summary = (
        "switches applied limits off, for baking and recording, or on again, as one undo; their "
        "values stay."
    )
    groups = ("scene", "switch")
    examples = (
        "cmds.switchJointLimits('rig:hips', limitsOn=False, everybodys=True)",
        "cmds.switchJointLimits('rig:hips', limitsOn=True)",
        'switchJointLimits -limitsOn false "rig:hips";',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Plan the switching."""
        from . import api, wording

        return answered(api.prepare_switch(None, names, options), wording.switch_said)


class CheckCommand(JointLimitsCommand):
    """``checkJointLimits``."""

    name = "checkJointLimits"
    summary = (
        "finds the frames that leave limits; limits that are switched on in the scene are looked "
        "past. Changes nothing in the scene."
    )
    groups = ("scene", "time", "limits", "check")
    examples = (
        "result = json.loads(cmds.checkJointLimits('rig:hips', limits='hero.limits.json'))",
        "print(result['passed'])",
        'checkJointLimits -timeRange "playback" -tolerance 1;',
    )

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Check."""
        from . import api, wording
        from .progress import scene_progress

        limits = options.pop("limits", None)
        with scene_progress("Checking joint limits") as progress:
            result = api.prepare_check(limits, names, options, progress).result
        sentence, _ = wording.check_said(result)
        return Prepared(Answer(_json(result.to_dict()), sentence, result.passed))


COMMANDS: tuple[type[JointLimitsCommand], ...] = (
    EstimateCommand,
    ApplyCommand,
    ClearCommand,
    SwitchCommand,
    CheckCommand,
)


def answered(prepared: Prepared[Told], said: Callable[[Told], tuple[str, str]]) -> Prepared[Answer]:
    """Answer with what will have been changed."""
    result = prepared.result
    answer = Answer(_json(result.to_dict()), said(result)[0], result.is_whole)
    return Prepared(answer, prepared.edit)


def _chosen(names: Sequence[str], options: Mapping[str, Any]) -> list[om.MDagPath]:
    from .scene_options import joints_from_options

    return joints_from_options(names, options)


def _json(data: Any) -> str:
    return json.dumps(data, allow_nan=False)
