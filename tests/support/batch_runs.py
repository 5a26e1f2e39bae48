"""Running batch programs in processes of their own, and ending them in the middle."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time

from tests.support.batch_manifests import contents
from tests.support.house_files import ROOT


def run_to_end(command, *, code=None, environment=None):
    """Run to the end; AssertionError with the output for another exit code."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment or dict(os.environ),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert code in (None, done.returncode), f"{done.returncode}\n{done.stdout}{done.stderr}"
    return done


def killed_again_and_again(command, out, undisturbed, *, times=6, environment=None, seed=8):
    """Kill a run that resumes, several times; how many were killed before their end.

    Each is killed a moment after it wrote a random number of files. After each, what is there must
    be what an undisturbed run would have written.
    """
    chance, cut_short = random.Random(seed), 0
    for _ in range(times):
        wanted = len(contents(out)) + chance.randrange(3) if out.exists() else 0
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment or dict(os.environ), stdout=subprocess.DEVNULL
        )
        while process.poll() is None and (not out.exists() or len(contents(out)) < wanted):
            time.sleep(0.005)
        time.sleep(chance.uniform(0.0, 0.1))
        cut_short += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        there = contents(out) if out.exists() else {}
        # What is summed up of some characters is not what is summed up of all.
        for name in ("summary.json", "library.csv", "library.html"):
            there.pop(name, None)
        assert there.items() <= undisturbed.items()
    return cut_short
