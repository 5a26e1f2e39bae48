"""Writing limits to the scene, clearing, switching, reorienting."""

from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

if TYPE_CHECKING:
    from .clamping import held_rotates
    from .clear import plan_clear
    from .filter_keys import plan_filter
    from .keys import AllKeys, add_curve, delete_curve
    from .limit_edits import joint_obstacle
    from .limits import WriteOptions, plan_limits
    from .reorient import plan_reorient
    from .switch import plan_switch

__getattr__, __dir__ = exports(__name__)
