# expect: ok
"""Media types with parameters: text/html; charset=utf-8."""
from functools import lru_cache
from nacre_types import lang

Token = lang(r"[a-z0-9.+-]+")
MediaType = lang(r"[a-z0-9.+-]+/[a-z0-9.+-]+")
Header = lang(r"[a-z0-9.+-]+/[a-z0-9.+-]+(; [a-z0-9-]+=[a-z0-9-]+)*")

SUFFIXES = {"text/html": ".html", "text/plain": ".txt", "image/png": ".png"}


def media_type(header: Header) -> MediaType:
    return header.split(";")[0]


def parameters(header: Header) -> dict[str, str]:
    out = {}
    for part in header.split("; ")[1:]:
        name, value = part.split("=")
        out[name] = value
    return out


@lru_cache(maxsize=None)
def suffix(kind: MediaType) -> lang(r"\.[a-z]+"):
    return SUFFIXES.get(kind, ".bin")


def top_level(kind: MediaType) -> Token:
    return kind[: kind.rfind("/")]


def is_text(header: Header) -> bool:
    return top_level(media_type(header)) == "text"


def charset(header: Header) -> str:
    return parameters(header).get("charset", "us-ascii")


print(charset("text/html; charset=utf-8"), suffix("image/png"), is_text("text/plain"))
