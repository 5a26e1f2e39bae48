"""C3D files that are written by the tests, and public ones."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from jointlimits_core.formats.c3d import read_c3d
from jointlimits_core.formats.c3d_header import C3dError, checked_header
from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.formats.registry import ReadRequest
from jointlimits_core.io.input import DEFAULT_LIMITS, ReadLimits
from tests.support.marker_examples import NO_EZC3D, plates, wandering, write_c3d
from tests.support.shared_data import shared_path


def plain_c3d(processor, order, more=()):
    """Ten frames of three markers and two analog values, all zero, at block 4."""
    content = bytearray(4096)
    content[0], content[1], content[512 + 3] = 2, 0x50, processor
    struct.pack_into(f"{order}4H", content, 2, 3, 2, 5, 14)
    struct.pack_into(f"{order}H", content, 16, 4)
    records = [
        (b"POINT", -1, b"\0"),
        (b"ANALOG", -2, b"\0"),
        (b"USED", 1, struct.pack(f"{order}bBhB", 2, 0, 3, 0)),
        (b"USED", 2, struct.pack(f"{order}bBhB", 2, 0, 2, 0)),
        (b"SCALE", 2, struct.pack("bBB", 4, 1, 2) + bytes(9)),
        (b"OFFSET", 2, struct.pack("bBB", 2, 1, 2) + bytes(5)),
        *more,
    ]
    section = b"".join(
        struct.pack("bb", len(name), group) + name + struct.pack(f"{order}h", 2 + len(held)) + held
        for name, group, held in records
    )
    content[516 : 516 + len(section)] = section
    return content


def read_bytes(folder, content, **how):
    """Markers of a file with this content."""
    (folder / "b.c3d").write_bytes(content)
    return read_c3d(folder / "b.c3d", **how).markers


def plate_file(path, **options):
    tracks = plates(2, 60)
    write_c3d(path, (tracks.names, tracks.positions), **options)
    return tracks


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("units", "scale", "rules"),
    [
        *(("mm", 1000.0, []), ("m", 1.0, []), ("cm", 100.0, []), ("in", 1.0 / 0.0254, [])),
        ("", 1000.0, ["unit-not-given"]),
    ],
)
def test_markers_are_metres_in_every_unit(tmp_path, units, scale, rules):
    expected = plate_file(tmp_path / "a.c3d", units=units, scale=scale)
    found = read_c3d(tmp_path / "a.c3d").markers
    assert found.names == expected.names
    assert found.frame_rate == 100.0
    # The file has single precision.
    np.testing.assert_allclose(found.positions, expected.positions, atol=3e-7)
    assert found.source.sha256
    assert [finding.rule for finding in found.findings] == rules


@pytest.mark.thorough
def test_a_unit_that_nobody_knows_is_asked_for(tmp_path):
    plate_file(tmp_path / "a.c3d", units="furlong")
    words = r"a\.c3d: has the unknown length unit 'furlong'.*meters_per_unit"
    with pytest.raises(C3dError, match=words):
        read_c3d(tmp_path / "a.c3d")
    converted = read_c3d(tmp_path / "a.c3d", meters_per_unit=0.001)
    assert np.abs(converted.markers.positions).max() < 3.0


@pytest.mark.thorough
def test_missing_samples_are_gaps(tmp_path):
    tracks = plates(1, 30)
    positions = np.array(tracks.positions)
    positions[1, 4:9] = np.nan  # written with a residual of -1
    positions[2, 20] = 0.0
    write_c3d(tmp_path / "a.c3d", (tracks.names, positions))
    found = read_c3d(tmp_path / "a.c3d").markers
    expected = np.ones((4, 30), dtype=bool)
    expected[1, 4:9] = expected[2, 20] = False
    np.testing.assert_array_equal(found.present, expected)
    assert np.isnan(found.positions[~expected]).all()
    (finding,) = found.findings
    assert finding.rule == "gaps"
    # Frame numbers of the file count from 1.
    assert finding.frame_ranges == ((5.0, 9.0), (21.0, 21.0))


@pytest.mark.thorough
def test_labels_lose_their_subjects_unless_two_would_be_one_and_become_unique(tmp_path):
    positions = plates(1, 10).positions
    names = {
        ("Ann:A", "Ann:B", "Ann:A", "Ann:C"): ("A", "B", "A_2", "C"),
        ("*0", "Ann:A", "Ann:B", "C"): ("*0", "A", "B", "C"),
        ("Ann:A", "Ann:B", "Bob:C", "Bob:D"): ("A", "B", "C", "D"),
        ("Ann:A", "Ann:B", "Bob:A", "Bob:B"): ("Ann:A", "Ann:B", "Bob:A", "Bob:B"),
        ("Ann:A", "", "Ann:B", ""): ("A", "*2", "B", "*4"),
        ("", "", "", ""): ("marker1", "marker2", "marker3", "marker4"),
    }
    for number, (given, expected) in enumerate(names.items()):
        write_c3d(tmp_path / f"{number}.c3d", (given, positions))
        found = read_c3d(tmp_path / f"{number}.c3d").markers
        assert found.names == expected
        rules = [finding.rule for finding in found.findings]
        assert rules == (["repeated-labels"] if "A_2" in expected else [])


@pytest.mark.thorough
@pytest.mark.parametrize("ratio", [1, 2])
def test_rotation_channels_are_bodies(tmp_path, ratio):
    turns, places = wandering(20 * ratio, 3)
    matrices = np.zeros((20 * ratio, 2, 4, 4))
    matrices[:] = np.eye(4)
    matrices[:, 1, :3, :3], matrices[:, 1, :3, 3] = turns, places * 1000.0
    matrices[5, 0] = np.nan
    tracks = plates(1, 20)
    write_c3d(
        tmp_path / "a.c3d",
        (tracks.names, tracks.positions),
        rotations=(["world", "thigh_4X4"], matrices),
        ratio=ratio,
    )
    bodies = read_bodies(tmp_path / "a.c3d")
    assert bodies.names == ("world", "thigh")
    assert bodies.frame_rate == 100.0 * ratio
    assert bodies.frames[1] - bodies.frames[0] == 1.0 / ratio
    np.testing.assert_allclose(bodies.positions[1], places, atol=1e-6)
    np.testing.assert_allclose(bodies.matrices()[1], turns, atol=1e-6)
    assert np.flatnonzero(~bodies.present[0]).tolist() == [5]
    # Asked for by name, the markers become bodies instead.
    named = read_bodies(tmp_path / "a.c3d", groups={"plate": ["a?"]})
    assert named.names == ("plate",)


@pytest.mark.thorough
def test_mirrored_rotation_channels_are_an_error_with_the_path(tmp_path):
    matrices = np.tile(np.diag([1.0, 1.0, -1.0, 1.0]), (5, 1, 1, 1))
    tracks = plates(1, 5)
    markers = (tracks.names, tracks.positions)
    write_c3d(tmp_path / "a.c3d", markers, rotations=(["limb"], matrices))
    with pytest.raises(C3dError, match=r"a\.c3d: .*'limb' are mirrored"):
        read_c3d(tmp_path / "a.c3d")


# --- files that are not what they say ---------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"hello", b"\x02\x50", b"\x02\x51" + bytes(1000)])
def test_what_is_no_c3d_file_is_refused_in_a_sentence(tmp_path, content):
    path = tmp_path / "a.c3d"
    path.write_bytes(content)
    with pytest.raises(C3dError, match=r"a\.c3d: is (empty|not a C3D file)"):
        read_c3d(path)


@pytest.mark.thorough
def test_of_a_file_that_was_cut_the_frames_that_are_there_are_read_and_counted(tmp_path):
    expected = plate_file(tmp_path / "a.c3d").positions
    whole = (tmp_path / "a.c3d").read_bytes()
    start = checked_header(tmp_path / "a.c3d", DEFAULT_LIMITS).data_offset
    frame = expected.shape[0] * 16
    found = read_bytes(tmp_path, whole[: start + 29 * frame + 7])
    np.testing.assert_allclose(found.positions, expected[:, :29], atol=3e-7)
    (finding,) = found.findings
    assert finding.message == (
        "The file has 60 frames in its header and parameters, and data for 29; "
        "29 frames of 8 markers at 100 Hz were read."
    )
    for size in (513, start + frame - 1):
        with pytest.raises(C3dError, match="is truncated"):
            read_bytes(tmp_path, whole[:size])


@pytest.mark.thorough
def test_where_header_and_parameters_differ_the_data_decide(tmp_path):
    expected = plate_file(tmp_path / "a.c3d").positions
    whole = (tmp_path / "a.c3d").read_bytes()
    at = whole.index(b"FRAMES") + len(b"FRAMES") + 4
    at += whole[at - 1]  # past the dimensions, if there are any
    for place, value in ((at, 1149), (8, 1149), (2, 9)):
        changed = bytearray(whole)
        struct.pack_into("<H", changed, place, value)
        found = read_bytes(tmp_path, changed)
        np.testing.assert_allclose(found.positions, expected, atol=3e-7)
        (finding,) = found.findings
        assert finding.rule == "counts-differ"
        assert f"{value} " in finding.message


def changed_rate(path, *, header=None, parameter=None):
    """The file with other frame rates."""
    content = bytearray(path.read_bytes())
    if header is not None:
        struct.pack_into("<f", content, 20, header)
    if parameter is not None:
        at = content.index(b"RATE") + len(b"RATE") + 4
        at += content[at - 1]
        struct.pack_into("<f", content, at, parameter)
    path.write_bytes(content)


@pytest.mark.thorough
@pytest.mark.parametrize(("rates", "taken"), [((60.0, None), 100.0), ((60.0, 0.0), 60.0)])
def test_two_frame_rates_are_reported_and_one_of_zero_is_not_taken(tmp_path, rates, taken):
    plate_file(tmp_path / "a.c3d")
    changed_rate(tmp_path / "a.c3d", header=rates[0], parameter=rates[1])
    found = read_c3d(tmp_path / "a.c3d").markers
    assert found.frame_rate == taken
    (finding,) = found.findings
    given = 100 if rates[1] is None else 0
    assert finding.message == (
        f"The file has 60 Hz in its header and {given} Hz in its parameters; "
        f"60 frames of 8 markers at {taken:g} Hz were read."
    )
    plate_file(tmp_path / "b.c3d")
    changed_rate(tmp_path / "b.c3d", header=100.5)
    assert not read_c3d(tmp_path / "b.c3d").markers.findings


@pytest.mark.thorough
@pytest.mark.parametrize(("units", "scale"), [("mm", 1.0), ("m", 1000.0)])
def test_a_unit_that_no_markers_can_have_is_corrected_and_reported(tmp_path, units, scale):
    expected = plate_file(tmp_path / "a.c3d", units=units, scale=scale)
    found = read_c3d(tmp_path / "a.c3d").markers
    np.testing.assert_allclose(found.positions, expected.positions, atol=3e-7)
    (finding,) = found.findings
    assert finding.rule == "unit-implausible"
    asked = read_c3d(tmp_path / "a.c3d", meters_per_unit=0.5).markers
    np.testing.assert_allclose(asked.positions, 0.5 * scale * expected.positions, rtol=1e-5)
    assert not asked.findings


@pytest.mark.thorough
def test_residuals_that_are_all_negative_hide_no_marker(tmp_path):
    expected = plate_file(tmp_path / "a.c3d")
    content = bytearray((tmp_path / "a.c3d").read_bytes())
    start = checked_header(tmp_path / "a.c3d", DEFAULT_LIMITS).data_offset
    values = np.frombuffer(content, "<f4", expected.positions.size // 3 * 4, start).copy()
    for kept in (0, 1):
        values[3::4] = -1.0
        values[3 : 3 + 4 * kept : 4] = 0.0
        content[start : start + values.nbytes] = values.tobytes()
        found = read_bytes(tmp_path, content)
        assert found.present.sum() == (1 if kept else found.present.size)
        assert ("residuals-negative" in [one.rule for one in found.findings]) == (not kept)


@pytest.mark.thorough
def test_more_than_was_agreed_is_refused_before_it_is_read(tmp_path):
    plate_file(tmp_path / "a.c3d")
    with pytest.raises(C3dError, match="numbers, more than 100; raise the option max_numbers"):
        read_c3d(tmp_path / "a.c3d", request=ReadRequest(limits=ReadLimits(max_numbers=100)))
    with pytest.raises(C3dError, match="more than 600 bytes; raise the option max_bytes"):
        read_c3d(tmp_path / "a.c3d", request=ReadRequest(limits=ReadLimits(max_bytes=600)))
    huge = bytearray((tmp_path / "a.c3d").read_bytes())
    struct.pack_into("<H", huge, 2, 65535)
    found = read_bytes(tmp_path, huge)
    assert found.positions.shape == (8, 60, 3)
    assert "65535 markers in its header and 8 in its parameters" in found.findings[0].message


@pytest.mark.thorough
def test_a_parameter_that_leads_out_of_the_file_is_named(tmp_path):
    plate_file(tmp_path / "a.c3d")
    changed = bytearray((tmp_path / "a.c3d").read_bytes())
    at = changed.find(b"LABELS") + len("LABELS")
    struct.pack_into("<h", changed, at, 32000)
    with pytest.raises(C3dError, match="damaged parameters: 'LABELS' points outside"):
        read_bytes(tmp_path, changed)


@pytest.mark.thorough
def test_rotations_that_are_not_there_are_not_looked_for(tmp_path):
    tracks, matrices = plates(1, 5), np.tile(np.eye(4), (5, 1, 1, 1))
    markers = (tracks.names, tracks.positions)
    write_c3d(tmp_path / "a.c3d", markers, rotations=(["limb"], matrices))
    changed = bytearray((tmp_path / "a.c3d").read_bytes())
    at = changed.find(b"RATIO", changed.find(b"ROTATION")) + len("RATIO") + 4
    assert struct.unpack_from("<h", changed, at) == (1,)
    struct.pack_into("<h", changed, at, 32000)
    with pytest.raises(C3dError, match="is truncated: 1 rotations per frame"):
        read_bytes(tmp_path, changed)


def floats_of(processor, values):
    """Floats as a processor stores them."""
    if processor != 85:
        return np.asarray(values, ">f4" if processor == 86 else "<f4").tobytes()
    # Four times as large for an exponent that is larger by two, and the words swapped.
    words = (np.asarray(values, "<f4") * np.float32(4.0)).view("<u2").reshape(-1, 2)
    return np.ascontiguousarray(words[:, ::-1]).tobytes()


@pytest.mark.parametrize("kind", ["integers", "floats"])
@pytest.mark.parametrize("processor", [84, 85, 86])
def test_frames_of_every_processor_and_kind(tmp_path, processor, kind):
    order = ">" if processor == 86 else "<"
    content = bytearray(plain_c3d(processor, order))
    steps = np.random.default_rng(processor).integers(-3000, 3000, (10, 3, 3))
    rows = np.zeros((10, 14))
    rows[:, :12].reshape(10, 3, 4)[..., :3] = steps
    rows[4, 7] = -1.0  # a residual
    scale = 0.5 if kind == "integers" else -0.5
    content[12:16], content[20:24] = floats_of(processor, [scale]), floats_of(processor, [100.0])
    values = rows if kind == "integers" else rows * 0.25
    packed = values.astype(f"{order}i2").tobytes()
    packed = packed if kind == "integers" else floats_of(processor, values.ravel())
    content[1536 : 1536 + len(packed)] = packed
    found = read_bytes(tmp_path, content, meters_per_unit=1.0)
    expected = steps * (0.5 if kind == "integers" else 0.25)
    assert found.present.sum() == 29
    assert not found.present[1, 4]
    seen = found.present
    np.testing.assert_array_equal(found.positions[seen], expected.swapaxes(0, 1)[seen])
    assert found.frames[0] == 5.0
    assert found.frame_rate == 100.0


# --- real files -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "markers", "frames", "rate", "share"),
    [
        ("cmu_02_01", 41, 343, 120.0, 1.0),
        ("ktk_walkingOptiTrack", 12, 3361, 160.0, 0.9257),
        ("biobuddy_right_hip", 73, 1690, 100.0, 1.0),
        ("biobuddy_static_lower_body", 100, 344, 100.0, 0.2129),
        ("btk_Gait", 33, 487, 100.0, 0.3975),
        ("btk_MotionMonitorC3D", 8, 840, 140.0, 1.0),
    ],
)
def test_real_files(name, markers, frames, rate, share):
    found = read_c3d(shared_path(f"data/bodies/{name}.c3d")).markers
    assert found.positions.shape == (markers, frames, 3)
    assert found.frame_rate == rate
    assert found.present.mean() == pytest.approx(share, abs=1e-4)
    seen = found.positions[found.present]  # of people, in metres
    assert 0.5 < np.ptp(seen, axis=0).max() < 15.0


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        *(f"bodies/{name}" for name in ("cmu_02_01", "btk_Gait", "btk_MotionMonitorC3D")),
        *("bodies/biobuddy_right_hip", "bodies/biobuddy_static_lower_body"),
        *("bodies/ktk_walkingOptiTrack", "mocap/hdm05/HDM_dg_06-03_03_120"),
    ],
)
def test_real_files_are_read_as_another_reader_does(name):
    ezc3d = pytest.importorskip("ezc3d", reason=NO_EZC3D)
    path = shared_path(f"data/{name}.c3d")
    content = ezc3d.c3d(str(path))
    places = np.moveaxis(content["data"]["points"][:3], 0, 2)
    found = read_c3d(path, meters_per_unit=1.0).markers
    residuals = content["data"]["meta_points"]["residuals"][0]
    there = np.isfinite(places).all(axis=2) & (places != 0.0).any(axis=2) & ~(residuals < 0.0)
    np.testing.assert_array_equal(found.present, there)
    np.testing.assert_array_equal(found.positions[there], places[there])
    assert found.frames[0] == content["header"]["points"]["first_frame"] + 1
    assert found.frame_rate == content["header"]["points"]["frame_rate"]


def test_analog_values_of_rates_that_divide_only_nearly(tmp_path):
    """1200 Hz beside 60.0001 Hz are 20 values of a channel in a frame, not 19."""
    rates = [(b"RATE", group, struct.pack("<bBfB", 4, 0, hz, 0)) for group, hz in RATES_HZ]
    content = plain_c3d(84, "<", rates)
    struct.pack_into("<H", content, 4, 40)
    struct.pack_into("<H", content, 18, 20)
    assert read_bytes(tmp_path, content + bytes(8192)).positions.shape[1] == 10


RATES_HZ = ((1, 60.0001), (2, 1200.0))
"""Of the group of points and of analog channels."""
