"""Our dataclasses behave like the standard ones."""

from __future__ import annotations

import dataclasses
import inspect

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


def test_arguments_and_signature_are_those_of_the_standard_library():
    ours, theirs = (made(one, frozen=True) for one in (records.dataclass, dataclasses.dataclass))
    for given, named in (((), {}), (range(5), {}), (("a",), {"name": "b"}), (("a",), {"nome": 1})):
        messages = []
        for cls in (ours, theirs):
            with pytest.raises(TypeError) as caught:
                cls(*given, **named)
            messages.append(str(caught.value))
        assert messages[0] == messages[1]
    assert inspect.signature(ours) == inspect.signature(theirs)
    assert dataclasses.asdict(ours("a")) == dataclasses.asdict(theirs("a"))


def test_a_factory_makes_a_value_for_each_and_named_tuples_keep_defaults_and_methods():
    @records.dataclass
    class Held:
        values: list[int] = dataclasses.field(default_factory=list)

    class Span(records.NamedTuple):
        """Start and end."""

        start: float
        end: float = 1.0

        @property
        def width(self) -> float:
            return self.end - self.start

    Held().values.append(1)
    assert Held().values == []
    assert (Span(0.25), Span(0.25).width, Span.__doc__) == ((0.25, 1.0), 0.75, "Start and end.")
