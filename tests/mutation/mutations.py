"""The small mistakes that can be made in a module, found and made in its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
RULES = (
    "pools/pool.py",
    "pools/order.py",
    "pools/payout.py",
    "pools/claims.py",
    "house/malfunction.py",
    "games/stud.py",
    "games/holdem.py",
    "games/wagers.py",
    "games/lines.py",
    "games/adjustments.py",
    "games/paytables.py",
    "games/progressive.py",
    "play/settlement.py",
)
"""What is paid, to whom and in which order, under `jackpot/`."""
OTHERWISE: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}
NO_RULE = {"annotation", "returns", "decorator_list"}
"""Fields of the syntax tree that say nothing about what is paid."""
LONGEST = 100
"""Characters of a change as it is told."""


@dataclass(frozen=True)
class Mutation:
    file: str
    """Below `jackpot/`, as in `RULES`."""
    line: int
    statement: int
    """The first line of the statement: of a long one not every line is run as a line of its own."""
    where: str
    """The function or class, empty in the module itself."""
    change: str
    node: int
    """Which of the module's nodes is changed, and into which of its variants."""
    variant: int

    @property
    def path(self) -> Path:
        return ROOT / "jackpot" / self.file

    @property
    def module(self) -> str:
        return ".".join(self.path.relative_to(ROOT).with_suffix("").parts)

    def code(self) -> CodeType:
        """The module with this mistake in it."""
        tree = _parsed(self.path)
        _, node = list(_walk(tree, _Place()))[self.node]
        wrong = ast.copy_location(_variants(node)[self.variant], node)
        return compile(ast.fix_missing_locations(_Swap(node, wrong).visit(tree)), str(self.path), "exec")


def mutations(file: str) -> list[Mutation]:
    path = ROOT / "jackpot" / file
    lines = ["", *path.read_text().splitlines()]
    return [
        Mutation(file, node.lineno, place.statement, place.where, _told(node, wrong, lines), number, variant)
        for number, (place, node) in enumerate(_walk(_parsed(path), _Place()))
        if isinstance(node, ast.expr | ast.stmt)
        for variant, wrong in enumerate(_variants(node))
    ]


class _Place(NamedTuple):
    where: str = ""
    statement: int = 0

    def within(self, node: ast.AST) -> _Place:
        where = (
            f"{self.where}.{node.name}" if isinstance(node, ast.FunctionDef | ast.ClassDef) else self.where
        )
        return _Place(where.lstrip("."), node.lineno if isinstance(node, ast.stmt) else self.statement)


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def _walk(node: ast.AST, outside: _Place) -> Iterator[tuple[_Place, ast.AST]]:
    """Every node that says something about a rule, and where it is. What people read (f-strings) is not a
    rule, and `strict=True` only guards against mistakes of ours."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.keyword) and node.arg == "strict"):
        return
    place = outside.within(node)
    yield place, node
    for field, value in ast.iter_fields(node):
        if field not in NO_RULE:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _walk(child, place)


def _variants(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.Compare(ops=ops):
            return [_but(node, ops=_one_other(ops, place)) for place in range(len(ops))]
        case ast.AugAssign(op=op):
            return [_but(node, op=_other(op)), ast.Pass()]
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in OTHERWISE:
            return [_but(node, op=_other(op))]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
        case ast.Constant(value=bool() as value):
            return [_but(node, value=not value)]
        case ast.Constant(value=int() as value):
            return [_but(node, value=value + 1), _but(node, value=value - 1)]
        case ast.Call(func=ast.Name(id=name)) if name in OPPOSITES:
            return [_but(node, func=ast.copy_location(ast.Name(OPPOSITES[name], ast.Load()), node))]
    return _statement_variants(node)


def _statement_variants(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.Return(value=ast.expr() as value) if not _says_no(value):
            return [_but(node, value=ast.Constant(None))]
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue() | ast.Break():
            return [ast.Pass()]
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            plain = isinstance(test, ast.Name | ast.Attribute | ast.Call)  # others have variants themselves
            return [_but(node, test=ast.UnaryOp(ast.Not(), test))] if plain else []
    return []


def _but(node: ast.AST, **fields: Any) -> ast.AST:
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _other(operator: ast.AST) -> ast.AST:
    return OTHERWISE[type(operator)]()


def _one_other(operators: list[ast.cmpop], place: int) -> list[ast.AST]:
    return [_other(one) if number == place else one for number, one in enumerate(operators)]


def _says_no(value: ast.expr) -> bool:
    """None, or False, which None would only repeat."""
    return isinstance(value, ast.Constant) and value.value in (None, False)


def _told(node: ast.expr | ast.stmt, wrong: ast.AST, lines: list[str]) -> str:
    before, after = (ast.unparse(ast.fix_missing_locations(one)).splitlines()[0] for one in (node, wrong))
    change = f"{_cut(before)} → {'left out' if isinstance(wrong, ast.Pass) else _cut(after)}"
    # A number alone tells nothing.
    return f"{change} in {lines[node.lineno].strip()}" if isinstance(node, ast.Constant) else change


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


class _Swap(ast.NodeTransformer):
    def __init__(self, node: ast.AST, wrong: ast.AST) -> None:
        self._node, self._wrong = node, wrong

    def visit(self, node: ast.AST) -> Any:
        return self._wrong if node is self._node else self.generic_visit(node)
