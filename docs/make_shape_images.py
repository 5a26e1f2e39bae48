"""Draw every shape around one shoulder of the example: ``python -m docs.make_shape_images``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.formats import read_motion
from jointlimits_core.geometry import Floats
from jointlimits_core.io import atomic_output
from jointlimits_core.motion import Motion
from jointlimits_core.report.figures import cube_around
from jointlimits_core.report.html import add_space, new_figure, png_bytes
from jointlimits_core.shapes import CoupledShape, FitOptions, fit_shape, surface_mesh, twist_axes

FOLDER = Path(__file__).resolve().parent
EXAMPLE = FOLDER.parent / "examples" / "humanoid_rom.bvh"
JOINT = "LeftShoulder"
PANELS = (
    ("box", "box", "rotation-vector"),
    ("obb", "oriented box", "rotation-vector"),
    ("box", "box of swing and twist", "swing-twist"),
    ("ellipsoid", "least ellipsoid", "rotation-vector"),
    ("ellipsoid-holden", "Holden's ellipsoid", "rotation-vector"),
    ("kdop", "k-DOP", "rotation-vector"),
    ("hull", "hull, the default", "rotation-vector"),
    ("hull-exact", "exact hull", "rotation-vector"),
    ("implicit", "implicit surface", "rotation-vector"),
    ("wrap", "wrap", "rotation-vector"),
)
COLUMNS, ROWS = 5, 2
FINER = 8
"""Times as fine as a report's boundary, so that edges look like edges."""
INK, QUIET, SURFACE, POINT = "#1D2630", "#5A6672", "#A9C9E8", "#0B4F7D"
LIGHT = np.array([0.35, -0.75, 0.55])
"""Over the viewer's left shoulder."""


def shapes_picture(motion: Motion, joint: str) -> bytes:
    """PNG with every shape around the same samples, in the same room.

    Parameters
    ----------
    motion : Motion
    joint : str
    """
    rotations = motion.quaternion(joint)
    axis = twist_axes(motion.skeleton)[motion.skeleton.index(joint)]
    shapes = [
        fit_shape(kind, rotations, FitOptions(coordinates=coordinates), axis)
        for kind, _, coordinates in PANELS
    ]
    # All seen from the middle of the first: the same room for all.
    room = shapes[0].chart
    samples = np.degrees(room.coordinates(rotations))
    surfaces = [_triangles(shape, room) for shape in shapes]
    corners = np.concatenate([triangles.reshape(-1, 3) for triangles in surfaces])
    figure = new_figure(12.4, 6.6)
    for number, (shape, triangles) in enumerate(zip(shapes, surfaces)):
        axes = _axes(figure, number, corners)
        _draw(axes, triangles, samples)
        _heading(figure, number, shape)
    title = f"Shapes around the rotations of {joint}, each 3° beyond them"
    figure.text(0.015, 0.965, title, color=INK, fontsize=14, fontweight="bold", va="center")
    return png_bytes(figure)


def _triangles(shape: CoupledShape, room: Any) -> Floats:
    """Triangles of the boundary in degrees, shape (triangles, 3, 3)."""
    mesh = surface_mesh(shape, FINER)
    found = np.degrees(room.coordinates(mesh.rotations))[mesh.triangles]
    # Half a turn away from the middle the boundary comes back on the other side.
    whole = np.ptp(found, axis=1).max(axis=1) < 180.0
    return np.asarray(found[whole])


def _axes(figure: Any, number: int, corners: Floats) -> Any:
    from matplotlib.ticker import FixedLocator

    centre, half = cube_around(corners, 10.0, 0.0)
    axes = add_space(figure, (1, 1, 1), ("", "", ""), centre, half)
    left, low = _corner(number)
    axes.set_position((left - 0.008, low, 0.198, 0.385))
    axes.patch.set_visible(False)
    axes.tick_params(labelsize=7, pad=-3)
    step = 90 if half >= 100.0 else 30
    for side in (axes.xaxis, axes.yaxis, axes.zaxis):
        side.set_major_locator(FixedLocator([-step, 0, step]))
    return axes


def _corner(number: int) -> tuple[float, float]:
    """Lower left corner of a panel, in shares of the figure."""
    return (number % COLUMNS) / COLUMNS, 0.01 + 0.465 * (ROWS - 1 - number // COLUMNS)


def _draw(axes: Any, triangles: Floats, samples: Floats) -> None:
    """The samples, seen through a surface that is darker where it turns from the light."""
    from matplotlib.colors import to_rgb
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    axes.computed_zorder = False
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / np.where(lengths > 0.0, lengths, 1.0)
    shade = 0.8 + 0.3 * normals @ (LIGHT / np.linalg.norm(LIGHT))
    colours = np.clip(shade[:, None] * np.array(to_rgb(SURFACE)), 0.0, 1.0)
    surface = Poly3DCollection(triangles, facecolors=colours, edgecolors=colours, zorder=1)
    surface.set_linewidth(0.3)
    axes.add_collection3d(surface)
    axes.scatter(*samples.T, s=2.0, c=POINT, linewidths=0, depthshade=False, zorder=2)


def _heading(figure: Any, number: int, shape: CoupledShape) -> None:
    left, low = _corner(number)
    x, y = left + 0.015, low + 0.42
    figure.text(x, y, PANELS[number][1], color=INK, fontsize=10.5, fontweight="bold")
    words = f"{100.0 * shape.freedom():.1f} % of all rotations"
    figure.text(x, y - 0.03, words, color=QUIET, fontsize=9)


def main() -> None:
    """Write ``docs/images/shapes.png``."""
    with atomic_output(FOLDER / "images" / "shapes.png") as stream:
        stream.write(shapes_picture(read_motion(EXAMPLE), JOINT))


if __name__ == "__main__":
    main()
