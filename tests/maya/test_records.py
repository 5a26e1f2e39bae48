"""Records on joints: damaged ones are not believed, those of a rig's file are not taken away."""

from __future__ import annotations

import json

import pytest

from tests.maya.test_writing import apply_limits
from tests.support.maya_open_scenes import (
    clear_limits,
    open_changed,
    person_file,
    set_value,
    state,
    stored_deg,
    value,
)
from tests.support.maya_scenes import write_scene

RECORD = "jointLimitsProvenance"
REFERRING = 'file -r -ns "{ns}" -rfn "{ns}RN" -typ "mayaAscii" "{file}";\n'


def put(*keys):
    """A change of a record: the last of the keys is the new value."""

    def damage(data):
        for key in keys[:-2]:
            data = data[key]
        data[keys[-2]] = keys[-1]

    return damage


FRAME = {"jointOrient": [0.0, 0.0, 0.0], "rotateAxis": [0.0, 0.0, 0.0], "rotateOrder": 0}
BACKUP = {"channels": {}, "matrices": [], "holders": [], "turned": False, "changed": False}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "damage",
    [
        put("before", "translateX", 500.0),
        put("before", "nobody", 1.0),
        put("before", "minRotXLimit", float("nan")),
        put("before", "minRotXLimit", float("inf")),
        put("before", "minRotXLimit", True),
        put("before", "minRotXLimit", "0"),
        put("before", "minRotXLimit", None),
        put("before", "minRotXLimitEnable", 1.0),
        put("written", "preferredAngleX", [1.0]),
        put("before", {"minRotXLimit": 0.0}),
        put("locks", {"translateX": True}),
        put("locks", {"rotateX": 1}),
        put("switched_off", ["visibility"]),
        put("switched_off", ["minRotXLimit"]),
        put("clips", [1]),
        put("references", "0"),
        put("frame", {"before": FRAME, "given": {**FRAME, "rotateOrder": 6}}),
        put("frame", {"before": {**FRAME, "jointOrient": [0.0, 1.0]}, "given": FRAME}),
        put("backup", {**BACKUP, "channels": {"visibility": [0.0, 1.0]}}),
        put("backup", {**BACKUP, "channels": {"rotateX": [0.0]}}),
        put("backup", {**BACKUP, "channels": {"rotateX": ["0", 1.0]}}),
    ],
)
def test_a_damaged_record_is_reported_and_the_others_are_cleared(person, damage):
    apply_limits()
    data = json.loads(value(person, f"knee.{RECORD}"))
    damage(data)
    set_value(person, f"knee.{RECORD}", json.dumps(data))
    result = clear_limits()
    (one,) = result.skipped
    assert (one.joint, one.reason) == ("knee", "unreadable record")
    assert "written by another version or edited by hand" in one.advice
    assert {"ankle", "hip", "tail"} <= set(result.restored)
    assert stored_deg(person, "knee.maxRotXLimit") == pytest.approx(140.0)
    noted = [name for name in ("ankle", "hip", "tail") if RECORD in person.scene.node(name).dynamic]
    assert not noted


@pytest.mark.parametrize("text", ["[" * 100_000, '{"before":1e999}', "null", "", '"text"'])
def test_texts_that_are_no_record(person, text):
    from jointlimits_maya.scene.record import Provenance

    assert Provenance.from_json(text) is None


def in_a_shot(maya, folder, rig, ns="rig", shot="shot.ma"):
    """The open scene saved as a rig, and a shot that refers to it opened."""
    from maya import cmds

    if rig is not None:
        cmds.file(rename=str(folder / rig))
        cmds.file(save=True, type="mayaAscii")
    file = rig or "person.ma"
    open_changed(maya, write_scene(folder, REFERRING.format(ns=ns, file=file), shot))
    return maya


def edits(session):
    return "\n".join(map(str, session.scene.references[0].edits))


def test_a_record_that_the_rig_brought_along_stays_empty(person, tmp_path):
    apply_limits()
    in_a_shot(person, tmp_path, "limited.ma")
    assert stored_deg(person, "rig:knee.maxRotXLimit") == pytest.approx(140.0)
    result = clear_limits()
    assert "rig:knee" in result.restored
    assert not value(person, "rig:knee.maxRotXLimitEnable")
    assert "deleteAttr" not in edits(person)
    assert not json.loads(value(person, f"rig:knee.{RECORD}"))["before"]
    # It is as if there were none.
    assert "rig:knee" in clear_limits().untouched
    before = state(person)
    apply_limits()
    assert clear_limits().restored
    assert [line for line in state(person) if "edit" not in line] == [
        line for line in before if "edit" not in line
    ]


def test_a_record_that_the_shot_added_goes(maya, tmp_path):
    person_file(tmp_path)
    in_a_shot(maya, tmp_path, None)
    apply_limits()
    assert value(maya, f"rig:knee.{RECORD}")
    clear_limits()
    knee = maya.scene.node("rig:knee")
    assert RECORD not in knee.dynamic
