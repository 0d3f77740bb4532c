# expect: line 47, Zone('a.a').add('a', 1, '')
"""Lines of a zone file."""
from __future__ import annotations

import re

from nacre_types import lang

Label = lang(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")
Domain = lang(r"[a-z0-9]+(\.[a-z0-9]+)+")
Fqdn = lang(r"[a-z0-9]+(\.[a-z0-9]+)+\.")
Kind = lang(r"A|AAAA|CNAME|MX|TXT")
Record = lang(r"[a-z0-9.]+ [0-9]+ IN (A|AAAA|CNAME|MX|TXT) [^ \n]+")

NUMERIC = re.compile(r"[0-9]+(\.[0-9]+){3}")


def fqdn(domain: Domain) -> Fqdn:
    return domain + "."


def parent(domain: Fqdn) -> str:
    return domain.split(".", 1)[1]


def guess(data: str) -> Kind:
    if NUMERIC.fullmatch(data):
        return "A"
    if ":" in data:
        return "AAAA"
    return "CNAME"


class Zone:
    default_ttl = 3600

    def __init__(self, origin: Domain) -> None:
        self.origin = origin
        self.records: list[Record] = []

    def full_name(self, label: Label) -> str:
        return label + "." + fqdn(self.origin)

    def add(self, label: lang(r"[a-z0-9]+"), ttl: int, data: lang(r"[^ \n]*")) -> None:
        if ttl <= 0:
            ttl = self.default_ttl
        line: Record = f"{label}.{fqdn(self.origin)} {ttl} IN {guess(data)} {data}"
        self.records.append(line)

    def kinds(self) -> set[str]:
        return {record.split(" ")[3] for record in self.records}

    def __len__(self) -> int:
        return len(self.records)


if __name__ == "__main__":
    zone = Zone("example.org")
    zone.add("www", 0, "192.0.2.1")
    print(zone.records, zone.kinds(), len(zone), parent("a.b.c."))
