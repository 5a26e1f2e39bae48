"""Readers and writers, one module per file format."""

from typing import TYPE_CHECKING

from ..base.lazy import exports

if TYPE_CHECKING:
    from .amc import read_amc
    from .asf import read_asf, skeleton_beside
    from .body_csv import read_body_csv
    from .bvh import bvh_text, read_bvh, write_bvh
    from .c3d import read_c3d
    from .c3d_header import checked_header
    from .read_bodies import marker_grouping, read_body_clips, read_clips, read_marker_groups
    from .registry import (
        FURTHEST,
        HEAD_BYTES,
        TRACK_ENDINGS,
        MotionFormat,
        ReadRequest,
        SkeletonSource,
        format_by_content,
        format_by_ending,
        motion_endings,
        motion_file,
        motion_formats,
        needs_skeleton,
        read_head,
        read_motion,
        read_takes,
        reader_options,
        unread_formats,
        write_motion,
        written_formats,
    )
    from .text import BYTE_ORDER_MARK, TextFile, read_text
    from .tracks_csv import even_frames, steps_of

__getattr__, __dir__ = exports(__name__)
