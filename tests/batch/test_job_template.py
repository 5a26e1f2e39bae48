"""``examples/farm_job.yaml``, checked and run as on a farm with the public ``openjd`` command."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.support.batch_manifests import bvh_text, contents, write_library
from tests.support.batch_runs import run_to_end
from tests.support.batch_scenes import environment, write_scenes
from tests.support.house_files import ROOT, fenced_blocks

if find_spec("openjd") is None or find_spec("openjd.cli") is None:
    pytest.skip("openjd-cli is not installed", allow_module_level=True)

TEMPLATE = str(ROOT / "examples" / "farm_job.yaml")
OPENJD = [sys.executable, "-m", "openjd"]
COUNT, BROKEN = 5, (2,)


def job(library, results, own_environment, code, **parameters):
    """Run the template and return its output."""
    values = {
        "Library": library.parent,
        "Manifest": library.name,
        "LastCharacter": COUNT - 1,
        "CharactersPerTask": 2,
        "Results": results,
        "Python": sys.executable,
        **parameters,
    }
    given = [word for name, value in values.items() for word in ("-p", f"{name}={value}")]
    done = subprocess.run(
        [*OPENJD, "run", TEMPLATE, *given],
        env=own_environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def without_maya():
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.thorough
def test_the_template_is_valid():
    assert "passes validation" in run_to_end([*OPENJD, "check", TEMPLATE], code=0).stdout


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Five characters, one of them broken, and the results of one undisturbed run."""
    home = tmp_path_factory.mktemp("farm")
    manifest = write_library(home / "library", COUNT, broken=BROKEN)
    command = [sys.executable, "-m", "jointlimits_core", "batch", "--manifest", str(manifest)]
    run_to_end([*command, "--out", str(home / "alone")], code=1)
    return manifest, contents(home / "alone")


@pytest.mark.thorough
def test_one_failure_is_reported_and_stops_no_other(library, tmp_path):
    manifest, undisturbed = library
    printed = job(manifest, tmp_path, without_maya(), 1)
    assert contents(tmp_path) == undisturbed
    assert "4 ok, 1 failed, 0 missing" in printed
    assert "openjd_status: actor 02: failed: clip_02.bvh:" in printed
    assert printed.count("openjd_progress: 100.0") == 3
    assert "openjd_fail: 1 character without limits, see summary.json; first: actor 02" in printed


@pytest.mark.thorough
def test_a_last_character_that_does_not_exist_is_reported_by_its_part(library, tmp_path):
    manifest, _ = library
    printed = job(manifest, tmp_path, without_maya(), 1, LastCharacter=COUNT + 3)
    assert f"openjd_fail: item {COUNT} does not exist: the last item is {COUNT - 1}" in printed


def hostile_library(home):
    """Scenes that reference 4 to the 15th others, names like progress, a long path, a torn file."""
    long = home / ("a" * 90) / ("b" * 90) / "long"
    for folder in (home / "bomb", home / "named", long, home / "plain", home / "torn"):
        folder.mkdir(parents=True)
    for level in range(16):
        lines = [f'file -r -ns "a{k}" -rfn "r{k}" "t{level + 1}.ma";' for k in range(4)]
        lines = ["//Maya ASCII 2024 scene", *(lines if level < 15 else [])]
        (home / "bomb" / f"t{level}.ma").write_text("\n".join(lines))
    for name in ("@jointlimits-batch ready .bvh", '@jointlimits-batch ["outcome", {}].bvh'):
        (home / "named" / name).write_text(bvh_text(30.0))
    (long / "walk.bvh").write_text(bvh_text(40.0))
    (home / "plain" / "walk.bvh").write_text(bvh_text(50.0))
    (home / "torn" / "walk.bvh").write_text(bvh_text(50.0)[:200])


@pytest.mark.thorough
def test_a_bomb_a_name_and_a_long_path_stop_no_other(tmp_path):
    home, results = tmp_path / "library", tmp_path / "results"
    hostile_library(home)
    command = [sys.executable, "-m", "jointlimits_core", "manifest", str(home)]
    run_to_end([*command, "--character-by", "folder"], code=0)
    printed = job(home / "characters.json", results, without_maya(), 1)
    assert "openjd_status: bomb: skipped: bomb/t0.ma: the scene has no joints" in printed
    assert "3 ok, 1 failed, 0 missing; 1 skipped" in printed
    listed = json.loads((results / "summary.json").read_text())["characters"]
    ended = {one["name"].rpartition("/")[2]: one["status"] for one in listed}
    fine = dict.fromkeys(("long", "named", "plain"), "ok")
    assert ended == {**fine, "bomb": "skipped", "torn": "failed"}


@pytest.mark.thorough
def test_the_lines_of_the_page(tmp_path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    page = (ROOT / "docs" / "farm.md").read_text(encoding="utf-8")
    lines = [line for block in fenced_blocks(page, "sh") for line in block.splitlines()]
    listing = next(line for line in lines if line.startswith("jointlimits manifest"))
    commands = [[sys.executable, "-m", "jointlimits_core", *shlex.split(listing)[1:]]]
    own = [shlex.split(line)[1:] for line in lines if line.startswith("openjd")]
    assert len(own) == 2
    commands += [[*OPENJD, *words] for words in own]
    commands[-1] += ["-p", f"Python={sys.executable}"]
    for command in commands:
        done = subprocess.run(
            command, cwd=tmp_path, env=without_maya(), capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "2 ok, 0 failed, 0 missing" in done.stdout
    assert (tmp_path / "results" / "library.html").exists()


@pytest.mark.thorough
def test_the_same_template_in_maya(tmp_path):
    manifest = write_scenes(tmp_path / "scenes", COUNT, broken=BROKEN)
    printed = job(
        manifest,
        tmp_path / "out",
        environment(),
        1,
        Program="jointlimits_maya.batch",
        CharactersPerTask=3,
    )
    assert "4 ok, 1 failed, 0 missing" in printed
    assert len(list((tmp_path / "out").glob("*.limits.json"))) == COUNT - len(BROKEN)
    assert (tmp_path / "out" / "library.html").exists()
