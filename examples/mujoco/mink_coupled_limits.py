"""Hands reach for random targets in mink (MuJoCo), without and within the shapes of the shoulders.

``pip install mink mujoco daqp``, then ``python -m examples.mujoco.mink_coupled_limits``.
"""

import tempfile
from pathlib import Path
from typing import Any

import mink
import mujoco
import numpy as np

import jointlimits_core as jl

CLIP = Path(__file__).parents[1] / "humanoid_rom.bvh"
SHOULDERS, HANDS = ("LeftShoulder", "RightShoulder"), ("LeftWrist", "RightWrist")


class CoupledLimits(mink.Limit):
    """Rows of ``limit_rows`` for joints of a model, whose bodies have the same names."""

    def __init__(self, model: Any, rows: jl.LimitRows) -> None:
        self.rows, bodies = rows, [model.body(name) for name in rows.joints]
        self.places = [(one.id, one.parentid[0], one.dofadr[0], one.dofnum[0]) for one in bodies]

    def at(self, data: Any) -> Any:
        """Rows for rotations (x, y, z, w) relative to the parents; those of MuJoCo begin with w."""
        found, back = np.zeros((len(self.places), 4)), np.zeros(4)
        for row, (body, parent, *_) in zip(found, self.places):
            mujoco.mju_negQuat(back, data.xquat[parent])
            mujoco.mju_mulQuat(row, back, data.xquat[body])
        return self.rows.at(found[:, [1, 2, 3, 0]])

    def compute_qp_inequalities(self, configuration: Any, dt: float) -> Any:
        """Rows of all velocities: those of a joint turn it about axes in its own space."""
        data, (rows, room) = configuration.data, self.at(configuration.data)
        turns = np.zeros((len(rows), configuration.nv))
        for place, (body, _, first, count) in enumerate(self.places):
            axes = data.cdof[first : first + count, :3] @ data.xmat[body].reshape(3, 3)
            turns[:, first : first + count] = rows[:, 3 * place : 3 * place + 3] @ axes.T
        # A joint that is outside returns by at most a twentieth of a radian in each step.
        return mink.Constraint(turns, np.maximum(room, -0.05))


def reach(model: Any, hands: Any, targets: Any, limits: Any) -> Any:
    """Pose after 40 steps towards targets (hands, 3), relative to where the hands are at rest."""
    pose = mink.Configuration(model)
    pose.update_from_keyframe("rest")
    tasks = [mink.FrameTask(hand, "body", 1.0, 0.0, gain=0.3) for hand in hands]
    for task, target in zip(tasks, targets):
        rest = pose.get_transform_frame_to_world(task.frame_name, "body").translation()
        task.set_target(mink.SE3.from_translation(rest + target))
    root = [mink.DofFreezingTask(model, list(range(6)))]
    for _ in range(40):
        step = mink.solve_ik(pose, tasks, 0.1, "daqp", 1e-3, limits=limits, constraints=root)
        pose.integrate_inplace(step, 0.1)
    return pose


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
        room = [shapes.at(reach(model, HANDS, target, used).data)[1].min() for target in targets]
        outside = np.degrees(-np.array(room))
        far, worst = np.mean(outside > 1.0), outside.max()
        print(f"{name}: {far:.0%} outside by over 1 degree, worst {worst:.1f}")


if __name__ == "__main__":
    main()
