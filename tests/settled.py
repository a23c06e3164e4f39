"""Imported by the server that forks, after everything else: none of its children searches what is there then
for garbage, or copies it."""

from __future__ import annotations

from tests.garbage import settle_down

settle_down()
