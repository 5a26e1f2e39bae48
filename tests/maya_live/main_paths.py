"""The main paths: estimate, apply, undo, redo, estimate again, switch, clear, check, batch."""

from __future__ import annotations

import json
import os

from maya import cmds

from tests.maya_live.commands import load_ours
from tests.maya_live.kit import check
from tests.maya_live.scenes import chain, keyed_joint, save_as, temporary_folder


def limits_of(joint):
    """Limits of a joint on X: two values and two switches."""
    names = ("minRotXLimit", "maxRotXLimit", "minRotXLimitEnable", "maxRotXLimitEnable")
    return [cmds.getAttr(f"{joint}.{name}") for name in names]


def apply_limits():
    """The chain with its limits applied; the command's answer."""
    load_ours()
    chain()
    limits = cmds.estimateJointLimits("hip")
    return json.loads(cmds.applyJointLimits("hip", limits=limits))


@check("path-estimate")
def path_estimate():
    """estimateJointLimits gives the range of the keys and changes nothing."""
    load_ours()
    chain()
    cmds.currentTime(3)
    found = json.loads(cmds.estimateJointLimits("hip"))["joints"]["knee"]["limits"]["rotateX"]
    assert abs(found["min_deg"] - 10) < 1e-9, found
    assert abs(found["max_deg"] - 80) < 1e-9, found
    assert abs(cmds.currentTime(query=True) - 3) < 1e-9, "the time was changed"


@check("path-apply-undo-redo")
def path_apply_undo_redo():
    """applyJointLimits is undone and redone in one step."""
    load_ours()
    chain()
    before = limits_of("knee")
    limits = cmds.estimateJointLimits("hip")
    cmds.applyJointLimits("hip", limits=limits)
    after = limits_of("knee")
    assert abs(after[1] - 80) < 1e-6, after
    assert after[3], "the limit is off"
    cmds.undo()
    assert limits_of("knee") == before, limits_of("knee")
    cmds.redo()
    assert limits_of("knee") == after, limits_of("knee")


@check("path-blended-joint")
def path_blended_joint():
    """A joint behind blendColors or choice can be estimated and gets limits."""
    load_ours()
    chain()
    other = keyed_joint("other")
    blend, choice = cmds.createNode("blendColors"), cmds.createNode("choice")
    cmds.connectAttr(f"{other}.rotate", f"{blend}.color1")
    cmds.connectAttr(f"{other}.rotate", f"{choice}.input[0]")
    for node, joint in ((f"{blend}.output", "blended"), (f"{choice}.output", "chosen")):
        cmds.createNode("joint", name=joint, parent="ankle")
        cmds.connectAttr(node, f"{joint}.rotate")
    limits = cmds.estimateJointLimits("hip")
    cmds.applyJointLimits("hip", limits=limits)
    assert abs(limits_of("knee")[1] - 80) < 1e-6, limits_of("knee")
    return str(sorted(json.loads(limits)["joints"]))


@check("path-metres-and-namespace")
def path_metres_and_namespace():
    """Applied and cleared limits are the same in metres and with a current namespace."""
    load_ours()
    chain()
    before = limits_of("knee")
    cmds.namespace(addNamespace="work")
    cmds.namespace(setNamespace="work")
    cmds.currentUnit(linear="m")
    try:
        cmds.applyJointLimits("hip", limits=cmds.estimateJointLimits("hip"))
        assert abs(limits_of("knee")[1] - 80) < 1e-6, limits_of("knee")
        cmds.clearJointLimits("hip")
        assert limits_of("knee") == before, limits_of("knee")
        assert not cmds.ls("work:*"), cmds.ls("work:*")
    finally:
        cmds.currentUnit(linear="cm")
        cmds.namespace(setNamespace=":")


@check("path-nothing-moves")
def path_nothing_moves():
    """Applied limits change no pose of the motion that they were measured on."""
    load_ours()
    chain()
    frames = range(1, 9)
    before = [cmds.getAttr("ankle.worldMatrix[0]", time=frame) for frame in frames]
    applied_to = cmds.estimateJointLimits("hip")
    cmds.applyJointLimits("hip", limits=applied_to)
    after = [cmds.getAttr("ankle.worldMatrix[0]", time=frame) for frame in frames]
    worst = max(abs(a - b) for one, other in zip(before, after) for a, b in zip(one, other))
    assert worst < 1e-9, f"the ankle moves by {worst}"


@check("path-estimate-again")
def path_estimate_again():
    """Limits that are on and narrow do not hide the motion from the estimate."""
    apply_limits()
    first = json.loads(cmds.estimateJointLimits("hip"))["joints"]["knee"]["limits"]
    cmds.transformLimits("knee", rotationX=(20, 30), enableRotationX=(True, True))
    second = json.loads(cmds.estimateJointLimits("hip"))["joints"]["knee"]["limits"]
    assert first == second, second["rotateX"]


@check("path-switch-and-clear")
def path_switch_and_clear():
    """Switching limits off keeps their values; clearing restores the earlier ones."""
    load_ours()
    import jointlimits_maya

    chain()
    before = limits_of("knee")
    jointlimits_maya.apply(jointlimits_maya.estimate(["hip"]), ["hip"])
    jointlimits_maya.switch_limits(False, ["hip"])
    off = limits_of("knee")
    assert abs(off[1] - 80) < 1e-6, off
    assert not off[3], "the limit is still on"
    cmds.clearJointLimits("hip")
    assert limits_of("knee") == before, limits_of("knee")


@check("path-check")
def path_check():
    """checkJointLimits finds frames that leave limits that were applied."""
    load_ours()
    chain()
    limits = cmds.estimateJointLimits("hip")
    for frame in (6, 7, 8):
        cmds.setKeyframe("knee", attribute="rotateX", time=frame, value=120)
    found = cmds.checkJointLimits("hip", limits=limits)
    assert '"knee"' in found, found[:200]


def exported_script():
    """A script that applies the limits of the chain with nothing installed."""
    from jointlimits_core.exporters.formats import ExportOptions, export_formats
    from jointlimits_core.limits.limit_set import LimitSet

    limits = LimitSet.from_json(cmds.estimateJointLimits("hip"))
    return str(export_formats()["python"].export(limits, None, ExportOptions()).content)


def limits_by(apply):
    """Limits of the knee after our command, and after another action that must do the same."""
    load_ours()
    chain()
    cmds.applyJointLimits("hip", limits=cmds.estimateJointLimits("hip"))
    expected = limits_of("knee")
    cmds.undo()
    apply()
    return expected, limits_of("knee")


@check("path-exported-python")
def path_exported_python():
    """An exported Python script writes what the command writes, as one undo step."""
    import runpy

    def run_script():
        with temporary_folder() as folder:
            with open(f"{folder}/limits.py", "w", encoding="utf-8") as stream:
                stream.write(exported_script())
            runpy.run_path(f"{folder}/limits.py", run_name="__main__")

    expected, found = limits_by(run_script)
    assert all(abs(a - b) < 1e-9 for a, b in zip(expected, found)), (expected, found)
    cmds.undo()
    assert not limits_of("knee")[3], "it is not one undo step"


@check("path-batch")
def path_batch():
    """The batch gives the same limits as the command, in a process of its own."""
    import subprocess

    from jointlimits_maya.batch.__main__ import NAME, maya_python, worker_environment

    load_ours()
    chain()
    with temporary_folder() as folder:
        save_as(f"{folder}/leg.ma")
        expected = json.loads(cmds.estimateJointLimits("hip"))["joints"]
        manifest = {
            "format": "jointlimits.manifest",
            "version": 1,
            "characters": [{"name": "leg", "scene": "leg.ma"}],
        }
        with open(f"{folder}/library.json", "w", encoding="utf-8") as stream:
            json.dump(manifest, stream)
        done = subprocess.run(
            [maya_python(), "-m", NAME, "--manifest", "library.json", "--out", "out"],
            cwd=folder,
            env=dict(worker_environment()),
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-500:]
        name = next(n for n in os.listdir(f"{folder}/out") if n.endswith(".limits.json"))
        with open(f"{folder}/out/{name}", encoding="utf-8") as stream:
            found = json.load(stream)["joints"]
    for joint, limit in expected.items():
        assert found[joint]["limits"] == limit["limits"], joint
