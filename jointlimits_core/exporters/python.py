"""Python script that applies limits in Maya without anything installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..base import printable
from ..base.version import __version__
from ..limits import LimitSet
from ..motion import Skeleton
from .formats import ExportFormat, ExportOptions
from .losses import Exported
from .maya_script import ScriptJoint, maya_script

FORMAT = ExportFormat(
    name="python",
    words="a standalone Maya script in Python",
    endings=("py",),
    options=("replace", "lock_unmoved"),
)

SWITCH = ("\nREPLACE = False", "\nREPLACE = True")


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write a script."""
    return maya_script(limit_set, options, "apply_limits.py", SWITCH, _data)


def _data(character: str, joints: Mapping[str, ScriptJoint]) -> Iterator[str]:
    yield ""
    yield f"# {printable(character, ascii_only=True)}, jointlimits {__version__}. Degrees."
    yield "LIMITS = {"
    for name, joint in joints.items():
        yield f"    {name!a}: {{"
        yield f'        "rotateOrder": {joint.rotate_order!r},'
        yield f'        "jointOrient": {joint.joint_orient_deg!r},'
        yield f'        "rotateAxis": {joint.rotate_axis_deg!r},'
        yield f'        "limits": {joint.limits_deg!r},'
        yield f'        "moves": {joint.moves!r},'
        yield f'        "preferredAngle": {joint.preferred_deg!r},'
        yield "    },"
    yield "}"
    yield ""
    yield 'if __name__ == "__main__":'
    yield "    apply_limits(LIMITS)"
