"""YAML as JSON: messages, requests and cassettes, with the place of each value.

The events of PyYAML's parser (in C where it is there) are written down as JSON text; no object is built, so no tag runs
code. Scalars are read as YAML 1.2 and JSON do: `yes`, `no`, `on` and `off` are text. What aliases repeat is bounded.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any, Final

from ..json_text import MAX_DEPTH, TooDeep
from .inflate import inflated
from .rewriting import Pieces

#: How a YAML text with a conversation starts: a list of mappings, or a mapping.
_START = re.compile(
    r"(?:%YAML[^\n]*\n)?(?:---[^\n]*\n)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*"
    r"[ \t]*(?:-[ \t]+(?:[&!][^\s]+\s+)*)*(?:\{\s*)?[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?:(?=[ \t\r\n]|\Z)"
)
#: And what must stand in it somewhere.
_HOLDS = re.compile(
    r"^[ \t]*(?:-[ \t]+)*(?:\{\s*)?[\"']?(?:role|interactions|http_interactions|from|content|type)[\"']?:", re.MULTILINE
)
#: A list of mappings in one line, and lines with other keys.
_FLOW = re.compile(r"[ \t]*\[[ \t]*\{[^\n]*\}[ \t]*\][ \t]*\r?(?:\n[ \t]*[\w-]+:(?=[ \t\r\n])|\Z)")
#: Keys that leave no doubt.
_CERTAIN: Final = frozenset({"interactions", "http_interactions", "messages"})

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {"true": "true", "True": "true", "TRUE": "true", "false": "false", "False": "false", "FALSE": "false"}
_OLD_BOOLEANS = frozenset("yes Yes YES no No NO on On ON off Off OFF y Y n N".split())
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)")
_BASED = re.compile(r"0o[0-7]{1,60}|0x[0-9a-fA-F]{1,60}")
_ENDLESS = re.compile(r"(?P<sign>[-+]?)\.(?:inf|Inf|INF)")
_NOT_A_NUMBER = frozenset({".nan", ".NaN", ".NAN"})
_BINARY = "tag:yaml.org,2002:binary"
_STRING = "tag:yaml.org,2002:str"
#: Aliases may repeat so many pieces beyond what stands in the text.
_REPEATED: Final = 200_000


class YamlFault(ValueError):
    """Why a text is no YAML that can be read; it stands at `offset`."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def looks_like_yaml(text: str, at: int) -> bool:
    """Whether the text starts like YAML with messages in it; cheap."""
    found = _START.match(text, at)
    if found is None:
        return False
    # With its key in quotes, it is a part of JSON.
    is_bare = found["key"] == "messages" and text[found.end() - 2] == "s"
    in_a_row = is_bare and _FLOW.match(text, found.end()) is not None
    return in_a_row or _HOLDS.search(text, at) is not None


def is_certainly_yaml(text: str, at: int) -> bool:
    """Whether it starts with a key that prose does not start with."""
    found = _START.match(text, at)
    return found is not None and (found["key"] in _CERTAIN or found[0].rstrip().endswith(("- role:", "- request:")))


def yaml_as_json(text: str, at: int, end: int) -> tuple[Pieces, dict[str, int]]:
    """The documents as JSON, one behind the other; and where what was read in a particular way stands first, by code.

    Raises YamlFault, and TooDeep.
    """
    # The only dependency of the core, loaded where a paste is YAML.
    import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    writer = _Writer(text, at)
    try:
        for event in yaml.parse(text[at:end], Loader=loader):
            writer.add(event)
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in str(error.problem):
            raise TooDeep from None
        mark = error.problem_mark or error.context_mark
        offset = at + (mark.index if mark is not None else 0)
        raise YamlFault(str(error.problem or "it cannot be read"), min(offset, end)) from None
    except yaml.YAMLError as error:
        position = int(getattr(error, "position", 0) or 0)
        if loader is not yaml.SafeLoader:
            # The loader in C counts bytes.
            before = text[at:end].encode("utf-8", "surrogatepass")[:position]
            position = sum(byte & 0xC0 != 0x80 for byte in before)
        message = "a character stands here that YAML does not allow"
        raise YamlFault(message, min(at + position, end)) from None
    return writer.pieces, writer.odd


class _Level:
    """An open mapping or list, or the document."""

    __slots__ = ("anchor", "count", "first", "is_mapping")

    def __init__(self, is_mapping: bool, anchor: str | None, first: int) -> None:
        self.is_mapping = is_mapping
        self.anchor = anchor
        self.first = first
        #: How many keys and values came so far.
        self.count = 0


class _Writer:
    def __init__(self, text: str, offset: int) -> None:
        self.pieces = Pieces(text)
        self._text = text
        self.odd: dict[str, int] = {}
        self._offset = offset
        self._levels: list[_Level] = []
        #: By anchor, the range of the pieces of its value.
        self._anchors: dict[str, tuple[int, int]] = {}
        self._repeated = 0
        #: Where the last value ended: a block ends where its last value does.
        self._end = offset

    def add(self, event: Any) -> None:
        """Write down one event of the parser."""
        kind = type(event).__name__
        start, end = self._offset + event.start_mark.index, self._offset + event.end_mark.index
        if kind == "ScalarEvent":
            self._before(start, is_scalar=True)
            first = len(self.pieces)
            is_key = bool(self._levels) and self._levels[-1].is_mapping and self._levels[-1].count % 2 == 1
            self.pieces.put(self._scalar(event, start, is_key), start, end)
            self._end = start + len(self._text[start:end].rstrip())
            self._name(event.anchor, first)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            self._before(start, is_scalar=False)
            if len(self._levels) >= MAX_DEPTH:
                raise TooDeep
            is_mapping = kind == "MappingStartEvent"
            self._levels.append(_Level(is_mapping, event.anchor, len(self.pieces)))
            self.pieces.put("{" if is_mapping else "[", start, start + (end > start))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            level = self._levels.pop()
            # In the flow style, the end is a bracket.
            self._end = end if end > start else self._end
            self.pieces.put("}" if level.is_mapping else "]", start if end > start else self._end, self._end)
            self._name(level.anchor, level.first)
        elif kind == "AliasEvent":
            self._before(start, is_scalar=False)
            self._repeat(event.anchor, start, end)
        elif kind == "DocumentStartEvent" and len(self.pieces):
            self.pieces.put("\n", start, start)

    def _before(self, at: int, is_scalar: bool) -> None:
        """What stands before a key or a value."""
        if not self._levels:
            return
        level = self._levels[-1]
        if level.is_mapping and level.count % 2:
            self.pieces.put(":", at, at)
        elif level.is_mapping and not is_scalar:
            raise YamlFault("a key is no text", at)
        elif level.count:
            self.pieces.put(",", at, at)
        level.count += 1

    def _name(self, anchor: str | None, first: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = (first, len(self.pieces))

    def _repeat(self, anchor: str, start: int, end: int) -> None:
        """What an alias stands for, written once more."""
        if anchor not in self._anchors:
            raise YamlFault("an alias stands here for something that it is itself a part of, or that is nowhere", start)
        first, last = self._anchors[anchor]
        self._repeated += last - first
        if self._repeated > _REPEATED:
            raise YamlFault("aliases repeat more than can be read", start)
        text = "".join(self.pieces.text_of(piece) for piece in range(first, last))
        self._repeated += len(text) // 16
        self.pieces.put(text, start, end)

    def _scalar(self, event: Any, at: int, is_key: bool) -> str:
        """A scalar as JSON."""
        value: str = event.value
        if is_key:
            return json.dumps(value, ensure_ascii=False)
        if event.tag == _BINARY:
            return self._binary(value, at)
        if event.style or event.tag == _STRING:
            return json.dumps(value, ensure_ascii=False)
        return self._plain(value, at)

    def _plain(self, value: str, at: int) -> str:
        if value in _NULL:
            return "null"
        if value in _BOOLEANS:
            return _BOOLEANS[value]
        if _INTEGER.fullmatch(value):
            return value.removeprefix("+")
        if _FLOAT.fullmatch(value):
            sign = "-" if value[0] == "-" else ""
            whole, _, rest = value.lstrip("+-").partition(".")
            made = (whole.lstrip("0") or "0") if "e" not in whole.lower() else whole
            return sign + made + (f".{rest}" if rest[:1].isdigit() else f".0{rest}" if "." in value else "")
        if _BASED.fullmatch(value):
            return str(int(value, 0))
        if found := _ENDLESS.fullmatch(value):
            return ("-" if found["sign"] == "-" else "") + "Infinity"
        if value in _NOT_A_NUMBER:
            return "NaN"
        if value in _OLD_BOOLEANS:
            self.odd.setdefault("yaml-word", at)
        return json.dumps(value, ensure_ascii=False)

    def _binary(self, value: str, at: int) -> str:
        """The text that bytes hold; where they hold none, the base64, as recorders write it in JSON."""
        try:
            text = inflated(base64.b64decode("".join(value.split()), validate=True))
        except (binascii.Error, ValueError):
            text = None
        if text is None:
            self.odd.setdefault("yaml-binary", at)
            return json.dumps({"base64_string": value})
        return json.dumps(text, ensure_ascii=False)
