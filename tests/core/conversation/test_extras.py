"""What is kept but not read: its paths become texts when they are looked at."""

from __future__ import annotations

from routing_workbench.core.conversation.extras import Extras, Kept


def test_kept_values_have_the_text_of_their_path_when_they_are_looked_at() -> None:
    """In the order in which they were kept, the later of one path counting."""
    kept: list[Kept] = [
        (("m", 0), "name", 1),
        (("m", 0), "odd key", 2),
        ((), "a", 3),
        (("m", 0), "name", 4),
        ((), 5, 6),
    ]
    extras = Extras({"before": 0}, kept)
    assert list(extras.items()) == [("before", 0), ("m[0].name", 4), ('m[0]["odd key"]', 2), ("a", 3), ("[5]", 6)]
    assert extras == {"before": 0, "m[0].name": 4, 'm[0]["odd key"]': 2, "a": 3, "[5]": 6}
