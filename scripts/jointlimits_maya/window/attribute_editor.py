"""Section of the Attribute Editor that shows a joint's limits, their origin and the last estimate.

It is added through Maya's hook for plug-ins, so Maya's own template of joints stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from maya import cmds, mel

from jointlimits_core.base.text import channel_letter, plural

from ..base import host
from ..base.open_maya import om
from ..scene.joints import is_control, joint_names, node_of

HOOK, OWNER = "AETemplateCustomContent", "jointLimits"
TITLE, TEXT = "Joint Limits", "jointLimitsAttributeEditorText"
NEW, REPLACE = "jointLimitsAttributeEditorNew", "jointLimitsAttributeEditorReplace"
_PROCEDURE = (
    "global proc {name}(string $plug) "
    '{{ python("from jointlimits_maya.window import attribute_editor as ae; '
    'ae.show(\'" + $plug + "\')"); }}'
)


def add() -> None:
    """Add the section, replacing an older one."""
    remove()
    for name in (NEW, REPLACE):
        # Templates can only call MEL procedures. live check: attribute-editor-procedures
        # The stubs have no types for mel.eval.
        mel.eval(_PROCEDURE.format(name=name))  # type: ignore[no-untyped-call]
    # live check: attribute-editor-hook
    cmds.callbacks(addCallback=add_section, hook=HOOK, owner=OWNER)


def remove() -> None:
    """Remove the section."""
    cmds.callbacks(clearCallbacks=True, hook=HOOK, owner=OWNER)


def add_section(node: str) -> None:
    """Add the section to joints and controls; called by Maya for every type of node."""
    kind = cmds.nodeType(node)
    if kind != "joint" and not (kind == "transform" and is_control(_path_of(node))):
        return
    cmds.editorTemplate(beginLayout=TITLE, collapse=True)
    # As all public plug-ins call it; the stubs expect the names in the flag.
    cmds.editorTemplate(NEW, REPLACE, "message", callCustom=True)  # type: ignore[arg-type]
    cmds.editorTemplate(endLayout=True)


def show(plug: str) -> None:
    """Show a joint's text, in a new control or the existing one; called by Maya."""
    text = joint_text(plug.partition(".")[0])
    if cmds.text(TEXT, exists=True):
        cmds.text(TEXT, edit=True, label=text)
    else:
        cmds.text(TEXT, label=text, align="left")


def joint_text(name: str) -> str:
    """Text about a joint: its limits, where they come from, and the latest estimate.

    Where something cannot be read, the text gives the reason instead.
    """
    try:
        path = _path_of(name)
        return "\n".join([*_limit_lines(path), "", *_estimate_lines(path)])
    except ImportError as error:
        if not host.is_numpy_missing(error):
            raise
        return "Joint Limits needs numpy; press Open window on its shelf."
    except (ValueError, OSError, RuntimeError) as error:
        return f"Not known: {error}"


def _path_of(name: str) -> om.MDagPath:
    return om.MDagPath.getAPathTo(node_of(name))


def _limit_lines(path: om.MDagPath) -> Iterator[str]:
    """Limits on a joint, and where they come from."""
    from jointlimits_core.limits.vocabulary import range_text

    from ..read.limits import limit_of_joint
    from ..scene.record import record_of, unreadable

    record = record_of(path.node())
    for channel, axis in limit_of_joint(path.node()).limits.items():
        letter = channel_letter(channel)
        off = record is not None and any(f"Rot{letter}" in one for one in record.switched_off)
        yield f"{letter}: {range_text(axis)}" + (", switched off" if off else "")
    if unreadable(path.node()):
        yield "Its record was written by another version or edited by hand."
    elif record is None or not record.written:
        yield "Not written by Joint Limits."
    else:
        clips = f", from {', '.join(record.clips)}" if record.clips else ""
        yield f"Written for {record.character or 'this character'}{clips}."


def _estimate_lines(path: om.MDagPath) -> Iterator[str]:
    """Type, evidence and limits of a joint in the latest estimate."""
    from jointlimits_core.limits import vocabulary
    from jointlimits_core.limits.limit_set import AxisLimit
    from jointlimits_core.motion.name_matching import matched_joints

    from ..scene import estimates

    found, (name,) = estimates.latest([path]), joint_names([path])
    known = {} if found is None else found.joints
    if not matched_joints(known, [name]):
        yield "No estimate yet."
        return
    joint = known[next(iter(matched_joints(known, [name])))]
    poses = plural(joint.evidence.samples, "pose")
    kind, hinge = vocabulary.type_words(joint), joint.hinge
    if joint.type == "hinge" and hinge is not None and not hinge.is_on_channel:
        span = vocabulary.range_text(AxisLimit("limited", hinge.min_deg, hinge.max_deg))
        off = vocabulary.degrees(hinge.off_channel_deg)
        kind = f"hinge, {span}, {off} off {channel_letter(hinge.channel)}"
    yield f"Last estimate: {kind}, {vocabulary.certainty(joint)} ({poses})"
    for channel, axis in joint.limits.items():
        yield f"{channel_letter(channel)}: {vocabulary.range_text(axis)}"
        for side, bound in zip(("min", "max"), (axis.source.min, axis.source.max)):
            if bound is not None and vocabulary.is_graded(bound):
                reach = vocabulary.reach_words(bound)
                # The other words already say "reached once".
                grade = "" if bound.grade == "seen" else vocabulary.mark_name(bound.grade)
                yield f"    {side}: {'; '.join(filter(None, (grade, reach)))}"
