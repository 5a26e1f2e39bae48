"""Files that commands write about limits: their names, and that no input is written over."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from jointlimits_core.cli.estimate import limits_path, print_written, write_limits
from jointlimits_core.cli.output import UsageError
from jointlimits_core.io.progress_line import ProgressLine
from jointlimits_core.limits.limit_set import read_limit_set
from tests.support.ui_examples import walk, walk_limits


def write(folder, inputs=(), report=False):
    options = Namespace(inputs=inputs, skeleton=None, out=folder, report=report)
    return write_limits(walk_limits(), [walk()], options, ProgressLine())


def test_a_limit_set_lies_under_the_name_of_its_character(tmp_path):
    (path,) = write(tmp_path)
    assert path == limits_path(tmp_path, walk_limits().character, "json")
    assert read_limit_set(path).joints == walk_limits().joints


@pytest.mark.slow
def test_the_page_lies_beside_it(tmp_path):
    limits, page = write(tmp_path, report=True)
    assert (limits.suffix, page.suffix) == (".json", ".html")
    assert limits.stem == page.stem
    assert page.read_text(encoding="utf-8").startswith("<!")


@pytest.mark.parametrize("ending", ["json", "html"])
def test_an_input_is_never_written_over(tmp_path, ending):
    taken = limits_path(tmp_path, walk_limits().character, ending)
    taken.write_text("an input", encoding="utf-8")
    with pytest.raises(UsageError, match="would overwrite"):
        write(tmp_path, [str(taken)], report=True)
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["an input"]


def test_what_no_file_name_may_have_is_replaced(tmp_path):
    path = limits_path(tmp_path, "space:hero/left", "json")
    assert path.parent == tmp_path
    assert path.name.endswith(".limits.json")


def test_every_file_is_listed(capsys):
    print_written([Path("one.json"), Path("two.html")])
    assert capsys.readouterr().out == "wrote one.json\nwrote two.html\n"
