"""What programs write where no field says so: absence notes, receipts, full mailboxes, reactions, calendars' replies.

People write some of these words as well. So they only say that a mail is likely a program's, and what carries a block
or a command is carried out all the same.
"""

import re
from typing import Final

from parsers.mime.message import Mail
from parsers.mime.quoting import divide

READ: Final = 1500
"""So many characters of the text are looked at: a program says at once what it has to say."""
REACTIONS: Final = frozenset({"text/vnd.google.email-reaction+json"})
_SUBJECT: Final = re.compile(
    r"\[(?:ticket|case|request|anfrage|vorgang|incident|support)[ #:._-]*[\w-]*\d[\w-]*\]|\[#\s?\d+\]|"
    r"\b(?:ticket|vorgang|case|request)[ -]?(?:nr\.?|no\.?|nummer|number|id)?[ :]*#\s?\d+|eingangsbestätigung|"
    r"(?:postfach|mailbox|inbox)\b.{0,20}\b(?:voll|full)\b|quota (?:exceeded|überschritten)|"
    r"\bhat (?:auf ihre|auf deine) nachricht reagiert|\breacted to your message",
    re.IGNORECASE,
)
_TEXT: Final = re.compile(
    # absence
    r"\b(?:bin|sind|befinde mich)\b[^!?]{0,60}\b(?:nicht (?:im (?:büro|haus|dienst)|am arbeitsplatz|erreichbar)|"
    r"außer haus|ausser haus|abwesend|ortsabwesend)\b|"
    r"\b(?:ihre|eure|deine) (?:e-?mails?|nachrichten?|anfrage)\b[^.!?\n]{0,30}\bnicht (?:weitergeleitet|gelesen)\b|"
    r"\bin dringenden (?:fällen|angelegenheiten)\b|\b(?:keinen|eingeschränkten) zugriff auf (?:meine )?e-?mails\b|"
    r"\bout of (?:the |my )?office\b|\bon (?:annual |parental |sick |maternity )?leave (?:until|till|from|and)\b|"
    r"\blimited access to (?:my )?e-?mail|\bcurrently (?:away|unavailable|travelling|out of)\b|"
    r"\b(?:away|absent) from (?:my desk|the office|work)\b|"
    # receipt
    r"\b(?:automatisch|automatically) (?:generiert|erstellt|erzeugt|versandt|verschickt|generated|sent)|"
    r"\bautomati(?:sche|c) (?:antwort|rückantwort|nachricht|e-?mail|bestätigung|reply|response|message)|"
    r"\b(?:ihre|deine|eure) (?:anfrage|nachricht|e-?mail|meldung)\b[^.!?\n]{0,40}\b(?:eingegangen|erhalten|registriert|"
    r"bearbeitet)\b|\bwir haben (?:ihre|deine|eure) (?:anfrage|nachricht|e-?mail)\b|"
    r"\bvielen dank für (?:ihre|deine|eure) (?:anfrage|nachricht|e-?mail|kontaktaufnahme)|"
    r"\b(?:we|i) have received your (?:request|message|e-?mail|enquiry|inquiry)|"
    r"\byour (?:request|message|ticket|e-?mail|enquiry|inquiry)\b[^.!?\n]{0,30}\b(?:has been|was) (?:received|logged|"
    r"opened|registered)|\bthank you for (?:contacting|your (?:e-?mail|message|request|enquiry|inquiry))|"
    # a full mailbox
    r"\b(?:postfach|mailbox|inbox)\b[^.!?\n]{0,40}\b(?:voll|full|überschritten|exceeded)\b|\bquota exceeded\b|"
    r"\b(?:hat (?:auf ihre|auf deine) nachricht reagiert|reacted to your message)\b",
    re.IGNORECASE,
)


def is_reaction(mail: Mail) -> bool:
    """Whether a mail is a sign that a mail program sends for a click."""
    return not REACTIONS.isdisjoint(mail.part_types)


def is_only_signs(text: str) -> bool:
    """Whether a text holds no letter and no digit, only signs like 👍."""
    said = text.strip()
    return bool(said) and not any(char.isalnum() or char in "?." for char in said)


def has_machine_words(mail: Mail) -> bool:
    """Whether a mail says what programs say in somebody's absence, or when they have received something."""
    return bool(_SUBJECT.search(mail.subject) or _TEXT.search(" ".join(divide(mail.text).own[:READ].split())))
