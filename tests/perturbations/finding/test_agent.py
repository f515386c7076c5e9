"""Who the agent is, and which words of a transcript name or gender them.

In the tables what must be found stands in braces: "Hi, this is {Mary}". Everything else must be left.
"""

from __future__ import annotations

import re

import pytest

from perturbations.finding.agent import find_agent
from perturbations.records.transcript import Person, Speaker, Transcript, Turn
from perturbations.writer import NotApplicable

SPEAKERS: dict[str, Speaker] = {"A": "agent", "C": "customer", "B": "bot", "S": "supervisor", "O": "other"}


def make_transcript(*marked: str, agent: str | None = None, customer: str | None = None) -> Transcript:
    """Turns written as "A: text", braces left out."""
    turns = tuple(Turn(speaker=SPEAKERS[line[0]], text=line[3:].replace("{", "").replace("}", "")) for line in marked)
    return Transcript(transcript_id="c-1", turns=turns, agent=Person(name=agent), customer=Person(name=customer))


def shown(transcript: Transcript) -> list[str]:
    """The transcript with braces around every place that names or genders the agent."""
    agent = find_agent(transcript)
    places: dict[int, list[tuple[int, int]]] = {}
    if not isinstance(agent, NotApplicable):
        for name in agent.names:
            places.setdefault(name.turn, []).append((name.start, name.end))
        for term in agent.terms:
            places.setdefault(term.turn, []).append((term.start, term.end))
    lines: list[str] = []
    letters = {speaker: letter for letter, speaker in SPEAKERS.items()}
    for index, turn in enumerate(transcript.turns):
        text = turn.text
        for start, end in sorted(places.get(index, []), reverse=True):
            text = f"{text[:start]}{{{text[start:end]}}}{text[end:]}"
        lines.append(f"{letters[turn.speaker]}: {text}")
    return lines


def check(*marked: str, agent: str | None = None, customer: str | None = None) -> None:
    assert shown(make_transcript(*marked, agent=agent, customer=customer)) == list(marked)


@pytest.mark.parametrize(
    "line",
    [
        "hello this is harper valley national bank my name is {mary} how can i help you today",
        "Hello. Thank you for calling Intellibank. My name is {Justine}. How may I help you?",
        "Thank you for calling Intellibank where we value our customers. This is {Brenda}. How may I help you?",
        "hello this is harper valley national bank my name i is {john} how can i help you today",
        "hello this is happy valley national bank my name is {elisia} how can i help you today",
        "is is harper valley national bank my name is {john} how can i help you today",
        "this is {ms} harper i'm sorry hello this is harper valley national bank my name is {linda} how can i",
        "hello hello this is {miss} {jane} from harper valley national bank how can i help you today",
        "hello this is {miss} this is {miss} {jennifer} from harper valley national bank how can i help you today",
        "hello this is harper valley national bank my name is {miss} {david} how can i help you today",
        "Good morning, you're through to {Siobhan}, how can I help?",
        "Hi! You're chatting with {Mike}.",
        "{Priya} speaking, how may I help you?",
        "{Priya} {Sharma} speaking.",
        "Good morning, {Susan} here, what can I do for you?",
        "Hi there, my name's {Tom}.",
        "hi my name is um {robert} how are you",
        "My name is... {Michael}.",
        "I'm {Jos\u00e9} {Garc\u00eda-L\u00f3pez} from Acme.",
        "I\u2019m {Rene\u0301e} from billing.",
        "Hello, this is {Anne-Marie} {O'Brien} with Acme support.",
        "MY NAME IS {MICHAEL} {REYES} HOW CAN I HELP",
        "Your agent today is {Xochitl}.",
        "Thank you for calling Acme, this is {Zbigniew}. How may I help you?",
        "You can call me {Mike}.",
        "Hi, I'm {Maria} {de la Cruz}.",
        "my name is {maria} {de la cruz} how can i help",
        "My name is {Mary Ann} {Smith} and I'm here to help.",
        "my name is {mary ann} {smith} how can i help",
        "Hi, this is {Michael} {Reyes}'s line, {Michael} {Reyes} speaking.",
        "This is {Will}, I will be helping you today, Grace's shift ended at five.",
        "this is {will} i will be helping you today",
        "Hello, this is {Mr}. {Reyes} speaking.",
        "Hi, my name is {Michael} {R}. from Acme.",
        "Hola, my name is {Guadalupe}, this call is recorded.",
        "{Michael}: Hello, how can I help?",
        "Hello, how can I help? - {Michael}",
        "How can I help?\n\nBest regards,\n{Priya} {Sharma}\nCustomer Care | {priya}.{sharma}@example.com",
        "I will look into it.\nThanks,\n{Michael}",
        "I will look into it. Kind regards, {Michael}",
        "My name is {Ann}. Brian is out today.",
        "I'm {Jean-Luc}.",
        "My name is {Nguyen} {Van An}.",
        "my name again is {jennifer} if you need anything",
        "thank you for calling acme {jennifer} speaking how can i help",
        "Good afternoon. You've reached Acme. {Karen} speaking.",
        "This is Dr. {Patel}, calling about your results.",
        "Your chat agent is {Jennifer}. {Jennifer} will be with you shortly.",
        "Hello my name is {Ali}, yes, {Ali}, {A-L-I}.",
    ],
)
def test_self_introductions(line: str) -> None:
    check(f"A: {line}", "C: okay")


@pytest.mark.parametrize(
    "line",
    [
        "Hello, this is Intellibank. How can I help you?",
        "hello this is harper valley national bank how can i help you",
        "Thanks for calling, this is Customer Care.",
        "I'm Sorry to hear that.",
        "I'm happy to help you with that.",
        "I'm Canadian myself.",
        "this is a problem we can solve",
        "this is Not something I can do",
        "my name is on the email that you received",
        "This is You are speaking about Do Not Go",
        "This is Six Flags support.",
        "It's May already.",
        "this is june and the bill is due",
        "I'm Michael's supervisor.",
        "This is Michael's desk, who is calling?",
        "I'm just going to put you on hold",
        "Thanks, Michael",
        "okay michael what is your zip code",
        "and the company name is smart electric",
        "You've reached Acme.",
        "you're speaking with the fraud department",
        "this is fine how do you want to pay",
    ],
)
def test_no_name_where_the_agent_gives_none(line: str) -> None:
    assert find_agent(make_transcript(f"A: {line}", "C: okay")) == NotApplicable("no_agent_name")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("My name is [PII], how can I help?", "name_redacted"),
        ("hello my name is [name] how can i help", "name_redacted"),
        ("This is <NAME_1>, thank you for calling.", "name_redacted"),
        ("My name is {{agent_name}}.", "name_redacted"),
        ("my name is uh [PERSON_NAME] how can i help", "name_redacted"),
        ("My name is XXXXX.", "name_redacted"),
        ("My name is ****.", "name_redacted"),
        ("Mr. [REDACTED] speaking.", "name_redacted"),
        ("Best regards,\n[AGENT NAME]", "name_redacted"),
        ("my name is <unk> um how can i help", "no_agent_name"),
        ("my name is [noise] how can i help", "no_agent_name"),
    ],
)
def test_marks_where_the_name_was_said(line: str, reason: str) -> None:
    turns = (Turn(speaker="agent", text=line), Turn(speaker="customer", text="hi"))
    assert find_agent(Transcript(transcript_id="c-1", turns=turns)) == NotApplicable(reason)


@pytest.mark.parametrize(
    "line",
    [
        "uh yes {john} my name is mary smith and i would like to schedule an appointment please",
        "Hey, {John}. I just wanna update my my email address.",
        "hi {John}. I'm calling because I moved",
        "Well hello, {John}.",
        "no {John} you were very very helpful.",
        "thank you {john}",
        "THANK YOU {JOHN}",
        "You've been very helpful, {John}. Thank you so much.",
        "{John}, can you hear me?",
        "uh well uh good evening {john} uh my name is robert rodriguez",
        "i would like to pay a bill if i could today {john} um my name is john davis",
        "um hi there {john} i need to schedule an appointment",
        "Is this {John}?",
        "Am I speaking with {John}?",
        "{John}, is it? Nice to meet you.",
        "You said your name was {John}?",
        "{John} was so helpful, I want to tell your manager.",
        "Thank you, {Mr}. {Reyes}.",
        "thank you {mister} {reyes}",
        "Hi {John} {Reyes}, I need help.",
        "Thanks {Johnny}!",
        "thanks {jack} bye",
        "Bye {john}!",
        "so {john} what do i do now",
    ],
)
def test_a_customer_who_addresses_the_agent(line: str) -> None:
    check("A: Hello, my name is {John} {Reyes}.", f"C: {line}")


@pytest.mark.parametrize(
    "line",
    [
        "My husband John already spoke with a John at your branch on Monday.",
        "My son, John, lost his card.",
        "i spoke to john yesterday",
        "I want to send it to John Baker.",
        "hi john baker here",
        "the payee is john",
        "please add my brother john to the account",
        "the address is twelve saint john street",
        "it's for John, Susan and David",
        "john's card was stolen",
        "my name is james john smith",
        "John is my middle name.",
        "john johnson",
        "the other agent john told me to call",
        "I live in Port John.",
        "write to john@example.com",
        "my login is john12 and the order is JOHN-4411",
        "tell john that i called",
        "Who is John?",
    ],
)
def test_a_customer_who_speaks_of_others(line: str) -> None:
    check("A: Hello, my name is {John} {Reyes}.", f"C: {line}")


@pytest.mark.parametrize(
    ("turns", "customer"),
    [
        (
            (
                "A: hello this is harper valley national bank my name is {linda} how can i help you today",
                "C: hi my name is also linda my name is linda smith i um i need a new checkbook please",
                "A: okay linda what is your address",
                "C: it's five five first street thank you {linda}",
                "A: linda smith i have that for you",
            ),
            None,
        ),
        (
            (
                "A: my name is {linda} how can i",
                "C: hi {linda} my name is linda smith",
                "A: okay miss linda i can do that",
            ),
            None,
        ),
        (("A: My name is {Mary}. May I have your name?", "C: Mary.", "A: Thank you, Mary."), None),
        (("A: This is {Mary}. Who am I speaking with?", "C: It's Mary Jones.", "A: Hi Mary."), None),
        (("A: This is {Mary}.", "C: I lost my card.", "A: I see, Mary, I can block it."), "Mary Jones"),
        (
            ("A: This is {Tanya}. Your name?", "C: Tanya. T A N Y A.", "A: OK. Tanya T A N Y A?", "C: Yes."),
            None,
        ),
        (("A: This is {Mary} {Jones}.", "C: Mary Jones here too.", "A: Then I block it, Mary Jones."), None),
        (
            ("A: Hi, this is {Mary}.", "C: my email is mary@example.com", "A: I have mary@example.com on file."),
            "Mary Jones",
        ),
    ],
)
def test_a_customer_of_the_same_name(turns: tuple[str, ...], customer: str | None) -> None:
    check(*turns, customer=customer)


@pytest.mark.parametrize(
    "line",
    [
        "my name is {mary} that's {M-A-R-Y} and my extension is four one two",
        "my name is {mary} {m a y} that's {m a r y}",
        "My name is {Tanya}, {T A N Y A}.",
        "my name is {tanya} {t a n y a} how can i help",
        "My name is {Mary}, {M. A. R. Y.}",
        "My name is {Mary}, {M, A, R, Y}.",
        "my name is {anna} that is {a double n a}",
        "My name is {Mary}, that is {M as in Mike, A as in Alpha, R as in Romeo, Y as in Yankee}.",
        "my name is {catherine} that's {k a t h r y n}",
        "My name is {Mary} {Smith}, {S-M-I-T-H}.",
        "My name is {Mary} {Smith}, {M A R Y} {S M I T H}.",
        "This is {Kathryn} with {a K}.",
        "My name is {Ann}, spelled with {an A}.",
        "My name is {Mary}. Your code is A B C D.",
    ],
)
def test_spelled_names(line: str) -> None:
    marked = f"A: {line}"
    # Full stops and spaces inside a spelling belong to it, a closing one doesn't matter.
    found = [re.sub(r"([A-Z])\}\.", r"\1.}", each) for each in shown(make_transcript(marked, "C: ok"))]
    expected = [re.sub(r"([A-Z])\}\.", r"\1.}", each) for each in (marked, "C: ok")]
    assert found == expected


@pytest.mark.parametrize(
    "line",
    [
        "You can write to me at {priya}.{sharma}@example.com.",
        "My address is {p}{sharma}@example.com.",
        "My address is {priya}@example.com.",
        "My address is {sharma}_{priya}@example.com.",
        "My address is {priya}{s}@example.com.",
        "My email is {priya} dot {sharma} at example dot com.",
        "Write to support@example.com.",
        "Your address is priya@example.org, right?",
        "Ask for {Priya} when you call back.",
        "{Priya} will call you tomorrow.",
        "My colleague Priya will call you.",
        "There is another Priya in this team.",
        "I have sent it to Priya Patel.",
        "OK Priya, what is your PIN?",
    ],
)
def test_what_the_agent_says_later(line: str) -> None:
    check("A: Hello, this is {Priya} {Sharma}.", "C: hi", f"A: {line}")


@pytest.mark.parametrize(
    "turns",
    [
        ("A: Welcome to Acme!", "C: who is this", "A: It's {Michael}.", "C: ok {michael}"),
        ("A: it's {jennifer} from acme bank how are you", "C: hi {jennifer} good"),
        ("A: It's Jennifer?", "C: Yes, Jennifer Johnson.", "C: ok jennifer it is"),
        ("A: it's michael on the account", "C: yes that's my name thank you"),
        ("A: it's michael on the account", "C: my name is michael", "C: ok michael it is"),
    ],
)
def test_a_doubtful_introduction_needs_a_customer_who_takes_it_up(turns: tuple[str, ...]) -> None:
    check(*turns)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Mark", "{Mark}, please mark it as paid."),
        ("April", "Hi {April}, my bill from April is wrong. Thanks {April}."),
        ("Jordan", "Yes, I am in Jordan, {Jordan}."),
        ("Karen", "{Karen} I need help"),
        ("Will", "Will you do it? {Will}, will you do it?"),
        ("Bill", "Bill the other account. The bill is wrong, {Bill}."),
    ],
)
def test_capitals_tell_a_name_from_a_word(name: str, line: str) -> None:
    check(f"A: My name is {{{name}}}.", f"C: {line}")


def test_an_address_of_the_agent_that_the_customer_repeats() -> None:
    check(
        "A: This is {Priya} {Sharma}. My address is {priya}.{sharma}@example.com.",
        "C: So that is {priya}.{sharma}@example.com?",
    )


@pytest.mark.parametrize(
    ("record", "turns"),
    [
        ("Michael Reyes", ("A: This is {Michael}.", "C: Hi {Michael}, is that {Mr}. {Reyes}?")),
        ("Reyes, Michael", ("A: This is {Michael} {Reyes}.", "C: hi")),
        ("Mr. Michael Reyes", ("A: This is {Michael}.", "C: Thanks {Mr}. {Reyes}.")),
        ("MICHAEL REYES", ("A: Hi.", "C: hi {michael}")),
        ("Michael Reyes", ("A: This is {Mike}.", "C: Thanks {Mike}. Thanks {Michael}.")),
        ("Elizabeth", ("A: my name is {alyssa}", "C: hi {elizabeth} thank you {alyssa}")),
        ("Jos\u00e9 Garc\u00eda", ("A: my name is {jose} {garcia}", "C: gracias {Jos\u00e9}, hello {Jos\u00e9}")),
        ("Maria de la Cruz", ("A: I'm {Maria}.", "C: Thank you, {Ms}. {de la Cruz}.")),
        ("agent_0412", ("A: This is {Mary}.", "C: hi")),
        ("michael.reyes", ("A: This is {Michael}.", "C: hi")),
        ("Will Young", ("A: I will be happy to help, this is {Will}.", "C: will you help the young man will")),
        ("Michael Reyes", ("A: my name is patricia brown", "C: hi")),
    ],
)
def test_the_name_of_the_record(record: str, turns: tuple[str, ...]) -> None:
    if "patricia" in turns[0]:
        # Nobody of the record's name speaks: the name that the agent gives is the agent's.
        turns = ("A: my name is {patricia} brown", turns[1])
    check(*turns, agent=record)


def test_bots_supervisors_and_others_are_never_read_nor_touched() -> None:
    check(
        "B: You are connected to Michael.",
        "A: Hi, this is {Michael}.",
        "S: Michael, he can take it, thanks sir.",
        "O: My name is Susan. Hi Michael.",
        "C: Hi {Michael}.",
    )
    only_bot = make_transcript("B: My name is Mary.", "C: hi", "A: Hello.")
    assert find_agent(only_bot) == NotApplicable("no_agent_name")


@pytest.mark.parametrize(
    ("name", "customer"),
    [
        ("bill", "okay you wanna pay a bill today and the bill is due"),
        ("will", "yes will you help me i will wait and it will work"),
        ("mark", "okay mark it as paid and question mark"),
        ("grace", "is there a grace period yes grace period"),
        ("hope", "i hope so yes hope you can"),
        ("may", "well may i ask you something"),
        ("summer", "no summer is too late"),
        ("sue", "i may sue you if it goes on"),
        ("rose", "the fee rose again okay rose by five"),
        ("jack", "the phone jack is broken"),
    ],
)
def test_names_that_are_ordinary_words(name: str, customer: str) -> None:
    check(f"A: my name is {{{name}}} how can i help", f"C: {customer}", f"C: thank you {{{name}}}")


@pytest.mark.parametrize(
    "line",
    [
        "no {sir} that's everything thank you so much",
        "Yes, {ma'am}. That that's right. I'm sorry.",
        "{ma'am} no that was all thank you",
        "No, I'm sorry {sir}. I mean I'm asking can I activate it online?",
        "Oh i think i will talk to my daughter {sir}, thank you and goodbye",
        "i need that {sir} right away",
        "Excuse me, {miss}?",
        "thank you {miss}",
        "hey {man} can you help",
        "Thanks {bro}! You too!",
        "thank you young {lady}",
        "You are a good {man}.",
        "Hello? {Sir}?",
        "Dear {Madam}, my card is lost.",
        "my dear {sir} that is wrong",
        "Yes {sir}, no {ma'am}, I don't know.",
        "Listen {lady}, I want my money",
        "i am calling for my mother {ma'am} she is sick",
        "{Sir} yes {sir}!",
    ],
)
def test_terms_of_address(line: str) -> None:
    check("A: Hello, my name is {Pat}.", f"C: {line}")


@pytest.mark.parametrize(
    "line",
    [
        "okay ms mister brown i can schedule appointment let me check the calendar",
        "hi my name is miss james david and i would like to transfer",
        "okay miss john davis reset password",
        "Ma'am? That's what they used to call my 3rd grade teacher. Is this the 1930s again?",
        "Please don't call me sir.",
        "Stop with the ma'am.",
        "You keep saying 'sir'.",
        "He told me yes sir, it is done.",
        "A sir from your branch called.",
        "That nice gentleman at the desk helped me.",
        "Dear Sir or Madam, my card is lost.",
        "Dear sir/madam",
        "Sir John Smith",
        "I had sirloin in Missouri with the madams.",
        "Hey mr bank computer. I need to cancel my debit card!",
        "Have you seen my monkey? Mr. Taro",
        "A lady never tells.",
        "I'm an old lady and I forget these things!",
        "Man, I can't remember that. I do wire transfers, not the ATM.",
        "Aww man, that's a lot of days.",
        "Mother of God a man just ran across my kitchen naked",
        "it is hard out here for a man just trying to get the big money",
        "he got lost and made me miss my appointment",
        "I'm glad I don't have to miss my friend's wedding.",
        "my girlfriend and her brother share it, yes brother and sister",
        "you guys had me on hold",
        "ladies and gentlemen",
        "ever travel you need to follow her because she has the best hacks",
        "Dr. Alexis! She's really nice.",
        "is sir walter the owner of it",
        "He said, sir, that he paid",
        "My daughter's having her wedding and I gotta her, give her the money for the wedding cake",
    ],
)
def test_words_that_address_nobody(line: str) -> None:
    check("A: Hello, my name is {Pat}.", f"C: {line}")


def test_an_echoed_title_addresses_nobody() -> None:
    check("A: My name is {Pat}. Are you ok ma'am?", "C: Ma'am? Is this the 1930s again?", "C: Yes {ma'am}, I am.")


@pytest.mark.parametrize(
    "line",
    [
        "Thank you ma'am for asking and how about yourself?",
        "Now can you tell me Mr. McKissick, what was your most recent business transaction?",
        "So Mrs. Miles for security purposes may I also please have your date of birth?",
        "I am so so sorry to hear that sir, I'm gonna do what I need to do",
        "Oh it's no problem man, no problem at all.",
        "When you speak with him, give him her card.",
        "Mr. Brown, you are a gentleman.",
        "I understand sir. Mothers always want money from fathers.",
    ],
)
def test_what_the_agent_says_to_the_customer(line: str) -> None:
    check("A: Hello, my name is {Pat}.", "C: hi", f"A: {line}")


@pytest.mark.parametrize(
    "line",
    [
        "My pronouns are {she}/{her}.",
        "({he}/{him}/{his})",
        "My pronouns are {they} and {them}.",
        "I'm a {mom} of two myself.",
        "I'm just a {guy} with a headset.",
        "As a {father} I know that.",
        "He and him are in the team.",
        "I'm a man-hour short.",
    ],
)
def test_what_the_agent_says_of_their_gender(line: str) -> None:
    check("A: Hello, my name is {Pat}.", "C: hi", f"A: {line}")


def test_a_word_with_two_reasons_to_be_a_term_is_what_the_agent_declares() -> None:
    # Behind the name alone, "her case" would be a possessive.
    agent = find_agent(make_transcript("A: My name is Mary Reyes. Mary helped you with she/her case."))
    assert not isinstance(agent, NotApplicable)
    assert [(term.text, term.kind) for term in agent.terms] == [("she", "subject"), ("her", "object")]


@pytest.mark.parametrize(
    "line",
    [
        "This is {Mike}. Tell me how I can help.",
        "My name is {Mike}. Rose Smith told me that you called.",
        "I'm {Mike}! Chase Bank is closed.",
        "Hi, {Mike} here. Bear with me.",
        "You're speaking with {Mike}\nTell me how I can help.",
        "This is {Mike} {R}. Tell me how I can help.",
        "My name is {Mike} {R}. Acme is open.",
        "My name is {Mike} {R}. Bear with me.",
        "I'm {Mike} {R}. Mark that date.",
        "This is {Mike R.} {Reyes}. Tell me how I can help.",
        "This is {Mary J.} {Blige} speaking.",
        "My name is {Mary J.} {Blige}.",
        "My name is {Mary J.} {Smith} how can I help?",
    ],
)
def test_the_next_sentence_is_no_part_of_the_name(line: str) -> None:
    check(f"A: {line}")


@pytest.mark.parametrize(("turns", "words"), [(200, 1), (1, 200)])
def test_long_transcripts_and_long_turns(turns: int, words: int) -> None:
    # How its time grows: tests/test_linear_time.py, benchmarks/linear_time.py.
    filler = "yes sir mary said m a r y and my name is on it thank you mary (she/her) " * words
    lines = ["A: my name is {mary} how can i help"] + [f"{'AC'[n % 2]}: {filler}" for n in range(turns)]
    agent = find_agent(make_transcript(*lines))
    assert not isinstance(agent, NotApplicable)
    assert {name.turn for name in agent.names} == set(range(turns + 1))
