"""Files that commands write about limits: their names, and that no input is written over."""

from __future__ import annotations

from argparse import Namespace

import pytest

from jointlimits_core.cli.estimate import limits_path, write_limits
from jointlimits_core.cli.output import UsageError
from jointlimits_core.io.progress_line import ProgressLine
from tests.support.ui_examples import walk_limits


@pytest.mark.parametrize("ending", ["json", "html"])
def test_an_input_is_never_written_over(tmp_path, ending):
    taken = limits_path(tmp_path, walk_limits().character, ending)
    taken.write_text("an input", encoding="utf-8")
    options = Namespace(inputs=[str(taken)], skeleton=None, out=tmp_path, report=True)
    with pytest.raises(UsageError, match="would overwrite"):
        write_limits(walk_limits(), options, ProgressLine())
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["an input"]


def test_what_no_file_name_may_have_is_replaced(tmp_path):
    path = limits_path(tmp_path, "space:hero/left", "json")
    assert path.parent == tmp_path
    assert path.name.endswith(".limits.json")
