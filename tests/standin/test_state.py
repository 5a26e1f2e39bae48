"""The hash of a scene changes with everything that the scene is."""

from __future__ import annotations

import math

import pytest

from tests.maya_standin import Session
from tests.support.maya_opening import JOINTS, opened

CHANGES = {
    "value": lambda scene: scene.set_value(scene.plug("knee.rx"), 0.1),
    "smallest change of a value": lambda scene: scene.set_value(
        scene.plug("hip.tx"), math.nextafter(1.0, 2.0)
    ),
    "lock": lambda scene: scene.set_locked(scene.plug("knee.rx"), True),
    "unlock": lambda scene: scene.set_locked(scene.plug("knee.ry"), False),
    "connection": lambda scene: scene.connect(scene.plug("hip.rx"), scene.plug("knee.rx")),
    "node": lambda scene: scene.create_node("transform", "new"),
    "name": lambda scene: scene.rename(scene.node("knee"), "shin"),
    "parent": lambda scene: scene.reparent(scene.node("knee"), None),
    "selection": lambda scene: scene.select([scene.node("knee")]),
    "keyable": lambda scene: scene.set_keyable(scene.plug("knee.rx"), False),
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_changes_the_hash_and_undo_brings_it_back(tmp_path, name):
    session = Session()
    scene = opened(tmp_path, JOINTS, session=session)
    before = session.scene_hash()
    with scene.journal.group() as group:
        CHANGES[name](scene)
    # The modified flag is part of the hash; here the change itself has to show.
    scene.modified = False
    after = session.scene_hash()
    assert after != before
    group.undo()
    scene.modified = False
    assert session.scene_hash() == before
    group.redo()
    scene.modified = False
    assert session.scene_hash() == after


def test_time_and_units_are_part_of_the_hash_and_the_undo_queue_is_not(tmp_path):
    session = Session()
    scene = opened(tmp_path, JOINTS, session=session)
    before = session.scene_hash()
    session.undo_queue.open_chunk("x")
    assert session.scene_hash() == before
    scene.set_time(2.0)
    moved = session.scene_hash()
    scene.units.angle = "rad"
    assert len({before, moved, session.scene_hash()}) == 3
