"""`read_motion`: the formats that it reads, and its messages about other files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from jointlimits_core.base.errors import InputError
from jointlimits_core.formats.asf import read_asf
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.io.input import source_file
from tests.formats.test_acclaim import AMC, ASF
from tests.formats.test_bvh import ARM
from tests.support.small_files import write


def message(path: Path | str, **options) -> str:
    with pytest.raises(InputError) as caught:
        read_motion(path, **options)
    return str(caught.value)


@pytest.mark.parametrize("name", ["a.bvh", "a.BVH", "a.txt", "a", "a.amc", "a.ma"])
def test_a_bvh_by_its_content(tmp_path, name):
    assert read_motion(write(tmp_path, "\ufeff\r\n" + ARM, name)).frame_count == 2
    assert read_motion(str(write(tmp_path, ARM, name))).frame_count == 2


@pytest.mark.parametrize("name", ["b.amc", "b.txt", "b.bvh"])
def test_an_amc_with_its_skeleton(tmp_path, name):
    arm = write(tmp_path, ASF, "arm.asf")
    clip = write(tmp_path, AMC, name)
    for skeleton in (arm, str(arm), read_asf(arm)):
        assert read_motion(clip, skeleton).joint_names == ("root", "upper", "lower", "tip")
    assert read_motion(clip, arm, frame_rate=60).frame_rate == 60


def test_an_amc_without_keywords_by_its_name(tmp_path):
    text = AMC[AMC.index("1\n") :]
    arm = write(tmp_path, ASF, "arm.asf")
    assert read_motion(write(tmp_path, text, "b.amc"), arm).frame_count == 2


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.asf", ASF.encode(), "skeleton without motion"),
        ("a.txt", ASF.encode(), "skeleton without motion"),
        ("a.mb", b"FOR8\0\0\0\0MayaHEAD", "save it as Maya ASCII"),
        ("a.ma", b"FOR4\0\0\0\0MayaHEAD", "save it as Maya ASCII"),
        ("a.fbx", b"Kaydara FBX Binary  \0", "is cut short in its header"),
        ("a.bin", b"; FBX 7.7.0 project file\n", "is not an FBX file: it has no FBX section"),
        ("a.c3d", b"\x02\x50\0\0", "markers"),
        ("a.usda", b"#usda 1.0\n", "expected a .npz, .amc, .bvh, .fbx or .ma file"),
        ("a", b"hello", "expected a .npz, .amc, .bvh, .fbx or .ma file"),
        ("a.bvh", b"", "is empty"),
        ("a.ma", b"", "is empty"),
        ("a.bvh", bytes(range(156, 256)) + b"\0", "binary"),
        ("a.bvh", b"hello", "not a BVH file"),
    ],
)
def test_messages_about_other_files(tmp_path, name, data, expected):
    assert expected in message(write(tmp_path, data, name))


def test_paths_that_are_no_files(tmp_path):
    assert "directory" in message(tmp_path)
    assert "file not found" in message(tmp_path / "none.bvh")
    assert "not a valid path" in message("a\0b.bvh")
    assert "not a valid path" in message("a\ud800b.bvh")
    with pytest.raises(InputError, match="is a directory"):
        source_file(tmp_path)


@pytest.mark.skipif(
    sys.platform == "win32" or (hasattr(os, "geteuid") and os.geteuid() == 0),
    reason="needs a file that this user may not read",
)
def test_a_file_without_permission(tmp_path):
    path = write(tmp_path, ARM, "a.bvh")
    path.chmod(0)
    assert "cannot be read" in message(path)
