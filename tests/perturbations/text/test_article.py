"""Articles before words."""

from __future__ import annotations

import pytest

from perturbations.text.article import Article, article_for, wrong_articles


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("card", "a"),
        ("Emma", "an"),
        ("Aaliyah", "an"),
        ("Hannah", "a"),
        ("hour", "an"),
        ("honest", "an"),
        ("Honolulu", None),
        ("user", "a"),
        ("university", "a"),
        ("uninvited", None),
        ("unknown", "an"),
        ("Una", None),
        ("Ursula", None),
        ("update", "an"),
        ("one", "a"),
        ("European", "a"),
        ("online", "an"),
        ("8", "an"),
        ("80", "an"),
        ("11", "an"),
        ("18th", "an"),
        ("110", "a"),
        ("7", "a"),
        ("FBI", None),
        ("ID", None),
        ("m", None),
        ("Yvonne", None),
        ("Yes", "a"),
        ("\u00c9lodie", None),
        ("historic", None),
    ],
)
def test_article_for(word: str, article: Article | None) -> None:
    assert article_for(word) == article


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("a Asian customer and an white one", {("a", "asian"): 1, ("an", "white"): 1}),
        ("an Asian customer, a white one", {}),
        ("an European, a European", {("an", "european"): 1}),
        ("T A N Y A Ellis", {}),
        ("t a n y a is my name", {}),
        ("ten a m and five p m", {}),
        ("A EMMA CALLED", {("a", "emma"): 1}),
        ("a a apple", {}),
        ("is that a, uh, apple", {}),
        ("i can't a apple, I\u2019m a apple", {("a", "apple"): 2}),
        ("banana apple", {}),
        ("see shop.example/a or plan #3-a or the U.S.A open", {}),
        ('(a apple) and "an white one"', {("a", "apple"): 1, ("an", "white"): 1}),
        ("pan white", {}),
        ("a our interest", {("a", "our"): 1}),
        ("", {}),
    ],
)
def test_wrong_articles(text: str, wrong: dict[tuple[str, str], int]) -> None:
    assert wrong_articles(text) == wrong
