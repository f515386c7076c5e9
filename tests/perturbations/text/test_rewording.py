"""Words replaced so that case, spaces, commas and apostrophes stay right."""

from __future__ import annotations

import pytest

from perturbations.text.rewording import Piece, reworded


def reword(text: str, *changes: tuple[str, str]) -> str:
    """The text with each phrase, in order, in other words."""
    wordings = []
    position = 0
    for phrase, words in changes:
        start = text.index(phrase, position)
        position = start + len(phrase)
        wordings.append((start, position, words))
    result = []
    done = 0
    for piece in reworded(text, wordings, alone="okay"):
        assert text[piece.start : piece.end] == piece.before
        assert piece.before != piece.after
        result += [text[done : piece.start], piece.after]
        done = piece.end
    return "".join([*result, text[done:]])


@pytest.mark.parametrize(
    ("text", "changes", "result"),
    [
        ("Can you wait?", [("Can you", "could you please")], "Could you please wait?"),
        ("so can you wait", [("can you", "could you please")], "so could you please wait"),
        ("SO CAN YOU WAIT", [("CAN YOU", "could you please")], "SO COULD YOU PLEASE WAIT"),
        ("OK, can I ask?", [("can I", "may i")], "OK, may I ask?"),
        ("can i ask", [("can i", "may i")], "can may i ask"[4:]),
        ("And I'd like it if you could go.", [("I'd like it if you could", "you can")], "And you can go."),
        ("I'd like it if you could go.", [("I'd like it if you could", "you can")], "You can go."),
        ("I\u2019m here.", [("I\u2019m here", "you're here")], "You\u2019re here."),
        ("Hello. How can I help?", [("How", "it's good{.} how")], "Hello. It's good. How can I help?"),
        ("hello how can i help", [("how", "it's good{.} how{,}")], "hello it's good how can i help"),
        ("Yes, wait.", [("wait", "wait{,} will you")], "Yes, wait, will you."),
        ("OK", [("OK", "very well")], "Very well"),
        # Deletions.
        ("Please hold on.", [("Please", "")], "Hold on."),
        ("please hold on", [("please", "")], "hold on"),
        ("PLEASE HOLD", [("PLEASE", "")], "HOLD"),
        ("Please, hold on.", [("Please", "")], "Hold on."),
        ("Your name, please?", [("please", "")], "Your name?"),
        ("Your name please, and age.", [("please", "")], "Your name, and age."),
        ("Yes, please, hold on.", [("please", "")], "Yes, hold on."),
        ("Sure, please hold.", [("please", "")], "Sure, hold."),
        ("Could you please hold?", [("please", "")], "Could you hold?"),
        ("Hold. Please. Thanks.", [("Please", "")], "Hold. Thanks."),
        ("Hold on. Please.", [("Please", "")], "Hold on."),
        ("Hold on please", [("please", "")], "Hold on"),
        ("(please hold)", [("please", "")], "(hold)"),
        ("Hi\nPlease hold", [("Please", "")], "Hi\nHold"),
        ("Please please hold", [("Please", ""), ("please", "")], "Hold"),
        ("please, please, hold", [("please", ""), ("please", "")], "hold"),
        ("Please can you go?", [("Please", ""), ("can you", "will you")], "Will you go?"),
        ("Please 5 of them", [("Please", "")], "5 of them"),
        ("Please.", [("Please", "")], "Okay."),
        ("please please", [("please", ""), ("please", "")], "okay"),
        (" please ", [("please", "")], " okay "),
        ("PLEASE!", [("PLEASE", "")], "OKAY!"),
    ],
)
def test_reworded(text: str, changes: list[tuple[str, str]], result: str) -> None:
    assert reword(text, *changes) == result


@pytest.mark.parametrize(
    ("text", "phrase", "words", "piece"),
    [
        ("your phone number?", "your phone number", "your phone number please", Piece(17, 17, "", " please")),
        ("hold on", "hold on", "please hold on", Piece(0, 0, "", "please ")),
        (
            "can you tell me",
            "can you tell me",
            "could you please tell me",
            Piece(0, 7, "can you", "could you please"),
        ),
        ("what can i do", "what can i do", "what may i do", Piece(5, 8, "can", "may")),
        ("Hold on", "Hold on", "please hold on", Piece(0, 4, "Hold", "Please hold")),
        ("it's fine", "it's fine", "it is fine", Piece(0, 4, "it's", "it is")),
    ],
)
def test_pieces_hold_whole_words_and_only_those_that_change(text: str, phrase: str, words: str, piece: Piece) -> None:
    start = text.index(phrase)
    assert reworded(text, [(start, start + len(phrase), words)], alone="okay") == [piece]
