"""Where nobody knows what Maya does: the product is right with the worse belief and the kinder."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.maya.test_orientation_restore import RECORDS, apply, clear, limits_in_other_frames
from tests.maya.test_reorient_live import NAMES, SKIN_LINKS, arm_file
from tests.maya_standin import installed
from tests.maya_standin.graph import Plug
from tests.maya_standin.quirks import KIND, WORST
from tests.support import maya_characters as characters
from tests.support.maya_open_scenes import joints, open_changed, person_file, state
from tests.support.maya_projecting import keyed_arm, rotate_of, shapes

FORMS = {"node": {}, "plain nodes": {"plain_nodes": True}}
BELIEFS = {"worst": WORST, "kind": KIND}


@pytest.fixture(params=["worst", pytest.param("kind", marks=pytest.mark.thorough)])
def maya(request):
    """Maya under both beliefs."""
    with installed(quirks=BELIEFS[request.param]) as session:
        yield session


@pytest.fixture
def mayapy(request, tmp_path):
    """Maya without a window, as mayapy brings it up."""
    with installed(batch=True, quirks=WORST) as session:
        session.environment["MAYA_APP_DIR"] = str(tmp_path / "app")
        session.start_up()
        yield session


def back_and_forth(maya, before, after):
    """Undo and redo twice; the scene is as before, then as after."""
    from maya import cmds

    for _ in range(2):
        cmds.undo()
        assert state(maya) == before
        cmds.redo()
        assert state(maya) == after


# Reconnecting in one modifier ---------------------------------------------------------------------


def project_and_stop(maya, jointlimits, **form):
    """Project the keyed arm, undo and redo that; stop projecting, undo and redo that, too."""
    before = state(maya)
    jointlimits.project_live({"shoulder": shapes()["box"]}, **form)
    projected = state(maya)
    back_and_forth(maya, before, projected)
    jointlimits.stop_projecting("shoulder")
    assert state(maya) == before
    back_and_forth(maya, projected, before)


@pytest.mark.parametrize("form", FORMS)
def test_a_projection_of_keyed_channels_can_be_undone(maya, cmds, jointlimits, form):
    keyed_arm(cmds)
    project_and_stop(maya, jointlimits, **FORMS[form])


def test_a_projection_of_a_driven_compound_can_be_undone(maya, cmds, jointlimits):
    keyed_arm(cmds)
    for axis in "XYZ":
        cmds.delete(f"shoulder_rotate{axis}")
    cmds.createNode("transform", name="driver")
    cmds.connectAttr("driver.rotate", "shoulder.rotate")
    project_and_stop(maya, jointlimits)


def test_one_projection_replaces_another(maya, cmds, jointlimits):
    keyed_arm(cmds)
    jointlimits.project_live({"shoulder": shapes()["box"]}, plain_nodes=True)
    plain = state(maya)
    jointlimits.project_live({"shoulder": shapes()["obb"]})
    back_and_forth(maya, plain, state(maya))


# Keys that replace keys ---------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["R", "C"])
def test_joints_oriented_again_keep_their_keys_when_undone(maya, tmp_path, mode, undo):
    from jointlimits_maya.write.limits import WriteOptions, plan_limits

    open_changed(maya, arm_file(tmp_path))
    apply(mode, limits_in_other_frames(1))
    before = state(maya)
    options = WriteOptions(reorient=mode, replace=True, may_move=True)
    edit, result = plan_limits(limits_in_other_frames(2), joints(), options)
    assert set(result.frames.joints) == set(NAMES)
    undo.run(edit)
    back_and_forth(maya, before, state(maya))


def test_new_curves_are_not_weighted(maya, tmp_path, cmds, oma):
    """Place 14: those of createNode are, whatever the preference says."""
    open_changed(maya, arm_file(tmp_path))
    apply("R", limits_in_other_frames(1))
    ours = [node for node in maya.scene.nodes if node.is_a("animCurve") and node.keys]
    assert ours
    assert not any(node.keys.weighted for node in ours)


# The plug-in matrixNodes --------------------------------------------------------------------------


def test_mayapy_loads_the_matrix_nodes_for_plain_nodes(mayapy):
    from maya import cmds

    jointlimits = importlib.import_module("jointlimits_maya")
    keyed_arm(cmds)
    assert not cmds.pluginInfo("matrixNodes", query=True, loaded=True)
    jointlimits.project_live({"shoulder": shapes()["box"]}, plain_nodes=True)
    assert cmds.pluginInfo("matrixNodes", query=True, loaded=True)
    shown = [text for kind, text in mayapy.messages if kind == "info"]
    assert any("loaded Maya's plug-in matrixNodes" in text for text in shown)
    count = len(mayapy.messages)
    jointlimits.stop_projecting("shoulder")
    jointlimits.project_live({"shoulder": shapes()["box"]}, plain_nodes=True)
    assert len(mayapy.messages) == count  # once is enough


def test_without_the_matrix_nodes_there_is_one_sentence_and_no_change(mayapy):
    from maya import cmds

    jointlimits = importlib.import_module("jointlimits_maya")
    from jointlimits_maya.base.host import SceneError

    mayapy.missing_plugins.add("matrixNodes")
    keyed_arm(cmds)
    before = state(mayapy)
    with pytest.raises(SceneError, match=r"plug-in matrixNodes.* cannot be loaded .*Plug-in Man"):
        jointlimits.project_live({"shoulder": shapes()["box"]}, plain_nodes=True)
    assert state(mayapy) == before
    # The plug-in's own node needs none of them.
    assert jointlimits.project_live({"shoulder": shapes()["box"]}).is_complete


# What was never set, and what does not exist ------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("unset", ["identity", "null", "error"])
@pytest.mark.parametrize("mode", ["R", "C"])
def test_joints_that_were_never_bound_are_oriented(maya, tmp_path, mode, unset):
    maya.quirks = replace(maya.quirks, unset_matrix=unset)
    open_changed(maya, arm_file(tmp_path))
    before = state(maya)
    apply(mode)
    clear()
    assert state(maya) == before


def test_reading_makes_no_elements(maya, tmp_path):
    """A dagPose with local matrices alone, and one whose member has none at all."""
    from tests.support.maya_reading import from_scene

    records = RECORDS.replace('\tsetAttr ".xm[1]"', '\tsetAttr ".xm[7]"')
    links = SKIN_LINKS.replace('"bindPose1.wm[0]"', '"skin.pm[9]"')
    open_changed(maya, arm_file(tmp_path, records, links))
    before = state(maya)
    assert from_scene().skeleton.rest_source == "dagPose"
    apply("C")
    clear()
    assert state(maya) == before


# Records, neighbours, undo ------------------------------------------------------------------------


def test_records_come_back_when_clearing_is_undone(maya, tmp_path, undo):
    from jointlimits_maya.write.clear import plan_clear
    from jointlimits_maya.write.limits import WriteOptions, plan_limits

    from tests.support.limit_set_examples import limit_set

    open_changed(maya, person_file(tmp_path))
    before = state(maya)
    undo.run(plan_limits(limit_set(), joints(), WriteOptions(may_move=True))[0])
    written = state(maya)
    assert any("jointLimitsProvenance = '{" in line for line in written)
    undo.run(plan_clear(joints())[0])
    assert state(maya) == before
    back_and_forth(maya, written, before)


def test_neighbours_of_removed_nodes_stay(maya, cmds, jointlimits):
    """An artist's utility node that reads a projection's node is not deleted with it."""
    keyed_arm(cmds)
    cmds.createNode("multiplyDivide", name="reader")
    jointlimits.project_live({"shoulder": shapes()["box"]}, plain_nodes=True)
    (driver,) = {
        source.node
        for end, source in maya.scene.connections.items()
        if end.node.name == "shoulder" and end.path == "rotateX"
    }
    maya.scene.connect(Plug(driver, "outColorR"), Plug(maya.scene.node("reader"), "input1X"))
    before = state(maya)
    jointlimits.stop_projecting("shoulder")
    assert cmds.objExists("reader")
    assert rotate_of(cmds, frame=10) == pytest.approx(np.radians([30.0, -20.0, 70.0]))
    back_and_forth(maya, before, state(maya))


def test_edits_work_where_undo_is_off(mayapy):
    jointlimits = importlib.import_module("jointlimits_maya")
    from maya import cmds

    assert not cmds.undoInfo(query=True, state=True)
    characters.leg(mayapy)
    mayapy.scene.modified = True
    before = state(mayapy)
    limits = jointlimits.estimate("rig")
    assert jointlimits.apply(limits, "rig").written
    assert jointlimits.clear("rig").restored
    assert state(mayapy) == before
    assert not mayapy.undo_queue.done


# Errors of the API --------------------------------------------------------------------------------


def test_errors_of_the_api_are_one_sentence(maya, cmds, jointlimits, undo):
    from jointlimits_maya.base.host import MayaRefusedError
    from jointlimits_maya.scene.edit import SceneEdit

    before = state(maya)
    edit = SceneEdit("Unknown")
    edit.modify(lambda m: m.createNode("multMatrix"))
    edit.modify(lambda m: m.createNode("noSuchNode"))
    with pytest.raises(MayaRefusedError, match="scene was restored: unknown node type noSuchNode"):
        undo.run(edit)
    assert state(maya) == before
    assert not maya.undo_queue.done


# Numpy, and what compute leaves -------------------------------------------------------------------


def test_numpy_is_found_where_pip_put_it(maya, cmds, tmp_path, monkeypatch):
    from jointlimits_maya.base import host

    folder = host.site_packages()
    found = importlib.import_module

    def only_there(name, *more):
        if name == "numpy" and str(folder) not in sys.path:
            raise ModuleNotFoundError("No module named 'numpy'", name="numpy")
        return found(name, *more)

    monkeypatch.setattr(host.importlib, "import_module", only_there)
    assert not host.is_numpy_installed()
    folder.mkdir(parents=True)
    assert host.is_numpy_installed()
    assert sys.path.count(str(folder)) == 1
    assert host.is_numpy_installed()
    assert sys.path.count(str(folder)) == 1


def test_batch_looks_for_numpy_where_it_advises_to_put_it(mayapy, tmp_path, monkeypatch):
    from jointlimits_maya.base import host
    from jointlimits_maya.batch import __main__ as program

    from jointlimits_core.batch import command

    there = iter([False, True])
    monkeypatch.setattr(host, "is_numpy_installed", lambda: next(there))
    assert "pip install --target" in program.numpy_advice()
    assert program.numpy_advice() == ""
    ran = []
    monkeypatch.setattr(command, "batch_main", lambda *given: ran.append(given) or 0)
    monkeypatch.setattr(program, "numpy_advice", lambda: "")
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert program.main([]) == 0
    assert ran


def test_the_whole_output_is_clean_after_compute(maya, cmds, jointlimits, monkeypatch):
    from tests.maya_standin.open_maya.data_block import MDataBlock

    keyed_arm(cmds)
    jointlimits.project_live({"shoulder": shapes()["box"]})
    cleaned, clean = [], MDataBlock.setClean

    def noted(self, what):
        result = clean(self, what)
        cleaned.extend(self.clean[-1:])
        return result

    monkeypatch.setattr(MDataBlock, "setClean", noted)
    rotate_of(cmds, frame=20)
    assert "outputRotate" in cleaned
