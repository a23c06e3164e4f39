"""The texts of pages, gathered from their scripts, templates and style sheets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from jinja2 import Environment, nodes

from displays.pages.pages import HERE, STATIC
from tests.javascript import Token, tokens

SCRIPTS = sorted(STATIC.rglob("*.js"))
TEMPLATES = sorted(set((HERE / "templates").glob("*.html")) - {HERE / "templates" / "docs.html"})
"""But Swagger's page, which is for programmers."""
STYLES = sorted(STATIC.rglob("*.css"))
SAYING = {"t", "woven"}
CATALOGUE = STATIC / "catalogue.js"
NOT_SEEN = {
    "class",
    "data-key",
    "data-link",
    "for",
    "headers",
    "id",
    "key",
    "aria-labelledby",
    "viewBox",
    "name",
    "type",
    "d",
    "style",
    "transform",
    "points",
    "allow",
}
"""Attributes and properties that nobody reads."""
WORDS = re.compile(r"[A-Za-z]{2,}[,.:;]? +[A-Za-z(]|^ ?[A-Z][a-z]{2,}|[a-z]{3,}[.!?…]$|^[,;]? [a-z]{2,} ?$")
NO_WORDS = re.compile(
    r"^[A-Z][a-z]+([A-Z][a-z]+)+$|^[A-Z][a-z]+(-[A-Z][A-Za-z]+)+$|^\(prefers-|^https?:|^[/?#.]"
)
"""Kinds of facts, headers, questions to the browser, addresses."""
CODES = {"Enter", "Escape", "Space", "Home", "End", "Tab", "Accept", "GET", "NFKC", "Notification"}
PARTS = {
    " unit",
    " number",
    " minimum",
    " maximum",
    " note",
    " ms",
    " to ",
    "mark point",
    "mark comma",
    "win ambiguous",
    "span ambiguous",
}
"""Of names of fields and of classes; a unit of measurement; what is looked for."""
SHOWING = {"h", "svg", "made"}
"""Make an element: its tag, its attributes, then what is read."""


def said_in_scripts() -> set[str]:
    """What `t` and `woven` are given."""
    return {text.text for file in SCRIPTS if file != CATALOGUE for text in _keys(tokens(file.read_text()))}


def _keys(found: list[Token]) -> Iterator[Token]:
    for index, (one, after) in enumerate(pairwise(found)):
        if one.kind == "name" and one.text in SAYING and after.text == "(":
            yield found[index + 2]


def computed_keys() -> list[str]:
    """Where a text is not written where it is said."""
    places = [(file, key) for file in SCRIPTS if file != CATALOGUE for key in _keys(tokens(file.read_text()))]
    return [f"{_place(file)}:{key.line}" for file, key in places if key.kind != "text"]


def said_in_templates() -> set[str]:
    environment = Environment(autoescape=True)
    found: set[str] = set()
    for file in TEMPLATES:
        for call in environment.parse(file.read_text()).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "t":
                [text] = call.args
                if isinstance(text, nodes.Const):
                    found.add(text.value)
    return found


def said_by_pages() -> set[str]:
    """What the code that serves a page says in it."""
    found: set[str] = set()
    for file in (HERE.parent / "api").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and node.args:
                text = node.args[0]
                if "translator" in ast.unparse(node.func.func) and isinstance(text, ast.Constant):
                    found.add(str(text.value))
    return found


# What goes past the catalogue


def unsaid_in_scripts() -> list[str]:
    """Literals of scripts that look like words of people and are not given to `t`."""
    return [
        f"{_place(file)}:{one.line}: {one.text!r}"
        for file in SCRIPTS
        for one in unsaid(tokens(file.read_text()))
    ]


def unsaid(found: list[Token]) -> Iterator[Token]:
    for index, one in enumerate(found):
        if one.kind not in {"text", "words"} or NO_WORDS.search(one.text) or one.text in CODES | PARTS:
            continue
        if not (WORDS.search(one.text) or _is_content(found, index)):
            continue
        if _is_said(found, index) or _is_no_text(found, index):
            continue
        yield one


def _is_said(found: list[Token], index: int) -> bool:
    return found[index - 1].text == "(" and found[index - 2].text in SAYING


def _is_no_text(found: list[Token], index: int) -> bool:
    """An import, a key, what is compared, an attribute that nobody reads, or an error of a programmer."""
    before, after = found[index - 1], found[index + 1].text if found[index + 1 :] else ""
    is_key = after == ":" and before.text in {"{", ","}
    if is_key or after in {"===", "!=="} or before.text in {"from", "import", "===", "!==", "case"}:
        return True
    begin = index - 1
    while begin and found[begin].kind in {"words", "sign"} and found[begin].text not in {":", ",", "(", "["}:
        begin -= 1
    if found[begin].text == ":" and found[begin - 1].text in NOT_SEEN:
        return True
    first = index - 1 if before.text == "`" else index
    called = found[first - 2].text if found[first - 1].text == "(" else ""
    return called in {"TypeError", "querySelector", "querySelectorAll", "closest", "matchMedia", *SHOWING}


def _is_content(found: list[Token], index: int) -> bool:
    """What follows an element's attributes, or stands on a chip or button, or is told."""
    before, earlier = found[index - 1].text, found[index - 2].text
    if not re.search("[a-z]{2}", found[index].text):
        return False
    return (before == "," and earlier == "}") or (before == "(" and earlier in {"chip", "button", "tell"})


def unsaid_in_templates() -> list[str]:
    """Words between tags, or in attributes that are read, which are not in `{{ t(…) }}`."""
    return [f"{_place(file)}: {text!r}" for file in TEMPLATES for text in _bare(file.read_text())]


READ = re.compile(r"\b(?:aria-label|title|placeholder|alt)=\"([^\"]*)\"")


def _bare(source: str) -> Iterator[str]:
    source = re.sub(r"\{% block body_class %\}[\w-]*\{% endblock %\}", "", source)
    plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<!doctype[^>]*>|&\w+;", " ", source, flags=re.S | re.I)
    for text in [*READ.findall(plain), *re.sub(r"<[^>]*>", "\n", plain).split("\n")]:
        if re.search(r"[A-Za-z]{2}", text):
            yield text.strip()


def unsaid_in_styles() -> list[str]:
    """What a style sheet puts into a page."""
    found = (
        (file, text) for file in STYLES for text in re.findall(r"content: *\"([^\"]*)\"", file.read_text())
    )
    return [f"{_place(file)}: {text!r}" for file, text in found if re.search("[A-Za-z]", text)]


def _place(file: Path) -> str:
    return str(file.relative_to(HERE))
