"""Python script that applies limits in Maya and needs nothing installed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..base.findings import FOLLOWS_CONTROL
from ..base.text import identifier, printable, unique_names
from ..base.version import __version__
from ..geometry.euler import CHANNELS, ROTATE_ORDERS
from ..limits.limit_set import JointLimit, LimitSet
from ..motion.skeleton import Skeleton
from ..rig.limit_plan import advice_to_follow, changes_from_limit_set
from .formats import ExportOptions
from .losses import PREFERRED, Exported, Loss, common_losses, losses_of, only_in_json

PROGRAM = Path(__file__).parent / "for_maya" / "apply_limits.py"
_MESSAGES = {
    "unmoved": "the joint does not move in the source, so it is not in the script "
    "(--lock-unmoved includes it)",
    "other-name": "the name is not valid in Maya; the script looks for it with _ instead of "
    "invalid characters",
    "advised-frame": "the limits use the orientation that the estimate advises; the script does "
    "not re-orient joints, and skips the joint unless it has that orientation (in Maya, "
    "applyJointLimits -reorient changes it)",
}


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write a script."""
    joints = limit_set.joints
    changes = changes_from_limit_set(limit_set, options.lock_unmoved)
    names = dict(zip(changes, unique_names(changes, maya_name)))
    entries = {written: _entry(joints[name]) for name, written in names.items()}
    text = script_text(PROGRAM, options, limit_set.character, entries, "apply_limits")
    free = [n for n, one in joints.items() if all(a.state == "free" for a in one.limits.values())]
    found = {
        "unmoved": [n for n in joints if n not in names and n not in free],
        "other-name": [name for name, written in names.items() if name != written],
        "advised-frame": [name for name in names if advice_to_follow(joints[name])],
    }
    keys_only = Loss(
        "keys-only",
        "the script leaves off limits that would clamp keys, values between them, the playback "
        "range or the current pose, and all limits of joints turned by IK handles; the plug-in "
        "plays the scene to check those joints",
    )
    controls = Loss(
        FOLLOWS_CONTROL,
        "the script writes limits of joints that follow a control and leaves them off, as Apply "
        "does (--enable-driven turns them on)",
        tuple(n for n in names if any(f.rule == FOLLOWS_CONTROL for f in joints[n].findings)),
    )
    losses = (
        *common_losses(limit_set, "a Maya joint", names),
        *losses_of(_MESSAGES, found),
        keys_only,
        *(() if options.enable_driven else (controls,)),
        *only_in_json(limit_set, (PREFERRED,)),
    )
    return Exported(text, losses, (f"limits for {len(entries)} joints",))


def _entry(joint: JointLimit) -> dict[str, object]:
    """Values that the script writes to a joint; None for an end without a limit."""
    axes = [joint.limits[channel] for channel in CHANNELS]
    return {
        "rotateOrder": ROTATE_ORDERS.index(joint.orientation.rotate_order),
        "jointOrient": joint.orientation.joint_orient_deg,
        "rotateAxis": joint.orientation.rotate_axis_deg,
        "limits": tuple((axis.min_deg, axis.max_deg) for axis in axes),
        "moves": tuple(axis.state != "locked" for axis in axes),
        "preferredAngle": joint.preferred_deg,
    }


def maya_name(name: str) -> str:
    """Valid Maya name for a node: invalid characters become ``_``; paths and namespaces stay."""
    return "|".join(identifier(part, ":") for part in name.split("|"))


def script_text(
    program: Path,
    options: ExportOptions,
    character: str,
    joints: Mapping[str, Mapping[str, object]],
    function: str,
) -> str:
    """Text of a script: a program with its switches set, the joints, and a call of `function`."""
    body = program.read_text(encoding="utf-8")
    for name in ("replace", "may_move", "enable_driven"):
        if getattr(options, name):
            switch = f"\n{name.upper()} = "
            body = body.replace(f"{switch}False", f"{switch}True", 1)

    head = f"# {printable(character, ascii_only=True)}, jointlimits {__version__}. Degrees."
    lines = [body, "", head, "LIMITS = {"]
    for name, joint in joints.items():
        fields = [f'        "{key}": {value!a},' for key, value in joint.items()]
        lines += [f"    {name!a}: {{", *fields, "    },"]
    lines += ["}", "", 'if __name__ == "__main__":', f"    {function}(LIMITS)\n"]
    return "\n".join(lines)
