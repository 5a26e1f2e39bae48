"""The checks in a watched Maya process; after a crash or a hang, a new one continues."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.maya_live import kit
from tests.maya_live.run import CANNOT_BEGIN, HERE, NO_NUMPY

START_SECONDS = 600
"""Seconds that Maya may take to start; the first start of a version creates its preferences."""
PAUSE_SECONDS = 0.05


def run_checks(options):
    """Run the checks; return the exit code."""
    folder = Path(tempfile.mkdtemp(prefix="jointlimits_live_"))
    try:
        return Run(options, folder).run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Run:
    """All checks, in as many processes as needed."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.environment = dict(os.environ)
        self.left = None  # ids; None until Maya is up and has listed them
        self.found = []
        self.host, self.record = {}, None

    def run(self):
        """Run the checks; return the exit code."""
        while self.left is None or self.left:
            part = self.folder / f"part{len(self.found)}.jsonl"
            part.touch()
            with (self.folder / "output.txt").open("w+b") as output:
                code, needs = self.run_part(part, output)
                output.seek(0)
                output_text = output.read().decode("utf-8", "replace").strip()
            if code == NO_NUMPY and needs:
                if not install_numpy(needs, self.folder, self.options.yes, self.environment):
                    return CANNOT_BEGIN
            elif self.record is None:
                print(output_text or f"Maya ended with exit code {code} before the first check")
                return CANNOT_BEGIN
            else:
                self.end_broken(code, output_text)
        self.record.close()
        return kit.conclude(self.found, self.host, self.record.path)

    def run_part(self, part, output):
        """Run a process until it ends or hangs; return its exit code, None for a hang."""
        process = subprocess.Popen(
            self.command(part),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=self.environment,
            start_new_session=True,
        )
        self.running, needs = None, None
        try:
            for line in lines_of(process, part, self.seconds):
                needs = line.get("needs", needs)
                self.take(line)
        finally:
            code = process.poll()
            if code is None:
                kill(process)
        return code, needs

    def seconds(self):
        """Seconds for which the process may be silent."""
        limit = self.options.limit
        return limit if self.running else max(limit, START_SECONDS)

    def command(self, part):
        """Arguments of a process for the remaining checks."""
        options = self.options
        words = [program(), str(HERE / "run.py"), "--part", str(part), "--limit"]
        words.append(str(options.limit))
        words += ["--apart"] if options.apart else []
        words += ["--cases", str(options.cases.resolve())] if options.cases else []
        only = options.only if self.left is None else self.left
        words += ["--only", *only] if only else []
        return [*words, "--skip", *options.skip] if options.skip else words

    def take(self, line):
        """Handle a line of a process: its head, a check that begins, or an outcome."""
        if "host" in line and self.record is None:
            self.host, self.left = line["host"], list(line["checks"])
            self.record = kit.begin_record(self.options.json, self.host)
            print(json.dumps(self.host), flush=True)
        elif line.get("state") == kit.RUNNING:
            self.running = line["id"]
            self.record.begin(self.running)
            kit.announce(self.running)
        elif "id" in line:
            self.end(kit.Outcome(**line))

    def end(self, one):
        """Store an outcome."""
        self.running = None
        self.left.remove(one.id)
        self.found.append(one)
        self.record.end(one)
        print(kit.row(one), flush=True)

    def end_broken(self, code, output_text):
        """Record the outcome of the check in which a process crashed or hung."""
        if code == 0 and not self.running:
            return  # its share is done
        name = self.running or (self.left[0] if self.left else None)
        if name is None:
            return
        seen = f"Maya ended here with exit code {code}"
        if code is None:
            seen = f"did not end within {self.options.limit:g} seconds; Maya was stopped"
        self.end(kit.Outcome(name, kit.FAILED, seen, name.replace("-", "_"), output_text[-2000:]))


def lines_of(process, part, seconds):
    """Lines of a process as they arrive, until it has ended or is silent for too long."""
    text, last_time = "", time.monotonic()
    with part.open(encoding="utf-8") as stream:
        while True:
            has_ended = process.poll() is not None  # before reading, so that no line is lost
            *lines, text = (text + stream.read()).split("\n")
            if lines:
                last_time = time.monotonic()
            yield from map(json.loads, lines)
            if has_ended or time.monotonic() - last_time > seconds():
                return
            time.sleep(PAUSE_SECONDS)


def kill(process):
    """End a process and its children: mayapy is a script on some systems."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def program():
    """Maya's Python: mayapy if it exists, else the running interpreter."""
    from jointlimits_maya.base.mayapy import mayapy

    path = mayapy()
    return str(path if path.exists() else sys.executable)


def install_numpy(command, folder, yes, environment):
    """Install numpy into a folder that processes in `environment` search; False on failure."""
    target = folder / "numpy"
    place = command.index("--target") + 1
    words = [program(), *command[1:place], str(target), *command[place + 1 :]]
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1"]
    print(
        "The checks need numpy, which this Maya lacks. This installs it into a temporary folder,\n"
        f"which is removed at the end:\n\n    {line_of(words)}\n"
    )
    if not (yes or agrees()):
        print(f"Or install it yourself, and run the checks again:\n\n    {line_of(command)}\n")
        return False
    done = subprocess.run([*words, *quiet], capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip() or "pip failed").splitlines()[-1]
        print(f"numpy was not installed: {reason} (is this machine online?)")
        return False
    paths = [str(target), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return True


def line_of(words):
    """A command as typed in a terminal."""
    return " ".join(f'"{word}"' if set(word) & set(' <>()"') else word for word in words)


def agrees():
    """Ask whether to install it; the answer is no if nobody can answer."""
    if not sys.stdin.isatty():
        print("Nobody can answer here: use --yes to install it.")
        return False
    return input("Install it now? [y/N] ").strip().lower() in ("y", "yes")
