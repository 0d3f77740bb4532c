# expect: ok
"""Names of backup files: db-20240131-0300.tar.gz below a directory."""
import os
from pathlib import Path
from nacre_types import lang

Stamp = lang(r"[0-9]{8}-[0-9]{4}")
Base = lang(r"[a-z]+")
BackupName = lang(r"[a-z]+-[0-9]{8}-[0-9]{4}\.tar\.gz")

ROOT = Path("/var/backups")


def file_name(base: Base, stamp: Stamp) -> BackupName:
    return f"{base}-{stamp}.tar.gz"


def stamp_of(name: BackupName) -> Stamp:
    stem = name.removesuffix(".tar.gz")
    base, day, time = stem.split("-")
    return day + "-" + time


def base_of(name: BackupName) -> Base:
    return name[: name.index("-")]


def where(name: BackupName) -> Path:
    return ROOT / base_of(name) / name


def is_newer(a: BackupName, b: BackupName) -> bool:
    return stamp_of(a) > stamp_of(b)


def listed(folder: str) -> list[BackupName]:
    out = []
    for entry in os.listdir(folder):
        if isinstance(entry, BackupName):
            out.append(entry)
    return out


if __name__ == "__main__":
    print(where(file_name("db", "20240131-0300")))
