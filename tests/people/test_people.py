"""Limits of several people, and the file that they are kept in."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pytest

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_axis_angle
from jointlimits_core.motion.motion import Motion
from jointlimits_core.people.neutral import PARTS
from jointlimits_core.people.people import MARGIN_DEG, People, Person, is_steady, measure_person
from jointlimits_core.people.people_file import (
    SHIPPED,
    PeopleError,
    read_people,
    shipped_people,
    write_people,
)
from tests.support.house_files import ROOT


@pytest.fixture(scope="module")
def human():
    return read_motion(ROOT / "examples" / "humanoid_rom.bvh").keep_frames(range(0, 1821, 6))


def knees(*bends):
    """People whose knees bend so far."""
    people = (Person(f"{n}", "", "", 1, {"knee": np.array([b, 0.0])}) for n, b in enumerate(bends))
    return People(tuple(people))


def test_a_limit_is_the_second_largest_with_a_margin():
    assert knees(90.0, 140.0, 130.0).limits()["knee"][0] == 140.0
    assert knees(90.0, 179.0, 130.0).limits()["knee"][0] == 130.0 + MARGIN_DEG
    assert knees(90.0, 179.0, 130.0).limits(rank=1, margin_deg=0.0)["knee"][0] == 179.0
    assert knees(90.0, 179.0, 130.0).limits(rank=3, margin_deg=0.0)["knee"][0] == 90.0


def test_each_person_counts_once():
    with pytest.raises(ValueError, match="'0' is given twice"):
        People((*knees(1.0).persons, *knees(1.0).persons))
    with pytest.raises(EstimationError, match="at least 2 people, not 1"):
        knees(1.0).limits()
    assert knees(90.0, 100.0, 110.0).count_beyond("knee", np.array([95.0, -95.0])) == 2


def test_a_flip_of_some_frames_moves_no_reach(human):
    known = measure_person([human], "a")
    flipped = human.rotations.copy()
    turn = quaternion_from_axis_angle([0.0, 0.0, 1.0], np.radians(150.0))
    row = human.skeleton.index("LeftHip")
    flipped[row, :, 100:104] = multiply(flipped[row, :, 100:104].T, turn).T
    other = Motion(human.skeleton, flipped, human.frames, human.frame_rate)
    moved = measure_person([other], "a").reaches
    for part, values in known.reaches.items():
        np.testing.assert_allclose(moved[part], values, atol=0.5, err_msg=part)


def test_runs_that_come_from_nowhere_do_not_count():
    turns = quaternion_from_axis_angle(
        [1.0, 0.0, 0.0], np.radians([0.0, 5.0, 10.0, 170.0, 175.0, 12.0, 15.0, 140.0])
    )
    assert is_steady("knee", turns).tolist() == [True] * 3 + [False] * 2 + [True] * 2 + [False]


def test_clips_of_one_person_have_one_skeleton(human):
    other = Motion.from_quaternions(["a"], [-1], np.ones((2, 1, 4)), 30.0)
    with pytest.raises(EstimationError, match="must have one skeleton"):
        measure_person([human, other], "a")
    with pytest.raises(EstimationError, match="person 'a' has no motion"):
        measure_person([], "a")


@pytest.fixture
def written(human, tmp_path):
    person = measure_person([human], "one", "made", "free")
    write_people(People((person, *knees(90.0).persons)), tmp_path / "people.npz")
    return tmp_path / "people.npz", person


def test_a_file_holds_what_was_written(written):
    path, person = written
    people = read_people(path)
    one, two = people.persons
    assert (one.name, one.source, one.licence, one.frames) == ("one", "made", "free", person.frames)
    for part, values in person.reaches.items():
        np.testing.assert_allclose(one.reaches[part], values, atol=0.006)
    assert list(two.reaches) == ["knee"]
    write_people(people, path.with_name("again.npz"))
    assert path.read_bytes() == path.with_name("again.npz").read_bytes()


def _rewritten(path, **changes):
    with np.load(path) as held:
        arrays = {name: held[name] for name in held.files}
    np.savez(path, **{**arrays, **changes})


def document(**changes):
    person = {"name": "one", "source": "", "licence": "", "frames": 1}
    data = {"format": "jointlimits.people", "version": 1, "persons": [person, {**person}]}
    return np.frombuffer(json.dumps({**data, **changes}).encode(), dtype=np.uint8)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"knee": np.full((2, 2), 181.0)}, "knee has an angle beyond 180 degrees"),
        ({"knee": np.full((2, 2), np.nan)}, "knee has non-finite values"),
        ({"knee": np.full((2, 2), -50.0)}, "knee ends before it begins"),
        ({"hip": np.full((2, 82), -1.0)}, "hip ends before it begins"),
        ({"knee": np.zeros((2, 3))}, r"knee has the shape \(2, 3\)"),
        ({"knee": np.zeros((2, 2), dtype=object)}, "knee is not an array of type <f8"),
        ({"document": document(version=2)}, "version: expected 1, found 2"),
        ({"document": document(persons=[])}, "persons: expected"),
        ({"document": document()}, "'one' is given twice"),
        ({"document": np.frombuffer(b"{", dtype=np.uint8)}, "incomplete"),
    ],
)
def test_hostile_files_are_rejected(written, changes, words):
    path, _ = written
    _rewritten(path, **changes)
    with pytest.raises(PeopleError, match=words):
        read_people(path)


def test_what_is_no_archive_of_people_is_rejected(tmp_path):
    path = tmp_path / "x.npz"
    with pytest.raises(PeopleError, match="file not found"):
        read_people(path)
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(PeopleError, match="not a people file, or damaged"):
        read_people(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("document.npy", b"0" * 10000)
    with pytest.raises(PeopleError, match="compressed or encrypted"):
        read_people(path)


def test_the_shipped_people_are_credited():
    people = shipped_people()
    assert 10 <= len(people) <= 12
    assert SHIPPED.stat().st_size < 300_000
    assert set(people.limits()) == set(PARTS)
    for one in people.persons:
        assert one.source.startswith("mocap.cs.cmu.edu: ")
        assert "NSF EIA-0196217" in one.licence
        assert one.frames > 30
