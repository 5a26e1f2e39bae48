"""The page on which figures move: whole, closed to the network, and the same as its stills."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from jointlimits_core.motion import Skeleton
from jointlimits_core.report.html import MOST_FRAMES, Panel, Scene, write_moving_figures
from jointlimits_core.report.html.moving_figures import moving_figures

NASTY = '</script><script>alert("x")</script>\x1b&'


def page(frames=40, rate=30.0, words=("Words.",), title="A title", says="says", captured=True):
    bones = Skeleton(("root", "middle", "tip"), [-1, 0, 1])
    time = np.linspace(0.0, 1.0, frames)
    places = np.zeros((frames, 3, 3))
    places[:, :, 0] = 100.0 * time[:, None] + [0.0, 1.0, 2.0]
    places[:, 2, 1] = time
    scene = Scene(
        bones, np.arange(frames) + 5.0, rate, places[:, 2:] + 0.5, places if captured else None
    )
    lines = np.stack([places[:, 1], places[:, 2] + 1.0], axis=1)[:, None]
    panels = [
        Panel("Without limits", places, [says] * frames, False),
        Panel("With limits", places + 0.25, [f"{says} {n}" for n in range(frames)], True, lines),
    ]
    return moving_figures(title, words, scene, panels), scene, panels


def block(text):
    found = re.findall(r'<script type="application/json" id="moving-data">(.*?)</script>', text)
    assert len(found) == 1
    return json.loads(found[0])


class Tags(HTMLParser):
    """Names of all elements, and the text of what may run."""

    def __init__(self):
        super().__init__()
        self.names, self.attributes = [], []

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes += [(tag, key, value) for key, value in attrs]


def tags(text):
    parser = Tags()
    parser.feed(text)
    return parser


def test_the_data_are_the_frames_around_the_root():
    text, _, panels = page()
    data = block(text)
    assert data["numbers"] == [float(n) for n in range(5, 45)]
    assert data["bones"] == [[0, 1], [1, 2]]
    moved = panels[1].positions - panels[0].positions[:, :1]
    np.testing.assert_allclose(data["panels"][1]["frames"], moved, atol=1e-2)
    assert data["panels"][1]["says"][7] == "says 7"
    assert data["rate"] == 30.0
    assert np.array(data["panels"][1]["lines"]).shape == (40, 1, 2, 3)
    assert data["panels"][0]["lines"] is None
    points = np.array([panel["frames"] for panel in data["panels"]])
    assert np.linalg.norm(points - data["centre"], axis=-1).max() <= data["radius"] + 1e-2


@pytest.mark.parametrize(("frames", "rate"), [(1000, 120.0), (5000, 30.0), (1, 30.0)])
def test_long_and_fast_clips_are_thinned_out_and_keep_their_pace(frames, rate):
    data = block(page(frames, rate)[0])
    assert len(data["numbers"]) <= MOST_FRAMES
    assert len(data["numbers"]) / data["rate"] == pytest.approx(frames / rate, rel=1e-2)
    assert len(data["panels"][0]["frames"]) == len(data["targets"]) == len(data["numbers"])


def test_only_the_one_script_may_run_and_nothing_is_loaded():
    text = page()[0]
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(script) == 1
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    policy = next(
        value for tag, key, value in tags(text).attributes if tag == "meta" and "'none'" in value
    )
    assert f"script-src 'sha256-{digest}'" in policy
    assert "unsafe-inline'; script" not in policy.replace("style-src 'unsafe-inline'", "")
    assert not re.search(r"https?:|//[a-z]|@import|url\(|fetch\(|XMLHttp|eval\(", script[0])
    loaded = {key for _, key, value in tags(text).attributes if key in {"src", "href"}}
    assert not loaded


def test_text_of_others_stays_text():
    text, *_ = page(title=NASTY, words=(NASTY,), says=NASTY)
    assert "alert" in text
    assert "<script>alert" not in text
    assert tags(text).names.count("script") == 2
    assert "\x1b" not in text
    assert block(text)["panels"][0]["says"][0].startswith("</script>")


def test_stills_show_the_same_for_whoever_has_no_script():
    text = page()[0]
    assert tags(text).names.count("svg") == 12
    assert text.count('class="captured"') == 12
    assert text.count('class="aim"') == 6
    assert "captured" not in re.sub(
        r"<(style|script).*?</\1>", "", page(captured=False)[0], flags=re.S
    )
    assert re.search(r'<div id="controls" hidden>', text)  # shown by the script alone
    for x, y in re.findall(r'<circle cx="([\d.-]+)" cy="([\d.-]+)"', text):
        assert 0.0 <= float(x) <= 100.0
        assert 0.0 <= float(y) <= 100.0


def test_the_same_input_gives_the_same_bytes(tmp_path):
    text, scene, panels = page()
    write_moving_figures(tmp_path / "page.html", "A title", ("Words.",), scene, panels)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == text
