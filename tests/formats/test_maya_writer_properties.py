"""The writer against any mixture of statements, judged by a naive interpreter of scenes."""

from __future__ import annotations

import contextlib
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import MayaAsciiError
from jointlimits_core.rig.limit_plan import JointChange
from tests.support.maya_writing import SCENE, pose_inside, write

HEAD = '//Maya ASCII 2024 scene\nrequires maya "2024";\ncreateNode joint -n "hip";\n'
AXES = "xyz"
ANGLES = {"mnrl": "mr{}l", "mxrl": "xr{}l", "pa": "pa{}"}
SWITCHES = ("mr{}e", "xr{}e", "jt{}")
DEFAULTS = {"mr{}l": -45.0, "xr{}l": 45.0, "pa{}": 0.0, "mr{}e": 0.0, "xr{}e": 0.0, "jt{}": 1.0}

angle = st.floats(-360, 360).map(lambda value: round(value, 6))
compound_line = st.builds(
    lambda name, values: f'setAttr ".{name}" -type "double3" {values[0]} {values[1]} {values[2]} ;',
    st.sampled_from(sorted(ANGLES)),
    st.tuples(angle, angle, angle),
)
axis_line = st.builds(
    lambda pattern, axis, value: f'setAttr ".{pattern.format(axis)}" {value};',
    st.sampled_from(sorted(ANGLES.values())),
    st.sampled_from(AXES),
    angle,
)
switch_line = st.builds(
    lambda pattern, axis, value: f'setAttr -k on ".{pattern.format(axis)}" {value};',
    st.sampled_from(SWITCHES),
    st.sampled_from(AXES),
    st.sampled_from(["yes", "no"]),
)
lock_line = st.builds(
    lambda name, state: f'setAttr -l {state} ".{name}";',
    st.sampled_from(["mnrl", "mxrl", "pa", "mrxl", "xryl", "mrxe", "xrze", "jty", "pay"]),
    st.sampled_from(["on", "off"]),
)
other_line = st.sampled_from(['setAttr ".radi" 2;', 'setAttr -av ".mrxl";', "// setAttr;"])
bodies = st.lists(
    st.one_of(compound_line, axis_line, switch_line, lock_line, other_line), max_size=14
)
bound = st.one_of(st.none(), angle)
bounds = st.tuples(bound, bound).map(lambda pair: tuple(sorted(pair)) if None not in pair else pair)
changes = st.builds(
    JointChange,
    st.dictionaries(st.sampled_from(["rotateX", "rotateY", "rotateZ"]), bounds),
    st.one_of(
        st.none(), st.dictionaries(st.sampled_from(["jointTypeX", "jointTypeY"]), st.booleans())
    ),
    st.one_of(st.none(), st.tuples(angle, angle, angle)),
)


def interpret(text):
    """Values and locks of every attribute, statement by statement."""
    values, locks = {}, set()
    for line in text.split("\n"):
        match = re.match(r'\s*setAttr((?: -\w+ \w+)*) "\.(\w+)"(?: -type "double3")?([^;]*);', line)
        if not match or match[2] == "radi":
            continue
        flags, name, words = match[1], match[2], match[3].split()
        if "-l on" in flags:
            locks.add(name)
        elif "-l off" in flags:
            locks.discard(name)
        numbers = [{"yes": 1.0, "no": 0.0}.get(word) for word in words]
        numbers = [float(w) if n is None else n for w, n in zip(words, numbers)]
        names = [ANGLES[name].format(axis) for axis in AXES] if name in ANGLES else [name]
        values.update(zip(names, numbers))
    for compound, pattern in ANGLES.items():
        if compound in locks:
            locks |= {pattern.format(axis) for axis in AXES}
    return values, locks


def value_of(values, pattern, axis):
    return values.get(pattern.format(axis), DEFAULTS[pattern])


@pytest.mark.thorough
@settings(
    deadline=None, max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(bodies, changes, st.booleans())
def test_any_joint_ends_up_as_asked_or_as_it_was(tmp_path, body, change, replace):
    pose = " ".join(f"{value!r}" for value in pose_inside(change))
    body = [f'setAttr ".r" -type "double3" {pose} ;', *body]
    source = HEAD + "".join(f"\t{line}\n" for line in body)
    report, text = write(tmp_path, source, {"hip": change}, replace=replace)
    before, locks = interpret(source)
    after, locks_after = interpret(text)
    assert locks_after == locks
    assert_limits(before, after, change, report)
    for pattern in DEFAULTS:
        for axis in AXES:
            if pattern.format(axis) in locks and pattern.format(axis) in before:
                assert value_of(after, pattern, axis) == value_of(before, pattern, axis)
    assert_types_and_angles(after, change, {one.attribute for one in report.skipped})
    for line in body:
        if "radi" in line or "-l o" in line or "//" in line:
            assert f"\t{line}\n" in text
    again, twice = write(tmp_path, text, {"hip": change}, replace=replace)
    assert twice == text
    assert again.written == {}


def assert_limits(before, after, change, report):
    """Limits are as asked, or as they were where a channel was skipped or not asked for."""
    left = {one.attribute for one in report.skipped}
    enabled = any(one.reason == "has limits already" for one in report.skipped)
    for axis in AXES:
        channel = f"rotate{axis.upper()}"
        patterns = ("mr{}l", "xr{}l", "mr{}e", "xr{}e")
        now = {pattern: value_of(after, pattern, axis) for pattern in patterns}
        was = {pattern: value_of(before, pattern, axis) for pattern in patterns}
        blocked = any(f"Rot{axis.upper()}Limit" in name for name in left)
        if channel in change.limits_deg and not enabled and not blocked:
            low, high = change.limits_deg[channel]
            assert now["mr{}e"] == (low is not None)
            assert now["xr{}e"] == (high is not None)
            assert low is None or now["mr{}l"] == pytest.approx(low, abs=1e-9)
            assert high is None or now["xr{}l"] == pytest.approx(high, abs=1e-9)
            continue
        # Values may only change where they have no effect and were never written.
        for limit, switch in (("mr{}l", "mr{}e"), ("xr{}l", "xr{}e")):
            assert now[switch] == was[switch]
            idle = not was[switch] and limit.format(axis) not in before
            assert now[limit] == was[limit] or idle


def assert_types_and_angles(after, change, left):
    for axis in "XY":
        wanted = (change.joint_type or {}).get(f"jointType{axis}")
        if wanted is not None and f"jointType{axis}" not in left:
            assert value_of(after, "jt{}", axis.lower()) == wanted
    for axis, wanted, here in zip("XYZ", change.preferred_angle_deg or (), pose_inside(change)):
        if f"preferredAngle{axis}" in left:
            continue
        if not any(end is not None for end in change.limits_deg.get(f"rotate{axis}", ())):
            # Of the turns of a free channel, the one nearest to the value that it has.
            wanted += 360.0 * np.rint((here - wanted) / 360.0)
        assert value_of(after, "pa{}", axis.lower()) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.thorough
@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_damaged_scenes_give_named_errors_or_a_copy(tmp_path, data):
    source = bytearray(SCENE.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(source) - 1))
        width = data.draw(st.integers(0, 12))
        source[place : place + width] = data.draw(
            st.sampled_from([b"", b'"', b";", b"\\", b"-l", b"{", b"\xff", b' -n "', b"|", b"\n"])
        )
    change = JointChange({"rotateX": (-1.0, 1.0)}, {"jointTypeY": False}, (1.0, 2.0, 3.0))
    with contextlib.suppress(MayaAsciiError):
        write(tmp_path, bytes(source), {"elbow": change, "wrist": change}, out="copy.ma")
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".part"]
