# expect: ok
"""Set-Cookie lines and Cookie headers."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from nacre_types import lang

CookieName = lang(r"[A-Za-z0-9_-]+")
CookieValue = lang(r"[A-Za-z0-9_./+=-]*")
Pair = lang(r"[A-Za-z0-9_-]+=[A-Za-z0-9_./+=-]*")
Header = lang(r"([A-Za-z0-9_-]+=[A-Za-z0-9_./+=-]*(; [A-Za-z0-9_-]+=[A-Za-z0-9_./+=-]*)*)?")
SetCookie = lang(r"[A-Za-z0-9_-]+=[A-Za-z0-9_./+=-]*(; (Secure|HttpOnly|Path=/[a-z/]*))*")


@dataclass
class Cookie:
    name: CookieName
    value: CookieValue
    attributes: list[str] = field(default_factory=list)

    @staticmethod
    def parse(line: SetCookie) -> Cookie:
        pair, *attributes = line.split("; ")
        name, _, value = pair.partition("=")
        return Cookie(name, value, attributes)

    def pair(self) -> Pair:
        return self.name + "=" + self.value

    @property
    def is_secure(self) -> bool:
        return "Secure" in self.attributes


class Jar:
    def __init__(self) -> None:
        self._cookies: dict[CookieName, Cookie] = {}

    def add(self, line: SetCookie) -> None:
        cookie = Cookie.parse(line)
        self._cookies[cookie.name] = cookie

    def get(self, name: CookieName) -> Optional[CookieValue]:
        found = self._cookies.get(name)
        return None if found is None else found.value

    def header(self) -> Header:
        return "; ".join(cookie.pair() for cookie in self._cookies.values())


def split_header(header: Header) -> list[Pair]:
    if not header:
        return []
    return header.split("; ")


if __name__ == "__main__":
    jar = Jar()
    jar.add("session=abc123; Secure; Path=/")
    jar.add("theme=dark")
    print(jar.header(), jar.get("theme"), split_header("a=1; b=2"))
