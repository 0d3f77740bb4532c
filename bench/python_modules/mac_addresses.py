# expect: line 26, vendor('00:00:00:00:00:00')
"""Hardware addresses: 00:1a:2b:3c:4d:5e."""
from nacre_types import lang

Mac = lang(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")
Cisco = lang(r"[0-9a-f]{4}(\.[0-9a-f]{4}){2}")
Oui = lang(r"[0-9A-F]{6}")

VENDORS: dict[Oui, str] = {"001A2B": "Ayecom", "00000C": "Cisco"}


def octets(mac: Mac) -> list[int]:
    return [int(part, 16) for part in mac.split(":")]


def to_cisco(mac: Mac) -> Cisco:
    plain = mac.replace(":", "")
    return ".".join((plain[0:4], plain[4:8], plain[8:12]))


def from_octets(values: tuple[int, int, int, int, int, int]) -> Mac:
    return ":".join(f"{value & 0xFF:02x}" for value in values)


def vendor(mac: Mac) -> str:
    oui: Oui = mac[:8].replace(":", "")[:5].upper()
    return VENDORS.get(oui, "unknown")


def is_multicast(mac: Mac) -> bool:
    return octets(mac)[0] & 1 == 1


def is_local(mac: Mac) -> bool:
    return mac[1] in "26ae"


def normal(text: str) -> Mac:
    low = text.strip().lower().replace("-", ":")
    return Mac.parse(low)


if __name__ == "__main__":
    print(to_cisco("00:1a:2b:3c:4d:5e"), vendor("00:1a:2b:3c:4d:5e"))
