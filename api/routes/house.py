"""The House's acts."""

from __future__ import annotations

from api.auth import guarded_router

router = guarded_router(tags=["house"])
