"""What is read of a scene: nodes, values, locks, connections, units, and what drives a channel."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.base.errors import MayaAsciiError
from jointlimits_core.formats.maya_ascii.scene_file import SceneFile
from jointlimits_core.formats.maya_ascii.statements import numbers
from jointlimits_core.geometry.euler import quaternion_from_euler
from jointlimits_core.geometry.quaternion import matrix_from_quaternion
from jointlimits_core.rig.curves import curve_from_node
from jointlimits_core.rig.drivers import Constant, Drivers, Evaluator, UnresolvedDriverError
from jointlimits_core.rig.matrices import joint_matrix
from jointlimits_core.rig.scene import Units, frames_per_second
from tests.support.maya_scenes import connect, curve, write_scene

DEG = np.pi / 180.0


def scene_of(tmp_path, body, **options):
    return SceneFile(write_scene(tmp_path, body, **options)).scene


def values_at(scene, path, attribute, frames):
    node = scene.find(path)
    signal = Drivers(scene).channel(node, attribute)
    return Evaluator(np.asarray(frames) / 24.0)(signal)


def assert_degrees(scene, path, attribute, frames, expected):
    np.testing.assert_allclose(values_at(scene, path, attribute, frames) / DEG, expected)


def unresolved_driver(scene, path, attribute):
    with pytest.raises(UnresolvedDriverError) as caught:
        Drivers(scene).channel(scene.find(path), attribute)
    return caught.value


def test_long_and_short_names_are_one(tmp_path):
    scene = scene_of(
        tmp_path,
        """
createNode joint -n "a";
	setAttr ".t" -type "double3" 1 2 3 ;
	setAttr ".rx" 90;
	setAttr ".jo" -type "double3" 0 0 45 ;
	setAttr ".ro" 3;
	setAttr ".mrxe" yes;
createNode joint -name "b" -parent "a";
	setAttr ".translate" -type "double3" 1 2 3 ;
	setAttr ".rotateX" 90;
	setAttr ".jointOrient" -type "double3" 0 0 45 ;
	setAttr ".rotateOrder" 3;
	setAttr ".minRotXLimitEnable" true;
""",
    )
    a, b = scene.find("a"), scene.find("|a|b")
    assert b.parent is a
    assert a.values == b.values
    assert a.vector("translate").tolist() == [1, 2, 3]
    np.testing.assert_allclose(a.vector("rotate"), [np.pi / 2, 0, 0])
    np.testing.assert_allclose(a.vector("jointOrient"), [0, 0, np.pi / 4])
    assert a.number("minRotXLimitEnable") == 1.0


def test_later_statements_win_compound_or_child(tmp_path):
    scene = scene_of(
        tmp_path,
        """
createNode joint -n "a";
	setAttr ".tx" 9;
	setAttr ".t" -type "double3" 1 2 3 ;
	setAttr ".t.ty" 7;
	setAttr -l on -k off ".rx";
	setAttr -lock on ".s";
	setAttr -l on ".ry" 5;
	setAttr -l off ".ry";
	setAttr -av -k on ".rz" -5;
	setAttr -s 3 ".unknown[0:2]" 1 2 3;
""",
    )
    a = scene.find("a")
    assert a.vector("translate").tolist() == [1, 7, 3]
    np.testing.assert_allclose(a.vector("rotate") / DEG, [0, 5, -5])
    locked = [c for c in ("rotateX", "rotateY", "scaleZ", "translateX") if a.is_locked(c)]
    assert locked == ["rotateX", "scaleZ"]


def test_values_as_scenes_write_them():
    found = numbers(
        b"1 -2.5 e \n\t1e-007 yes no on off true false 1.#QNAN -1.#IND".replace(b" e", b"")
    )
    assert found[:9].tolist() == [1, -2.5, 1e-7, 1, 0, 1, 0, 1, 0]
    assert np.isnan(found[9:]).all()
    with pytest.raises(ValueError, match="'maybe'"):
        numbers(b"1 maybe")


def test_values_that_are_none_are_findings_not_errors(tmp_path):
    scene = scene_of(
        tmp_path,
        """
createNode joint -n "a";
	setAttr ".t" -type "double3" 1 -1.#IND 3 ;
	setAttr ".r" -type "double3" 1 2 ;
	setAttr ".jo" -type "double3" 1 2 x ;
	setAttr ".bps" -type "matrix" 1 2 3 ;
	setAttr ".ro" -type "string" "yes";
""",
    )
    assert scene.find("a").values == {}
    assert [f.rule for f in scene.findings] == ["unreadable-value"] * 4
    assert "line 6" in scene.findings[0].message
    assert scene.findings[0].joint == "a"


def test_very_many_findings_of_a_rule_are_cut_short_and_say_so(tmp_path):
    body = 'createNode joint -n "a";\n' + 'setAttr ".rx" what;\n' * 500
    findings = scene_of(tmp_path, body).findings
    assert len(findings) == 100
    assert "more of these" in findings[-1].message


@pytest.mark.parametrize(
    ("name", "rate"),
    [
        ("game", 15),
        ("film", 24),
        ("pal", 25),
        ("ntsc", 30),
        ("show", 48),
        ("palf", 50),
        ("ntscf", 60),
        ("120fps", 120),
        ("23.976fps", 23.976),
        ("29.97df", 29.97),
        ("sec", 1),
        ("millisec", 1000),
        ("min", 1 / 60),
        ("hour", 1 / 3600),
        ("0fps", None),
        ("fps", None),
        ("-3fps", None),
        ("weekly", None),
    ],
)
def test_time_units(name, rate):
    assert frames_per_second(name) == rate


def test_units_of_length_and_angle(tmp_path):
    header = "//Maya ASCII 2024 scene\ncurrentUnit -l meter -a radian -t ntsc;\n"
    scene = scene_of(
        tmp_path,
        'createNode joint -n "a";\n\tsetAttr ".t" -type "double3" 1 2 3 ;\n\tsetAttr ".rx" 1.5;\n',
        header=header,
    )
    assert scene.units == Units(100.0, 1.0, 30.0)
    assert scene.find("a").vector("translate").tolist() == [100, 200, 300]
    assert scene.find("a").number("rotateX") == 1.5
    with pytest.raises(
        MayaAsciiError, match=":2:1: unknown unit 'parsec'; save the scene in another unit"
    ):
        scene_of(tmp_path, "", header='requires maya "1";\ncurrentUnit -l parsec;\n')


def test_names_that_repeat_are_found_by_their_paths(tmp_path):
    scene = scene_of(
        tmp_path,
        """
createNode transform -n "left";
createNode joint -n "hand" -p "left";
createNode transform -n "right";
createNode joint -n "hand" -p "right";
createNode joint -n "thumb" -p "|left|hand";
createNode joint -n "hand" -p "right";
parent -s -nc -r "|left|hand|thumb" "right|hand";
parent -s -nc -r -add "|left|hand" "right";
createNode joint -n "lost" -p "nowhere";
""",
    )
    assert scene.find("left|hand").path == "|left|hand"
    assert scene.find("|right|hand|thumb").name == "thumb"
    assert scene.find("|left|hand|thumb") is None
    assert scene.find("|right|hand1") is not None
    assert scene.find("") is None
    assert scene.find("other|hand") is None
    assert scene.find("lost").parent is None
    assert [f.rule for f in scene.findings] == ["missing-parent"]


def test_loops_and_depth_are_refused(tmp_path):
    scene = scene_of(
        tmp_path,
        'createNode joint -n "a";\ncreateNode joint -n "b" -p "a";\n'
        'parent "a" "b";\nparent "a" "a";',
    )
    assert scene.find("b").path == "|a|b"
    chain = 'createNode joint -n "j0";\n' + "".join(
        f'createNode joint -n "j{i}" -p "j{i - 1}";\n' for i in range(1, 1100)
    )
    with pytest.raises(MayaAsciiError, match="more than 1,000 levels, the maximum"):
        scene_of(tmp_path, chain)


def test_connections_of_compounds_and_children(tmp_path):
    body = (
        'createNode joint -n "a";\ncreateNode joint -n "b" -p "a";\n'
        'createNode orientConstraint -n "o";\n'
        + connect("a.s", "b.is")
        + connect("a.r", "b.rotate")
        + connect("o.cr", "a.r")
        + connect("o.crx", "a.tx")
        + connect("nobody.x", "a.ty")
        + connect("a.tz", "nobody.tz")
        + 'disconnectAttr "a.rz" "b.rz";\n'
    )
    scene = scene_of(tmp_path, body)
    a, b, o = (scene.find(name) for name in "abo")
    assert scene.sources[b, "inverseScaleY"] == (a, "scaleY")
    assert scene.sources[b, "rotateX"] == (a, "rotateX")
    assert (b, "rotateZ") not in scene.sources
    assert scene.sources[a, "rotateY"] == (o, "cr")
    assert scene.sources[a, "translateY"][0].name == "nobody"


def test_script_nodes_are_named_and_nothing_is_run(tmp_path):
    target = tmp_path / "touched"
    scene = scene_of(
        tmp_path,
        'createNode script -n "evil";\n'
        f'\tsetAttr ".b" -type "string" "system(\\"touch {target}\\")";\n'
        f"system(\"touch {target}\");\npython(\"open('{target}', 'w')\");\n",
    )
    assert [f.rule for f in scene.findings] == ["script-node"]
    assert "evil" in scene.findings[0].message
    assert not target.exists()


# Curves -----------------------------------------------------------------------------------------


def test_index_ranges_and_default_tangents(tmp_path):
    scene = scene_of(
        tmp_path,
        """
createNode animCurveTA -n "c";
	setAttr ".tan" 18;
	setAttr -s 5 ".ktv[0:2]"  1 10 2 20
	3 30;
	setAttr -s 5 -l on ".ktv[3:4]"  4 40 5 50;
	setAttr -l on ".ktv";
	setAttr -s 5 ".kit[3:4]"  1 3;
	setAttr -s 5 ".kot[1]" 5;
	setAttr -s 5 ".kix[3:4]"  0.5 1;
	setAttr -s 5 ".kiy[3]"  0.25;
	setAttr ".pst" 3;
	setAttr ".ktv[7]" 6 -1.#IND;
createNode animCurveTA -keyTime -n "d";
	setAttr ".keyTimeValue[0:1]"  1 10 2.5 20;
	setAttr ".weightedTangents" no;
""",
    )
    built, dropped = curve_from_node(scene.find("c"))
    assert dropped == 1
    np.testing.assert_allclose(built.times * 24, [1, 2, 3, 4, 5])
    np.testing.assert_allclose(built.values / DEG, [10, 20, 30, 40, 50])
    assert built.in_types.tolist() == [18, 18, 18, 1, 3]
    assert built.out_types.tolist() == [18, 5, 18, 18, 18]
    assert (built.tangents.in_x[3], built.tangents.in_y[3]) == (0.5, 0.25)
    assert built.weighted
    assert built.post == 3
    other, dropped = curve_from_node(scene.find("d"))
    assert not other.weighted
    np.testing.assert_allclose(other.times * 24, [1, 2.5])
    assert dropped == 0


def test_curve_values_take_their_own_unit(tmp_path):
    header = "//Maya ASCII 2024 scene\ncurrentUnit -l meter -a radian -t sec;\n"
    body = "".join(curve(k, [(1, 2), (3, 4)], kind=f"animCurve{k}") for k in ("TA", "TL", "TU"))
    scene = scene_of(tmp_path, body, header=header)
    for name, factor in (("TA", 1.0), ("TL", 100.0), ("TU", 1.0)):
        built, _ = curve_from_node(scene.find(name))
        assert built.times.tolist() == [1, 3]
        assert built.values.tolist() == [2 * factor, 4 * factor]


def test_curves_of_hostile_indices_cost_no_memory(tmp_path):
    scene = scene_of(
        tmp_path,
        'createNode animCurveTA -n "c";\n\tsetAttr ".ktv[999999999]" 1 5;\n'
        '\tsetAttr ".ktv[3:1]" 0 1;\n'
        '\tsetAttr ".kit[0:99999999]" 1 nan;\n\tsetAttr ".tan" 1e300;\n',
    )
    built, _ = curve_from_node(scene.find("c"))
    assert len(built.times) == 2


# Drivers ----------------------------------------------------------------------------------------

JOINT = 'createNode joint -n "j";\n\tsetAttr ".rx" 7;\n'
RAMP = curve("c", [(0, 0), (10, 20)])


def test_static_and_keyed_channels(tmp_path):
    scene = scene_of(tmp_path, JOINT + RAMP + connect("c.o", "j.ry"))
    assert_degrees(scene, "j", "rotateX", [0, 5], [7, 7])
    assert_degrees(scene, "j", "rotateY", [0, 5, 99], [0, 10, 20])


def test_unit_conversions(tmp_path):
    body = JOINT + curve("c", [(0, 0), (10, 2)], kind="animCurveTU")
    body += 'createNode unitConversion -n "u";\n\tsetAttr ".cf" 0.5;\n'
    body += connect("c.o", "u.i") + connect("u.o", "j.rx")
    np.testing.assert_allclose(
        values_at(scene_of(tmp_path, body), "j", "rotateX", [5, 10]), [0.5, 1]
    )


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ('\tsetAttr ".w" 0.25;\n', [30, 37.5]),
        ('\tsetAttr ".w" 0;\n', [0, 10]),
        ("", [120, 120]),
        ('\tsetAttr ".rm" 1;\n', [0, 10]),
        ('\tsetAttr ".rm" 2;\n', [120, 120]),
    ],
)
def test_pair_blends_of_euler_angles(tmp_path, more, expected):
    body = JOINT + RAMP + f'createNode pairBlend -n "p";\n\tsetAttr ".irx2" 120;\n{more}'
    body += connect("c.o", "p.irx1") + connect("p.orx", "j.rx")
    assert_degrees(scene_of(tmp_path, body), "j", "rotateX", [0, 5], expected)


def test_a_pair_blend_needs_only_the_side_that_has_weight(tmp_path):
    body = (
        JOINT + RAMP + 'createNode pairBlend -n "p";\ncreateNode orientConstraint -n "o" -p "j";\n'
    )
    body += connect("c.o", "p.irx1") + connect("o.crx", "p.irx2") + connect("p.orx", "j.rx")
    blend = 'addAttr -ci true -sn "blendOrient1" -ln "blendOrient1" -dv {} -at "double";\n'
    weighted = body.replace("setAttr", blend.format(0) + "setAttr", 1)
    weighted += connect("j.blendOrient1", "p.w")
    assert_degrees(scene_of(tmp_path, weighted), "j", "rotateX", [5], [10])
    error = unresolved_driver(scene_of(tmp_path, body), "j", "rotateX")
    assert error.node.name == "o"
    assert "constraint" in error.reason
    turned = body.replace('"p";\n', '"p";\n\tsetAttr ".ri" 1;\n', 1)
    assert "quaternions" in unresolved_driver(scene_of(tmp_path, turned), "j", "rotateX").reason


def layer_text(layer="", blend=""):
    body = (
        JOINT + RAMP + curve("d", [(0, 100), (10, 100)]) + f'createNode animLayer -n "L";\n{layer}'
    )
    body += f'createNode animBlendNodeAdditiveRotation -n "b";\n{blend}'
    for source, destination in (
        ("L.bgwt", "b.wa"),
        ("L.fgwt", "b.wb"),
        ("L.oram", "b.acm"),
        ("c.o", "b.iax"),
        ("d.o", "b.ibx"),
        ("b.ox", "j.rx"),
        ("b.oy", "j.ry"),
    ):
        body += connect(source, destination)
    return body


@pytest.mark.parametrize(
    ("layer", "blend", "expected"),
    [
        ("", "", 110.0),
        ('\tsetAttr ".w" 0.5;\n', "", 60.0),
        ('\tsetAttr ".m" yes;\n', "", 10.0),
        ('\tsetAttr ".ovrd" yes;\n\tsetAttr ".w" 0.25;\n', "", 32.5),
        ('\tsetAttr ".ovrd" yes;\n', "", 100.0),
    ],
)
def test_additive_and_override_layers(tmp_path, layer, blend, expected):
    scene = scene_of(tmp_path, layer_text(layer, blend))
    assert_degrees(scene, "j", "rotateX", [5], [expected])
    assert_degrees(scene, "j", "rotateY", [5], [0])


def test_layer_weights_may_be_keyed_and_come_from_above(tmp_path):
    body = layer_text() + curve("w", [(0, 0), (10, 1)], kind="animCurveTU")
    body += 'createNode animLayer -n "top";\n\tsetAttr ".w" 0.5;\n'
    body += connect("w.o", "L.w") + connect("top.fgwt", "L.pwth")
    scene = scene_of(tmp_path, body)
    assert_degrees(scene, "j", "rotateX", [0, 5, 10], [0, 10 + 25, 20 + 50])


@pytest.mark.parametrize(
    ("layer", "blend", "part"),
    [
        ('\tsetAttr ".s" yes;\n', "", "soloed"),
        ('\tsetAttr ".ram" 1;\n', "", "by layer"),
        ('\tsetAttr ".ovrd" yes;\n\tsetAttr ".passthrough" no;\n', "", "passthrough"),
        ("", '\tsetAttr ".ri" 1;\n', "quaternions"),
    ],
)
def test_layers_that_cannot_be_resolved(tmp_path, layer, blend, part):
    scene = scene_of(tmp_path, layer_text(layer, blend))
    assert part in unresolved_driver(scene, "j", "rotateX").reason


def test_layers_of_single_channels(tmp_path):
    body = JOINT + curve("c", [(0, 1), (10, 3)], kind="animCurveTL")
    body += 'createNode animBlendNodeAdditiveDL -n "b";\n\tsetAttr ".ib" 5;\n\tsetAttr ".wb" 0.5;\n'
    body += 'createNode animBlendNodeAdditiveScale -n "s";\n'
    body += connect("c.o", "b.ia") + connect("b.o", "j.tx") + connect("s.o", "j.sx")
    scene = scene_of(tmp_path, body)
    np.testing.assert_allclose(values_at(scene, "j", "translateX", [5]), [4.5])
    assert unresolved_driver(scene, "j", "scaleX").node.name == "s"


def test_character_sets_and_other_joints_are_passed_through(tmp_path):
    body = JOINT + RAMP + 'createNode joint -n "k";\ncreateNode character -n "set";\n'
    body += '\tsetAttr -s 2 ".av[1:2]"  30 40;\n\tsetAttr ".lv[5]" 3;\n'
    body += connect("c.o", "set.av[1]") + connect("set.av[1]", "j.rx") + connect("j.rx", "k.rx")
    body += connect("set.av[2]", "k.ry") + connect("set.lv[5]", "k.tx") + connect("j.s", "k.s")
    scene = scene_of(tmp_path, body)
    assert_degrees(scene, "k", "rotateX", [5], [10])
    assert_degrees(scene, "k", "rotateY", [5], [40])
    assert Drivers(scene).channel(scene.find("k"), "translateX") == Constant(3.0)
    assert Drivers(scene).channel(scene.find("k"), "scaleX") == Constant(1.0)
    clips = body + 'createNode clipScheduler -n "clips";\n' + connect("clips.ce", "set.cer")
    error = unresolved_driver(scene_of(tmp_path, clips), "k", "rotateY")
    assert "clips" in error.reason
    assert error.value == pytest.approx(40 * DEG)


@pytest.mark.parametrize(
    ("node_type", "plug", "part"),
    [
        ("animCurveUA", "x.o", "driven key"),
        ("parentConstraint", "x.crx", "constraint"),
        ("expression", "x.out[0]", "never run"),
        ("HIKState2SK", "x.RightArmRx", "HumanIK"),
        ("multiplyDivide", "x.ox", "only Maya"),
        ("joint", "x.wm[0]", "only Maya"),
    ],
)
def test_other_drivers_are_named(tmp_path, node_type, plug, part):
    body = JOINT + f'createNode {node_type} -n "x";\n' + connect(plug, "j.rx")
    error = unresolved_driver(scene_of(tmp_path, body), "j", "rotateX")
    assert part in error.reason
    assert error.node.name == "x"


@pytest.mark.thorough
def test_loops_and_long_chains_end(tmp_path):
    loop = 'createNode joint -n "a";\ncreateNode joint -n "b";\n'
    loop += connect("a.rx", "b.rx") + connect("b.rx", "a.rx")
    assert "loop" in unresolved_driver(scene_of(tmp_path, loop), "a", "rotateX").reason
    chain = "".join(f'createNode unitConversion -n "u{i}";\n' for i in range(3000)) + JOINT
    chain += "".join(connect(f"u{i}.o", f"u{i + 1}.i") for i in range(2999))
    chain += connect("u2999.o", "j.rx")
    assert "long chain" in unresolved_driver(scene_of(tmp_path, chain), "j", "rotateX").reason


def test_shared_inputs_are_evaluated_once(tmp_path):
    # Every blend uses the one before twice: 2^60 evaluations if nothing were remembered.
    body = JOINT + RAMP
    for i in range(60):
        before = "c.o" if i == 0 else f"p{i - 1}.orx"
        body += f'createNode pairBlend -n "p{i}";\n\tsetAttr ".w" 0.5;\n'
        body += connect(before, f"p{i}.irx1") + connect(before, f"p{i}.irx2")
    body += connect("p59.orx", "j.rx")
    # Connections precede later nodes here, so the scene must resolve them at its end.
    assert_degrees(scene_of(tmp_path, body), "j", "rotateX", [5], [10])


def test_time_warps_and_quaternion_curves_are_reported(tmp_path):
    body = JOINT + RAMP + 'createNode timeWarp -n "warp";\ncreateNode time -n "time1";\n'
    body += connect("c.o", "j.rx") + connect("warp.o", "c.i")
    assert "warps the time" in unresolved_driver(scene_of(tmp_path, body), "j", "rotateX").reason
    body = (
        JOINT + curve("c", [(0, 0), (1, 1)], more='\tsetAttr ".roti" 5;\n') + connect("c.o", "j.rx")
    )
    scene = scene_of(tmp_path, body)
    values_at(scene, "j", "rotateX", [0])
    assert [f.rule for f in scene.findings] == ["quaternion-curve"]


def test_matrices_of_a_joint_of_which_any_channel_moves():
    random = np.random.default_rng(3)
    turns = quaternion_from_euler(random.normal(size=(5, 3)))
    move, grow, above = random.uniform(0.5, 2.0, size=(3, 5, 3))
    for still in ([1, 2], [0, 2], [0, 1], [], [0, 1, 2]):
        given = [part[:1] if n in still else part for n, part in enumerate((move, turns, grow))]
        found = np.broadcast_to(joint_matrix(*given, above[0]), (5, 4, 4))
        for frame in range(5):
            t, q, s = (part[min(frame, len(part) - 1)] for part in given)
            expected = np.eye(4)
            expected[:3, :3] = np.diag(1.0 / above[0]) @ matrix_from_quaternion(q) @ np.diag(s)
            expected[:3, 3] = t
            np.testing.assert_allclose(found[frame], expected, atol=1e-15)
