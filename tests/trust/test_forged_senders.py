"""Forged senders: every known way to write in another player's name, and its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
import zines
from cpu_cost import work_units

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.requests.sender_check import confirmation
from gm.store.tables import Sheet
from parsers.mime.authentication_results import judge, read_results
from parsers.mime.message import read_mail

prepared_zines, opener = zines.prepared_zines, zines.opener
ANNA = PLAYERS[0]
EVIL: Final = "x@evil.example"
"""In each trick another one: who is no player gets the help but once a day."""
TAKEN, ASKED, IGNORED, STRANGER = "taken as Anna's", "Anna is asked", "only logged", "a stranger's"

# -- the From field (a): the same in every mode ------------------------------------------------------------------------

_FROM: Final[dict[str, tuple[str, str]]] = {
    "an address": ("anna@spieler.example", TAKEN),
    "a name and an address": ("Anna Berg <anna@spieler.example>", TAKEN),
    "the address in capitals": ("ANNA@SPIELER.EXAMPLE", TAKEN),
    "her address as its own name (Outlook)": ("anna@spieler.example <anna@spieler.example>", TAKEN),
    "folded before the address": ("Anna Berg\r\n <anna@spieler.example>", TAKEN),
    "a comment behind": (f"anna@spieler.example ({EVIL})", TAKEN),
    "an escaped quotation mark in the name": (f'"Anna \\" <{EVIL}>" <anna@spieler.example>', TAKEN),
    "a Latin-1 name that is not encoded": ("Anna Bärg <anna@spieler.example>", TAKEN),
    "comment: her address": (f"{EVIL} (anna@spieler.example)", STRANGER),
    "comment: her address in front": (f"(anna@spieler.example) <{EVIL}>", STRANGER),
    "comment: nested": (f"(a (b <anna@spieler.example>) c) {EVIL}", STRANGER),
    "comment: never closed": (f"(anna@spieler.example {EVIL}", IGNORED),
    "comment: 400 deep": (f"{'(' * 400}anna@spieler.example{')' * 400} {EVIL}", STRANGER),
    "comment: inside the address": ("anna@(x)spieler.example", IGNORED),
    "comment: a bracket escaped": (f"(\\) anna@spieler.example) {EVIL}", STRANGER),
    "group": ("Team: anna@spieler.example;", IGNORED),
    "group: of two": (f"Team: {EVIL}, anna@spieler.example;", IGNORED),
    "group: empty": ("undisclosed-recipients:;", IGNORED),
    "group: empty before an address": (f"Team:; {EVIL}", IGNORED),
    "two addresses": (f"anna@spieler.example, {EVIL}", IGNORED),
    "two addresses: hers last": (f"{EVIL}, anna@spieler.example", IGNORED),
    "two addresses: semicolon": (f"anna@spieler.example; {EVIL}", IGNORED),
    "two addresses: in brackets": (f"<anna@spieler.example><{EVIL}>", IGNORED),
    "two addresses: bare behind brackets": (f"<anna@spieler.example> {EVIL}", IGNORED),
    "two From fields": (f"anna@spieler.example\r\nFrom: {EVIL}", IGNORED),
    "two From fields: hers last": (f"{EVIL}\r\nFrom: anna@spieler.example", IGNORED),
    "two From fields: the same": ("anna@spieler.example\r\nFrom: anna@spieler.example", TAKEN),
    "two From fields: one in capitals": (f"{EVIL}\r\nFROM: anna@spieler.example", IGNORED),
    "two From fields: a blank before the colon": (f"{EVIL}\r\nFrom : anna@spieler.example", IGNORED),
    "two From fields: a blank before the colon, hers first": (f"anna@spieler.example\r\nFrom\t: {EVIL}", IGNORED),
    "two From fields: the same but for a blank": ("anna@spieler.example\r\nFrom : anna@spieler.example", IGNORED),
    "Sender: hers": (f"{EVIL}\r\nSender: anna@spieler.example", STRANGER),
    "Sender: another's": (f"anna@spieler.example\r\nSender: {EVIL}", TAKEN),
    "Reply-To: another's (the answer goes to hers)": (f"anna@spieler.example\r\nReply-To: {EVIL}", TAKEN),
    "Reply-To: hers (she is asked at her address)": (f"{EVIL}\r\nReply-To: anna@spieler.example", IGNORED),
    "Return-Path: hers": (f"{EVIL}\r\nReturn-Path: <anna@spieler.example>", STRANGER),
    "Resent-From: hers": (f"{EVIL}\r\nResent-From: anna@spieler.example", STRANGER),
    "X-Original-From: hers": (f"{EVIL}\r\nX-Original-From: anna@spieler.example", STRANGER),
    "encoded word: an address as the name": (f"=?utf-8?q?anna=40spieler.example?= <{EVIL}>", STRANGER),
    "encoded word: with brackets": (f"=?utf-8?q?Anna_=3Canna=40spieler.example=3E?= <{EVIL}>", STRANGER),
    "encoded word: nothing else": ("=?utf-8?q?anna=40spieler.example?=", TAKEN),
    "encoded word: in brackets": ("<=?utf-8?q?anna=40spieler.example?=>", IGNORED),
    "encoded word: the local part": ("=?utf-8?q?anna?=@spieler.example", IGNORED),
    "encoded word: a line break": (f"=?utf-8?q?x=0D=0AFrom=3A_anna=40spieler.example?= <{EVIL}>", STRANGER),
    "name: her address (CVE-2023-27043)": (f"anna@spieler.example <{EVIL}>", IGNORED),
    "name: her address, quoted": (f'"anna@spieler.example" <{EVIL}>', STRANGER),
    "name: her address with a bracket (CVE-2023-27043)": (f"anna@spieler.example)<{EVIL}>", IGNORED),
    "name: her address and a comma, quoted": (f'"Berg, <anna@spieler.example>" <{EVIL}>', STRANGER),
    "name: a quotation mark open": (f'"anna@spieler.example <{EVIL}>', IGNORED),
    "name: hers, but another's address": (f"Anna Berg <{EVIL}>", STRANGER),
    "route": ("<@evil.example:anna@spieler.example>", IGNORED),
    "route: of two": ("<@evil.example,@b.example:anna@spieler.example>", IGNORED),
    "route: ends elsewhere": (f"<@spieler.example:{EVIL}>", IGNORED),
    "two @": ("anna@spieler.example@evil.example", IGNORED),
    "quoted local part: her address": ('"anna@spieler.example"@evil.example', IGNORED),
    "quoted local part: hers": ('"anna"@spieler.example', IGNORED),
    "percent hack": ("anna%spieler.example@evil.example", STRANGER),
    "bang path": ("spieler.example!anna@evil.example", STRANGER),
    "dot behind the domain": ("anna@spieler.example.", IGNORED),
    "dot behind the local part": ("anna.@spieler.example", IGNORED),
    "domain literal": ("anna@[192.0.2.1]", IGNORED),
    "no domain": ("anna", IGNORED),
    "her domain in front of another": ("anna@spieler.example.evil.example", STRANGER),
    "below her domain": ("anna@mail.spieler.example", STRANGER),
    "a domain that ends in hers": ("anna@xspieler.example", STRANGER),
    "plus address": ("anna+x@spieler.example", STRANGER),
    "blank in the address": ("anna @spieler.example", IGNORED),
    "folded inside the address": ("anna@\r\n spieler.example", IGNORED),
    "empty brackets": ("anna@spieler.example <>", IGNORED),
    "rubbish behind": ("<anna@spieler.example> and friends", IGNORED),
    "IDN: Cyrillic a in the local part": ("\u0430nna@spieler.example", IGNORED),
    "IDN: Cyrillic e in the domain": ("anna@spi\u0435ler.example", STRANGER),
    "IDN: the same as punycode": ("anna@xn--spiler-4of.example", STRANGER),
    "IDN: full-width letters": ("\uff41\uff4e\uff4e\uff41@spieler.example", IGNORED),
    "IDN: full-width @": ("anna\uff20spieler.example", IGNORED),
    "IDN: ideographic dot": ("anna@spieler\u3002example", IGNORED),
    "IDN: zero width space": ("anna\u200b@spieler.example", IGNORED),
    "IDN: soft hyphen": ("an\u00adna@spieler.example", IGNORED),
    "IDN: combining accent": ("anna\u0301@spieler.example", IGNORED),
    "IDN: right to left": ("\u202eanna@spieler.example", IGNORED),
    "IDN: a local part in Unicode": ("änna@spieler.example", IGNORED),
    "NUL in the address": ("anna\0@spieler.example", IGNORED),
    "NUL behind it": (f"anna@spieler.example\0{EVIL}", IGNORED),
    "a bare CR": (f"{EVIL}\rFrom: anna@spieler.example", IGNORED),
    "a bare LF": (f"{EVIL}\nFrom: anna@spieler.example", IGNORED),
    "a vertical tab": ("anna\x0b@spieler.example", IGNORED),
    "a very long name": (f"{'x' * 5000} <anna@spieler.example>", IGNORED),
    "a very long address": (f"{'a' * 300}@spieler.example", IGNORED),
    "5000 addresses": (", ".join(["anna@spieler.example"] * 5000), IGNORED),
    "empty": ("", IGNORED),
    "nothing but a name": ("Anna Berg", IGNORED),
}
"""Name of the trick -> what stands behind `From: `, and what becomes of it."""

FROM: Final[dict[str, tuple[str, str]]] = {
    name: (f"From: {text}\r\n", becomes) for name, (text, becomes) in _FROM.items()
} | {
    "no From at all": ("To: gm@example.org\r\n", IGNORED),
    "an mbox line": (f"From anna@spieler.example Mon Nov  2 12:00:00 2026\r\nFrom: {EVIL}\r\n", STRANGER),
    "From below the empty line": (f"From: {EVIL}\r\n\r\nFrom: anna@spieler.example\r\n", STRANGER),
    "From in a field's continuation": (f"From: {EVIL}\r\nX-Note: a\r\n From: anna@spieler.example\r\n", STRANGER),
    "a blank before the colon": ("From : anna@spieler.example\r\n", IGNORED),
    "a blank before the colon, below": ("To: gm@example.org\r\nfrom \t: anna@spieler.example\r\n", IGNORED),
    "From written small": ("from: anna@spieler.example\r\n", TAKEN),
}

GOOD: Final = {name: row for name, row in FROM.items() if row[1] == TAKEN}

# -- Authentication-Results (b): who trusts mx.example.org and the servers of mail.example -----------------------------

TRUSTED: Final = ["mx.example.org", "*.mail.example"]
PASS: Final = "dmarc=pass header.from=spieler.example"
FAIL: Final = "dmarc=fail header.from=spieler.example"
BORDER: Final = "Received: from mail.evil.example (evil [192.0.2.1]) by mx.example.org with ESMTPS id 1; now\r\n"
INSIDE: Final = "Received: from mx.example.org by box.example.org with LMTP id 2; now\r\n"
OUTSIDE: Final = "Received: from laptop by mail.evil.example with ESMTPSA id 3; now\r\n"
BARE: Final = "From: Anna Berg <anna@spieler.example>\r\n"
HERS: Final = BORDER + BARE
"""As she sent it, and below the topmost Received: what stands above was written by the provider."""


def ar(text: str, field: str = "Authentication-Results") -> str:
    """Write a field of the provider's or of a forger's."""
    return f"{field}: {text}\r\n"


RESULTS: Final[dict[str, tuple[str, str]]] = {
    "dmarc=pass": (ar(f"mx.example.org; {PASS}") + HERS, TAKEN),
    "dkim=pass by header.d": (ar("mx.example.org; dkim=pass header.d=spieler.example") + HERS, TAKEN),
    "dkim=pass by header.i": (ar("mx.example.org; dkim=pass header.i=@spieler.example") + HERS, TAKEN),
    "a second signature is somebody else's": (
        ar("mx.example.org; dkim=pass header.d=list.example; dkim=pass header.d=spieler.example") + HERS, TAKEN),
    "everything that Gmail writes": (
        ar("mx.example.org;\r\n dkim=pass header.i=@spieler.example header.s=mail header.b=agINRXYl;\r\n spf=pass "
           "(mx.example.org: domain of anna@spieler.example designates 192.0.2.1 as permitted sender) smtp.mailfrom="
           "anna@spieler.example;\r\n dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=spieler.example") + HERS,
        TAKEN),
    "a version behind the id": (ar(f"mx.example.org 1; {PASS}") + HERS, TAKEN),
    "capitals": (ar("MX.Example.ORG; DMARC=Pass header.From=Spieler.Example") + HERS, TAKEN),
    "a quoted id": (ar(f'"mx.example.org"; {PASS}') + HERS, TAKEN),
    "blanks around =": (ar("mx.example.org; dmarc = pass header.from = spieler.example") + HERS, TAKEN),
    "an address in header.from": (ar("mx.example.org; dmarc=pass header.from=anna@spieler.example") + HERS, TAKEN),
    "a policy overridden in a comment": (
        ar("mx.example.org; dmarc=pass(p=NONE,sp=NONE dis=none) header.from=spieler.example;") + HERS, TAKEN),
    "host names that vary": (ar(f"mx7.mail.example; {PASS}") + HERS, TAKEN),
    "host names that vary: deeper": (ar(f"prod.v2.mail.example; {PASS}") + HERS, TAKEN),
    "several fields of one server (Fastmail)": (
        ar("mx7.mail.example; x-ptr=pass") + ar("mx7.mail.example; arc=none") + ar(f"mx7.mail.example; {PASS}") + HERS,
        ASKED),
    "several fields of several servers (iCloud)": (
        ar("bimi.mail.example; bimi=none") + ar(f"dmarc.mail.example; {PASS}") + ar("spf.mail.example; x=y") + HERS,
        TAKEN),
    "below the server's own Received (Gmail)": (
        INSIDE + BORDER + ar(f"mx.example.org; {PASS}") + OUTSIDE + BARE, ASKED),
    "between its Received (Outlook)": (INSIDE + ar(f"mx.example.org; {PASS}") + BORDER + OUTSIDE + BARE, ASKED),
    "no Received at all": (ar(f"mx.example.org; {PASS}") + BARE, ASKED),
    "Received without a colon of its own": (ar(f"mx.example.org; {PASS}") + "X-Received: by x; now\r\n" + BARE, ASKED),
    "above From, which stands above Received": (ar(f"mx.example.org; {PASS}") + BARE + BORDER, TAKEN),
    "a foreign one on top": (ar(f"aaa.example; {FAIL}") + ar(f"mx.example.org; {PASS}") + HERS, TAKEN),
    "duplicated": (ar(f"mx.example.org; {PASS}") * 2 + HERS, TAKEN),
    "none": (HERS, ASKED),
    "says none": (ar("mx.example.org; none") + HERS, ASKED),
    "an empty one": (ar("") + HERS, ASKED),
    "dmarc=none": (ar("mx.example.org; dmarc=none header.from=spieler.example") + HERS, ASKED),
    "dmarc=temperror": (ar("mx.example.org; dmarc=temperror header.from=spieler.example") + HERS, ASKED),
    "dmarc=bestguesspass": (ar("mx.example.org; dmarc=bestguesspass header.from=spieler.example") + HERS, ASKED),
    "dmarc=pass for nobody": (ar("mx.example.org; dmarc=pass") + HERS, ASKED),
    "dmarc=pass for another domain": (ar("mx.example.org; dmarc=pass header.from=evil.example") + HERS, ASKED),
    "dmarc=pass for hers and another": (
        ar("mx.example.org; dmarc=pass header.from=evil.example header.from=spieler.example") + HERS, ASKED),
    "dmarc=pass below another": (
        ar("mx.example.org; dmarc=pass header.from=spieler.example.evil.example") + HERS, ASKED),
    "dmarc=pass below hers": (ar("mx.example.org; dmarc=pass header.from=mail.spieler.example") + HERS, ASKED),
    "dkim=pass of another": (ar("mx.example.org; dkim=pass header.d=evil.example") + HERS, ASKED),
    "dkim=pass of another, hers in i": (
        ar("mx.example.org; dkim=pass header.d=evil.example header.i=@spieler.example") + HERS, ASKED),
    "dkim=pass of a domain below hers": (ar("mx.example.org; dkim=pass header.d=a.spieler.example") + HERS, ASKED),
    "dkim=pass of the top level": (ar("mx.example.org; dkim=pass header.d=example") + HERS, ASKED),
    "dkim=pass that ends in hers": (ar("mx.example.org; dkim=pass header.d=xspieler.example") + HERS, ASKED),
    "dkim=fail": (ar("mx.example.org; dkim=fail header.d=spieler.example") + HERS, ASKED),
    "dkim=pass, but dmarc can't be told": (
        ar("mx.example.org; dkim=pass header.d=spieler.example; dmarc=permerror") + HERS, ASKED),
    "nothing but SPF": (ar("mx.example.org; spf=pass smtp.mailfrom=anna@spieler.example") + HERS, ASKED),
    "nothing but iprev and auth": (
        ar("mx.example.org; iprev=pass; auth=pass smtp.auth=anna@spieler.example") + HERS, ASKED),
    "foreign": (ar(f"aaa.example; {PASS}") + HERS, ASKED),
    "foreign: without an id": (ar(PASS) + HERS, ASKED),
    "foreign: ends in ours": (ar(f"evil-mx.example.org; {PASS}") + HERS, ASKED),
    "foreign: begins like ours": (ar(f"mx.example.org.evil.example; {PASS}") + HERS, ASKED),
    "foreign: ours as a comment": (ar(f"aaa.example (mx.example.org); {PASS}") + HERS, ASKED),
    "foreign: ours as a comment in front": (ar(f"(mx.example.org) aaa.example; {PASS}") + HERS, ASKED),
    "foreign: ours as the version": (ar(f"aaa.example mx.example.org; {PASS}") + HERS, ASKED),
    "foreign: the house of a pattern": (ar(f"mail.example; {PASS}") + HERS, ASKED),
    "foreign: ends like a pattern": (ar(f"evilmail.example; {PASS}") + HERS, ASKED),
    "forged: below From": (HERS + ar(f"mx.example.org; {PASS}"), ASKED),
    "forged: right below the topmost Received": (BORDER + ar(f"mx.example.org; {PASS}") + BARE, ASKED),
    "forged: below another house's Received": (INSIDE + BORDER + OUTSIDE + ar(f"mx.example.org; {PASS}") + BARE, ASKED),
    "forged: below one that says nothing": (
        ar("mx.example.org; none") + ar(f"mx.example.org; {PASS}") + HERS, ASKED),
    "forged: below one that is broken": (
        ar("mx.example.org; spf=pass (") + ar(f"mx.example.org; {PASS}") + HERS, ASKED),
    "forged: below one that says SPF alone": (
        ar("mx.example.org; spf=pass") + BORDER + ar(f"mx.example.org; {PASS}") + BARE, ASKED),
    "forged: the same id in capitals": (ar("mx.example.org; none") + ar(f"MX.Example.Org; {PASS}") + HERS, ASKED),
    "forged: the same id with a version": (ar("mx.example.org; none") + ar(f"mx.example.org 1; {PASS}") + HERS, ASKED),
    "forged: the same id with a dot": (ar("mx.example.org; none") + ar(f"mx.example.org.; {PASS}") + HERS, ASKED),
    "forged: the same id quoted": (ar("mx.example.org; none") + ar(f'"mx.example.org"; {PASS}') + HERS, ASKED),
    "forged: the same id behind a comment": (
        ar("mx.example.org; none") + ar(f"(x) mx.example.org; {PASS}") + HERS, ASKED),
    "forged: folded": (BORDER + ar(f"\r\n mx.example.org;\r\n {PASS}") + BARE, ASKED),
    "forged: forty foreign ones on top": (
        ar("aaa.example; none") * 40 + BORDER + ar(f"mx.example.org; {PASS}") + BARE, ASKED),
    "forged: another of the trusted, below Received": (
        ar("mx7.mail.example; spf=pass") + BORDER + ar(f"mx.example.org; {PASS}") + BARE, ASKED),
    "forged: a house's made-up server": (
        ar("bimi.mail.example; bimi=none") + BORDER + ar(f"evil.mail.example; {PASS}") + BARE, ASKED),
    "repeated: two results of DMARC": (ar(f"mx.example.org; {PASS}; {PASS}") + HERS, ASKED),
    "repeated: one none and one pass": (ar(f"mx.example.org; dmarc=none; {PASS}") + HERS, ASKED),
    "repeated: header.from, the same": (ar(f"mx.example.org; {PASS} header.from=spieler.example") + HERS, ASKED),
    "repeated: header.d": (
        ar("mx.example.org; dkim=pass header.d=spieler.example header.d=spieler.example") + HERS, ASKED),
    "repeated: header.d of another, hers in i": (
        ar("mx.example.org; dkim=pass header.d=x.example header.d=y.example header.i=@spieler.example") + HERS, ASKED),
    "repeated: the result itself": (ar("mx.example.org; dkim=pass dkim=fail header.d=spieler.example") + HERS, ASKED),
    "dmarc=pass for another, though dkim=pass": (
        ar("mx.example.org; dkim=pass header.d=spieler.example; dmarc=pass header.from=evil.example") + HERS, ASKED),
    "forged: below a real one that found nothing": (
        ar("mx.example.org; dkim=none") + BORDER + ar(f"mx.example.org; {PASS}") + BARE, ASKED),
    "forged: below a real one by another name": (
        ar("mx7.mail.example; dkim=pass header.d=evil.example") + ar(f"mx.example.org; {PASS}") + HERS, ASKED),
    "forged: in a comment": (ar(f"mx.example.org; dmarc=none ({PASS})") + HERS, ASKED),
    "forged: in a nested comment": (ar(f"mx.example.org; dmarc=none (a (b) {PASS})") + HERS, ASKED),
    "forged: in a quotation": (ar(f'mx.example.org; dkim=none reason="x; {PASS}"') + HERS, ASKED),
    "forged: in a quoted address": (
        ar(f'mx.example.org; spf=pass smtp.mailfrom="a; {PASS}"@evil.example') + HERS, ASKED),
    "forged: a property in a quotation": (
        ar('mx.example.org; dkim=pass reason="header.d=spieler.example " header.d=evil.example') + HERS, ASKED),
    "forged: a comment left open": (ar(f"mx.example.org; {PASS} (p=none") + HERS, ASKED),
    "forged: a quotation left open": (ar(f'mx.example.org; {PASS}; spf=pass smtp.mailfrom="x') + HERS, ASKED),
    "forged: too long to be read": (ar(f"mx.example.org; {PASS}; {'x=y ' * 3000}") + HERS, ASKED),
    "forged: a name that looks so": (ar(f"mx.example.org; {PASS}", "X-Authentication-Results") + HERS, ASKED),
    "forged: what another server had found": (
        ar(f"mx.example.org; {PASS}", "Authentication-Results-Original") + HERS, ASKED),
    "forged: a sealed one": (ar(f"i=1; mx.example.org; {PASS}", "ARC-Authentication-Results") + HERS, ASKED),
    "forged: in the body": (f"{HERS}\r\n{ar(f'mx.example.org; {PASS}')}", ASKED),
    "dmarc=fail": (ar(f"mx.example.org; {FAIL}") + HERS, IGNORED),
    "dmarc=fail, the policy is none": (
        ar("mx.example.org; dmarc=fail (p=NONE sp=NONE dis=NONE) header.from=spieler.example") + HERS, IGNORED),
    "dmarc=fail, though dkim=pass": (ar(f"mx.example.org; dkim=pass header.d=spieler.example; {FAIL}") + HERS, IGNORED),
    "dmarc=fail for whomever": (ar("mx.example.org; dmarc=fail") + HERS, IGNORED),
    "dmarc=fail and a foreign pass": (ar(f"aaa.example; {PASS}") + ar(f"mx.example.org; {FAIL}") + HERS, IGNORED),
    "dmarc=fail and a forged pass": (ar(f"mx.example.org; {FAIL}") + ar(f"mx.example.org; {PASS}") + HERS, IGNORED),
    "dmarc=fail below a pass: they contradict": (
        ar(f"mx.example.org; {PASS}") + ar(f"mx7.mail.example; {FAIL}") + HERS, IGNORED),
    "dmarc=fail in one field with a pass": (ar(f"mx.example.org; {PASS}; {FAIL}") + HERS, IGNORED),
    "dmarc=fail hidden by an open comment": (ar(f"mx.example.org; spf=pass (a( ; {FAIL}") + HERS, IGNORED),
    "dmarc=fail hidden by an open quotation": (ar(f'mx.example.org; spf=pass x="a ; {FAIL}') + HERS, IGNORED),
    "a pass for the forger's own name": (
        f'{ar("mx.example.org; dmarc=pass header.from=evil.example")}{BORDER}From: "anna@spieler.example" <{EVIL}>\r\n',
        STRANGER),
}  # fmt: skip
"""Name of the trick -> the header, and what becomes of it with `sender = "authenticated"`.

With "address" and the same servers trusted, whoever would be asked is taken, and what is only logged stays so.
"""


FAILED: Final = {name: row for name, row in RESULTS.items() if row[1] == IGNORED}

OUTLOOK: Final[dict[str, tuple[str, str]]] = {
    "pass": (
        ar(f"spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=spieler.example; dkim=pass (signature was verified) "
           f"header.d=spieler.example;{PASS.replace(' ', ' action=none ')};compauth=pass reason=100") + HERS, TAKEN),
    "fail": (ar(f"spf=fail smtp.mailfrom=evil.example; {FAIL}") + HERS, IGNORED),
    "a server with a name": (ar(f"mx.example.org; {PASS}") + HERS, ASKED),
    "below a foreign Received": (
        "Received: from mail.evil.example by a.protection.outlook.com; now\r\n" + OUTSIDE + ar(PASS) + BARE, ASKED),
}  # fmt: skip
"""Outlook's servers don't say who they are: `trusted_authserv = ["no-id"]`."""

BENEATH: Final[dict[str, tuple[str, str]]] = {
    "Gmail": (INSIDE + BORDER + ar(f"mx.example.org; {PASS}") + OUTSIDE + BARE, TAKEN),
    "Gmail, a forged one below": (
        INSIDE + BORDER + ar(f"mx.example.org; {PASS}") + OUTSIDE + ar(f"mx.example.org; {FAIL}") + BARE,
        TAKEN,
    ),
    "one hop less": (ar(f"mx.example.org; {PASS}") + HERS, TAKEN),
    "below From": (HERS + ar(f"mx.example.org; {PASS}"), TAKEN),
    "Yahoo": (INSIDE + ar(f"atlas7.mail.example; {PASS}") + BORDER + BARE, TAKEN),
    "fail": (INSIDE + ar(f"mx.example.org; {FAIL}") + BORDER + ar(f"mx.example.org; {PASS}") + BARE, IGNORED),
    "no Received at all": (ar(f"mx.example.org; {PASS}") + BARE, ASKED),
    "below one that says nothing": (
        INSIDE + ar("mx.example.org; none") + BORDER + ar(f"mx.example.org; {PASS}") + BARE,
        ASKED,
    ),
    "below one that says nothing on top": (
        ar("mx.example.org; none") + BORDER + ar(f"mx.example.org; {PASS}") + BARE,
        ASKED,
    ),
    "below a broken one": (
        INSIDE + ar("mx.example.org; dkim=pass (") + BORDER + ar(f"mx.example.org; {PASS}") + BARE,
        ASKED,
    ),
    "a made-up server of the house": (
        INSIDE + ar("atlas7.mail.example; spf=pass") + BORDER + ar(f"evil.mail.example; {PASS}") + BARE,
        ASKED,
    ),
    "of which `below` isn't said": (INSIDE + BORDER + ar(f"top.example.net; {PASS}") + OUTSIDE + BARE, ASKED),
    "of which it isn't, on top": (ar(f"top.example.net; {PASS}") + HERS, TAKEN),
    "sealed": (INSIDE + ar(f"i=1; mx.example.org; {PASS}", "ARC-Authentication-Results") + BORDER + BARE, ASKED),
    "forty foreign ones on top": (INSIDE + ar("aaa.example; none") * 40 + ar(f"mx.example.org; {PASS}") + BARE, ASKED),
}
"""Of providers with Received fields of their own on top: `trusted_authserv = ["mx.example.org below", ...]`."""

# -- what becomes of them ----------------------------------------------------------------------------------------------

MODES: Final[dict[str, dict[str, Any]]] = {
    "address": {"sender": "address"},
    "address and servers": {"sender": "address", "trusted_authserv": TRUSTED},
    "authenticated": {"sender": "authenticated", "trusted_authserv": TRUSTED},
    "below": {
        "sender": "authenticated",
        "trusted_authserv": ["mx.example.org below", "*.mail.example  Below", "top.example.net"],
    },
    "no-id": {"sender": "authenticated", "trusted_authserv": ["no-id"]},
}


@pytest.fixture(scope="module")
def results(opener: Callable[..., Any]) -> Callable[[str, dict[str, tuple[str, str]]], dict[str, str]]:
    """Let all tricks of a table come at once in a zine of this mode; says what became of each."""
    known: dict[tuple[str, int], dict[str, str]] = {}

    def play(mode: str, table: dict[str, tuple[str, str]]) -> dict[str, str]:
        if (mode, id(table)) not in known:
            zine = opener("started", security={**MODES[mode], "answers_per_hour": 10_000})
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(confirmation, "MOST_A_DAY", 1000)
                known[mode, id(table)] = _play(zine, table)
            zine.close()
        return known[mode, id(table)]

    return play


def _play(zine: Any, table: dict[str, tuple[str, str]]) -> dict[str, str]:
    block, names = zine.block(ANNA, "DN"), {}
    for number, (name, (head, _)) in enumerate(table.items()):
        rest = f"To: {GM_ADDRESS}\r\nSubject: Zug\r\nMessage-ID: <{number}@trick.example>\r\n\r\n{block}"
        names[zine.arrives(f"{head.replace(EVIL, f'x{number}@evil.example')}{rest}".encode())] = name
    zine.tick()
    moved = {sheet.mail_id for sheet in zine.rows(Sheet)}
    return {names[row.uid]: _fate(zine, row, row.id in moved) for row in zine.received() if row.uid in names}


def _fate(zine: Any, row: Any, has_moved: bool) -> str:
    """Return what a mail has brought about."""
    mails = zine.outgoing(cause=f"mail:{row.id}")
    to = {mail.address for mail in mails}
    if row.status == "ignored" and {mail.kind for mail in mails} <= {"forged"} and not has_moved:
        return IGNORED
    if row.status == "applied" and has_moved and to == {address_of(ANNA)}:
        return TAKEN
    if row.status == "waiting" and not has_moved and to == {address_of(ANNA)}:
        return ASKED if mails[0].subject.startswith("[Frage ") else f"waits with {mails[0].subject}"
    if row.status in ("applied", "refused") and not has_moved and to == {row.sender} and row.player_id is None:
        return STRANGER
    return f"{row.status}: {row.reason}; mails to {sorted(to)}; moved: {has_moved}"


def test_tricks_with_from(results: Callable[..., dict[str, str]], subtests: pytest.Subtests) -> None:
    """A mail is Anna's only if From is there once and holds her address alone, well-formed; else she hears nothing.

    Where that is not enough, her address is asked.
    """
    for trick in FROM:
        with subtests.test(trick=trick):
            becomes = FROM[trick][1]
            assert results("address", FROM)[trick] == becomes
            assert results("authenticated", GOOD).get(trick, becomes) == (ASKED if becomes == TAKEN else becomes)


def test_tricks_with_authentication_results(results: Callable[..., dict[str, str]], subtests: pytest.Subtests) -> None:
    """Only results on top from a trusted server prove a sender; mails that it found forged are only logged."""
    for trick in RESULTS:
        with subtests.test(trick=trick):
            becomes = RESULTS[trick][1]
            assert results("authenticated", RESULTS)[trick] == becomes
            assert results("address and servers", RESULTS)[trick] == (TAKEN if becomes == ASKED else becomes)


@pytest.mark.parametrize("trick", OUTLOOK)
def test_a_provider_without_a_name(results: Callable[..., dict[str, str]], trick: str) -> None:
    """`no-id` trusts just the fields without a name."""
    assert results("no-id", OUTLOOK)[trick] == OUTLOOK[trick][1]


@pytest.mark.parametrize("trick", BENEATH)
def test_a_provider_with_hops_of_its_own(results: Callable[..., dict[str, str]], trick: str) -> None:
    """With `below` the topmost field of that name counts wherever it stands, and no other of that name."""
    assert results("below", BENEATH)[trick] == BENEATH[trick][1]


def test_nobody_is_trusted_by_default(results: Callable[..., dict[str, str]]) -> None:
    """Without trusted_authserv no such field says anything, for or against."""
    assert set(results("address", FAILED).values()) == {TAKEN}


def test_reading_time_is_linear() -> None:
    """Absurd fields take no more than a moment: comments, quotations and backslashes without end, 2000 fields."""
    for text in ("(" * 8000, '"' * 8000, "a;" * 4000, "\\" * 8000, "(\\" * 4000, "x" * 8000, " =" * 4000, '"\\' * 4000):
        assert work_units(lambda text=text: read_results(f"mx.example.org; {text}"), most=100) < 100
    raw = (ar(f"mx.example.org; a=b ({'x (' * 30}") * 1000 + HERS + "\r\n").encode()
    assert judge(read_mail(raw), ["mx.example.org"]).word == "none"
    assert work_units(lambda: judge(read_mail(raw), ["mx.example.org"]), most=500) < 500


@pytest.mark.parametrize(
    ("signer", "is_enough"),
    [("gmx.example", True), ("a.mail.gmx.example", True), ("example", False), ("x.a.mail.gmx.example", False),
     ("mail.gmx.example", False), ("mx.example", False), ("evilgmx.example", False), ("", False)],
)  # fmt: skip
def test_a_signature_of_the_house(signer: str, is_enough: bool) -> None:
    """A signature counts if it is by From's domain or by the organisation that this is of, by none in between."""
    raw = f"{ar(f'mx.example.org; dkim=pass header.d={signer}')}{BORDER}From: anna@a.mail.gmx.example\r\n\r\n".encode()
    assert (judge(read_mail(raw), ["mx.example.org"]).word == "pass") is is_enough


@pytest.mark.parametrize(
    ("domain", "signer", "is_enough"),
    [("verein.co.uk", "co.uk", False), ("co.uk", "co.uk", False), ("mail.verein.co.uk", "verein.co.uk", True),
     ("anna.github.io", "github.io", False), ("anna.github.io", "anna.github.io", True),
     ("localhost", "localhost", False),
     ("mail.xn--mnchen-3ya.de", "xn--mnchen-3ya.de", True), ("x.kawasaki.jp", "kawasaki.jp", False)],
)  # fmt: skip
def test_a_signature_of_everybodys(domain: str, signer: str, is_enough: bool) -> None:
    """Where anybody may have a domain of his own, a signature by what stands above it proves nothing."""
    raw = f"{ar(f'mx.example.org; dkim=pass header.d={signer}')}{BORDER}From: anna@{domain}\r\n\r\n".encode()
    assert (judge(read_mail(raw), ["mx.example.org"]).word == "pass") is is_enough
