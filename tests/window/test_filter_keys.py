"""Filter keys in the window: in Maya's scene as one undo, outside Maya in the copy."""

from __future__ import annotations

import pytest

from jointlimits_core.base.progress import Cancelled
from tests.support.window_alone import shown_message
from tests.support.window_answers import choose_file
from tests.support.window_standin import maya_that_opens_the_window, opened

#: A knee whose keys, ten frames apart, are a whole turn further from frame 41 on.
FRAMES = range(1, 82, 10)
X = [5, 20, 40, 60, 410, 420, 405, 390, 370]
SCENE = "".join(
    f"{line}\n"
    for line in (
        "//Maya ASCII 2024 scene",
        'requires maya "2024";',
        "currentUnit -l centimeter -a degree -t film;",
        'createNode joint -n "Hips";',
        'createNode joint -n "Knee" -p "Hips";',
        '\tsetAttr ".ty" -40;',
        'createNode animCurveTA -n "Knee_rotateX";',
        '\tsetAttr ".tan" 2;',
        f'\tsetAttr -s {len(X)} ".ktv[0:{len(X) - 1}]"  '
        + " ".join(f"{frame} {value}" for frame, value in zip(FRAMES, X))
        + ";",
        'connectAttr "Knee_rotateX.o" "Knee.rx";',
    )
)
QUESTION = (
    "9 frames between runs change, by up to 180 degrees.\n\n"
    "Knee: 5 keys filtered; poses change between frames 31 and 41 by up to 180 degrees"
)


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "walk.ma"
    path.write_text(SCENE)
    return path


def answering(window, monkeypatch, answer):
    """What the window asks from now on; it gets this answer."""
    asked = []

    def choose(text, answers):
        asked.append((text, tuple(answers)))
        return answer

    monkeypatch.setattr(window.questions, "choose", choose)
    return asked


def test_outside_maya_the_copy_is_filtered_and_the_scene_stays(scene, tmp_path, qtbot, monkeypatch):
    from jointlimits_maya.ui.application import open_window
    from jointlimits_maya.ui.host.standalone import StandaloneHost

    window = open_window(None, [str(scene)], None, StandaloneHost(tmp_path / "own"))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=20_000)
    copy = tmp_path / "copy.ma"
    choose_file(monkeypatch, copy)
    asked = answering(window, monkeypatch, "Cancel")
    with pytest.raises(Cancelled):
        window.scene.filter_keys()
    assert asked == [(QUESTION, ("Filter keys", "Cancel"))]
    answering(window, monkeypatch, "Filter keys")
    window.scene.filter_keys()
    assert "5 keys of 1 joint filtered" in shown_message(window)
    assert "in the copy that Apply writes" in shown_message(window)
    window.scene.apply_limits()
    assert "5 keys of 1 joint filtered" in shown_message(window)
    assert "41 50 51 60 61 45 71 30 81 10;" in copy.read_text()
    assert scene.read_text() == SCENE


def test_in_maya_it_asks_and_one_undo_reverts_it(scene, tmp_path, qtbot, monkeypatch, qapp):
    with maya_that_opens_the_window(tmp_path, monkeypatch, scene) as session:
        from maya import cmds

        window = opened(session, qtbot)
        before = cmds.keyframe("Knee_rotateX", query=True, valueChange=True)
        asked = answering(window, monkeypatch, "Filter keys")
        action = window.actions_by_name["filter_keys"]
        assert action.isEnabled()
        action.trigger()
        assert [text for text, _ in asked] == [QUESTION]
        assert "5 keys of 1 joint filtered" in shown_message(window)
        after = cmds.keyframe("Knee_rotateX", query=True, valueChange=True)
        assert after == pytest.approx([5, 20, 40, 60, 50, 60, 45, 30, 10])
        cmds.undo()
        assert cmds.keyframe("Knee_rotateX", query=True, valueChange=True) == before
