"""Is there nothing in the stand-in that Maya does not have, or takes differently?

Against the stubs types-maya-strict, which were made from Autodesk's documentation of Maya 2025.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

from tests.maya_standin import commands as command_modules
from tests.maya_standin.commands.registry import COMMANDS
from tests.support import maya_stubs

# All commands, whatever tests run beside these.
for _module in pkgutil.iter_modules(command_modules.__path__):
    importlib.import_module(f"{command_modules.__name__}.{_module.name}")

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(maya_stubs.folder() is None, reason="no types-maya-strict (the dev extra)"),
]
MODULES = {"om": "api/OpenMaya", "oma": "api/OpenMayaAnim", "context_guard": "api/MDGContextGuard"}
CLASSES = [
    (module, name)
    for module in MODULES
    for name in importlib.import_module(f"tests.maya_standin.open_maya.{module}").__all__
]
DISTANCES = (
    *("Inches", "Feet", "Yards", "Miles", "Millimeters", "Centimeters", "Kilometers", "Meters"),
)
# What the stand-in's own parts tell each other; mypy keeps the adapter from it.
INNER = {
    "MMatrix": {"array"},
    "MDGContext": {"seconds"},
    "MSyntax": {"flag", "flags", "has_flag", "object_type", "object_range", "takes_selection"}
    | {"argument_types"},
    "MArgList": {"given"},
    "MPxCommand": {"prepare"},
    "MDataBlock": {"clean", "outputs"},
}
# Methods that Autodesk's reference has, and the stubs lack.
UNLISTED = {
    "MAngle": {"asDegrees", "asAngMinutes", "asAngSeconds"},
    "MDistance": {f"as{name}" for name in DISTANCES},
}
# Overloads whose arguments the stub lost.
LOST = {
    f"{kind}.{name}"
    for kind in ("MDGModifier", "MDagModifier")
    for name in ("connect", "deleteNode", "disconnect")
}
# Flags that the stubs describe unlike Autodesk's reference, or all public plug-ins.
OTHERWISE = {
    *(f"cmds.joint(limitSwitch{axis}=...)" for axis in "XYZ"),
    "cmds.editorTemplate(callCustom=...)",
}
# Flags of the stubs' kinds, by the stand-in's name for the kind.
KINDS = {
    "Bool": ("bool", "Literal[True]"),
    "Text": ("str",),
    "Float": ("float",),
    "Int": ("int",),
    "NamedScript": ("tuple[str, str | Callable]",),
    "Points": ("list[tuple[float, float, float]]",),
    "Pair": ("tuple[float, float]",),
    "Triple": ("tuple[float, float, float]",),
    "Switches": ("tuple[bool | int, bool | int]",),
    "Texts": ("list[str]",),
    "Numbers": ("list[float]", "list[int | float]"),
    "Callback": ("Callable",),
    "NamedFloat": ("tuple[str, float]",),
    "NamedInt": ("tuple[str, int]",),
    "NamedText": ("tuple[str, str]",),
}


def stub_of(module, name):
    classes, _ = maya_stubs.module(MODULES[module])
    return classes.get(name)


def class_of(module, name):
    return getattr(importlib.import_module(f"tests.maya_standin.open_maya.{module}"), name)


def members(kind, name):
    """What a class adds to its bases, for everybody to use."""
    inner = {attribute for names in INNER.values() for attribute in names}
    inner |= UNLISTED.get(name, set())
    found = {}
    for place in kind.__mro__:
        if place.__module__.startswith("tests.") and place.__name__ != "Strict":
            for attribute, value in vars(place).items():
                if not attribute.startswith("_") and attribute not in found:
                    found[attribute] = value
    return {attribute: value for attribute, value in found.items() if attribute not in inner}


def stub_members(module, name):
    """Functions and values of a class in the stub, with those of its bases."""
    functions, values = {}, set()
    pending = [name]
    while pending:
        current = pending.pop(0)
        stub = stub_of(module, current) or stub_of("om", current)
        if stub is not None:
            functions = {**stub.functions, **functions}
            values |= stub.values
            pending += stub.bases
    return functions, values


@pytest.mark.parametrize(("module", "name"), CLASSES)
def test_class(module, name):
    stub, kind = stub_of(module, name), class_of(module, name)
    assert stub is not None, f"{name} is not in the stub"
    for base in stub.bases:
        assert base in [place.__name__ for place in kind.__mro__], f"{name} is a {base}"
    functions, values = stub_members(module, name)
    for attribute, value in members(kind, name).items():
        called = f"{name}.{attribute}"
        if callable(value) or isinstance(value, (staticmethod, classmethod)):
            assert attribute in functions or attribute in values, f"{called} is not in the stub"
            if attribute in functions:
                check_function(called, value, functions[attribute])
        else:
            assert attribute in values, f"{called} is no value or property in the stub"


def check_function(called, value, stub):
    """One method: static or not, and how many arguments it takes."""
    static = isinstance(value, (staticmethod, classmethod))
    if stub.is_static:
        assert static, f"{called} is static"
    parameters = list(inspect.signature(getattr(value, "__func__", value)).parameters.values())
    if not isinstance(value, staticmethod):
        parameters = parameters[1:]
    required = [one for one in parameters if one.default is one.empty]
    if stub.most is None or called in LOST:
        return
    assert len(parameters) <= stub.most, f"{called} takes {stub.most} arguments at the most"
    assert len(required) >= stub.least, f"{called} needs {stub.least} arguments"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_command(name):
    _, commands = maya_stubs.module("cmds/__init__")
    assert name in commands, f"cmds.{name} is not in the stub"
    for parameter in inspect.signature(COMMANDS[name].function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            flag, stub = parameter.name, commands[name].parameters
            assert flag in stub, f"cmds.{name} has no flag {flag}"
            check_flag(f"cmds.{name}({flag}=...)", parameter.annotation, stub[flag])


def check_flag(called, kind, annotations):
    """One flag: does it take such values in any mode?"""
    if kind in KINDS and called not in OTHERWISE:
        allowed = " or ".join(annotations)
        assert any(word in allowed for word in KINDS[kind]), f"{called} takes {allowed}"


def test_the_check_finds_what_is_wrong():
    """The tests above can fail: each kind of difference is found."""
    stub = maya_stubs.Function(is_static=True, least=1, most=2)
    for wrong in (
        lambda self, one: None,
        staticmethod(lambda: None),
        staticmethod(lambda one, two, three: None),
    ):
        with pytest.raises(AssertionError):
            check_function("Some.thing", wrong, stub)
    check_function("Some.thing", staticmethod(lambda one, two=0: None), stub)
    with pytest.raises(AssertionError):
        check_flag("cmds.some(thing=...)", "Pair", ["bool | int | float"])
    functions, values = stub_members("om", "MFnTransform")
    assert {"setLimit", "fullPathName", "findPlug", "object"} <= set(functions)
    assert "kRotateMinX" in values
    assert "executeCommand" not in stub_members("om", "MGlobal")[0]
