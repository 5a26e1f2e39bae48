"""Python script that applies limits in Maya without anything installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ..base.text import printable
from ..base.version import __version__
from ..limits.limit_set import LimitSet
from ..motion.skeleton import Skeleton
from .formats import ExportOptions
from .losses import Exported
from .maya_script import script_joints, switched

PROGRAM = Path(__file__).parent / "for_maya" / "apply_limits.py"

SWITCHES = {
    "replace": ("\nREPLACE = False", "\nREPLACE = True"),
    "may_move": ("\nMAY_MOVE = False", "\nMAY_MOVE = True"),
}


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write a script."""
    joints, losses = script_joints(limit_set, options)
    body = switched(PROGRAM.read_text(encoding="utf-8"), SWITCHES, options)
    entries = {
        name: {
            "rotateOrder": joint.rotate_order,
            "jointOrient": joint.joint_orient_deg,
            "rotateAxis": joint.rotate_axis_deg,
            "limits": joint.limits_deg,
            "moves": joint.moves,
            "preferredAngle": joint.preferred_deg,
        }
        for name, joint in joints.items()
    }
    text = "\n".join([body, *data_lines(limit_set.character, entries, "apply_limits")]) + "\n"
    return Exported(text, losses, (f"limits of {len(joints)} joints",))


def data_lines(
    character: str, joints: Mapping[str, Mapping[str, object]], function: str
) -> Iterator[str]:
    """Lines with the data of every joint, and the call of the program's function with them."""
    yield ""
    yield f"# {printable(character, ascii_only=True)}, jointlimits {__version__}. Degrees."
    yield "LIMITS = {"
    for name, joint in joints.items():
        yield f"    {name!a}: {{"
        yield from (f'        "{key}": {value!a},' for key, value in joint.items())
        yield "    },"
    yield "}"
    yield ""
    yield 'if __name__ == "__main__":'
    yield f"    {function}(LIMITS)"
