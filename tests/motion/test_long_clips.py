"""Long clips: read in pieces with the same words, refused beyond memory, and when stopped."""

from __future__ import annotations

import re

import numpy as np
import pytest

from benchmarks.motion_files import amc_text, asf_text, bvh_text, channel_values
from jointlimits_core.base.errors import InputError
from jointlimits_core.base.progress import PARTS, Cancelled
from jointlimits_core.formats import text
from jointlimits_core.formats.bvh import BvhError, read_bvh
from jointlimits_core.formats.registry import ReadRequest, read_motion
from jointlimits_core.io import input
from jointlimits_core.io.input import ReadLimits, source_file
from jointlimits_core.motion.motion import Motion
from tests.formats.test_bvh import HEADER
from tests.support.budgets import budget
from tests.support.small_files import write


@pytest.fixture
def everything_is_large(monkeypatch):
    """Call it, and from then on small clips are read in pieces."""

    def go(piece: int = 777) -> None:
        monkeypatch.setattr(text, "PIECE_BYTES", piece)

    return go


def content_of(motion: Motion) -> tuple:
    """Everything that a reader gives, comparable to the bit."""
    arrays = {**motion.translations, "rotations": motion.rotations, "rotates": motion.rotates}
    contents = {name: np.ascontiguousarray(array).tobytes() for name, array in arrays.items()}
    bones = motion.skeleton
    about = bones.names, bones.rotate_orders, motion.frame_rate, motion.findings, motion.animated
    return contents, motion.frames.tobytes(), motion.source, about


# --- text ------------------------------------------------------------------------------------

ROWS = "".join(f"{n} 2 3 30 20 {n % 7}.5 0 0 90\n" for n in range(200))
CLIP = HEADER + "MOTION\nFrames: 200\nFrame Time: 0.05\n" + ROWS
BROKEN = {
    "a word": CLIP.replace("150 2 3", "150 two 3"),
    "not finite": CLIP.replace("150 2 3", "150 inf 3"),
    "not finite, then a word": CLIP.replace("50 2 3", "50 nan 3", 1).replace("150 2 3", "150 x 3"),
    "two that are not finite": CLIP.replace("50 2 3", "50 -1e999 3"),
    "a number too few": CLIP.replace("150 2 3", "150 3"),
    "a number too many": CLIP.replace("150 2 3", "150 2 3 4"),
    "a decimal comma": CLIP.replace("150 2 3", "150 2,5 3"),
    "a zero byte": CLIP.replace("150 2 3", "150 \0 3"),
    "a long line": CLIP.replace("150 2 3", "150 2" + " " * 5000 + "3"),
    "no frames": HEADER + "MOTION\nFrames: 200\nFrame Time: 0.05\n" + "\n" * 500,
    "only white space": " \n" * 500,
    "UTF-16": CLIP.encode("utf-16"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("piece", [100, 777, 1 << 20])
@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_errors_have_the_same_words_and_places(name, end, piece, tmp_path, everything_is_large):
    content = BROKEN[name]
    data = content if isinstance(content, bytes) else content.replace("\n", end).encode()
    path = write(tmp_path, data)
    limits = budget(max_line_bytes=4000)
    found = []
    for step in (lambda: None, lambda: everything_is_large(piece)):
        step()
        with pytest.raises(BvhError) as caught:
            read_bvh(path, ReadRequest(limits=limits))
        found.append(str(caught.value))
    assert found[0] == found[1]


ODD = {
    "incomplete and was dropped": CLIP[:-12],
    "text after it": CLIP + "that is all\n" * 300,
    "another number of frames": CLIP.replace("Frames: 200", "Frames: 7"),
    "frames over several lines": re.sub(r" (30|0) ", r"\n\1 ", CLIP.partition("MOTION")[2]),
    "all in one line": ROWS.replace("\n", " "),
    "empty lines": CLIP.replace("\n150", "\n\n \n150"),
    "no line end": CLIP[:-1],
}


@pytest.mark.parametrize("piece", [3, 100, 1 << 20])
@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_odd_files_read_the_same(name, end, piece, tmp_path, everything_is_large):
    content = ODD[name]
    if not content.startswith(HEADER):
        start = "MOTION\n" if "Frames" in content else "MOTION\nFrames: 200\nFrame Time: 0.05\n"
        content = HEADER + start + content.lstrip("\n")
    path = write(tmp_path, b"\xef\xbb\xbf" + content.replace("\n", end).encode())
    here = read_bvh(path)
    everything_is_large(piece)
    assert content_of(read_bvh(path)) == content_of(here)
    assert here.source == source_file(path)


# --- limits, progress ------------------------------------------------------------------------


def test_a_clip_beyond_the_budget_is_refused(tmp_path, everything_is_large):
    path = write(tmp_path, CLIP)
    everything_is_large()
    with pytest.raises(BvhError, match="more than 900 numbers; raise the option max_numbers"):
        read_bvh(path, ReadRequest(limits=ReadLimits(max_numbers=900)))
    with pytest.raises(BvhError, match="max_bytes"):
        read_bvh(path, ReadRequest(limits=ReadLimits(max_bytes=1000)))


@pytest.mark.parametrize("kind", ["bvh", "amc"])
def test_a_clip_that_memory_cannot_hold_is_refused_with_the_size_that_fits(
    kind, tmp_path, monkeypatch
):
    skeleton = write(tmp_path, asf_text(6), "made.asf")
    values = channel_values(6, 200)
    path = write(tmp_path, bvh_text(values) if kind == "bvh" else amc_text(values), f"made.{kind}")
    monkeypatch.setattr(input, "memory_bytes", lambda: 60 * 1024)
    with pytest.raises(InputError) as caught:
        read_motion(path, skeleton=skeleton)
    assert "has more than 1,024 " in str(caught.value)
    assert ", the most that fit into 60 KB of memory; split it" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_frame_of_few_joints_counts_as_more_than_its_channels(tmp_path):
    path = write(tmp_path, CLIP)
    with pytest.raises(BvhError, match="channel values in all frames"):
        read_bvh(path, ReadRequest(limits=ReadLimits(max_numbers=60 * 200 - 1)))
    assert read_bvh(path, ReadRequest(limits=ReadLimits(max_numbers=60 * 200))).frame_count == 200


@pytest.mark.parametrize("kind", ["bvh", "amc"])
def test_progress_is_reported_from_nothing_to_all(kind, tmp_path, everything_is_large):
    skeleton = write(tmp_path, asf_text(6), "made.asf")
    values = channel_values(6, 200)
    path = write(tmp_path, bvh_text(values) if kind == "bvh" else amc_text(values), f"made.{kind}")
    everything_is_large(500)
    seen = []
    read_motion(path, skeleton=skeleton, progress=lambda *step: seen.append(step) or True)
    done = [now for now, _, _ in seen]
    assert {total for _, total, _ in seen} == {PARTS}
    assert done == sorted(done)
    assert 0 < done[0] < 0.01 * PARTS
    assert done[-1] == PARTS
    assert max(np.diff(done)) < 0.05 * PARTS
    words = {label.split()[0] for _, _, label in seen}
    assert words == {"reading", "sorting", "turning"}


@pytest.mark.parametrize("word", ["reading", "sorting", "turning"])
def test_every_step_can_be_cancelled(word, tmp_path, everything_is_large):
    path = write(tmp_path, bvh_text(channel_values(6, 200)))
    everything_is_large(1000)
    with pytest.raises(Cancelled, match=word):
        read_motion(path, progress=lambda done, total, label: not label.startswith(word))
