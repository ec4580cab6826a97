"""What a person entered on screen, as values; what is not usable is refused in a sentence for the screen."""

from __future__ import annotations

import math


class UnknownAct(ValueError):
    """An element reports what nobody handles: a mistake of ours."""


class NotUsable(ValueError):
    """A value was entered that the control cannot take. The message is a sentence for the screen."""


def number(text: str, subject: str, least: float, most: float, next_step: str) -> float:
    """A number in [least, most] from a text field, with a comma as decimal point allowed. Raises NotUsable."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise NotUsable(f"{subject} not usable. {next_step}")
    return value


def whole(text: str, subject: str, least: int, most: int, next_step: str) -> int:
    """A whole number in [least, most] from a text field. Raises NotUsable."""
    value = number(text, subject, least, most, next_step)
    if value != int(value):
        raise NotUsable(f"{subject} not usable. {next_step}")
    return int(value)


def number_or_text(text: str) -> float | str:
    """A number where this is one, else the text as it was entered, for whoever says what is wrong with it."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return text


def whole_or_text(text: str) -> int | str:
    """A whole number where this is one, else the text as it was entered."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 9 else text


def index(text: str) -> int:
    """An index from 0, from a `data-k` of ours. Raises UnknownAct."""
    if not (text.isascii() and text.isdecimal()):
        raise UnknownAct("an index is missing")
    return int(text)
