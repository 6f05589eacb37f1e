"""Hidden tiles: as many backs as there are tiles, and a sentence for those who don't see them."""

from xml.etree import ElementTree

from gm.drawing.svg import backs


def test_each_tile_has_a_back() -> None:
    """Red ones come first and are taller; nothing says which letters they are."""
    tree = ElementTree.fromstring(backs(2, 3, "2 rot, 3 schwarz"))
    assert [rect.get("class") for rect in tree.iter("rect")] == ["red", "red", "black", "black", "black"]
    assert len({rect.get("height") for rect in tree.iter("rect")}) == 2
    assert (tree.get("role"), tree.get("aria-label")) == ("img", "2 rot, 3 schwarz")


def test_an_empty_hand_is_nothing() -> None:
    """Who has no tile left has an empty drawing."""
    assert not list(ElementTree.fromstring(backs(0, 0, "0 rot, 0 schwarz")).iter("rect"))
