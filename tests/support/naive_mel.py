"""A small interpreter of MEL: what an exported script uses, run with the commands of a module.

Procedures, typed variables and arrays, if, for in both forms, return, calls in the form of
functions. Whatever else is in the text is a syntax error.
"""

from __future__ import annotations

import math
import operator
import re

TOKEN = re.compile(
    r'//[^\n]*|\s+|(?P<token>"(?:\\.|[^"\\])*"|\$\w+|\d+\.\d*(?:[eE][+-]?\d+)?'
    r"|\d+(?:[eE][+-]?\d+)?|\w+|\+\+|&&|\|\||[<>=!]=|[-+*/%<>=!(){}\[\];,])"
)
TYPES = {"int": int, "float": float, "string": str}
LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
WITH_VALUE = {"chunkName", "type", "time", "source", "destination"}


class ReturnedError(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


def tokens_of(text):
    found, place = [], 0
    while place < len(text):
        match = TOKEN.match(text, place)
        assert match, f"no MEL: {text[place : place + 40]!r}"
        if match["token"]:
            found.append(match["token"])
        place = match.end()
    return found


class Parser:
    """From tokens to functions of (interpreter, local variables)."""

    def __init__(self, text):
        self.tokens, self.place = [*tokens_of(text), "end of text"], 0

    def peek(self, ahead=0):
        return self.tokens[min(self.place + ahead, len(self.tokens) - 1)]

    def take(self, *wanted):
        token = self.peek()
        assert not wanted or token in wanted, f"{wanted} expected, {token!r} found"
        self.place += 1
        return token

    def has(self, token):
        found = self.peek() == token
        self.place += found
        return found

    def program(self):
        found = []
        while self.peek() != "end of text":
            found.append(self.statement())
        return found

    def block(self):
        self.take("{")
        found = []
        while not self.has("}"):
            found.append(self.statement())
        return found

    def statement(self):
        token = self.peek()
        if token == "global" and self.peek(1) == "proc":
            return self.procedure()
        if token == "global" or token in TYPES:
            return self.declaration()
        if token in ("if", "for"):
            return getattr(self, f"{token}_statement")()
        if self.has("return"):
            value = None if self.peek() == ";" else self.expression()
            self.take(";")
            return lambda run, here: (_ for _ in ()).throw(
                ReturnedError(value and value(run, here))
            )
        found = self.assignment() if token.startswith("$") else self.expression()
        self.take(";")
        return found

    def procedure(self):
        self.take("global")
        self.take("proc")
        kind = self.take() if self.peek() in TYPES else None
        if kind and self.has("["):
            self.take("]")
            kind += "[]"
        name = self.take()
        self.take("(")
        parameters = []
        while not self.has(")"):
            parameters.append(self.variable())
            self.has(",")
        body = self.block()
        return lambda run, here: run.procedures.update({name: (kind, parameters, body)})

    def variable(self):
        kind, name = self.take(*TYPES), self.take()
        if self.has("["):
            self.take("]")
            kind += "[]"
        return kind, name

    def declaration(self):
        is_global = self.has("global")
        kind, name = self.variable()
        value = self.expression() if self.has("=") else None
        self.take(";")

        def run_it(run, here):
            given = empty(kind) if value is None else value(run, here)
            if is_global:
                if value is not None or name not in run.globals:
                    run.globals[name] = [kind, typed(kind, given)]
                here[name] = run.globals[name]
            elif name not in here or value is not None:
                here[name] = [kind, typed(kind, given)]

        return run_it

    def assignment(self):
        name = self.take()
        index = None
        if self.has("["):
            index = self.expression()
            self.take("]")
        self.take("=")
        value = self.expression()

        def run_it(run, here):
            kind, old = here[name]
            if index is None:
                here[name][1] = typed(kind, value(run, here))
                return
            at = index(run, here)
            old += [empty(kind[:-2])] * (at + 1 - len(old))
            old[at] = typed(kind[:-2], value(run, here))

        return run_it

    def if_statement(self):
        self.take("if")
        self.take("(")
        condition = self.expression()
        self.take(")")
        body = self.block()
        other = self.block() if self.has("else") else []
        return lambda run, here: run.all(body if condition(run, here) else other, here)

    def for_statement(self):
        self.take("for")
        self.take("(")
        if self.peek(1) == "in":
            name = self.take()
            self.take("in")
            values = self.expression()
            self.take(")")
            body = self.block()

            def each(run, here):
                for value in list(values(run, here)):
                    here[name][1] = value
                    run.all(body, here)

            return each
        start = self.assignment()
        self.take(";")
        condition = self.expression()
        self.take(";")
        name = self.take()
        self.take("++")
        self.take(")")
        body = self.block()

        def count(run, here):
            start(run, here)
            while condition(run, here):
                run.all(body, here)
                here[name][1] += 1

        return count

    def expression(self, level=0):
        if level == len(LEVELS):
            return self.unary()
        left = self.expression(level + 1)
        while self.peek() in LEVELS[level]:
            left = binary(self.take(), left, self.expression(level + 1))
        return left

    def unary(self):
        if self.has("!"):
            inner = self.unary()
            return lambda run, here: int(not inner(run, here))
        if self.has("-"):
            inner = self.unary()
            return lambda run, here: -inner(run, here)
        return self.primary()

    def several(self, end):
        found = []
        while not self.has(end):
            found.append(self.expression())
            if self.peek() != end:
                self.take(",")
        return found

    def primary(self):
        token = self.take()
        if token == "(":
            inner = self.expression()
            self.take(")")
            return inner
        if token == "{":
            items = self.several("}")
            return lambda run, here: [item(run, here) for item in items]
        if token.startswith('"'):
            text = re.sub(r"\\(.)", r"\1", token[1:-1])
            return lambda run, here: text
        if token.startswith("$"):
            return self.looked_up(token)
        if token[0].isdigit():
            number = float(token) if re.search(r"[.eE]", token) else int(token)
            return lambda run, here: number
        self.take("(")
        if token == "catch":
            inner = self.expression()
            self.take(")")
            return lambda run, here: run.caught(inner, here)
        arguments = self.several(")")
        return lambda run, here: run.call(token, [one(run, here) for one in arguments])

    def looked_up(self, name):
        if not self.has("["):
            return lambda run, here: here[name][1]
        index = self.expression()
        self.take("]")
        return lambda run, here: here[name][1][index(run, here)]


def returning(value):
    def run_it(run, here):
        raise ReturnedError(None if value is None else value(run, here))

    return run_it


def binary(sign, left, right):
    if sign == "&&":
        return lambda run, here: int(bool(left(run, here)) and bool(right(run, here)))
    if sign == "||":
        return lambda run, here: int(bool(left(run, here)) or bool(right(run, here)))
    functions = {
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        ">": operator.gt,
        "<=": operator.le,
        ">=": operator.ge,
        "-": operator.sub,
        "*": operator.mul,
        "%": operator.mod,
        "+": added,
        "/": divided,
    }
    function = functions[sign]

    def run_it(run, here):
        result = function(left(run, here), right(run, here))
        return int(result) if isinstance(result, bool) else result

    return run_it


def added(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return shown(a) + shown(b)
    return a + b


def shown(value):
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def divided(a, b):
    return a // b if isinstance(a, int) and isinstance(b, int) else a / b


def empty(kind):
    return [] if kind.endswith("[]") else TYPES[kind]()


def typed(kind, value):
    """The value as a variable of that type has it; what MEL would not convert is an error."""
    if kind is None:
        return None
    if kind.endswith("[]"):
        assert value is None or isinstance(value, (list, tuple)), (kind, value)
        return [typed(kind[:-2], one) for one in value or []]
    assert isinstance(value, str) == (kind == "string"), (kind, value)
    return TYPES[kind](value)


class Mel:
    """Runs MEL with the commands of a module such as maya.cmds."""

    def __init__(self, commands):
        self.commands, self.procedures, self.globals, self.warnings = commands, {}, {}, []

    def run(self, text):
        self.all(Parser(text).program(), {})

    def all(self, statements, here):
        for statement in statements:
            statement(self, here)

    def caught(self, inner, here):
        try:
            inner(self, here)
        except RuntimeError:
            return 1
        return 0

    def call(self, name, arguments):
        if name in self.procedures:
            kind, parameters, body = self.procedures[name]
            assert len(arguments) == len(parameters), name
            here = {n: [k, typed(k, a)] for (k, n), a in zip(parameters, arguments)}
            try:
                self.all(body, here)
            except ReturnedError as found:
                return typed(kind, found.value)
            return None
        built_in = getattr(self, f"mel_{name}", None)
        return built_in(*arguments) if built_in else self.command(name, arguments)

    def command(self, name, arguments):
        words, flags, rest = list(arguments), {}, []
        while words:
            word = words.pop(0)
            if isinstance(word, str) and re.match(r"-[a-z]", word):
                flags[word[1:]] = words.pop(0) if word[1:] in WITH_VALUE else True
            else:
                rest.append(word)
        return getattr(self.commands, name)(*rest, **flags)

    def mel_size(self, value):
        return len(value)

    def mel_cos(self, value):
        return math.cos(value)

    def mel_sin(self, value):
        return math.sin(value)

    def mel_abs(self, value):
        return abs(value)

    def mel_substring(self, text, first, last):
        return text[first - 1 : last]

    def mel_tokenize(self, text, signs, parts):
        parts[:] = [part for part in re.split(f"[{re.escape(signs)}]", text) if part]
        return len(parts)

    def mel_warning(self, text):
        self.warnings.append(text)
