"""An estimate and a fit take one thread, whatever numpy's linear algebra may take."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.house_files import ROOT

SCRIPT = """
import glob, os, sys, time
from jointlimits_core import api

def work_of_other_threads():
    found, before = [], None
    while found != before:  # a thread goes on looking for work for a while
        time.sleep(0.1)
        every = (path for path in glob.glob("/proc/self/task/*/schedstat"))
        found, before = [open(one).read() for one in every if str(os.getpid()) not in one], found
    return found

clip = api.read(sys.argv[1])
before = work_of_other_threads()
getattr(api, sys.argv[2])(clip)
print(len(before), before == work_of_other_threads())
"""


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="only Linux counts this")
@pytest.mark.parametrize("name", [pytest.param("estimate", marks=pytest.mark.thorough), "fit"])
def test_no_second_thread_of_linear_algebra_works(name):
    clip = str(ROOT / "examples" / "humanoid_rom.bvh")
    command = [sys.executable, "-c", SCRIPT, clip, name]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    count, is_unused = done.stdout.split()
    if count == "0":
        pytest.skip("this numpy has one thread")
    assert is_unused == "True"
