"""Long clips: the same results in bounded memory, on disks that are full, and when stopped."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.long_clip import write_long_bvh
from benchmarks.motion_files import amc_text, asf_text, bvh_text, channel_values
from jointlimits_core.base import PARTS, Cancelled, DiskSpaceError
from jointlimits_core.estimation import EstimateOptions, estimate_pooled, write_summary
from jointlimits_core.formats import amc, read_bvh, read_motion, text, tokens
from jointlimits_core.formats.bvh import BvhError
from jointlimits_core.io import ReadLimits, source_file
from jointlimits_core.limits import write_limit_set
from jointlimits_core.motion import Motion, out_of_core, screen
from tests.formats.test_bvh import HEADER, write
from tests.support.shared_data import shared

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.bvh"))
ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="needs signals and files without names")

ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


@pytest.fixture
def everything_is_large(monkeypatch):
    """Call it, and from then on small clips go the way of large ones."""

    def go(piece: int = 777) -> None:
        monkeypatch.setattr(out_of_core, "LARGE_BYTES", 100)
        monkeypatch.setattr(text, "HELD_BYTES", 100)
        monkeypatch.setattr(text, "PIECE", piece)
        monkeypatch.setattr(tokens, "CHUNK_NUMBERS", 500)
        monkeypatch.setattr(amc, "CHUNK_NUMBERS", 500)

    return go


def content_of(motion: Motion) -> tuple:
    """Everything that a reader gives, comparable to the bit."""
    arrays = {**motion.translations, "rotations": motion.rotations, "rotates": motion.rotates}
    contents = {name: np.ascontiguousarray(array).tobytes() for name, array in arrays.items()}
    bones = motion.skeleton
    about = bones.names, bones.rotate_orders, motion.frame_rate, motion.findings, motion.animated
    return contents, motion.frames.tobytes(), motion.source, about


def results(motion: Motion, folder: Path, **options) -> tuple[bytes, bytes]:
    """Bytes of the limit set and of the summary."""
    folder.mkdir(exist_ok=True)
    limit_set, summary = estimate_pooled([motion], EstimateOptions(**options))
    write_limit_set(limit_set, folder / "found.limits.json")
    write_summary(summary, folder / "found.summary.npz")
    return tuple(path.read_bytes() for path in sorted(folder.glob("found.*")))


def both_ways(path: Path, large, folder: Path, skeleton: Path | None = None, **options) -> Motion:
    """Read and estimate in memory and from the disk, and compare; gives the large motion."""
    here = read_motion(path, skeleton=skeleton)
    expected = content_of(here), results(here, folder / "here", **options)
    large()
    there = read_motion(path, skeleton=skeleton)
    assert out_of_core._mapping(there.rotations) is not None
    assert out_of_core._mapping(there.rotates) is not None
    assert out_of_core._mapping(here.rotations) is None
    assert (content_of(there), results(there, folder / "there", **options)) == expected
    return there


@pytest.mark.thorough
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_come_out_the_same(path, tmp_path, everything_is_large):
    both_ways(path, everything_is_large, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "options", [{"samples": 50}, {"frame": "advised"}, {"mode": "paper"}, {"rest": "frame:3"}]
)
def test_options_come_out_the_same(options, tmp_path, everything_is_large):
    path = write(tmp_path, bvh_text(channel_values(6, 300)))
    both_ways(path, everything_is_large, tmp_path, **options)


def broken_clip(folder: Path) -> Path:
    """An inserted rest pose, flips of the Euler branch, spikes, a joint that rests, positions."""
    random = np.random.default_rng(4)
    values = channel_values(8, 400, seed=4)
    values[1, :, 100:140] += np.array([180.0, 180.0, 180.0])[:, None]
    values[1, 1, 100:140] = 180.0 - (values[1, 1, 100:140] - 180.0)
    values[2, 0] += np.where(np.arange(400) == 245, 70.0, 0.0)
    values[3] = 0.0
    values[4, 0] = np.where(np.cumsum(random.uniform(0, 9, 400)) % 360 > 180, 1.0, -1.0) * 170.0
    values[5, 1] = 89.0 * np.sin(np.arange(400) / 20.0)
    values[6:, 0] += 90.0
    values[:, :, :20] = 0.0
    text = bvh_text(values).replace(
        "Zrotation Xrotation Yrotation", "Zrotation Yrotation Xrotation"
    )
    return write(folder, text, "broken.bvh")


@pytest.mark.thorough
def test_what_screening_says_and_leaves_out_is_the_same(tmp_path, everything_is_large):
    motion = both_ways(broken_clip(tmp_path), everything_is_large, tmp_path)
    limit_set, _ = estimate_pooled([motion], EstimateOptions())
    of_joints = [one for joint in limit_set.joints.values() for one in joint.findings]
    rules = {one.rule for one in [*limit_set.findings, *of_joints]}
    assert {"inserted-pose", "euler-flip", "spike", "never-moves", "gimbal"} <= rules


def test_rotations_without_channels_are_screened_the_same(tmp_path, everything_is_large):
    motion = replace(read_bvh(broken_clip(tmp_path)), rotates=None)
    here = screen(motion)
    everything_is_large()
    there = screen(motion)
    assert out_of_core._mapping(here.rotates) is None
    assert out_of_core._mapping(there.rotates) is not None
    assert np.array_equal(here.rotates, there.rotates)
    assert np.array_equal(here.motion.rotations, there.motion.rotations)
    assert here.findings == there.findings


def test_positions_of_every_joint_lie_on_the_disk_as_well(tmp_path, everything_is_large):
    channels = "3 Zrotation Xrotation Yrotation"
    six = "6 Xposition Zrotation Xrotation Yposition Yrotation Zposition"
    text = bvh_text(channel_values(4, 50)).replace(f"CHANNELS {channels}", f"CHANNELS {six}")
    head, _, rows = text.partition("Frame Time: 0.0083333\n")
    rows = "".join(f"{row} {row[:80].rsplit(' ', 1)[0]}\n" for row in rows.splitlines())
    width = 6 * 4
    lines = [" ".join((row.split() * 2)[:width]) for row in rows.splitlines()]
    path = write(tmp_path, head + "Frame Time: 0.0083333\n" + "\n".join(lines))
    motion = both_ways(path, everything_is_large, tmp_path)
    assert sorted(motion.translations) == [0, 1, 2, 3]
    assert all(out_of_core._mapping(place) is not None for place in motion.translations.values())


@pytest.mark.thorough
def test_acclaim_comes_out_the_same(tmp_path, everything_is_large):
    skeleton = write(tmp_path, asf_text(6), "made.asf")
    path = write(tmp_path, amc_text(channel_values(6, 200)), "made.amc")
    both_ways(path, everything_is_large, tmp_path, skeleton)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, 26, 5))
def test_real_clips_come_out_the_same(number, tmp_path, everything_is_large):
    found = shared("data/mocap").rglob("*")
    paths = sorted(path for path in found if path.suffix in (".bvh", ".amc"))
    if number >= len(paths):
        pytest.skip("fewer clips than that")
    path = paths[number]
    skeletons = sorted(path.parent.glob("*.asf"))
    both_ways(path, everything_is_large, tmp_path, skeletons[0] if skeletons else None)


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
    limits = ReadLimits(max_line_bytes=4000)
    found = []
    for step in (lambda: None, lambda: everything_is_large(piece)):
        step()
        with pytest.raises(BvhError) as caught:
            read_bvh(path, limits)
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
    assert out_of_core._mapping(here.rotations) is None


@pytest.mark.parametrize(
    "changed",
    [CLIP.replace("150 2 3", "150 9 3"), CLIP + ROWS, CLIP[: len(CLIP) // 2], "x" * 9000],
    ids=["a digit", "longer", "shorter", "a long line"],
)
def test_a_file_that_changes_while_it_is_read_is_refused(changed, tmp_path, everything_is_large):
    path = write(tmp_path, CLIP)
    everything_is_large()
    clip = text.open_clip(path, ReadLimits(max_line_bytes=4000), BvhError)
    path.write_text(changed)
    with pytest.raises(BvhError, match="changed while it was read"):
        list(clip.lines())


def test_a_file_that_changes_behind_its_last_frame_is_refused(
    tmp_path, everything_is_large, monkeypatch
):
    path = write(tmp_path, CLIP + "the end\n" * 500)
    everything_is_large(100)
    checked = text.open_clip

    def changed_then(*arguments):
        clip = checked(*arguments)
        path.write_text(CLIP + "the END\n" * 500)
        return clip

    monkeypatch.setattr("jointlimits_core.formats.bvh.open_clip", changed_then)
    with pytest.raises(BvhError, match="changed while it was read"):
        read_bvh(path)


# --- limits, progress ------------------------------------------------------------------------


def test_limits_of_long_clips_hold_before_the_disk_is_taken(
    tmp_path, everything_is_large, monkeypatch
):
    path = write(tmp_path, CLIP)
    everything_is_large()
    written = []
    append = out_of_core.ScratchFile.append
    monkeypatch.setattr(
        out_of_core.ScratchFile,
        "append",
        lambda self, values: written.append(values.nbytes) or append(self, values),
    )
    with pytest.raises(BvhError, match="more than 900 numbers; raise the option max_clip_numbers"):
        read_bvh(path, ReadLimits(max_clip_numbers=900))
    assert 0 < sum(written) <= 8 * 900
    with pytest.raises(BvhError, match="max_clip_bytes"):
        read_bvh(path, ReadLimits(max_clip_bytes=1000))


def test_a_frame_of_few_joints_counts_as_more_than_its_channels(tmp_path):
    path = write(tmp_path, CLIP)
    with pytest.raises(BvhError, match="channels in all frames together"):
        read_bvh(path, ReadLimits(max_clip_numbers=60 * 200 - 1))
    assert read_bvh(path, ReadLimits(max_clip_numbers=60 * 200)).frame_count == 200


@pytest.mark.parametrize("kind", ["bvh", "amc"])
def test_progress_is_reported_from_nothing_to_all(kind, tmp_path, everything_is_large):
    skeleton = write(tmp_path, asf_text(6), "made.asf")
    values = channel_values(6, 200)
    path = write(tmp_path, bvh_text(values) if kind == "bvh" else amc_text(values), f"made.{kind}")
    everything_is_large(1000)
    seen = []
    read_motion(path, skeleton=skeleton, progress=lambda *step: seen.append(step) or True)
    done = [now for now, _, _ in seen]
    assert {total for _, total, _ in seen} == {PARTS}
    assert done == sorted(done)
    assert 0 < done[0] < 0.01 * PARTS
    assert done[-1] == PARTS
    assert max(np.diff(done)) < 0.05 * PARTS
    words = {label.split()[0] for _, _, label in seen}
    assert words == {"checking", "reading", "sorting", "turning"}


@pytest.mark.parametrize("word", ["checking", "reading", "sorting", "turning"])
def test_every_step_can_be_cancelled(word, tmp_path, everything_is_large):
    path = write(tmp_path, bvh_text(channel_values(6, 200)))
    everything_is_large(1000)
    with pytest.raises(Cancelled, match=word):
        read_motion(path, progress=lambda done, total, label: not label.startswith(word))


# --- the arrays ------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [0, 1 << 30], ids=["on the disk", "in memory"])
def test_arrays_made_by_rows(most, monkeypatch):
    monkeypatch.setattr(out_of_core, "LARGE_BYTES", most)
    whole = np.random.default_rng(1).standard_normal((7, 3, 5000))
    array = out_of_core.by_rows(7, (3, 5000), lambda row: whole[row])
    assert np.array_equal(array, whole)
    assert array.flags.c_contiguous
    assert (out_of_core._mapping(array) is None) == (most > 0)
    chosen = np.array([0, 3, 4999])
    assert np.array_equal(out_of_core.select_columns(array, chosen), whole[:, :, chosen])
    parts = list(out_of_core.blocks(array, size=2 * array[0].nbytes))
    assert parts == [slice(0, 2), slice(2, 4), slice(4, 6), slice(6, 8)]
    out_of_core.release(array[1:, 1:2, 7:9])
    out_of_core.release(array)
    assert np.array_equal(array, whole)


def test_large_arrays_cannot_be_written_to(monkeypatch):
    monkeypatch.setattr(out_of_core, "LARGE_BYTES", 0)
    array = out_of_core.by_rows(2, (3,), lambda row: np.full(3, row, float))
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 1.0


@pytest.mark.thorough
@ON_LINUX
def test_what_was_looked_at_is_let_go_of(monkeypatch):
    monkeypatch.setattr(out_of_core, "LARGE_BYTES", 0)
    rows, size = 20, 1 << 20
    array = out_of_core.by_rows(rows, (size,), lambda row: np.full(size, row, float))

    def held() -> int:
        status = Path("/proc/self/status").read_text()
        return 1024 * sum(map(int, re.findall(r"Rss(?:File|Shmem):\s*(\d+)", status)))

    before = held()
    assert array.sum() == size * 190.0
    assert held() - before > 0.9 * array.nbytes
    out_of_core.release(array)
    assert held() - before < 0.1 * array.nbytes


def test_a_full_disk_is_reported_before_it_is_full(monkeypatch, tmp_path):
    monkeypatch.setattr(out_of_core, "LARGE_BYTES", 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    room = shutil.disk_usage(tmp_path).free
    with pytest.raises(DiskSpaceError, match="TMPDIR") as caught:
        out_of_core.by_rows(2, (room // 8,), lambda row: np.zeros(room // 8))
    assert str(caught.value).startswith(f"{tmp_path}: a long clip needs ")
    assert not any(tmp_path.iterdir())


# --- processes -------------------------------------------------------------------------------

LOW = """
import sys
from jointlimits_core.formats import text, tokens
from jointlimits_core.motion import out_of_core
out_of_core.LARGE_BYTES, text.HELD_BYTES = 1 << 20, 1 << 20
tokens.CHUNK_NUMBERS = 1 << 16
"""


def child(program: str, *arguments: str, **options) -> subprocess.Popen:
    command = [sys.executable, "-c", LOW + program, *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=ROOT, **pipes, **options)


@pytest.mark.thorough
@ON_POSIX
def test_a_disk_that_fills_up_is_one_named_error(tmp_path):
    path = tmp_path / "clip.bvh"
    write_long_bvh(path, 10, 10_000)
    # A limit on the size of files stands for the disk.
    program = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 20, 2 << 20))
from jointlimits_core.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
    folder = tmp_path / "scratch"
    folder.mkdir()
    arguments = ["estimate", str(path), "--out", str(tmp_path / "out")]
    run = child(program, *arguments, env={**os.environ, "TMPDIR": str(folder)})
    _, stderr = run.communicate(timeout=60)
    assert run.returncode == 1
    assert f"jointlimits: {folder}: a long clip needs " in stderr
    assert (
        "MB already written; free some space, or set the environment variable TMPDIR to a folder"
        in stderr
    )
    assert "Traceback" not in stderr
    assert not any(folder.iterdir())
    assert not (tmp_path / "out").exists() or not any((tmp_path / "out").iterdir())


@pytest.mark.thorough
@ON_POSIX
def test_nothing_is_left_of_a_process_that_is_killed(tmp_path):
    path = tmp_path / "clip.bvh"
    write_long_bvh(path, 10, 10_000)
    program = """
from jointlimits_core.formats import read_motion
motion = read_motion(sys.argv[1])
assert out_of_core._mapping(motion.rotations) is not None
print("ready", flush=True)
sys.stdin.read()
"""
    folder = tmp_path / "scratch"
    folder.mkdir()
    environment = {**os.environ, "TMPDIR": str(folder)}
    run = child(program, str(path), env=environment, stdin=subprocess.PIPE)
    assert run.stdout.readline() == "ready\n"
    run.send_signal(signal.SIGKILL)
    run.communicate(timeout=60)
    assert run.returncode == -signal.SIGKILL
    assert not any(folder.iterdir())


@pytest.mark.slow
@ON_LINUX
def test_memory_does_not_grow_with_a_clip(tmp_path):
    peaks = []
    # What `getrusage` says of a process begins with what its parent had in use.
    program = """
from jointlimits_core.cli.main import main
code = main(sys.argv[1:])
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
sys.exit(code)
"""
    for frames in (10_000, 100_000):
        path = tmp_path / f"{frames}.bvh"
        write_long_bvh(path, 20, frames)
        run = child(program, "estimate", str(path), "--out", str(tmp_path))
        printed, stderr = run.communicate(timeout=300)
        assert run.returncode == 0, stderr
        peaks.append(int(printed.splitlines()[-1]) * 1024)
    assert peaks[0] < 100e6
    # The arrays of the long one are 112 MB and its text is 63 MB.
    assert peaks[1] - peaks[0] < 30e6
