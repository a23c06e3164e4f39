"""The command `jackpot`: one module a command, imported when it is called."""

from __future__ import annotations

from api.cli.commands import app, main

__all__ = ["app", "main"]
