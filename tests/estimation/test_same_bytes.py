"""The same bytes on every processor; CI compares versions of numpy, too (step same_bytes)."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from jointlimits_core.geometry.axes import _point_forward
from tests.support.house_files import ROOT

PROCESSORS = ("Haswell", "SkylakeX", "Nehalem")
"""Processors that OpenBLAS is made to believe it runs on."""


def test_rounding_errors_do_not_choose_the_sign_of_an_axis():
    for error in (-1e-13, 1e-13):
        axis = np.array([[0.0, -np.sqrt(0.5) + error, np.sqrt(0.5)]])
        assert _point_forward(axis)[0, 1] > 0.0


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
