"""Every path that a command writes to: links and nodes there are never replaced."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import stat
import threading
from pathlib import Path

import pytest

from jointlimits_core.cli.main import main, parser
from jointlimits_core.formats.registry import read_motion, write_motion
from tests.support.house_files import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and nodes as on POSIX")
OWN, FITTED = "clip.limits.json", "fitted/clip.limits.json"

ONE_FILE = {
    "apply --out": f"apply {OWN} scene.ma --out {{}}.ma",
    "check --out": f"check {OWN} clip.bvh --format json --out {{}}.json",
    "check --report": f"check {OWN} clip.bvh --report {{}}.html",
    "check --write-baseline": f"check {OWN} clip.bvh --write-baseline {{}}.json",
    "edit --out": f"edit {OWN} --set Neck.rotateX.max=50 --out {{}}.json",
    "estimate --save-summary": "estimate clip.bvh --out aside --save-summary {}.summary.npz",
    "export --losses": f"export {OWN} --to csv --out aside.csv --losses {{}}.json",
    "export --out": f"export {OWN} --to csv --out {{}}.csv",
    "import-limits --out": "import-limits scene.ma --out {}.json",
    "manifest --out": "manifest clips --allow-outside --force --out {}.json",
    "merge --out": f"merge {OWN} {OWN} --out {{}}.json",
    "project --out": f"project {FITTED} clip.bvh --out {{}}.bvh",
}
"""Commands that write to the path that they are given."""
A_FOLDER = {
    "batch --out": "batch --manifest one.json --jobs 1 --out {}",
    "demo --out": "demo --out {}",
    "estimate --out": "estimate scene.ma --apply --report --out {}",
    "fit --out": "fit clip.bvh --report --out {}",
    "skeleton --out": "skeleton arm.csv --body-root chest --estimate --report --out {}",
}
"""Commands that choose the names of their files in a folder."""
KINDS = ("device", "pipe", "link to a file", "link to a folder", "folder", "socket")


REFUSED = ("link to a folder", "folder", "socket")
OLD = "something old"


def output_options() -> set[str]:
    """Options of all commands that name something to write, by what their help says."""
    found = set()
    commands = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    for name, sub in commands.choices.items():
        for action in sub._actions:
            what = f"{action.metavar} {action.help}".lower()
            is_path = re.match(r"(file|dir|new|[a-z]+\.json)\b", what) and action.option_strings
            if is_path and re.search(r"\bwrit|\bsave|\bcopy|folder for", what):
                found.add(f"{name} {action.option_strings[0]}")
    return found


def test_every_option_that_names_an_output_is_tried_here():
    assert output_options() == {*ONE_FILE, *A_FOLDER}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Folder with a short clip, a scene of it, limits, and a manifest."""
    folder = tmp_path_factory.mktemp("inputs")
    clip = read_motion(ROOT / "examples" / "humanoid_rom.bvh")
    short = clip.keep_frames(range(0, clip.frame_count, 20))
    write_motion(short, folder / "clip.bvh")
    write_motion(short, folder / "scene.ma")
    shutil.copy(ROOT / "examples" / "tracked_arm.csv", folder / "arm.csv")
    (folder / "clips").mkdir()
    shutil.copy(folder / "clip.bvh", folder / "clips" / "clip.bvh")
    assert main(["estimate", str(folder / "clip.bvh"), "--out", str(folder)]) == 0
    assert main(["fit", str(folder / "clip.bvh"), "--out", str(folder / "fitted")]) == 0
    assert main(["manifest", str(folder / "clips"), "--out", str(folder / "one.json")]) == 0
    return folder


class Node:
    """Something at an output path that is no plain file."""

    def __init__(self, path: Path, kind: str) -> None:
        self.path, self.kind, self.data = path, kind, b""
        self.beside = path.with_name(f"of-{path.name}")
        if kind == "device":  # of its own, which swallows everything
            os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
        elif kind == "pipe":
            os.mkfifo(path)
            self.reader = threading.Thread(target=self._load, daemon=True)
            self.reader.start()
        elif kind == "socket":
            self._bind()
        elif kind == "link to a file":
            self.beside.write_text(OLD)
            path.symlink_to(self.beside.name)
        else:
            (path if kind == "folder" else self.beside).mkdir()
            if kind == "link to a folder":
                path.symlink_to(self.beside.name)
        self.before = self._state()

    def _bind(self) -> None:
        # Paths of sockets are short, so it is bound here and moved.
        with socket.socket(socket.AF_UNIX) as server:
            here = os.getcwd()
            os.chdir(self.path.parent)
            try:
                server.bind("s")
            finally:
                os.chdir(here)
        os.rename(self.path.with_name("s"), self.path)

    def _load(self) -> None:
        with open(self.path, "rb") as stream:
            self.data = stream.read()

    def _state(self) -> tuple[object, ...]:
        found = os.lstat(self.path)
        inside = os.listdir(self.path) if self.path.is_dir() else []
        return found.st_mode, found.st_ino, found.st_rdev, inside

    @property
    def is_kept(self) -> bool:
        """Whether the node is as it was, with nothing new in a folder."""
        return self._state() == self.before

    def content(self) -> bytes | None:
        """What was written through; None of a device."""
        if self.kind == "pipe":
            self.reader.join(10.0)
            return self.data
        return self.beside.read_bytes() if self.kind == "link to a file" else None


@pytest.fixture(
    params=[
        one if one == "link to a file" else pytest.param(one, marks=pytest.mark.thorough)
        for one in KINDS
    ]
)
def kind(request):
    if request.param == "device" and os.geteuid() != 0:
        pytest.skip("only root makes device nodes")
    return request.param


def run(command: str, inputs: Path, target: str, capsys, monkeypatch) -> tuple[int, str]:
    monkeypatch.chdir(inputs)
    capsys.readouterr()
    code = main(command.format(target).split())
    return code, capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.parametrize("option", sorted(ONE_FILE))
def test_a_node_at_the_path(option, kind, inputs, tmp_path, capsys, monkeypatch):
    command = ONE_FILE[option]
    ending = command.partition("{}")[2]
    code, _ = run(command, inputs, str(tmp_path / "chosen-1"), capsys, monkeypatch)
    node = Node(tmp_path / f"chosen-2{ending}", kind)
    again, words = run(command, inputs, str(tmp_path / "chosen-2"), capsys, monkeypatch)
    assert node.is_kept
    if kind in REFUSED or option == "manifest --out":
        assert again in (1, 2)
        assert node.path.name in words.strip().splitlines()[-1]
        assert kind != "link to a file" or node.content() == OLD.encode()
        return
    assert again == code, words
    found, plain = node.content(), (tmp_path / f"chosen-1{ending}").read_bytes()
    assert found is None or found.replace(b"chosen-2", b"chosen-1") == plain


@pytest.mark.thorough
@pytest.mark.parametrize("option", sorted(A_FOLDER))
def test_nodes_at_all_files_of_a_folder(option, kind, inputs, tmp_path, capsys, monkeypatch):
    plain, other = tmp_path / "plain", tmp_path / "other"
    assert run(A_FOLDER[option], inputs, str(plain), capsys, monkeypatch)[0] == 0
    files = [path for path in sorted(plain.rglob("*")) if path.is_file()]
    nodes = []
    for path in files:
        place = other / path.relative_to(plain)
        place.parent.mkdir(parents=True, exist_ok=True)
        nodes.append(Node(place, kind))
    code, words = run(A_FOLDER[option], inputs, str(other), capsys, monkeypatch)
    assert all(node.is_kept for node in nodes)
    if kind in REFUSED:
        assert code != 0
        assert words
    elif kind == "link to a file" and code == 0:
        assert all(node.content() != OLD.encode() for node in nodes)


@pytest.mark.thorough
def test_a_node_that_a_log_cannot_be_kept_in(kind, inputs, tmp_path, capsys, monkeypatch):
    node = Node(tmp_path / "node", kind)
    code, words = run(f"show {OWN} --log {{}}", inputs, str(node.path), capsys, monkeypatch)
    assert code == 0
    assert node.is_kept
    assert "left unchanged" in words or "not a regular file" in words


@pytest.mark.parametrize("option", sorted(set(ONE_FILE) - {"manifest --out"}))
def test_a_link_to_an_input_is_the_input(option, inputs, tmp_path, capsys, monkeypatch):
    command = ONE_FILE[option].replace("--out aside.csv ", "--out aside2.csv ")
    ending = command.partition("{}")[2]
    source = next(word for word in command.split()[1:] if (inputs / word).is_file())
    before = (inputs / source).read_bytes()
    (tmp_path / f"link{ending}").symlink_to(inputs / source)
    code, words = run(command, inputs, str(tmp_path / "link"), capsys, monkeypatch)
    assert code in (1, 2)
    assert (inputs / source).read_bytes() == before
    assert (tmp_path / f"link{ending}").is_symlink()
    assert f"link{ending}" in words
