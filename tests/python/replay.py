"""Runs programs under CPython with the inputs that Nacre gave as counterexamples.

usage: replay.py FILE

FILE holds JSON lines {"source", "function", "arguments"}; the arguments are Python literals. Prints how many of the
calls fail, as they must, and each one that does not.
"""

import json
import os
import re
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
ALIAS = re.compile(r"^type (\w+) *= *", re.MULTILINE)  # Python before 3.12 does not know it


def load(source):
    names = {}
    exec("from nacre_types import *\nimport re\n" + ALIAS.sub(r"\1 = ", source), names)
    return names


def fails(names, function, arguments):
    """Whether the call raises, or returns what is not of the declared type."""
    called = names[function]
    declared = called.__annotations__.get("return")
    signal.alarm(2)
    try:
        result = called(*arguments)
        return declared is not None and not names["isinstance"](result, declared)
    except Exception:
        return True
    finally:
        signal.alarm(0)


def main(path):
    right = total = 0
    with open(path) as lines:
        for line in lines:
            case = json.loads(line)
            total += 1
            arguments = [eval(argument) for argument in case["arguments"]]
            if fails(load(case["source"]), case["function"], arguments):
                right += 1
            else:
                print("does not fail: %s(%s)\n%s" % (case["function"], ", ".join(case["arguments"]), case["source"]))
    print("%d of %d counterexamples fail under CPython" % (right, total))
    return right != total


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
