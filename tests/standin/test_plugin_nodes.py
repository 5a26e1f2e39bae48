"""Nodes of plug-ins in the stand-in, and the utility nodes that rigs compute with."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.matrices import decompose
from tests.maya_standin.open_maya import plugin_node


@pytest.fixture
def doubling(om):
    """A type of nodes that doubles a number, with one input that affects nothing."""
    seen = SimpleNamespace(computes=0, reads_idle=False, sets=True)

    class Doubling(om.MPxNode):
        @classmethod
        def initialize(cls):
            numeric = om.MFnNumericAttribute()
            for name in ("number", "idle", "twice"):
                made = numeric.create(name, name, om.MFnNumericData.kDouble, 1.0)
                setattr(cls, name, made)
                cls.addAttribute(made)
            cls.attributeAffects(cls.number, cls.twice)

        def compute(self, plug, block):
            seen.computes += 1
            value = block.inputValue(self.number).asDouble()
            if seen.reads_idle:
                block.inputValue(self.idle)
            if seen.sets:
                block.outputValue(self.twice).setDouble(2.0 * value)
                block.setClean(plug)
            return self

    plugin_node.register("doubling", Doubling, Doubling.initialize)
    return seen


def test_it_computes_when_an_input_changes_and_not_before(cmds, doubling):
    node = cmds.createNode("doubling")
    assert cmds.getAttr(f"{node}.twice") == 2.0
    assert cmds.getAttr(f"{node}.twice") == 2.0
    assert doubling.computes == 1
    cmds.setAttr(f"{node}.number", 4.0)
    assert cmds.getAttr(f"{node}.twice") == 8.0
    assert doubling.computes == 2


def test_what_maya_would_show_wrong_is_refused(cmds, doubling):
    node = cmds.createNode("doubling")
    doubling.reads_idle = True
    with pytest.raises(NotModelledError, match="idle, which does not affect"):
        cmds.getAttr(f"{node}.twice")
    doubling.reads_idle, doubling.sets = False, False
    cmds.setAttr(f"{node}.number", 3.0)
    with pytest.raises(NotModelledError, match="leaves twice as it was"):
        cmds.getAttr(f"{node}.twice")


@pytest.fixture
def summing(om):
    """A type of nodes that reads an array of triples, and says what it saw."""
    seen = SimpleNamespace(read=lambda array, child: None)

    class Summing(om.MPxNode):
        @classmethod
        def initialize(cls):
            numeric = om.MFnNumericAttribute()
            parts = [numeric.create(f"many{a}", f"m{a}", om.MFnNumericData.kDouble) for a in "XYZ"]
            cls.many, cls.first = numeric.create("many", "m", *parts), parts[0]
            numeric.array, numeric.disconnectBehavior = True, om.MFnAttribute.kDelete
            cls.total = om.MFnNumericAttribute().create("total", "t", om.MFnNumericData.kDouble)
            cls.addAttribute(cls.many)
            cls.addAttribute(cls.total)
            cls.attributeAffects(cls.many, cls.total)

        def compute(self, plug, block):
            seen.found = seen.read(block.inputArrayValue(self.many), self.first)
            block.outputValue(self.total).setDouble(1.0)
            block.setClean(plug)
            return self

    plugin_node.register("summing", Summing, Summing.initialize)
    return seen


def test_elements_go_by_index_or_by_position(cmds, summing):
    node, other = cmds.createNode("summing"), cmds.createNode("transform", name="other")
    cmds.setAttr(f"{node}.many[7].manyX", 70.0)
    cmds.setAttr(f"{other}.translateX", 30.0)
    cmds.connectAttr(f"{other}.translate", f"{node}.many[3]")

    def read(array, child):
        values = {}
        for position in range(len(array)):
            array.jumpToPhysicalElement(position)
            values[array.elementLogicalIndex()] = array.inputValue().child(child).asDouble()
        array.jumpToLogicalElement(7)
        values["by index"] = array.inputValue().child(child).asDouble()
        for jump, missing in ((array.jumpToLogicalElement, 0), (array.jumpToPhysicalElement, 2)):
            with pytest.raises(RuntimeError):
                jump(missing)
        return values

    summing.read = read
    assert cmds.getAttr(f"{node}.total") == 1.0
    assert summing.found == {3: 30.0, 7: 70.0, "by index": 70.0}
    cmds.delete(other)
    cmds.getAttr(f"{node}.total")
    assert 3 not in summing.found
    cmds.undo()
    cmds.getAttr(f"{node}.total")
    assert summing.found[3] == 30.0


def test_an_array_is_no_single_value(cmds, om):
    class Wrong(om.MPxNode):
        @classmethod
        def initialize(cls):
            numeric = om.MFnNumericAttribute()
            for name in ("single", "many", "twice"):
                made = numeric.create(name, name, om.MFnNumericData.kDouble)
                setattr(cls, name, made)
                numeric.array = name == "many"
                cls.addAttribute(made)
            cls.attributeAffects(cls.single, cls.twice)
            cls.attributeAffects(cls.many, cls.twice)

        def compute(self, plug, block):
            with pytest.raises(NotModelledError, match="of the array many"):
                block.inputValue(self.many)
            with pytest.raises(RuntimeError, match="not an array"):
                block.inputArrayValue(self.single)
            with pytest.raises(RuntimeError):
                block.inputArrayValue(self.many).inputValue()
            block.outputValue(self.twice).setDouble(2.0)
            block.setClean(plug)
            return self

    plugin_node.register("wrong", Wrong, Wrong.initialize)
    assert cmds.getAttr(f"{cmds.createNode('wrong')}.twice") == 2.0


def test_compose_and_decompose_are_inverse(cmds):
    node, parts = cmds.createNode("composeMatrix"), cmds.createNode("decomposeMatrix")
    cmds.connectAttr(f"{node}.outputMatrix", f"{parts}.inputMatrix")
    given = {"inputRotate": (20.0, -50.0, 70.0), "inputTranslate": (1.0, 2.0, 3.0)}
    for name, values in given.items():
        cmds.setAttr(f"{node}.{name}", *values, type="double3")
    for order in range(6):
        cmds.setAttr(f"{node}.inputRotateOrder", order)
        cmds.setAttr(f"{parts}.inputRotateOrder", order)
        for axis, angle, place in zip("XYZ", *given.values()):
            assert cmds.getAttr(f"{parts}.outputRotate{axis}") == pytest.approx(angle)
            assert cmds.getAttr(f"{parts}.outputTranslate{axis}") == pytest.approx(place)
    before = cmds.getAttr(f"{node}.outputMatrix")
    for letter in "XYZW":
        cmds.setAttr(f"{node}.inputQuat{letter}", cmds.getAttr(f"{parts}.outputQuat{letter}"))
    cmds.setAttr(f"{node}.useEulerRotation", False)
    assert np.abs(np.subtract(cmds.getAttr(f"{node}.outputMatrix"), before)).max() < 1e-12
    scale, _, _ = decompose(before)
    assert np.allclose(scale, 1.0)


def test_float_attributes_are_single_precision(cmds):
    node = cmds.createNode("clamp")
    cmds.setAttr(f"{node}.maxR", 1.0)
    cmds.setAttr(f"{node}.inputR", 0.1)
    assert cmds.getAttr(f"{node}.outputR") == float(np.float32(0.1)) != 0.1
    for value, held in ((-3.0, 0.0), (7.0, 1.0)):
        cmds.setAttr(f"{node}.inputR", value)
        assert cmds.getAttr(f"{node}.outputR") == held
