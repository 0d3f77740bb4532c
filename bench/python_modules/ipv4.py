# expect: ok
"""IPv4 addresses with a prefix length."""
from typing import Final
from nacre_types import lang

Octet = lang(r"25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]")
Address = lang(r"{Octet}\.{Octet}\.{Octet}\.{Octet}")
Cidr = lang(r"{Address}/(3[0-2]|[12]?[0-9])")

DEFAULT: Final = "10.0.0.0/8"


def octets(a: Address) -> list[Octet]:
    return a.split(".")


def as_int(a: Address) -> int:
    total = 0
    for part in octets(a):
        total = total * 256 + int(part)
    return total


def from_octets(a: int, b: int, c: int, d: int) -> Address:
    return f"{a & 255}.{b % 256}.{c % 256}.{d % 256}"


def prefix(c: Cidr) -> int:
    bits = int(c.split("/")[1])
    assert bits <= 32
    return bits


def network(c: Cidr) -> Address:
    return c[: c.find("/")]


def reverse_name(a: Address) -> lang(r"([0-9]{1,3}\.){4}in-addr\.arpa"):
    return ".".join(reversed(octets(a))) + ".in-addr.arpa"


print(network(DEFAULT), prefix(DEFAULT), reverse_name("192.0.2.1"))
