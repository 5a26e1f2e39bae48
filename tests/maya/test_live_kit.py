"""The live kit where a user starts it: from the zip, without numpy, beside a copy, hung."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy
import pytest

from tests.house.test_shipping import write_module_zip
from tests.maya_live.kit import read_record
from tests.support.batch_scenes import AS_MAYA
from tests.support.house_files import ROOT
from tests.support.shared_data import shared_path

pytestmark = pytest.mark.thorough
FEW = ("plug-lock", "path-estimate", "unsaved-shelf")
NO_NUMPY = """
import os, sys, numpy, maya  # the stand-in itself needs it
if not os.environ["PYTHONPATH"].split(os.pathsep)[0].endswith("numpy"):
    sys.modules["numpy"] = None
"""
PIP = """
import os, pathlib, sys
words = sys.argv[1:]
if os.environ.get("OFFLINE"):
    sys.exit("ERROR: No matching distribution found for numpy")
target = pathlib.Path(words[words.index("--target") + 1])
target.mkdir()
for name in ("numpy", "numpy.libs"):
    if pathlib.Path({site!r}, name).exists():
        (target / name).symlink_to(pathlib.Path({site!r}, name))
"""
HANGS = """

@check("planted-hang")
def planted_hang():
    \"\"\"Never ends.\"\"\"
    import time
    time.sleep(1000)


@check("planted-crash")
def planted_crash():
    \"\"\"Ends Maya.\"\"\"
    import os
    os._exit(139)
"""


@pytest.fixture
def module(tmp_path):
    """The module as it is downloaded, unpacked."""
    with zipfile.ZipFile(write_module_zip(tmp_path)) as opened:
        opened.extractall(tmp_path / "modules")
    return tmp_path / "modules" / "jointLimits"


def run_kit(root, folder, *arguments, before=(), stdin="", **variables):
    """Run the kit of a copy in the stand-in; `before` is searched ahead of what a user has."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAYA")}
    paths = [*map(str, before), str(AS_MAYA), str(ROOT)]
    more = {"PYTHONPATH": os.pathsep.join(paths), "MAYA_APP_DIR": str(folder / "maya"), **variables}
    return subprocess.run(
        [sys.executable, str(root / "tests/maya_live/run.py"), *arguments],
        cwd=variables.pop("CWD", folder),
        env={**kept, **more},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
    )


def record_of(done):
    """The record that a run names at its end."""
    return Path(re.search(r"attach (\S+\.jsonl)$", done.stdout, re.MULTILINE)[1])


def states(path):
    return {one.id: one.state for one in read_record(path)}


WELL = {"plug-lock": "as believed", "path-estimate": "as believed", "unsaved-shelf": "by hand"}


def test_it_runs_from_the_download_and_tests_what_is_in_it(module, tmp_path):
    (module / "plug-ins" / "jointLimits.py").write_text("raise RuntimeError('of the download')\n")
    done = run_kit(module, tmp_path, "--only", *FEW)
    assert done.returncode == 1, done.stdout + done.stderr
    found = states(tmp_path / record_of(done))
    assert found == {**WELL, "path-estimate": "FAILED"}
    assert "| path-estimate | FAILED |" in done.stdout


@pytest.fixture
def bare(tmp_path):
    """A folder that hides numpy, and has a pip that copies it from where it is."""
    folder = tmp_path / "bare"
    (folder / "pip").mkdir(parents=True)
    (folder / "sitecustomize.py").write_text(NO_NUMPY)
    site = str(Path(numpy.__file__).parents[1])
    (folder / "pip" / "__init__.py").touch()
    (folder / "pip" / "__main__.py").write_text(PIP.format(site=site))
    return folder


def test_without_numpy_it_installs_it_for_the_run(module, bare, tmp_path):
    done = run_kit(module, tmp_path, "--only", *FEW, "--yes", before=[bare])
    assert done.returncode == 0, done.stdout + done.stderr
    (target,) = re.findall(r"-m pip install --target (\S+/numpy) \"?numpy", done.stdout)
    assert not Path(target).exists()
    assert states(tmp_path / record_of(done)) == WELL


def test_without_numpy_and_without_anybody_to_ask_it_says_both_ways(module, bare, tmp_path):
    done = run_kit(module, tmp_path, "--only", *FEW, before=[bare])
    assert done.returncode == 2
    assert "use --yes to install it" in done.stdout
    assert str(tmp_path / "maya/2025/scripts/site-packages") in done.stdout
    assert not done.stderr


def test_without_numpy_and_network_one_line_says_so(module, bare, tmp_path):
    done = run_kit(module, tmp_path, "--yes", before=[bare], OFFLINE="1")
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1] == (
        "numpy was not installed: ERROR: No matching distribution found for numpy (is this "
        "machine online?)"
    )
    assert not done.stderr


def test_in_a_folder_without_rights_the_record_is_in_the_temporary_folder(module, tmp_path):
    # Nobody, not even root, can write there.
    done = run_kit(module, tmp_path, "--only", *FEW, CWD="/proc", TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    path = record_of(done)
    assert path.parent == tmp_path
    assert f"the record is {path}" in done.stdout
    assert states(path) == WELL


def test_a_record_that_is_there_is_kept(module, tmp_path):
    (tmp_path / "out.jsonl").write_text("mine")
    done = run_kit(module, tmp_path, "--only", *FEW, "--json", "out.jsonl")
    assert done.returncode == 2
    assert "out.jsonl already exists" in done.stdout
    assert (tmp_path / "out.jsonl").read_text() == "mine"


def test_beside_a_loaded_copy_it_tests_its_own(module, tmp_path):
    """The copy's plug-in is loaded as Maya comes up; it would fail every check."""
    (module / "scripts" / "userSetup.py").write_text(
        "import sys, pathlib\n"
        f"root = pathlib.Path({str(module)!r})\n"
        "sys.path[:0] = [str(root / 'scripts'), str(root)]\n"
        "for name in [n for n in sys.modules if n.startswith('jointlimits')]:\n"
        "    del sys.modules[name]\n"
        "import jointlimits_core, jointlimits_maya\n"
        "jointlimits_maya.estimate = None\n"
        "from maya import cmds\n"
        "cmds.loadPlugin(str(root / 'plug-ins' / 'jointLimits.py'))\n"
    )
    done = run_kit(ROOT, tmp_path, "--only", *FEW, MAYA_MODULE_PATH=str(module.parent))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"other_copy {module}" in done.stdout
    assert states(tmp_path / record_of(done)) == WELL


def test_after_a_hang_and_a_crash_the_rest_goes_on(module, tmp_path):
    with (module / "tests/maya_live/limits.py").open("a") as stream:
        stream.write(HANGS)
    ids = ("planted-hang", "planted-crash", *FEW)
    done = run_kit(module, tmp_path, "--only", *ids, "--limit", "4")
    assert done.returncode == 1, done.stdout + done.stderr
    found = {one.id: one for one in read_record(tmp_path / record_of(done))}
    assert found["planted-hang"].seen == "did not end within 4 seconds; Maya was stopped"
    assert found["planted-crash"].seen == "Maya ended here with exit code 139"
    assert {name: found[name].state for name in FEW} == WELL


def test_a_python_node_that_hangs_maya_is_as_believed(module, tmp_path):
    done = run_kit(
        module, tmp_path, "--only", "python-node-in-parallel", "--limit", "6", STANDIN_HANGS="1"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = read_record(tmp_path / record_of(done))
    assert found.state == "as believed"
    assert found.seen == "50 changes of time did not come back in 4 seconds"


def test_cases_of_a_folder_are_checks(module, tmp_path):
    folder = shared_path("oracle/maya_cases")
    ids = ("case-mod-unknown-type", "case-ref-edit-strings", "plug-lock")
    done = run_kit(module, tmp_path, "--cases", str(folder), "--only", *ids)
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(states(tmp_path / record_of(done)).values()) == [
        "as believed",
        "as believed",
        "not run",
    ]
    done = run_kit(module, tmp_path, "--cases", str(tmp_path))
    assert done.returncode == 2
    assert "give the folder of cases.jsonl" in done.stdout


def test_temporary_folders_are_gone(module, tmp_path):
    own = tmp_path / "tmp"
    own.mkdir()
    run_kit(module, tmp_path, "--only", *FEW, TMPDIR=str(own))
    assert not list(own.iterdir())
