"""Opening small scenes in the stand-in, and comparing what was opened."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from tests.maya_standin import Session, ma_reader, ma_writer
from tests.maya_standin.state import state_lines
from tests.support.maya_scenes import write_scene

JOINTS = """createNode joint -n "hip";
\trename -uid "A-1";
\tsetAttr ".t" -type "double3" 1 2 3 ;
\tsetAttr ".ro" 2;
createNode joint -name "knee" -parent "hip";
\trename -uuid "A-2";
\tsetAttr ".jointOrient" -type "double3" 0 90 -45 ;
\tsetAttr -l on ".ry";
\tsetAttr -k off ".rz";
\tsetAttr -cb on ".radi";
"""


def open_body(folder, body, *, header=None, session=None, **options):
    """Scene of a small file."""
    session = session or Session()
    named = {} if header is None else {"header": header}
    return ma_reader.open_scene(session, str(write_scene(folder, body, **named)), **options)


def value(scene, name):
    plug = scene.plug(name)
    return plug.node.stored(plug.path)


def essence(session):
    """What a scene is, but for its file's name and the node that Maya adds when saving."""
    lines, skip = [], False
    for line in state_lines(session.scene):
        if not line.startswith("  "):
            skip = "sceneConfigurationScriptNode" in line or line.startswith("file ")
        if not skip:
            lines.append(line)
    return sorted(lines)


def reopen(session, path):
    """Another session with what the first one's scene is written as."""
    ma_writer.write_scene(session, str(path))
    return opened_copy(path)


@cache
def real_session(path):
    """A session with a scene of others open, for all tests; none may change it."""
    return opened_copy(path)


def opened_copy(path):
    """The same, for one test to change; missing references and other problems do not matter."""
    session = Session()
    with suppress(RuntimeError):
        ma_reader.open_scene(session, str(path))
    assert session.scene.file_name == str(path)
    return session
