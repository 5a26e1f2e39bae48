"""Formats of other distributions: one entry point each, and no list of the product knows them."""

import importlib
import sys

import pytest

from jointlimits_core.base.registry import PluginError
from jointlimits_core.cli.main import main
from jointlimits_core.exporters.formats import ExportOptions, export_formats
from jointlimits_core.formats.registry import (
    motion_endings,
    motion_formats,
    needs_skeleton,
    read_motion,
)
from tests.support.house_files import ROOT
from tests.support.limit_set_examples import limit_set

READER = """
import numpy as np
from jointlimits_core.formats.registry import MotionFormat
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton

def read(path, request):
    turns = np.radians(np.loadtxt(path, skiprows=1, ndmin=2)).T[None]
    skeleton = Skeleton(("elbow",), np.array([-1]))
    frames = np.arange(turns.shape[2], dtype=float)
    return Motion.from_rotates(skeleton, turns, frames, request.frame_rate or 30.0, "bends")

FORMAT = MotionFormat("bends", (".bends",), (b"bends of a joint",), read)
"""
EXPORTER = """
from jointlimits_core.exporters.formats import ExportFormat
from jointlimits_core.exporters.losses import Exported

def write(limit_set, skeleton, options):
    return Exported("".join(f"{name}\\n" for name in limit_set.joints))

FORMAT = ExportFormat("names", "names of joints", ("names",), write=write)
"""
POINTS = """
[jointlimits.readers]
bends = bends_plugin:FORMAT
[jointlimits.exports]
names = names_plugin:FORMAT
"""


def forget():
    motion_formats.cache_clear()
    export_formats.cache_clear()
    for name in ("bends_plugin", "names_plugin"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()


@pytest.fixture
def distribution(tmp_path, monkeypatch):
    """Install a distribution with these modules and entry points, for one test."""

    def install(points, **modules):
        site = tmp_path / "site"
        info = site / "plugged-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(points)
        for name, text in modules.items():
            (site / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(str(site))
        forget()

    yield install
    monkeypatch.undo()
    forget()


@pytest.fixture
def plugged_formats(distribution):
    distribution(POINTS, bends_plugin=READER, names_plugin=EXPORTER)


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "arm.bends"
    rows = [f"{-0.5 * number} 0 {number}" for number in range(91)]
    path.write_text("\n".join(["bends of a joint", *rows]) + "\n")
    return path


def test_own_formats_are_found_without_a_list():
    forget()
    assert set(motion_endings()) >= {".amc", ".bvh", ".fbx", ".ma", ".npz"}
    assert {"asf", "c3d", "csv", "fbx", "mb"} < set(motion_formats())
    assert set(export_formats()) >= {"csv", "mjcf", "python", "rom", "usd"}
    assert needs_skeleton("walk.AMC")
    assert not needs_skeleton("walk.bvh")


@pytest.mark.usefixtures("plugged_formats")
def test_a_motion_format_is_read_by_ending_and_by_content(clip):
    assert ".bends" in motion_endings()
    assert read_motion(clip, frame_rate=60.0).frame_rate == 60.0
    renamed = clip.rename(clip.with_suffix(".dat"))
    assert read_motion(renamed).joint_names == ("elbow",)


@pytest.mark.usefixtures("plugged_formats")
def test_the_command_line_estimates_from_it(clip, tmp_path, capsys):
    folder = tmp_path / "out"
    assert main(["estimate", str(clip), "--out", str(folder)]) == 0
    assert "1 hinge" in capsys.readouterr().out
    out = folder / "bends.limits.json"
    names = tmp_path / "arm.names"
    assert main(["export", str(out), "--to", "names", "--out", str(names)]) == 0
    assert names.read_text(encoding="utf-8") == "elbow\n"


@pytest.mark.usefixtures("plugged_formats")
def test_help_lists_it(capsys):
    assert main(["estimate", "--help"]) == 0
    assert ".bends" in capsys.readouterr().out
    assert main(["export", "--help"]) == 0
    assert "names of joints" in capsys.readouterr().out


@pytest.mark.usefixtures("plugged_formats")
def test_an_export_format_writes():
    limits = limit_set()
    content = export_formats()["names"].export(limits, None, ExportOptions()).content
    assert content.splitlines() == list(limits.joints)


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("import not_installed_here", "cannot be loaded: ModuleNotFoundError"),
        ("FORMAT = 'bends'", "must be a MotionFormat, not str"),
        (READER.replace('"bends"', '"bvh"'), "two formats are called 'bvh'"),
    ],
)
def test_a_broken_plug_in_is_one_clear_line(distribution, clip, capsys, module, message):
    distribution("[jointlimits.readers]\nbends = bends_plugin:FORMAT\n", bends_plugin=module)
    with pytest.raises(PluginError, match=message):
        read_motion(clip)
    assert main(["estimate", str(clip), "--out", str(clip.parent / "out")]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert "bends_plugin" in error


def test_the_page_of_formats_lists_what_the_registry_reads():
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    table = page.partition("## What it reads")[2].partition("\n\nWithout Maya")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")]
    for ending in motion_endings():
        assert any(f"`{ending}`" in row or f"`{ending} " in row for row in rows), ending
