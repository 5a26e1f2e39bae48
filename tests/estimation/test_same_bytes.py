"""The same bytes on every processor; CI compares versions of numpy, too (step same_bytes)."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.house_files import ROOT

PROCESSORS = ("Haswell", "SkylakeX", "Nehalem")
"""Processors that OpenBLAS is told that it runs on."""


@pytest.mark.thorough
def test_limits_are_the_same_bytes_on_every_processor(tmp_path):
    clip = ROOT / "examples" / "humanoid_rom.bvh"
    found = set()
    for processor in PROCESSORS:
        command = [sys.executable, "-m", "jointlimits_core", "estimate", clip, "--out", tmp_path]
        environment = {**os.environ, "OPENBLAS_CORETYPE": processor}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        # Less than 0: this machine lacks instructions of that processor.
        if done.returncode >= 0:
            assert done.returncode == 0, done.stderr
            found.add((tmp_path / "humanoid_rom.limits.json").read_bytes())
    assert len(found) == 1
