"""Pages: cost of a report, and behaviour of pages in a real browser."""

from __future__ import annotations

import contextlib
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.report.html.limits_page import write_report
from tests.support.browser import Browser, chromium
from tests.support.made_pages import (
    EXAMPLES,
    accessibility_faults,
    axe_source,
    library_of,
    made_pages,
)

from .figures import Figure, SkippedError, benchmark, shared
from .long_clip import write_long_bvh

CLIPS = (1, 3, 4, 5, 6, 10)
"""Clips of subject 02: 7,733 frames of 31 joints."""
ROUNDS, CHARACTERS, SCREEN = 7, 1000, (1280, 800)
WIDTHS = 380, 1280, 2560
"""Widths of windows in pixels."""
LARGE, QUICK_LARGE = (300, 10_000), (300, 500)
"""Joints and frames of a large character."""
NAME = "subject 02, six clips"
_DRAG = """new Promise((done) => {
  const canvas = document.querySelector("#figure canvas"), box = canvas.getBoundingClientRect();
  const send = (kind, x, buttons) => canvas.dispatchEvent(new PointerEvent("pointer" + kind, {
    clientX: box.x + x, clientY: box.y + 90, movementX: 5, buttons, bubbles: true }));
  let count = 0, start = 0;
  const step = (time) => {
    if (!count) start = time;
    if (count === 90) return done(90000 / (time - start));
    send("move", 100 + count++, 1);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""
_FILTER = """(() => {
  const box = document.querySelector("#find-character input"), times = [];
  for (const words of ["7", "", "hero 99", "", "hero 1", "hero 12", ""]) {
    const start = performance.now();
    box.value = words;
    box.dispatchEvent(new Event("input"));
    document.body.offsetHeight;
    times.push(performance.now() - start);
  }
  return times;
})()"""
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


@benchmark
def report(quick: bool) -> Iterator[Figure]:
    """Processor time of `estimate --report` beside `estimate`, and the size of the page."""
    with tempfile.TemporaryDirectory() as folder:
        times: dict[bool, list[float]] = {False: [], True: []}
        for _ in range(2 if quick else ROUNDS):
            for with_page in times:
                times[with_page].append(_estimated(Path(folder), with_page))
        plain, paged = min(times[False]), min(times[True])
        compared = f"estimate alone, {plain:.2f} s; with the page {paged:.2f} s"
        yield Figure(f"report beside estimate, {NAME}", paged / plain, "x", 1.3, compared)
        page = Path(folder) / "02.limits.html"
        yield Figure(f"size of the page, {NAME}", page.stat().st_size / 1e6, "MB", 1.2)
        yield from _in_browser(page, Path(folder))


def _estimated(folder: Path, with_page: bool) -> float:
    """Processor time of the command in seconds."""
    skeleton = shared("data/mocap/cmu_asfamc/02/02.asf")
    clips = [str(skeleton.with_name(f"02_{number:02d}.amc")) for number in CLIPS]
    command = [sys.executable, "-m", "jointlimits_core", "estimate", *clips]
    command += ["--skeleton", str(skeleton), "--out", str(folder)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*command, "--report"] if with_page else command, check=True, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _in_browser(page: Path, folder: Path) -> Iterator[Figure]:
    empty = folder / "empty.html"
    empty.write_text("<!DOCTYPE html><title>Empty</title><p>Empty", encoding="utf-8")
    with _browser() as browser:
        paints: dict[Path, float] = {}
        for path in (empty, page, empty, page, empty, page):
            browser.open(path, SCREEN)
            paints[path] = min(paints.get(path, 1e9), float(browser.run(_PAINT)))
        height = browser.run("document.documentElement.scrollHeight")
        yield Figure(f"height folded, {NAME}", height / SCREEN[1], "screens", 2.0)
        compared = f"an empty page, {paints[empty]:.0f} ms; this page {paints[page]:.0f} ms"
        yield Figure("first paint in Chromium", paints[page] / paints[empty], "x", 3.0, compared)
        rate = float(browser.run(_DRAG))
        yield Figure("dragging the figure in Chromium", rate, "Hz", 30.0, "", at_least=True)


_DRAWN = """new Promise((done) => {
  const look = () => {
    const canvas = document.querySelector("#figure canvas");
    const pixels = canvas && canvas.width && canvas.getContext("2d")
      .getImageData(0, 0, canvas.width, canvas.height).data;
    if (pixels && pixels.some(Boolean)) done(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Milliseconds from the start of a page to the first picture of its figure."""


@benchmark
def large(quick: bool) -> Iterator[Figure]:
    """First picture of the figure of a large character, best of three: others use the processor."""
    joints, frames = QUICK_LARGE if quick else LARGE
    with tempfile.TemporaryDirectory() as folder, _browser() as browser:
        path, page = Path(folder) / "long.bvh", Path(folder) / "long.html"
        write_long_bvh(path, joints, frames)
        clip = read_motion(path)
        write_report(estimate(clip), clip, page)
        times = []
        for _ in range(3):
            browser.open(page, SCREEN)
            times.append(float(browser.run(_DRAWN)) / 1000.0)
        count = browser.run("document.querySelectorAll('*').length")
        compared = f"{page.stat().st_size / 1e6:.1f} MB, {count:,} elements"
        name = f"first picture in Chromium, {joints} joints x {frames:,} frames"
        yield Figure(name, min(times), "s", 3.0, compared)


@benchmark
def library(quick: bool) -> Iterator[Figure]:
    """Filtering the page of a library of 1,000 characters, slowest of seven searches.

    Each the best of five: the clock of a busy machine measures the others, too.
    """
    with tempfile.TemporaryDirectory() as folder, _browser() as browser:
        page = Path(folder) / "library.html"
        count = 100 if quick else CHARACTERS
        clip = read_motion(EXAMPLES / "humanoid_rom.bvh")
        page.write_text(library_of(count, clip), encoding="utf-8")
        browser.open(page, SCREEN)
        size = f"{page.stat().st_size / 1e6:.1f} MB, {count} characters"
        rounds = np.array([browser.run(_FILTER) for _ in range(5)])
        slowest = float(rounds.min(axis=0).max())
        yield Figure("filter of a library page", slowest, "ms", 100.0, size)


@benchmark
def accessibility(quick: bool) -> Iterator[Figure]:
    """Violations that axe-core (npm) finds on all pages, light and dark, at three widths."""
    with tempfile.TemporaryDirectory() as folder, _browser() as browser:
        source = axe_source(Path(folder))
        if source is None:
            raise SkippedError("no axe-core: npm is missing or cannot reach its registry")
        for name, page in made_pages(Path(folder)).items():
            faults = []
            for width, dark in [(1280, False)] if quick else product(WIDTHS, (False, True)):
                browser.open(
                    page, (width, 800), dark=dark, part="#joint-6" if name == "limits" else ""
                )
                faults += accessibility_faults(browser, source)
            found = "axe-core: " + (", ".join(sorted({fault[0] for fault in faults})) or "nothing")
            yield Figure(f"accessibility violations, page of {name}", len(faults), "", 0.0, found)


@contextlib.contextmanager
def _browser() -> Iterator[Browser]:
    program = chromium()
    if program is None:
        raise SkippedError("no Chromium found: apt install chromium, or name one in CHROMIUM")
    browser = Browser(program)
    try:
        yield browser
    finally:
        browser.close()
