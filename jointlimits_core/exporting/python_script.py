"""A Python script that applies limits in Maya with nothing installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from .._version import __version__
from ..limits.limit_set import LimitSet
from ..skeleton import Skeleton
from ..wording import printable
from .exported import Exported
from .options import ExportOptions
from .script_joints import ScriptJoint, script_joints

BODY = Path(__file__).parent / "for_maya" / "apply_limits.py"
"""What the script does; its data are put behind it."""


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write a script; see :mod:`.formats_table`."""
    joints, losses = script_joints(limit_set, options)
    body = BODY.read_text(encoding="utf-8")
    if options.replace:
        body = body.replace("\nREPLACE = False", "\nREPLACE = True", 1)
    text = "\n".join([body, *_data(limit_set.character, joints)]) + "\n"
    return Exported(text, losses, (f"limits of {len(joints)} joints",))


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
