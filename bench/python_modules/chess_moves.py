# expect: ok
"""Chess moves in coordinates: e2e4, e7e8q."""
from typing import NamedTuple, Optional

from nacre_types import lang

Square = lang(r"[a-h][1-8]")
Piece = lang(r"[qrbn]")
Move = lang(r"[a-h][1-8][a-h][1-8][qrbn]?")


class Parsed(NamedTuple):
    start: Square
    end: Square
    promotion: Optional[Piece] = None


def parse(move: Move) -> Parsed:
    start, end, rest = move[:2], move[2:4], move[4:]
    if rest:
        return Parsed(start, end, rest)
    return Parsed(start, end)


def text(parsed: Parsed) -> Move:
    return parsed.start + parsed.end + (parsed.promotion or "")


def mirror(square: Square) -> Square:
    rank = 9 - int(square[1])
    return f"{square[0]}{rank}"


def piece_name(piece: Piece) -> str:
    match piece:
        case "q":
            return "queen"
        case "r":
            return "rook"
        case "b":
            return "bishop"
        case "n":
            return "knight"
    raise AssertionError("no piece")


def squares(moves: list[Move]) -> set[Square]:
    seen = set()
    for move in moves:
        parsed = parse(move)
        seen.add(parsed.start)
        seen.add(parsed.end)
    return seen


print(text(parse("e7e8q")), mirror("a1"), piece_name("q"), len(squares(["e2e4", "e7e5"])))
