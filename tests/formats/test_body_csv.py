"""Tables of rigid bodies: our own header, and Motive's export."""

from __future__ import annotations

import re

import numpy as np
import pytest

from jointlimits_core.formats.body_csv import BodyCsvError, read_body_csv
from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.formats.registry import ReadRequest
from jointlimits_core.geometry.quaternion import normalize, quaternion_from_axis_angle
from jointlimits_core.io.input import ReadLimits
from jointlimits_core.skeleton_fit.clips import track_findings
from tests.support.marker_examples import plates
from tests.support.shared_data import shared_path

PARTS = ("px", "py", "pz", "qx", "qy", "qz", "qw")
HEADER = "frame,time," + ",".join(f"{body}.{part}" for body in "ab" for part in PARTS)
ROW = "0,0.00,1,2,3,0,0,0,1,4,5,6,0,0,0,1"


def table(tmp_path, *lines, name="take.csv"):
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def check_refusal(path, message, **request):
    with pytest.raises(BodyCsvError, match=message) as caught:
        read_body_csv(path, request=ReadRequest(**request))
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value).partition(path.name)[2]


# --- our own ----------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(("units", "scale"), [("mm", 1000.0), ("m", 1.0), (None, 1.0)])
def test_bodies_are_in_metres_in_any_order_of_columns(tmp_path, separator, units, scale):
    rng = np.random.default_rng(3)
    places, turns = rng.normal(size=(9, 2, 3)), normalize(rng.normal(size=(9, 2, 4)))
    names = [f"hips.{part}" for part in PARTS] + [f"left.leg.{part}" for part in PARTS]
    cells = np.concatenate([places * scale, turns], axis=2).reshape(9, 14)
    order = rng.permutation(14)
    lines = [f"# units: {units}"] if units else []
    lines += ["# frame_rate: 50", "", separator.join(names[index] for index in order)]
    lines += [separator.join(repr(float(value)) for value in row[order]) for row in cells]
    bodies = read_body_csv(table(tmp_path, *lines)).bodies
    assert set(bodies.names) == {"hips", "left.leg"}
    assert bodies.frame_rate == 50.0
    for index, name in enumerate(("hips", "left.leg")):
        body = bodies.index(name)
        np.testing.assert_allclose(bodies.positions[body], places[:, index], atol=1e-12)
        np.testing.assert_allclose(bodies.quaternion(name), turns[:, index], atol=1e-12)


def test_frames_times_and_gaps(tmp_path):
    rows = [
        "10,0.00,1,2,3,0,0,0,1,4,5,6,0,0,0,1",
        "11,0.02,,,,,,,,4,5,6,0,0,0,1",
        "# a remark",
        "12,0.04,1,2,3,0,0,0,1,4,nan,6,0,0,0,1,,",
        "14,0.06,1,2,3,0,0,0,0,4,5,6,0,0,0,1",
    ]
    bodies = read_body_csv(table(tmp_path, HEADER, *rows)).bodies
    assert bodies.frames.tolist() == [10.0, 11.0, 12.0, 13.0, 14.0]
    assert bodies.frame_rate == pytest.approx(50.0)
    # Some programs write four zeros for a body that they lost.
    assert bodies.present.astype(int).tolist() == [[1, 0, 1, 0, 0], [1, 1, 0, 0, 1]]
    # What is missing is reported where a skeleton is fitted, once.
    gaps = {(item.rule, item.joint): item.frame_ranges for item in track_findings(bodies)}
    assert gaps["missing-frames", None] == ((13.0, 13.0),)
    assert gaps["gaps", "a"] == ((11.0, 11.0), (14.0, 14.0))
    assert gaps["gaps", "b"] == ((12.0, 12.0),)


def test_angles_in_degrees_need_no_quaternion(tmp_path):
    header = "a.px,a.py,a.pz,a.rx,a.ry,a.rz"
    path = table(tmp_path, "# frame_rate: 30", "# rotate_order: zyx", header, "0,0,0,90,0,0")
    expected = quaternion_from_axis_angle([1.0, 0.0, 0.0], np.pi / 2)
    found = read_body_csv(path).bodies.quaternion("a")[0]
    np.testing.assert_allclose(np.abs(found @ expected), 1.0, atol=1e-12)


@pytest.mark.parametrize(
    ("lines", "where", "message"),
    [
        ([HEADER, ROW.replace("4,5", "4,five")], ":2:24:", "'five' is not a number"),
        ([HEADER, ROW, ROW.replace("4,5", "inf,5")], ":3:22:", "'inf' is not a finite number"),
        ([HEADER, ROW.replace("4,5", "1_0,5")], ":2:22:", "'1_0' is not a number"),
        ([HEADER, ROW.replace("4,5", "1e999,5")], ":2:22:", "too large"),
        ([HEADER, ROW.replace("4,5", "1 2,5")], ":2:22:", "is not a number"),
        ([HEADER, ROW[:-2]], ":2:33:", "has 15 cells, expected 16 as in the header"),
        ([HEADER, ROW + ",7"], ":2:37:", "has 17 cells, expected 16 as in the header"),
        ([HEADER, ROW, ROW], ":3:", "frame number is missing or not above"),
        ([HEADER, ROW, "1e-320" + ROW[1:]], ":3:", "frame number is missing or not above"),
        ([HEADER, ROW, "1e200" + ROW[1:]], ":3:", "frame number 1e+200 is implausibly large"),
        ([HEADER, ROW.replace("0,0,0,1,4", "0,0,1e200,1,4")], ":2:", "has length inf"),
        ([HEADER, ROW.replace("0,0,0,1,4", "0,0,0,2,4")], ":2:", "rotation of 'a' has length 2"),
        ([HEADER.replace("a.py", "a.px"), ROW], ":1:", "column 'a.px' appears twice"),
        ([HEADER.replace(",a.qw", ""), ROW], ":1:", "has no column a.qw"),
        ([HEADER.replace("a.", "."), ROW], ":1:", "column '.px' has no body name"),
        ([HEADER, ROW, "1" + ROW[1:], "9000001" + ROW[1:]], ":4:", "far more than the 3 rows"),
        ([HEADER.replace("b.py", "b.rx"), ROW], ":1:", "both a quaternion and angles"),
        (["x,y,z", "1,2,3"], ":1:", "is not a known table of bodies"),
        ([HEADER], ":1:", "no frames"),
        (["# units: m"], ":", "has only comments"),
        (["# units: ell", HEADER, ROW], ":", "in or ft, not 'ell'"),
        (["# frame_rate: fast", HEADER, ROW], ":", "'fast' is not a number"),
        (["# frame_rate: -3", HEADER, ROW], ":", "must be finite and above 0, not -3 Hz"),
        (["# rotate_order: abc", HEADER, ROW], ":", "rotate_order must be one of xyz"),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(tmp_path, lines, where, message):
    says_rate = any("frame_rate" in line for line in lines)
    options = {} if says_rate else {"frame_rate": 100.0}
    assert check_refusal(table(tmp_path, *lines), re.escape(message), **options).startswith(where)


def test_without_a_rate_it_says_how_to_give_one(tmp_path):
    header, row = HEADER.replace("frame,time,", ""), ROW.replace("0,0.00,", "")
    path = table(tmp_path, header, row, row)
    check_refusal(path, "frame_rate: 120")
    assert read_body_csv(path, request=ReadRequest(frame_rate=25.0)).bodies.frame_rate == 25.0


def test_times_that_jump_leave_a_gap_and_times_that_stop_are_an_error(tmp_path):
    rows = [f"{i},{time},{ROW.partition(',0.00,')[2]}" for i, time in enumerate((0, 1, 2, 5, 6))]
    bodies = read_body_csv(table(tmp_path, HEADER, *rows)).bodies
    assert bodies.frame_rate == 1.0
    assert bodies.findings == ()
    assert bodies.present[0].tolist() == [True, True, True, False, False, True, True]
    assert bodies.frames.tolist() == [0, 1, 2, 3, 4, 5, 6]
    rows[3] = rows[3].replace("3,5,", "3,2,", 1)
    assert check_refusal(table(tmp_path, HEADER, *rows), "time is missing").startswith(":5:")


def test_more_numbers_than_agreed(tmp_path):
    path = table(tmp_path, HEADER, ROW, ROW.replace("0,0.00", "1,0.01"))
    words = "more than 20 numbers; raise the option max_numbers"
    assert check_refusal(path, words, limits=ReadLimits(max_numbers=20)).startswith(":3:")


def test_a_quote_that_is_never_closed(tmp_path):
    path = table(tmp_path, '"' + HEADER + "," * 200_000, ROW)
    check_refusal(path, "200016 columns, for 22,224 bodies, more than 10,000")


def test_inertial_sensors_have_no_positions_and_this_is_reported(tmp_path):
    path = table(tmp_path, "Timestamp (us),W,X,Y,Z", "917419171,0.87,-0.29,0.14,0.36")
    check_refusal(path, "rotations but no positions")
    path = table(tmp_path, "a.qx,a.qy,a.qz,a.qw", "0,0,0,1")
    check_refusal(path, "rotations but no positions")
    check_refusal(shared_path("data/bodies/imu_lower_body/pelvis_Quaternion.csv"), "no positions")


# --- Motive -----------------------------------------------------------------------------------

TAKE = (
    "Format Version,1.23,Take Name,walk,Capture Frame Rate,120.000000,Export Frame Rate,"
    "60.000000,Rotation Type,Quaternion,Length Units,Millimeters,Coordinate Space,Global"
)
MOTIVE = (
    "",
    ",,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body"
    ",Rigid Body Marker,Rigid Body Marker,Rigid Body Marker,Marker,Marker,Marker",
    ",," + '"Left, Foot",' * 8 + "F:Marker1,F:Marker1,F:Marker1,F:Marker1,F:Marker1,F:Marker1",
    ",,1A,1A,1A,1A,1A,1A,1A,1A,1B,1B,1B,1C,1C,1C",
    ",,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Mean Marker Error"
    ",Position,Position,Position,Position,Position,Position",
    "Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,,X,Y,Z,X,Y,Z",
    "0,0.000000,0,0,0.6,0.8,100,200,300,0.1,1,2,3,4,5,6",
    "1,0.016667,,,,,,,,,,,,4,5,6",
)


def test_motive_rigid_bodies(tmp_path):
    bodies = read_body_csv(table(tmp_path, TAKE, *MOTIVE)).bodies
    assert bodies.names == ("Left, Foot",)
    assert bodies.frame_rate == 60.0
    np.testing.assert_allclose(bodies.positions[0, 0], [0.1, 0.2, 0.3])
    np.testing.assert_allclose(bodies.rotations[0, :, 0], [0.0, 0.0, 0.6, 0.8])
    assert bodies.present.tolist() == [[True, False]]


def test_motive_header_of_version_3_has_a_parent_line_and_names_of_lines(tmp_path):
    lines = [line.replace(",,", ",Type,", 1) if ",Rigid" in line[:8] else line for line in MOTIVE]
    lines.insert(4, ",Parent," + "," * 14)
    bodies = read_body_csv(table(tmp_path, TAKE, *lines)).bodies
    np.testing.assert_allclose(bodies.positions[0, 0], [0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Quaternion", "XYZ", "export it with Rotation Type: Quaternion"),
        ("Global", "Local", "export it with Coordinate Space: Global"),
        ("Millimeters", "Cubits", "'Cubits'"),
    ],
)
def test_motive_settings_that_cannot_be_used(tmp_path, old, new, message):
    check_refusal(table(tmp_path, TAKE.replace(old, new), *MOTIVE), message)


def test_motive_errors_have_a_place(tmp_path):
    broken = [line.replace("300", "3oo") for line in MOTIVE]
    assert check_refusal(table(tmp_path, TAKE, *broken), "'3oo'").startswith(":8:32:")
    check_refusal(table(tmp_path, TAKE, *MOTIVE[:5]), r"Frame,Time \(Seconds\)")
    check_refusal(table(tmp_path, TAKE, *MOTIVE[:6]), "no frames")
    plain = [line.replace("Rigid Body", "Force").replace("Marker", "Plate") for line in MOTIVE]
    check_refusal(table(tmp_path, TAKE, *plain), "no rigid bodies, bones or markers")


def test_a_motive_file_of_markers_alone_becomes_bodies(tmp_path):
    tracks = plates(2, 40)
    names = [name for name in tracks.names for _ in range(3)]
    lines = [
        TAKE.replace("Millimeters", "Meters"),
        "",
        ",," + ",".join(["Marker"] * len(names)),
        ",," + ",".join(names),
        ",," + ",".join(["Position"] * len(names)),
        "Frame,Time (Seconds)," + ",".join("XYZ" * len(tracks.names)),
    ]
    rows = np.moveaxis(tracks.positions, 0, 1).reshape(40, -1)
    lines += [
        f"{index},{index / 60.0}," + ",".join(f"{value:.7f}" for value in row)
        for index, row in enumerate(rows)
    ]
    bodies = read_bodies(table(tmp_path, *lines))
    assert bodies.present.all()
    assert len(bodies) == 2
