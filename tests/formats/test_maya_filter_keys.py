"""Filtered keys in copies of scenes: poses by the stand-in, which reads the copies by itself."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from jointlimits_core import api
from jointlimits_core.cli.main import main
from jointlimits_core.formats.maya_ascii.filter_keys import filter_scene_keys
from jointlimits_core.formats.maya_ascii.writer import write_joint_attributes
from jointlimits_core.rig.curves import AnimCurve
from tests.maya_standin import Session, ma_reader
from tests.support.flipped_keys import FPS, Rig, dense_times, is_listed, rotation
from tests.support.page_streams import content_of, pieces, words_of

ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
HEAD = """//Maya ASCII 2024 scene
requires maya "2024";
currentUnit -l centimeter -a {angle} -t film;
createNode joint -n "hips";
createNode joint -n "knee" -p "hips";
	setAttr ".ro" {order};
"""
FLIP = """createNode animCurveTA -n "knee_rotateX";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 6 ".ktv[0:3]"  1 10.5 2 20
		3 30 4 220.25;
	setAttr ".ktv[4:5]"  5 230 6 55;
createNode animCurveTA -n "knee_rotateY";
	setAttr ".tan" 1;
	setAttr ".wgt" no;
	setAttr -s 6 ".keyTimeValue[0:5]"  1 1 2 2 3 3 4 176 5 175 6 6;
	setAttr -s 6 ".kit[3:5]"  2 1 2;
	setAttr -s 6 ".kix[0:5]"  1 1 1 1 1 1;
	setAttr -s 6 ".kiy[0:5]"  0 0 0 0 0.25 0;
	setAttr -s 6 ".koy[3:4]"  -0.5 0.125;
	setAttr -s 6 ".kox[3:4]"  1 1;
createNode animCurveTA -n "knee_rotateZ";
	setAttr ".tan" 18;
	setAttr -s 6 ".ktv[0:5]"  1 0 2 1 3 2 4 183 5 184 6 5;
	setAttr -s 6 ".kot[3:5]"  5 18 18;
"""
LINKS = "".join(f'connectAttr "knee_rotate{axis}.o" "knee.r{axis.lower()}";\n' for axis in "XYZ")


def scene(tmp_path, text, name="walk.ma"):
    path = tmp_path / name
    path.write_text(text)
    return path


def flipped_scene(tmp_path, curves=FLIP, links=LINKS, angle="degree", order=0):
    return scene(tmp_path, HEAD.format(angle=angle, order=order) + curves + links)


def apply_limits(path, tmp_path, **options):
    """Limits of a scene written into its copy; the report and the copy."""
    limits, out = api.estimate(path), tmp_path / "copy.ma"
    return api.apply(limits, path, out, filter_keys=True, **options), out


def rotates(path):
    """Rotate channels of the knee as the stand-in reads them."""
    opened = ma_reader.open_scene(Session(), str(path))
    knee, found = opened.node("knee"), []
    for axis in "XYZ":
        plug = opened.plug(f"knee.rotate{axis}")
        source = opened.connections.get(plug)
        found.append(opened.evaluator.get(plug) if source is None else source.node.keys)
    return found, ORDERS[opened.evaluator.get(opened.plug_of(knee, "rotateOrder"))]


def changed_times(before, after, times):
    (old, order), (new, _) = rotates(before), rotates(after)
    off = [np.abs(rotation(old, order, t) - rotation(new, order, t)).max() for t in times]
    return [time for time, size in zip(times, off) if size > 1e-9]


def test_only_the_numbers_that_change_are_edited(tmp_path):
    path = flipped_scene(tmp_path)
    found = filter_scene_keys(path, ["knee"])
    text, shift = path.read_text(), 0
    for edit in sorted(found.edits):
        new = edit.text.decode()
        text = text[: edit.start + shift] + new + text[edit.end + shift :]
        shift += len(new) - (edit.end - edit.start)
    expected = FLIP
    for old, new in (
        ("3 30 4 220.25;", "3 30 4 40.25;"),
        ("5 230 6 55;", "5 50 6 55;"),
        ("4 176 5 175 6 6;", "4 4 5 5 6 6;"),
        ('".kiy[0:5]"  0 0 0 0 0.25 0;', '".kiy[0:5]"  0 0 0 0 -0.25 0;'),
        ("-0.5 0.125;", "0.5 0.125;"),
        (
            '".kox[3:4]"  1 1;\n',
            '".kox[3:4]"  1 1;\n\tsetAttr ".kot[2]" 2;\n\tsetAttr ".kot[4]" 2;\n',
        ),
        ("4 183 5 184 6 5;", "4 3 5 4 6 5;"),
    ):
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
    start = text.index("createNode animCurveTA")
    assert text[start:].startswith(expected.split('\tsetAttr ".tan" 18;')[0])
    assert '	setAttr -s 6 ".ktv[0:5]"  1 0 2 1 3 2 4 3 5 4 6 5;\n' in text
    assert text.endswith(LINKS)


def test_copy_moves_between_runs_only(tmp_path):
    path = flipped_scene(tmp_path)
    report, out = apply_limits(path, tmp_path)
    joint = report.filtered.joints["knee"]
    assert [(one.start, one.end) for one in joint.changed] == [(2, 3), (3, 4), (5, 6)]
    times = np.linspace(-1, 9, 700) / FPS
    moved = changed_times(path, out, times.tolist())
    assert moved
    assert all(is_listed(joint)(time) for time in moved)


@pytest.mark.parametrize("angle", ["degree", "radian"])
@pytest.mark.parametrize("order", [0, 4])
def test_units_and_orders(tmp_path, angle, order):
    middle = "XYZXYX"[0] if order == 4 else "Y"
    unit = 1.0 if angle == "degree" else math.pi / 180.0
    curves = ""
    for axis in "XYZ":
        flip = [150, 140] if axis == middle else [210, 220]
        numbers = " ".join(f"{t} {v * unit!r}" for t, v in zip((1, 2, 3, 4), [10, 20, *flip]))
        curves += f'createNode animCurveTA -n "knee_rotate{axis}";\n\tsetAttr ".tan" 2;\n'
        curves += f'\tsetAttr -s 4 ".ktv[0:3]"  {numbers};\n'
    report, out = apply_limits(flipped_scene(tmp_path, curves, angle=angle, order=order), tmp_path)
    assert list(report.filtered.joints) == ["knee"]
    for keys in rotates(out)[0]:
        assert np.degrees(keys.values) == pytest.approx([10, 20, 30, 40], abs=1e-10)


# Refused by name


def reasons(path, **options):
    plan = filter_scene_keys(path, ["knee"], **options).plan
    assert plan.joints == {}
    return [(one.joint, one.reason) for one in plan.refused]


def test_shared_curve_is_refused(tmp_path):
    links = LINKS.replace("knee_rotateZ.o", "knee_rotateX.o")
    expected = "several channels share the curve 'knee_rotateX'"
    assert reasons(flipped_scene(tmp_path, links=links)) == [("knee", expected)]
    links = LINKS + 'connectAttr "knee_rotateX.o" "hips.rx";\n'
    expected = "its curve also drives 'hips.rx'"
    assert reasons(flipped_scene(tmp_path, links=links)) == [("knee", expected)]


def test_layer_and_driven_keys_are_refused(tmp_path):
    layer = 'createNode animBlendNodeAdditiveRotation -n "blend";\n'
    links = 'connectAttr "knee_rotateX.o" "blend.iax";\nconnectAttr "blend.ox" "knee.rx";\n'
    path = flipped_scene(tmp_path, FLIP + layer, links + LINKS.split("\n", 1)[1])
    ((_, why),) = reasons(path)
    assert why == "layered: rotateX comes from 'blend' (animBlendNodeAdditiveRotation)"
    driven = FLIP.replace('animCurveTA -n "knee_rotateX"', 'animCurveUA -n "knee_rotateX"')
    path = flipped_scene(tmp_path, driven, LINKS + 'connectAttr "hips.rx" "knee_rotateX.i";\n')
    assert reasons(path) == [("knee", "rotateX is driven by 'knee_rotateX' (driven keys)")]


def test_layer_without_flips_is_no_matter(tmp_path):
    plain = FLIP.replace("220.25", "40").replace("5 230", "5 50")
    plain = plain.replace("4 176 5 175", "4 4 5 5").replace("4 183 5 184", "4 3 5 4")
    layer = 'createNode animBlendNodeAdditiveRotation -n "blend";\n'
    links = 'connectAttr "knee_rotateX.o" "blend.iax";\nconnectAttr "blend.ox" "knee.rx";\n'
    assert reasons(flipped_scene(tmp_path, plain + layer, links + LINKS.split("\n", 1)[1])) == []


BROKEN = "the curve 'knee_rotateZ' has two keys at one time, or keys that are not numbers"
TAN = '".tan" 18;'


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (TAN, f'{TAN}\n\tsetAttr ".pst" 4;', "rotateZ cycles with offset beyond its keys"),
        (
            TAN,
            f'{TAN}\n\tsetAttr ".roti" 4;',
            "the curve 'knee_rotateZ' is interpolated as quaternions",
        ),
        (TAN, f'{TAN}\n\tsetAttr -l on ".ktv";', "the curve 'knee_rotateZ' is locked"),
        ("4 183 5 184", "4 183 4 184", BROKEN),
        ("1 0 2 1 3 2", "1 0 2 nan 3 2", BROKEN),
    ],
)
def test_curves_that_cannot_be_rewritten(tmp_path, old, new, why):
    assert FLIP.count(old) == 1
    assert reasons(flipped_scene(tmp_path, FLIP.replace(old, new))) == [("knee", why)]


def test_driven_rotate_order_is_refused(tmp_path):
    links = LINKS + 'connectAttr "hips.ro" "knee.ro";\n'
    expected = "its rotateOrder is driven, and branches depend on it"
    assert reasons(flipped_scene(tmp_path, links=links)) == [("knee", expected)]


def test_keys_in_a_referenced_file_are_refused(tmp_path):
    flipped_scene(tmp_path)
    top = scene(
        tmp_path,
        '//Maya ASCII 2024 scene\nfile -r -ns "a" -rfn "aRN" -typ "mayaAscii" "walk.ma";\n'
        'requires maya "2024";\ncurrentUnit -l centimeter -a degree -t film;\n'
        'createNode reference -n "aRN";\n',
        "shot.ma",
    )
    ((one,),) = [filter_scene_keys(top, ["a:knee"]).plan.refused]
    assert one.joint == "a:knee"
    assert one.reason.startswith("the curve 'a:knee_rotateX' is not in this file")


def test_keys_of_a_shot_with_a_referenced_rig(tmp_path):
    scene(tmp_path, HEAD.format(angle="degree", order=0), "rig.ma")
    edits = "".join(
        f'\t\t5 4 "aRN" "|a:hips|a:knee.rotate{axis}" "aRN.placeHolderList[{place}]" ""\n'
        for place, axis in enumerate("XYZ", start=1)
    )
    links = "".join(
        f'connectAttr "knee_rotate{axis}.o" "aRN.phl[{place}]";\n'
        for place, axis in enumerate("XYZ", start=1)
    )
    text = (
        '//Maya ASCII 2024 scene\nfile -r -ns "a" -rfn "aRN" -typ "mayaAscii" "rig.ma";\n'
        'requires maya "2024";\ncurrentUnit -l centimeter -a degree -t film;\n'
        'createNode reference -n "aRN";\n\tsetAttr -s 3 ".phl";\n'
        '\tsetAttr ".phl[1]" 0;\n\tsetAttr ".phl[2]" 0;\n\tsetAttr ".phl[3]" 0;\n'
        '\tsetAttr ".ed" -type "dataReferenceEdits" \n\t\t"aRN"\n\t\t"aRN" 3\n'
        f"{edits.rstrip()};\n"
    )
    top = scene(tmp_path, text + FLIP + links, "shot.ma")
    found = filter_scene_keys(top, ["a:knee"])
    assert found.plan.refused == []
    assert found.plan.joints["a:knee"].changes.keys == 6
    assert b"40.25" in [edit.text for edit in found.edits]


def test_the_page_begins_with_what_was_left_off(tmp_path, capsys):
    """In the words of the terminal, with the joint's place on the page."""
    source, out = flipped_scene(tmp_path), tmp_path / "out"
    assert main(["estimate", str(source), "--apply", "--report", "--out", str(out)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    page = content_of((out / "walk.limits.html").read_text(encoding="utf-8"))
    (listed,) = pieces(page, "review")
    counts, entries = listed["in"][0]["in"], listed["in"][1]["in"]
    assert counts in printed
    assert words_of(entries[0]).startswith("knee : rotateX, rotateY, rotateZ got no limits in walk")
    assert words_of(entries[0][1:]).replace(" .", ".").replace(". .", ".") in printed
    # A page is written even where a copy is not, as the limits are.
    (out / "walk.limits.html").unlink()
    (out / "walk.limits.ma").unlink()
    (out / "walk.limits.ma").mkdir()
    assert main(["estimate", str(source), "--apply", "--report", "--out", str(out)]) == 1
    page = words_of(content_of((out / "walk.limits.html").read_text(encoding="utf-8")))
    assert "1 joint measured, nothing to look at" in page
    assert "got no limits" not in page


def test_limits_that_are_on_must_not_clamp_the_new_keys(tmp_path):
    def limited_scene(low):
        order = '\tsetAttr ".ro" 0;\n'
        on = f'\tsetAttr ".mrxe" yes;\n\tsetAttr ".mnrl" -type "double3" {low} 0 0 ;\n'
        return scene(tmp_path, flipped_scene(tmp_path).read_text().replace(order, order + on))

    expected = ("knee", "its limits on rotateX are on, and would clamp the new keys")
    assert reasons(limited_scene(41)) == [expected]
    assert list(filter_scene_keys(limited_scene(10), ["knee"]).plan.joints) == ["knee"]
    found = filter_scene_keys(limited_scene(41), ["knee"], replaces_limits=True)
    assert list(found.plan.joints) == ["knee"]


# The command line


APART = FLIP.replace('".tan" 1;', '".tan" 2;')
"""FLIP with its last keys ten times as late."""
for early, late in (
    *(("4 220.25", "40 220.25"), ('"  5 230 6 55', '"  50 230 60 55')),
    *(("4 176 5 175 6 6", "40 176 50 175 60 6"), ("4 183 5 184 6 5", "40 183 50 184 60 5")),
):
    APART = APART.replace(early, late)


def run(capsys, *words):
    code = main([str(word) for word in words])
    return code, capsys.readouterr().out


def test_estimate_and_apply_print_and_list_what_changes(tmp_path, capsys):
    path = flipped_scene(tmp_path)
    code, out = run(capsys, "estimate", path, "--apply", "--filter-keys", "--out", tmp_path)
    assert code == 0
    assert "6 keys of 1 joint filtered; no whole frame changes\n" in out
    assert (
        "filtered: knee: 6 keys filtered; poses change between frames 2 and 3, 3 and 4, 5 and 6"
        in out
    )
    limits = next(tmp_path.glob("*.limits.json"))
    code, out = run(
        capsys,
        *("apply", limits, path, "--filter-keys", "--out", tmp_path / "b.ma"),
        "--format=json",
    )
    ((entry,), names) = (json.loads(out)["filtered"], ["rotateX", "rotateY", "rotateZ"])
    assert entry["refused"] == []
    assert entry["joints"]["knee"]["channels"] == names
    assert [one["start"] for one in entry["joints"]["knee"]["changed"]] == [2.0, 3.0, 5.0]
    assert (tmp_path / "b.ma").read_text().count("4 40.25") == 1


def test_whole_frames_that_change_are_counted(tmp_path, capsys):
    path = flipped_scene(tmp_path, APART)
    run(capsys, "estimate", path, "--out", tmp_path)
    limits = next(tmp_path.glob("*.limits.json"))
    _, out = run(capsys, "apply", limits, path, "--filter-keys", "--out", tmp_path / "b.ma")
    assert "6 keys of 1 joint filtered; 45 frames between runs change, by up to" in out


def test_limits_are_measured_with_filtered_keys(tmp_path, capsys):
    path = flipped_scene(tmp_path, APART)
    _, out = run(capsys, "estimate", path, "--apply", "--filter-keys", "--out", tmp_path)
    assert "filtered-keys: knee: measured with 6 keys filtered" in out
    assert "10.5..55.0" in out
    _, out = run(capsys, "audit", tmp_path / "walk.limits.ma")
    assert "0 faults" in out


# Any keys


NAMES = """ktv keyTimeValue
kit keyTanInType
kot keyTanOutType
kix keyTanInX
kiy keyTanInY
kox keyTanOutX
koy keyTanOutY
pre preInfinity
pst postInfinity
wgt weightedTangents
tan tangentType"""


def curve_text(name, curve, random):
    """A curve as Maya or an exporter writes it."""
    count = len(curve.times)
    long = random.random() < 0.3
    names = dict(line.split() for line in NAMES.splitlines())

    def attribute(short):
        return names[short] if long else short

    lines = [f'createNode animCurveTA -n "{name}";', f'\tsetAttr ".{attribute("tan")}" 18;']
    if not curve.weighted:
        lines.append(f'\tsetAttr ".{attribute("wgt")}" no;')

    def array(short, rows, first=0, last=None):
        last = count - 1 if last is None else last
        index = f"[{first}]" if first == last else f"[{first}:{last}]"
        words = [
            " ".join(repr(float(x)) for x in np.atleast_1d(row)) for row in rows[first : last + 1]
        ]
        break_at = random.choice((2, 5, 1000))
        body = "\n\t\t ".join(
            " ".join(words[n : n + break_at]) for n in range(0, len(words), break_at)
        )
        lines.append(f'\tsetAttr -s {count} ".{attribute(short)}{index}"  {body};')

    pairs = np.stack([curve.times * FPS, np.degrees(curve.values)], axis=1)
    cut = random.randrange(count)
    for first, last in ((0, cut), (cut + 1, count - 1)) if cut < count - 1 else ((0, cut),):
        array("ktv", pairs, first, last)
    array("kit", curve.in_types)
    array("kot", curve.out_types)
    tangents = curve.tangents
    for short, kinds, numbers in (
        ("kix", curve.in_types, tangents.in_x),
        ("kiy", curve.in_types, tangents.in_y),
        ("kox", curve.out_types, tangents.out_x),
        ("koy", curve.out_types, tangents.out_y),
    ):
        fixed = np.flatnonzero(kinds == 1)
        if len(fixed):
            array(short, numbers, int(fixed[0]), int(fixed[-1]))
    lines.append(f'\tsetAttr ".{attribute("pre")}" {curve.pre};')
    lines.append(f'\tsetAttr ".{attribute("pst")}" {curve.post};')
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("count", "least"), [(8, 1), pytest.param(60, 31, marks=pytest.mark.thorough)]
)
def test_any_keys_in_any_style(tmp_path, count, least):
    filtered = moved_times = 0
    for seed in range(count):
        rig = Rig(1000 + seed)
        text = HEAD.format(angle="degree", order=ORDERS.index(rig.order))
        links = ""
        for axis, one in zip("XYZ", rig.keys.channels):
            if isinstance(one, AnimCurve):
                text += curve_text(f"k{axis}", one, rig.random)
                links += f'connectAttr "k{axis}.o" "knee.r{axis.lower()}";\n'
            else:
                text = text.replace(
                    '\tsetAttr ".ro"',
                    f'\tsetAttr ".r{axis.lower()}" {math.degrees(one)!r};\n\tsetAttr ".ro"',
                )
        path, out = scene(tmp_path, text + links), tmp_path / f"copy{seed}.ma"
        found = filter_scene_keys(path, ["knee"])
        if not found.plan.joints:
            continue
        filtered += 1
        write_joint_attributes(path, out, {}, keys=found)
        joint = found.plan.joints["knee"].changes
        inside = rig.keys.times.min(), rig.keys.times.max()
        times = [
            t for t in dense_times(rig.keys) if not joint.repeats or inside[0] <= t <= inside[1]
        ]
        moved = changed_times(path, out, times)
        assert all(is_listed(joint)(time) for time in moved), seed
        moved_times += len(moved)
        assert filter_scene_keys(out, ["knee"]).edits == []
    assert filtered >= least
    assert moved_times
