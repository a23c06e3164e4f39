"""The operators' console: which pages it has, and for whom."""

from __future__ import annotations

from dataclasses import dataclass

from displays.pages.pages import page
from jackpot.core.instants import MILLISECOND
from jackpot.link.clocks import CLOCK_ERROR
from jackpot.link.facts import KINDS

LOGIN = "login"


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    roles: tuple[str, ...] = ("operator", "supervisor", "auditor")


FIRST = "overview"
PAGES = {
    FIRST: Page("Overview"),
    "floor": Page("Floor"),
    "wins": Page("Wins"),
    "payouts": Page("Payouts"),
    "rounds": Page("Rounds"),
    "claims": Page("Late claims"),
    "malfunctions": Page("Malfunctions"),
    "changes": Page("Changes"),
    "figures": Page("Figures"),
    "days": Page("Days"),
    "reconciliation": Page("Reconciliation"),
    "dryrun": Page("Dry run"),
    "signs": Page("Signs"),
    "webhooks": Page("Webhooks", ("supervisor", "auditor")),
    "journal": Page("Journal", ("supervisor", "auditor")),
    "audit": Page("Audit", ("supervisor", "auditor")),
}


def console_page(name: str, *, person: str, role: str, language: str) -> str:
    shown = {key: one for key, one in PAGES.items() if role in one.roles}
    return page(
        "console.html",
        theme=None,
        language=language,
        name=name,
        title=PAGES[name].title,
        pages=shown,
        may_see=name in shown,
        person=person,
        role=role,
        kinds=sorted(KINDS),
        clock_error_ms=CLOCK_ERROR // MILLISECOND,
    )


def login_page(language: str) -> str:
    return page("console_login.html", theme=None, language=language)
