"""C3D files with outputs of models, and with counts of frames that contradict each other."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from jointlimits_core.formats.c3d import read_c3d
from jointlimits_core.formats.c3d_header import C3dError
from jointlimits_core.formats.registry import ReadRequest
from jointlimits_core.io.input import ReadLimits
from jointlimits_core.skeleton_fit.marker_bodies import bodies_from_clips
from tests.support.c3d_files import BLOCK_BYTES, real, record, texts, whole
from tests.support.marker_examples import plates

COUNT = 40


def c3d(labels, positions, *, last=None, frames=None, trial=None, **points):
    """A file of positions in metres, shape (points, frames, 3), with what it states of them.

    `last`: last frame by the header; `frames`, `trial`, `points`: content of POINT:FRAMES, of the
    group TRIAL and of further parameters of POINT, lists of texts among them.
    """
    count, total = positions.shape[:2]
    parts = {
        f"LABELS{at // 255 + 1 if at else ''}": labels[at : at + 255] for at in range(0, count, 255)
    }
    given = {"USED": whole(count), "SCALE": real(-1.0), "RATE": real(100.0), "UNITS": texts(["m"])}
    given.update({**parts, **points, "FRAMES": frames or whole(min(total, 65535))})
    section = record(-1, "POINT", b"\0") + record(-2, "TRIAL", b"\0")
    for name, content in given.items():
        section += record(1, name, texts(content) if isinstance(content, list) else content)
    section += b"".join(record(2, name, content) for name, content in (trial or {}).items())
    blocks = -(-(len(section) + 6) // BLOCK_BYTES)
    last = min(total, 65535) if last is None else last
    start = 2 + blocks
    head = struct.pack("<BB4HHfHHf", 2, 0x50, count, 0, 1, last, 10, -1.0, start, 0, 100.0)
    rows = np.zeros((total, count, 4), "<f4")
    rows[..., :3] = positions.swapaxes(0, 1)
    data = rows.tobytes()
    data += bytes(-len(data) % BLOCK_BYTES)
    head, section = head.ljust(BLOCK_BYTES, b"\0"), bytes([1, 0x50, blocks, 84]) + section
    return head + section.ljust(blocks * BLOCK_BYTES, b"\0") + data


@pytest.fixture
def read(tmp_path):
    def reading(content, **how):
        path = tmp_path / "a.c3d"
        path.write_bytes(content)
        return read_c3d(path, **how).markers

    return reading


def with_outputs(labels):
    """Two plates of markers, and outputs of a model that look like anything but places."""
    tracks = plates(2, COUNT)
    angles = np.random.default_rng(0).uniform(-90.0, 90.0, (len(labels), COUNT, 3))
    return list(tracks.names), np.concatenate([tracks.positions, angles])


@pytest.mark.thorough
@pytest.mark.parametrize("group", ["ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS"])
@pytest.mark.parametrize(
    ("labels", "listed", "left"),
    [
        (["LHip", "RHip"], ["LHip", "RHip"], 2),
        (["Ann:LHip", "Bob:LHip"], ["LHip"], 2),
        (["LHip", "RHip"], ["Ann:LHip", "Ann:RHip  "], 2),
        (["Ann:LHip", "Bob:LHip"], ["Ann:LHip"], 1),
    ],
)
def test_outputs_of_a_model_are_no_markers(read, group, labels, listed, left):
    names, positions = with_outputs(labels)
    markers = read(c3d([*names, *labels], positions, **{group: listed}))
    assert markers.names[: len(names)] == tuple(names)
    assert len(markers.names) == len(names) + 2 - left
    np.testing.assert_allclose(markers.positions[: len(names)], positions[: len(names)], atol=1e-6)
    (found,) = [one for one in markers.findings if one.rule == "model-outputs"]
    assert found.message.startswith(f"{left} model output{'s' * (left > 1)} left out")
    if left == 2:
        assert bodies_from_clips([markers])[0].names == ("a1_body", "b1_body")


def test_outputs_in_continued_parameters_are_no_markers(read):
    forces = [f"force{number}" for number in range(600)]
    names, positions = with_outputs(forces)
    listed = {"FORCES": forces[:255], "FORCES2": forces[255:510], "FORCES3": forces[510:]}
    markers = read(c3d([*names, *forces], positions, **listed))
    assert markers.names == tuple(names)


def test_a_file_of_outputs_alone_says_so(read):
    names = [f"angle{number}" for number in range(3)]
    with pytest.raises(C3dError, match=r"its 3 points are model outputs$"):
        read(c3d(names, np.ones((3, 5, 3)), ANGLES=names))


# Counts of frames ---------------------------------------------------------------------------------


@pytest.mark.parametrize("stated", [40.0, 40.4])
def test_a_count_of_frames_may_be_a_float(read, stated):
    tracks = plates(1, COUNT)
    markers = read(c3d(list(tracks.names), tracks.positions, frames=real(stated)))
    assert markers.frame_count == COUNT
    assert not markers.findings


@pytest.mark.parametrize("stated", [0.0, -5.0, math.nan, math.inf, 1e9, 1e38])
def test_a_float_that_is_no_count_is_reported_and_the_header_counts(read, stated):
    tracks = plates(1, COUNT)
    markers = read(c3d(list(tracks.names), tracks.positions, frames=real(stated)))
    assert markers.frame_count == COUNT
    (found,) = markers.findings
    assert found.rule == "counts-differ"
    assert "and data for 40; 40 frames of 4 markers" in found.message


LONG_FRAMES = 70_000


def long_positions(count=LONG_FRAMES):
    positions = np.ones((3, count, 3))
    positions[:, :, 0] = np.arange(count)
    return positions


@pytest.mark.thorough
@pytest.mark.parametrize(
    "states",
    [
        {"frames": real(float(LONG_FRAMES))},
        {"LONG_FRAMES": real(float(LONG_FRAMES))},
        {"trial": {"ACTUAL_START_FIELD": whole(1, 0), "ACTUAL_END_FIELD": whole(4464, 1)}},
        {"trial": {"ACTUAL_START_FIELD": real(1.0), "ACTUAL_END_FIELD": real(float(LONG_FRAMES))}},
    ],
)
def test_frames_beyond_two_bytes_are_read_as_stated(read, states):
    markers = read(c3d(["a", "b", "c"], long_positions(), **states))
    assert markers.frame_count == LONG_FRAMES
    assert not markers.findings


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("last", "frames"), [(65535, 65535), (4464, 4464), (65535, 4464), (65535, 0), (4464, 65535)]
)
def test_frames_beyond_two_bytes_that_nothing_states_are_read_and_reported(read, last, frames):
    content = c3d(["a", "b", "c"], long_positions(), last=last, frames=whole(frames))
    markers = read(content)
    assert markers.frame_count == LONG_FRAMES
    assert markers.positions[0, -1, 0] == LONG_FRAMES - 1
    (found,) = markers.findings
    assert found.rule == "counts-differ"
    assert f"{LONG_FRAMES} frames of 3 markers" in found.message


def test_data_beyond_the_stated_frames_are_reported(read):
    markers = read(c3d(["a", "b", "c"], long_positions(500), last=100, frames=whole(100)))
    assert markers.frame_count == 100
    (found,) = markers.findings
    assert found.message.startswith(
        "The file has 100 frames in its header and parameters, and data for 5"
    )


def test_frames_beyond_two_bytes_count_for_the_budget(read):
    content = c3d(["a", "b", "c"], long_positions())
    with pytest.raises(C3dError, match="840,000 numbers, more than 800,000"):
        read(content, request=ReadRequest(limits=ReadLimits(max_numbers=800_000)))
