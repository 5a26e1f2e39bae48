"""Estimation of joint types and limits from motion."""
