"""MEL script that applies limits in Maya without anything installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..base import printable
from ..base.version import __version__
from ..limits import LimitSet
from ..motion import Skeleton
from .formats import ExportOptions
from .losses import Exported
from .maya_script import ScriptJoint, maya_script

SWITCHES = {
    "replace": ("$jointLimitsReplace = 0;", "$jointLimitsReplace = 1;"),
    "may_move": ("$jointLimitsMayMove = 0;", "$jointLimitsMayMove = 1;"),
}


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write a script."""
    return maya_script(limit_set, options, "apply_limits.mel", SWITCHES, _data)


def _data(character: str, joints: Mapping[str, ScriptJoint]) -> Iterator[str]:
    """A procedure with one call per joint, and the call that runs it."""
    # live check: exported-mel
    # A backslash at the end of a comment would continue it on the next line.
    words = printable(character, ascii_only=True).replace("\\", "/")
    yield f"// {words}, jointlimits {__version__}. Degrees: min and max of X, Y, Z."
    yield "global proc jointLimitsData() {"
    for name, joint in joints.items():
        ends = [end for bounds in joint.limits_deg for end in bounds]
        arrays = (
            _numbers(joint.joint_orient_deg),
            _numbers(joint.rotate_axis_deg),
            _switches(end is not None for end in ends),
            _numbers(0.0 if end is None else end for end in ends),
            _switches(joint.moves),
            _numbers(joint.preferred_deg),
        )
        words = ", ".join((f'"{name}"', str(joint.rotate_order), *arrays))
        yield f"    jointLimitsJoint({words});"
    yield "}"
    yield ""
    yield "jointLimitsApply();"


def _numbers(values: Iterable[float]) -> str:
    return "{" + ", ".join(_number(value) for value in values) + "}"


def _number(value: float) -> str:
    """Digits that round-trip, with a point: otherwise MEL makes integer arrays."""
    text = repr(float(value) + 0.0)
    mantissa, exponent, power = text.partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{exponent}{power}"


def _switches(values: Iterable[bool]) -> str:
    return "{" + ", ".join(str(int(value)) for value in values) + "}"
