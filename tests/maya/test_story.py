"""A production shot from beginning to end: estimate, apply, undo, redo, clear.

A referenced character in a namespace, on an animation layer, with a constraint in the shot, limits
of somebody else's, a locked and a connected limit. The scene's state is compared after every step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.maya_standin import installed
from tests.maya_standin.graph import Plug
from tests.maya_standin.state import state_lines
from tests.support import maya_characters as characters
from tests.support.house_files import ROOT
from tests.support.shared_data import shared_path

FRAMES = 240


def made_up_leg(session):
    characters.leg(session, FRAMES)
    return "pelvis", ["hip"], "knee"


def from_mocap(session):
    from jointlimits_core.formats.registry import read_motion

    folder = shared_path("data/mocap/cmu_asfamc/02")
    motion = read_motion(folder / "02_05.amc", skeleton=folder / "02.asf", frame_rate=120.0)
    characters.from_motion(session, motion, FRAMES)
    return "root", ["lhumerus", "rhumerus", "upperback"], "lwrist"


def load_module(session):
    """The module as Maya finds it, and its plug-in."""
    from maya import cmds

    session.environment["MAYA_MODULE_PATH"] = str(ROOT)
    cmds.loadModule(scan=True)
    cmds.loadModule(load="jointLimits")
    cmds.loadPlugin("jointLimits.py")


@pytest.fixture(params=[made_up_leg, from_mocap], ids=["made up", "CMU 02"])
def shot(request, tmp_path) -> Iterator:
    with installed() as session:
        load_module(session)
        root, layered, constrained = request.param(session)
        characters.reference_scene(session, tmp_path, "char")
        scene = session.scene
        by_name = {joint.short_name: joint for joint in characters.joints_of(scene, "char")}
        characters.add_layer(session, [by_name[name] for name in layered], frames=FRAMES)
        characters.constrain(session, by_name[constrained], FRAMES)
        theirs, locked = by_name[layered[0]], by_name[root]
        scene.set_value(Plug(theirs, "minRotXLimit"), -3.0)
        scene.set_value(Plug(theirs, "minRotXLimitEnable"), True)
        scene.set_locked(Plug(locked, "maxRotYLimit"), True)
        scene.modified = False
        session.undo_queue.flush()
        session.root = f"char:{root}"
        session.theirs = theirs.name
        yield session


def state(session) -> list[str]:
    """Lines of the scene's state; the note that it needs saving is no part of an undo."""
    return [line for line in state_lines(session.scene) if not line.startswith("file ")]


def values(lines: list[str]) -> list[str]:
    """Without what references keep of edits: clearing is an edit, too."""
    return [line for line in lines if not line.startswith("  edit ")]


@pytest.mark.thorough
def test_estimate_apply_undo_redo_clear(shot):
    from maya import cmds

    cmds.select(shot.root)
    cmds.flushUndo()
    untouched, before = state_lines(shot.scene), state(shot)

    limits = cmds.estimateJointLimits(limitRoot=True)
    assert state_lines(shot.scene) == untouched, "to the bit, with selection, time and saved flag"
    assert not cmds.undoInfo(query=True, undoName=True)

    reported = json.loads(cmds.applyJointLimits(limits=limits))
    applied = state(shot)
    assert applied != before
    assert reported["written"]
    assert any(one["joint"] == shot.theirs for one in reported["skipped"]), (
        "limits of others are left"
    )
    assert {one["reason"] for one in reported["skipped"]} >= {"has limits already", "locked"}
    assert all(one["advice"] for one in reported["skipped"])

    cmds.undo()
    assert state(shot) == before
    cmds.redo()
    assert state(shot) == applied

    again = json.loads(cmds.applyJointLimits(limits=limits))
    assert not again["written"]
    assert state(shot) == applied

    cmds.undo()
    assert state(shot) == before, "applying again left nothing on the undo queue"
    cmds.redo()

    cmds.clearJointLimits()
    assert values(state(shot)) == values(before)
    cmds.undo()
    assert state(shot) == applied


def narrow(limit_set):
    """Every limited channel cut to the middle half of its range."""
    data = json.loads(limit_set)
    for joint in data["joints"].values():
        for limit in joint["limits"].values():
            if limit["state"] == "limited":
                quarter = 0.25 * (limit["max_deg"] - limit["min_deg"])
                limit["min_deg"] += quarter
                limit["max_deg"] -= quarter
    return json.dumps(data)


@pytest.mark.thorough
def test_limits_that_clamp_are_not_learned(shot):
    """Tight limits, switched on: a second estimate sees the motion and not the limits."""
    from maya import cmds

    first = cmds.estimateJointLimits(shot.root)
    scene = shot.scene
    channels = [f"{scene.partial_path(j)}.rotateX" for j in characters.joints_of(scene, "char")]
    shown = [cmds.getAttr(channel, time=FRAMES // 2) for channel in channels]
    cmds.applyJointLimits(shot.root, limits=narrow(first), mayMove=True, replace=True)
    clamped = [cmds.getAttr(channel, time=FRAMES // 2) for channel in channels]
    assert shown != clamped, "the limits do clamp what the joints show"
    second = cmds.estimateJointLimits(shot.root)
    assert without_declarations(second) == without_declarations(first)


def without_declarations(limit_set):
    """What was estimated, without notes on limits that are declared now and clamp."""
    data = json.loads(limit_set)
    return {
        name: {key: joint[key] for key in ("type", "limits", "evidence", "rest", "preferred_deg")}
        for name, joint in data["joints"].items()
    }
