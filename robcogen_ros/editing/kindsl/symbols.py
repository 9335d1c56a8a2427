"""Names in the Kinematics-DSL."""

from __future__ import annotations

from collections.abc import Iterator

from robcogen_ros.editing.symbols import Collector, Occurrence, Symbol, Symbols, identifier
from robcogen_ros.editing.tree import Document, Statement
from robcogen_ros.formats.kindsl.names import LINK_FRAME_PREFIX

JOINT_WORDS = ("r_joint", "p_joint", "fixed_joint")
_DEFINED = {
    "Robot": "robot",
    **dict.fromkeys(("RobotBase", "link", "virtual"), "link"),
    **dict.fromkeys(JOINT_WORDS, "joint"),
}
FUNCTIONS = ("sqrt", "sin", "cos")
_DEEPEST = 20


def kindsl_symbols(document: Document) -> Symbols:
    """The names of a Kinematics-DSL document."""
    return Symbols(document, _Collector(document).collected())


class _Collector(Collector):
    """Gathers definitions first, for names in limbs are known elsewhere by prefixes."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.placements: dict[str, list[tuple[str, str]]] = {}
        self.around: dict[str, list[str]] = {}
        self.statements = list(document.root.walk())
        self.scopes: dict[Statement | None, str] = {document.root: ""}
        for each in self.statements:
            is_limb = document.keyword(each) == "limb"
            self.scopes[each] = name_of(document, each) if is_limb else self.scopes[each.parent]

    def collected(self) -> list[Occurrence]:
        """All names."""
        for statement in self.statements:
            self._definitions(statement)
        self.known = {each.symbol for each in self.occurrences}
        for statement in self.statements:
            self._references(statement)
        return self.occurrences

    def _definitions(self, statement: Statement) -> None:
        keyword, scope = self.document.keyword(statement), self.scopes[statement]
        parent = self.document.keyword(statement.parent)
        if parent == "frames":
            self.define(statement, statement.head[0], "frame", scope)
        elif parent == "children":
            self._placement(statement, scope)
        elif keyword in _DEFINED and not statement.settles:
            place = 2 if keyword == "virtual" else 1
            if len(statement.head) > place:
                self.define(statement, statement.head[place], _DEFINED[keyword], scope)
        elif keyword == "limb" and len(statement.head) > 1:
            self._limb(statement)

    def _placement(self, statement: Statement, scope: str) -> None:
        names = [k for k in statement.head[:2] if self.document.is_name(k)]
        if len(names) < 2 or self.document.word(names[1]) == "via":
            return
        limb, prefix = (identifier(self.document.code[k]) for k in names)
        self.refer(statement, names[0], "limb")
        self.define(statement, names[1], "prefix", scope)
        self.placements.setdefault(scope, []).append((prefix, limb))
        self.around.setdefault(limb, []).append(scope)

    def _limb(self, statement: Statement) -> None:
        self.define(statement, statement.head[1], "limb")
        limb = identifier(self.document.code[statement.head[1]])
        for index in statement.head[2:]:
            if self.document.word(index - 1) in ("(", ",") and self.document.is_name(index):
                self.define(statement, index, "argument", limb)

    def _references(self, statement: Statement) -> None:
        keyword, scope = self.document.keyword(statement), self.scopes[statement]
        if keyword == "limb":
            self._values(statement, statement.head[3:], "", "(,")
        elif self.document.keyword(statement.parent) == "children":
            self._child(statement, scope)
        elif self.document.keyword(statement.parent) in ("independent", "position"):
            whole = statement.head[:1] if statement.settles else statement.head
            for index in whole:
                self._resolved(statement, index, "joint", scope)
            self._values(statement, statement.head[2:] if statement.settles else [], scope, "")
        elif statement.settles and len(statement.head) > 2:
            if keyword in ("predecessor", "successor"):
                self._frame_of_loop(statement, statement.head[2])
            elif keyword == "fixed":
                return
            elif keyword == "joint":
                self._resolved(statement, statement.head[2], "joint", scope)
            elif keyword == "ref_frame":
                self._frame(statement, statement.head[2], scope)
            else:
                self._values(statement, statement.head[2:], scope, "")

    def _child(self, statement: Statement, scope: str) -> None:
        head = statement.head
        if len(head) > 1 and self.document.word(head[1]) != "via":
            limb = identifier(self.document.code[head[0]])
            for index in head[2:]:
                if self._is_assigned(index):
                    self.refer(statement, index, "argument", limb)
            self._values(statement, head[2:], scope, "(,")
            return
        self._resolved(statement, head[0], "link", scope)
        if len(head) > 2:
            self._resolved(statement, head[2], "joint", scope)

    def _is_assigned(self, index: int) -> bool:
        before = self.document.word(index - 1)
        return before in ("(", ",") and self.document.word(index + 1) == "="

    def _frame(self, statement: Statement, index: int, scope: str) -> None:
        if not self.document.is_name(index):
            return
        name = identifier(self.document.code[index])
        link = name_of(self.document, statement.parent.parent if statement.parent else None)
        if name == LINK_FRAME_PREFIX + link:
            symbol = Symbol("link", link, scope)
            self.note(statement, index, symbol, skip=len(LINK_FRAME_PREFIX), defines=False)
        else:
            self.refer(statement, index, "frame", scope)

    def _frame_of_loop(self, statement: Statement, index: int) -> None:
        """Notes a frame, or the link whose own frame it is."""
        name = identifier(self.document.code[index])
        link = Symbol("link", name.removeprefix(LINK_FRAME_PREFIX), "")
        if name.startswith(LINK_FRAME_PREFIX) and link in self.known:
            self.note(statement, index, link, skip=len(LINK_FRAME_PREFIX), defines=False)
        else:
            self._resolved(statement, index, "frame", "")

    def _values(self, statement: Statement, indices: list[int], scope: str, starts: str) -> None:
        """Notes names in values; those behind some signs are not values but what is assigned."""
        for index in indices:
            word, following = self.document.word(index), self.document.word(index + 1)
            before = self.document.word(index - 1)
            if not self.document.is_name(index) or word == "PI":
                continue
            if word in FUNCTIONS and following == "(":
                continue
            if before == "<":
                symbol = Symbol("constant", word.removeprefix("^"))
                self.note(statement, index, symbol, defines=following == "=")
            elif not (starts and before in starts and following in ("=", ",", ")")):
                self._value(statement, index, scope, following == "[")

    def _value(self, statement: Statement, index: int, scope: str, defines: bool) -> None:
        name = identifier(self.document.code[index])
        argument = Symbol("argument", name, scope)
        if scope and argument in self.known:
            self.note(statement, index, argument, defines=False)
        else:
            self.note(statement, index, Symbol("parameter", name), defines=defines)

    def _resolved(self, statement: Statement, index: int, kind: str, scope: str) -> None:
        if not self.document.is_name(index):
            return
        name = identifier(self.document.code[index])
        parts = next(filter(None, self._candidates(kind, name, scope)), None)
        skip = 0
        for symbol in parts or [Symbol(kind, name, scope)]:
            self.note(statement, index, symbol, skip=skip, defines=False)
            skip += len(symbol.name)

    def _candidates(self, kind: str, name: str, scope: str) -> Iterator[list[Symbol]]:
        """Yields what a name may stand for: in its limb, or around where that is placed."""
        pending, seen = [scope], set()
        while pending:
            current = pending.pop(0)
            if current not in seen:
                seen.add(current)
                yield self._inside(kind, name, current, 0)
                pending.extend(self.around.get(current, ()))

    def _inside(self, kind: str, name: str, scope: str, depth: int) -> list[Symbol]:
        """The thing with a name in a limb, or in one placed there, after the prefixes."""
        symbol = Symbol(kind, name, scope)
        if symbol in self.known:
            return [symbol]
        for prefix, limb in self.placements.get(scope, ()):
            if name.startswith(prefix) and depth < _DEEPEST:
                found = self._inside(kind, name[len(prefix) :], limb, depth + 1)
                if found:
                    return [Symbol("prefix", prefix, scope), *found]
        return []


def scope_of(document: Document, statement: Statement) -> str:
    """The name of the limb that a statement stands in; empty outside of limbs."""
    current: Statement | None = statement
    while current is not None:
        if document.keyword(current) == "limb":
            return name_of(document, current)
        current = current.parent
    return ""


def name_of(document: Document, statement: Statement | None) -> str:
    """The name of the link, joint, limb or frame that a statement describes; else empty."""
    if statement is None or not statement.head:
        return ""
    keyword = document.keyword(statement)
    place = 2 if keyword == "virtual" else 1 if keyword in (*_DEFINED, "limb") else 0
    if len(statement.head) <= place or not document.is_name(statement.head[place]):
        return ""
    return identifier(document.code[statement.head[place]])
