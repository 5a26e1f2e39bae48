"""BVH reader: conventions, variants of the format, and errors with line and column."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jointlimits_core.formats.bvh import BvhError, read_bvh
from jointlimits_core.formats.registry import ReadRequest
from jointlimits_core.geometry.quaternion import matrix_from_quaternion
from jointlimits_core.io.input import ReadLimits, source_file
from jointlimits_core.motion.motion import Motion
from tests.support.budgets import budget
from tests.support.naive_rotation import turn_about
from tests.support.shared_data import shared_path
from tests.support.small_files import write

ARM = """HIERARCHY
ROOT char01:Upper Arm
{
\tOFFSET 1.0 2.0 3.0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Lower Arm
\t{
\t\tOFFSET 0.0 10.0 0.0
\t\tCHANNELS 3 Yrotation Zrotation Xrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0.0 5.0 0.0
\t\t}
\t}
}
MOTION
Frames: 2
Frame Time: 0.05
1 2 3 30 20 10 0 0 90
4 5 6 -30 -20 -10 15 25 35
"""
HEADER, ROWS = ARM[: ARM.index("MOTION")], ARM[ARM.index("1 2 3 30") :]


def read(folder: Path, text: str | bytes) -> Motion:
    return read_bvh(write(folder, text))


def error(folder: Path, text: str | bytes, limits: ReadLimits | None = None) -> BvhError:
    with pytest.raises(BvhError) as caught:
        read_bvh(write(folder, text), ReadRequest(limits=limits or ReadLimits()))
    return caught.value


def rules(motion: Motion) -> list[str]:
    return [finding.rule for finding in motion.findings]


def turn(axis: str, degrees: float) -> np.ndarray:
    return np.array(turn_about("XYZ".index(axis), np.radians(degrees)))


# --- what it means ---------------------------------------------------------------------------


def test_channels_multiply_in_the_listed_order(tmp_path):
    motion = read(tmp_path, ARM)
    assert motion.joint_names == ("char01:Upper Arm", "Lower Arm")
    assert motion.skeleton.rotate_orders == ("yxz", "xzy")
    world = motion.world_matrices(1)
    upper = turn("Z", -30) @ turn("X", -20) @ turn("Y", -10)
    lower = upper @ turn("Y", 15) @ turn("Z", 25) @ turn("X", 35)
    np.testing.assert_allclose(world[0, :3, :3], upper, atol=1e-14)
    np.testing.assert_allclose(world[1, :3, :3], lower, atol=1e-14)
    np.testing.assert_allclose(world[0, :3, 3], [4, 5, 6])
    np.testing.assert_allclose(world[1, :3, 3], [4, 5, 6] + upper @ [0, 10, 0])


def test_source_angles_rate_and_frames(tmp_path):
    path = write(tmp_path, ARM, "swing.bvh")
    motion = read_bvh(path)
    np.testing.assert_allclose(motion.rotate_deg("Lower Arm"), [[90, 0, 0], [35, 15, 25]])
    assert motion.frame_rate == 20.0
    assert motion.frames.tolist() == [0, 1]
    assert motion.name == motion.skeleton.name == "swing"
    assert motion.source == source_file(path)
    assert motion.findings == ()


def test_angles_are_not_wrapped(tmp_path):
    motion = read(tmp_path, ARM.replace("0 0 90", "-720.5 1e3 +987"))
    np.testing.assert_allclose(motion.rotate_deg("Lower Arm")[0], [987, -720.5, 1000])


def test_a_position_channel_replaces_its_component_of_the_offset(tmp_path):
    text = ARM.replace("CHANNELS 3 Yrotation Zrotation Xrotation", "CHANNELS 2 Zposition Xposition")
    motion = read(tmp_path, text.replace("0 0 90", "7 8").replace("15 25 35", "9 11"))
    np.testing.assert_allclose(motion.translations[1], [[8, 10, 7], [11, 10, 9]])
    np.testing.assert_allclose(motion.rotate_deg("Lower Arm"), 0)
    assert motion.animated == {"char01:Upper Arm"}


def test_joint_without_channels_and_with_one(tmp_path):
    text = """HIERARCHY ROOT a { OFFSET 0 0 0 JOINT b { OFFSET 0 1 0 CHANNELS 1 Yrotation
    End Site { OFFSET 0 1 0 } } } MOTION
    Frames: 1
    Frame Time: 0.1
    45
    """
    motion = read(tmp_path, text)
    assert motion.joint_names == ("a", "b")
    np.testing.assert_allclose(motion.rotate_deg("b"), [[0, 45, 0]])
    np.testing.assert_allclose(motion.quaternion("a"), [[0, 0, 0, 1]])
    assert motion.animated == {"b"}


def test_repeated_rotation_channels_are_multiplied_as_listed(tmp_path):
    text = ARM.replace("Yrotation Zrotation Xrotation", "Zrotation Xrotation Zrotation")
    motion = read(tmp_path, text)
    local = motion.world_matrices(1)[0, :3, :3].T @ motion.world_matrices(1)[1, :3, :3]
    np.testing.assert_allclose(local, turn("Z", 15) @ turn("X", 25) @ turn("Z", 35), atol=1e-14)
    assert rules(motion) == ["repeated-channel"]
    assert motion.findings[0].joint == "Lower Arm"


def test_repeated_names_become_full_paths(tmp_path):
    joint = "JOINT hand {{ OFFSET 0 0 0 CHANNELS 1 Xrotation {} }}\n"
    body = joint.format(joint.format("")) + joint.format("")
    text = "HIERARCHY\nROOT body\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n" + body + "}\n"
    motion = read(tmp_path, text + "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3 4\n")
    assert motion.joint_names == ("body", "body|hand", "body|hand|hand", "body|hand#2")
    assert rules(motion) == ["duplicate-names"]


# --- how it is written -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "changed",
    [
        ARM.replace("\n", "\r\n"),
        ARM.replace("\n", "\r"),
        ARM.replace("\t", "   "),
        re.sub(" (?!Arm)", "\t", ARM),
        "\ufeff" + ARM,
        ARM.replace("Frames: 2", "frames 2").replace("Frame Time:", "FRAME TIME"),
        ARM.replace("Frames: 2\n", "\n Frames :2 "),
        ARM.replace("rotation", "ROTATION").replace("JOINT", "joint"),
        ARM.replace("\n\t{", " {").replace("\n\t\t\t}\n\t\t}\n\t}", " }}"),
        ARM.replace("\n4 5 6", "\n\n  \n 4 5 6") + "\n\n",
        ARM.replace("30 20 10", "30\n20 10\n").replace("15 25", "\n15\n25"),
        ARM.replace("0 0 90\n", "0 0 90 "),
        ARM.replace("-30 -20 -10", "-30-20-10"),
        ARM.replace("-30 -20 -10", "-3.0E+01 -.2e2-10."),
        ARM.rstrip("\n"),
    ],
)
def test_other_ways_to_write_the_same(tmp_path, changed):
    expected, motion = read(tmp_path, ARM), read(tmp_path, changed)
    assert motion.joint_names == expected.joint_names
    np.testing.assert_array_equal(motion.rotations, expected.rotations)
    np.testing.assert_array_equal(motion.translations[0], expected.translations[0])
    np.testing.assert_array_equal(motion.skeleton.offsets, expected.skeleton.offsets)
    assert motion.frame_rate == expected.frame_rate
    assert motion.findings == ()


def test_glued_numbers(tmp_path):
    motion = read(tmp_path, ARM.replace("1 2 3 30 20 10", "1 2 3 30.0-7.5+1e-2"))
    np.testing.assert_allclose(motion.rotate_deg("char01:Upper Arm")[0], [-7.5, 0.01, 30])


def test_names_that_are_not_utf8_or_not_ascii(tmp_path):
    latin = ARM.replace("Lower Arm", "Björn").encode("latin-1")
    assert read(tmp_path, latin).joint_names[1] == "Björn"
    assert read(tmp_path, ARM.replace("Lower Arm", "腕  下")).joint_names[1] == "腕  下"


# --- what is forgiven, and reported ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "count", "rule", "words"),
    [
        *(
            (ARM.replace("Frames: 2", f"Frames: {stated}"), 2, "frame-count", "2 were found")
            for stated in ("1", "3", "0", "-2", "many", "99999999999999999999")
        ),
        (ARM[: ARM.rindex("25")], 1, "frame-count", "incomplete and was dropped"),
        (ARM + "created by nan\n7 7\n", 2, "trailing-text", "line 21"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 40 else "",
)
def test_frames_that_are_not_as_stated(tmp_path, text, count, rule, words):
    motion = read(tmp_path, text)
    assert motion.frame_count == count
    assert rules(motion) == [rule]
    assert words in motion.findings[0].message


# --- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "expected"),
    [
        *(
            ("15 25 35", f"15 {word} 35", 20, 22, "not a finite number")
            for word in ("nan", "-1.#IND", "1.#QNAN", "-inf")
        ),
        ("15 25 35", "15 2-1e999 35", 20, 23, "too large"),
        ("15 25 35", "15 2,5 35", 20, 22, "decimal points"),
        ("15 25 35", "15 1_0 35", 20, 22, "not a number"),
        ("15 25 35", "15 1.2.3 35", 20, 22, "not a number"),
        ("15 25 35", "15 25 35 45", 20, None, "10 numbers, expected 9 (one per channel)"),
        ("30 20 10 0", "30 20 10", 19, None, "8 numbers, expected 9 (one per channel)"),
        *(
            ("Time: 0.05", f"Time: {word}", 18, 13, "Frame Time")
            for word in ("0", "-1", "nan", "0,05", "1e-320", "30", "120.0")
        ),
        ("Frame Time: 0.05\n", "", None, None, "no Frame Time"),
        ("OFFSET 1.0", "OFFSET nan", 4, 9, "OFFSET takes 3 numbers"),
        ("OFFSET 1.0 2.0 3.0", "OFFSET 1.0 2.0", 5, 2, "OFFSET takes 3 numbers"),
        ("1.0 2.0 3.0", "1.0 2.0 3.0-1", 4, 17, "has more"),
        ("CHANNELS 6", "CHANNELS 5", 5, 63, "not a BVH hierarchy keyword"),
        ("CHANNELS 6", "CHANNELS 7", 6, 2, "CHANNELS needs 7 channels"),
        ("CHANNELS 6", "CHANNELS", 5, 11, "their number"),
        ("Xrotation Yrotation", "Wrotation Yrotation", 5, 53, "6 channels, found 'Wrotation'"),
        ("JOINT Lower Arm", "JOINT", 6, 2, "needs a name"),
        ("Lower Arm\n\t{", "Lower Arm\n\t", 8, 3, "expected {"),
        ("}\nMOTION", "MOTION", 3, 1, "never closed"),
        ("}\nMOTION", "}}\nMOTION", 15, 2, "closing brace has no opening brace"),
        ("\t\tEnd Site", "\t\tBegin Site", 10, 3, "not a BVH hierarchy keyword"),
        (ROWS, "", None, None, "no complete frame"),
        (ROWS, "1 2 3\n", None, None, "no complete frame"),
    ],
)
def test_errors_have_a_place(tmp_path, old, new, line, column, expected):
    assert old in ARM
    found = error(tmp_path, ARM.replace(old, new))
    assert expected in found.message
    assert (found.line, found.column) == (line, column)
    assert str(found).startswith(str(tmp_path / "clip.bvh"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is empty"),
        (" \r\n\t", "is empty"),
        ("\0\1\2", "binary"),
        (ARM.encode("utf-16"), "UTF-16"),
        (HEADER, "no MOTION"),
        ("MOTION\nFrames: 1\nFrame Time: 1\n1\n", "expected HIERARCHY, then ROOT"),
        ("HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 1\nFrame Time: 1\n", "no joint has channels"),
        ("just a text", "not a BVH file: expected HIERARCHY, then ROOT, found"),
        ("OFFSET 0 0 0", "outside every joint"),
        ("ROOT a { End Site { JOINT b {", "cannot have child joints"),
        ("ROOT a { End Site { End Site {", "inside a joint"),
        ("ROOT a { CHANNELS 0 CHANNELS 0", "already has CHANNELS"),
        ("ROOT a { JOINT b { CHANNELS 0 } CHANNELS 0 }", "move them up"),
        ("ROOT a { End Site { CHANNELS 0", "in an End Site"),
    ],
)
def test_files_that_are_no_bvh(tmp_path, text, expected):
    assert expected in error(tmp_path, text).message


def test_a_million_braces(tmp_path):
    assert "not a BVH file" in error(tmp_path, "{" * 10**6).message
    nested = "HIERARCHY\n" + "JOINT a\n{\n" * 10**5
    message = error(tmp_path, nested).message
    assert "has more than 1,000 nested joints, the maximum" in message


def test_limits_hold_and_can_be_raised(tmp_path):
    joints = "".join(f"JOINT j{n} {{ OFFSET 0 0 0 }}\n" for n in range(20))
    text = ARM.replace("\tJOINT Lower", joints + "\tJOINT Lower")
    message = error(tmp_path, text, ReadLimits(max_joints=10)).message
    assert "has more than 10 joints; raise the option max_joints" in message
    assert len(read(tmp_path, text).joint_names) == 22
    for most, noun in ((17, "numbers"), (100, "channel values in all frames")):
        found = error(tmp_path, text, ReadLimits(max_numbers=most)).message
        assert f"has more than {most} {noun}; raise the option max_numbers" in found
    found = error(tmp_path, ARM, ReadLimits(max_bytes=100)).message
    assert found == "has more than 100 bytes; raise the option max_bytes to read it"


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_that_is_too_long_is_not_read_to_its_end(tmp_path, end):
    lines = ["HIERARCHY", "ROOT " + "x" * 200, "{", ""]
    found = error(tmp_path, end.join(lines), budget(max_line_bytes=100))
    assert found.line == 2
    assert "a line has more than 100 bytes, the maximum" in found.message


def test_a_sparse_gigabyte_line_takes_little_memory(tmp_path):
    import tracemalloc

    path = write(tmp_path, b"HIERARCHY\nROOT ")
    with path.open("r+b") as stream:  # zero bytes, without using the disk
        stream.truncate(1 << 31)
    tracemalloc.start()
    with pytest.raises(BvhError, match="max_bytes"):
        read_bvh(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 24


def test_full_paths_cannot_fill_the_memory(tmp_path):
    name = "n" * 1000
    text = "HIERARCHY\n" + "".join(f"JOINT {name}\n{{\n" for _ in range(400)) + "}\n" * 400
    found = error(tmp_path, text + "MOTION\nFrames: 1\nFrame Time: 1\n1\n")
    assert "too long" in found.message


# --- properties ------------------------------------------------------------------------------

NAMES = st.text("abcXYZ019_:.- |é", min_size=1, max_size=12).map(str.strip).filter(bool)
CHANNELS = st.lists(
    st.sampled_from([axis + kind for axis in "XYZ" for kind in ("position", "rotation")]),
    unique=True,
    max_size=6,
)
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


@st.composite
def skeletons(draw):
    """Names, parents (with backtracking only), offsets and channels of a few joints."""
    count = draw(st.integers(1, 7))
    names = draw(st.lists(NAMES, min_size=count, max_size=count, unique=True))
    parents, path = [-1], [0]
    for index in range(1, count):
        depth = draw(st.integers(0, len(path)))
        path = path[:depth]
        parents.append(path[-1] if path else -1)
        path.append(index)
    offsets = [[draw(NUMBERS) for _ in range(3)] for _ in range(count)]
    channels = [draw(CHANNELS) for _ in range(count)]
    if not any(channels):
        channels[0] = ["Xrotation"]
    width = sum(map(len, channels))
    rows = draw(st.lists(st.lists(NUMBERS, min_size=width, max_size=width), min_size=1, max_size=3))
    return names, parents, offsets, channels, rows


def bvh_text(names, parents, offsets, channels, rows) -> str:
    """Naive writer."""

    def block(joint: int) -> str:
        head = f"{'ROOT' if parents[joint] < 0 else 'JOINT'} {names[joint]}\n{{\n"
        offset = "OFFSET " + " ".join(map(repr, offsets[joint])) + "\n"
        listed = f"CHANNELS {len(channels[joint])} {' '.join(channels[joint])}\n"
        below = "".join(block(n) for n, parent in enumerate(parents) if parent == joint)
        return head + offset + listed + (below or "End Site\n{\nOFFSET 0 0 0\n}\n") + "}\n"

    roots = "".join(block(n) for n, parent in enumerate(parents) if parent < 0)
    lines = "".join(" ".join(map(repr, row)) + "\n" for row in rows)
    return f"HIERARCHY\n{roots}MOTION\nFrames: {len(rows)}\nFrame Time: 0.04\n{lines}"


@pytest.mark.thorough
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(skeletons())
def test_round_trip(tmp_path, made):
    names, parents, offsets, channels, rows = made
    motion = read(tmp_path, bvh_text(*made))
    assert motion.joint_names == tuple(names)
    assert motion.skeleton.parents.tolist() == parents
    np.testing.assert_array_equal(motion.skeleton.offsets, offsets)
    assert motion.findings == ()
    for frame, row in enumerate(rows):
        values = iter(row)
        for joint, listed in enumerate(channels):
            place, turned, angles = list(offsets[joint]), np.eye(3), np.zeros(3)
            for channel in listed:
                value, axis = next(values), "XYZ".index(channel[0])
                if channel.endswith("position"):
                    place[axis] = value
                else:
                    angles[axis] = value
                    turned = turned @ turn(channel[0], value)
            found = motion.rotate_deg(names[joint])[frame]
            np.testing.assert_allclose(found, angles, rtol=1e-14, atol=1e-300)
            positions = motion.translations.get(joint, np.array([offsets[joint]] * len(rows)))
            np.testing.assert_array_equal(positions[frame], place)
            matrix = matrix_from_quaternion(motion.quaternion(names[joint])[frame])
            np.testing.assert_allclose(matrix, turned, atol=1e-9)


# --- large and real files --------------------------------------------------------------------


def csv_table(path: Path) -> tuple[list[str], np.ndarray]:
    with path.open() as stream:
        head, *rows = csv.reader(stream)
    return head, np.array(rows, dtype=float)


def test_positions_and_angles_of_another_program():
    motion = read_bvh(shared_path("data/mocap/other_bvh/walk01.bvh"))
    head, expected = csv_table(shared_path("data/mocap/other_bvh/walk01_pos.csv"))
    places = motion.all_world_matrices()[..., :3, 3]
    for joint, name in enumerate(motion.joint_names):
        columns = [head.index(f"{name}.{axis}") for axis in "xyz"]
        np.testing.assert_allclose(places[:, joint], expected[:, columns], atol=2e-5)
    head, expected = csv_table(shared_path("data/mocap/other_bvh/walk01_rot.csv"))
    for name in motion.joint_names:
        columns = [head.index(f"{name}.{axis}") for axis in "xyz"]
        np.testing.assert_allclose(motion.rotate_deg(name), expected[:, columns], atol=6e-6)
    times = np.arange(motion.frame_count) / motion.frame_rate
    np.testing.assert_allclose(times, expected[:, 0], atol=1e-5)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        *(f"other_bvh/pybvh_bvh_test{number}.bvh" for number in (1, 2, 3)),
        *("other_bvh/test_freebvh.bvh", "cmu_bvh/131_01.bvh", "geno/Geno_bind.bvh"),
    ],
)
def test_forward_kinematics_of_bvhio(name):
    bvhio = pytest.importorskip("bvhio")
    path = shared_path(f"data/mocap/{name}")
    motion = read_bvh(path)
    hierarchy = bvhio.readAsHierarchy(str(path))
    scale = 1.0 + np.abs(motion.skeleton.offsets).max()
    for frame in (0, motion.frame_count // 2, motion.frame_count - 1):
        hierarchy.loadPose(frame)
        world = motion.world_matrices(frame)
        theirs = {joint.Name: joint for joint, _, _ in hierarchy.layout()}
        for index, joint in enumerate(motion.joint_names):
            place = np.array(theirs[joint].PositionWorld)
            np.testing.assert_allclose(world[index, :3, 3], place, atol=1e-4 * scale)
