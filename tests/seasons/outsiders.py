"""Who isn't in the game: strangers, forgers, robots, and floods of their mails."""

from __future__ import annotations

from random import Random
from typing import Final

from people import TRUSTED, Company, received
from sqlmodel import col, select

from gm.store.tables import MailOut, Question

ROBOTS: Final = ("newsletter@laden.example", "mailer-daemon@mx.example", "noreply@bank.example")
STRANGERS: Final = ("Xaver Unbekannt", "Yvonne Fremd", "Zoe Neu")
FLOOD: Final = 40
"""Mails of a flood: twice what anybody is answered in an hour."""


class Outsiders:
    """Those who write as well, by a chance of their own: without them the players do the same."""

    def __init__(self, company: Company, seed: int) -> None:
        self.company, self.story, self.chance = company, company.story, Random(f"outsiders {seed}")

    def stranger_writes(self) -> None:
        """Let somebody write whom nobody knows."""
        company = self.company
        name, game = self.chance.choice(STRANGERS), self.chance.choice(company.games())
        address = company.address(name)
        asked = company.rows(
            select(Question.code).where(Question.address == address, col(Question.answered_at).is_(None))
        )
        block = company.suggestion(self.chance.choice(company.people))
        said = [
            "Hilfe\n", f"Anmeldung {game}\n", "Ja\n", "Werbung!\n", "Standby\n", f"Stand {game}\n",
            *([block.text] if block else []),
        ]  # fmt: skip
        text = self.chance.choice(said)
        subject = f"Re: [Frage {asked[0]}]" if asked and self.chance.random() < 0.5 else "Hallo"
        company.arrives(company.write(address, text, name=name, subject=subject))

    def forger_writes(self) -> None:
        """Send a mail in a player's or the GM's name, without authentication or with a failed one."""
        company, story = self.company, self.story
        victim = self.chance.choice(company.people)
        block = company.suggestion(victim)
        game = company.games()[0]
        text = self.chance.choice([f"Abmeldung {game}\n", "Ja\n", *([block.text] * 3 if block else [])])
        how = self.chance.choice(("no proof", "dmarc", "name", "GM"))
        if how == "name":
            name = victim.address.replace("@", " at ")
            company.arrives(company.write("name@evil.example", text, name=name))
        elif how == "GM":
            gm = story.app.settings.service.gm.address
            line = self.chance.choice((f"gm close {game}", f"gm zat {game} +9d", "gm status", "Ja"))
            company.arrives(_failed(gm) + received(story.now) + company.write(gm, f"{line}\n", name="Cici Beilken"))
        elif story.app.settings.security.sender == "authenticated" or how == "dmarc":
            mark = _failed(victim.address) if how == "dmarc" else b""
            company.arrives(mark + received(story.now) + company.write(victim.address, text, name=victim.name))

    def robot_writes(self) -> None:
        """Let a program write: an absence, a report about a mail of ours, advertising."""
        company, chance = self.company, self.chance
        person = chance.choice(company.people)
        kind = chance.choice(("absence", "report", "advertising"))
        if kind == "absence":
            raw = company.write(
                person.address, "Ich bin bis Montag nicht im Büro.\n", name=person.name,
                subject="Automatische Antwort: Zug", headers={"Auto-Submitted": "auto-replied"},
            )  # fmt: skip
        elif kind == "report":
            ours = company.rows(select(MailOut.message_id).where(MailOut.status == "sent").order_by(col(MailOut.id)))
            raw = _report(chance.choice(ours) if ours else "<x@y>", person.address)
        else:
            headers = {"List-Unsubscribe": "<mailto:x@y>"}
            raw = company.write(chance.choice(ROBOTS), "Kaufen Sie jetzt!\n", headers=headers)
        company.arrives(raw)

    def flood(self) -> None:
        """Let one stranger write very often within an hour."""
        company, name = self.company, self.chance.choice(STRANGERS)
        text = self.chance.choice(("Hilfe\n", "Spiele\n", f"Stand {company.games()[0]}\n", "Hallo!\n"))
        for _ in range(FLOOD):
            self.story.passes(seconds=-50)
            company.arrives(company.write(company.address(name), text, name=name, subject="Hallo"))


def _failed(address: str) -> bytes:
    """Write what the service's own server says of a forged sender."""
    domain = address.partition("@")[2]
    return f"Authentication-Results: {TRUSTED}; dmarc=fail header.from={domain}\r\n".encode()


def _report(message_id: str, recipient: str) -> bytes:
    """Write the report of a server about a mail of ours."""
    return (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: zug@postspiel.example\r\nSubject: Undelivered\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\nMIME-Version: 1.0\r\n\r\n'
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: rfc822; {recipient}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\n"
        f"Content-Type: message/rfc822\r\n\r\nMessage-ID: {message_id}\r\n\r\n--b--\r\n"
    ).encode()
