"""Joint attributes that are written into scenes, and everything that must not change."""

from __future__ import annotations

import math
import re

import pytest

from jointlimits_core.base.errors import MayaAsciiError
from jointlimits_core.formats.maya_ascii.writer import (
    apply_limit_set,
    reject_all_skipped,
    reject_target,
    write_joint_attributes,
)
from jointlimits_core.rig.limit_plan import JointChange, Skipped
from tests.support.layered_sets import one_joint
from tests.support.maya_writing import (
    KNEE,
    SCENE,
    block,
    lines_added,
    reasons,
    switch,
    triple,
    write,
)


def test_no_change_is_a_copy(tmp_path):
    report, text = write(tmp_path, SCENE, {})
    assert text == SCENE
    assert report.written == {}
    assert report.skipped == ()
    assert report.out_path == str(tmp_path / "out.ma")


def test_new_lines_go_behind_the_last_attribute(tmp_path):
    change = JointChange(
        limits_deg={"rotateX": (-10.5, 140.0), "rotateZ": (None, 0.1)},
        joint_type={"jointTypeX": True, "jointTypeY": False, "jointTypeZ": True},
        preferred_angle_deg=(0.0, 45.25, -1e-7),
    )
    report, text = write(tmp_path, SCENE, {"shoulder": change})
    expected = (
        '\tsetAttr ".radi" 0.5;\n'
        '\tsetAttr ".mnrl" -type "double3" -10.5 -360 -360 ;\n'
        '\tsetAttr ".mxrl" -type "double3" 140 360 0.1 ;\n'
        '\tsetAttr ".mrxe" yes;\n'
        '\tsetAttr ".xrxe" yes;\n'
        '\tsetAttr ".xrze" yes;\n'
        '\tsetAttr ".jty" no;\n'
        '\tsetAttr ".pa" -type "double3" 0 45.25 -1e-07 ;\n'
    )
    assert text == SCENE.replace('\tsetAttr ".radi" 0.5;\n', expected, 1)
    assert report.written["shoulder"] == (
        "minRotXLimit",
        "maxRotXLimit",
        "maxRotZLimit",
        "minRotXLimitEnable",
        "maxRotXLimitEnable",
        "maxRotZLimitEnable",
        "jointTypeY",
        "preferredAngleY",
        "preferredAngleZ",
    )


def test_compounds_are_replaced_in_place(tmp_path):
    _, text = write(tmp_path, SCENE, {"elbow": KNEE})
    expected = SCENE.replace('"double3" -360 -360 -360 ;', '"double3" -10.5 -360 -360 ;').replace(
        '"double3" 360 360 360 ;\n\tsetAttr ".radi" 0.5;\n',
        (
            '"double3" 140 360 360 ;\n\tsetAttr ".radi" 0.5;\n'
            '\tsetAttr ".mrxe" yes;\n\tsetAttr ".xrxe" yes;\n'
        ),
    )
    assert text == expected


def test_a_joint_without_attributes_gets_its_first(tmp_path):
    _, text = write(tmp_path, SCENE, {"wrist": KNEE})
    assert '-p "elbow";\n\tsetAttr ".mnrl" -type "double3" -10.5 -360 -360 ;\n' in text
    assert text.replace(block(text, "wrist"), block(SCENE, "wrist")) == SCENE


@pytest.mark.parametrize("replace", [False, True])
def test_applying_twice_changes_nothing_more(tmp_path, replace):
    change = JointChange({"rotateX": (-1 / 3, math.pi)}, {"jointTypeZ": False}, (0.1, 0.0, 0.7))
    first, text = write(tmp_path, SCENE, {"shoulder": change, "elbow": KNEE, "wrist": KNEE})
    assert len(first.written) == 3
    second, again = write(
        tmp_path, text, {"shoulder": change, "elbow": KNEE, "wrist": KNEE}, replace=replace
    )
    assert again == text
    assert second.written == {}
    assert second.skipped == ()
    assert second.unchanged == ("shoulder", "elbow", "wrist")


def test_numbers_read_back_exactly(tmp_path):
    values = (-0.1 - 0.2, 179.99999999999997)
    _, text = write(tmp_path, SCENE, {"elbow": JointChange({"rotateY": values})})
    assert triple(text, "elbow", "mnrl", "")[1] == values[0]
    assert triple(text, "elbow", "mxrl", "")[1] == values[1]


def test_radians_in_files_that_count_in_radians(tmp_path):
    for unit in ("radian", "rad"):
        source = SCENE.replace("-a degree", f"-a {unit}").replace("360", repr(2 * math.pi))
        change = JointChange({"rotateX": (-10.5, 140.0)}, None, (0.0, 30.0, 0.0))
        _, text = write(tmp_path, source, {"elbow": change})
        low = [math.degrees(value) for value in triple(text, "elbow", "mnrl", "")]
        assert low == pytest.approx([-10.5, -360.0, -360.0], abs=1e-9)
        assert math.degrees(triple(text, "elbow", "pa", "")[1]) == pytest.approx(30.0, abs=1e-9)
        report, again = write(tmp_path, text, {"elbow": change})
        assert (again, report.unchanged) == (text, ("elbow",))


def test_line_ends_tabs_and_odd_bytes_stay(tmp_path):
    raw = SCENE.replace("\n", "\r\n").replace("\tsetAttr", "    setAttr").encode("utf-8")
    raw = raw.replace(b"arm.ma", b"arm \xff\xfe.ma")
    scene, out = tmp_path / "a.ma", tmp_path / "b.ma"
    scene.write_bytes(raw)
    write_joint_attributes(scene, out, {"elbow": KNEE})
    written = out.read_bytes()
    assert written.count(b"\n") == written.count(b"\r\n") == raw.count(b"\n") + 2
    assert b'\r\n    setAttr ".mrxe" yes;\r\n    setAttr ".xrxe" yes;\r\n' in written
    kept = [line for line in raw.split(b"\r\n") if b"mnrl" not in line and b"mxrl" not in line]
    assert all(line in written.split(b"\r\n") for line in kept)


def test_long_names_in_files_that_use_them(tmp_path):
    source = """//Maya ASCII 2022 scene
requires maya "2022";
createNode joint -name "hip";
\tsetAttr ".translate" -type "double3" 0 1 0;
\tsetAttr ".minRotLimit" -type "double3" -360 -360 -360;
createNode joint -name "knee" -parent "hip";
\tsetAttr ".rotate" -type "double3" 0 1 0;
"""
    change = JointChange({"rotateX": (0.0, 90.0)}, {"jointTypeY": False}, (1.0, 0.0, 0.0))
    _, text = write(tmp_path, source, {"hip": change, "knee": change})
    for joint in ("hip", "knee"):
        assert triple(text, joint, "-", "minRotLimit") == [0, -360, -360]
        assert triple(text, joint, "-", "maxRotLimit") == [90, 360, 360]
        assert triple(text, joint, "-", "preferredAngle") == [1, 0, 0]
        assert switch(text, joint, "minRotXLimitEnable") == "yes"
        assert switch(text, joint, "jointTypeY") == "no"
    assert ".mrxe" not in text
    assert write(tmp_path, text, {"hip": change, "knee": change})[1] == text


def joint_with(*lines):
    body = "".join(f"\t{line}\n" for line in lines)
    return f'//Maya ASCII 2024 scene\nrequires maya "2024";\ncreateNode joint -n "hip";\n{body}'


def test_single_axes_and_switches_are_replaced_in_place(tmp_path):
    source = joint_with(
        'setAttr ".mrxl" -20;',
        'setAttr -k on ".xrxl" 20;',
        'setAttr -k on ".mrxe" no;',
        'setAttr ".jtx" no;',
        'setAttr ".pay" 5;',
    )
    change = JointChange(
        {"rotateX": (-30, 30), "rotateY": (-1, 1)}, {"jointTypeX": True}, (0, 6, 0)
    )
    _, text = write(tmp_path, source, {"hip": change})
    assert text == joint_with(
        'setAttr ".mrxl" -30;',
        'setAttr -k on ".xrxl" 30;',
        'setAttr -k on ".mrxe" yes;',
        'setAttr ".jtx" yes;',
        'setAttr ".pay" 6;',
        'setAttr ".mryl" -1;',
        'setAttr ".xryl" 1;',
        'setAttr ".mrye" yes;',
        'setAttr ".xrxe" yes;',
        'setAttr ".xrye" yes;',
    )


def test_the_later_of_compound_and_axis_counts(tmp_path):
    source = joint_with('setAttr ".mnrl" -type "double3" -1 -2 -3 ;', 'setAttr ".mrxl" -20;')
    _, text = write(tmp_path, source, {"hip": JointChange({"rotateX": (-5, None)})})
    assert text == joint_with(
        'setAttr ".mnrl" -type "double3" -5 -2 -3 ;', 'setAttr ".mrxl" -5;', 'setAttr ".mrxe" yes;'
    )


LIMITED = joint_with(
    'setAttr ".mnrl" -type "double3" -20 -45 -45 ;',
    'setAttr ".mxrl" -type "double3" 20 45 45 ;',
    'setAttr ".mrxe" yes;',
    'setAttr ".xrxe" yes;',
)


def test_existing_limits_are_left_without_replace(tmp_path):
    change = JointChange({"rotateX": (-5, 5), "rotateY": (-6, 6)}, {"jointTypeZ": False})
    report, text = write(tmp_path, LIMITED, {"hip": change})
    assert text == LIMITED + '\tsetAttr ".jtz" no;\n'
    assert reasons(report) == {("hip", "rotateX", "has limits already")}
    assert "--replace" in report.skipped[0].advice


def test_existing_limits_are_replaced_when_asked(tmp_path):
    change = JointChange({"rotateX": (-5, None), "rotateY": (None, 6)})
    report, text = write(tmp_path, LIMITED, {"hip": change}, replace=True)
    assert text == joint_with(
        'setAttr ".mnrl" -type "double3" -5 -45 -45 ;',
        'setAttr ".mxrl" -type "double3" 20 6 45 ;',
        'setAttr ".mrxe" yes;',
        'setAttr ".xrxe" no;',
        'setAttr ".xrye" yes;',
    )
    assert report.skipped == ()


LEFT = JointChange({"rotateX": (-5, 5)})


@pytest.mark.parametrize(
    ("lines", "change", "added", "plugs"),
    [
        (['-l on ".mnrl"'], LEFT, [], ["minRotXLimit"]),
        (['-lock true ".minRotLimit" -type "double3" -1 -1 -1 '], LEFT, [], ["minRotXLimit"]),
        (['-l on ".mrxl"'], LEFT, [], ["minRotXLimit"]),
        (['-k off -l on ".mrxe" no'], LEFT, [], ["minRotXLimitEnable"]),
        (['-l on ".xrle"'], LEFT, [], ["maxRotXLimitEnable"]),
        (
            # The compound must not be set any more: one of its children is locked.
            ['-l on ".mrxl"'],
            JointChange({"rotateX": (-5, 5), "rotateY": (-6, 6)}),
            ['".mryl" -6', '".mxrl" -type "double3" 360 6 360 ', '".mrye" yes', '".xrye" yes'],
            ["minRotXLimit"],
        ),
        (
            ['-l on ".jty"', '-l on ".pa"'],
            JointChange({}, {"jointTypeX": False, "jointTypeY": False}, (1, 0, 0)),
            ['".jtx" no'],
            ["jointTypeY", "preferredAngleX"],
        ),
    ],
)
def test_what_is_locked_is_left(tmp_path, lines, change, added, plugs):
    source = joint_with(*(f"setAttr {line};" for line in lines))
    report, text = write(tmp_path, source, {"hip": change})
    assert text == source + "".join(f"\tsetAttr {line};\n" for line in added)
    assert reasons(report) == {("hip", plug, "locked") for plug in plugs}


@pytest.mark.parametrize(
    "plug", ["hip.mrxl", "hip.minRotXLimit", "|hip.mnrl", "hip.mnrl.mrxl", "|hip.minRotLimit"]
)
def test_connected_channels_are_left(tmp_path, plug):
    source = joint_with('setAttr ".radi" 1;') + f'connectAttr "ctl.x" "{plug}" -l on;\n'
    change = JointChange({"rotateX": (-5, 5)}, {"jointTypeX": False})
    report, text = write(tmp_path, source, {"hip": change})
    assert lines_added(source, text) == ['+ \tsetAttr ".jtx" no;\n']
    assert reasons(report) == {("hip", "minRotXLimit", "connected")}


def test_attributes_set_by_name_outside_the_block(tmp_path):
    source = (
        joint_with('setAttr ".radi" 1;') + 'setAttr "hip.mrxl" -5;\nsetAttr -l on "|hip.xrxe";\n'
    )
    change = JointChange({"rotateX": (-6, None)})
    _, text = write(tmp_path, source, {"hip": change})
    assert 'setAttr "hip.mrxl" -6;' in text
    report, _ = write(tmp_path, source, {"hip": JointChange({"rotateX": (-6, 6)})})
    assert reasons(report) == {("hip", "maxRotXLimitEnable", "locked")}


def test_repeated_names_need_paths(tmp_path):
    source = """//Maya ASCII 2024 scene
requires maya "2024";
createNode transform -n "left";
createNode joint -n "hip" -p "left";
\tsetAttr ".t" -type "double3" 1 0 0 ;
createNode transform -n "right";
createNode joint -n "hip" -p "right";
\tsetAttr ".t" -type "double3" 2 0 0 ;
createNode joint -n "knee" -p "|right|hip";
\tsetAttr ".t" -type "double3" 3 0 0 ;
"""
    report, text = write(tmp_path, source, {"hip": KNEE, "toe": KNEE})
    assert text == source
    assert reasons(report) == {("hip", "", "name is ambiguous"), ("toe", "", "not in scene")}
    assert "use a full path, such as |right|hip" in {one.advice for one in report.skipped}
    for name in ("|right|hip", "right|hip"):
        _, text = write(tmp_path, source, {name: KNEE})
        changed = text.replace(' 2 0 0 ;\n\tsetAttr ".mnrl"', "")
        assert changed != text
    report, text = write(tmp_path, source, {"knee": KNEE, "|right|hip|knee": KNEE})
    assert reasons(report) == {("|right|hip|knee", "", "named twice")}
    assert text.count(".mrxe") == 1


def test_namespaces_of_a_scene_are_part_of_the_name(tmp_path):
    source = joint_with('setAttr ".radi" 1;').replace('"hip"', '"rig:hip"')
    report, text = write(tmp_path, source, {"rig:hip": KNEE, "hip": KNEE})
    assert "rig:hip" in report.written
    assert reasons(report) == {("hip", "", "not in scene")}
    assert text.count(".mrxe") == 1


def test_statements_that_share_a_line_and_comments(tmp_path):
    source = (
        '//Maya ASCII 2024 scene\nrequires maya "2024";\n'
        'createNode joint -n "a"; setAttr ".t" -type "double3" 0 0 0 ; // note\n'
        'createNode joint -n "b"; /* c */ createNode joint -n "c";\n'
    )
    _, text = write(tmp_path, source, {"a": KNEE, "b": KNEE, "c": KNEE})
    assert text.startswith(source[: source.index("// note") + len("// note\n")])
    for joint in "abc":
        assert len(re.findall(rf'-n "{joint}"', text)) == 1
    report, again = write(tmp_path, text, {"a": KNEE, "b": KNEE, "c": KNEE})
    assert (again, set(report.unchanged)) == (text, set("abc"))


def test_a_last_statement_without_a_line_end(tmp_path):
    source = joint_with('setAttr ".radi" 1;').rstrip("\n")
    _, text = write(tmp_path, source, {"hip": JointChange({}, {"jointTypeX": False})})
    assert text == source + '\n\tsetAttr ".jtx" no;'


@pytest.mark.parametrize(
    "change",
    [
        JointChange({"rotateX": (5.0, -5.0)}),
        JointChange({"rotateX": (float("nan"), 5.0)}),
        JointChange({"rotateX": (None, float("inf"))}),
        JointChange({"rotateW": (0.0, 1.0)}),
        JointChange({}, {"jointTypeW": True}),
        JointChange({}, None, (0.0, 0.0, float("nan"))),
        JointChange({}, None, (0.0, 0.0)),  # type: ignore[arg-type]
    ],
)
def test_senseless_changes_are_refused(tmp_path, change):
    with pytest.raises(ValueError, match="'hip'"):
        write(tmp_path, LIMITED, {"hip": change})
    assert not (tmp_path / "out.ma").exists()


def test_broken_numbers_in_a_scene_are_replaced(tmp_path):
    source = joint_with('setAttr ".mnrl" -type "double3" -1.#IND 0 0 ;')
    _, text = write(tmp_path, source, {"hip": JointChange({"rotateY": (-5, None)})})
    assert triple(text, "hip", "mnrl", "") == [-360, -5, 0]


def test_nothing_is_written_where_every_joint_is_skipped(tmp_path):
    scene, out = tmp_path / "scene.ma", tmp_path / "out.ma"
    scene.write_text(SCENE)
    with pytest.raises(MayaAsciiError, match="none of the limits can be written"):
        apply_limit_set(one_joint("tail"), scene, out)
    assert not out.exists()


def test_the_most_common_reason_is_reported_with_its_joints():
    locked = [Skipped(name, "", "locked", "unlock it") for name in ("hip", "knee", "hip")]
    with pytest.raises(MayaAsciiError) as all_of_two:
        reject_all_skipped("a.ma", [Skipped("toe", "", "missing", ""), *locked])
    assert str(all_of_two.value).endswith("written: locked (2 joints, hip ...); unlock it")
    with pytest.raises(MayaAsciiError) as one:
        reject_all_skipped("a.ma", [Skipped("toe", "", "missing", "")])
    assert str(one.value).endswith("written: missing (toe)")


@pytest.mark.parametrize(("inputs", "ending"), [(["a.xml", "b.ma"], ".xml"), ([], ".ma")])
def test_a_directory_is_no_target(tmp_path, inputs, ending):
    with pytest.raises(MayaAsciiError, match=f"give the path of a new {ending} file"):
        reject_target(str(tmp_path), inputs, "the scene itself")


def test_indentation_at_the_start_of_a_file(tmp_path):
    text = '//Maya ASCII 2024 scene\ncreateNode joint -n "a";\n    setAttr ".radi" 1;\n'
    _, found = write(tmp_path, text, {"a": JointChange(limits_deg={"rotateX": (None, 9.0)})})
    assert [line[:12] for line in found[len(text) :].splitlines()] == ["    setAttr "] * 2
