"""Runs a Python module with its declared types enforced: what `nacre check` claims, decided by CPython.

    python3 python_enforce.py MODULE.py [EXPRESSION]

Every annotated argument, result, yielded item, variable and dataclass field is checked when it gets
its value. Prints one JSON object: {"failure": null} or {"failure": text, "line": n, "explicit": bool};
`explicit` says that a raise statement of the module did it. Without an expression the module is run as
a script.
"""

import ast
import builtins
import collections.abc
import dataclasses
import functools
import inspect
import io
import json
import os
import re
import sys
import traceback
import types
import typing

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))


class TypeBroken(Exception):
    pass


def fits(value, kind):
    kind = getattr(kind, "__value__", kind)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if kind is typing.Any or kind is inspect.Parameter.empty or isinstance(kind, (str, typing.TypeVar)):
        return True
    if kind is None:
        return value is None
    if isinstance(kind, typing.NewType):
        return fits(value, kind.__supertype__)
    if origin is typing.Annotated:
        return all(fits(value, part) for part in args if isinstance(part, type))
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, part) for part in args)
    if origin is typing.Literal:
        return value in args
    if origin in (typing.Final, typing.ClassVar):
        return all(fits(value, part) for part in args)
    if kind in (typing.Final, typing.ClassVar):
        return True
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return isinstance(value, tuple) and all(fits(item, args[0]) for item in value)
        return isinstance(value, tuple) and len(value) == len(args) and all(map(fits, value, args))
    if isinstance(value, dict) and origin in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
        return all(fits(k, args[0]) and fits(v, args[1]) for k, v in value.items())
    if origin in (list, set, frozenset):
        return isinstance(value, origin) and all(fits(item, args[0]) for item in value)
    if origin in (collections.abc.Iterable, collections.abc.Sequence, collections.abc.Collection):
        return not isinstance(value, (list, tuple, set)) or all(fits(item, args[0]) for item in value)
    if origin is not None:
        return True
    if typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind, include_extras=True)
        return isinstance(value, dict) and all(fits(value[k], t) for k, t in hints.items() if k in value)
    if kind is float and isinstance(value, int):
        return True
    return not isinstance(kind, type) or isinstance(value, kind)


def check(value, kind, what):
    if not fits(value, kind):
        raise TypeBroken(f"{what}: {value!r} is not of the declared type {kind!r}")
    return value


def yields_of(kind):
    return typing.get_args(kind)[0] if typing.get_args(kind) else typing.Any


def enforce(hints_of):
    def decorate(function):
        signature = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args, **kwargs):
            hints = hints_of()
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            for name, value in bound.arguments.items():
                if name not in hints:
                    continue
                kind = signature.parameters[name].kind
                values = value if kind is inspect.Parameter.VAR_POSITIONAL else (
                    value.values() if kind is inspect.Parameter.VAR_KEYWORD else [value])
                for one in values:
                    check(one, hints[name], f"argument {name} of {function.__name__}")
            result = function(*args, **kwargs)
            if "return" not in hints:
                return result
            what = f"result of {function.__name__}"
            if inspect.isgenerator(result):
                item = yields_of(hints["return"])
                return (check(one, item, what) for one in result)
            return check(result, hints["return"], what)
        return checked
    return decorate


def enforce_fields(cls):
    """Dataclasses and named tuples check their fields when they are made; others when assigned."""
    def hints():
        try:
            return typing.get_type_hints(cls, include_extras=True)
        except Exception:  # a name that only a type checker knows
            return {}
    if dataclasses.is_dataclass(cls) or hasattr(cls, "_fields"):
        made = cls.__init__ if dataclasses.is_dataclass(cls) else cls.__new__

        @functools.wraps(made)
        def checked(self, *args, **kwargs):
            result = made(self, *args, **kwargs)
            target = self if dataclasses.is_dataclass(cls) else result
            for name, kind in hints().items():
                if hasattr(target, name):
                    check(getattr(target, name), kind, f"field {name} of {cls.__name__}")
            return result
        setattr(cls, "__init__" if dataclasses.is_dataclass(cls) else "__new__", checked)
    return cls


class Instrument(ast.NodeTransformer):
    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        arguments = node.args
        every = arguments.posonlyargs + arguments.args + arguments.kwonlyargs + [
            a for a in (arguments.vararg, arguments.kwarg) if a]
        pairs = [(a.arg, a.annotation) for a in every if a.annotation]
        if node.returns:
            pairs.append(("return", node.returns))
        for argument in every:
            argument.annotation = None
        node.returns = None
        if pairs:
            hints = ast.Dict([ast.Constant(name) for name, _ in pairs], [kind for _, kind in pairs])
            thunk = ast.Lambda(ast.arguments([], [], None, [], [], None, []), hints)
            call = ast.Call(ast.Name("enforced__", ast.Load()), [thunk], [])
            node.decorator_list.append(call)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        body = []
        for stmt in node.body:
            body.append(self.visit(stmt) if isinstance(stmt, (ast.FunctionDef, ast.ClassDef)) else stmt)
        node.body = body
        node.decorator_list.insert(0, ast.Name("enforced_fields__", ast.Load()))
        return node

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        if node.value is None:
            return node
        what = ast.Constant("annotated assignment")
        kind = node.annotation
        if isinstance(kind, ast.Name) and kind.id in ("TypeAlias", "Final"):
            return ast.Assign([node.target], node.value)
        thunk = ast.Lambda(ast.arguments([], [], None, [], [], None, []), kind)
        node.value = ast.Call(ast.Name("checked_later__", ast.Load()), [node.value, thunk, what], [])
        node.annotation = ast.Constant("checked")
        return node


def load(path):
    text = open(path, encoding="utf-8").read()
    # `type X = ...` needs Python 3.12; the bench must not.
    text = re.sub(r"(?m)^type (\w+) = ", r"\1 = ", text)
    tree = ast.parse(text)
    tree.body = [s for s in tree.body if not (isinstance(s, ast.ImportFrom) and s.module == "__future__")]
    tree = ast.fix_missing_locations(Instrument().visit(tree))
    # Annotations of fields stay; names of classes that come later must not be looked up.
    future = ast.parse("from __future__ import annotations").body
    tree.body[:0] = future
    for stmt in future:
        ast.copy_location(stmt, tree.body[-1])
    return compile(ast.fix_missing_locations(tree), path, "exec"), text


def explicit_lines(text):
    return {node.lineno for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Raise)}


def run(path, expression=None):
    code, text = load(path)
    module = types.ModuleType("checked_module")
    sys.modules["checked_module"] = sys.modules["__main__checked"] = module
    module.__dict__.update({
        "enforced__": enforce, "enforced_fields__": enforce_fields,
        "checked_later__": lambda value, kind, what: check(value, kind(), what),
        "__file__": path})
    if expression is None:
        module.__dict__["__name__"] = "__main__"
        sys.modules["__main__"] = module
    stdout, sys.stdout = sys.stdout, io.StringIO()
    result = {"failure": None}
    try:
        exec(code, module.__dict__)
        if expression is not None:
            value = eval(expression, module.__dict__)
            if inspect.isgenerator(value):
                list(value)
    except SystemExit:
        pass
    except BaseException as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
        line = frames[-1].lineno if frames else 0
        explicit = line in explicit_lines(text) and not isinstance(error, TypeBroken)
        result = {"failure": f"{type(error).__name__}: {error}"[:300], "line": line, "explicit": explicit,
                  "lines": [f.lineno for f in frames]}
    finally:
        sys.stdout = stdout
    return result


if __name__ == "__main__":
    sys.setrecursionlimit(3000)
    print(json.dumps(run(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)))
