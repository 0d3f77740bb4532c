"""What CPython's own parser makes of Python files, in the notation of src/python/dump.h.

usage: normal_form.py COUNT SEED    choose COUNT files of the standard library
       normal_form.py FILE...

Prints one line per file: its path, a tab, and the FNV-1a hash of its normal form (or "invalid").
Files that our parser reads on purpose differently are left out: other encodings than UTF-8, and
characters by name (\\N{...}), whose table Nacre does not carry.
"""

import ast
import os
import random
import sys
import sysconfig
import warnings

warnings.simplefilter("ignore")


def text(value):
    data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
    return str(len(data)).encode() + b":" + data


def opt(value):
    return b"-" if value is None else form(value)


def seq(items):
    out = b"["
    for item in items:
        if not out.endswith(b"["):
            out += b" "
        out += b"-" if item is None else text(item) if isinstance(item, str) else form(item)
    return out + b"]"


def node(name, *fields):
    return b"(" + b" ".join((name.encode(),) + fields) + b")"


def constant(value):
    if value is None:
        return node("None")
    if value is True or value is False:
        return node(str(value))
    if value is Ellipsis:
        return node("Ellipsis")
    if isinstance(value, int):
        return node("Int", text("%x" % value))
    if isinstance(value, float):
        return node("Float", text("%.17g" % value))
    if isinstance(value, complex):
        return node("Imaginary", text("%.17g" % value.imag))
    return node("Str" if isinstance(value, str) else "Bytes", text(value))


def joined(values):
    """Adjacent constants are one, empty ones are none (CPython 3.11 and 3.12 differ here)."""
    out = []
    for value in values:
        if isinstance(value, ast.Constant):
            if not value.value:
                continue
            if out and isinstance(out[-1], ast.Constant):
                out[-1] = ast.Constant(out[-1].value + value.value)
                continue
        out.append(value)
    return out


# One entry for each class whose fields are not simply all of its fields in CPython's order.
FORMS = {
    "Constant": lambda n: constant(n.value),
    "Name": lambda n: node("Name", text(n.id)),
    "JoinedStr": lambda n: node("JoinedStr", seq(joined(n.values))),
    "FormattedValue": lambda n: node(
        "FormattedValue", form(n.value), text("-" if n.conversion < 0 else chr(n.conversion)), opt(n.format_spec)
    ),
    "BoolOp": lambda n: node(type(n.op).__name__, seq(n.values)),
    "BinOp": lambda n: node(type(n.op).__name__, form(n.left), form(n.right)),
    "UnaryOp": lambda n: node(type(n.op).__name__, form(n.operand)),
    "Compare": lambda n: node(
        "Compare", form(n.left), b"[" + b" ".join(type(o).__name__.encode() for o in n.ops) + b"]", seq(n.comparators)
    ),
    "keyword": lambda n: node("keyword", text(n.arg or ""), form(n.value)),
    "Attribute": lambda n: node("Attribute", form(n.value), text(n.attr)),
    "Subscript": lambda n: node("Subscript", form(n.value), form(n.slice)),
    "Starred": lambda n: node("Starred", form(n.value)),
    "Tuple": lambda n: node("Tuple", seq(n.elts)),
    "List": lambda n: node("List", seq(n.elts)),
    "comprehension": lambda n: node(
        "comprehension", form(n.target), form(n.iter), seq(n.ifs), b"1" if n.is_async else b"0"
    ),
    "arg": lambda n: node("arg", text(n.arg), opt(n.annotation)),
    "MatchSingleton": lambda n: node("MatchValue", constant(n.value)),
    "MatchMapping": lambda n: node("MatchMapping", seq(n.keys), seq(n.patterns), text(n.rest or "")),
    "MatchClass": lambda n: node("MatchClass", form(n.cls), seq(n.patterns), seq(n.kwd_attrs), seq(n.kwd_patterns)),
    "MatchStar": lambda n: node("MatchStar", text(n.name or "")),
    "MatchAs": lambda n: node("MatchAs", opt(n.pattern), text(n.name or "")),
    "FunctionDef": lambda n: function(n),
    "AsyncFunctionDef": lambda n: function(n),
    "ClassDef": lambda n: node(
        "ClassDef",
        text(n.name),
        seq(getattr(n, "type_params", [])),
        seq(n.bases),
        seq(n.keywords),
        seq(n.body),
        seq(n.decorator_list),
    ),
    "Assign": lambda n: node("Assign", seq(n.targets), form(n.value)),
    "AugAssign": lambda n: node("AugAssign", form(n.target), text(type(n.op).__name__), form(n.value)),
    "AnnAssign": lambda n: node(
        "AnnAssign", form(n.target), form(n.annotation), opt(n.value), b"1" if n.simple else b"0"
    ),
    "For": lambda n: node("For", form(n.target), form(n.iter), seq(n.body), seq(n.orelse)),
    "AsyncFor": lambda n: node("AsyncFor", form(n.target), form(n.iter), seq(n.body), seq(n.orelse)),
    "With": lambda n: node("With", seq(n.items), seq(n.body)),
    "AsyncWith": lambda n: node("AsyncWith", seq(n.items), seq(n.body)),
    "ExceptHandler": lambda n: node("ExceptHandler", opt(n.type), text(n.name or ""), seq(n.body)),
    "alias": lambda n: node("alias", text(n.name), text(n.asname or "")),
    "ImportFrom": lambda n: node("ImportFrom", text(n.module or ""), seq(n.names), text(str(n.level))),
    "Module": lambda n: node("Module", seq(n.body)),
}


def function(n):
    return node(
        type(n).__name__,
        text(n.name),
        seq(getattr(n, "type_params", [])),
        form(n.args),
        seq(n.body),
        seq(n.decorator_list),
        opt(n.returns),
    )


def form(n):
    special = FORMS.get(type(n).__name__)
    if special:
        return special(n)
    fields = [getattr(n, name) for name in n._fields]
    return node(type(n).__name__, *(seq(f) if isinstance(f, list) else opt(f) for f in fields))


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return "%016x" % value


def line(path):
    with open(path, "rb") as file:
        source = file.read()
    if rb"\N{" in source:
        return None
    try:
        source.decode("utf-8")
        return fnv(form(ast.parse(source)))
    except UnicodeDecodeError:
        return None
    except (SyntaxError, ValueError) as error:
        return None if "encoding" in str(error) else "invalid"


def main(args):
    sys.setrecursionlimit(10000)
    if len(args) == 2 and args[0].isdigit():
        root = sysconfig.get_path("stdlib")
        found = [os.path.join(d, f) for d, _, files in os.walk(root) for f in files if f.endswith(".py")]
        found.sort()
        random.Random(int(args[1])).shuffle(found)
        args = [path for path in found if os.path.getsize(path) < 100000][: int(args[0])]
    for path in args:
        answer = line(path)
        if answer:
            print(path, answer, sep="\t")


main(sys.argv[1:])
