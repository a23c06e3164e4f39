"""What the book remembers: journal, report, readings, receipts, audit."""

from __future__ import annotations

from api.auth import guarded_router

router = guarded_router(tags=["records"])
