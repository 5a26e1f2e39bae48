"""Pictures of pages and shapes for the documents: ``python -m docs.make_page_images [NAME ...]``.

Draws with a real browser, so that they show what people see. Needs Chromium. ``--all FOLDER``
makes every kind of page instead, from 360 pixels to 4k, light, dark and without scripts.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.simulated_faults import Faults, Slip
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.check_result import CheckedClip, CheckResult
from jointlimits_core.evaluation.gate import Gate
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.io.output import atomic_output
from jointlimits_core.limits.limit_set import AxisLimit
from jointlimits_core.motion.skeleton import twist_axes
from jointlimits_core.report.figures.space import cube_around
from jointlimits_core.report.figures.view import Stage, View
from jointlimits_core.report.html.check_page import write_check_report
from jointlimits_core.report.html.limits_page import write_report
from jointlimits_core.report.html.skeleton_page import write_skeleton_report
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape
from jointlimits_core.shapes.mesh import surface_mesh
from jointlimits_core.shapes.shape import CoupledShape
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from tests.support.browser import Browser, chromium
from tests.support.made_pages import made_pages

from . import make_gallery

FOLDER = Path(__file__).resolve().parent
EXAMPLES = FOLDER.parent / "examples"
SIZE = (1440, 900)


def report(browser: Browser, page: Path) -> None:
    """The page of limits with a shoulder open."""
    motion = read_motion(EXAMPLES / "humanoid_rom.ma")
    limits = estimate(motion)
    write_report(limits, motion, page)
    number = list(limits.joints).index("LeftShoulder")
    browser.open(page, SIZE, part=f"#joint-{number}")
    browser.run("document.querySelector('[data-frame][data-joint]').click()")
    browser.run(f"document.querySelector('#joint-{number} [data-frame]').click(); scrollTo(0, 150)")


def check(browser: Browser, page: Path) -> None:
    """The page of a check in which an elbow and a knee are outside."""
    motion = read_motion(EXAMPLES / "humanoid_rom.ma")
    limits = estimate(motion)
    joints = dict(limits.joints)
    for name in ("LeftShoulder", "LeftHip", "RightHip"):
        axis = joints[name].limits["rotateX"]
        tighter = AxisLimit("limited", 0.4 * (axis.min_deg or 0.0), 0.4 * (axis.max_deg or 0.0))
        channels = {**joints[name].limits, "rotateX": tighter}
        joints[name] = joints[name].__class__(**{**vars(joints[name]), "limits": channels})
    limits = limits.__class__(**{**vars(limits), "joints": joints})
    clip = CheckedClip("humanoid_rom.ma", violations(limits, motion))
    result = CheckResult("tighter.limits.json", limits.character, Gate(), (clip,))
    write_check_report(result, page, None, limits, {"humanoid_rom.ma": motion})
    browser.open(page, SIZE)


def skeleton(browser: Browser, page: Path) -> None:
    """A skeleton found in 16 simulated sensors, one of which slips by 30 mm."""
    trial = simulated_figure(3, faults=Faults(0.004, 0.5, slips=(Slip("left shin", 20.0, 0.03),)))
    write_skeleton_report([fit_skeleton(trial.tracks)], page)
    browser.open(page, SIZE)


PANELS = (
    ("box", "box", "rotation-vector"),
    ("obb", "oriented box", "rotation-vector"),
    ("box", "box of swing and twist", "swing-twist"),
    ("ellipsoid", "least ellipsoid", "rotation-vector"),
    ("kdop", "k-DOP", "rotation-vector"),
    ("hull", "hull, the default", "rotation-vector"),
    ("implicit", "implicit surface", "rotation-vector"),
    ("wrap", "wrap", "rotation-vector"),
)
FINER = 4
"""Times as fine as the window's boundary, so that edges look like edges."""
_SIDE = 272.0
_LIGHT = np.array([0.35, 0.55, 0.75])


def shapes(browser: Browser, page: Path) -> None:
    """Every shape around the same samples of a shoulder, in the same room."""
    page.write_text(shapes_page(), encoding="utf-8")
    browser.open(page, (1400, 660))


def shapes_page() -> str:
    """Page with a picture of each shape."""
    motion, joint = read_motion(EXAMPLES / "humanoid_rom.bvh"), "LeftShoulder"
    rotations = motion.quaternion(joint)
    axis = twist_axes(motion.skeleton)[motion.skeleton.index(joint)]
    fitted = [
        fit_shape(kind, rotations, FitOptions(coordinates=coordinates), axis)
        for kind, _, coordinates in PANELS
    ]
    # All seen from the middle of the first: the same room for all.
    room = fitted[0].chart
    samples = np.degrees(room.coordinates(rotations))
    surfaces = [
        np.degrees(room.coordinates(mesh.rotations))[mesh.triangles]
        for mesh in (surface_mesh(shape, FINER) for shape in fitted)
    ]
    # Half a turn away from the middle the boundary comes back on the other side.
    whole = [found[np.ptp(found, axis=1).max(axis=1) < 180.0] for found in surfaces]
    figures = []
    for (_, title, _), shape, triangles in zip(PANELS, fitted, whole):
        centre, half = cube_around(triangles.reshape(-1, 3))  # and 8 % on each side
        stage = Stage(View(), _SIDE, _SIDE, centre, 0.638 * half)
        figures.append(_shape_figure(title, shape, stage, triangles, samples))
    style = (
        "body{margin:18px;font:14px 'DejaVu Sans',sans-serif;background:#fff;color:#1d2630}"
        "main{display:grid;grid-template-columns:repeat(4,1fr)}figcaption span{color:#5a6672;"
        "display:block;font-size:12px}figure{margin:0}h1{font-size:19px;margin:0 0 8px}"
    )
    title = f"Shapes around the rotations of {joint}, each 3° beyond them"
    head = f"<!DOCTYPE html><meta charset=utf-8><style>{style}</style>"
    return f"{head}<h1>{title}</h1><main>{''.join(figures)}</main>"


def _shape_figure(
    title: str, shape: CoupledShape, stage: Stage, triangles: Floats, samples: Floats
) -> str:
    """The samples, seen through a surface that is darker where it turns from the light."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    shade = 0.8 + 0.25 * (normals / np.where(lengths > 0.0, lengths, 1.0)) @ (
        stage.view.matrix.T @ (_LIGHT / np.linalg.norm(_LIGHT))
    )
    seen = stage.project(triangles)
    faces = []
    for place in np.argsort(seen[..., 2].mean(axis=1)).tolist():
        corners = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in seen[place].tolist())
        red, green, blue = (min(255, int(shade[place] * part)) for part in (169, 201, 232))
        ink = f"rgb({red},{green},{blue})"
        faces.append(f'<path d="M{corners}Z" fill="{ink}" stroke="{ink}" stroke-width="0.5"/>')
    points = "".join(f"M{x:.1f} {y:.1f}h0" for x, y, _ in stage.project(samples).tolist())
    dots = f'<path d="{points}" stroke="#0b4f7d" stroke-width="1.6" stroke-linecap="round"/>'
    words = f"{100.0 * shape.freedom():.1f} % of all rotations"
    size = f'viewBox="0 0 {_SIDE:g} {_SIDE:g}" width="{_SIDE:g}" height="{_SIDE:g}"'
    return (
        f"<figure><figcaption><b>{title}</b><span>{words}</span></figcaption>"
        f"<svg {size}>{''.join(faces)}{dots}</svg></figure>"
    )


SCENES = {
    "person": ("RightForeArm", 318),
    "hand": ("Index2", 58),
    "dog": ("LeftShin", 64),
    "robot_arm": ("Forearm", 44),
}
"""What a picture of the gallery shows: the joint that is open, and the frame."""


def gallery(name: str, browser: Browser, page: Path) -> None:
    """One page of the gallery in the middle of its motion, with a joint open."""
    performer, (joint, frame) = make_gallery.PERFORMERS[name], SCENES[name]
    make_gallery.write_page(performer, page)
    number = [bone.name for bone in performer.bones].index(joint)
    browser.open(page, (1280, 800), part=f"#joint-{number}")
    browser.run(
        "const time = document.querySelector('input[type=range]');"
        f"time.value = {frame}; time.dispatchEvent(new Event('input', {{bubbles: true}}))"
    )


PICTURES: dict[str, Callable[[Browser, Path], None]] = {
    "report": report,
    "check": check,
    "skeleton": skeleton,
    "shapes": shapes,
    **{f"gallery_{name}": partial(gallery, name) for name in SCENES},
}


SIZES = ((360, 1600), (700, 1400), (1280, 900), (1920, 1080), (3840, 2160))


def every_page(browser: Browser, folder: Path) -> None:
    """Every kind of page in every size and style, to be looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in made_pages(folder).items():
        for size in SIZES:
            for style in ("light", "dark", "plain"):
                part = "#joint-6" if name == "limits" else ""
                script = style != "plain"
                browser.open(page, size, dark=style == "dark", script=script, part=part)
                browser.pause(0.5)
                browser.picture(folder / f"{name}_{size[0]}_{style}.png")
    print(f"wrote pictures to {folder}")


def main(names: list[str]) -> None:
    """Write ``docs/images/NAME.png`` of every picture, or of those named."""
    program = chromium()
    if program is None:
        raise SystemExit("no Chromium found; install one, or name it in CHROMIUM")
    browser = Browser(program)
    try:
        if names[:1] == ["--all"]:
            every_page(browser, Path(names[1]))
            return
        with tempfile.TemporaryDirectory() as folder:
            for name in names or PICTURES:
                PICTURES[name](browser, Path(folder) / f"{name}.html")
                browser.pause(0.5)
                browser.picture(Path(folder) / f"{name}.png")
                with atomic_output(FOLDER / "images" / f"{name}.png") as stream:
                    stream.write((Path(folder) / f"{name}.png").read_bytes())
                print(f"wrote docs/images/{name}.png")
    finally:
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
