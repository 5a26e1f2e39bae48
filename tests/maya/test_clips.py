"""Joints that character sets, Trax clips and Time Editor clips drive."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.maya_reading import fingerprint, from_scene, opened_text
from tests.support.maya_scenes import connect, curve

LEG = 'createNode joint -n "hip";\ncreateNode joint -n "knee" -p "hip";\n'
KEYS = curve("c", [(1, 0), (5, 40)])
CHARACTER = 'createNode character -n "man";\n\tsetAttr ".av[0]" 0;\n' + connect(
    "man.av[0]", "knee.rx"
)
CASES = {
    # Without clips, keys are on the set itself, at their own times.
    "character set": (CHARACTER + connect("c.o", "man.av[0]"), "c.o", (1.0, 5.0)),
    "trax": (
        CHARACTER
        + 'createNode clipScheduler -n "plan";\ncreateNode clipLibrary -n "clips";\n'
        + connect("plan.ce", "man.cer")
        + connect("clips.cf", "plan.cfr")
        + connect("c.a", "clips.cev[0]"),
        "man.av[0]",
        (1.0, 120.0),
    ),
    "time editor": (
        'createNode timeEditorTracks -n "tracks";\n\tsetAttr ".result[0]" 0;\n'
        + connect("c.o", "tracks.source[0]")
        + connect("tracks.result[0]", "knee.rx"),
        "tracks.result[0]",
        (1.0, 120.0),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_they_are_played_over_the_time_that_they_show(maya, tmp_path, case):
    """Clips move their keys in time, so the keys' own frames say nothing."""
    body, driver, (first, last) = CASES[case]
    scene = opened_text(maya, tmp_path, LEG + KEYS + body)
    scene.scripted[scene.plug(driver)] = lambda seconds: seconds * 24 * 0.01
    before = fingerprint(maya)
    motion = from_scene()
    assert (motion.frames[0], motion.frames[-1]) == (first, last)
    np.testing.assert_allclose(motion.rotates[1, 0], 0.01 * motion.frames, atol=1e-12)
    assert maya.counters["dg_evaluations"] == 0
    assert maya.counters["time_changes"] == motion.frame_count + 1
    assert fingerprint(maya) == before
