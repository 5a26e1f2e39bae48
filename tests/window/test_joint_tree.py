"""The list of joints: what it shows, finds, sorts and selects, with real clicks and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from jointlimits_maya.ui.document.document import Document
from jointlimits_maya.ui.joints import model
from jointlimits_maya.ui.joints.view import JointList, column_widths
from jointlimits_maya.ui.toolkit.qt import Qt, QtCore

from jointlimits_core.limits.limit_set import LimitSet
from tests.support.ui_examples import JOINTS, walk_limits


@pytest.fixture
def document(qapp):
    made = Document()
    made.open_set(walk_limits())
    return made


@pytest.fixture
def joint_list(document, qtbot):
    made = JointList(document)
    qtbot.addWidget(made)
    made.resize(760, 420)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def tree(joint_list):
    return joint_list.tree


def keys():
    return Qt.Key


def row_point(tree, name, column=0):
    """A pixel of a joint's row."""
    index = tree.indexFromItem(tree.item_of(name), column)
    tree.scrollTo(index)
    return tree.visualRect(index).center()


def click(qtbot, tree, name, modifier=None):
    held = Qt.KeyboardModifier.NoModifier if modifier is None else modifier
    place = row_point(tree, name)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, held, place)


def click_header(qtbot, tree, column):
    header = tree.header()
    x = header.sectionViewportPosition(column) + header.sectionSize(column) // 2
    place = QtCore.QPoint(x, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)


def cell(tree, name, column):
    return tree.item_of(name).text(column)


# --- what is shown ------------------------------------------------------------------------------


def rows_below(item):
    children = (item.child(row) for row in range(item.childCount()))
    return {child.text(0): rows_below(child) for child in children}


def test_the_tree_has_the_groups_of_the_body_and_the_skeleton_within_them(tree):
    assert rows_below(tree.invisibleRootItem()) == {
        "Spine and head": {"hips": {"spine": {"head": {}}}},
        "Left arm": {"LeftArm": {"LeftForeArm": {}}},
        "Right arm": {"RightArm": {"RightForeArm": {}}},
        "Left leg": {"LeftUpLeg": {"LeftLeg": {}}},
        "Right leg": {"RightUpLeg": {"RightLeg": {}}},
    }
    assert tree.shown_joints() == JOINTS


def test_a_skeleton_without_known_parts_is_one_tree(document, tree):
    limits = walk_limits()
    new = {name: f"bone{number}" for number, name in enumerate(limits.joints)}
    joints = {
        new[name]: replace(joint, parent=new.get(joint.parent))
        for name, joint in limits.joints.items()
    }
    document.open_set(LimitSet(**{**vars(limits), "joints": joints, "symmetry": None}))
    assert list(rows_below(tree.invisibleRootItem())) == ["bone0"]


def test_a_heading_selects_its_joints_and_hides_with_them(qtbot, tree, joint_list):
    heading = tree.topLevelItem(1)
    place = tree.visualItemRect(heading).center()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert tree.selected_joints() == ("LeftArm", "LeftForeArm")
    joint_list.field.setText("leg")
    shown = [tree.topLevelItem(row).isHidden() for row in range(tree.topLevelItemCount())]
    assert shown == [True, True, True, False, False]


def test_cells_say_type_bounds_notes_and_layer(tree, document):
    assert cell(tree, "LeftForeArm", model.TYPE) == "hinge Y"
    assert cell(tree, "head", model.TYPE) == "universal"
    assert cell(tree, "spine", model.SURE) == "reached once"
    assert cell(tree, "LeftForeArm", model.FINDINGS) == "2"
    assert cell(tree, "spine", model.FINDINGS) == ""
    assert cell(tree, "spine", model.LAYER) == "motion"
    document.edit.set_state("spine", "rotateX", "locked")
    assert cell(tree, "spine", model.LAYER) == "artist"
    assert "motion and artist" in tree.item_of("spine").line.tip()
    document.edit.reset("spine")
    assert cell(tree, "spine", model.LAYER) == "motion"


def test_a_type_is_the_artists_and_no_close_call_any_more(document):
    limit = document.limits.joints["spine"]
    close = replace(limit, evidence=replace(limit.evidence, sure="close", runner_up="universal"))
    line = model.JointLine("spine", close, close)
    assert line.type_text() == "ball?"
    assert "fits almost as well: universal" in line.tip()
    assert model.JointLine("spine", replace(close, type="hinge"), close).type_text() == "hinge"


def test_lanes_have_what_the_data_say_where_an_artist_decided_otherwise(tree, document):
    before = document.limits.joints["LeftArm"].limits["rotateZ"]
    document.edit.set_limit("LeftArm", "rotateZ", "max", 45.0)
    x, _, z = tree.item_of("LeftArm").line.lanes
    assert (z.low, z.high, z.ghost) == (before.min_deg, 45.0, (before.min_deg, before.max_deg))
    assert x.ghost is None
    document.edit.set_state("LeftArm", "rotateX", "free")
    assert tree.item_of("LeftArm").line.lanes[0].state == "free"


def test_words_of_others_are_shown_and_not_obeyed(document, tree):
    joints = {"<b>bold</b>": document.limits.joints["hips"]}
    document.open_set(LimitSet("person", joints))
    line = tree.item_of("<b>bold</b>").line
    assert "&lt;b&gt;bold" in line.tip()
    assert cell(tree, "<b>bold</b>", 0) == "<b>bold</b>"


def test_names_are_short_where_they_stay_apart(document, tree):
    hips = document.limits.joints["hips"]
    names = ("rig:hips", "rig:a|wrist", "rig:b|wrist")
    document.open_set(LimitSet("person", dict.fromkeys(names, hips)))
    shown = [cell(tree, name, 0) for name in names]
    assert shown[0] == "hips"
    assert len(set(shown)) == 3


def test_odd_names_and_parents_in_a_circle_are_all_listed(document, tree):
    hips = document.limits.joints["hips"]
    parents = {"": None, "a" * 500: None, "|grp|ns:\N{GREEK SMALL LETTER ALPHA}": None, "x\ny": ""}
    parents.update({"loop": "loop", "b": "c", "c": "b", "orphan": "nobody"})
    joints = {name: replace(hips, parent=parent) for name, parent in parents.items()}
    document.open_set(LimitSet("odd", joints))
    assert sorted(tree.shown_joints()) == sorted(joints)
    tree.select_joints(list(joints))
    assert tree.selected_joints() == tuple(joints)


def test_a_pose_outside_marks_its_joints(tree):
    tree.set_outside({"LeftArm": 12.34})
    item, role = tree.item_of("LeftArm"), Qt.ItemDataRole.AccessibleTextRole
    assert "pose 12.3° outside" in item.data(0, role)
    marked = tree.viewport().grab().toImage()
    tree.set_outside({})
    assert "outside" not in item.data(0, role)
    assert tree.viewport().grab().toImage() != marked


def test_every_cell_is_painted(tree, document):
    """Each joint's row differs from an empty one in every column that has something to show."""
    document.edit.set_state("spine", "rotateX", "locked")
    image = tree.viewport().grab().toImage()
    ratio = image.devicePixelRatio()
    ground = image.pixelColor(image.width() - 1, image.height() - 1)
    for column in range(tree.columnCount()):
        index = tree.indexFromItem(tree.item_of("LeftForeArm"), column)
        area = tree.visualRect(index)
        colours = {
            image.pixelColor(int(x * ratio), int(y * ratio)).name()
            for x in range(area.left() + 3, area.right() - 2)
            for y in range(area.top() + 2, area.bottom() - 1)
        }
        assert colours - {ground.name()}, f"nothing in column {column}"


# --- selecting ----------------------------------------------------------------------------------


def test_clicks_select_one_joint_or_several(tree, qtbot):
    selections = []
    tree.selected.connect(selections.append)
    click(qtbot, tree, "RightArm")
    click(qtbot, tree, "LeftArm", Qt.KeyboardModifier.ControlModifier)
    assert selections == [("RightArm",), ("LeftArm", "RightArm")]
    click(qtbot, tree, "spine")
    click(qtbot, tree, "LeftForeArm", Qt.KeyboardModifier.ShiftModifier)
    assert tree.selected_joints() == ("spine", "head", "LeftArm", "LeftForeArm")


def test_arrow_keys_go_through_the_joints(tree, qtbot):
    click(qtbot, tree, "hips")
    held = Qt.KeyboardModifier
    for key, modifiers, expected in (
        (keys().Key_Down, held.NoModifier, ("spine",)),
        (keys().Key_Down, held.ShiftModifier, ("spine", "head")),
        (keys().Key_A, held.ControlModifier, JOINTS),
        (keys().Key_Escape, held.NoModifier, ()),
    ):
        qtbot.keyClick(tree, key, modifiers)
        assert tree.selected_joints() == expected


def test_selecting_from_elsewhere_tells_once(tree):
    selections = []
    tree.selected.connect(selections.append)
    tree.select_joints(["RightLeg", "nobody", "hips"])
    assert selections == [("hips", "RightLeg")]
    tree.select_joints(["hips", "RightLeg"])
    assert len(selections) == 1


def test_the_selection_outlives_another_set_with_the_same_joints(tree, document):
    tree.select_joints(["LeftArm"])
    document.open_set(walk_limits(strictness="robust"))
    assert tree.selected_joints() == ("LeftArm",)
    document.open_set(LimitSet("person", {"bone": document.limits.joints["hips"]}))
    assert tree.selected_joints() == ()
    document.close()
    assert tree.shown_joints() == ()


# --- filtering and sorting ----------------------------------------------------------------------


def test_typing_filters_and_keeps_the_way_there(joint_list, tree, qtbot):
    click(qtbot, tree, "RightForeArm")
    qtbot.keyClick(tree, keys().Key_Slash)
    assert joint_list.field.hasFocus()
    qtbot.keyClicks(joint_list.field, "forearm")
    assert tree.shown_joints() == ("LeftForeArm", "RightForeArm")
    assert not tree.item_of("LeftArm").isHidden()
    assert tree.item_of("head").isHidden()
    assert tree.selected_joints() == ("RightForeArm",)
    qtbot.keyClick(joint_list.field, keys().Key_Down)
    assert tree.hasFocus()
    qtbot.keyClick(tree, keys().Key_Slash)
    qtbot.keyClick(joint_list.field, keys().Key_Escape)
    assert tree.shown_joints() == JOINTS


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("left arm", ("LeftArm", "LeftForeArm")),
        ("LEFT*", ("LeftArm", "LeftForeArm", "LeftUpLeg", "LeftLeg")),
        ("*leg", ("LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg")),
        ("type:univ", ("head",)),
        ("type:hinge leg", ("LeftLeg", "RightLeg")),
        ("from:artist", ("spine",)),
        ("is:outside", ("head", "RightLeg")),
        ("is:outside type:hinge", ("RightLeg",)),
        ("grade:seen type:universal", ("head",)),
        ("nobody", ()),
        ("color:red", ()),
        ("", JOINTS),
    ],
)
def test_queries(tree, document, query, found):
    document.edit.set_state("spine", "rotateX", "locked")
    tree.set_outside({"head": 1.0, "RightLeg": 2.0})
    tree.set_query(query)
    assert tree.shown_joints() == found


def test_ready_queries_are_in_the_menu(joint_list, tree, document, qtbot):
    document.edit.pin("head")
    actions = {action.data(): action for action in joint_list._show.menu().actions()}
    actions["from:artist"].trigger()
    assert joint_list.field.text() == "from:artist"
    assert tree.shown_joints() == ("head",)
    actions[""].trigger()
    assert tree.shown_joints() == JOINTS


def test_selecting_a_joint_that_is_filtered_out_takes_the_filter_off(joint_list, tree, qtbot):
    assert joint_list._count.text() == "11 joints"
    qtbot.keyClicks(joint_list.field, "arm")
    assert joint_list._count.text() == "4 of 11"
    tree.select_joints(["LeftLeg"])
    assert tree.selected_joints() == ("LeftLeg",)
    assert joint_list.field.text() == ""
    assert tree.shown_joints() == JOINTS


def test_the_header_sorts_and_goes_back_to_the_hierarchy(tree, qtbot):
    tree.select_joints(["head"])
    click_header(qtbot, tree, model.FINDINGS)
    counts = [len(tree.item_of(name).line.findings) for name in tree.shown_joints()]
    assert counts == sorted(counts, reverse=True)
    assert tree.selected_joints() == ("head",)
    click_header(qtbot, tree, model.FINDINGS)
    counts = [len(tree.item_of(name).line.findings) for name in tree.shown_joints()]
    assert counts == sorted(counts)
    click_header(qtbot, tree, model.FINDINGS)
    assert tree.shown_joints() == JOINTS
    click_header(qtbot, tree, model.TYPE)
    kinds = [tree.item_of(name).line.kind for name in tree.shown_joints()]
    assert kinds == sorted(kinds, key=("fixed", "hinge", "universal", "ball").index)


def test_order_and_filter_follow_what_changes(tree, document, qtbot):
    click_header(qtbot, tree, model.TYPE)
    document.edit.set_type("RightUpLeg", "fixed")
    assert tree.shown_joints()[0] == "RightUpLeg"
    tree.set_query("type:fixed")
    assert tree.shown_joints() == ("RightUpLeg",)
    document.undo_stack.undo()
    assert tree.shown_joints() == ()


@pytest.mark.parametrize("room", [1000, 500, 436, 400, 317, 300, 200])
def test_columns_share_the_room_and_the_name_comes_first(room):
    widths = column_widths(room, letter=8, name=200, least=140)
    assert sum(widths.values()) <= room
    assert 200 >= widths[model.JOINT] >= 140, "names are whole"
    assert model.RANGE in widths
    assert ({model.SURE, model.FINDINGS} <= set(widths)) is (room >= 317)
    assert (model.TYPE in widths) is (room > 200)
    if room >= 460:
        assert len(widths) == model.COLUMN_COUNT
