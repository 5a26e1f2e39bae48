"""Time left: shown when it can be foreseen, and only where somebody waits."""

from __future__ import annotations

import pytest

from jointlimits_core.base.progress import TimeLeft, duration, with_time_left


class Clock:
    """Clock that moves only when it is set."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def words_after(clock, left, done, total, seconds):
    clock.now += seconds
    left.update(done, total)
    return left.words()


def test_the_pace_so_far_says_when_it_ends(clock):
    left = TimeLeft(clock)
    assert words_after(clock, left, 0, 10, 0.0) == ""
    assert words_after(clock, left, 1, 10, 4.0) == ""  # too early to say
    assert words_after(clock, left, 2, 10, 4.0) == "about 32 s left"
    clock.now += 3.0
    assert left.words() == "about 29 s left"  # it goes down without any update
    assert left.seconds() == pytest.approx(29.0)
    assert words_after(clock, left, 10, 10, 5.0) == ""


def test_a_step_that_takes_longer_than_foreseen_is_not_promised_again(clock):
    left = TimeLeft(clock)
    left.update(0, 4)
    assert words_after(clock, left, 3, 4, 30.0) == "about 10 s left"
    clock.now += 11.0
    assert left.words() == ""


def test_short_work_is_not_worth_a_word(clock):
    left = TimeLeft(clock)
    left.update(0, 100)
    assert words_after(clock, left, 70, 100, 6.0) == ""
    assert words_after(clock, left, 71, 100, 30.0) != ""


def test_another_part_is_measured_anew(clock):
    left = TimeLeft(clock)
    left.update(0, 100)
    assert words_after(clock, left, 50, 100, 100.0) == "about 2 minutes left"
    assert words_after(clock, left, 0, 7, 0.0) == ""
    assert words_after(clock, left, 1, 7, 10.0) == "about 60 s left"
    # The same total, from the start again.
    assert words_after(clock, left, 0, 7, 1.0) == ""


def test_what_was_done_before_took_no_time(clock):
    left = TimeLeft(clock)
    left.update(0, 100)
    left.begin(90)
    assert words_after(clock, left, 91, 100, 10.0) == "about 2 minutes left"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (89.4, "89 s"), (90.0, "2 minutes"), (5340.0, "89 minutes"), (5400.0, "1.5 h")],
)
def test_lengths_of_time_are_as_people_say_them(seconds, words):
    assert duration(seconds) == words


def test_words_stand_behind_a_label_if_there_are_any(clock):
    left = TimeLeft(clock)
    left.update(0, 2)
    assert with_time_left("reading walk.bvh", left) == "reading walk.bvh"
    clock.now += 30.0
    left.update(1, 2)
    assert with_time_left("reading walk.bvh", left) == "reading walk.bvh, about 30 s left"
