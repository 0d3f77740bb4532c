# expect: ok
"""Local user names: a validator that raises, and what is made of a good name."""
import re
from typing import NamedTuple
from nacre_types import lang, isinstance

UserName = lang(r"[a-z_][a-z0-9_-]{0,30}")
HomeDir = lang(r"/home/[a-z_][a-z0-9_-]{0,30}")


class BadName(ValueError):
    pass


class Account(NamedTuple):
    name: UserName
    home: HomeDir
    uid: int


def checked(name: str) -> UserName:
    if not re.fullmatch(r"[a-z_][a-z0-9_-]{0,30}", name):
        raise BadName(name)
    return name


def account(name: str, uid: int) -> Account:
    good = checked(name.strip().lower())
    return Account(good, "/home/" + good, uid)


def passwd_line(a: Account) -> lang(r"[a-z_][a-z0-9_-]{0,30}:x:-?[0-9]+:/home/[^:]+"):
    return ":".join([a.name, "x", str(a.uid), a.home])


def initial(name: UserName) -> lang(r"[A-Z_]"):
    return name[0].upper()


print(passwd_line(account(" Alice ", 1000)), initial("bob"))
