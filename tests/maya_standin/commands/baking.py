"""bakeResults: channels become curves with a key at every frame, whatever drove them."""

from __future__ import annotations
