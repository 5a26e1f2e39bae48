"""What the stand-in does not model, or what Maya refuses, raises: nothing is guessed."""

from __future__ import annotations

import ast
import inspect
import sys

import pytest

from tests.maya_standin import NotModelledError, NotModelledNameError, current, installed
from tests.maya_standin.commands.registry import COMMANDS
from tests.maya_standin.graph import AttributeSpec
from tests.maya_standin.words import words_of


def test_a_command_that_is_not_modelled_raises_and_is_not_there(cmds):
    assert not hasattr(cmds, "polySphere")
    with pytest.raises(NotModelledNameError, match=r"maya\.cmds\.polySphere"):
        cmds.polySphere()


def test_a_flag_that_is_not_modelled_raises(cmds):
    with pytest.raises(NotModelledError, match=r"getAttr.*expandEnvironmentVariables"):
        cmds.getAttr("persp.tx", expandEnvironmentVariables=True)


def test_short_names_of_flags_are_refused(cmds):
    with pytest.raises(NotModelledError, match=r"ls\(sl="):
        cmds.ls(sl=True)


def test_a_flag_of_a_wrong_type_raises_as_maya_does(cmds):
    with pytest.raises(TypeError, match=r"arguments for flag 'long'\. Expected bool, got str"):
        cmds.ls(long="yes")
    with pytest.raises(TypeError, match="flag 'rotationX'"):
        cmds.transformLimits("persp", rotationX=(1, 2, 3))


# Flags that only say which mode it is, how something looks, or what Maya does here anyway.
WITHOUT_EFFECT = set(
    words_of(
        "edit replace children absolute definition noContext prompt messageAlign defaultButton "
        "cancelButton icon parent position fade fadeStayTime fadeInTime fadeOutTime force "
        "currentView allowOptionBoxes dividerLabel tearOff commandRepeatable "
        "enableCommandRepeat flat width height simulation align"
    )
)


def test_no_flag_is_taken_and_then_forgotten(cmds):
    for name, command in COMMANDS.items():
        (function,) = ast.parse(inspect.getsource(inspect.unwrap(command.function))).body
        read = {node.id for part in function.body for node in ast.walk(part) if is_name(node)}
        forgotten = set(command.flags) - read - WITHOUT_EFFECT
        assert not forgotten, f"{name}: {forgotten}"


def is_name(node):
    return isinstance(node, ast.Name)


def test_what_nobody_can_know_is_not_guessed(maya):
    with pytest.raises(NotModelledError, match="polyCube"):
        maya.scene.create_node("polyCube")
    cube = maya.scene.create_node("polyCube", "cube", opaque=True)
    with pytest.raises(NotModelledError, match="attribute width of polyCube"):
        cube.path_of("width")
    with pytest.raises(NotModelledError, match="fancy"):
        AttributeSpec("a", "a", "fancy")
    assert not issubclass(NotModelledError, RuntimeError), "code that catches Maya's would hide it"


def test_maya_is_there_inside_and_gone_outside():
    with installed(version=2024) as session:
        from maya import cmds
        from maya.api import OpenMaya

        assert current() is session
        assert cmds is sys.modules["maya.cmds"]
        assert OpenMaya is sys.modules["maya.api.OpenMaya"]
        with pytest.raises(NotModelledNameError, match=r"maya.api.OpenMaya.MFnWonder"):
            OpenMaya.MFnWonder  # noqa: B018
        with pytest.raises(AttributeError):
            cmds.noSuchCommand  # noqa: B018
    assert not any(name.partition(".")[0] == "maya" for name in sys.modules)
    with pytest.raises(RuntimeError, match="no stand-in session"):
        current()
