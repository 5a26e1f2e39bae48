"""Several batches that use one results folder at the same time without disturbing each other."""

from __future__ import annotations

import subprocess

import pytest

from tests.batch.test_run import command
from tests.support.batch_manifests import contents, write_library
from tests.support.batch_of_files import main
from tests.support.house_files import ROOT

COUNT = 24


@pytest.mark.thorough
def test_merging_again_and_again_beside_a_part_at_work_disturbs_nothing(tmp_path, capfd):
    """Early merges see the progress so far, and the running part loses no unfinished file."""
    manifest, out = write_library(tmp_path, COUNT), tmp_path / "out"
    merge = ["--manifest", str(manifest), "--out", str(out), "--merge"]
    part = subprocess.Popen(
        command(manifest, out, "--items", f"0-{COUNT - 1}", "--jobs", "2"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    merged_meanwhile = at_work_meanwhile = 0
    while part.poll() is None:
        at_work = len(list(out.glob(".*.scratch")))
        main(merge)
        if part.poll() is None:
            merged_meanwhile += 1
            at_work_meanwhile += at_work > 0
    printed = part.communicate()[0]
    assert part.returncode == 0, printed
    assert printed.count(": ok") == COUNT, printed
    assert merged_meanwhile > 3
    assert at_work_meanwhile > 0
    assert main(merge) == 0
    assert f"{COUNT} ok, 0 failed, 0 missing" in capfd.readouterr().out.splitlines()[-1]
    assert main(["--manifest", str(manifest), "--out", str(tmp_path / "alone")]) == 0
    assert contents(out) == contents(tmp_path / "alone")
    assert not list(out.glob(".*"))
