"""The scene is left as it was, whatever happens while it is read."""

from __future__ import annotations

import pytest

from jointlimits_core.base.progress import Cancelled
from tests.support.maya_reading import fingerprint, from_scene, opened_text
from tests.support.maya_scenes import connect, curve

BODY = (
    'createNode joint -n "hip";\n\tsetAttr ".mrxe" yes;\n\tsetAttr ".mrxl" -1;\n'
    'createNode joint -n "knee" -p "hip";\n\tsetAttr ".xrxe" yes;\n\tsetAttr ".xrxl" 1;\n'
    + curve("c", [(0, -20), (10, 20)])
    + 'createNode animCurveTU -n "w";\n\tsetAttr -s 2 ".ktv[0:1]" 0 0 10 1;\n'
    'createNode pairBlend -n "pb";\n'
    + connect("c.o", "hip.rx")
    + connect("c.o", "pb.irx2")
    + connect("w.o", "pb.w")
    + connect("pb.orx", "knee.rx")
    + 'createNode joint -n "cape";\n'
    + connect("knee.rx", "cape.rx")
)


class TroubleError(Exception):
    pass


@pytest.fixture
def scene(maya, tmp_path):
    return opened_text(maya, tmp_path, BODY)


@pytest.mark.parametrize("modified", [True, False])
@pytest.mark.parametrize("auto_key", [True, False])
@pytest.mark.parametrize("recording", [True, False])
def test_everything_is_put_back(maya, scene, modified, auto_key, recording, cmds):
    from jointlimits_maya.scene.preserve import scene_untouched
    from maya.api.OpenMayaAnim import MAnimControl

    scene.select([scene.node("knee"), scene.node("c")])
    maya.auto_key, maya.undo_queue.recording, scene.modified = auto_key, recording, modified
    before = fingerprint(maya)

    def changes_all_and_fails():
        with scene_untouched():
            assert not MAnimControl.autoKeyMode()
            MAnimControl.setCurrentTime(MAnimControl.maxTime())
            MAnimControl.setAutoKeyMode(True)
            scene.select([])
            maya.undo_queue.recording = not recording
            cmds.evaluationManager(mode="serial")
            scene.modified = not modified
            raise TroubleError

    with pytest.raises(TroubleError):
        changes_all_and_fails()
    assert fingerprint(maya) == before
    assert cmds.evaluationManager(query=True, mode=True) == ["parallel"]


def test_what_was_not_changed_is_not_set(maya, scene):
    from jointlimits_maya.scene.preserve import scene_untouched

    maya.reset_counters()
    with scene_untouched():
        pass
    assert maya.counters["time_changes"] == 0


def test_reading_leaves_nothing_behind(maya, scene):
    scene.select([scene.node("knee")])
    scene.modified = False
    before = fingerprint(maya)
    motion = from_scene()
    assert motion.rotate_deg("hip")[0, 0] == pytest.approx(-20)
    assert fingerprint(maya) == before


def test_cancellation(maya, scene):
    for stop in range(60):
        asked = []
        before = fingerprint(maya)

        def progress(done, total, label, asked=asked, stop=stop):
            asked.append(label)
            return len(asked) <= stop

        try:
            from_scene(progress=progress)
        except Cancelled:
            assert fingerprint(maya) == before
        else:
            break
    assert stop > 10
    assert fingerprint(maya) == before


def test_a_failure_half_way(maya, scene, monkeypatch):
    from jointlimits_maya.read.evaluation import Evaluated

    calls = []

    def fails(driver):
        calls.append(scene.evaluator.value(scene.plug("knee.maxRotXLimitEnable")))
        raise TroubleError

    monkeypatch.setattr(Evaluated, "read", fails)
    before = fingerprint(maya)
    with pytest.raises(TroubleError):
        from_scene()
    # The limit was off when it failed.
    assert calls == [False]
    assert fingerprint(maya) == before
