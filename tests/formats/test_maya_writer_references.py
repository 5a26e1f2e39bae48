"""Writing into joints of referenced files: reference edits in the scene."""

from __future__ import annotations

import re

import pytest

from jointlimits_core.base.errors import MayaAsciiError
from jointlimits_core.formats.maya_ascii.writer import write_joint_attributes
from jointlimits_core.rig.limit_plan import JointChange
from tests.support.maya_writing import KNEE, lines_added, reasons, write

RIG = """//Maya ASCII 2024 scene
requires maya "2024";
currentUnit -l centimeter -a degree -t film;
createNode joint -n "hip";
\tsetAttr ".t" -type "double3" 0 1 0 ;
createNode joint -n "knee" -p "hip";
\tsetAttr ".mnrl" -type "double3" -360 -360 -360 ;
\tsetAttr ".mxrl" -type "double3" 360 360 360 ;
createNode joint -n "ankle" -p "knee";
\tsetAttr ".mrxe" yes;
createNode joint -n "toe" -p "ankle";
\tsetAttr -l on ".mrxe";
connectAttr "hip.x" "ankle.jty";
"""

SHOT = """//Maya ASCII 2024 scene
file -rdi 1 -ns "rig" -rfn "rigRN" -op "v=0;" -typ "mayaAscii" "C:/elsewhere//rigs/rig.ma";
file -rdi 1 -ns "rig1" -rfn "rig1RN" -op "v=0;" -typ "mayaAscii" "C:/elsewhere//rigs/rig.ma{1}";
file -r -ns "rig" -dr 1 -rfn "rigRN" -op "v=0;" -typ "mayaAscii" "C:/elsewhere//rigs/rig.ma";
file -r -ns "rig1" -dr 1 -rfn "rig1RN" -op "v=0;"
\t\t -typ "mayaAscii" "C:/elsewhere//rigs/rig.ma{1}";
requires maya "2024";
currentUnit -l centimeter -a degree -t film;
createNode reference -n "rigRN";
\trename -uid "1";
\tsetAttr -s 2 ".phl";
\tsetAttr ".phl[1]" 0;
\tsetAttr ".ed" -type "dataReferenceEdits"
\t\t"rigRN"
\t\t"rigRN" 0
\t\t"rigRN" 4
\t\t2 "|rig:hip" "visibility" " 1"
\t\t2 "|rig:hip|rig:knee"
\t\t"rotate" " -type \\"double3\\" 0 0 0"
\t\t7 "objectSet" "rig:set" 1 "|rig:hip"
\t\t5 4 "rigRN" "|rig:hip|rig:knee.rotateX" "rigRN.placeHolderList[1]" "";
\tsetAttr ".ptag" -type "string" "";
lockNode -l 1 ;
createNode reference -n "rig1RN";
\trename -uid "2";
\tsetAttr ".ed" -type "dataReferenceEdits"
\t\t"rig1RN"
\t\t"rig1RN" 0;
lockNode -l 1 ;
createNode animCurveTA -n "curve";
connectAttr "curve.o" "rigRN.phl[1]";
"""


@pytest.fixture
def shot(tmp_path):
    (tmp_path / "rigs").mkdir()
    (tmp_path / "rigs" / "rig.ma").write_text(RIG)
    return tmp_path


def group_of(text, node):
    """Count and lines of the last group of a reference node."""
    record = re.search(
        rf'createNode reference -n "{node}".*?"\.ed" -type "dataReferenceEdits"(.*?)";?;\n',
        text,
        re.S,
    )
    groups = re.split(rf'\s"{node}" (?=\d)', record[1])
    count, _, rest = groups[-1].partition("\n")
    return int(count), rest


def test_reference_edits_are_appended(shot):
    change = JointChange({"rotateX": (-1.5, 140)}, {"jointTypeY": False}, (30, 0, 0))
    report, text = write(shot, SHOT, {"rig:knee": change})
    assert report.skipped == ()
    knee = '\t\t2 "|rig:hip|rig:knee" '
    expected = SHOT.replace('"rigRN" 4\n', '"rigRN" 10\n').replace(
        '"rigRN.placeHolderList[1]" "";\n',
        '"rigRN.placeHolderList[1]" ""\n'
        + knee
        + '"minRotLimit" " -type \\"double3\\" -1.5 -360 -360"\n'
        + knee
        + '"maxRotLimit" " -type \\"double3\\" 140 360 360"\n'
        + knee
        + '"minRotXLimitEnable" " 1"\n'
        + knee
        + '"maxRotXLimitEnable" " 1"\n'
        + knee
        + '"jointTypeY" " 0"\n'
        + knee
        + '"preferredAngle" " -type \\"double3\\" 30 0 0";\n',
    )
    assert text == expected
    report, again = write(shot, text, {"rig:knee": change})
    assert (again, report.unchanged) == (text, ("rig:knee",))


def test_a_second_copy_of_a_reference_has_its_own_record(shot):
    report, text = write(shot, SHOT, {"rig1:hip": JointChange({"rotateZ": (None, 5)})})
    assert report.skipped == ()
    assert lines_added(SHOT, text) == [
        '- \t\t"rig1RN" 0;\n',
        '+ \t\t"rig1RN" 0\n',
        '+ \t\t"rig1RN" 2\n',
        '+ \t\t2 "|rig1:hip" "maxRotLimit" " -type \\"double3\\" 360 360 5"\n',
        '+ \t\t2 "|rig1:hip" "maxRotZLimitEnable" " 1";\n',
    ]
    report, again = write(shot, text, {"rig1:hip": JointChange({"rotateZ": (None, 5)})})
    assert again == text


def test_a_group_without_edits_gets_its_first(shot):
    empty = SHOT.replace('"rig1RN" 0;', '"rig1RN" 0\n\t\t"rig1RN" 0;')
    empty = re.sub(r'\t\t"rigRN" 4\n.*?"";\n', '\t\t"rigRN" 0;\n', empty, flags=re.S)
    change = {"rig:hip": JointChange({"rotateZ": (None, 5)})}
    report, text = write(shot, empty, change)
    assert report.skipped == ()
    assert group_of(text, "rigRN") == (
        2,
        '\t\t2 "|rig:hip" "maxRotLimit" " -type \\"double3\\" 360 360 5"\n'
        '\t\t2 "|rig:hip" "maxRotZLimitEnable" " 1',
    )
    assert write(shot, text, change)[1] == text


def test_existing_edits_are_replaced(shot):
    _, first = write(shot, SHOT, {"rig:knee": JointChange({"rotateX": (-1.5, 140)})})
    first = first.replace('"minRotXLimitEnable" " 1"', '"minRotXLimitEnable" " -k 0 1"')
    change = JointChange({"rotateX": (None, 120), "rotateY": (-3, 3)})
    report, text = write(shot, first, {"rig:knee": change})
    assert text == first
    assert reasons(report) == {("rig:knee", "rotateX", "has limits already")}
    report, text = write(shot, first, {"rig:knee": change}, replace=True)
    assert report.skipped == ()
    count, lines = group_of(text, "rigRN")
    assert count == 10
    assert '"minRotLimit" " -type \\"double3\\" -1.5 -3 -360"' in lines
    assert '"maxRotLimit" " -type \\"double3\\" 120 3 360"' in lines
    assert '"minRotXLimitEnable" " -k 0 0"' in lines
    assert '"maxRotXLimitEnable" " 1"' in lines
    assert lines.count("minRotYLimitEnable") == lines.count("maxRotYLimitEnable") == 1
    assert write(shot, text, {"rig:knee": change})[1] == text


def test_state_of_the_referenced_file_counts(shot):
    change = JointChange({"rotateX": (-1, 1)}, {"jointTypeY": False})
    report, text = write(shot, SHOT, {"rig:ankle": change, "rig:toe": change})
    assert reasons(report) == {
        ("rig:ankle", "rotateX", "has limits already"),
        ("rig:ankle", "jointTypeY", "connected"),
        ("rig:toe", "minRotXLimitEnable", "locked"),
    }
    assert group_of(text, "rigRN")[0] == 5
    report, text = write(shot, SHOT, {"rig:ankle": change}, replace=True)
    # The file itself has minRotXLimitEnable on already.
    assert "minRotXLimitEnable" not in text
    assert group_of(text, "rigRN")[0] == 7


def test_locks_and_connections_of_the_record_count(shot):
    hip = '2 "|rig:hip" "visibility" " 1"'
    for edit, reason in (
        ('2 "|rig:hip" "minRotXLimit" " -l 1 -20"', "locked"),
        ('8 "|rig:hip" "minRotXLimit"', "locked"),
        ('5 4 "rigRN" "|rig:hip.minRotLimit" "rigRN.placeHolderList[2]" ""', "connected"),
        ('5 0 "rigRN" "|rig:toe.x" "|rig:hip.minRotXLimit" "a" "b" ""', "connected"),
    ):
        source = SHOT.replace(hip, edit)
        report, text = write(shot, source, {"rig:hip": JointChange({"rotateX": (-1, 1)})})
        assert text == source
        assert reasons(report) == {("rig:hip", "minRotXLimit", reason)}
    source = SHOT.replace(hip, '5 3 "rigRN" "|rig:hip.minRotLimit" "rigRN.placeHolderList[2]" ""')
    report, _ = write(shot, source, {"rig:hip": JointChange({"rotateX": (-1, 1)})})
    assert report.skipped == ()


def test_joints_that_the_scene_moved_have_their_new_path(shot):
    source = SHOT.replace(
        '2 "|rig:hip" "visibility" " 1"', '0 "|rig:hip" "|group" "-s -r "'
    ).replace('|rig:hip|rig:knee"', '|group|rig:hip|rig:knee"')
    _, text = write(shot, source, {"rig:knee": JointChange({}, {"jointTypeX": False})})
    assert '2 "|group|rig:hip|rig:knee" "jointTypeX" " 0"' in text


def test_references_in_references(tmp_path):
    (tmp_path / "rig.ma").write_text(RIG)
    (tmp_path / "mid.ma").write_text(
        '//Maya ASCII 2024 scene\nfile -rdi 1 -ns "model" -rfn "modelRN" "rig.ma";\n'
        'file -r -ns "model" -dr 1 -rfn "modelRN" "rig.ma";\nrequires maya "2024";\n'
    )
    top = (
        '//Maya ASCII 2024 scene\nfile -rdi 1 -ns "A" -rfn "ARN" -typ "mayaAscii" "mid.ma";\n'
        'file -rdi 2 -ns "model" -rfn "A:modelRN" -typ "mayaAscii" "rig.ma";\n'
        'file -r -ns "A" -dr 1 -rfn "ARN" -typ "mayaAscii" "mid.ma";\nrequires maya "2024";\n'
        'createNode reference -n "ARN";\n\tsetAttr ".ed" -type "dataReferenceEdits" \n\t\t"ARN"\n'
        '\t\t"A:modelRN" 0\n\t\t"ARN" 0;\n'
    )
    change = JointChange({}, {"jointTypeX": False})
    report, text = write(tmp_path, top, {"A:model:knee": change, "A:model:hip": change})
    assert report.skipped == ()
    assert text == top[:-2] + (
        '\n\t\t"A:modelRN" 2\n\t\t2 "|A:model:hip|A:model:knee" "jointTypeX" " 0"\n'
        '\t\t2 "|A:model:hip" "jointTypeX" " 0";\n'
    )
    assert write(tmp_path, text, {"A:model:knee": change})[1] == text


def test_what_the_scenes_between_say_counts(tmp_path):
    """The middle scene moves the joints of the inner one, limits one and locks another."""
    (tmp_path / "rig.ma").write_text(RIG)
    (tmp_path / "mid.ma").write_text(
        '//Maya ASCII 2024 scene\nfile -r -ns "m" -rfn "mRN" -typ "mayaAscii" "rig.ma";\n'
        'requires maya "2024";\ncreateNode transform -n "grp";\ncreateNode reference -n "mRN";\n'
        '\tsetAttr ".ed" -type "dataReferenceEdits" "mRN" "mRN" 0 "mRN" 3\n'
        '\t\t0 "|m:hip" "|grp" "-s -r "\n'
        '\t\t2 "|grp|m:hip" "minRotXLimitEnable" " 1"\n'
        '\t\t2 "|grp|m:hip|m:knee" "jointTypeX" " -l 1";\n'
    )
    top = (
        '//Maya ASCII 2024 scene\nfile -r -ns "A" -rfn "ARN" -typ "mayaAscii" "mid.ma";\n'
        'requires maya "2024";\ncreateNode reference -n "ARN";\n'
        '\tsetAttr ".ed" -type "dataReferenceEdits" "ARN" "A:mRN" 0 "ARN" 0;\n'
    )
    change = JointChange({"rotateX": (-5, 5)}, {"jointTypeX": False})
    report, text = write(tmp_path, top, {"A:m:hip": change, "A:grp|A:m:hip|A:m:knee": change})
    assert reasons(report) == {
        ("A:m:hip", "rotateX", "has limits already"),
        ("A:grp|A:m:hip|A:m:knee", "jointTypeX", "locked"),
    }
    assert text == top[:-2] + (
        '\n\t\t"A:mRN" 5\n\t\t2 "|A:grp|A:m:hip" "jointTypeX" " 0"\n'
        '\t\t2 "|A:grp|A:m:hip|A:m:knee" "minRotLimit" " -type \\"double3\\" -5 -360 -360"\n'
        '\t\t2 "|A:grp|A:m:hip|A:m:knee" "maxRotLimit" " -type \\"double3\\" 5 360 360"\n'
        '\t\t2 "|A:grp|A:m:hip|A:m:knee" "minRotXLimitEnable" " 1"\n'
        '\t\t2 "|A:grp|A:m:hip|A:m:knee" "maxRotXLimitEnable" " 1";\n'
    )


@pytest.mark.thorough
def test_deep_hierarchies_and_many_nodes_of_one_name(tmp_path):
    lines = ['//Maya ASCII 2024 scene\nrequires maya "2024";\ncreateNode joint -n "a";\n']
    lines += ['createNode joint -n "a" -p "a";\n'] * 900
    lines += ['createNode joint -n "end" -p "a";\n']
    change = JointChange({}, {"jointTypeX": False})
    _, text = write(tmp_path, "".join(lines), {"end": change}, may_move=True)
    assert text.endswith('createNode joint -n "end" -p "a";\n\tsetAttr ".jtx" no;\n')


def test_a_reference_node_without_a_record_gets_one(shot):
    source = re.sub(
        r'\tsetAttr "\.ed" -type "dataReferenceEdits"\n\t\t"rig1RN".*?;\n', "", SHOT, flags=re.S
    )
    assert source != SHOT
    change = JointChange({}, {"jointTypeX": False})
    _, text = write(shot, source, {"rig1:knee": change})
    assert (
        '\tsetAttr ".ed" -type "dataReferenceEdits" \n'
        '\t\t"rig1RN"\n\t\t"rig1RN" 0\n\t\t"rig1RN" 1\n'
        '\t\t2 "|rig1:hip|rig1:knee" "jointTypeX" " 0";\n'
    ) in text
    assert write(shot, text, {"rig1:knee": change})[1] == text


def test_references_that_cannot_be_written(shot):
    change = {"rig:knee": JointChange({}, {"jointTypeX": False})}
    locked = SHOT.replace('\tsetAttr ".phl[1]" 0;\n', '\tsetAttr ".lk" yes;\n')
    report, text = write(shot, locked, change)
    assert text == locked
    assert reasons(report) == {("rig:knee", "", "in a locked reference")}
    without = re.sub(r'createNode reference -n "rigRN".*?lockNode -l 1 ;\n', "", SHOT, flags=re.S)
    report, text = write(shot, without, change)
    assert reasons(report) == {("rig:knee", "", "in a missing reference")}
    (shot / "rigs" / "rig.ma").unlink()
    report, text = write(shot, SHOT, {**change, "other:knee": JointChange()})
    assert text == SHOT
    assert reasons(report) == {
        ("rig:knee", "", "in a missing reference"),
        ("other:knee", "", "not in scene"),
    }
    (shot / "rigs" / "rig.ma").write_text("not a scene")
    report, _ = write(shot, SHOT, change)
    assert reasons(report) == {("rig:knee", "", "in a missing reference")}
    assert "rig.ma" in report.skipped[0].advice


def test_referenced_files_are_never_written_over(shot):
    (shot / "shot.ma").write_text(SHOT)
    with pytest.raises(MayaAsciiError, match="references"):
        write_joint_attributes(shot / "shot.ma", shot / "rigs" / "rig.ma", {})
    assert (shot / "rigs" / "rig.ma").read_text() == RIG


def test_a_file_that_references_itself_ends(tmp_path):
    source = (
        '//Maya ASCII 2024 scene\nfile -r -ns "a" -rfn "aRN" -typ "mayaAscii" "scene.ma";\n'
        'file -r -ns "b" -rfn "bRN" -typ "mayaAscii" "scene.ma";\nrequires maya "2024";\n'
        'createNode joint -n "hip";\n'
    )
    report, text = write(tmp_path, source, {"a:knee": KNEE})
    assert text == source
    assert len(report.skipped) == 1


@pytest.mark.parametrize(
    "record",
    [
        '"rigRN" "rigRN"',
        '"rigRN" "rigRN" 0 "rigRN" 5 2 "|rig:hip" "visibility" " 1"',
        '"rigRN" 7 8 9',
        '"rigRN" "rigRN" 999999999999 2 "a"',
        '"rigRN" "rigRN" 1 2',
        "",
    ],
)
def test_broken_records_give_named_errors(shot, record):
    broken = re.sub(
        r'("\.ed" -type "dataReferenceEdits").*?;\n\tsetAttr "\.ptag"',
        rf'\1 {record};\n\tsetAttr ".ptag"',
        SHOT,
        count=1,
        flags=re.S,
    )
    assert broken != SHOT
    with pytest.raises(MayaAsciiError) as caught:
        write(shot, broken, {"rig:knee": KNEE})
    assert caught.value.line is not None
    assert not (shot / "out.ma").exists()


def test_an_edit_of_one_axis_is_replaced_in_place(shot):
    hip = '2 "|rig:hip" "visibility" " 1"'
    source = SHOT.replace(hip, '2 "|rig:hip" "minRotXLimit" " -20"')
    _, text = write(shot, source, {"rig:hip": JointChange({"rotateX": (-1.5, None)})})
    assert '2 "|rig:hip" "minRotXLimit" " -1.5"\n' in text
