"""Numbers, e-mail addresses and URLs in a text."""

from __future__ import annotations

import pytest

from perturbations.text.facts import email_domains, emails, numbers, urls


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("order AB-1234, 39.99 at 5PM", ("1234", "39", "99", "5")),
        ("Three six NINE, thirty-five dollars", ("three", "six", "nine", "thirty", "five")),
        ("someone often attends tenfold", ()),
        ("", ()),
    ],
)
def test_numbers(text: str, found: tuple[str, ...]) -> None:
    assert numbers(text) == found


def test_addresses() -> None:
    text = "Mail a.b+c@mail.example.com, or see https://x.example/a?b=1, (www.y.example). not@an @handle"
    assert emails(text) == ("a.b+c@mail.example.com",)
    assert email_domains(text) == ("mail.example.com",)
    assert urls(text) == ("https://x.example/a?b=1", "www.y.example")


@pytest.mark.parametrize("piece", ["a", "a.", "@", "a@", "www.", "1", "a@b."])
def test_a_very_long_word(piece: str) -> None:
    text = piece * 50_000
    assert numbers(text) == ((text,) if piece == "1" else ())
    assert all(address in text for address in (*emails(text), *urls(text)))
    assert len(email_domains(text)) == len(emails(text))
