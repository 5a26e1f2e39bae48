"""Small scenes for the checks, made with commands."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile

import maya.api.OpenMaya as om
from maya import cmds


def node_of(name):
    """A node by its name."""
    return om.MSelectionList().add(name).getDependNode(0)


def curve_of(joint, attribute="rotateX"):
    return cmds.listConnections(f"{joint}.{attribute}", source=True, destination=False)[0]


def keyed_joint(name="knee", values=(0.0, 90.0), frames=(1, 10), attribute="rotateX"):
    """Make a joint with linear keys on one channel; return its name."""
    cmds.select(clear=True)
    joint = cmds.joint(name=name)
    for frame, value in zip(frames, values):
        cmds.setKeyframe(
            joint,
            attribute=attribute,
            time=frame,
            value=value,
            inTangentType="linear",
            outTangentType="linear",
        )
    return joint


def chain():
    """A hip, a knee and an ankle; the knee bends from 10 to 80 degrees in frames 1 to 8."""
    cmds.select(clear=True)
    hip = cmds.joint(name="hip", position=(0, 20, 0))
    knee = cmds.joint(name="knee", position=(0, 10, 1))
    ankle = cmds.joint(name="ankle", position=(0, 0, 0))
    for frame in range(1, 9):
        for joint, value in ((hip, 5.0 * frame), (knee, 10.0 * frame), (ankle, -2.0 * frame)):
            cmds.setKeyframe(joint, attribute="rotateX", time=frame, value=value)
    return hip, knee, ankle


@contextlib.contextmanager
def temporary_folder():
    """A folder that is removed afterwards, with forward slashes as Maya writes them."""
    folder = tempfile.mkdtemp(prefix="jointlimits_live_")
    try:
        yield folder.replace(os.sep, "/")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def save_as(path):
    """Save the open scene as Maya ASCII."""
    cmds.file(rename=path)
    cmds.file(save=True, force=True, type="mayaAscii")
    return path


def open_file(path, **more):
    return cmds.file(path, open=True, force=True, prompt=False, executeScriptNodes=False, **more)


def referenced_joint(folder):
    """A scene that references a saved joint with active limits of 45 degrees."""
    joint = keyed_joint()
    cmds.transformLimits(joint, rotationX=(-45, 45), enableRotationX=(True, True))
    path = save_as(f"{folder}/rig.ma")
    cmds.file(newFile=True, force=True)
    cmds.file(path, reference=True, namespace="rig")
    return "rig:knee"


def error_of(work, *arguments, **more):
    """Text of the RuntimeError that a call raises; AssertionError if it raises none."""
    try:
        work(*arguments, **more)
    except RuntimeError as error:
        return str(error).strip()
    raise AssertionError("no error was raised")
