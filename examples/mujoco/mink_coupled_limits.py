"""Inverse kinematics in mink (MuJoCo) within coupled limits: pip install mink mujoco daqp.

Hands reach for random targets, once within the ranges of the model and once within the shapes of
the shoulders, too. Run it as ``python -m examples.mujoco.mink_coupled_limits``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mink
import mujoco
import numpy as np

import jointlimits_core as jl
from jointlimits_core.geometry.arrays import Floats

CLIP = Path(__file__).parents[1] / "humanoid_rom.bvh"
SHOULDERS, HANDS = ("LeftShoulder", "RightShoulder"), ("LeftWrist", "RightWrist")


class CoupledLimits(mink.Limit):
    """Rows of ``limit_rows`` for joints of a model, whose bodies have the same names."""

    def __init__(self, model: Any, rows: jl.LimitRows) -> None:
        self.rows, self.bodies = rows, [model.body(name).id for name in rows.joints]
        self.parents = [model.body(body).parentid[0] for body in self.bodies]

    def rotations(self, data: Any) -> Floats:
        """Rotations (x, y, z, w) of the joints relative to their parents."""
        found, back = np.zeros((len(self.bodies), 4)), np.zeros(4)
        for row, body, parent in zip(found, self.bodies, self.parents):
            mujoco.mju_negQuat(back, data.xquat[parent])
            mujoco.mju_mulQuat(row, back, data.xquat[body])
        return np.roll(found, -1, axis=1)

    def compute_qp_inequalities(self, configuration: Any, dt: float) -> Any:
        """Rows of all velocities: turns of a joint are those of its body less its parent's."""
        model, data, turns = configuration.model, configuration.data, []
        for body, parent in zip(self.bodies, self.parents):
            own, above = np.zeros((2, 3, model.nv))
            mujoco.mj_jacBody(model, data, None, own, body)
            mujoco.mj_jacBody(model, data, None, above, parent)
            turns.append(data.xmat[body].reshape(3, 3).T @ (own - above))
        rows, room = self.rows.at(self.rotations(data))
        # A joint that is outside returns by at most a twentieth of a radian in each step.
        return mink.Constraint(rows @ np.concatenate(turns), np.maximum(room, -0.05))


def reach(
    model: Any,
    hands: Sequence[str],
    targets: Floats,
    limits: Sequence[Any],
    steps: int = 40,
    dt: float = 0.1,
) -> Any:
    """Pose after steps towards places (hands, 3), relative to where the hands are at rest."""
    configuration = mink.Configuration(model)
    configuration.update_from_keyframe("rest")
    tasks = [mink.FrameTask(hand, "body", 1.0, 0.0, gain=0.3) for hand in hands]
    for task, target in zip(tasks, targets):
        rest = configuration.get_transform_frame_to_world(task.frame_name, "body")
        task.set_target(mink.SE3.from_translation(rest.translation() + target))
    held = [mink.DofFreezingTask(model, list(range(6)))]  # the root
    for _ in range(steps):
        velocity = mink.solve_ik(
            configuration, tasks, dt, "daqp", 1e-3, limits=limits, constraints=held
        )
        configuration.integrate_inplace(velocity, dt)
    return configuration


def main() -> None:
    """Compare both on twenty targets."""
    limits = jl.fit(CLIP)
    with tempfile.TemporaryDirectory() as folder:
        jl.export(limits, Path(folder) / "model.xml", motion=CLIP, meters_per_unit=0.01)
        model = mujoco.MjModel.from_xml_path(f"{folder}/model.xml")
    ranges = mink.ConfigurationLimit(model)
    shapes = CoupledLimits(model, jl.limit_rows(limits, SHOULDERS))
    targets = np.random.default_rng(0).uniform(-0.4, 0.4, (20, 2, 3))
    for name, used in (("ranges", [ranges]), ("ranges and shapes", [ranges, shapes])):
        room = []
        for target in targets:
            data = reach(model, HANDS, target, used).data
            room.append(shapes.rows.at(shapes.rotations(data))[1].min())
        outside = np.degrees(-np.array(room))
        far, worst = np.mean(outside > 1.0), outside.max()
        print(f"{name}: {far:.0%} outside by over 1 degree, worst {worst:.1f}")


if __name__ == "__main__":
    main()
