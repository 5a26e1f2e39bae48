"""What sources say about siblings of the cases in test_observed_cases.py.

Each row names its source: a test suite or thread in which Maya itself answered, or Autodesk's
reference. Rows marked [K] are common knowledge of Maya without such a source.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest


@pytest.fixture
def m(cmds, om, tmp_path):
    """Transforms a and b with c below b, a network n with an array, and what asks about them."""
    for name in "ab":
        cmds.createNode("transform", name=name)
    cmds.createNode("transform", name="c", parent="b")
    cmds.createNode("network", name="n")
    cmds.addAttr("n", longName="row", multi=True)
    for index in (0, 1, 3):
        cmds.setAttr(f"n.row[{index}]", 0.5)
    cmds.addAttr("n", longName="words", dataType="string")
    cmds.addAttr("n", longName="color", attributeType="enum", enumName="Green:Blue:Yellow")
    cmds.select(clear=True)
    return SimpleNamespace(
        cmds=cmds,
        om=om,
        plug=lambda name: om.MSelectionList().add(name).getPlug(0),
        node=lambda name: om.MSelectionList().add(name).getDependNode(0),
        folder=tmp_path,
    )


def flag(m, name, on):
    setattr(m.plug("a.rotate"), name, on)
    return getattr(m.plug("a.rotate"), name)


def done_and_undone(kind, call, arguments, ask):
    """Let a modifier do something and take it back: what a question gives after each."""

    def run(m):
        modifier, found = getattr(m.om, kind)(), []
        getattr(modifier, call)(*arguments(m))
        for step in (modifier.doIt, modifier.undoIt):
            step()
            found.append(ask(m.cmds))
        return found

    return run


def ends(m):
    plugs = [m.plug("a.visibility"), m.plug("b.visibility")]
    return [part for plug in plugs for part in (plug.node(), plug.attribute())]


def letter(m):
    m.cmds.addAttr("n", longName="letter", attributeType="char")
    return m.plug("n.letter"), 65


def five_joints_twice(m):
    first = [m.cmds.joint(position=(0, i, 0)) for i in range(5)]
    m.cmds.select(clear=True)
    return first + [m.cmds.joint(position=(i, 0, 0)) for i in range(5)]


def compound(m, kind, values):
    m.cmds.addAttr("n", longName="whole", attributeType=kind)
    for number in range(len(values)):
        m.cmds.addAttr("n", longName=f"part{number}", attributeType=kind[:-1], parent="whole")
    m.cmds.setAttr("n.whole", *values)
    return m.cmds.getAttr("n.whole", type=True), m.cmds.getAttr("n.whole")


def unlock_in_a_reference(m):
    """Unlock what the referenced file has locked, after a lock of this scene's own."""
    m.cmds.setAttr("a.tx", lock=True)
    m.cmds.file(rename=str(m.folder / "rig.ma"))
    m.cmds.file(save=True, type="mayaAscii")
    m.cmds.file(newFile=True, force=True)
    m.cmds.file(str(m.folder / "rig.ma"), reference=True, namespace="rig")
    for name, on in (("ty", True), ("ty", False), ("tx", False)):
        m.cmds.setAttr(f"rig:a.{name}", lock=on)


def fields(m):
    enum = m.om.MFnEnumAttribute(m.plug("n.color").attribute())
    return [enum.fieldName(value) for value in range(enum.getMin(), enum.getMax() + 1)]


def joint_flags(m):
    made = m.cmds.joint(limitX=(-20, 30), limitSwitchX=(True, False), rotationOrder="zxy")
    asked = ("limitSwitchX", "rotationOrder")
    return [m.cmds.joint(made, query=True, **{name: True}) for name in asked]


def namespaces(m):
    for name in ("rig", "rig:arm"):
        m.cmds.namespace(addNamespace=name)
    m.cmds.namespace(setNamespace="rig:arm")
    m.cmds.createNode("transform", name="q")
    asked = ("fullName", "baseName", "parent", "listOnlyDependencyNodes")
    return [m.cmds.namespaceInfo(**{name: True}) for name in asked] + [
        m.cmds.namespaceInfo(currentNamespace=True, absoluteName=True),
        m.cmds.namespaceInfo(":rig", listOnlyNamespaces=True),
    ]


def keys_of_all_channels(m):
    m.cmds.setKeyframe("a", time=1)
    m.cmds.keyframe("a.tx", edit=True, absolute=True, index=(0, 0), valueChange=2.25)
    return m.cmds.keyframe("a", query=True, keyframeCount=True), m.cmds.getAttr("a.tx")


def queries(m):
    asked = [("rotate", "a", "listChildren"), ("rotateX", "a", "listParent")]
    asked += [("color", "n", "attributeType"), ("row", "n", "multi")]
    return [m.cmds.attributeQuery(name, node=n, **{flag: True}) for name, n, flag in asked]


def units(m):
    lengths, angles = m.om.MDistance, m.om.MAngle
    return lengths(1.0, lengths.kMeters).asMillimeters(), round(angles(1.0).asDegrees(), 4)


ANSWERS = {
    "cmdx tests: keyable": (lambda m: flag(m, "isKeyable", False), False),
    "cmdx tests: channelBox": (lambda m: flag(m, "isChannelBox", True), True),
    "OpenPype 2497: a text never set": (lambda m: m.cmds.getAttr("n.words"), None),
    "cmdc MPlug: evaluateNumElements": (lambda m: m.plug("n.row").evaluateNumElements(), 3),
    "API: elementByPhysicalIndex": (
        lambda m: m.plug("n.row").elementByPhysicalIndex(2).name(), "n.row[3]"),
    "cmdc MDGModifier: connect by objects": (
        done_and_undone("MDGModifier", "connect", ends, lambda c: c.isConnected("a.v", "b.v")),
        [True, False]),
    "cmdc MDGModifier: setNodeLockState": (
        done_and_undone("MDGModifier", "setNodeLockState", lambda m: (m.node("n"), True),
                        lambda c: c.lockNode("n", query=True)), [[True], [False]]),
    "cmdc MDGModifier: newPlugValueChar": (
        done_and_undone("MDGModifier", "newPlugValueChar", letter,
                        lambda c: c.getAttr("n.letter")), [65, 0]),
    "API: reparentNode": (
        done_and_undone("MDagModifier", "reparentNode", lambda m: (m.node("c"), m.node("a")),
                        lambda c: c.ls("c", long=True)), [["|a|c"], ["|b|c"]]),
    "cmt test_rig_common: default names": (
        five_joints_twice, [f"joint{number}" for number in range(1, 11)]),
    "pymel test_general: double3": (
        lambda m: compound(m, "double3", (1, 2, 3)), ("double3", [(1.0, 2.0, 3.0)])),
    "pymel test_general: short2": (lambda m: compound(m, "short2", (1, 2)), ("short2", [(1, 2)])),
    "maya-usd 2093: a number for #": (lambda m: m.cmds.rename("n", "Sphere_#"), "Sphere_1"),
    "[K] all of worldMatrix": (lambda m: len(m.cmds.getAttr("a.worldMatrix")), 16),
    "AL_omx test_plugs: enum names": (fields, ["Green", "Blue", "Yellow"]),
    "reference of joint": (joint_flags, [[True, False], "zxy"]),
    "reference of namespaceInfo": (
        namespaces, ["rig:arm", "arm", "rig", ["rig:arm:q"], ":rig:arm", ["rig:arm"]]),
    "reference of keyframe and setKeyframe": (keys_of_all_channels, (10, 2.25)),
    "reference of ls: showType": (
        lambda m: m.cmds.ls("a", "n", showType=True), ["a", "transform", "n", "network"]),
    "reference of attributeQuery": (
        queries, [["rotateX", "rotateY", "rotateZ"], ["rotate"], "enum", True]),
    "API: units": (units, (1000.0, 57.2958)),
}  # fmt: skip

REFUSALS = {
    "mgear 466": (lambda c: c.connectAttr("a.tx", "b.none"), "destination attribute 'b.none'"),
    "SubstancePainterToMaya 7": (lambda c: c.connectAttr("q.tx", "b.tx"), "source attribute"),
    "maya-usd 270": (lambda c: c.connectAttr("a.translate", "b.tx"), "not compatible"),
    "maya-usd 270: matrix": (lambda c: c.connectAttr("a.matrix", "b.tx"), "not compatible"),
    "maya-usd 270: text": (lambda c: c.connectAttr("n.words", "b.tx"), "not compatible"),
    "pymel 416": (lambda c: c.nodeType("nobody"), "No object matches name: nobody"),
    "[K] twice": (lambda c: [c.namespace(addNamespace="x") for _ in "12"], "already exists"),
}


@pytest.mark.parametrize("source", ANSWERS)
def test_answer(source, m):
    ask, wanted = ANSWERS[source]
    assert ask(m) == wanted


@pytest.mark.parametrize("source", REFUSALS)
def test_refusal(source, m):
    ask, words = REFUSALS[source]
    with pytest.raises(RuntimeError, match=words):
        ask(m.cmds)


def test_a_lock_of_the_referenced_file_stays(m):
    """github.com/abstractfactory/maya-capture issue 50."""
    with pytest.raises(RuntimeError, match=r"rig:a\.translateX' is locked in its reference"):
        unlock_in_a_reference(m)
    assert not m.cmds.getAttr("rig:a.ty", lock=True)
