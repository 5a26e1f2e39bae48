"""The site of the documents: nothing is left out of it. CI builds it."""

from __future__ import annotations

import importlib.util
import posixpath
import re
import subprocess
import sys

import jointlimits_maya
import pytest

import jointlimits_core
from tests.support.house_files import ROOT, fenced_blocks, project_files

INDEX = ROOT / "docs" / "index.md"
API = ROOT / "docs" / "api"


def entries():
    """Pages that the front page leads to, as paths in the project without their endings."""
    lines = "\n".join(fenced_blocks(INDEX.read_text(encoding="utf-8"), "{toctree}")).splitlines()
    named = [line for line in lines if line and not line.startswith(":")]
    inside = [re.sub(r"^.*<(.+)>$", r"\1", line) for line in named]
    return [posixpath.normpath(posixpath.join("docs", one)) for one in inside]


def test_the_front_page_leads_to_every_page():
    pages = {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for path in project_files()
        if path.suffix == ".md"
        and path != INDEX
        and path.relative_to(ROOT).parts[0] not in {"tests", "examples"}
    }
    assert sorted(entries()) == sorted({*pages, "docs/api/index"})


def test_the_api_has_every_promised_name():
    text = (API / "index.rst").read_text(encoding="utf-8")
    named = re.findall(r"^\.\. auto\w+:: jointlimits_core\.(\w+)$", text, flags=re.MULTILINE)
    assert sorted(named) == sorted(set(jointlimits_core.__all__) - {"__version__"})


def test_the_pages_of_the_api_name_modules_that_are_there():
    for page in API.glob("*.rst"):
        for name in re.findall(r"automodule:: (\S+)", page.read_text(encoding="utf-8")):
            source = ROOT / f"{name.replace('.', '/')}.py"
            assert source.exists() or (ROOT / "scripts" / source.relative_to(ROOT)).exists(), name


def test_the_page_for_maya_has_every_promised_function():
    text = (API / "maya.rst").read_text(encoding="utf-8")
    homes = re.findall(r"automodule:: (\S+)", text)
    homes += re.findall(r"autoclass:: (\S+)\.\w+", text)
    files = [ROOT / "scripts" / f"{home.replace('.', '/')}.py" for home in homes]
    shown = "\n".join(file.read_text(encoding="utf-8") for file in files)
    for name in set(jointlimits_maya.__all__) - {"__version__"}:
        assert re.search(rf"^(def|class) {name}\b", shown, re.MULTILINE), name


@pytest.mark.slow
def test_it_builds_without_a_warning(tmp_path):
    if importlib.util.find_spec("sphinx") is None:
        pytest.skip('needs pip install -e ".[site]"')
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs/site"]
    places = ["-d", str(tmp_path / "trees"), ".", str(tmp_path / "site")]
    run = subprocess.run([*build, *places], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    page = (tmp_path / "site" / "docs" / "api" / "index.html").read_text(encoding="utf-8")
    assert "Local rotations relative to the parent" in page
    assert (tmp_path / "site" / "index.html").exists()
    gallery = tmp_path / "site" / "docs" / "gallery.html"
    reports = re.findall(r'internal" href="(gallery/\w+\.html)"', gallery.read_text("utf-8"))
    assert len(reports) == 4
    for report in reports:
        assert "Joint limits of" in (gallery.parent / report).read_text(encoding="utf-8")
