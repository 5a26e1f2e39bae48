"""Figures that move on a page: their data, and the same as its stills."""

import re

import numpy as np
import pytest

from jointlimits_core.motion.skeleton import Skeleton
from jointlimits_core.report.html.document import document
from jointlimits_core.report.html.moving_figures import MOST_FRAMES, Panel, Scene, in_parts
from tests.support.page_streams import Page, data_of, only_script, places

NASTY = '</script><script>alert("x")</script>\x1b&'


def page(frames=40, rate=30.0, says="says"):
    bones = Skeleton(("root", "middle", "tip"), [-1, 0, 1])
    time = np.linspace(0.0, 1.0, frames)
    places = np.zeros((frames, 3, 3))
    places[:, :, 0] = 100.0 * time[:, None] + [0.0, 1.0, 2.0]
    places[:, 2, 1] = time
    scene = Scene(bones, np.arange(frames) + 5.0, rate, places[:, 2:] + 0.5)
    lines = np.stack([places[:, 1], places[:, 2] + 1.0], axis=1)[:, None]
    panels = [
        Panel("One side", places, [says] * frames),
        Panel("Other side", places + 0.25, [f"{says} {n}" for n in range(frames)], lines),
    ]
    parts = in_parts(scene, panels, "A hint.")
    text = document(
        "A title",
        parts.moving,
        parts.stills,
        parts.data,
        version="1",
        sheets=parts.sheets,
        scripts=parts.scripts,
    )
    return text, panels


def block(text):
    return data_of(text, "moving-data")


def test_the_data_are_the_frames_around_the_root():
    text, panels = page()
    data = block(text)
    (clip,) = data["clips"]
    assert clip["numbers"] == [float(n) for n in range(5, 45)]
    assert data["bones"] == [[0, 1], [1, 2]]
    moved = panels[1].positions - panels[0].positions[:, :1]
    first, second = data["panels"]
    np.testing.assert_allclose(places(data, second["places"]), moved, atol=1e-2)
    assert data["says"][second["words"][7]] == "says 7"
    assert clip["rate"] == 30.0
    assert len(second["lines"]) == 2
    assert first["lines"] == []
    points = np.array([places(data, panel["places"]) for panel in data["panels"]])
    assert np.linalg.norm(points - data["centre"], axis=-1).max() <= data["radius"] + 1e-2


@pytest.mark.parametrize(("frames", "rate"), [(1000, 120.0), (5000, 30.0), (1, 30.0)])
def test_long_and_fast_clips_are_thinned_out_and_keep_their_pace(frames, rate):
    (clip,) = block(page(frames, rate)[0])["clips"]
    assert len(clip["numbers"]) == clip["count"] <= MOST_FRAMES
    assert clip["count"] / clip["rate"] == pytest.approx(frames / rate, rel=1e-2)


def test_only_the_one_script_may_run_and_nothing_is_loaded():
    text = page()[0]
    script, shown = only_script(text), Page(text)
    policy = next(value for value in shown.values("content") if "'none'" in value)
    assert "unsafe" not in policy
    assert not re.search(r"https?:|//[a-z]|@import|url\(|fetch\(|XMLHttp|eval\(", script)
    assert not shown.values("href")


def test_text_of_others_stays_text():
    text, _ = page(says=NASTY)
    assert "alert" in text
    assert "<script>alert" not in text
    assert Page(text).names.count("script") == 2
    assert "\x1b" not in text
    assert block(text)["says"][0].startswith("</script>")


def test_stills_show_the_same_for_whoever_has_no_script():
    text = page()[0]
    # Six moments of the first figure, and the first of each in the place of the moving one.
    assert Page(text).names.count("svg") == 8
    assert text.count('class="bones"') == 8
    assert text.count('class="aim"') == 1
    assert re.search(r'<div id="controls"[^>]* hidden>', text)  # shown by the script alone
    for x, y in re.findall(r'<circle cx="([\d.-]+)" cy="([\d.-]+)"', text):
        assert 0.0 <= float(x) <= 100.0
        assert 0.0 <= float(y) <= 100.0
