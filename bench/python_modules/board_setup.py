# expect: line 41, main
"""A board and the men on it."""
from nacre_types import lang

Square = lang(r"[a-h][1-8]")
Man = lang(r"[KQRBNPkqrbnp]")


class Board:
    def __init__(self) -> None:
        self.men: dict[Square, Man] = {}

    def put(self, square: Square, man: Man) -> None:
        self.men[square] = man

    def at(self, square: Square) -> str:
        return self.men.get(square, ".")

    def row(self, rank: int) -> str:
        return "".join(self.at(f"{file}{rank}") for file in "abcdefgh") if 1 <= rank <= 8 else ""


def is_white(man: Man) -> bool:
    return man.isupper()


def file_of(square: Square) -> lang(r"[a-h]"):
    return square[0]


def setup() -> Board:
    board = Board()
    for file, man in zip("abcdefgh", "RNBQKBNR"):
        board.put(file + "1", man)
    return board


def main() -> None:
    board = setup()
    print(board.at("a1"), is_white("K"))
    board.put("e9", "k")
    print(board.row(8))


if __name__ == "__main__":
    main()
