"""Every block of code in every page runs, or a reason is given here why it does not."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil

import pytest

from benchmarks.__main__ import main as run_benchmarks
from jointlimits_core.batch.manifest import manifest_schema
from jointlimits_core.cli.main import main
from jointlimits_core.io.json import problems
from tests.support.house_files import ROOT, project_files
from tests.support.maya_projecting import FRAMES, KEYS
from tests.support.tracked_locators import CHANNELS, channels_of, figure

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
    *(page for page in project_files() if page.match("*/README.md") and page.parents[1] == ROOT),
]
QUICK = {"README.md"}
SHOWN = {
    "docs/index.md": ("to look at", None),
    "docs/coupled_limits.md": ("freedom", None),
    "docs/bodies.md": ("next best", 3),
}
"""Pages with a block of output: a word in it, and how many words of its rows must agree."""
PRINTED = {"docs/farm.md": ("2 characters from 2 files, items 0-1", "2 ok, 0 failed, 0 missing")}
FILES = {
    "README.md": ("humanoid_rom.limits.json", "humanoid_rom.limits.ma", "humanoid.xml"),
    "docs/bodies.md": tuple(
        f"tracked_arm{ending}"
        for ending in re.findall(
            r"`(?:NAME|CLIP)(\.skeleton\.(?:json|bvh|ma)|\.limits\.json)`",
            (ROOT / "docs" / "bodies.md").read_text(encoding="utf-8"),
        )
    ),
}
"""Files that are in the folder `out` when the commands of a page have run."""
ELSEWHERE = {
    r"jointlimits gui ": "the window waits for somebody to close it; see test_cli_gui.py",
    r"(python3? -m venv|pip install|\.venv/bin/\w+) ": "CI makes and tries environments with these",
    r"bash \.ci/run$": "this test is a part of it",
    r"export SOURCE_DATE_EPOCH=": "CI builds twice with it",
    r"python (-m (build|sphinx)|\.ci/module_zip\.py)\b": "CI has a step for each",
    r"mayapy -m jointlimits_maya\.batch ": "test_maya_batch.py, in the stand-in",
    r"openjd (check|run) ": "test_job_template.py",
    r"docker (build|run) ": "no container here; test_recipes.py runs what the image runs",
    r"deadline bundle |deadlinecommand ": "needs a farm",
}
LANGUAGES = {"sh", "python", "json", "yaml", "text", "{toctree}"}


def blocks(page):
    """Language and text of every fenced block of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^```(\S*)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def short_name(page):
    return page.relative_to(ROOT).as_posix()


def of_language(language, marked=None):
    """Parameters: every block of that language, with the page that it is on."""
    return [
        pytest.param(text, id=f"{short_name(page)} {number}")
        for page in PAGES
        for number, (name, text) in enumerate(blocks(page))
        if name == language and (marked is None or marked(text))
    ]


def is_for_maya(text):
    return bool(re.search(r"\bjointlimits_maya\b|\bfrom maya\b", text))


def is_for_a_farm(text):
    return text.startswith("# run: on a farm")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with what a clone has, to work in."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=short_name)
def test_every_block_says_what_it_is(page):
    assert {language for language, _ in blocks(page)} <= LANGUAGES


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            page, id=short_name(page), marks=() if short_name(page) in QUICK else pytest.mark.slow
        )
        for page in PAGES
    ],
)
def test_commands_and_python_run_one_after_the_other(page, folder, capsys):
    name = short_name(page)
    if name == "docs/exports.md":
        pytest.importorskip("pxr")
    for language, text in blocks(page):
        if language == "sh":
            for line in text.splitlines():
                run_line(line)
        elif language == "python" and not (is_for_maya(text) or is_for_a_farm(text)):
            run_python(text, folder)
    printed = capsys.readouterr().out
    assert all(words in printed for words in PRINTED.get(name, ()))
    assert all((folder / "out" / file).exists() for file in FILES.get(name, ()))
    if name in SHOWN:
        word, count = SHOWN[name]
        block = next(text for kind, text in blocks(page) if kind == "text" and word in text)
        rows = [row.split()[:count] for row in block.splitlines() if row.strip()]
        assert len(rows) >= 3
        known = [row.split()[:count] for row in printed.splitlines()]
        # How wide a rule is depends on rows that are left out.
        assert not [row for row in rows if row not in known and set("".join(row)) != {"-"}]


def run_python(text, folder, names=None):
    block = folder / "block_of_the_page.py"
    block.write_text(text, encoding="utf-8")
    runpy.run_path(str(block), names)


def run_line(line):
    if any(re.match(pattern, line) for pattern in ELSEWHERE):
        return
    program, *words = shlex.split(line)
    assert program == "jointlimits", f"nothing runs: {line}"
    assert main(words) == 0, line


def test_no_reason_is_left_over():
    every = [text for page in PAGES for language, text in blocks(page) if language == "sh"]
    lines = "".join(every).splitlines()
    for pattern in ELSEWHERE:
        assert any(re.match(pattern, line) for line in lines), pattern


@pytest.mark.parametrize("text", of_language("json"))
def test_manifests_are_as_the_batch_wants_them(text):
    document = json.loads(text)
    assert document["format"] == "jointlimits.manifest"
    assert not list(problems(document, manifest_schema()))


@pytest.mark.parametrize("text", of_language("python", is_for_a_farm))
def test_what_needs_a_farm_is_python(text):
    compile(text, "block", "exec")


# --- in the stand-in ------------------------------------------------------------------------------


def track_a_leg(maya, cmds):
    """Locators on three bodies that hang together, below the group "trackers"."""
    tracks = figure(("chest", "left upper arm", "left forearm"), seconds=4.0)[1]
    group = maya.scene.create_node("transform", "trackers")
    for body, name in zip(tracks.names, ("hips", "thigh", "knee")):
        maya.scene.create_node("transform", name, group)
        for channel, values in zip(CHANNELS, channels_of(tracks, body)):
            for frame, value in enumerate(values.tolist(), 1):
                cmds.setKeyframe(name, attribute=channel, time=frame, value=value)


@pytest.fixture
def animated_scene(maya, tmp_path, monkeypatch):
    """A scene as the pages speak of: a keyed arm, and limits of it with shapes."""
    monkeypatch.chdir(tmp_path)
    maya.environment["MAYA_APP_DIR"] = str(tmp_path / "app")
    maya.environment["MAYA_PLUG_IN_PATH"] = str(ROOT / "plug-ins")
    from maya import cmds

    above = None
    for name in ("rig:hips", "rig:shoulder", "rig:elbow"):
        above = maya.scene.create_node("joint", name, *([above] if above else []))
    for channel, values in KEYS.items():
        for frame, value in zip(FRAMES, values):
            cmds.setKeyframe("rig:shoulder", attribute=channel, time=frame, value=value)
    track_a_leg(maya, cmds)
    cmds.select(clear=True)
    import jointlimits_maya

    from jointlimits_core.limits.limit_set import write_limit_set

    limits = jointlimits_maya.estimate(["rig:hips"], coupled=True, shape="hull")
    (tmp_path / "out").mkdir()
    for name in ("hero.limits.json", "out/humanoid_rom.limits.json"):
        write_limit_set(limits, tmp_path / name)
    return {"cmds": cmds, "jointlimits_maya": jointlimits_maya}


@pytest.mark.thorough
@pytest.mark.parametrize("text", of_language("python", is_for_maya))
def test_what_is_for_maya_runs_in_the_stand_in(text, animated_scene, tmp_path):
    run_python(text, tmp_path, animated_scene)


# --- commands in the text -------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=short_name)
def test_benchmarks_that_are_named_are_there(page, capsys):
    text = page.read_text(encoding="utf-8")
    for words in re.findall(r"python -m benchmarks((?: [a-z_.]+)*)", text):
        assert run_benchmarks([*words.split(), "--list"]) == 0
        assert capsys.readouterr().out
