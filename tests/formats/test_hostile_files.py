"""Files that broke a reader once, as small as they can be; and files that change while read."""

from __future__ import annotations

import json
import os
import tracemalloc

import numpy as np
import pytest

from jointlimits_core.base import errors
from jointlimits_core.base.errors import InputError, MayaAsciiError
from jointlimits_core.base.text import printable
from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.batch.motion_files import main as batch
from jointlimits_core.estimation.summary_file import read_summary
from jointlimits_core.formats import text as text_files
from jointlimits_core.formats.c3d_header import C3dError, checked_header
from jointlimits_core.formats.maya_ascii.reader import read_maya_ascii
from jointlimits_core.formats.maya_ascii.scene_file import SceneFile
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.io.input import ReadLimits
from jointlimits_core.limits.limit_set import LimitSet
from tests.support.batch_manifests import bvh_text, write_manifest
from tests.support.c3d_files import whole_c3d
from tests.support.finished_batch import finished_batch, read_result
from tests.support.limit_set_examples import limit_set
from tests.support.maya_scenes import HEADER, connect, curve, write_scene
from tests.support.shared_data import shared_path
from tests.support.small_files import MANIFEST


def message_of(read, *arguments):
    with pytest.raises(InputError) as caught:
        read(*arguments)
    return str(caught.value)


# --- messages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["\x1b[2J", "\u202eabc", "two\nlines", "\ud800"])
def test_what_a_file_says_does_nothing_to_a_terminal(word):
    document = limit_set().to_dict()
    document[word] = 1
    message = message_of(LimitSet.from_json, json.dumps(document))
    assert "unknown field" in message
    assert printable(message) == message


@pytest.mark.parametrize("letter", ["a", "\ud7ff", "\x07"])
def test_messages_end_however_long_the_words_of_a_file_are(tmp_path, letter):
    path = tmp_path / "long.json"
    document = json.loads(MANIFEST)
    document["characters"][0][letter * 100_000] = 1
    path.write_text(json.dumps(document))
    message = message_of(read_manifest, path)
    assert len(message) < errors.MAX_MESSAGE_CHARS + len(str(path)) + 10
    assert message.endswith("unknown field")


def test_the_place_of_a_file_is_shown_as_one_printable_line():
    error = InputError("a\x1b[31m\nb.bvh", "is empty", 3)
    assert str(error) == r"a\x1b[31m\nb.bvh:3: is empty"
    assert error.path == "a\x1b[31m\nb.bvh"


# --- memory -------------------------------------------------------------------------------------


def test_one_stray_key_makes_no_millions_of_frames(tmp_path):
    names = "abcd"
    body = "".join(f'createNode joint -n "{name}";\n' for name in names)
    for name in names:
        keys = [(frame, frame) for frame in range(4)] + [(3e11, 10)]
        body += curve(f"{name}_x", keys) + connect(f"{name}_x.o", f"{name}.rx")
    path = write_scene(tmp_path, body)
    tracemalloc.start()
    motion = read_maya_ascii(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert motion.frames.tolist() == [0, 1, 2, 3, 3e11]
    assert [finding.rule for finding in motion.findings] == ["sparse-keys"]
    assert peak < 5_000_000


def test_frames_between_keys_are_read_as_long_as_they_are_not_too_many(tmp_path):
    body = 'createNode joint -n "a";\n' + curve("c", [(0, 0), (20_000, 90)])
    motion = read_maya_ascii(write_scene(tmp_path, body + connect("c.o", "a.rx")))
    assert motion.frame_count == 20_001
    assert not motion.findings


# --- scenes that no Maya saves -----------------------------------------------------------------


def test_joints_below_a_node_that_is_no_transform_stand_where_it_stands(tmp_path):
    body = (
        'createNode joint -n "a";\nsetAttr ".t" -type "double3" 0 1 0;\n'
        'createNode animCurveTA -n "between" -p "a";\n'
        'createNode joint -n "b" -p "between";\nsetAttr ".t" -type "double3" 0 2 0;\n'
    )
    motion = read_maya_ascii(write_scene(tmp_path, body + curve("c", [(0, 0), (2, 5)])))
    assert motion.skeleton.parents.tolist() == [-1, 0]
    np.testing.assert_allclose(motion.world_matrices(0)[1, :3, 3], [0.0, 3.0, 0.0])


@pytest.mark.parametrize("x", ["0", "0.01e-320", "1e-200"])
def test_a_tangent_so_steep_that_it_has_no_slope_is_flat(tmp_path, x):
    more = f'setAttr ".kix[1]" {x};\nsetAttr ".kiy[1]" -0.9;\n'
    keys = curve("c", [(0, 0), (10, 50)], tangent=1, more=more)
    scene = 'createNode joint -n "a";\n' + keys + connect("c.o", "a.rx")
    degrees = read_maya_ascii(write_scene(tmp_path, scene)).rotate_deg("a")
    np.testing.assert_allclose(degrees[[0, 5, 10], 0], [0.0, 25.0, 50.0])


# --- files that change --------------------------------------------------------------------------

SCENE = 'createNode joint -n "a";\n' + curve("c", [(0, 0), (2, 5)]) + connect("c.o", "a.rx")


def test_a_scene_that_is_exchanged_while_it_is_read_is_refused(tmp_path, monkeypatch):
    path = write_scene(tmp_path, SCENE)
    other = write_scene(tmp_path, SCENE, name="other.ma")
    opened = text_files.open_regular

    def open_and_exchange(*arguments):
        stream = opened(*arguments)
        if other.exists():
            os.replace(other, path)
        return stream

    monkeypatch.setattr(text_files, "open_regular", open_and_exchange)
    with pytest.raises(MayaAsciiError, match="changed while it was being read"):
        read_maya_ascii(path)
    assert read_maya_ascii(path).frame_count == 3


# --- files that a library reads for us ----------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "name", "packed", "expected"),
    [
        (2, b"USED", b"\x01\x00", "analog"),
        (1, b"RATE", b"\x00\x00\xc0\x7f", "has invalid frame rates"),
    ],
)
def test_a_c3d_file_whose_counts_differ_ends_no_process(tmp_path, group, name, packed, expected):
    content, key = bytearray(whole_c3d(turning=True)), bytes([len(name), group]) + name
    start = content.index(key) + len(key) + 4
    content[start : start + len(packed)] = packed
    path = tmp_path / "a.c3d"
    path.write_bytes(content)
    with pytest.raises(C3dError, match=expected):
        checked_header(path, ReadLimits())


# --- results of a batch -------------------------------------------------------------------------


@pytest.mark.parametrize("files", [[], [{"name": "../walk.bvh", "sha256": None}]])
def test_a_result_without_its_own_limits_is_none(tmp_path, files):
    document = json.loads(finished_batch(tmp_path))
    taken = tmp_path / "input.result.json"
    taken.write_text(json.dumps(document))
    assert read_result(taken).ok
    taken.write_text(json.dumps({**document, "files": files}))
    with pytest.raises(InputError, match="is not the result of this character"):
        read_result(taken)


# --- references ---------------------------------------------------------------------------------


def referencing(folder, stored):
    text = f'file -r -ns "c" -rfn "cRN" -typ "mayaAscii" "{stored}";\n'
    return write_scene(folder, text + 'createNode joint -n "own";\n', name="scene.ma")


@pytest.mark.parametrize("how", ["absolute", "climbing", "link"])
def test_references_do_not_lead_out_of_the_folder_of_a_batch(tmp_path, how):
    outside = write_scene(tmp_path / "secret", SCENE, name="rig.ma")
    stored = {"absolute": outside, "climbing": "../secret/rig.ma", "link": "rig.ma"}[how]
    scene = referencing(tmp_path / "library", stored)
    if how == "link":
        (tmp_path / "library" / "rig.ma").symlink_to(outside)
    kept = ReadLimits(references_below=tmp_path / "library")
    motion = read_motion(scene, limits=kept)
    assert motion.joint_names == ("own",)
    (finding,) = motion.findings
    assert finding.rule == "outside-reference"
    assert "was not read" in finding.message
    assert set(read_motion(scene).joint_names) == {"own", "c:a"}


@pytest.mark.thorough
def test_a_result_is_made_again_when_a_referenced_file_changed(tmp_path):
    home, out = tmp_path / "library", tmp_path / "out"
    rig = write_scene(home, SCENE, name="rig.ma")
    referencing(home, "rig.ma")
    options = {"limit_root": True}
    manifest = write_manifest(home, [{"name": "a", "scene": "scene.ma"}], options)
    command = ["--manifest", str(manifest), "--out", str(out), "--resume"]
    highest = []
    for text in (SCENE, SCENE, SCENE.replace("2 5", "2 50")):
        rig.write_text(HEADER + text)
        assert batch(command) == 0
        (path,) = out.glob("*.limits.json")
        limits = json.loads(path.read_text())["joints"]["c:a"]["limits"]
        highest.append((limits["rotateX"]["max_deg"], path.stat().st_mtime_ns))
    assert highest[0] == highest[1]
    assert [round(value) for value, _ in highest] == [5, 5, 50]


def test_a_reference_inside_the_folder_is_followed(tmp_path):
    write_scene(tmp_path / "library" / "rigs", SCENE, name="rig.ma")
    scene = referencing(tmp_path / "library" / "shots", "../rigs/rig.ma")
    kept = ReadLimits(references_below=tmp_path / "library")
    motion = read_motion(scene, limits=kept)
    assert set(motion.joint_names) == {"own", "c:a"}
    assert not motion.findings


def test_nesting_without_end_is_a_named_error():
    with pytest.raises(errors.LimitSetError, match="nested too deeply"):
        LimitSet.from_json("[" * 100_000)


@pytest.fixture
def references(tmp_path):
    """Scenes of which each references the next one several times."""

    def make_scenes(levels, times, joints=1):
        for level in range(levels):
            lines = [f'file -r -ns "a{k}" -rfn "r{k}" "t{level + 1}.ma";' for k in range(times)]
            lines = lines if level + 1 < levels else []
            lines += [f'createNode joint -n "j{k}";' for k in range(joints)]
            (tmp_path / f"t{level}.ma").write_text("\n".join(["//Maya ASCII 2024 scene", *lines]))
        return tmp_path / "t0.ma"

    return make_scenes


@pytest.mark.thorough
def test_references_of_references_end(references):
    scene = SceneFile(references(9, 4)).scene
    assert len(scene.references) == 4096
    assert {"many-references"} == {one.rule for one in scene.findings}


def test_joints_of_all_references_count_together(references):
    path = references(2, 5, joints=10)
    assert len(SceneFile(path, ReadLimits(max_joints=60)).scene.nodes) == 60
    with pytest.raises(MayaAsciiError, match="more than 59 joints; raise the option max_joints"):
        read_maya_ascii(path, ReadLimits(max_joints=59))


def test_nodes_that_are_no_joints_are_counted(tmp_path):
    lines = [f'createNode transform -n "t{k}";' for k in range(101)]
    path = tmp_path / "many.ma"
    path.write_text("\n".join(["//Maya ASCII 2024 scene", *lines]))
    assert len(SceneFile(path, ReadLimits(max_joints=3)).scene.nodes) == 101
    with pytest.raises(MayaAsciiError, match=r"worth of nodes \(100\)"):
        read_maya_ascii(path, ReadLimits(max_joints=2))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("0 0 0 0 12", "0 0 0 0 1e16", "joint 'knee' is rotated by over 10,000,000 degrees in"),
        ("OFFSET 0 -10 0", "OFFSET 0 -1e150 0", "joint 'knee' is over 1e.09 units from its parent"),
    ],
)
def test_numbers_that_have_lost_their_meaning_are_named(tmp_path, old, new, expected):
    text = bvh_text(20.0)
    text = text.replace("0 0 0 0 0.000000 0", "0 0 0 0 12 0")
    path = tmp_path / "walk.bvh"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=expected):
        read_motion(path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("75cee657", "has a value beyond 1e.15"), ("f066bcf7", "value below 1e-09")],
)
def test_summaries_with_numbers_out_of_all_bounds_are_refused(name, expected):
    with pytest.raises(errors.SummaryError, match=expected):
        read_summary(shared_path(f"data/hostile/summary-{name}.summary.npz"))
