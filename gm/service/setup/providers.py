"""Mail providers that `gm init` knows: where their mailboxes are, and what they want done first."""

from dataclasses import dataclass
from typing import Final, Literal

from gm.service.setup.server_discovery import Server


@dataclass(frozen=True, kw_only=True)
class Provider:
    """Facts that the provider publishes. `hint` says what to do when it refuses a login that should work.

    `oauth` is what [imap.oauth2] calls it, where `gm login` knows its way. `below` are the names in the
    Authentication-Results that its servers write beneath Received fields of their own: to every mail, and without what
    strangers wrote there in these names.
    """

    name: str
    domains: tuple[str, ...]
    imap: Server
    smtp: Server
    hint: str
    oauth: Literal["google", "microsoft"] | None = None
    below: tuple[str, ...] = ()


def _provider(
    name: str,
    domains: str,
    imap: str,
    smtp: str,
    smtp_port: int,
    hint: str = "",
    oauth: Literal["google", "microsoft"] | None = None,
    below: str = "",
) -> Provider:
    return Provider(
        name=name, domains=tuple(domains.split()), imap=Server(host=imap, port=993, security="tls"),
        smtp=Server(host=smtp, port=smtp_port, security="tls" if smtp_port == 465 else "starttls"), hint=hint,
        oauth=oauth, below=tuple(below.split()),
    )  # fmt: skip


_SWITCH_ON = "{} lets programs in only after IMAP is switched on in its web mail (settings, POP3/IMAP)."
_APP = "{} wants a password of its own for each program: make an app password in the settings of the account."
_OAUTH = (
    "Microsoft takes no passwords from programs any more: register an app there, and give its id to `gm init "
    "--client-id ID` (or write it into [imap.oauth2] of config.toml); then `gm login`."
)

PROVIDERS: Final = (
    _provider("GMX", "gmx.net gmx.de gmx.at gmx.ch gmx.info gmx.biz gmx.org gmx.eu", "imap.gmx.net", "mail.gmx.net",
              587, _SWITCH_ON.format("GMX")),
    _provider("GMX", "gmx.com gmx.us gmx.co.uk gmx.fr gmx.es", "imap.gmx.com", "mail.gmx.com", 587,
              _SWITCH_ON.format("GMX")),
    _provider("WEB.DE", "web.de email.de", "imap.web.de", "smtp.web.de", 587, _SWITCH_ON.format("WEB.DE")),
    _provider("T-Online", "t-online.de magenta.de", "secureimap.t-online.de", "securesmtp.t-online.de", 465,
              "T-Online wants the password for mail programs, which is set apart from that of the web pages."),
    _provider("freenet", "freenet.de", "mx.freenet.de", "mx.freenet.de", 587, _SWITCH_ON.format("freenet")),
    _provider("mail.de", "mail.de", "imap.mail.de", "smtp.mail.de", 465, _APP.format("mail.de")),
    _provider("Posteo", "posteo.de posteo.net posteo.org posteo.eu posteo.at posteo.ch", "posteo.de", "posteo.de", 465),
    _provider("mailbox.org", "mailbox.org", "imap.mailbox.org", "smtp.mailbox.org", 465,
              "mailbox.org wants an app password where two-factor login is on."),
    _provider("IONOS", "ionos.de online.de onlinehome.de 1und1.de", "imap.ionos.de", "smtp.ionos.de", 465),
    _provider("Strato", "strato.de", "imap.strato.de", "smtp.strato.de", 465),
    _provider("Bluewin", "bluewin.ch", "imaps.bluewin.ch", "smtpauths.bluewin.ch", 465),
    _provider("Gmail", "gmail.com googlemail.com", "imap.gmail.com", "smtp.gmail.com", 465, _APP.format("Google"),
              "google", below="mx.google.com"),
    _provider("Outlook", "outlook.com outlook.de hotmail.com hotmail.de live.com live.de msn.com",
              "outlook.office365.com", "smtp-mail.outlook.com", 587, _OAUTH, "microsoft"),
    _provider("Microsoft 365", "office365.com onmicrosoft.com", "outlook.office365.com", "smtp.office365.com", 587,
              _OAUTH, "microsoft"),
    _provider("iCloud", "icloud.com me.com mac.com", "imap.mail.me.com", "smtp.mail.me.com", 587,
              _APP.format("Apple"), below="dmarc.icloud.com dkim-verifier.icloud.com"),
    _provider("Yahoo", "yahoo.com yahoo.de ymail.com", "imap.mail.yahoo.com", "smtp.mail.yahoo.com", 465,
              _APP.format("Yahoo"), below="*.yahoo.com"),
    _provider("AOL", "aol.com aol.de", "imap.aol.com", "smtp.aol.com", 465, _APP.format("AOL"),
              below="*.yahoo.com"),
    _provider("Fastmail", "fastmail.com fastmail.fm fastmail.de", "imap.fastmail.com", "smtp.fastmail.com", 465,
              _APP.format("Fastmail"), below="*.messagingengine.com"),
    _provider("Zoho", "zoho.eu zohomail.eu", "imap.zoho.eu", "smtp.zoho.eu", 465, _SWITCH_ON.format("Zoho")),
    _provider("Zoho", "zoho.com zohomail.com", "imap.zoho.com", "smtp.zoho.com", 465, _SWITCH_ON.format("Zoho")),
)  # fmt: skip


def known(domain: str) -> Provider | None:
    """Find the provider of a domain, also of one below it (`name.onmicrosoft.com`)."""
    folded = domain.lower().rstrip(".")
    ends = [folded, folded.partition(".")[2]]
    return next((one for end in ends for one in PROVIDERS if end in one.domains), None)


def runs(host: str) -> Provider | None:
    """Find the provider whose server this is: own domains are kept by the same ones."""
    return next((one for one in PROVIDERS if host.lower() in (one.imap.host, one.smtp.host)), None)
