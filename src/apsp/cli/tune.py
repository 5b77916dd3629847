"""apsp tune: measure this machine, so that plans fit it."""

from __future__ import annotations

__all__ = ["command"]
