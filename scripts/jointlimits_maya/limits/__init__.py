"""Limits in a scene: estimate, apply, check, switch, clear."""

from typing import TYPE_CHECKING

from jointlimits_core.base.lazy import exports

if TYPE_CHECKING:
    from .api import (
        Names,
        apply,
        check,
        clear,
        estimate,
        filter_keys,
        limits_of_each,
        prepare_apply,
        prepare_check,
        prepare_clear,
        prepare_estimate,
        prepare_filter_keys,
        prepare_switch,
        switch_limits,
    )

__getattr__, __dir__ = exports(__name__)
