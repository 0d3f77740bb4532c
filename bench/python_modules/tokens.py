# expect: line 31, Quoted('').source()
"""Tokens of a small language print themselves."""
from nacre_types import lang

Source = lang(r"[a-z_]+|[0-9]+|\"[^\"]*\"")


class Token:
    def __init__(self, text: lang(r"[a-z_]+")) -> None:
        self.text = text

    def source(self) -> Source:
        return self.text


class Number(Token):
    def __init__(self, value: int) -> None:
        super().__init__("number")
        self.value = abs(value)

    def source(self) -> Source:
        return str(self.value)


class Quoted(Token):
    def __init__(self, content: lang(r"[^\"]*")) -> None:
        super().__init__("string")
        self.content = content

    def source(self) -> Source:
        return self.content


def is_name(source: Source) -> bool:
    return source[0] not in '"0123456789'


def unquote(source: Source) -> str:
    return source.strip('"')


if __name__ == "__main__":
    print(Token("if").source(), Number(-3).source(), is_name("if"), unquote('"x"'))
