"""Pipes and devices in place of files: refused by whoever reads files of others, never waited for.

A test that fails here may hang, so each has an alarm.
"""

from __future__ import annotations

import os
import re
import signal

import pytest

from jointlimits_core.base.errors import InputError
from jointlimits_core.batch.grouping import found_files, naming_of_list, skeleton_key
from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.batch.motion_files import main
from jointlimits_core.estimation.summary_file import read_summary
from jointlimits_core.formats.c3d_header import checked_header
from jointlimits_core.formats.read_bodies import read_bodies, read_marker_groups
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.importers.read import read_limits
from jointlimits_core.io.input import DEFAULT_LIMITS, open_regular, read_start, source_file
from jointlimits_core.io.json import check_replaceable, json_text
from jointlimits_core.limits.limit_set import read_limit_set
from tests.support.batch_manifests import contents, write_library
from tests.support.house_files import ROOT

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes in files")
SECONDS = 90

MOTION_FILE, FILE = "choose a motion file in it", "choose a file in it"
READERS = {
    "hash": ("x.bvh", source_file, FILE),
    "bvh": ("x.bvh", read_motion, MOTION_FILE),
    "ma": ("x.ma", read_motion, MOTION_FILE),
    "limit set": ("x.json", read_limit_set, "choose a .limits.json file written by this program"),
    "manifest": ("x.json", read_manifest, "give the path of a manifest (a JSON file)"),
    "summary": ("x.summary.npz", read_summary, FILE),
    "table of characters": ("x.csv", naming_of_list, MOTION_FILE),
    "hierarchy": ("x.bvh", skeleton_key, FILE),
    "bodies": ("x.csv", read_bodies, MOTION_FILE),
    "c3d": ("x.c3d", lambda path: checked_header(path, DEFAULT_LIMITS), MOTION_FILE),
    "marker groups": ("x.json", read_marker_groups, MOTION_FILE),
    "declared limits": ("x.asf", read_limits, MOTION_FILE),
    "json": ("x.json", lambda path: json_text(path, InputError, "as asked"), "as asked"),
}
"""File, its reader, and the advice where there is a directory instead."""


@pytest.fixture(autouse=True)
def alarm():
    def ring(number, frame):
        raise TimeoutError("a pipe was waited for")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def made_a_pipe(path):
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("name", READERS)
def test_no_reader_waits_for_a_pipe(tmp_path, name):
    file, reader, _ = READERS[name]
    path = made_a_pipe(tmp_path / file)
    with pytest.raises(InputError, match="is a pipe or a device, not a file") as raised:
        reader(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("name", READERS)
def test_no_reader_takes_an_endless_device_or_a_directory(tmp_path, name):
    file, reader, advice = READERS[name]
    path = tmp_path / file
    if os.path.exists("/dev/zero"):
        path.symlink_to("/dev/zero")
        with pytest.raises(InputError, match="is a pipe or a device, not a file"):
            reader(path)
        path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match=rf"is a directory; {re.escape(advice)}$"):
        reader(path)


def test_a_companion_may_be_no_pipe(tmp_path):
    clip = tmp_path / "x.amc"
    clip.write_text(":FULLY-SPECIFIED\n1\nroot 0 0 0 0 0 0\n")
    with pytest.raises(InputError, match="is a pipe or a device, not a file"):
        read_motion(clip, skeleton=made_a_pipe(tmp_path / "x.asf"))


def test_what_takes_the_place_of_a_file_after_it_was_looked_at(tmp_path, monkeypatch):
    path = made_a_pipe(tmp_path / "x.bvh")
    monkeypatch.setattr("jointlimits_core.io.input.check_regular", lambda *_: None)
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    with pytest.raises(InputError, match="is a pipe or a device, not a file"):
        open_regular(path, InputError).__enter__()
    assert not before or len(os.listdir("/proc/self/fd")) == before


def test_a_file_that_grows_is_read_no_further_than_was_agreed(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b"12345")
    assert read_start(path, 3, InputError) == (b"123", 5)
    assert read_start(path, 30, InputError) == (b"12345", 5)
    assert read_start(path, 3, InputError, whole=True) == (b"", 5)  # refused by its size
    assert read_start(path, 5, InputError, whole=True) == (b"12345", 5)


def test_a_file_that_says_it_is_empty_is_read(tmp_path):
    """Files of the system have no size and yet an end."""
    if not os.path.exists("/proc/self/status"):
        pytest.skip("a system without such files")
    data, size = read_start("/proc/self/status", 1 << 20, InputError)
    assert size == len(data) > 100


def test_a_lent_file_is_waited_for(tmp_path, monkeypatch):
    """A file server answers a question that may not wait with "later"."""
    path, opened = tmp_path / "x.bvh", os.open
    path.write_bytes(b"123")

    def lend(name, flags, *more):
        if flags & os.O_NONBLOCK:
            raise BlockingIOError
        return opened(name, flags, *more)

    monkeypatch.setattr(os, "open", lend)
    assert read_start(path, 9, InputError) == (b"123", 3)


def test_nothing_is_replaced_that_is_a_pipe(tmp_path):
    with pytest.raises(InputError, match="left unchanged"):
        check_replaceable(made_a_pipe(tmp_path / "x.json"), "jointlimits.x", "x", "name another")


def test_pipes_below_a_folder_are_left_out_of_a_manifest_and_listed(tmp_path):
    write_library(tmp_path, 1)
    names = ["pipe.bvh", "pipe.amc", "pipe.ma"]
    for name in names:
        made_a_pipe(tmp_path / name)
    found, left_out = found_files(tmp_path)
    assert [file.path.name for file in found] == ["clip_00.bvh"]
    assert left_out == dict.fromkeys(
        sorted(names), "is a pipe or a device, not a file; save its content as a file first"
    )


@pytest.mark.thorough
def test_a_batch_with_pipes_in_place_of_files_goes_on(tmp_path, capfd):
    manifest, out = write_library(tmp_path, 4), tmp_path / "out"
    arguments = ["--manifest", str(manifest), "--out", str(out)]
    clip = tmp_path / "clip_01.bvh"
    text = clip.read_text()
    made_a_pipe(clip)
    assert main(arguments) == 1
    printed = capfd.readouterr().out
    assert "actor 01: failed: clip_01.bvh: is a pipe or a device, not a file" in printed
    assert "3 ok, 1 failed, 0 missing" in printed
    clip.unlink()
    clip.write_text(text)
    result, limits = next(out.glob("actor_02-*.result.json")), next(out.glob("actor_03-*.limits.*"))
    made_a_pipe(result)
    made_a_pipe(limits)
    assert main([*arguments, "--resume"]) == 74
    assert f"{result}: nothing reads this pipe; start its reader first" in capfd.readouterr().err
    assert result.is_fifo()
    result.unlink()
    assert main([*arguments, "--resume"]) == 1
    printed = capfd.readouterr().out
    assert f"actor 03: failed: {limits.name}: not written by a batch, or changed since" in printed
    assert "3 ok, 1 failed, 0 missing" in printed
    limits.unlink()
    assert main(arguments) == 0
    assert main([*arguments[:3], str(tmp_path / "undisturbed")]) == 0
    kept = {name: data for name, data in contents(out).items() if (out / name).is_file()}
    assert kept == contents(tmp_path / "undisturbed")


OPENED = re.compile(r"(?<![\w.])open\(|read_bytes\(|\bread_text\(\s*(?:encoding|\")|np\.load\(")
OWN = re.compile(
    r"__file__|os\.devnull|PROGRAM\.|program\.read_text|with_name\(|with_suffix\(|\(PROGRAMS|/proc/|FILE\.read"
)
ELSEWHERE = {
    "jointlimits_core/io/logs.py",  # looked at before, and written to
    "jointlimits_core/exporters/usd.py",  # made by itself a moment ago
    "jointlimits_core/io/output.py",  # the same
    "jointlimits_core/cli/demo.py",  # its own clip
}


@pytest.mark.thorough
def test_files_of_others_are_opened_in_one_place():
    places = set()
    for folder in ("jointlimits_core", "scripts", "plug-ins"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            lines = path.read_text(encoding="utf-8").splitlines()
            own = {n for n, line in enumerate(lines) if OWN.search(line)}
            places |= {
                path.relative_to(ROOT).as_posix()
                for number, line in enumerate(lines)
                if OPENED.search(line) and not own & {number, number - 1, number - 2}
            }
    assert places - ELSEWHERE == {"jointlimits_core/io/input.py"}
    assert places >= ELSEWHERE
