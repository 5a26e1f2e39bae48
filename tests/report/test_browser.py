"""Pages in a real browser: play, scrub, turn, search, fold, keys, dark, small, without scripts."""

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.check_result import CheckedClip, CheckResult
from jointlimits_core.evaluation.gate import Gate
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import rotate
from jointlimits_core.limits.review_entries import review
from jointlimits_core.report.figures.character import (
    character_of,
    is_near,
    joint_state,
    look_joints,
    pinned_joints,
)
from jointlimits_core.report.figures.circle import counts_on_circle
from jointlimits_core.report.figures.limbs import MIN_PIXELS, limbs_of
from jointlimits_core.report.figures.range_shapes import SELECTED_SHARE, range_shapes
from jointlimits_core.report.figures.samples import rotates_of
from jointlimits_core.report.figures.view import Stage
from jointlimits_core.report.html.character_figure import VIEW, half_of
from jointlimits_core.report.html.check_page import write_check_report
from jointlimits_core.report.html.limits_page import write_report
from tests.support.browser import Browser, chromium
from tests.support.house_files import ROOT
from tests.support.limit_set_examples import limit_set, motion
from tests.support.made_pages import (
    EXAMPLES,
    accessibility_faults,
    axe_source,
    library_of,
    made_pages,
    with_range,
)

pytestmark = pytest.mark.thorough
EVIL = "</script><img src=x onerror=alert(1)>\"'&"


@pytest.fixture(scope="module")
def browser():
    program = chromium()
    if program is None:
        pytest.skip("no Chromium found: apt install chromium, or name one in CHROMIUM")
    one = Browser(program)
    yield one
    one.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Every kind of page, by name."""
    folder = tmp_path_factory.mktemp("pages")
    made_pages(folder)
    # A library with every kind of row, but not a thousand of them.
    clip = read_motion(EXAMPLES / "humanoid_rom.ma")
    (folder / "small-library.html").write_text(library_of(70, clip), encoding="utf-8")
    evil = limit_set(character=EVIL, joints={EVIL: limit_set().joints["hip"]})
    write_report(evil, motion(EVIL, names=("a", "b", "c", EVIL, "d")), folder / "evil.html")
    return {path.stem.rpartition(".")[2]: path for path in folder.glob("*.html")}


def frame(browser):
    return int(browser.run("document.querySelector('.slide').value"))


def ink(browser, selector="#figure canvas"):
    """Sum of a canvas's pixels, which changes with the picture."""
    return browser.run(
        f"(() => {{ const c = document.querySelector('{selector}');"
        "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
        "let s = 0; for (let n = 0; n < d.length; n += 7) s = (s * 31 + d[n]) | 0; return s; })()"
    )


def test_the_figure_plays_scrubs_turns_and_goes_to_the_frame_of_a_limit(browser, pages):
    browser.open(pages["limits"])
    assert browser.errors == []
    assert frame(browser) == 0
    before = ink(browser)
    browser.drag("#figure canvas", 120, 30)
    browser.pause(0.1)
    turned = ink(browser)
    assert turned != before
    browser.key("f")
    browser.mouse("Moved", 2, 2)  # or the joint there has its label
    browser.pause(0.2)
    assert ink(browser) == before
    browser.key(".")
    assert frame(browser) == 1
    browser.click(".play")
    browser.pause(0.4)
    assert frame(browser) > 2
    browser.click(".play")
    browser.click("a[href='#joint-6']")
    link = browser.run(
        "(() => { const one = document.querySelector('details[open] [data-frame]');"
        "one.click(); return Number(one.dataset.frame); })()"
    )
    assert frame(browser) == link
    assert browser.run("document.querySelectorAll('details.joint[open]').length") == 1
    assert browser.run("document.querySelector('details[open] .spikes').getAttribute('d').length")
    assert browser.run("document.querySelectorAll('details[open] canvas').length") == 3
    browser.click("details[open] .curves")
    assert frame(browser) != link
    assert browser.errors == []


HOOKED = """(() => {
  const drawn = window.drawn = [], to = CanvasRenderingContext2D.prototype;
  const canvas = document.querySelector("#figure canvas");
  ["moveTo", "lineTo", "arc"].forEach((name) => {
    const act = to[name];
    to[name] = function (x, y, ...more) {
      if (this.canvas === canvas) drawn.push([x, y, name === "arc" ? more[0] : 0]);
      return act.call(this, x, y, ...more);
    };
  });
  return [canvas.clientWidth, canvas.clientHeight];
})()"""


@pytest.mark.parametrize("joint", ["LeftElbow", "LeftShoulder"])
def test_the_page_draws_what_the_layout_says(browser, tmp_path, joint):
    clip = read_motion(ROOT / "examples" / "humanoid_rom.ma")
    walk = 0.2 * np.arange(clip.frame_count)
    root = np.stack([walk, 90.0 + 9.0 * np.sin(0.1 * walk), 3.0 * walk], axis=1)
    clip = replace(clip, translations={**clip.translations, 0: root})
    limits = estimate(clip)
    node, number = clip.skeleton.index(joint), list(limits.joints).index(joint)
    write_report(limits, clip, tmp_path / "page.html")
    browser.open(tmp_path / "page.html", part=f"#joint-{number}")
    width, height = browser.run(HOOKED)
    link = f"document.querySelector('#joint-{number} [data-frame]')"
    ghost = browser.run(f"Number({link}.dataset.frame)")
    at = ghost + 1
    browser.run(
        f"{link}.dispatchEvent(new Event('focus')); drawn.length = 0;"
        f"const slide = document.querySelector('.slide'); slide.value = {at};"
        "slide.dispatchEvent(new Event('input'))"
    )
    browser.pause(0.2)
    drawn, discs = np.split(np.array(browser.run("drawn")), [2], axis=1)
    states = browser.run(
        "[...document.querySelectorAll('.joints tr[id]')].map((row) => row.dataset.state)"
    )

    character = character_of(clip)
    pose, centre = character.pose(index=at), character.centre(character.pose(index=at))
    stage = Stage(VIEW, width, height, tuple(centre), half_of(character))
    shape = range_shapes(limits, clip.skeleton)[joint]
    radius, place = SELECTED_SHARE * character.reach, pose.places[node]
    tip = rotate(clip.quaternion(joint)[at], shape.tip)
    origin = character.pose(index=0).places[0]
    step, lines = character.grid
    x, _, z = origin + step * np.floor((centre - origin) / step)
    marks = {
        "joints": pose.places,
        "limbs": limbs_of(character).ends(pose.places),
        "range": place + radius * shape.corners()[shape.area :] @ pose.spaces[node].T,
        "pose in the range": place + radius * pose.spaces[node] @ tip,
        "ghost": character.ghost(pose, character.pose(index=ghost)),
        "trail": character.places(character.trail_indices(at))[:, character.end(node)],
        "ground": np.add(lines, [x, character.floor, z]),
    }
    for name, points in marks.items():
        pixels = stage.project(points)[..., :2].reshape(-1, 2)
        away = np.linalg.norm(pixels[:, None] - drawn[None], axis=2).min(axis=1)
        assert away.max() < 0.6, name
        if name == "limbs":
            radii = np.maximum(limbs_of(character).radii * stage.pixels_per_unit, MIN_PIXELS)
            apart = np.abs(radii.reshape(-1, 1) - discs.T)
            near = np.linalg.norm(pixels[:, None] - drawn[None], axis=2) < 0.6
            assert (near & (apart < 0.1)).any(axis=1).all()
    here = clip.keep_frames([at])
    joints = limits.joints.items()
    near = {n for n, one in joints if is_near(one, here, here.skeleton.index(n))}
    look = look_joints(review(limits))
    pinned = pinned_joints(limits)
    assert states == [
        joint_state(one, False, name in near, name in look, name in pinned) for name, one in joints
    ]
    if joint == "LeftElbow":
        spikes = browser.run(f"document.querySelector('#joint-{number} .spikes').getAttribute('d')")
        counts = counts_on_circle(np.degrees(rotates_of(clip, node, limits.joints[joint])[:, 2]))
        assert spikes.count("M") == np.count_nonzero(counts)


def test_the_list_is_searched_filtered_and_sorted(browser, pages):
    browser.open(pages["limits"])
    names = (
        "[...document.querySelectorAll('.joints tr[id]')].filter((row) => !row.hidden)"
        ".map((row) => row.cells[0].textContent.trim())"
    )
    browser.run("document.querySelector('#find-joint input').focus()")
    for letter in "left sh":
        browser.key(letter)
    assert browser.run(names) == ["LeftShoulder"]
    assert browser.run("document.querySelector('#find-joint .count').textContent") == "1 of 21"
    browser.run(
        "const box = document.querySelector('#find-joint input'); box.value = '';"
        "box.dispatchEvent(new Event('input'))"
    )
    browser.click(".joints thead th:nth-child(3) button")
    browser.click(".joints thead th:nth-child(3) button")
    widths = browser.run(
        "[...document.querySelectorAll('.joints tr[id]')]"
        ".map((row) => Number(row.cells[2].dataset.sort))"
    )
    assert widths == sorted(widths, reverse=True)
    sort = "document.querySelector('.joints thead th:nth-child(3)').getAttribute('aria-sort')"
    assert browser.run(sort) == "descending"


def test_a_check_starts_at_its_worst_frame_and_strips_lead_to_others(browser, pages):
    browser.open(pages["check"])
    worst = browser.run("Number(document.querySelector('[data-frame]').dataset.frame)")
    assert frame(browser) == worst
    says = "document.getElementById('outside-now').textContent"
    assert browser.run(says).startswith("Outside now: LeftElbow by ")
    x, y = browser.middle("[data-start] svg")
    browser.mouse("Pressed", x - 60, y, button="left", buttons=1, clickCount=1)
    browser.mouse("Released", x - 60, y, button="left", clickCount=1)
    assert 0 < frame(browser) < worst
    assert browser.run(says) == ""
    assert browser.errors == []


def test_a_library_of_a_thousand_is_filtered(browser, pages):
    browser.open(pages["library"])
    count = "document.querySelector('#find-character .count').textContent"
    assert browser.run(count) == "1000 of 1000"
    browser.run("document.querySelector('#find-character input').focus()")
    for letter in "99":
        browser.key(letter)
    assert browser.run(count) == "19 of 1000"
    browser.run(
        "const box = document.querySelector('#find-character select'); box.value = 'look';"
        "box.dispatchEvent(new Event('change'))"
    )
    assert browser.run(count) == "1 of 1000"
    browser.run("box.value = ''; box.dispatchEvent(new Event('change'))")
    browser.click(".characters thead th:nth-child(5) button")
    browser.click(".characters thead th:nth-child(5) button")
    looked = browser.run(
        "[...document.querySelectorAll('.characters tbody tr')]"
        ".map((row) => Number(row.cells[4].textContent))"
    )
    assert looked == sorted(looked, reverse=True)
    assert looked[0] > 0


def test_sections_of_joints_are_drawn_when_they_open(browser, pages):
    browser.open(pages["limits"])
    count = "document.querySelectorAll('#joint-6 *').length"
    folded = browser.run(count)
    browser.click("a[href='#joint-6']")
    assert browser.run(count) > 10 * folded
    assert browser.run("document.querySelectorAll('#joint-6 .numbers').length") == 1


@pytest.mark.parametrize("width", [380, 1280, 2560])
def test_paths_stay_on_one_line_and_are_copied_whole(browser, tmp_path, width):
    path = f"/{'shots/' * 20}take_01_of_a_character_with_a_long_name.ma"
    clip = read_motion(ROOT / "examples" / "humanoid_rom.ma")
    tight = with_range(estimate(clip), "LeftElbow", "rotateZ", 0.0, 60.0)
    other = path.replace("take_01", "take_02")
    clips = [CheckedClip(one, violations(tight, clip)) for one in (path, other)]
    result = CheckResult(f"{path}.json", "person", Gate(), tuple(clips))
    write_check_report(result, tmp_path / "check.html", None, tight, {path: clip})
    browser.open(tmp_path / "check.html", (width, 800))
    heights = browser.run(
        "[...document.querySelectorAll('.path')].filter((one) => one.offsetHeight)"
        ".map((one) => one.offsetHeight / parseFloat(getComputedStyle(one).fontSize))"
    )
    assert len(heights) >= 5
    assert max(heights) < 1.8
    copied = browser.run(
        "(() => { const one = document.querySelector('h2 .path'), data = new DataTransfer();"
        "getSelection().selectAllChildren(one); one.dispatchEvent(new ClipboardEvent('copy',"
        "{ clipboardData: data, bubbles: true, cancelable: true }));"
        "return [data.getData('text/plain'), one.title]; })()"
    )
    assert copied == [path, path]


def test_a_skeleton_page_opens_with_the_moving_figure(browser, pages):
    browser.open(pages["skeleton"], still=False)
    bottom = "document.querySelector('.panel canvas').getBoundingClientRect().bottom"
    assert browser.run(bottom) < 800
    browser.pause(0.3)
    assert frame(browser) > 0


def test_a_page_is_used_with_the_keyboard_alone(browser, pages):
    browser.open(pages["limits"])
    browser.run("document.querySelector(\"a[href='#joint-6']\").focus()")
    enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
    browser.send("Input.dispatchKeyEvent", type="keyDown", text="\r", **enter)
    browser.send("Input.dispatchKeyEvent", type="keyUp", **enter)
    assert browser.run("document.getElementById('joint-6').open")
    before = ink(browser)
    browser.run("document.querySelector('#figure canvas').focus()")
    browser.key("+")
    browser.pause(0.2)
    assert ink(browser) != before
    browser.key(".")
    assert frame(browser) == 1
    reached = browser.run(
        "[...document.querySelectorAll('canvas, summary, button, input, select')]"
        ".filter((one) => !one.closest('[hidden]') && one.className !== 'curves')"
        ".every((one) => one.tabIndex >= 0)"
    )
    assert reached


@pytest.mark.parametrize("page", ["limits", "check", "library", "skeleton", "evil"])
@pytest.mark.parametrize("width", [360, 3840])
def test_pages_fit_and_follow_the_dark(browser, pages, page, width):
    papers = set()
    for dark in (False, True):
        browser.open(pages[page], (width, 800), dark=dark)
        assert browser.run("document.documentElement.scrollWidth") <= width
        assert browser.run("document.querySelectorAll('th:not([scope])').length") == 0
        papers.add(browser.run("getComputedStyle(document.body).backgroundColor"))
        assert browser.errors == []
    assert len(papers) == 2


def test_names_of_others_stay_text(browser, pages):
    browser.open(pages["evil"], part="#joint-0")
    assert browser.run("document.querySelectorAll('img').length") == 0
    assert EVIL in browser.run("document.querySelector('details.joint h2').textContent")
    assert EVIL in browser.run("document.title")
    assert browser.errors == []


@pytest.mark.parametrize("page", ["limits", "check", "library", "skeleton"])
def test_without_scripts_there_is_a_table_and_a_word_about_it(browser, pages, page):
    browser.open(pages[page], (360, 800), script=False)
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.run("document.querySelector('noscript p').offsetHeight") > 0
    assert browser.run("document.querySelectorAll('noscript tr').length") > 1
    assert browser.run("document.documentElement.scrollWidth") <= 360


def test_nothing_moves_for_people_who_ask_for_none(browser, pages):
    browser.open(pages["limits"], still=True)
    browser.pause(0.3)
    assert frame(browser) == 0
    browser.open(pages["limits"], still=False)
    browser.pause(0.3)
    assert frame(browser) > 0


PAPER_AND_INK = "rgb(255, 255, 255)", "rgb(0, 0, 0)"
PRINTED = """(() => {
  const inks = () => [...document.querySelectorAll("canvas")].map((one) => one.toDataURL());
  const folds = () => [...document.querySelectorAll("details")].map((one) => one.open);
  window.seen = { inks: inks(), folds: folds() };
  addEventListener("beforeprint", () => {
    window.printed = { inks: inks(), folds: folds() };
  });
  addEventListener("afterprint", () => { window.after = { inks: inks(), folds: folds() }; });
})()"""


@pytest.mark.parametrize("page", ["limits", "check", "library", "skeleton"])
def test_a_dark_screen_prints_the_light_inks_and_is_dark_again(browser, pages, page):
    printed = {}
    for dark in (False, True):
        browser.open(pages[page], dark=dark, part="#joint-6" if page == "limits" else "")
        browser.pause(0.2)
        browser.run(PRINTED)
        browser.send("Page.printToPDF", printBackground=True)
        seen, printed[dark], after = (
            browser.run(f"window.{one}") for one in ("seen", "printed", "after")
        )
        assert after == seen
    assert printed[True] == printed[False]
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.send("Emulation.setEmulatedMedia", media="print", features=features)
    body = "getComputedStyle(document.body)"
    assert browser.run(f"[{body}.backgroundColor, {body}.color]") == list(PAPER_AND_INK)
    browser.send("Emulation.setEmulatedMedia", media="", features=features)
    if page in ("limits", "check"):
        assert printed[True]["inks"]
        assert all(one != other for one, other in zip(printed[True]["inks"], seen["inks"]))
    if page == "limits":
        assert all(printed[True]["folds"])
        assert seen["folds"].count(True) == 1
    assert browser.errors == []


@pytest.mark.parametrize("width", [380, 1280, 2560])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("page", ["limits", "check", "small-library", "skeleton"])
def test_an_accessibility_checker_finds_nothing(browser, pages, page, dark, width):
    source = axe_source()
    if source is None:
        pytest.skip("no axe-core found: npm install axe-core, and name axe.min.js in AXE_CORE")
    part = "#joint-6" if page == "limits" else ""
    browser.open(pages[page], (width, 800), dark=dark, part=part)
    assert accessibility_faults(browser, source) == []
