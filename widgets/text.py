"""The one way from text to HTML: `esc` for text that is not ours, `h` to build a tag (DESIGN, Jupyter facts).

Everything a panel shows passes here. A `str` is text and is escaped; only `Html` goes through as it is, and `Html`
comes from `esc`, `h`, `join` or a literal of our own. Tags and attribute names are ours; values are always escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias


class Html(str):
    """HTML that is safe to show. Wrap only literals of our own; never text from a conversation, a model or an error.

    Joining it with `+`, `%`, `format` or an f-string gives a plain `str` again, which `h` escapes: the mistake is
    visible on screen and never runs.
    """

    __slots__ = ()


#: What `h` takes as a child: text, numbers, HTML, nothing (None, False: left out), or any nesting of them.
Child: TypeAlias = "str | int | float | Iterable[Child] | None"
#: An attribute's value: True writes the bare attribute; None and False leave it out.
Value: TypeAlias = str | int | float | bool | None

_REPLACED: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "`": "&#96;"}
#: Characters HTML has no place for (a NUL breaks the parser, a lone surrogate the websocket's UTF-8), shown as U+FFFD;
#: and the bidirectional controls that let text reorder its surroundings, shown as their code point.
_UNSHOWABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REORDERING: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ENTITY: Final = str.maketrans(_REPLACED)

#: Tags `h` builds. What loads, runs or embeds (script, img, iframe, object, a, form, svg's foreignObject) has no place.
_TAGS: Final = frozenset(
    "div span section header main aside nav p h2 h3 h4 ul ol li table thead tbody tfoot tr th td caption colgroup col "
    "b i em strong small code pre kbd mark u s sub sup br hr button input select option optgroup datalist label "
    "textarea output details summary fieldset legend progress meter figure figcaption time abbr "
    "svg g path rect circle line polyline polygon text tspan title defs pattern use".split()
)
_VOID: Final = frozenset(("br", "hr", "input", "col"))
_STYLE: Final = re.compile(r"(?!.*url)[\w\s:;.,%()#+*/-]*\Z", re.ASCII | re.IGNORECASE | re.DOTALL)
_NAME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9:_-]*\Z")


def esc(text: object) -> Html:
    """Return `text` (any object's `str`) as HTML that shows exactly that text, in a node and in a quoted attribute."""
    if isinstance(text, Html):
        return text
    shown = _UNSHOWABLE.sub("\ufffd", str(text)).translate(_ENTITY)
    return Html(_REORDERING.sub(lambda found: f"[U+{ord(found[0]):04X}]", shown))


def join(parts: Iterable[Child], between: str = "") -> Html:
    """Return the parts one after another, each escaped unless it is Html; `between` is escaped as well."""
    return Html(esc(between).join(_flat(parts)))


def h(tag: str, attributes: Mapping[str, Value] | None = None, /, *children: Child) -> Html:
    """Return `<tag attributes>children</tag>`. Children and attribute values are escaped; None and False are left out.

    Raises ValueError for a tag outside the list above, an attribute that runs script (`on...`) or loads (`href`, `src`
    ... other than a `#fragment`), and children of a void tag: mistakes of ours, found in the first test that renders.
    """
    if tag not in _TAGS:
        raise ValueError(f"h() builds no <{tag}>. Use one of the tags listed in widgets/text.py.")
    written = [_attribute(tag, name, value) for name, value in (attributes or {}).items()]
    start = f"<{tag}{''.join(written)}>"
    if tag in _VOID:
        if children:
            raise ValueError(f"<{tag}> takes no children.")
        return Html(start)
    return Html(f"{start}{''.join(_flat(children))}</{tag}>")


def _attribute(tag: str, name: str, value: Value) -> str:
    lower = name.lower()
    if not _NAME.match(name) or lower.startswith("on") or lower in ("srcdoc", "action", "formaction"):
        raise ValueError(f"h() writes no attribute {name!r} on <{tag}>.")
    if lower in ("href", "src", "xlink:href") and not str(value).startswith("#"):
        raise ValueError(f"h() writes {name!r} only as a #fragment: nothing on screen loads or leads elsewhere.")
    if value is None or value is False:
        return ""
    if lower == "style" and not _STYLE.match(str(value)):
        raise ValueError(f"h() writes only plain sizes, colours and variables as style on <{tag}>.")
    if value is True:
        return f" {name}" if not lower.startswith(("aria-", "data-")) else f' {name}="true"'
    # Html as a value was escaped already, but may hold tags: quotes in them must not end the attribute.
    return f' {name}="{esc(str.__str__(value) if isinstance(value, str) else value)}"'


def _flat(children: Iterable[Child]) -> Iterable[str]:
    for child in children:
        if child is None or child is False:
            continue
        if isinstance(child, (str, int, float)):
            yield esc(child)
        else:
            yield from _flat(child)
