"""Draw an exported model in MuJoCo at its limits.

    python -m docs.make_mujoco_image [MODEL.xml PICTURE.png]

draws the example without arguments. Needs MuJoCo, something that draws without a screen (EGL),
and Chromium.
"""

from __future__ import annotations

import base64
import os
import struct
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jointlimits_core.base.text import number
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.exporters.formats import ExportOptions, export_formats
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.io.output import atomic_output
from jointlimits_core.motion.joint_names import side_readings
from tests.support.browser import Browser, chromium

Picture = NDArray[np.uint8]

FOLDER = Path(__file__).resolve().parent
EXAMPLE = FOLDER.parent / "examples" / "humanoid_rom.ma"
PANEL = (480, 480)
MARGIN = 12
"""Pixels around the figure, in all poses together."""
SHOWN = 5
"""Joints of which both ends are drawn: those with the widest ranges of which one sees something."""
SEEN = 0.05
"""Bones move at least so far, as a share of the figure; a twist about itself shows nothing."""
HIGHLIGHT = (0.85, 0.33, 0.16, 1.0)


def example_model() -> str:
    """MJCF of the example."""
    motion = read_motion(EXAMPLE)
    exported = export_formats()["mjcf"].export(estimate(motion), motion.skeleton, ExportOptions())
    assert isinstance(exported.content, str)
    return exported.content


def limits_page(text: str) -> str:
    """Page with a model in its rest pose, and with single joints at both ends of their ranges."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    import mujoco

    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    renderer = mujoco.Renderer(model, PANEL[1], PANEL[0])
    pictures, words = [], []
    for joint in (None, *_widest(mujoco, model, data)):
        for end in (0, 1):
            shown, caption = _pose(mujoco, model, data, joint, end)
            renderer.update_scene(data, camera="corner")
            _colour(model, renderer, shown)
            pictures.append(renderer.render().copy())
            words.append(caption)
    return _page(_cropped(pictures), words)


def _cropped(pictures: list[Picture]) -> list[Picture]:
    """Without the empty edges that all of them have, so that the figure is large."""
    stack = np.stack(pictures)
    filled = (stack != stack[0, 0, 0]).any(axis=(0, 3))
    rows, columns = (np.flatnonzero(filled.any(axis=axis)) for axis in (1, 0))
    top, left = (max(int(where[0]) - MARGIN, 0) for where in (rows, columns))
    below, right = (int(where[-1]) + 1 + MARGIN for where in (rows, columns))
    return [picture[top:below, left:right] for picture in pictures]


def _page(pictures: list[Picture], words: list[str]) -> str:
    """Page with the first of each pair above the second."""
    columns = len(pictures) // 2
    figures = [
        f"<figure><figcaption>{caption}</figcaption><img src='data:image/png;base64,{png(one)}'>"
        for one, caption in zip([*pictures[::2], *pictures[1::2]], [*words[::2], *words[1::2]])
    ]
    style = (
        f"body{{margin:8px;display:grid;grid-template-columns:repeat({columns},1fr);gap:8px;"
        "font:13px sans-serif}figure{margin:0;text-align:center}img{width:100%}"
        "figcaption{white-space:pre-line;min-height:2.6em}"
    )
    return f"<!DOCTYPE html><meta charset=utf-8><style>{style}</style>{''.join(figures)}"


def png(picture: Picture) -> str:
    """PNG of rows of red, green and blue, as base64."""
    height, width = picture.shape[:2]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), picture.reshape(height, -1)], axis=1)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(chunks)).decode("ascii")


def _widest(mujoco: Any, model: Any, data: Any) -> list[int]:
    """Limited joints with the widest ranges, one of each body and of each pair of sides."""
    spans = np.where(model.jnt_limited, np.ptp(model.jnt_range, axis=1), 0.0)
    chosen: dict[str, int] = {}
    for joint in np.argsort(-spans, kind="stable").tolist():
        body = model.body(int(model.jnt_bodyid[joint])).name
        # "<side>arm" for either arm, so that only one of them is drawn.
        both = next((reading.key for reading in side_readings(body)), body)
        if both not in chosen and len(chosen) < SHOWN and _moves(mujoco, model, data, joint):
            chosen[both] = joint
    return list(chosen.values())


def _moves(mujoco: Any, model: Any, data: Any, joint: int) -> bool:
    """Whether something is seen of a joint's range."""
    places = []
    for end in (0, 1):
        _pose(mujoco, model, data, joint, end)
        places.append(data.geom_xpos.copy())
    size = np.ptp(places[0], axis=0).max()
    return bool(np.abs(places[1] - places[0]).max() > SEEN * size)


def _pose(mujoco: Any, model: Any, data: Any, joint: int | None, end: int) -> tuple[set[int], str]:
    """Pose the model; the bodies that moved, and what the pose is called."""
    mujoco.mj_resetDataKeyframe(model, data, 0)
    words = "rest"
    moved: set[int] = set()
    if joint is None and end == 1:
        limited = np.flatnonzero(model.jnt_limited & (model.jnt_type == 3))
        data.qpos[model.jnt_qposadr[limited]] = model.jnt_range[limited].mean(axis=1)
        words = "every joint in mid-range"
    elif joint is not None:
        value = float(model.jnt_range[joint, end])
        data.qpos[model.jnt_qposadr[joint]] = value
        moved = {int(model.jnt_bodyid[joint])}
        which = "highest" if end else "lowest"
        words = f"{model.joint(joint).name}\n{which} {number(np.degrees(value))}°"
    mujoco.mj_forward(model, data)
    return moved, words


def _colour(model: Any, renderer: Any, bodies: set[int]) -> None:
    for place in range(renderer.scene.ngeom):
        geom = renderer.scene.geoms[place]
        if geom.objid >= 0 and int(model.geom_bodyid[geom.objid]) in bodies:
            geom.rgba[:] = HIGHLIGHT


def outputs(arguments: list[str]) -> Iterator[tuple[str, Path]]:
    """Text of every model with the picture to draw of it."""
    if arguments:
        yield Path(arguments[0]).read_text(encoding="utf-8"), Path(arguments[1])
    else:
        yield example_model(), FOLDER / "images" / "mujoco.png"


def main(arguments: list[str]) -> None:
    """Draw the pictures with a browser."""
    program = chromium()
    if program is None:
        raise SystemExit("no Chromium found; install one, or name it in CHROMIUM")
    browser = Browser(program)
    try:
        for text, path in outputs(arguments):
            with tempfile.TemporaryDirectory() as folder:
                page, picture = Path(folder) / "page.html", Path(folder) / "picture.png"
                page.write_text(limits_page(text), encoding="utf-8")
                browser.open(page, (1150, 600))
                browser.picture(picture, whole=True)
                with atomic_output(path) as stream:
                    stream.write(picture.read_bytes())
                print(f"wrote {path}")
    finally:
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
