"""Our dataclasses behave like the standard ones."""

from __future__ import annotations

import dataclasses

import pytest

from jointlimits_core.base import records


def made(decorator, **options):
    """A class with a field that is not compared and one that is not shown."""

    @decorator(**options)
    class Pose:
        name: str
        angles: tuple[float, ...] = ()
        note: str = dataclasses.field(default="", compare=False)
        secret: int = dataclasses.field(default=0, repr=False)

    return Pose


@pytest.mark.parametrize("options", [{}, {"frozen": True}, {"eq": False}])
def test_text_comparison_and_hash_are_those_of_the_standard_library(options):
    values = [("a", (1.0,)), ("a", (1.0,), "other note"), ("a", (1.0,), "", 1), ("b",)]
    ours, theirs = (
        [made(decorator, **options)(*one) for one in values]
        for decorator in (records.dataclass, dataclasses.dataclass)
    )
    for one, same in zip(ours, theirs):
        assert repr(one) == repr(same)
        assert [one == other for other in ours] == [same == other for other in theirs]
        assert one != same
        if options == {"frozen": True}:
            assert hash(one) == hash(same)
    assert (type(ours[0]).__hash__ is None) == (type(theirs[0]).__hash__ is None)


def test_a_frozen_one_takes_no_value_and_loses_none():
    pose = made(records.dataclass, frozen=True)("a")
    for name in ("name", "secret", "unknown"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(pose, name, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        del pose.name
    assert dataclasses.replace(pose, name="b").name == "b"
    made(records.dataclass)("a").name = "b"
