"""AMASS and SMPL archives: every spelling and number of joints, and archives made to do harm."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile

import numpy as np
import pytest

from jointlimits_core import estimate
from jointlimits_core.base.errors import InputError
from jointlimits_core.batch.grouping import skeleton_key
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import matrix_from_quaternion
from jointlimits_core.io.input import ReadLimits

FRAMES = 40
HANDS = ("left_hand_pose", "right_hand_pose")


def vectors(joints, frames=FRAMES):
    """Rotation vectors of every size from none to over a turn."""
    chance = np.random.default_rng(joints)
    turns = (
        chance.normal(size=(frames, joints, 3))
        * chance.choice([1e-9, 0.1, 1.0, 4.0], joints)[:, None]
    )
    turns[0] = 0.0
    return turns


def save_archive(path, packed=False, **members):
    (np.savez_compressed if packed else np.savez)(path, **members)
    return path


def naive_matrix(vector):
    """Rodrigues' formula as a power series of the cross product's matrix."""
    x, y, z = vector
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    total, term = np.eye(3), np.eye(3)
    for n in range(1, 120):
        term = term @ cross / n
        total = total + term
    return total


@pytest.mark.thorough
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("joints", "model"), [(22, "SMPL body"), (24, "SMPL"), (52, "SMPL-H"), (55, "SMPL-X")]
)
def test_each_body_model(tmp_path, joints, model, packed):
    turns, trans = vectors(joints), np.arange(3.0 * FRAMES).reshape(FRAMES, 3)
    path = save_archive(
        tmp_path / "walk.npz",
        packed,
        poses=turns.reshape(FRAMES, -1),
        trans=trans,
        mocap_framerate=np.array(60.0),
        betas=np.zeros(16),
        gender=np.array("female"),
    )
    motion = read_motion(path)
    bones = motion.skeleton
    assert (len(bones), motion.frame_rate) == (joints, 60.0)
    assert bones.meters_per_unit == 1.0
    assert np.array_equal(motion.translations[0], trans)
    assert bones.parent_name("left_wrist") == "left_elbow"
    assert bones.parent_name("spine1") == bones.parent_name("right_hip") == "pelvis"
    for joint in range(0, joints, 5):
        found = matrix_from_quaternion(motion.rotations[joint].T)
        wanted = [naive_matrix(vector) for vector in turns[:, joint]]
        assert np.abs(found - wanted).max() < 1e-10
    (finding,) = motion.findings
    assert finding.rule == "stand-in-bones"
    assert f"the file has the {joints} joints of {model}; its shape parameters" in finding.message


def test_joints_have_the_published_names_and_places(tmp_path):
    files = [tmp_path / f"{count}.npz" for count in (22, 24, 52, 55)]
    motions = [
        read_motion(save_archive(path, poses=np.zeros((2, 3 * int(path.stem))))) for path in files
    ]
    body, smpl, hands, whole = (list(motion.joint_names) for motion in motions)
    assert smpl[:22] == hands[:22] == whole[:22] == body
    assert smpl[22:] == ["left_hand", "right_hand"]
    assert whole[22:25] == ["jaw", "left_eye_smplhf", "right_eye_smplhf"]
    assert hands[22:] == whole[25:]
    assert hands[22:25] == ["left_index1", "left_index2", "left_index3"]
    firsts = ["left_middle1", "left_pinky1", "left_ring1", "left_thumb1", "right_index1"]
    assert hands[25:38:3] == firsts
    assert body[12:22] == [
        *("neck", "left_collar", "right_collar", "head", "left_shoulder", "right_shoulder"),
        *("left_elbow", "right_elbow", "left_wrist", "right_wrist"),
    ]


@pytest.mark.parametrize(
    "names",
    [
        ("root_orient", "pose_body", "pose_jaw", "pose_eye", "pose_hand"),
        ("global_orient", "body_pose", "jaw_pose", "leye_pose", "reye_pose", *HANDS),
    ],
)
def test_a_pose_in_parts_is_the_whole_pose(tmp_path, names):
    sizes = {"pose_eye": 2, "pose_hand": 30, "pose_body": 21, "body_pose": 21}
    sizes.update(dict.fromkeys(HANDS, 15))
    flat, parts, at = vectors(55).reshape(FRAMES, -1).astype(np.float32), {}, 0
    for name in names:
        end = at + 3 * sizes.get(name, 1)
        parts[name], at = flat[:, at:end], end
    assert at == 165
    whole = read_motion(save_archive(tmp_path / "whole.npz", poses=flat, mocap_frame_rate=[30]))
    part = read_motion(save_archive(tmp_path / "part.npz", **parts, fps=np.float32(30)))
    assert np.array_equal(whole.rotations, part.rotations)
    assert whole.frame_rate == part.frame_rate == 30.0


def test_limits_come_out_as_they_went_in(tmp_path):
    turns = np.zeros((200, 22, 3))
    turns[:, 4, 0] = np.radians(60.0 - 60.0 * np.cos(np.linspace(0.0, 12.0, 200)))
    path = save_archive(tmp_path / "knee.npz", poses=turns.reshape(200, -1))
    found = estimate(path, pad_deg=0.0).joints["left_knee"]
    assert found.type == "hinge"
    assert found.limits["rotateX"].max_deg == pytest.approx(
        np.degrees(turns[:, 4, 0].max()), abs=1e-6
    )


def test_files_of_one_performer_have_one_key(tmp_path):
    one, two = np.zeros((2, 66)), np.zeros((5, 66))
    a = save_archive(tmp_path / "a.npz", poses=one, betas=np.ones(10))
    b = save_archive(tmp_path / "b.npz", poses=two, betas=np.ones(10))
    c = save_archive(tmp_path / "c.npz", poses=two, betas=np.zeros(10))
    assert skeleton_key(a) == skeleton_key(b) != skeleton_key(c)


class Bomb:
    """Data that would call something on being unpickled."""

    def __reduce__(self):
        return (pytest.fail, ("a pickle was opened",))


def test_pickles_stay_closed(tmp_path):
    objects = np.empty((2, 66), dtype=object)
    objects[:] = Bomb()
    for_others = save_archive(tmp_path / "other.npz", poses=np.zeros((2, 66)), labels=objects)
    assert read_motion(for_others).frame_count == 2
    with pytest.raises(
        InputError, match=r"poses holds Python objects \(a pickle\), which are never"
    ):
        read_motion(save_archive(tmp_path / "poses.npz", poses=objects))
    (tmp_path / "plain.npz").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(InputError, match="not a zip archive"):
        read_motion(tmp_path / "plain.npz")


def member(shape, descr="<f8", data=b"", order="False"):
    text = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    text = text.ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def zeros(rows, columns):
    return member(f"({rows}, {columns})", data=bytes(8 * rows * columns))


def archive(path, **members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(f"{name}.npy", data)
    return path


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"poses": member("(1000000000, 66)")}, "more than 100,000,000"),
        ({"poses": member("(1000, 66)", data=bytes(800))}, "does not have as many values"),
        ({"poses": member("(1, 66)", "|V528", bytes(528))}, "must hold numbers"),
        ({"poses": member("(1, 66)", "<Q8", bytes(528))}, "unknown type"),
        ({"poses": b"\x93NUMPY\x01\x00" + b"(" * 5000}, "not a plain array"),
        ({"poses": member("(1, 70)", data=bytes(560))}, "66 (SMPL body), 72 (SMPL)"),
        ({"poses": member("(66,)", data=bytes(528))}, "one row of rotation vectors per frame"),
        ({"poses": member("(0, 66)")}, "has no frames"),
        ({"poses": member("(1, 66)", data=np.full(66, np.nan).tobytes())}, "frame 0 has"),
        ({"poses": member("(1, 66)", data=np.full(66, 1e300).tobytes())}, "frame 0 has"),
        ({"poses": zeros(1, 66), "fps": member("()", data=bytes(8))}, "fps must be one"),
        ({"poses": zeros(1, 66), "trans": zeros(2, 3)}, "1 poses and 2 root positions"),
        ({"root_orient": zeros(1, 3), "pose_body": zeros(2, 63)}, "different numbers of frames"),
        ({"shape": zeros(1, 3)}, "holds no poses"),
        ({f"m{n}": b"" for n in range(1001)}, "more than 1000 members"),
    ],
)
def test_harmful_archives_end_in_one_clear_line(tmp_path, members, expected):
    path = archive(tmp_path / "bad.npz", **members)
    with pytest.raises(InputError) as caught:
        read_motion(path)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_half_precision_is_read_and_two_arrays_of_one_name_are_not(tmp_path):
    turns = vectors(22).reshape(FRAMES, -1)
    half = read_motion(save_archive(tmp_path / "half.npz", poses=turns.astype(np.float16)))
    whole = read_motion(save_archive(tmp_path / "whole.npz", poses=turns))
    assert np.abs(half.rotations - whole.rotations).max() < 4.0 * np.finfo(np.float16).eps
    path = archive(tmp_path / "twice.npz", poses=zeros(1, 66))
    with zipfile.ZipFile(path, "a") as packed, pytest.warns(UserWarning, match="Duplicate"):
        packed.writestr("poses.npy", zeros(1, 66))
    with pytest.raises(InputError, match="two arrays with the same name"):
        read_motion(path)


def test_a_damaged_or_too_large_archive(tmp_path):
    path = save_archive(tmp_path / "a.npz", True, poses=vectors(22).reshape(FRAMES, -1))
    whole = path.read_bytes()
    broken = bytearray(whole)
    broken[len(whole) // 2] ^= 0x55
    path.write_bytes(broken)
    with pytest.raises(InputError, match="poses is damaged"):
        read_motion(path)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="truncated"):
        read_motion(path)
    path.write_bytes(whole)
    with pytest.raises(InputError, match="max_numbers"):
        read_motion(path, limits=ReadLimits(max_numbers=100))
    with pytest.raises(InputError, match="max_bytes"):
        read_motion(path, limits=ReadLimits(max_bytes=100))


@pytest.mark.thorough
def test_a_bomb_is_not_unpacked(tmp_path):
    """A gigabyte of zeros in a megabyte: its header is asked first."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bomb,
        bomb.open("poses.npy", "w") as stream,
    ):
        stream.write(member("(10, 66)"))
        for _ in range(64):
            stream.write(bytes(1 << 20))
    path = tmp_path / "bomb.npz"
    path.write_bytes(packed.getvalue())
    with pytest.raises(InputError, match="does not have as many values as its shape"):
        read_motion(path)
