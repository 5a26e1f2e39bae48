"""Output files: whole or not at all."""

from __future__ import annotations

import os
import stat
import sys

import pytest

from jointlimits_core.base.errors import system_words
from jointlimits_core.io.output import atomic_output, owner, write_text_atomically


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_and_its_folders(tmp_path):
    text = "one\ntwo ø\r\nthree"
    write_text_atomically(tmp_path / "a" / "b" / "out.json", text)
    assert (tmp_path / "a/b/out.json").read_bytes() == text.encode()
    assert names(tmp_path / "a/b") == ["out.json"]


def test_an_old_file_is_replaced(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("a long old text")
    write_text_atomically(str(path), "new")
    assert path.read_text() == "new"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, MemoryError])
@pytest.mark.parametrize("existed", [True, False])
def test_nothing_is_left_of_work_that_failed(tmp_path, error, existed):
    path = tmp_path / "out.txt"
    if existed:
        path.write_text("old")

    def work():
        with atomic_output(path) as stream:
            stream.write(b"half of it")
            raise error

    with pytest.raises(error):
        work()
    assert names(tmp_path) == ["out.txt"] * existed
    assert not existed or path.read_text() == "old"


def test_where_a_file_is_in_the_way_of_the_folder(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="file"):
        write_text_atomically(tmp_path / "file" / "out", "text")
    assert names(tmp_path) == ["file"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_permissions_are_those_of_any_new_file(tmp_path, umask, mode):
    before = os.umask(umask)
    try:
        write_text_atomically(tmp_path / "out", "text")
        assert os.umask(umask) == umask
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == mode


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640])
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path, mode):
    (tmp_path / "out").touch()
    (tmp_path / "out").chmod(mode)
    write_text_atomically(tmp_path / "out", "text")
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == mode


@pytest.mark.skipif(os.name != "posix", reason="processes are asked as on POSIX")
def test_what_a_killed_process_left_of_the_same_file_goes(tmp_path):
    dead = owner().replace(str(os.getpid()), "99999999")
    left = f".out.{dead}.abcd1234.part"
    kept = [f".out.{owner()}.abcd1234.part", f".other.{dead}.abcd1234.part", ".out.mine.part"]
    for name in (left, *kept):
        (tmp_path / name).touch()
    write_text_atomically(tmp_path / "out", "text")
    assert names(tmp_path) == sorted([*kept, "out"])


def test_a_text_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "out"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text_atomically(path, "\ud800")
    assert path.read_text() == "old"
    assert names(tmp_path) == ["out"]


def test_the_file_that_is_in_the_way_is_named_whatever_the_system_names(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotADirectoryError) as raised:
        (tmp_path / "file" / "deeper" / "out").unlink()
    message = system_words(raised.value)
    assert message == f"{tmp_path / 'file'}: expected a folder, found a file; choose another folder"
    full = system_words(OSError(28, "No space left on device"))
    assert full == "No space left on device; free some space there, or choose another folder"
    assert (
        system_words(PermissionError(13, "Permission denied", "a"))
        == "a: Permission denied; give this user write permission, or choose another folder"
    )
