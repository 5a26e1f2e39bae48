"""The batch: its overhead, the gain from a second process, and whether its bytes are reproducible.

Each run is a separate command, timed from the start of Python to its end.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from .figures import Figure, SkippedError, benchmark, shared
from .motion_files import bvh_text, channel_values

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = ROOT / "examples" / "farm_job.yaml"
CLIPS = "data/mocap"
KILLS, QUICK_KILLS = 50, 5
JOBS = {"one": ("--jobs", "1"), "two": ("--jobs", "2")}
BROKEN = "broken.bvh"
BARE = """
import sys
from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.base.errors import EstimationError
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.estimation.pipeline import reject_still_estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import write_limit_set

for number, one in enumerate(read_manifest(sys.argv[1]).characters):
    motion = read_motion(one.clips[0].path, skeleton=one.skeleton and one.skeleton.path)
    found = estimate(motion, EstimateOptions(**one.options))
    try:
        reject_still_estimate(found)
    except EstimationError:
        continue
    write_limit_set(found, f"{sys.argv[2]}/{number}.limits.json")
"""
"""The same work, done by a script of a dozen lines."""
SIMULATED = """
import json, resource, statistics, sys, time
from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.batch.results import Estimated
from jointlimits_core.batch.run import Batch, write_summary
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion

limits, part = estimate(read_motion(sys.argv[2])), int(sys.argv[4])
limits.joints
manifest, begun = read_manifest(sys.argv[1]), time.process_time()
batch, times, peaks = Batch(manifest, sys.argv[3], "simulated"), [begun], []

def peak():
    peaks.append(1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

for item in range(len(manifest.characters)):
    batch.estimate(item, lambda character, folder, progress: Estimated(limits))
    times.append(time.process_time())
    if item + 1 == part:
        peak()
peak()
write_summary(batch)
summary = (time.process_time() - times[-1]) / len(manifest.characters)
peak()
each = [after - before for before, after in zip(times, times[1:])]
first, last = statistics.median(each[:part]), statistics.median(each[-part:])
print(json.dumps({"first": first, "last": last, "summary": summary, "peaks": peaks}))
"""
"""The batch's work for each character, besides reading and estimating."""


@benchmark
def speed(quick: bool) -> Iterator[Figure]:
    """Every motion file of the shared data as a separate character."""
    with _library() as manifest:
        out = manifest.parent.parent / "out"
        out.mkdir()
        count = len(json.loads(manifest.read_text(encoding="utf-8"))["characters"])
        bare = [sys.executable, "-c", BARE, str(manifest), str(out)]
        runs: dict[str, Callable[[], object]] = {
            "bare": lambda: _run(bare),
            "both": lambda: _at_once(bare, bare),
            "one": lambda: _run(_command(manifest, out, "--jobs", "1")),
            "two": lambda: _run(_command(manifest, out, "--jobs", "2")),
        }
        seconds, processor = _interleaved(runs, 2 if quick else 8, out)
        yield Figure(f"a bare script, {count} clips", seconds["bare"], "s")
        yield Figure(f"batch, 1 process, {count} clips", seconds["one"], "s")
        yield Figure(f"batch, 2 processes, {count} clips", seconds["two"], "s")
        over = 100.0 * (processor["one"] / processor["bare"] - 1.0)
        words = f"{processor['one']:.3g} beside {processor['bare']:.3g} s of processor time"
        yield Figure("overhead of the batch", over, "%", None if quick else 10.0, words)
        gain = 2.0 * seconds["bare"] / seconds["both"]
        yield Figure(
            "2 bare scripts at once, the most there is", gain, "x", None, "1 after the other"
        )
        gain = seconds["one"] / seconds["two"]
        target = None if quick else 1.75
        words = f"1 process; {os.cpu_count()} cores, load {_load()}"
        yield Figure("2 processes", gain, "x", target, words, at_least=True)
        longer = _longer(manifest, 4)
        runs = {name: partial(_run, [*_command(longer, out), *more]) for name, more in JOBS.items()}
        seconds, _ = _interleaved(runs, 1 if quick else 4, out)
        gain = seconds["one"] / seconds["two"]
        target = None if quick else 1.9
        name = f"2 processes, every clip 4 times: {4 * count}"
        yield Figure(name, gain, "x", target, words, at_least=True)


@benchmark
def many(quick: bool) -> Iterator[Figure]:
    """10,000 characters, simulated: one limit set, estimated once, is every character's result."""
    part, count = (100, 400) if quick else (1000, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        clip, manifest = Path(folder) / "clip.bvh", Path(folder) / "many.json"
        clip.write_text(bvh_text(channel_values(20, 100)), encoding="utf-8")
        characters = [{"name": f"c{number:05}", "clips": [clip.name]} for number in range(count)]
        document = {"format": "jointlimits.manifest", "version": 1, "characters": characters}
        manifest.write_text(json.dumps(document), encoding="utf-8")
        given = [str(manifest), str(clip), f"{folder}/out", str(part)]
        command = [sys.executable, "-c", SIMULATED, *given]
        done = subprocess.run(command, env=_environment(), stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    begin, end, summed = found["peaks"]
    yield Figure(f"a character, the first {part:,}", 1e3 * found["first"], "ms", None, "median")
    yield Figure(f"a character, the last {part:,}", 1e3 * found["last"], "ms", None, "median")
    grown = found["last"] / found["first"]
    yield Figure("the last beside the first", grown, "x", 1.1, f"of {count:,} characters")
    yield Figure("its share of the summary at the end", 1e3 * found["summary"], "ms")
    yield Figure(f"peak memory after {part:,}", begin / 1e6, "MB")
    grown = (end - begin) / (count - part)
    words = f"{end / 1e6:.3g} MB after {count:,}"
    yield Figure("more memory for a character more", grown, "bytes", 1000.0, words)
    yield Figure("peak memory with the summary", summed / 1e6, "MB")


@benchmark
def same_bytes(quick: bool) -> Iterator[Figure]:
    """Number of files that differ from those of one undisturbed run; one character is broken."""
    with _library(broken=True) as manifest:
        home = manifest.parent.parent
        _run(_command(manifest, home / "alone"))
        expected = _contents(home / "alone")
        what = f"of {len(expected)} files, beside 1 process undisturbed"

        def differing(folder: Path) -> float:
            found = _contents(folder)
            names = {*found, *expected}
            return float(sum(found.get(name) != expected.get(name) for name in names))

        _run(_command(manifest, home / "two", "--jobs", "2"))
        yield Figure("differ with 2 processes", differing(home / "two"), "files", 0.0, what)
        _in_parts(manifest, home / "parts", 7)
        yield Figure("differ in 7 parts, shuffled", differing(home / "parts"), "files", 0.0, what)
        times = QUICK_KILLS if quick else KILLS
        cut_short = _killed(manifest, home / "killed", times)
        words = f"{what}; {cut_short} of {times} were at work when killed"
        figure = differing(home / "killed")
        yield Figure(f"differ after {times} kills and resumes", figure, "files", 0.0, words)
        yield from _as_a_job(manifest, home / "job", differing, what)


def _as_a_job(
    manifest: Path, out: Path, differing: Callable[[Path], float], what: str
) -> Iterator[Figure]:
    """The shipped job template, run by the public command where that is installed."""
    if find_spec("openjd") is None:
        return
    openjd = [sys.executable, "-m", "openjd"]
    checked = _run([*openjd, "check", str(TEMPLATE)])
    yield Figure("openjd check, exit code", float(checked), "", 0.0, TEMPLATE.name)
    count = len(json.loads(manifest.read_text(encoding="utf-8"))["characters"])
    values = {
        "Library": manifest.parent,
        "Manifest": manifest.name,
        "LastCharacter": count - 1,
        "CharactersPerTask": 5,
        "Results": out,
        "Python": sys.executable,
        "Failures": "report",
    }
    given = [word for name, value in values.items() for word in ("-p", f"{name}={value}")]
    code = _run([*openjd, "run", str(TEMPLATE), *given])
    yield Figure("openjd run, exit code", float(code), "", 0.0, "one failure injected")
    yield Figure("differ after openjd run", differing(out), "files", 0.0, what)


@contextmanager
def _library(broken: bool = False) -> Iterator[Path]:
    """Manifest of a copy of the clips, one character a clip."""
    source = shared(CLIPS)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        shutil.copytree(source, library)
        for path in (library, *library.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        if broken:
            (library / BROKEN).write_text("HIERARCHY\nROOT hip\n{\n", encoding="utf-8")
        command = [sys.executable, "-m", "jointlimits_core", "manifest", str(library)]
        if _run([*command, "--character-by", "file"]) != 0:
            raise SkippedError("no manifest of the shared motion could be made")
        yield library / "characters.json"


def _command(manifest: Path, out: Path, *more: str) -> list[str]:
    program = [sys.executable, "-m", "jointlimits_core", "batch", "--manifest", str(manifest)]
    return [*program, "--out", str(out), *more]


def _environment() -> dict[str, str]:
    """As for users: a process reads the bytecode of an earlier one and compiles nothing."""
    kept = {name: at for name, at in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(ROOT)}


def _run(command: Sequence[str]) -> int:
    quiet = subprocess.DEVNULL
    return subprocess.run(command, env=_environment(), stdout=quiet, stderr=quiet).returncode


def _at_once(*commands: Sequence[str]) -> None:
    quiet = subprocess.DEVNULL
    running = [subprocess.Popen(one, env=_environment(), stdout=quiet) for one in commands]
    for process in running:
        process.wait()


def _interleaved(
    runs: Mapping[str, Callable[[], object]], repeats: int, out: Path
) -> tuple[dict[str, float], dict[str, float]]:
    """Best time of each by the clock, and by the processor with all processes that it started.

    They take turns, so that a busy moment of the machine affects all of them. Each starts with an
    empty folder `out`, as a batch keeps existing results.
    """
    clock = dict.fromkeys(runs, float("inf"))
    processor = dict(clock)
    for _ in range(repeats):
        for name, run in runs.items():
            shutil.rmtree(out)
            out.mkdir()
            began, used = time.perf_counter(), _used()
            run()
            clock[name] = min(clock[name], time.perf_counter() - began)
            processor[name] = min(processor[name], _used() - used)
    return clock, processor


def _used() -> float:
    """Seconds of processor time used by processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _load() -> str:
    """Load of the machine in the last minute, where the system reports it."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def _longer(manifest: Path, times: int) -> Path:
    """A manifest with every character several times."""
    document = json.loads(manifest.read_text(encoding="utf-8"))
    document["characters"] = [
        {**entry, "name": f"{entry['name']} {number}"}
        for number in range(times)
        for entry in document["characters"]
    ]
    path = manifest.with_name("longer.json")
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def _in_parts(manifest: Path, out: Path, parts: int) -> None:
    """Run every part separately, in an order unrelated to that of the manifest."""
    count = len(json.loads(manifest.read_text(encoding="utf-8"))["characters"])
    items = list(range(count))
    chance = random.Random(3)
    chance.shuffle(items)
    for part in range(parts):
        own = ",".join(map(str, items[part::parts]))
        _run(_command(manifest, out, "--items", own))
    _run(_command(manifest, out, "--merge"))


def _killed(manifest: Path, out: Path, times: int) -> int:
    """Kill runs at random moments and resume; return how many were cut short.

    Whenever a run finishes by itself, part of the results is removed, so that there is always work
    to interrupt.
    """
    chance, cut_short = random.Random(5), 0
    again = _command(manifest, out, "--resume", "--jobs", "2")
    quiet = subprocess.DEVNULL
    for _ in range(times):
        process = subprocess.Popen(again, env=_environment(), stdout=quiet, stderr=quiet)
        time.sleep(chance.uniform(0.1, 1.5))
        running = process.poll() is None
        cut_short += running
        process.kill()
        process.wait()
        if not running:
            for path in chance.sample(sorted(out.glob("*.json")), 20):
                path.unlink()
    _run(again)
    return cut_short


def _contents(folder: Path) -> dict[str, bytes]:
    """Every file except the logs, which contain line numbers of the program."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.parent.name != "logs"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
