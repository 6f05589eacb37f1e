"""Yes, no and letters in people's own words (issue 29: yes and no as people say them)."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.requests.declared import all_names
from parsers.commands import No, Orders, Yes
from parsers.mime.message import read_mail
from parsers.prose import answer_phrases as phrases
from parsers.prose.answers import Answer, read_answer, read_in_words, read_letter
from parsers.reading import Reading
from parsers.reading import read as read_mail_text

TODAY = date(2026, 11, 4)

YES = [
    "Ja, gerne! Wunschbuchstabe R", "Ja, klar :-)", "ok", "okay, passt", "klar, mach ich", "gern", "einverstanden",
    "bin dabei", "yes please", "sure", "Hallo Cici,\n\nja, gerne!\n\nViele Grüße\nAnna", "Ja gern\nAnna",
    "Ja gern\nLG Anna Berg", "👍", "👍🏽", "Klar bin ich dabei!", "na klar", "Sehr gerne :)", "Ja, das war ich.",
    "das war ich, ja", "Ja, ich freue mich schon auf die Partie!", "ja klar mach ich gerne", "Alles klar, danke!",
    "Ja, stimmt so.", "genau so", "Ja bitte", "Jo", "Jup, passt", "Okay.", "OK!",
    "Ja, ich möchte gerne mitspielen.", "Ja, ich springe gern ein", "ich übernehme den Platz gern",
    "Hi Cici, ja klar, bin dabei. Wann geht es los?", "Ja! Danke für die Einladung.",
    "Danke für die Einladung! Ich bin dabei.", "Yes, I'd love to!", "Yes, that was me.", "sure thing, count me in",
    "Ja, gerne. Ich spiele seit Jahren Postspiele und kenne das von früher.", "Ja, bitte. Gruß, Anna",
    "ja ich will", "Natürlich!", "Aber gerne doch!", "Ja, Ich bin dabei", "JA!!!", "Ja ;-) Wunschbuchstabe: r",
    "ja - gerne", "Ja, die Mail ist von mir.", "Ja, so ist es richtig.", "Ja, mache ich gern. Liebe Grüße von Anna",
    "Ok, mach ich.", "Ja, so nehmen bitte", "Selbstverständlich, sehr gern", "Ja, R bitte",
    "Ja, gerne! Mein Wunschbuchstabe ist das R.", "Ja gern, ich nehme das R",
    "Ja, gerne, und ich wünsche mir ein E.", "Geht klar!", "Passt.", "Stimmt.", "Einverstanden, danke dir!",
    "absolutely", "Yep!", "Of course, happy to help", "Ja klar! Viele Grüße aus Köln, Anna", "Ja, super, danke!",
    "Jawohl!", "Ja.\n\nMit freundlichen Grüßen\nAnna Berg", "ja, ja", "Ja, ich springe bei Eriwan ein", "mach ich",
    "Aber ja!", "O.k.", "Da mach ich mit", "Da sag ich nicht nein", "Passt schon", "Gut so", "Ja, so stimmt's",
    "Das haut hin", "Trifft zu", "Das ist mein Zug", "Ja, der Block stimmt", "Genau so hab ich's gemeint",
    "ja, das meinte ich", "So hatte ich das gemeint", "Richtig gelesen!", "Das habe ich geschickt", "Ja, ich bin's",
    "Ja, habe ich geschickt", "Ja, hab mich vertippt, sorry", "Bitte eintragen", "ja, tragt mich ein", "Jederzeit",
    "Ihr könnt auf mich zählen", "Gern, ich helfe aus", "Sure, why not", "will do", "I did",
    "Yes, that's my move", "Works for me", "looks good", "Ja, natürlich springe ich ein",
    "Ja, ich bin gern dabei", "Ja, spiele ich mit", "Ja, gerne dabei",
    "Aber sicher doch", "Jo, passt", "Das ist korrekt so", "Da bin ich doch gern dabei", "Jup, das war ich",
    "Natürlich übernehme ich das", "Geht in Ordnung", "So ist es", "Von mir aus gern", "Ja, trag das bitte so ein",
    "Jaaa!!", "Das stimmt, der Zug ist von mir", "Bestätigt", "Selbstverständlich", "Ja mach das mal so",
    "Ja, die Daten stimmen", "Yep, that's mine", "Absolutely", "I'd love to", "Of course, count me in",
    "Gerne, wann geht es los", "Jep", "Ja, die Übernahme ist mir recht", "Ich bin mit von der Partie",
    "Freilich, machen wir so", "Ist gut so", "Ja, kannst so verbuchen", "Wunderbar, so machen wir das",
    "Alles korrekt, bitte übernehmen", "Logisch", "Aber gerne doch, danke für das Vertrauen", "Japp, dabei",
    "Klingt gut, bin dabei", "Richtig gelesen, danke", "Mit Vergnügen", "Yeah sure", "Yup", "Confirmed", "It was me",
    "Ja, ich komme dazu", "Ja sicher, ist meiner", "Ja, das Raster ist von mir", "Joah, passt schon so",
    "Oh ja, sehr gern", "Mach das so", "Habe ich geschickt, ja", "Ja, so hatte ich es geschrieben",
    "Ja, genau den meinte ich", "Immer gern", "Das ist völlig richtig", "Gerne übernehme ich", "ja is meiner",
    "Das geht klar", "ok super", "That works", "Sounds good to me",
    "Ja, ich würde den Platz nehmen", "Ja, mein Name ist richtig", "Klar doch, schreib es so auf",
    "Stimmt auffallend", "Na gut, ich mach's", "Hab ich so geschrieben, ja", "Ja, übernehmen bitte", "ja ok",
    "Jawohl, alles stimmt", "Yes, both dates are correct", "Sure, no problem",
    "Ja ich mach das", "Ja der Zug ist von mir", "ja die daten stimmen alle", "Yes that is my move",
    "Ja, das hab ich so geschickt", "Das hast du richtig verstanden", "Yes, the dates are right",
    "That's exactly what I meant",
    "Ja ich war das", "Ja, ich nehme an der Partie teil", "Ja, ich übernehme das",
    "Ja, ich steige gern ein", "Ja, das war mein Zug, danke fürs Nachfragen", "Ja, hab den Zug vom Handy geschickt",
    "passt scho", "Geht in Ordnung, danke", "Ja, bitte so werten", "Ja, ist korrekt", "Ja, wir sind in Urlaub",
    "Mach ich doch gern!", "Von mir aus ja", "Jo, nimm das so", "Sehr gerne, danke, dass ihr an mich denkt",
    "Yes, looks good", "Okay, do it", "Sounds right",
    "Ja gern, schick mir bitte den Stand", "Ja, nimm die verbesserte Version", "Bitte so einreichen",
    "Yes, that's how I meant it",
]  # fmt: skip
NO = [
    "lieber nicht", "nein danke, keine Zeit", "leider nein", "diesmal nicht", "sorry, passe", "no thanks",
    "Nein, leider nicht", "Nein danke!", "nö", "Nee, lass mal", "Ich habe leider keine Zeit", "leider keine Zeit",
    "ich kann leider nicht", "kann ich leider nicht",
    "Nein, tut mir leid, ich habe im Moment zu viel um die Ohren.",
    "Sorry, diesmal nicht, vielleicht beim nächsten Mal!", "Nein, das war ich nicht.", "die Mail ist nicht von mir",
    "kein Interesse", "No, sorry, no time.", "not this time", "I'd rather not", "👎", "Nein, aber danke!",
    "Nein danke. Bin im Urlaub.", "Das war ich nicht!", "Nein\n\nGruß Bernd", "Ich passe",
    "Da muss ich leider passen", "lieber nicht, danke", "Hallo, leider nein. Viele Grüße, Bernd", "Stimmt nicht",
    "Nein, stimmt so nicht", "nope", "Leider passt es mir diesmal nicht", "I can't, sorry",
    "Ich muss leider absagen", "Danke, aber nein", "Bedaure, nein", "Heute nicht", "Bloß nicht", "Kein Bedarf",
    "Lass es", "Lass mal gut sein", "Nicht mein Ding", "Ich war's nicht", "Das hab ich nicht geschickt",
    "So war das nicht gemeint", "Das meinte ich nicht", "Das ist nicht mein Zug", "Nicht richtig", "Trifft nicht zu",
    "Bin leider nicht da", "Das wird mir zu viel", "Zeitlich geht es nicht", "no way", "Don't", "I'm afraid I can't",
    "I didn't send that", "No, I'm too busy",
    "Nein danke, mir fehlt die Zeit", "Der Zug ist nicht von mir", "Leider nein",
    "Tut mir leid, das schaffe ich nicht", "Da muss ich passen", "Nein, du hast mich falsch verstanden",
    "Nein, wir fahren gar nicht weg", "Nein, such dir jemand anderen", "Das war ich nicht", "Ich möchte nicht",
    "Nein, lass mal", "Niemals", "Sorry, no time", "Not this time, thanks",
    "Nein, leider bin ich da im Urlaub", "Ich fürchte, das wird nichts", "Keinesfalls",
    "Danke der Nachfrage, aber nein", "Nein, das ist nicht mein Zug", "Nein, die Daten sind verkehrt",
    "Leider keine Kapazität", "Ich will das nicht", "Das passt nicht", "Nein, bloß nicht", "Das ist nicht richtig",
    "Damit habe ich nichts zu tun", "Nah, sorry", "Unfortunately not",
    "Nein, da liegst du falsch", "Nix da", "Ich hab keinen Zug geschickt", "Ich sag lieber ab",
    "Hab leider gar keine Zeit", "Oh nein", "Nein, ich habe schon drei Partien", "Nein, der Block ist verkehrt",
    "Nein, wir bleiben zu Hause", "Muss leider nein sagen", "Nee echt nicht", "Hab ich nicht gemacht", "Not mine",
    "I don't have the time",
    "Nein, keine Lust", "Ich spiele nicht mit", "Nein, ist er nicht", "Nein, ich hab den Block nie gesehen",
    "Nein, das ist Quatsch", "Keine Zeit für sowas", "Nein, such weiter", "Danke, ich verzichte", "No, not at all",
    "Can't do it",
    "Nein ich muss da arbeiten", "Nein das war jemand anders", "Der Zug stammt nicht von mir",
    "Die Daten stimmen nicht", "That isn't my move", "No that wasn't me", "Das habe ich so nicht geschrieben",
    "Nee ich hab grad Prüfungen", "Auf keinen Fall ich bin da in Urlaub",
    "Der Platz ist nicht meiner", "Ich will nicht mitmachen",
    "Nein, ich kenne diesen Zug nicht", "Leider habe ich gerade gar keine Zeit dafür",
    "Nein, das ist nicht richtig gelesen", "Ne danke", "Nein, ich spiele schon in zwei Partien",
    "Das kommt für mich nicht in Frage", "Nicht von mir!", "No, I don't want to", "No, not correct",
    "No, please use my old grid",
    "Den Zug kenne ich nicht", "Ich habe nichts geschickt", "I didn't send anything", "Das war jemand anders",
]  # fmt: skip
UNCLEAR = [
    "Ja\nNur Dienstags\nTel. 0171 123456", "Ja\nAnna\nAb Runde 3", "Tel. 0171 123456", "Ja\nAb Januar\nanna@x.example",
    "ja, aber nur wenn Bernd mitspielt", "eigentlich nein", "eigentlich ja", "vielleicht", "ja oder nein?",
    "kommt drauf an", "Ja, aber erst ab Januar", "Ja?", "Was soll ich tun?", "Ja und nein", "jein",
    "Ja, wenn ich dann noch Zeit habe", "Ja, falls noch ein Platz frei ist",
    "Ja gern. Aber nur, wenn es nichts kostet.", "Ja. Oder doch lieber nicht", "Ich weiß nicht", "mal sehen",
    "Ja, sobald ich zurück bin", "Ja, ab Januar", "ok?", "Yes, if Bernd plays too", "yes, but only until May",
    "maybe", "I don't know", "nein, außer es springt sonst niemand ein", "ja nicht!", "Klar ist mir das nicht",
    "gerne geschehen", "Danke!", "Super!", "Ok, aber ohne mich", "nein ja", "Ja, ich überlege es mir",
    "Ok ich schaue es mir an", "Ja gern\nPS: aber nur bis Mai", "Ja, beim nächsten Mal", "Ja, später",
    "ja, morgen vielleicht", "Wer hat gefragt?", "Unter Umständen ja", "Ja, im Prinzip schon", "Ja, grundsätzlich",
    "Ja, ich höre auf", "Hallo", "lieber", "nicht", "Ja, solange es Spaß macht", "sure, unless it costs",
    "Nein, oder doch?", "Ja! Nein!", "Nein, wenn es später wäre, gern", "ok, wer ist dran?",
    "Ja, bitte erst nach Weihnachten", "Sicher nicht, oder?", "Klar, ab nächster Runde", "Ja gern, ohne Bernd",
    "eher nicht", "nicht ganz", "stimmt nicht ganz", "Ja, außer Zeile 3", "Ja, bei Kiew", "Ja, welcher Platz denn?",
    "Ja, nur mit E statt R", "Stimmt das denn?", "ja was denn nun", "Warum nicht?", "Wie du meinst", "noch nicht",
    "nicht schlecht!", "Gerne in einer anderen Partie", "Ja, aber ja nicht", "Ja. Aber nein.", "Ja mei", "I guess so",
    "ok but only this once", "Den Zug habe ich geschickt",
    "ich würde gern, aber ich kann nicht", "Gern, wenn's passt", "ja, mit Einschränkung",
    "Vielleicht", "Ja oder nein, mir egal", "Ich frage erst meine Frau", "Nein, also doch, oder?",
    "Ja, aber in Zeile 3 steht ein S", "Welcher Zug denn?", "Eigentlich ja", "Ja, nur der erste Teil stimmt",
    "Das weiß ich morgen", "Ich habe die Frage nicht verstanden", "Nein, nur die letzte Zeile ist falsch",
    "Schönes Wochenende", "Depends on the deadline", "I'll let you know", "Which move do you mean?",
    "Ja, unter einer Bedingung", "Ja, glaube ich zumindest", "Weiß nicht", "Jein", "Warum fragst du?",
    "Ich melde mich nochmal", "Nein, erst im März wieder", "Was passiert, wenn ich nein sage?", "Ich denke schon",
    "Beides", "Danke dir", "Warte noch damit", "I need to think about it", "Probably",
    "Only if nobody else wants it",
    "Ja, sobald ich den Urlaub hinter mir habe", "Ja, bloß die zweite Zeile nicht", "Mir wurscht", "Sag du",
    "Ich glaub schon", "Ich hoffe ja", "Nur ungern", "Ja, zur Hälfte", "Reicht es, wenn ich morgen antworte?",
    "Unter Umständen", "Ja, aber nimm das Q statt dem K", "Kommt auf die Uhrzeit an", "Notfalls",
    "Yes, unless it is chess", "Hmm, not entirely",
    "Ja, zwei Runden lang", "Kann ich auch später zusagen?", "Ja, mit Ausnahme von Zeile 2", "Was kostet das?",
    "Das hat meine Frau geschickt", "Wie viele Runden sind es noch?", "Nein, doch, ach egal", "Falls ich Zeit finde",
    "Ja, außer am Montag", "Ist das verbindlich?", "Perhaps", "Let me check", "Yes, the first word",
    "Nein sagen kann ich ja schlecht", "Ja sagen würde ich gern", "Nein wie schön", "Nein so was", "Ja ich weiß",
    "Ja, der Zug war von Lenny", "Ja, das hat sie geschickt", "Ja, die Mail kam an", "Ja, habe ich gelesen",
    "Ja, das kam gestern", "Ja, ist das mein Zug", "Ist das nicht mein Zug", "Habe ich das nicht geschickt",
    "No idea", "No clue", "No rush", "Nicht ganz richtig", "Nicht alles stimmt", "Nicht genau",
    "Ja, nur nicht von meinem Handy", "Ja, das mag stimmen", "Ja, stimmt fast", "Ja, der war gut", "Nein oder ja",
    "Ja nein", "Ja nein vielleicht", "Yes and no", "Yes I think so", "Yes, it was sent by my brother",
    "Ja ich habe deine Mail bekommen", "Ja, du hast die Partie", "Ja, ich passe", "Ja, mein Zug stimmt nicht",
    "Ja, das ist nicht von mir", "Nein, das ist von mir", "Nein das stimmt", "Nein, der Zug ist richtig",
    "Ja, die ersten zwei Zeilen stimmen", "Ja, den Zug habe ich", "Das passt nicht alles",
    "Ja, wir sind bis Sonntag weg", "Ja, so ähnlich", "Ja, das würde passen", "Isn't that right", "Ich nehme das an",
    "Ich nehme an", "Das kann stimmen", "Yes, the first word is right", "No, it's mine", "Nein ist das mein Zug",
    "Not exactly right", "Ja ich nehme an das stimmt", "Ja, hast du richtig gelesen", "Hast du richtig gelesen",
    "Hast du das richtig verstanden", "Kannst du das so eintragen", "Nein danke ist das von mir",
    "Ja, dann lassen wir das", "Ja lassen wir das", "Ja, mach du das", "Ja, spiele du", "Ja, hätte ich gern gemacht",
    "Ja, das würde ich gern machen", "Ja, ich habe meinen Platz schon", "Ja, wie war das gemeint",
    "Ja, ich nehme an", "Ja, der Zug kam", "Ja, take my place", "Yes, you can play", "Yes, take my seat",
    "Ja, mein Bruder will spielen", "Ja, Peter übernimmt", "Ja, Bernd macht das", "Ja, für eine Runde",
    "Ja, die erste Zeile stimmt", "Ja, drei davon sind von mir", "Ja, ein Teil ist von mir", "Ja, einer ist von mir",
    "Ja, wir wollen mal sehen", "Ja, die Partie ist toll", "Ja, das Spiel ist super",
    "Ich will nicht sofort spielen", "Mein Zug ist richtig", "Ich habe das richtig geschickt",
    "Der Block ist richtig", "Ja, ich will erst die Regeln", "Ja, morgen", "Ja, das war gestern",
    "Ja, mit einem Wort: R", "Ja, ich will mehr wissen", "Ja, ich möchte mein Geld", "Ja, ich bin bereit zu reden",
    "Ja, wer spielt mit", "Ja, wo ist mein Zug", "Ja, was ist richtig", "Ja, so ungefähr richtig",
    "Ja, fast richtig", "Ja, halbwegs richtig", "Ja, ziemlich richtig", "Ja, zwei Wörter stimmen",
    "Ja, QUARK stimmt", "Ja, mit Bernd", "Ja, ohne Wunsch", "Ja, wie immer zu spät", "Ja, ich denke das stimmt",
    "Ja, hoffentlich richtig", "Ja, wir kommen", "Bereit wozu", "Bereit?",
    "Ja, aber wie lange dauert das?", "Ich weiß noch nicht, ob ich Zeit habe",
    "Das muss ich mit meiner Familie besprechen", "Lass mich eine Nacht darüber schlafen",
    "Vielleicht ja, vielleicht nein", "Ich war's vielleicht", "Keine Ahnung", "Nur wenn es eilig ist",
    "Ja, glaube schon", "Ja, einer von beiden ist von mir", "Ja, wenn's sein muss", "Not sure",
    "Yes, but I'd like to see the grid first",
    "Ja, mein Zug ist richtig", "Ja, meine Frau", "Ja, schick mir erst die Regeln",
    "Yes, thank you for your mail. I'm out of the office", "Ja, danke für Ihre Mail. Ich bin nicht im Büro.",
    "Ok, danke. Dies ist eine automatische Antwort.",
    "na ja", "Na ja, gut", "Ja, Quatsch!", "Ja, Scherz", "Ja, kleiner Spaß!", "Yes, just kidding",
    "Ja gern, sag mir vorher Bescheid", "Ja, erklär mir, was ich tun muss, vielleicht mache ich mit",
]  # fmt: skip


def read(text: str) -> Answer | None:
    """Read a text with its paragraphs."""
    return read_in_words([paragraph.split("\n") for paragraph in text.split("\n\n")])


def read_whole(text: str, subject: str = "Re: [Frage K7XQ] Kommst du?") -> Reading:
    """Read a mail."""
    raw = f"From: a@b.example\r\nSubject: {subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8"
    mail = read_mail(f"{raw}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n".encode())
    return read_mail_text(mail, all_names(), TODAY)


def test_yes(subtests: pytest.Subtests) -> None:
    """Issue 29: yes as people say it, with greeting and signature, in both languages and any case."""
    for text in YES:
        with subtests.test(text=text):
            assert [found.yes if (found := read(text)) else None] == [True]


def test_no(subtests: pytest.Subtests) -> None:
    """Issue 29: no as people say it, with whatever reason."""
    for text in NO:
        with subtests.test(text=text):
            assert [found.yes if (found := read(text)) else None] == [False]


@pytest.mark.parametrize(
    ("text", "says_away"),
    [
        ("Ja, wir sind in der Zeit weg", True), ("Ja, da bin ich im Urlaub", True), ("Yes, I'm away then", True),
        ("Ja, der Urlaub ist richtig eingetragen", False), ("Ja, gerne", False),
    ],
)  # fmt: skip
def test_who_is_away(text: str, says_away: bool) -> None:
    """Whoever says yes and is away answers a question about that (issue 29)."""
    answer = read(text)
    assert answer is not None
    assert (answer.yes, answer.says_away) == (True, says_away)


def test_unclear(subtests: pytest.Subtests) -> None:
    """Issue 29: what is conditional, asks back, says both or neither is no answer."""
    for text in UNCLEAR:
        with subtests.test(text=text):
            assert read(text) is None


LETTERS = [
    ("R", "R"), ("r", "R"), ("Buchstabe R", "R"), ("Wunsch: r", "R"), ("ich nehme das R", "R"),
    ("Mein Wunschbuchstabe ist R.", "R"), ("Hallo,\n\nR\n\nGruß, Anna", "R"), ("Neu: R", "R"),
    ("als Wunschbuchstaben nehme ich R", "R"), ("Ja, gerne! Wunschbuchstabe R", "R"), ("R\nAnna", "R"),
    ("I'd like the letter R, please", "R"), ("das R bitte", "R"), ("Ich hätte gern das R.", "R"),
    ("Hallo, ich bin neu hier. Mein Wunschbuchstabe ist R.", "R"), ("Als Wunschbuchstabe bitte ein X", "X"),
    ("Ja, gerne!\nR.", ""), ("Ich nehme a", ""), ("Wunschbuchstabe R oder S", ""), ("R?", ""), ("A oder B", ""),
    ("Wunschbuchstabe: Ä", ""), ("W wie Wilhelm", ""), ("Wunschbuchstabe R? Oder lieber nicht", ""), ("RS", ""),
    ("Wunschbuchstabe R, Wunschbuchstabe S", ""), ("Nur wenn Bernd das E nimmt, ist mein Wunschbuchstabe R", ""),
]  # fmt: skip


def test_letters(subtests: pytest.Subtests) -> None:
    """Issue 29: a bare letter answers the question for the wish; an initial below a yes is a signature."""
    for text, letter in LETTERS:
        with subtests.test(text=text, letter=letter):
            found = read(text)
            assert (found.letter if found else "") == letter


@pytest.mark.parametrize(
    ("line", "letter"),
    [("Wunschbuchstabe R", "R"), ("Mein Wunsch: r", "R"), ("R", ""), ("Ja", ""), ("Wunschbuchstabe R oder S", "")],
)
def test_a_line_below_a_sign_up(line: str, letter: str) -> None:
    """Beside a sign-up a letter counts with its word only: alone it may be a signature."""
    assert read_letter(line) == letter


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("Ja, gerne! Ich spiele seit Jahren Postspiele.", "Ich spiele seit Jahren Postspiele."),
        ("Nein danke. Bin in Rom.\nGruß, Anna", "Bin in Rom."), ("Ja klar :-)\nViele Grüße, Anna", ""),
        ("Ja, bin dabei. Wann geht es los?", "Wann geht es los?"),
    ],
)  # fmt: skip
def test_what_stands_beside(text: str, beside: str) -> None:
    """What says more than the answer and courtesies is kept, for the GM."""
    found = read(text)
    assert found
    assert found.beside == beside


CONDITIONS = [
    "aber nur wenn Bernd mitspielt", "falls noch Platz ist", "wenn es nichts kostet", "aber erst ab Januar",
    "vielleicht", "oder lieber doch nicht", "sofern ich Zeit habe", "ich weiß aber noch nicht", "but only until May",
    "if there is a seat left", "maybe", "unless it costs", "es sei denn, ich bin weg", "nicht vor Ostern",
    "vorausgesetzt, es dauert nicht lange", "sobald ich zurück bin", "nur diese Runde", "höchstens bis Mai",
]  # fmt: skip
PLAIN_YES = [text for text in YES if "\n" not in text and "Gr" not in text]


@given(
    said=st.sampled_from(PLAIN_YES), condition=st.sampled_from(CONDITIONS),
    joint=st.sampled_from([", ", " ", ". ", "\n", "\n\n", " - "]), is_first=st.booleans(),
    greeting=st.sampled_from(["", "Hallo Cici,\n\n"]), farewell=st.sampled_from(["", "\n\nGruß\nAnna"]),
)  # fmt: skip
def test_with_a_condition_nothing_is_a_yes(
    said: str, condition: str, joint: str, is_first: bool, greeting: str, farewell: str
) -> None:
    """Issue 29: what is conditional goes to the GM, whatever it is tied to and wherever the condition stands."""
    text = condition + joint + said if is_first else said + joint + condition
    found = read(greeting + text + farewell)
    assert found is None or found.yes is not True


@given(text=st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    """Nothing fails; what is read as an answer has a language that we write, and a letter is one of A to Z."""
    found = read(text)
    assert found is None or found.language in (None, "de", "en")
    assert found is None or found.letter in ("", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@given(said=st.sampled_from([*YES, *NO, *UNCLEAR, "Ja", "Nein"]), is_above=st.booleans())
def test_no_block_is_lost(said: str, is_above: bool) -> None:
    """A block beside an answer, above it or below, stays a block with all its lines."""
    block = "Crossword Eriwan\nNeu: E\nDN....\n......\n......\n......\n......\n......"
    text = f"{said}\n\n{block}" if is_above else f"{block}\n\n{said}"
    orders = [one.command for one in read_whole(text).commands if isinstance(one.command, Orders)]
    assert [one.block.lines for one in orders] == [tuple(block.split("\n")[1:])]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Ja", Yes), ("ja!", Yes), ("YES.", Yes), ("Nein", No), ("no ", No), ("Ja, klar", None), ("ok", None),
        ("Jawohl", None), ("nö", None), ("Ja?", None),
    ],
)  # fmt: skip
def test_the_whole_line_forms(line: str, command: type[Yes | No] | None) -> None:
    """Interface: `Ja` and `Nein` alone on a line are commands everywhere; nothing else is."""
    found = read_answer(line, "K7XQ", all_names())
    assert (type(found.command) if found else None) == command
    commands = [type(one.command) for one in read_whole(line).commands]
    assert commands == ([command] if command else [])


@pytest.mark.parametrize(
    ("text", "subject", "yes"),
    [
        ("Ja, gerne!", "Re: [Frage K7XQ] Kommst du?", True), ("", "Ja, gerne!", True), ("> Ja, gerne!", "Re: x", None),
        ("Stand Eriwan\n\nJa, gerne!", "x", None), ("Ja klar!\n\nStand Eriwan", "x", True),
        ("Ja, gerne!\n\nAm 02.11.2026 schrieb Cici:\n> Springst du ein?\n> Nein?", "x", True),
    ],
)  # fmt: skip
def test_where_an_answer_stands(text: str, subject: str, yes: bool | None) -> None:
    """An answer in words begins the mail; quotations say nothing, and an empty mail says what its subject says."""
    found = read_whole(text, subject).answer
    assert (found.yes if found else None) is yes


class _Counted:
    """A pattern that counts how often it is tried."""

    tried = 0

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    def match(self, text: str, start: int) -> re.Match[str] | None:
        _Counted.tried += 1
        return self.pattern.match(text, start)


@pytest.mark.parametrize("piece", ["pass so ", "mach bitte ", "gut so ", "mache bitte ", "machen so ", "ja so gerne "])
def test_each_place_is_tried_once(monkeypatch: pytest.MonkeyPatch, piece: str) -> None:
    """Phrases that can be taken apart in many ways cost no more than their words (`pass so ` 19 times took 19 s)."""
    table = [phrase._replace(pattern=_Counted(phrase.pattern)) for phrase in phrases.TABLE]
    monkeypatch.setattr(phrases, "TABLE", table)
    for times in (5, 19):
        _Counted.tried = 0
        words = len((piece * times).split())
        read_in_words([[piece * times + "x"]])
        assert _Counted.tried <= len(table) * (words + 4)


def test_a_long_farewell_is_looked_at_once() -> None:
    """What may belong to a farewell in two ways isn't tried in all of them."""
    assert read_in_words([["mit " * 300 + "x"]]) is None
