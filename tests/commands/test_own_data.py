"""`Meine Partien`, `Meine Daten`: what a player is told about themselves, and nothing of anybody else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlmodel import SQLModel

from gm.commands.gm_commands import actions
from gm.commands.own_data.columns import IN_FILE, NOT_IN_FILE, WHOLE_TABLES
from gm.demo.in_memory_zine import PLAYERS, address_of

ANNA, BERND = PLAYERS[:2]


def test_try(eriwan: Any) -> None:
    eriwan.writes(ANNA, "Meine Partien\n")
    mail = eriwan.answer(ANNA)
    print(mail.subject)
    print(mail.text)
    eriwan.sends(ANNA, "DN", "")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Meine Daten\n")
    mail = eriwan.answer(ANNA)
    print(mail.subject)
    print(mail.text, mail.part_types)
    import email

    m = email.message_from_bytes(eriwan.outgoing()[-1].raw)
    for p in m.walk():
        if p.get_filename():
            print(p.get_payload(decode=True).decode())
    eriwan.writes(ANNA, "Vergiss mich\n")
    mail = eriwan.answer(ANNA)
    print(mail.subject)
    print(mail.text, mail.part_types)
    eriwan.writes(ANNA, "Ja\n", subject=f"Re: {mail.subject}")
    eriwan.tick()
    for to, mail in eriwan.mails():
        print(to, mail.subject)
        print(mail.text)
    eriwan.tick()
    for to, mail in eriwan.mails():
        print(to, mail.subject)
        print(mail.text)
    from gm.store.tables import Player, Question

    print(eriwan.rows(Player))
    print(eriwan.rows(Question))
    assert 0
