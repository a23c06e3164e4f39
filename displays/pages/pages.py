"""Pages for people: their templates, their files, and what a browser may do with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from displays.pages.languages import ENGLISH, LANGUAGES, translator
from jackpot.core.currencies import UNUSUAL
from jackpot.games import GAMES
from jackpot.games.blackjack import BLACKJACK_GAMES

HERE = Path(__file__).parent.parent
STATIC = HERE / "static"
THEMES = ("ruby", "midnight")
"""Of signs; the first is the default. Their colours are in `static/house.css`; a link names its theme in the
floor file, a sign may name another in its address."""
_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
}
POLICY = "Content-Security-Policy"
DOCUMENTATION_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""For Swagger's page, which sets styles and pictures of its own."""
PAGE_HEADERS = {
    POLICY: "; ".join(f"{what} {whence}" for what, whence in _POLICY.items()),
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-cache",
}
"""No script, style, font or picture but our own files; nothing inline; nobody's frame."""
_environment = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals["games"] = {game.value: rulebook.name for game, rulebook in GAMES.items()} | {
    game.value: rules.name for game, rules in BLACKJACK_GAMES.items()
}
"""What people call each game."""
_environment.globals["pit_games"] = [game.value for game in BLACKJACK_GAMES]
"""Those of tables in a pit; the others are played on links."""
_environment.globals["decimals"] = UNUSUAL
"""Of the currencies that have not two."""


def page(template: str, *, language: str = ENGLISH, **context: Any) -> str:
    """`t` is how a template says a text in its reader's language."""
    said = {"language": language, "languages": LANGUAGES, "t": translator(language)}
    return _environment.get_template(template).render(said | context)
