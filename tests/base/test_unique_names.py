"""Names that stand for one thing each."""

from __future__ import annotations

import pytest

from jointlimits_core.base.text import FreeNames, printable, short_paths, unique_names


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a", "a"], ["a", "a_2", "a_3"]),
        (["a_2", "a", "a", "a"], ["a_2", "a", "a_3", "a_4"]),
        (["a", "a", "a_2"], ["a", "a_2", "a_2_2"]),
        (["", ""], ["joint", "joint_2"]),
        (["a\x1b", "a\x1b"], ["a\\x1b", "a\\x1b_2"]),
        ([], []),
    ],
)
def test_names_that_are_taken_get_a_number(names, expected):
    assert unique_names(names, printable) == expected


def test_the_pattern_can_be_another():
    free = FreeNames(["walk"], "{} ({})")
    names = [free.reserve(name) for name in ("walk", "walk", "run")]
    assert names == ["walk (2)", "walk (3)", "run"]


def test_braces_in_a_name_are_letters_like_others():
    assert unique_names(["{0}", "{0}"], str) == ["{0}", "{0}_2"]


def test_what_is_alike_is_for_the_caller_to_say():
    free = FreeNames(["Bob"], "{} {}", key=str.casefold)
    assert [free.reserve(name) for name in ("BOB", "bob", "Bob 2")] == ["BOB 2", "bob 3", "Bob 2 2"]


def test_thousands_of_one_name_do_not_take_the_square():
    asked = []

    def count(name: str) -> str:
        asked.append(name)
        return name

    free = FreeNames(key=count)
    assert len({free.reserve("a") for _ in range(5_000)}) == 5_000
    assert len(asked) < 4 * 5_000


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["a/b/walk.bvh", "a/c/run.bvh"], ["walk.bvh", "run.bvh"]),
        (["a/b/walk.bvh", "a/c/walk.bvh", "walk.bvh"], ["b/walk.bvh", "c/walk.bvh", "walk.bvh"]),
        (["C:\\a\\walk.bvh", "C:\\b\\walk.bvh"], ["a/walk.bvh", "b/walk.bvh"]),
        (["a/walk.fbx (run)", "a/walk.fbx (fall)"], ["walk.fbx (run)", "walk.fbx (fall)"]),
    ],
)
def test_paths_are_as_short_as_tells_them_apart(paths, expected):
    assert list(short_paths(paths).values()) == expected
