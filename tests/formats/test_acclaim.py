"""Readers of ASF skeletons and AMC motions: conventions, variants, and errors with their line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jointlimits_core.formats.amc import read_amc
from jointlimits_core.formats.asf import AcclaimError, read_asf
from jointlimits_core.formats.bvh import read_bvh
from jointlimits_core.formats.registry import ReadRequest
from jointlimits_core.io.input import ReadLimits, source_file
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support import small_files
from tests.support.budgets import budget
from tests.support.naive_rotation import euler_matrix
from tests.support.shared_data import shared_path
from tests.support.small_files import write

ASF, AMC = small_files.ASF.decode(), small_files.AMC.decode()


def skeleton(folder: Path, text: str | bytes = ASF) -> Skeleton:
    return read_asf(write(folder, text, "arm.asf"))


def motion(folder: Path, text: str | bytes = AMC, asf: str = ASF) -> Motion:
    path = write(folder, text, "swing.amc")
    return read_amc(path, ReadRequest(skeleton(folder, asf)))


def rules(clip: Motion) -> list[str]:
    return [finding.rule for finding in clip.findings if finding.rule != "frame-rate-assumed"]


def matrix(degrees: dict[str, float], order: str) -> np.ndarray:
    return np.array(euler_matrix([np.radians(degrees.get(axis, 0.0)) for axis in "xyz"], order))


# --- the skeleton ----------------------------------------------------------------------------


def test_joints_and_units(tmp_path):
    arm = skeleton(tmp_path)
    assert arm.names == ("root", "upper", "lower", "tip")
    assert arm.parents.tolist() == [-1, 0, 1, 2]
    np.testing.assert_allclose(arm.offsets, [[1, 2, 3], [0, 0, 0], [3, 4, 0], [0, 4, 0]])
    assert arm.rotate_orders == ("xyz", "xyz", "zxy", "xyz")
    assert arm.meters_per_unit == pytest.approx(0.0254 / 0.45)
    assert (arm.name, arm.rest_source) == ("arm", "asf")
    np.testing.assert_allclose(arm.rest_world_matrices()[:, :3, :3], [np.eye(3)] * 4, atol=1e-15)


def test_declared_dof_and_limits(tmp_path):
    declared = skeleton(tmp_path).declarations
    assert declared["upper"].dof == ("rotateX", "rotateY", "rotateZ")
    upper = {"rotateX": (-160, 20), "rotateY": (None, None), "rotateZ": (-60, None)}
    assert declared["upper"].limits_deg == upper
    assert declared["lower"].limits_deg == {"rotateZ": (-10, 170), "rotateX": (-5, 5)}
    assert declared["tip"].dof == ()
    assert declared["root"].dof[0] == "translateX"


def test_sections_in_any_order_and_line_ends(tmp_path):
    sections = ASF.split("\n:")
    shuffled = "\n:".join([sections[0], *reversed(sections[1:])])
    for text in (shuffled, ASF.replace("\n", "\r\n"), ASF.replace("\n", "\r"), "\ufeff" + ASF):
        changed, expected = skeleton(tmp_path, text), skeleton(tmp_path)
        assert changed.names == expected.names
        np.testing.assert_array_equal(changed.offsets, expected.offsets)
        np.testing.assert_array_equal(changed.joint_orients, expected.joint_orients)
        assert changed.declarations == expected.declarations


def test_radians(tmp_path):
    text = ASF.replace("angle deg", "angle rad").replace("axis 10 20 30", "axis 0.1 0.2 0.3")
    arm = skeleton(tmp_path, text.replace("(-160.0 20.0)", "(-1 0.5)"))
    degrees = " ".join(map(str, np.degrees([0.1, 0.2, 0.3])))
    same = skeleton(tmp_path, ASF.replace("10 20 30", degrees))
    np.testing.assert_allclose(arm.joint_orients[1], same.joint_orients[1])
    assert arm.declarations["upper"].limits_deg["rotateX"] == pytest.approx(np.degrees((-1, 0.5)))


@pytest.mark.parametrize(
    ("old", "new", "line", "expected"),
    [
        ("length 5.0", "length nan", 21, "found 'nan'"),
        ("length 5.0", "length -1.#IND", 21, "found '-1.#IND'"),
        ("length 5.0", "length 1e999", 21, "found '1e999'"),
        ("length 5.0", "length", 21, "must be 1 numbers"),
        ("     length 5.0\n", "", 16, "needs a direction and a length"),
        ("0.0\n     length 5.0", "1e200\n     length 1e200", 16, "of bone 'upper' overflows"),
        ("0.6 0.8 0.0", "0.6 0.8", 20, "must be 3 numbers"),
        ("0.6 0.8 0.0", "0.6 0.8 x", 20, "found 'x'"),
        ("30 XYZ", "30 XXY", 22, "axis order"),
        ("dof rx ry rz", "dof rx rx rz", 23, "each once"),
        ("dof rx ry rz", "dof rx rw rz", 23, "each once"),
        ("(-160.0 20.0)", "(-160.0 nan)", 24, "limit 'nan'"),
        ("name lower", "name upper", 28, "defined twice"),
        ("     name lower\n", "", 28, "no name"),
        ("name lower", "name lower arm", 30, "one word"),
        (
            "  end\n  begin\n     name tip",
            "  begin\n     name tip",
            28,
            'this bone has no "end" line',
        ),
        ("  end\n:hierarchy", ":hierarchy", 37, 'this bone has no "end" line'),
        ("  begin\n     id 2", "     id 2", 28, "must be between begin and end"),
        ("length 0.45", "length 0", 6, "greater than 0"),
        ("length 0.45", "length -1", 6, "greater than 0"),
        ("angle deg", "angle grad", 7, "deg or rad"),
        ("order TX", "order QX", 11, "degree of freedom 'QX'"),
        ("lower tip", "lower top", 47, "unknown bone 'top'"),
        ("lower tip", "bower tip", 47, "unknown bone 'bower'"),
        ("lower tip", "lower tip\n    upper tip", 47, "two parents"),
        ("root upper", "tip upper", 16, "cyclic"),
        ("    lower tip\n", "", 37, "is not linked to the root"),
        (":version 1.10", "begin", 2, "before the first section"),
    ],
)
def test_skeleton_errors_have_a_line(tmp_path, old, new, line, expected):
    assert ASF.count(old) == 1
    with pytest.raises(AcclaimError, match=r"arm\.asf") as caught:
        skeleton(tmp_path, ASF.replace(old, new))
    assert expected in caught.value.message
    assert caught.value.line == line


def test_limits_on_the_size_of_a_skeleton(tmp_path):
    bone = "begin\nname b{}\ndirection 0 1 0\nlength 1\nend\n"
    text = ":bonedata\n" + "".join(bone.format(n) for n in range(20))
    with pytest.raises(AcclaimError, match="has more than 10 joints; raise the option max_j"):
        read_asf(write(tmp_path, text, "a.asf"), ReadLimits(max_joints=10))
    with pytest.raises(AcclaimError, match="a line has more than 1 MB, the maximum"):
        skeleton(tmp_path, ":hierarchy\n" + "x " * 10**6)


@pytest.mark.thorough
def test_a_chain_of_thousands_of_bones_needs_no_recursion(tmp_path):
    bone = "begin\nname b{}\ndirection 0 1 0\nlength 1\nend\n"
    bones = "".join(bone.format(n) for n in range(5000))
    chain = "root b0\n" + "".join(f"b{n} b{n + 1}\n" for n in range(4999))
    path = write(tmp_path, f":bonedata\n{bones}:hierarchy\n{chain}", "arm.asf")
    with pytest.raises(AcclaimError, match="more than 1,000 nested joints, the maximum"):
        read_asf(path)
    arm = read_asf(path, budget(max_depth=5001))
    assert arm.parents.tolist() == list(range(-1, 5000))


# --- the motion ------------------------------------------------------------------------------


def test_angles_frames_and_root(tmp_path):
    clip = motion(tmp_path)
    assert clip.frames.tolist() == [1, 2]
    assert clip.frame_rate == 120
    assert clip.name == "swing"
    assert clip.source == source_file(tmp_path / "swing.amc")
    np.testing.assert_allclose(clip.rotate_deg("root"), [[10, 20, 30], [-10, -20, -30]])
    np.testing.assert_allclose(clip.rotate_deg("upper"), [[5, 15, 25], [400, 0, 0]])
    np.testing.assert_allclose(clip.rotate_deg("lower"), [[45, 0, -35], [-0.25, 0, 10]])
    np.testing.assert_allclose(clip.rotate_deg("tip"), 0)
    np.testing.assert_allclose(clip.translations[0], [[1.5, 2.25, 3.125], [2, 4, 6]])
    assert clip.animated == {"root", "upper", "lower"}
    assert [finding.rule for finding in clip.findings] == ["frame-rate-assumed"]


def test_forward_kinematics_against_a_naive_one(tmp_path):
    world = motion(tmp_path).world_matrices(1)
    root = matrix({"x": 10, "y": 20, "z": 30}, "xyz")
    axis = matrix({"x": 10, "y": 20, "z": 30}, "xyz")
    upper = root @ axis @ matrix({"x": 5, "y": 15, "z": 25}, "xyz") @ axis.T
    axis = matrix({"x": -40, "y": 50, "z": 60}, "zyx")
    lower = upper @ axis @ matrix({"z": -35, "x": 45}, "zx") @ axis.T
    place = np.array([1.5, 2.25, 3.125])
    np.testing.assert_allclose(world[0, :3, :3], root, atol=1e-14)
    np.testing.assert_allclose(world[1, :3, :3], upper, atol=1e-14)
    np.testing.assert_allclose(world[2, :3, :3], lower, atol=1e-14)
    np.testing.assert_allclose(world[1, :3, 3], place, atol=1e-14)
    elbow = place + upper @ [3, 4, 0]
    np.testing.assert_allclose(world[2, :3, 3], elbow, atol=1e-14)
    np.testing.assert_allclose(world[3, :3, 3], elbow + lower @ [0, 4, 0], atol=1e-14)


@pytest.mark.parametrize(
    "changed",
    [
        AMC.replace("\n", "\r\n"),
        AMC.replace("\n", "\r"),
        AMC.replace(" ", "\t").rstrip(),
        "\ufeff" + AMC,
        AMC.replace("upper 5 15 25\nlower -35 45\n", "lower -35 45\n\n  upper 5 15 25\n"),
        AMC.replace("lower -35 45", "lower -35+45 # elbow\n# comment"),
        AMC.replace(":DEGREES", ":degrees"),
    ],
)
def test_other_ways_to_write_the_same(tmp_path, changed):
    np.testing.assert_array_equal(motion(tmp_path, changed).rotations, motion(tmp_path).rotations)


def test_radians_of_a_motion(tmp_path):
    clip = motion(tmp_path, AMC.replace(":DEGREES", ":RADIANS"))
    np.testing.assert_allclose(np.radians(clip.rotate_deg("upper")), [[5, 15, 25], [400, 0, 0]])
    np.testing.assert_allclose(clip.translations[0][0], [1.5, 2.25, 3.125])
    assert rules(motion(tmp_path, AMC.replace(":DEGREES\n", ""))) == ["angle-unit-assumed"]


@pytest.mark.parametrize("unit", ["deg", "rad", None])
@pytest.mark.parametrize("stated", [":DEGREES\n", ":RADIANS\n", ""])
def test_a_motion_without_a_unit_has_that_of_its_skeleton(tmp_path, unit, stated):
    text = ASF.replace("angle deg\n", f"angle {unit}\n" if unit else "")
    path = write(tmp_path, AMC.replace(":DEGREES\n", stated), "swing.amc")
    clip = read_amc(path, ReadRequest(skeleton(tmp_path, text)))
    radians = stated == ":RADIANS\n" or (not stated and unit == "rad")
    found = clip.rotate_deg("upper")[0]
    np.testing.assert_allclose(np.radians(found) if radians else found, [5, 15, 25])
    taken = [one.message for one in clip.findings if one.rule == "angle-unit-assumed"]
    names = {"deg": "degrees as in its ASF", "rad": "radians as in its ASF", None: "degrees"}
    expected = f"the file states neither :DEGREES nor :RADIANS; {names[unit]} are assumed"
    assert taken == ([] if stated else [expected])


def test_frame_rate(tmp_path):
    path = write(tmp_path, AMC, "swing.amc")
    given = read_amc(path, ReadRequest(skeleton(tmp_path), 30))
    assert (given.frame_rate, given.findings) == (30, ())
    stated = motion(tmp_path, AMC.replace(":DEGREES", ":DEGREES\n:SAMPLES-PER-SECOND 60"))
    assert (stated.frame_rate, stated.findings) == (60, ())


def test_a_bone_that_is_in_no_frame(tmp_path):
    text = AMC.replace("lower -35 45\n", "").replace("lower 1e1 -2.5e-1\n", "")
    clip = motion(tmp_path, text)
    assert rules(clip) == ["missing-bone"]
    assert clip.findings[-1].joint == "lower"
    assert clip.animated == {"root", "upper"}
    np.testing.assert_array_equal(clip.rotate_deg("lower"), 0)


def test_lengths_and_translations_of_bones_are_read_over(tmp_path):
    asf = ASF.replace("dof rz rx", "dof l rz TX rx")
    text = AMC.replace("lower -35 45", "lower 1 -35 2 45")
    text = text.replace("lower 1e1 -2.5e-1", "lower 0 10 0 -0.25")
    clip = motion(tmp_path, text, asf)
    np.testing.assert_allclose(clip.rotate_deg("lower"), [[45, 0, -35], [-0.25, 0, 10]])
    assert rules(clip) == ["translation-ignored"]
    assert clip.skeleton.declarations["lower"].dof == ("length", "rotateZ", "translateX", "rotateX")
    assert clip.skeleton.rotate_orders[2] == "zxy"


def test_left_out_frame_numbers(tmp_path):
    clip = motion(tmp_path, AMC.replace("\n2\n", "\n5\n"))
    assert clip.frames.tolist() == [1, 5]
    assert rules(clip) == ["frame-gap"]
    assert clip.findings[-1].frame_ranges == ((2, 4),)


def test_a_last_frame_that_was_cut_off(tmp_path):
    clip = motion(tmp_path, AMC[: AMC.index("upper 400")])
    assert clip.frames.tolist() == [1]
    assert rules(clip) == ["frame-count"]


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "expected"),
    [
        ("5 15 25", "5 nan 25", 6, 9, "not a finite number"),
        ("5 15 25", "5 1.#QNAN 25", 6, 9, "not a finite number"),
        ("5 15 25", "5 15 -1.#IND", 6, 12, "not a finite number"),
        ("5 15 25", "5 1e999 25", 6, 9, "too large"),
        ("5 15 25", "5 1,5 25", 6, 9, "decimal points"),
        ("5 15 25", "5 15", 6, None, "2 values in this frame, expected 3"),
        ("5 15 25", "5 15 25 35", 6, None, "4 values"),
        (" 5 15 25", "", 6, None, "0 values"),
        ("upper 5", "Upper 5", 6, None, "right ASF file"),
        ("lower -35 45", "upper 1 2 3", 7, None, "appears twice in the frame"),
        ("lower -35 45\n", "", 4, None, "lacks bone 'lower'"),
        (":DEGREES\n1\n", ":DEGREES\n", 4, None, "before the first frame number"),
        ("\n2\n", "\n1\n", 8, None, "frame 1 appears twice"),
        ("\n2\n", "\n0\n", 8, None, "frame 0 comes after 1"),
        (":DEGREES", ":SAMPLES x", 3, None, "samples per second"),
        (AMC, ":DEGREES\n", None, None, "no frames"),
        (AMC, "", None, None, "is empty"),
        (AMC, "\0", None, None, "binary"),
    ],
)
def test_motion_errors_have_a_line(tmp_path, old, new, line, column, expected):
    assert AMC.count(old) == 1
    with pytest.raises(AcclaimError, match=r"swing\.amc") as caught:
        motion(tmp_path, AMC.replace(old, new))
    assert expected in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


def test_limits_on_the_size_of_a_motion(tmp_path):
    path = write(tmp_path, AMC + "".join(f"{n}\n" for n in range(3, 1000)), "long.amc")
    expected = "has more than 200 channel values in all frames; raise the option max_numbers"
    with pytest.raises(AcclaimError, match=expected):
        read_amc(path, ReadRequest(skeleton(tmp_path), limits=ReadLimits(max_numbers=200)))


def test_a_frame_without_end_is_not_read_to_its_end(tmp_path):
    root = next(line for line in AMC.splitlines(True) if line.startswith("root"))
    path = write(tmp_path, AMC + root * 1000 + "nothing\n", "long.amc")
    with pytest.raises(AcclaimError, match="appears twice in the frame") as caught:
        read_amc(path, ReadRequest(skeleton(tmp_path)))
    assert caught.value.line == AMC.count("\n") + 1


def test_a_skeleton_that_is_not_from_an_asf_file(tmp_path):
    other = Skeleton(names=("root",), parents=np.array([-1]))
    with pytest.raises(ValueError, match="from an ASF"):
        read_amc(write(tmp_path, AMC, "swing.amc"), ReadRequest(other))


# --- real files ------------------------------------------------------------------------------

CMU = "data/mocap/cmu_asfamc"


@pytest.mark.thorough
def test_the_same_take_as_amc_and_as_bvh():
    acclaim = read_amc(
        shared_path(f"{CMU}/01_fairmotion/01_01.amc"),
        ReadRequest(shared_path(f"{CMU}/01_fairmotion/01.asf")),
    )
    bvh = read_bvh(shared_path(f"{CMU}/01_fairmotion/01_01.bvh"))
    assert bvh.frame_count == acclaim.frame_count + 1
    for pair in (
        "ltibia LeftLeg",
        "rtibia RightLeg",
        "lradius LeftForeArm",
        "rradius RightForeArm",
    ):
        bone, joint = pair.split()
        turns = acclaim.quaternion(bone)[:, 3], bvh.quaternion(joint)[1:, 3]
        angles, others = (np.degrees(2 * np.arccos(np.clip(np.abs(w), 0, 1))) for w in turns)
        np.testing.assert_allclose(angles, others, atol=0.01, err_msg=pair)


def naive_world(arm: Path, clip: Path, frame: int) -> dict[str, np.ndarray]:
    """Straight from the lines of a CMU pair, which all look alike; nothing else is read."""
    bones: dict[str, dict] = {"root": {"dof": []}}
    for block in arm.read_text().split("begin")[1:-1]:
        rows = [row.split() for row in block.split("end")[0].splitlines() if row.split()]
        entry = {row[0]: row[1:] for row in rows}
        bones[entry["name"][0]] = entry
    lines = clip.read_text().splitlines()
    start = lines.index(str(frame))
    values: dict[str, list[float]] = {}
    for row in lines[start + 1 :]:
        if row.isdigit():
            break
        values[row.split()[0]] = [float(word) for word in row.split()[1:]]
    x, y, z, rx, ry, rz = values["root"]
    world = {"root": np.eye(4)}
    world["root"][:3, :3] = matrix({"x": rx, "y": ry, "z": rz}, "xyz")
    world["root"][:3, 3] = x, y, z
    hierarchy = arm.read_text().split(":hierarchy")[1].splitlines()
    for row in hierarchy:
        parent, *children = row.split() or ["end"]
        for child in children:
            entry = bones[child]
            axis = matrix(dict(zip("xyz", map(float, entry["axis"]))), "xyz")
            dof = [name[1] for name in entry.get("dof", [])]
            own = matrix(dict(zip(dof, values.get(child, []))), "".join(dof))
            local = np.eye(4)
            local[:3, :3] = axis @ own @ axis.T
            if parent != "root":
                direction = np.array(list(map(float, bones[parent]["direction"])))
                local[:3, 3] = direction * float(bones[parent]["length"][0])
            world[child] = world[parent] @ local
    return world


@pytest.mark.parametrize("pair", ["02/02.asf 02/02_01.amc", "07/07-walk.asf 07/07_05-walk.amc"])
def test_forward_kinematics_of_real_files(pair):
    arm, clip = (shared_path(f"{CMU}/{name}") for name in pair.split())
    read = read_amc(clip, ReadRequest(arm))
    for frame in (1, 100):
        expected = naive_world(arm, clip, frame)
        for name, world in zip(read.joint_names, read.world_matrices(frame)):
            np.testing.assert_allclose(world, expected[name], atol=1e-10)
