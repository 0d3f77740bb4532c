# expect: line 21, prefix('0.0.0.0/0')
"""Networks: 10.0.0.0/8."""
from nacre_types import lang

Address = lang(r"[0-9]{1,3}(\.[0-9]{1,3}){3}")
Prefix = lang(r"[1-9]|[12][0-9]|3[0-2]")
Network = lang(r"[0-9]{1,3}(\.[0-9]{1,3}){3}/([0-9]|[12][0-9]|3[0-2])")


def octets(address: Address) -> list[int]:
    return [int(part) for part in address.split(".")]


def base(network: Network) -> Address:
    return network[: network.index("/")]


def prefix(network: Network) -> Prefix:
    _, _, length = network.partition("/")
    assert length
    return length


def is_host(network: Network) -> bool:
    return network.endswith("/32")


def reverse_name(address: Address) -> lang(r"[0-9.]+\.in-addr\.arpa"):
    parts = address.split(".")
    return ".".join(reversed(parts)) + ".in-addr.arpa"


def private(addresses: list[Address]) -> list[Address]:
    return [a for a in addresses if a.startswith("10.") or a.startswith("192.168.")]


print(reverse_name("10.1.2.3"), private(["10.0.0.1", "8.8.8.8"]), is_host("10.0.0.1/32"))
