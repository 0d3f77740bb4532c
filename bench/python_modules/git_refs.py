# expect: line 32, ref_or_main('')
"""Names of git refs, with a fallback for what is none."""
from nacre_types import lang

Ref = lang(r"refs/(heads|tags)/[a-zA-Z0-9._-]+")
Short = lang(r"[a-zA-Z0-9._-]+")
Sha = lang(r"[0-9a-f]{40}")
ShaPrefix = lang(r"[0-9a-f]{7}")
Line = lang(r"[0-9a-f]{40} refs/(heads|tags)/[a-zA-Z0-9._-]+")


def parse_line(line: Line) -> tuple[Sha, Ref]:
    sha, ref = line.split(" ")
    return sha, ref


def short(ref: Ref) -> Short:
    for prefix in ("refs/heads/", "refs/tags/"):
        if ref.startswith(prefix):
            return ref[len(prefix):]
    raise AssertionError("not reached")


def abbreviate(sha: Sha) -> ShaPrefix:
    return sha[:7]


def ref_or_main(text: str) -> Ref:
    try:
        return Ref.parse(text)
    except ValueError:
        return "heads/main"


def table(lines: list[Line]) -> dict[Short, ShaPrefix]:
    found: dict[Short, ShaPrefix] = {}
    for line in lines:
        sha, ref = parse_line(line)
        found[short(ref)] = abbreviate(sha)
    return found


def main() -> None:
    print(table(["0" * 40 + " refs/tags/v1.0"]), ref_or_main("x"))


if __name__ == "__main__":
    main()
