"""Scripts of pages, token by token: enough to tell their texts from their code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPACE = re.compile(r"\s+|//[^\n]*|/\*.*?\*/", re.S)
_NAME = re.compile(r"#?[A-Za-z_$][\w$]*")
_NUMBER = re.compile(r"\d[\w.]*")
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_SIGN = re.compile(r"=>|\.\.\.|\?\.(?!\d)|\?\?=?|[=!]==?|&&|\|\||[-+*/%<>]=?|\*\*|.", re.S)
BEFORE_A_REGEX = frozenset(["return", "=>", "&&", "||", "??", *"(,=:[!&|?{};+-*%<>"])


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    """name, number, text (a string), words (the fixed part of a template), regex or sign."""
    text: str
    line: int


def tokens(source: str) -> list[Token]:
    return list(_Reader(source).read())


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._last = "("

    def read(self, until: str = "") -> Iterator[Token]:
        """To the end, or to the brace that closes what is put into a template."""
        depth = 0
        while self._at < len(self._source):
            if space := _SPACE.match(self._source, self._at):
                self._at = space.end()
                continue
            character = self._source[self._at]
            if character == until and depth == 0:
                return
            depth += (character == "{") - (character == "}")
            if character == "`":
                yield from self._template()
            else:
                yield self._token()

    def _token(self) -> Token:
        found = self._source[self._at]
        kinds = {"name": _NAME, "number": _NUMBER, "text": _STRING}
        if found == "/" and self._last in BEFORE_A_REGEX:
            kinds = {"regex": _REGEX}
        for kind, pattern in kinds.items():
            if match := pattern.match(self._source, self._at):
                return self._made(kind, match.group())
        match = _SIGN.match(self._source, self._at)
        assert match is not None
        return self._made("sign", match.group())

    def _made(self, kind: str, raw: str) -> Token:
        line = self._source.count("\n", 0, self._at) + 1
        self._at += len(raw)
        self._last = raw if kind in ("sign", "name") else "text"
        return Token(kind, _value(raw) if kind == "text" else raw, line)

    def _template(self) -> Iterator[Token]:
        line = self._source.count("\n", 0, self._at) + 1
        self._at += 1
        yield Token("sign", "`", line)
        begun = self._at
        while self._source[self._at] != "`":
            if self._source.startswith("${", self._at):
                yield Token("words", self._source[begun : self._at], line)
                self._at += 2
                self._last = "("
                yield Token("sign", "${", line)
                yield from self.read("}")
                yield Token("sign", "}$", line)
                self._at += 1
                begun = self._at
            else:
                self._at += 2 if self._source[self._at] == "\\" else 1
        yield Token("words", self._source[begun : self._at], line)
        self._at += 1
        self._last = "text"
        yield Token("sign", "`", line)


def _value(raw: str) -> str:
    inner = raw[1:-1].replace("\\'", "'")
    if raw[0] == "'":
        inner = inner.replace('"', '\\"')
    value: str = json.loads(f'"{inner}"')
    return value
