# expect: ok
"""A small writer of markup."""
from __future__ import annotations

from nacre_types import lang

Tag = lang(r"[a-z][a-z0-9]*")
Safe = lang(r"[^<>]*")
Markup = lang(r"<[a-z][a-z0-9]*>[^<>]*</[a-z][a-z0-9]*>|<[a-z][a-z0-9]*/>")


def escape(text: str) -> Safe:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Node:
    tag: Tag

    def __init__(self, tag: Tag) -> None:
        self.tag = tag

    def open_tag(self) -> lang(r"<[a-z][a-z0-9]*>"):
        return "<" + self.tag + ">"

    def render(self) -> Markup:
        return "<" + self.tag + "/>"


class Paragraph(Node):
    def __init__(self, text: str) -> None:
        super().__init__("p")
        self.text: Safe = escape(text)

    def render(self) -> Markup:
        return self.open_tag() + self.text + "</%s>" % self.tag


def page(nodes: list[Node]) -> str:
    return "\n".join(node.render() for node in nodes)


if __name__ == "__main__":
    print(page([Paragraph("1 < 2"), Node("hr")]))
