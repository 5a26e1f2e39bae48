"""Type checking of calls into Maya: mypy catches errors planted into the adapter's own lines.

The first two tables are the errors that a review planted when the API's types were public stubs
alone: these caught the kinds of the second table and none of the first.
"""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import maya_stubs
from tests.support.house_files import ADAPTER, ROOT
from tests.support.type_checks import mypy, needs_stubs

MISSED_BY_STUBS_ALONE = """
write/curves.py | addKeys(self._times, | setKeys(self._times,
projection/api.py | curve.find(at) | curve.find(frame)
scene/joints.py | walk.isDone() | walk.isFinished()
projection/node.py | block.inputValue(attributes["enable"]) | block.inputPlug("enable")
projection/node.py | setMAngle(om.MAngle(value, om.MAngle.kRadians)) | setMAngle(value)
scene/edit.py | newPlugValueMDistance(plug, length) | newPlugValueMDistance(length, plug)
commands/base.py | setObjectType(om.MSyntax.kStringObjects) | setObjectType("strings")
scene/joints.py | add(name).getDependNode(0) | add(name).getDependNode("x")
commands/base.py | if parsed.isQuery: | if parsed.isQuery():
scene/joints.py | getAPathTo(node).fullPathName() | getAPathTo(node).fullName()
scene/undo.py | command(number) | command(str(number))
"""

CAUGHT_BY_STUBS_ALONE = """
read/drivers.py | AXES.index(plug.partialName( | AXES.index(plug.shortName(
scene/time.py | MAnimControl.minTime() | MAnimControl.startTime()
plug-ins/jointLimits.py | plug_in.registerCommand( | plug_in.addCommand(
scene/undo.py | .commandArgumentInt(0) | .commandArgumentLong(0)
projection/live.py | addAttribute(driver(), attribute) | addAttribute(attribute)
skeleton/quality.py | "scale"), self.plug(joint, "inverseScale")) | "scale"))
scene/preserve.py | stateWithoutFlush=on | stateNoFlush=on
scene/preserve.py | cmds.refresh(suspend=True) | cmds.refresh(suspend="yes")
scene/joints.py | referenceNode=True | referenceNodes=True
window/guides.py | name=f":{GUIDES}", skipSelect=True | name=f":{GUIDES}", skipSelect=1.5
scene/estimates.py | cmds.file(query=True, sceneName=True) | cmds.files(query=True, sceneName=True)
"""

MORE = """
interactive.py | cmds.menu(MENU, exists=True) | cmds.menu(MENU, ex=True)
scene/joints.py | type="transform", long=True) | type="transform", long=True, autoKeyframe=True)
scene/estimates.py | cmds.ls(path, uuid=True) or () | cmds.objExists(path) or ()
projection/node.py | typed = om.MFnTypedAttribute() | typed = om.MFnAnimCurve()
base/host.py | om.MGlobal.kBaseUIMode | om.MGlobal.kBaseUIModes
projection/api.py | curve.setValue(index, value, change) | curve.setValue(at, value, change)
projection/api.py | curve.kTangentAuto, change) | change)
write/curves.py | .setPreInfinityType(before, change) | .setPreInfinityType(change, before)
write/curves.py | om.MDoubleArray(values.tolist()) | om.MTime(1.0)
read/scene_graph.py | self._function.input(key).asUnits( | self._function.input(key).units(
read/scene_graph.py | str(om.MFnDependencyNode(maya_node) | str(om.MFnDependencyNode(name)
read/scene_graph.py | path.child(place) | path.children(place)
scene/edit.py | om.MDistance.kCentimeters | om.MAngle.kRadians
scene/edit.py | newPlugValueString(plug, value) | newPlugValueString(value, plug)
scene/edit.py | om.MFnMatrixData().create(value) | value
scene/plugs.py | plug.isFreeToChange() | plug.isFreeToChange
scene/preserve.py | setIgnoreReferenceEdits(True) | setIgnoreReferenceEdits(True, False)
scene/time.py | time.asUnits(om.MTime.uiUnit()) | time.asUnits(om.MDistance.kCentimeters)
scene/record.py | om.MFnData.kString | om.MSyntax.kString
commands/base.py | parsed.flagArgumentDouble(flag, 0) | parsed.flagArgumentDouble(0, flag)
projection/node.py | om.MFnNumericData.kDouble, 1.0 | om.MFnUnitAttribute.kAngle, 1.0
read/evaluation.py | om.MDGContext(time_at(frame)) | time_at(frame)
read/rest_pose.py | om.MDagPath(joint) | om.MDagPath(joint).fullPathName().node()
window/maya_host.py | handle.isValid() | handle.isNull()
plug-ins/jointLimits.py | deregisterNode(om.MTypeId(TYPE_ID)) | deregisterNode(TYPE_ID)
"""


def planted_errors(table: str) -> Iterator[tuple[Path, str, str]]:
    """File of each error, and the text in one of its lines before and after."""
    for row in table.strip().splitlines():
        name, old, new = row.split(" | ")
        folder = Path() if name.startswith("plug-ins/") else ADAPTER.relative_to(ROOT)
        yield folder / name, old, new


ERRORS = [
    error
    for table in (MISSED_BY_STUBS_ALONE, CAUGHT_BY_STUBS_ALONE, MORE)
    for error in planted_errors(table)
]


def copy_of_the_adapter(folder: Path) -> Path:
    """Copy what mypy checks; the core is only linked."""
    for name in ("scripts", "plug-ins"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    (folder / "jointlimits_core").symlink_to(ROOT / "jointlimits_core")
    return folder


def plant(folder: Path, name: Path, old: str, new: str) -> str:
    """Plant an error; return its place as mypy names it."""
    path = folder / name
    before, *after = path.read_text(encoding="utf-8").split(old)
    assert len(after) == 1, (
        f"{name} has {old!r} {len(after)} times, not once; choose another line for this error"
    )
    path.write_text(before + new + after[0], encoding="utf-8")
    line = before.count("\n") + 1
    return f"{name.as_posix()}:{line}"


def test_there_are_47_errors_each_on_a_line_of_its_own(tmp_path):
    assert len(ERRORS) == 47
    copy = copy_of_the_adapter(tmp_path)
    assert len({plant(copy, *error) for error in ERRORS}) == len(ERRORS)


@pytest.mark.thorough
@needs_stubs
def test_the_adapter_has_no_mistakes_and_every_planted_one_is_caught(tmp_path):
    assert mypy(ROOT, "scripts", "plug-ins") == []
    copy = copy_of_the_adapter(tmp_path)
    places = {plant(copy, *error): error for error in ERRORS}
    found = mypy(copy, "scripts", "plug-ins")
    lines = {re.match(r"[^:]+:\d+", error)[0] for error in found}
    missed = [f"{place}: {new}" for place, (_, _, new) in places.items() if place not in lines]
    assert not missed, "\n".join(["missed:", *missed, "found:", *found])


def test_nothing_is_ignored_without_a_name_and_a_reason():
    """Each ``type: ignore`` of the adapter names its error, and the line before says why."""
    for path in sorted([*ADAPTER.rglob("*.py"), *(ROOT / "plug-ins").glob("*.py")]):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if "type: ignore" in line:
                place = f"{path.relative_to(ROOT)}:{number + 1}"
                assert re.search(r"type: ignore\[[\w-]+(, ?[\w-]+)*\]", line), place
                above = lines[number - 1].strip() if number else ""
                assert above.startswith("#"), f"{place}: a comment above has to say why"


# --- the types themselves -------------------------------------------------------------------------


def declared_classes() -> Iterator[tuple[str, ast.ClassDef]]:
    """Classes of the API that have types of our own, and the modules that they are in."""
    tree = ast.parse((ADAPTER / "base" / "api_types.pyi").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == "OpenMayaAnim":
            yield from ((node.name, one) for one in node.body if isinstance(one, ast.ClassDef))
        elif isinstance(node, ast.ClassDef):
            yield "OpenMaya", node


def declared_names(node: ast.ClassDef) -> set[str]:
    functions = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    values = {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
    return {name for name in functions | values if not name.startswith("__")}


def public_names(module: str, name: str) -> set[str]:
    """Names of a class in the public stubs, with those of its bases."""
    classes, _ = maya_stubs.module(f"api/{module}")
    if name not in classes:
        return public_names("OpenMaya", name) if module != "OpenMaya" else set()
    found = {*classes[name].functions, *classes[name].values}
    return found.union(*(public_names(module, base) for base in classes[name].bases))


@pytest.mark.thorough
@needs_stubs
def test_every_declared_name_is_one_of_the_api():
    """The public stubs are generated from Maya's own documentation."""
    unknown = {
        f"{module}.{node.name}.{name}"
        for module, node in declared_classes()
        if node.name not in {"MDGContextGuard", "utils"}  # modules of Python, which they leave out
        for name in declared_names(node) - public_names(module, node.name)
    }
    assert not unknown


@pytest.mark.thorough
@needs_stubs
def test_every_declared_name_is_used():
    """What the adapter no longer calls is no longer declared."""
    sources = [*ADAPTER.rglob("*.py"), *(ROOT / "plug-ins").glob("*.py")]
    used = set(re.findall(r"\w+", "\n".join(path.read_text(encoding="utf-8") for path in sources)))
    declared = {name for _, node in declared_classes() for name in declared_names(node)}
    unused = declared - used
    assert not unused


def test_the_adapter_imports_the_api_under_its_types():
    """Type checkers would else see the public stubs again."""
    direct = re.compile(r"^(import maya\.api|from maya import api|from maya\.api)\b", re.M)
    sources = [*ADAPTER.rglob("*.py"), *(ROOT / "plug-ins").glob("*.py")]
    found = [path for path in sources if direct.search(path.read_text(encoding="utf-8"))]
    assert not found
