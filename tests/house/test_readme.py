"""The README does what it says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jointlimits_core.cli.main import main
from tests.support.house_files import ROOT, marked_block
from tests.support.shared_data import shared_path

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_the_output_is_what_the_program_prints(tmp_path, capsys):
    clips = sorted(map(str, shared_path("data/mocap/cmu_asfamc/02").glob("*.amc")))
    assert main(["estimate", *clips, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out.splitlines()
    rows = marked_block(README, "output: captured").splitlines()
    assert len(rows) > 5
    assert [row for row in rows if row not in printed] == ["..."]


def test_it_is_short():
    assert len(README.split()) <= 400


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
@pytest.mark.parametrize("name", ["try", "test"])
def test_ci_finds_the_blocks(name):
    """The shell's way of finding a block gives the same as ours."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash on the path")
    command = [bash, str(ROOT / ".ci" / "run"), "--print-readme-block", name]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout == marked_block(README, f"run: {name}") + "\n"
    # Windows PowerShell 5.1 has no &&.
    assert "&&" not in run.stdout
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "for name in try test; do\n        block=$(readme_block " in script


def test_the_files_of_the_table_are_those_that_are_written(tmp_path):
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(walk_and_stretch\.\S+)` \|", index, flags=re.MULTILINE)
    assert main(["demo", "--out", str(tmp_path)]) == 0
    assert sorted(rows) == sorted(path.name for path in tmp_path.iterdir())


def test_the_picture_comes_first():
    first = README.splitlines()[0]
    picture = re.fullmatch(r"!\[[^]]+\]\((\S+)\)", first)
    assert picture
    assert (ROOT / Path(picture[1])).exists()


def test_try_see_test_come_in_that_order():
    headings = re.findall(r"^## (.+)$", README, flags=re.MULTILINE)
    assert headings[:3] == ["Try", "See", "Test"]
    assert README.rindex("](docs/images/") < README.index("<!-- run: test -->")
