"""Mail providers that `gm init` knows: where their mailboxes are, and what they want done first."""

import re
from dataclasses import KW_ONLY, dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from gm.runtime.config.hosts import is_loopback
from gm.runtime.config.settings import Encryption
from gm.runtime.errors import Refused

Kind: TypeAlias = Literal["imap", "smtp"]

_USUAL: Final[dict[Kind, tuple[int, Encryption]]] = {"imap": (993, "tls"), "smtp": (587, "starttls")}
_SECURITY: Final[dict[int, Encryption]] = {993: "tls", 465: "tls", 143: "starttls", 587: "starttls", 25: "starttls"}


@dataclass(frozen=True, kw_only=True)
class Server:
    """A mail server, as config.toml names it."""

    host: str
    port: int
    security: Encryption

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Servers(NamedTuple):
    """Where the mails of a mailbox are fetched, and where they are handed in."""

    imap: Server
    smtp: Server


def read_server(kind: Kind, text: str) -> Server:
    """Read `mail.example.org` or `mail.example.org:993`. The encryption follows from the port. Raises Refused."""
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+|[0-9A-Fa-f:]+)(?::([0-9]{1,5}))?", text.strip())
    if not match or int(match[2] or 1) not in range(1, 65536):
        raise Refused(f"'{text}' is no server; write it like mail.example.org or mail.example.org:993.")
    host = match[1].strip("[]")
    if not match[2]:
        return Server(host=host, port=_USUAL[kind][0], security=_USUAL[kind][1])
    port = int(match[2])
    return Server(host=host, port=port, security=_SECURITY.get(port, "none" if is_loopback(host) else "tls"))


@dataclass(frozen=True)
class Provider:
    """What a provider publishes about its mailboxes. Several names in a field stand apart by blanks."""

    name: str
    domains: str
    imap_host: str
    smtp_place: str
    """Host and port."""
    _: KW_ONLY
    hint: str = ""
    """What to do when the provider refuses a login that should work."""
    needs_app: bool = False
    """It takes tokens only, for an app that is registered there (`[oauth]`)."""
    below: str = ""
    """The names in the Authentication-Results that its servers write below Received fields of their own.

    They write them to every mail, and remove what strangers wrote there in these names.
    """

    @property
    def servers(self) -> Servers:
        """Its servers."""
        return Servers(read_server("imap", self.imap_host), read_server("smtp", self.smtp_place))


_SWITCH_ON = "{} lets programs in only after IMAP is switched on in its web mail (settings, POP3/IMAP)."
_APP = "{} wants a password of its own for each program: make an app password in the settings of the account."
_TOKENS = "Microsoft takes no passwords from programs: register an app there (docs/install.md), then say `gm login`."

PROVIDERS: Final = (
    Provider("GMX", "gmx.net gmx.de gmx.at gmx.ch gmx.info gmx.biz gmx.org gmx.eu", "imap.gmx.net",
             "mail.gmx.net:587", hint=_SWITCH_ON.format("GMX")),
    Provider("GMX", "gmx.com gmx.us gmx.co.uk gmx.fr gmx.es", "imap.gmx.com", "mail.gmx.com:587",
             hint=_SWITCH_ON.format("GMX")),
    Provider("WEB.DE", "web.de email.de", "imap.web.de", "smtp.web.de:587", hint=_SWITCH_ON.format("WEB.DE")),
    Provider("T-Online", "t-online.de magenta.de", "secureimap.t-online.de", "securesmtp.t-online.de:465",
             hint="T-Online wants the password for mail programs, which is set apart from that of the web pages."),
    Provider("freenet", "freenet.de", "mx.freenet.de", "mx.freenet.de:587", hint=_SWITCH_ON.format("freenet")),
    Provider("mail.de", "mail.de", "imap.mail.de", "smtp.mail.de:465", hint=_APP.format("mail.de")),
    Provider("Posteo", "posteo.de posteo.net posteo.org posteo.eu posteo.at posteo.ch", "posteo.de", "posteo.de:465"),
    Provider("mailbox.org", "mailbox.org", "imap.mailbox.org", "smtp.mailbox.org:465",
             hint="mailbox.org wants an app password where two-factor login is on."),
    Provider("IONOS", "ionos.de online.de onlinehome.de 1und1.de", "imap.ionos.de", "smtp.ionos.de:465"),
    Provider("Strato", "strato.de", "imap.strato.de", "smtp.strato.de:465"),
    Provider("Bluewin", "bluewin.ch", "imaps.bluewin.ch", "smtpauths.bluewin.ch:465"),
    Provider("Gmail", "gmail.com googlemail.com", "imap.gmail.com", "smtp.gmail.com:465", hint=_APP.format("Google"),
             below="mx.google.com"),
    Provider("Outlook", "outlook.com outlook.de hotmail.com hotmail.de live.com live.de msn.com",
             "outlook.office365.com", "smtp-mail.outlook.com:587", hint=_TOKENS, needs_app=True),
    Provider("Microsoft 365", "office365.com onmicrosoft.com", "outlook.office365.com", "smtp.office365.com:587",
             hint=_TOKENS, needs_app=True),
    Provider("iCloud", "icloud.com me.com mac.com", "imap.mail.me.com", "smtp.mail.me.com:587",
             hint=_APP.format("Apple"), below="dmarc.icloud.com dkim-verifier.icloud.com"),
    Provider("Yahoo", "yahoo.com yahoo.de ymail.com", "imap.mail.yahoo.com", "smtp.mail.yahoo.com:465",
             hint=_APP.format("Yahoo"), below="*.yahoo.com"),
    Provider("AOL", "aol.com aol.de", "imap.aol.com", "smtp.aol.com:465", hint=_APP.format("AOL"),
             below="*.yahoo.com"),
    Provider("Fastmail", "fastmail.com fastmail.fm fastmail.de", "imap.fastmail.com", "smtp.fastmail.com:465",
             hint=_APP.format("Fastmail"), below="*.messagingengine.com"),
    Provider("Zoho", "zoho.eu zohomail.eu", "imap.zoho.eu", "smtp.zoho.eu:465", hint=_SWITCH_ON.format("Zoho")),
    Provider("Zoho", "zoho.com zohomail.com", "imap.zoho.com", "smtp.zoho.com:465", hint=_SWITCH_ON.format("Zoho")),
)  # fmt: skip


def provider_of_domain(domain: str) -> Provider | None:
    """Find the provider of a domain, also of one below it (`name.onmicrosoft.com`)."""
    folded = domain.lower().rstrip(".")
    ends = [folded, folded.partition(".")[2]]
    return next((one for end in ends for one in PROVIDERS if end in one.domains.split()), None)


def provider_of_server(host: str) -> Provider | None:
    """Find the provider that runs a server: it may keep mailboxes of other domains as well."""
    return next((one for one in PROVIDERS if host.lower() in (each.host for each in one.servers)), None)


def read_servers(text: str) -> Servers:
    """Read a provider's name, or the server for fetching and the one for sending. Raises Refused."""
    folded = re.sub(r"\W", "", text.lower())
    if provider := next((one for one in PROVIDERS if re.sub(r"\W", "", one.name.lower()) == folded), None):
        return provider.servers
    match text.replace(",", " ").split():
        case [imap, smtp]:
            return Servers(read_server("imap", imap), read_server("smtp", smtp))
        case [both] if "." in both and ":" not in both:
            return Servers(read_server("imap", both), read_server("smtp", both))
    raise Refused(f"'{text}' is no provider that we know; give both servers, like imap.example.org smtp.example.org.")
