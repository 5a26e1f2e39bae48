"""Full disks, folders that are not ours to write to, and a death at any instruction.

What was there stays whole, or what is new is whole; nothing half-written lies about.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from jointlimits_core.batch.command import NO_RESULTS_EXIT_CODE
from tests.support.batch_manifests import bvh_text, contents, write_library
from tests.support.house_files import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of a process as on Linux")

OLD, NEW = "old " * 50, "new " * 5000

DYING = """
import os, signal, sys
from jointlimits_core.io.output import write_text_atomically

path, step = sys.argv[1], int(sys.argv[2])
old, new = "old " * 50, "new " * 5000
write_text_atomically(path, old)  # loads what it imports late, which is not to be counted

def write_and_die(number):
    count = 0
    def trace(frame, event, argument):
        nonlocal count
        frame.f_trace_opcodes = True
        if event == "opcode":
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace
    sys.settrace(trace)
    write_text_atomically(path, new)
    os._exit(0)

seen, number = {"old": 0, "new": 0}, 0
while True:
    number += step
    with open(path, "w") as stream:
        stream.write(old)
    child = os.fork()
    if child == 0:
        write_and_die(number)
    _, status = os.waitpid(child, 0)
    with open(path) as stream:
        found = stream.read()
    assert found in (old, new), (number, len(found))
    seen["old" if found == old else "new"] += 1
    if not os.WIFSIGNALED(status):
        break
print(number, seen["old"], seen["new"])
"""


@pytest.mark.thorough
@pytest.mark.parametrize("step", [13, pytest.param(5, marks=pytest.mark.slow)])
def test_killed_at_any_instruction_there_is_the_old_file_or_the_new_one(tmp_path, step):
    path = tmp_path / "limits.json"
    command = [sys.executable, "-c", DYING, str(path), str(step)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    last, old, new = map(int, done.stdout.split())
    assert last > 300
    assert old > 100 // step
    assert new >= 1
    assert old + new == last // step


COMMANDS = """
import json, os, resource, sys
from pathlib import Path
from jointlimits_core.cli.main import main
from jointlimits_core.batch.motion_files import main as batch

folder, how, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
motion, limits = str(folder / "long.bvh"), str(folder / "good" / "long.limits.json")
def commands(out):
    return {
    "estimate": ["estimate", motion, "--out", str(out)],
    "report": ["estimate", motion, "--report", "--out", str(out)],
    "fit": ["fit", motion, "--out", str(out)],
    "export mjcf": ["export", limits, "--motion", motion, "--to", "mjcf", "--out",
                    str(out / "long.xml")],
    "export python": ["export", limits, "--motion", motion, "--to", "python", "--out",
                      str(out / "long.py")],
    "export rom": ["export", limits, "--motion", motion, "--to", "rom", "--out",
                   str(out / "long.bvh")],
    "merge": ["merge", limits, limits, "--out", str(out / "long.limits.json")],
    "manifest": ["manifest", str(out.parent / "sub"), "--out", str(out.parent / "all.json")],
    "batch": ["batch", "--manifest", str(folder / "library.json"), "--out", str(out)],
    }

def run(commands):
    for name, arguments in commands.items():
        code = main(arguments)
        print(f"code {code} of {name}", flush=True)

if how == "first":
    run({"estimate": commands(out)["estimate"]})
    sys.exit()
# Everything once as it should be: what is loaded only then is loaded before there is no room.
run({f"{name} before": words for name, words in commands(folder / "elsewhere" / "out").items()})
if how == "full":
    resource.setrlimit(resource.RLIMIT_FSIZE, (250, resource.RLIM_INFINITY))
elif os.getuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
run(commands(out))
"""


@pytest.fixture
def folder():
    """A folder with a long clip and its limits that any user may read."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    (place / "long.bvh").write_text(bvh_text(80, 400))
    write_library(place, 2)
    for sub in (place / "sub", place / "elsewhere" / "sub"):
        sub.mkdir(parents=True)
        (sub / ("walk" * 40 + ".bvh")).write_text(bvh_text(50))
    assert run(place, "first", place / "good").stdout.endswith("code 0 of estimate\n")
    yield place
    for path in [place, *place.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(place)


def run(folder, how, out):
    command = [sys.executable, "-c", COMMANDS, str(folder), how, str(out)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


def old_outputs(folder):
    """A folder in which everything that will be written is there in an older state."""
    out = folder / "out"
    out.mkdir()
    for name in ("long.limits.json", "long.html", "long.xml", "long.py", "long.bvh"):
        (out / name).write_text(f"old {name}")
    return out


def codes(done):
    lines = [line for line in done.stdout.splitlines() if line.startswith("code ")]
    return {line.partition(" of ")[2]: int(line.split()[1]) for line in lines}


@pytest.mark.slow
@pytest.mark.parametrize(("how", "expected"), [("full", "File too large"), ("locked", "ermission")])
def test_what_cannot_be_written_leaves_everything_as_it_was(folder, how, expected):
    out = old_outputs(folder)
    if how == "locked":
        for place in (out, folder):
            place.chmod(0o555)
    before = contents(folder)
    done = run(folder, how, out)
    assert "Traceback" not in done.stderr, done.stderr
    found = codes(done)
    assert [name for name, code in found.items() if name.endswith(" before") and code] == []
    now = {name: code for name, code in found.items() if not name.endswith(" before")}
    assert len(now) == 9
    assert now.pop("batch") == NO_RESULTS_EXIT_CODE, done.stderr
    assert set(now.values()) == {1}, (now, done.stderr)
    messages = [line for line in done.stderr.splitlines() if line.startswith("jointlimits")]
    assert len(messages) == 9
    assert all(expected in line for line in messages), messages
    assert all(f"{folder}/" in line and ".part" not in line for line in messages[:-1]), messages
    assert {name: data for name, data in contents(folder).items() if name in before} == before
    left = [path for path in folder.rglob(".*") if path.name.endswith((".part", ".scratch"))]
    assert not left


@pytest.mark.thorough
def test_a_terminal_that_takes_no_more_is_no_traceback(folder):
    limits = str(folder / "good" / "long.limits.json")
    command = [sys.executable, "-m", "jointlimits_core", "show", limits]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
        )
    assert done.returncode == 1
    assert done.stderr.startswith("jointlimits: No space left on device; free some space there")
