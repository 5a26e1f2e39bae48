"""Scripts for Maya change no pose that they do not list, on random scenes and limits.

Poses are those of the stand-in, with the limits that are on, at quarter frames over all keys and
the playback range.
"""

from __future__ import annotations

import re
from math import ceil, floor

import numpy as np
import pytest

from jointlimits_core import estimate
from jointlimits_core.limits.limit_set import AxisLimit, Orientation
from tests.exporters.test_scripts import may_move, run, values_written
from tests.maya_standin.curves import value_at
from tests.support.limit_set_examples import FREE, joint, limit_set, lock, span
from tests.support.maya_open_scenes import difference, open_changed, set_value, state
from tests.support.maya_scenes import connect, curve, write_scene
from tests.support.random_rigs import SCENES
from tests.support.shared_data import SHARED

AXES = "XYZ"
ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
TANGENTS = (2, 3, 5, 9, 10, 16, 17, 18)
JOINTS = ("hip", "knee")
FRAME_RATE = 24.0


def random_keys(rng):
    """Times and values of keys: noise, with turns and jumps in some."""
    count = int(rng.integers(1, 9))
    times = np.cumsum(rng.choice([1.0, 1.0, 2.0, 5.0, 0.3], count)) + rng.integers(-5, 5)
    values = rng.normal(0.0, 30.0, count) + rng.choice([0.0, 0.0, 360.0, -720.0])
    if rng.random() < 0.2:
        values[int(rng.integers(count)) :] += rng.choice([360.0, -360.0])
    return times, values


def flip_branch(order, columns):
    """Three channels on the other Euler branch, from a key on."""
    middle = "xyz".index(ORDERS[order][1])
    return [180.0 - one if axis == middle else one + 180.0 for axis, one in enumerate(columns)]


def curve_text(rng, name, times, values):
    tangent = int(rng.choice(TANGENTS))
    more = f'\tsetAttr ".pre" {rng.choice([0, 0, 1, 3, 4, 5])};\n'
    more += f'\tsetAttr ".pst" {rng.choice([0, 0, 1, 3, 4, 5])};\n'
    if rng.random() < 0.4 and len(times) > 1:
        last = len(times) - 1
        lists = {"kit": np.ones(len(times), int), "kot": np.ones(len(times), int)}
        for side in "io":
            lists[f"k{side}x"] = rng.uniform(0.01, 0.3, len(times))
            lists[f"k{side}y"] = rng.normal(0.0, 2.0, len(times))
        for attribute, numbers in lists.items():
            text = " ".join(map(str, numbers))
            more += f'\tsetAttr -s {last + 1} ".{attribute}[0:{last}]"  {text};\n'
        if rng.random() < 0.5:
            more += '\tsetAttr ".wgt" yes;\n'
    return curve(name, list(zip(times.tolist(), values.tolist())), tangent=tangent, more=more)


def random_scene(rng, folder):
    nodes, links, orders = [], [], {}
    for number, name in enumerate(JOINTS):
        orders[name] = order = int(rng.integers(6))
        above = f' -p "{JOINTS[number - 1]}"' if number else ""
        nodes.append(f'createNode joint -n "{name}"{above};\n\tsetAttr ".ro" {order};\n')
        stored = " ".join(map(str, rng.normal(0.0, 40.0, 3)))
        nodes.append(f'\tsetAttr ".r" -type "double3" {stored} ;\n')
        times = random_keys(rng)[0]
        together = [rng.normal(0.0, 30.0, len(times)) for _ in AXES]
        is_together = rng.random() < 0.5
        if is_together and rng.random() < 0.6:
            start = int(rng.choice([0, len(times) // 2]))
            for one, other in zip(together, flip_branch(order, together)):
                one[start:] = other[start:]
        for axis, column in zip(AXES, together):
            if not is_together:
                times, column = random_keys(rng)
            if rng.random() < 0.85:
                nodes.append(curve_text(rng, f"{name}_{axis}", times, column))
                links.append(connect(f"{name}_{axis}.o", f"{name}.r{axis.lower()}"))
    return write_scene(folder, "".join(nodes + links)), orders


def quarter_frames(session):
    curves = [node.keys.times for node in session.scene.of_type("animCurve") if node.keys]
    ends = [time for times in curves for time in times]
    ends += [session.scene.playback.start, session.scene.playback.end]
    first, last = (end * FRAME_RATE * 4.0 for end in (min(ends), max(ends)))
    return [
        quarter / (4.0 * FRAME_RATE)
        for quarter in range(ceil(first - 1e-6), floor(last + 1e-6) + 1)
    ] + [None]


def random_limit(rng, values):
    kind = rng.choice(["own", "own", "own", "tight", "other", "one", "locked", "free"])
    # Canonical: of whatever turn the values are on.
    turn = 360.0 * np.round(np.mean(values) / 360.0)
    low, high = np.min(values) - turn, np.max(values) - turn
    if kind == "tight":
        low, high = low + 0.1 * (high - low), high
    if kind == "other":
        low, high = np.sort(rng.normal(0.0, 60.0, 2))
    if kind == "locked":
        return lock(float(np.round(low, 3)))
    if kind == "free":
        return FREE
    if kind == "one":
        ends = [(float(low), None), (None, float(high))][int(rng.integers(2))]
        return AxisLimit("limited", *ends)
    return span(float(low), float(high) + 1e-9)


def random_limits(rng, before, orders):
    joints = {}
    for name in JOINTS:
        columns = [before[f"{name}.rotate{axis}"] for axis in AXES]
        if rng.random() < 0.4:
            columns = flip_branch(orders[name], columns)
        limits = [random_limit(rng, column) for column in columns]
        frame = Orientation(ORDERS[orders[name]], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        joints[name] = joint("ball", limits, parent=None, orientation=frame)
    return limit_set(joints=joints)


def listed_channels(sentences):
    found = (re.match(r"(\w+): (?:the limits of )?(rotate[XYZ])", text) for text in sentences)
    return {".".join(match.groups()) for match in found if match}


def keeps_poses(session, folder, seed):
    """Apply random limits to a random scene; counts of channels by what became of them."""
    rng = np.random.default_rng(seed)
    path, orders = random_scene(rng, folder)
    open_changed(session, path)
    set_playback(-2.0, 14.0)
    clamped = f"{rng.choice(JOINTS)}.rotate{rng.choice(list(AXES))}" if rng.random() < 0.3 else ""
    if clamped:
        set_value(session, clamped.replace("rotate", "maxRot") + "LimitEnable", True)
    if rng.random() < 0.3:
        add_layer(session, rng)
    times = quarter_frames(session)
    before = shown_channels(session, JOINTS, times)
    limits = random_limits(rng, before, orders)
    time, text = session.scene.time, state(session)
    sentences = run(folder, limits, replace=bool(rng.random() < 0.7))
    after = shown_channels(session, JOINTS, times)
    assert session.scene.time == time
    changed = {c for c in before if np.abs(after[c] - before[c]).max() > 1.001e-3}
    on = {
        f"{name}.rotate{axis}"
        for name in JOINTS
        for axis in AXES
        if values_written(session, name)[f"min{axis}"] is not None
    }
    left = listed_channels(sentences)
    if state(session) != text:
        from maya import cmds

        cmds.undo()
    assert state(session) == text
    run(folder, limits, may_move, replace=True)
    moved = shown_channels(session, JOINTS, times)
    shown = {c for c in before if np.abs(moved[c] - before[c]).max() > 1e-3}
    # Values between quarter frames are not seen here.
    text = "\n".join(sentences)
    sure = {c for c in left if re.search(rf"{c.replace('.', ': ')} exceeds.*\(\d+ frame", text)}
    needless = sure - shown - {clamped}
    return {
        "changed": len(changed),
        "unlisted": len(changed - left),
        "on": len(on),
        "left": len(left),
        "needless": len(needless),
    }


def set_playback(first, last):
    from maya import cmds

    cmds.playbackOptions(animationStartTime=first, animationEndTime=last)
    cmds.playbackOptions(minTime=first, maxTime=last)


def add_layer(session, rng):
    from maya import cmds

    name = str(rng.choice(JOINTS))
    cmds.animLayer("more")
    cmds.animLayer("more", edit=True, attribute=[f"{name}.rotate"])
    for time in (3.0, 9.5):
        turn = float(rng.normal(0.0, 20.0))
        cmds.setKeyframe(f"{name}_rotate_more.inputBX", time=[time], value=turn)


def check(session, folder, seeds):
    total = {"changed": 0, "unlisted": 0, "on": 0, "left": 0, "needless": 0}
    for seed in seeds:
        for name, count in keeps_poses(session, folder / str(seed), seed).items():
            total[name] += count
        assert total["changed"] == total["needless"] == 0, (seed, total)
    assert total["on"] > 0.5 * len(seeds)
    assert total["left"] > 0.5 * len(seeds)
    return total


ARM = 'createNode joint -n "arm";\n\tsetAttr ".ro" 5;\n'


def arm(folder, columns, more="", links=""):
    """A joint in rotate order zyx with keys on every frame."""
    text = ARM + more
    for axis, column in zip(AXES, columns):
        text += curve(f"arm_{axis}", list(enumerate(column, 1)))
        links += connect(f"arm_{axis}.o", f"arm.r{axis.lower()}")
    return write_scene(folder, text + links)


def arm_limits(*axes, preferred=(10.0, 20.0, 30.0)):
    frame = Orientation("zyx", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    one = joint("ball", axes, parent=None, orientation=frame, preferred_deg=preferred)
    return limit_set(joints={"arm": one})


KEYS = np.array([[0.0, 20.0, 40.0], [-10.0, 20.0, 30.0], [5.0, 15.0, -25.0]])
BOXES = [span(0.0, 40.0), span(-10.0, 30.0), span(-25.0, 15.0)]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (KEYS, [(0.0, 40.0, 10.0), (-10.0, 30.0, 20.0), (-25.0, 15.0, 30.0)]),
        (
            KEYS + np.array([[360.0], [0.0], [-720.0]]),
            [(360.0, 400.0, 370.0), (-10.0, 30.0, 20.0), (-745.0, -705.0, -690.0)],
        ),
        (
            np.array([[180.0], [180.0], [-180.0]]) + KEYS * [[1.0], [-1.0], [1.0]],
            [(180.0, 220.0, 190.0), (150.0, 190.0, 160.0), (-205.0, -165.0, -150.0)],
        ),
    ],
    ids=["as they are", "on other turns", "on the other branch"],
)
def test_limits_move_to_the_branch_and_turn_of_the_keys(shown, expected, maya, tmp_path, capsys):
    open_changed(maya, arm(tmp_path, shown))
    assert run(tmp_path, arm_limits(*BOXES)) == []
    assert capsys.readouterr().out.startswith("Joint limits: 0 channels left off; 1 of 1 joints")
    found = values_written(maya, "arm")
    for axis, triple in zip(AXES, expected):
        three = [found[f"{what}{axis}"] for what in ("min", "max", "preferred")]
        assert three == pytest.approx(triple, abs=1e-9)
    # A second time they are there already.
    before = state(maya)
    assert run(tmp_path, arm_limits(*BOXES)) == []
    assert state(maya) == before


def test_mixed_branches_are_left_off_with_the_step_that_mends_it(maya, tmp_path, capsys):
    columns = np.tile(KEYS, 2)
    columns[:, 4:] = np.array(flip_branch(5, columns))[:, 4:]
    open_changed(maya, arm(tmp_path, columns))
    set_playback(1.0, 6.0)
    sentences = run(tmp_path, arm_limits(*BOXES))
    assert len(sentences) == 3
    assert all("(2 frames, at worst at frame" in text for text in sentences)
    assert all("Curves > Euler Filter" in text for text in sentences)
    assert all(text.endswith("no limits written") for text in sentences)
    assert capsys.readouterr().out.startswith("Joint limits: 3 channels left off; ")
    found = values_written(maya, "arm")
    assert {found[f"{end}{axis}"] for end in ("min", "max") for axis in AXES} == {None}


def bent(folder, text, keys=((1, 0.0), (11, 40.0), (21, 0.0)), tangent=2, more=""):
    """A joint with keys on X, and something besides."""
    keyed = curve("arm_X", keys, tangent=tangent, more=more)
    return write_scene(folder, ARM + keyed + connect("arm_X.o", "arm.rx") + text)


def test_keys_that_turn_all_the_way_round_are_no_matter_of_branches(maya, tmp_path):
    keys = [(frame, 120.0 * frame - 100.0) for frame in range(1, 5)]
    open_changed(maya, bent(tmp_path, "", keys))
    set_playback(1.0, 4.0)
    (sentence,) = run(tmp_path, arm_limits(*BOXES))
    assert "; fix the frames where its keys jump by a full turn" in sentence


@pytest.mark.thorough
def test_tangents_between_keys_count(maya, tmp_path):
    """A spline through 0, 40, 38 rises above 40 between whole frames."""
    open_changed(maya, bent(tmp_path, "", ((1, 0.0), (2, 40.0), (3, 38.0), (4, -20.0)), tangent=9))
    (text,) = run(tmp_path, arm_limits(span(-20.0, 40.0), FREE, FREE))
    assert "(values between frames" in text
    shown = poses_of_arm(maya, np.linspace(1.0, 4.0, 20_001))
    worst = float(re.search(r"by ([\d.]+) degrees", text)[1])
    assert worst == pytest.approx(shown.max() - 40.0, abs=1e-3)


def poses_of_arm(session, frames):
    keys = session.scene.node("arm_X").keys
    return np.degrees([value_at(keys, frame / FRAME_RATE) for frame in frames.tolist()])


def test_infinities_over_the_playback_range_count(maya, tmp_path):
    open_changed(maya, bent(tmp_path, "", ((1, 0.0), (11, 40.0)), more='\tsetAttr ".pst" 4;\n'))
    set_playback(1.0, 21.0)
    (text,) = run(tmp_path, arm_limits(span(0.0, 40.0), FREE, FREE))
    assert "rotateX exceeds its limits by 40.000 degrees (10 frames, at worst at frame 21)" in text


def test_a_layer_counts(maya, tmp_path):
    from maya import cmds

    open_changed(maya, bent(tmp_path, ""))
    cmds.animLayer("more")
    cmds.animLayer("more", edit=True, attribute=["arm.rotate"])
    cmds.setAttr("arm_rotate_more.inputBX", 25.0)
    (text,) = run(tmp_path, arm_limits(span(0.0, 40.0), FREE, FREE))
    assert "rotateX exceeds its limits by 25.000 degrees" in text


def test_joints_of_an_ik_handle_get_no_limits(maya, tmp_path):
    text = (
        'createNode joint -n "hand" -p "arm";\ncreateNode joint -n "tip" -p "hand";\n'
        'createNode ikEffector -n "eff" -p "hand";\ncreateNode ikHandle -n "ik";\n'
        + connect("arm.msg", "ik.hsj")
        + connect("eff.hp", "ik.hee")
    )
    open_changed(maya, write_scene(tmp_path, ARM + text))
    before = state(maya)
    limits = arm_limits(span(-10.0, 40.0), FREE, lock())
    limits.joints["hand"] = joint("hinge", [span(-10.0, 40.0), FREE, FREE], parent="arm")
    sentences = run(tmp_path, limits)
    assert [text.partition(" is turned by an IK handle")[0] for text in sentences] == [
        "arm: rotateX",
        "arm: rotateZ",
        "hand: rotateX",
    ]
    assert state(maya) == before


def test_limits_that_clamp_now_are_not_released_in_silence(maya, tmp_path):
    from maya import cmds

    open_changed(maya, bent(tmp_path, ""))
    cmds.setAttr("arm.maxRotXLimit", 30.0)
    cmds.setAttr("arm.maxRotXLimitEnable", True)
    before = state(maya)
    (text,) = run(tmp_path, arm_limits(span(0.0, 40.0), FREE, FREE), replace=True)
    assert "rotateX is clamped by limits that are on, and would move by 10.000 degrees" in text
    assert values_written(maya, "arm")["maxX"] == pytest.approx(30.0)
    changes = difference(before, state(maya))
    assert all(re.match(r"[+-]  preferredAngle[YZ]", line) for line in changes)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["flip", "bigger"])
def test_reported_scenes_keep_their_poses(name, maya, tmp_path):
    """Its own limits on a scene with a flip, and those of another scene."""
    folder = SHARED / "data" / "reports" / "1-apply-clamps-own-keys"
    if not folder.is_dir():
        pytest.skip("the shared data is not there")
    limits = estimate(folder / f"{'base' if name == 'bigger' else name}.ma")
    names = list(limits.joints)
    open_changed(maya, folder / f"{name}.ma")
    times = (np.arange(0.0, 100.0, 0.25) / FRAME_RATE).tolist()
    before = shown_channels(maya, names, times)
    sentences = run(tmp_path, limits)
    after = shown_channels(maya, names, times)
    assert sentences
    assert all(np.abs(after[c] - before[c]).max() < 1e-3 for c in before)


def shown_channels(session, names, times):
    """Channels in degrees at times, and now for None."""
    channels = [f"{name}.rotate{axis}" for name in names for axis in AXES]
    plugs = [session.scene.plug(channel) for channel in channels]
    value = session.scene.evaluator.value
    shown = np.degrees([[value(plug, time) for plug in plugs] for time in times])
    return dict(zip(channels, shown.T))


def test_no_pose_changes_that_is_not_listed(maya, tmp_path):
    check(maya, tmp_path, range(5))


@pytest.mark.thorough
def test_no_pose_changes_in_many_scenes(maya, tmp_path):
    print(check(maya, tmp_path, range(1000, 1000 + SCENES)))
