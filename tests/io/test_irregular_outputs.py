"""Outputs that are no plain file: written through, or refused, and never replaced."""

from __future__ import annotations

import os
import re
import socket
import stat
import subprocess
import sys
import threading

import pytest

from jointlimits_core.base.errors import system_words
from jointlimits_core.io import output as output_module
from jointlimits_core.io.output import atomic_output, move_to_output, write_text_atomically

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and nodes as on POSIX")
AS_ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root makes device nodes"
)


class Reader(threading.Thread):
    """Reads a pipe to its end."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.data = path, b""
        self.start()

    def run(self):
        with open(self.path, "rb") as stream:
            self.data = stream.read()

    def all(self) -> bytes:
        self.join(10.0)
        assert not self.is_alive()
        return self.data


def refusal(path) -> str:
    """Words of the refusal to write there."""
    with pytest.raises(OSError, match=re.escape(str(path))) as raised:
        write_text_atomically(path, "text")
    words = system_words(raised.value)
    assert "\n" not in words
    return words


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("chain", [0, 1, 3])
def test_links_stay_and_a_file_is_replaced_whole(tmp_path, chain):
    (tmp_path / "there").mkdir()
    file = tmp_path / "there" / "file"
    file.write_text("old")
    file.chmod(0o640)
    place = file
    for number in range(chain):
        link = tmp_path / f"link{number}"
        link.symlink_to(os.path.relpath(place, tmp_path))
        place = link
    with atomic_output(place) as stream:
        stream.write(b"new")
        stream.flush()
        assert file.read_text() == "old"
        assert len(names(tmp_path / "there")) == 2  # beside the file, not beside the link
    assert file.read_text() == place.read_text() == "new"
    assert place.is_symlink() == (chain > 0)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    with pytest.raises(ValueError, match="halt"), atomic_output(place) as stream:
        raise ValueError("halt")
    assert file.read_text() == "new"
    assert names(tmp_path / "there") == ["file"]


def test_a_dangling_link_gets_its_file(tmp_path):
    (tmp_path / "link").symlink_to("file")
    write_text_atomically(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "text"


def test_a_link_to_a_missing_folder_is_refused(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "no" / "file")
    assert "leads to a folder that does not exist" in refusal(tmp_path / "link")
    assert names(tmp_path) == ["link"]


def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    refusal(tmp_path / "one")
    assert all(path.is_symlink() for path in tmp_path.iterdir())


def test_a_folder_and_a_link_to_one_are_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    for path in (tmp_path / "folder", tmp_path / "link"):
        assert refusal(path).startswith(f"{path}: expected a file, found a folder")
    assert names(tmp_path) == ["folder", "link"]
    assert (tmp_path / "link").is_symlink()


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_link_into_a_folder_without_rights_is_refused(tmp_path):
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked" / "file").write_text("old")
    (tmp_path / "link").symlink_to("locked/file")
    (tmp_path / "locked").chmod(0o500)
    try:
        refusal(tmp_path / "link")
        assert (tmp_path / "locked" / "file").read_text() == "old"
    finally:
        (tmp_path / "locked").chmod(0o700)


def test_a_pipe_gets_the_whole_content(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = Reader(tmp_path / "pipe")
    text = "0123456789" * 100_000  # more than a pipe holds
    write_text_atomically(tmp_path / "pipe", text)
    assert reader.all().decode() == text
    assert (tmp_path / "pipe").is_fifo()


def test_a_pipe_gets_nothing_of_work_that_failed(tmp_path, monkeypatch):
    monkeypatch.setattr(output_module, "READER_SECONDS", 0.0)
    os.mkfifo(tmp_path / "pipe")

    def work():
        with atomic_output(tmp_path / "pipe") as stream:
            stream.write(b"half")
            raise ValueError("halt")

    with pytest.raises(ValueError, match="halt"):
        work()
    assert "nothing reads this pipe" in refusal(tmp_path / "pipe")
    assert names(tmp_path) == ["pipe"]


def test_a_socket_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # paths of sockets are short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        server.listen()
        assert "found a socket" in refusal("socket")
    assert stat.S_ISSOCK(os.lstat("socket").st_mode)


@AS_ROOT
@pytest.mark.parametrize("through_link", [False, True])
def test_a_character_device_is_written_into(tmp_path, through_link):
    """A node of its own that swallows everything."""
    node = tmp_path / "node"
    os.mknod(node, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    (tmp_path / "link").symlink_to("node")
    write_text_atomically(tmp_path / "link" if through_link else node, "text")
    found = os.lstat(node)
    assert stat.S_ISCHR(found.st_mode)
    assert found.st_rdev == os.makedev(1, 3)
    assert (tmp_path / "link").is_symlink()


@AS_ROOT
def test_a_full_device_says_so_and_a_disk_is_refused(tmp_path):
    """The numbers of /dev/full, and of a disk that no machine has."""
    os.mknod(tmp_path / "full", stat.S_IFCHR | 0o600, os.makedev(1, 7))
    refusal(tmp_path / "full")
    os.mknod(tmp_path / "disk", stat.S_IFBLK | 0o600, os.makedev(240, 77))
    assert "found a disk" in refusal(tmp_path / "disk")
    assert names(tmp_path) == ["disk", "full"]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_a_file_that_is_open_is_written_into(tmp_path):
    """Like /dev/stdout of a command whose output goes to a file."""
    code = (
        "from jointlimits_core.io.output import write_text_atomically as write\n"
        "print('before', flush=True)\n"
        "write('link', 'text\\n')\n"
        "print('after', flush=True)\n"
    )
    (tmp_path / "link").symlink_to("/proc/self/fd/1")
    with open(tmp_path / "log", "ab") as log:
        command = [sys.executable, "-c", code]
        environment = {**os.environ, "PYTHONPATH": os.getcwd()}
        subprocess.run(command, stdout=log, cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "log").read_text() == "before\ntext\nafter\n"
    assert (tmp_path / "link").is_symlink()


def test_a_finished_file_goes_where_a_link_leads(tmp_path):
    (tmp_path / "made").write_text("new")
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to("file")
    move_to_output(tmp_path / "made", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"
    assert names(tmp_path) == ["file", "link"]
