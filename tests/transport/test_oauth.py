"""`gm login` and tokens of Microsoft and Google, by their libraries: asked for, kept, renewed, and used."""

import os
import re
import subprocess
import sys
import threading
from contextlib import closing
from urllib.parse import parse_qs, urlsplit

import oauth_server
import pytest
import requests
from waiting import TIMEOUT

from gm.demo.in_memory_zine import write_config, write_mail
from gm.runtime.config.settings import load
from gm.runtime.errors import ConfigError, DeliveryError, MailboxError, TokenError
from gm.transport.imap.inbox import Inbox
from gm.transport.oauth.tokens import access_token, log_in
from gm.transport.smtp.letters import Letter
from gm.transport.smtp.outbox import Outbox

pytestmark = pytest.mark.trust

GM = "gm@local.test"
SHORT = 200
"""Seconds that a token is good: so few that it is renewed at once."""
PROVIDERS = ("microsoft", "google")
PAGE = r"(https://\S+)"
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")


@pytest.fixture
def server(authorising, monkeypatch):
    """The servers that give tokens, as new; this process and those that it starts have no browser."""
    authorising.anew()
    for name, value in authorising.environment.items():
        monkeypatch.setenv(name, value)
    for name in SCREENS:
        monkeypatch.delenv(name, raising=False)
    return authorising


def config_for(folder, provider="microsoft", imap_port=1, smtp_port=1, **more):
    """Write the config of a zine whose mailbox is opened with tokens."""
    login = {"security": "none", "username": GM}
    sections = {
        "service": {"address": GM, "gm": "Cici Beilken <anna@local.test>"},
        "imap": {**login, "port": imap_port}, "smtp": {**login, "port": smtp_port},
        "oauth": {"provider": provider, "client_id": oauth_server.CLIENT, **more},
    }  # fmt: skip
    return write_config(folder, more=sections)


@pytest.fixture
def config(server, tmp_path):
    """A config without mail servers."""
    return config_for(tmp_path / "zine")


@pytest.fixture
def gm():
    """Run `gm` as a process: `gm(config, "login")`; it ends with the test."""
    running = []

    def run(config, *arguments, **environment):
        code = "from gm.cli import main; main()"
        running.append(subprocess.Popen(
            [sys.executable, "-u", "-c", code, *arguments, "--config", str(config)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment},
        ))  # fmt: skip
        return running[-1]

    yield run
    for process in running:
        process.kill()
        process.communicate()


def shown(process, pattern):
    """Read what a process prints up to a line with this, and return what was found."""
    for line in process.stdout:
        if found := re.search(pattern, line):
            return found[1]
    pytest.fail(f"no {pattern} in what it printed; {process.stderr.read()}")


def ends_at(page):
    """Say yes on Google's page, and return the address that the browser then can't reach."""
    return requests.get(page, allow_redirects=False, timeout=TIMEOUT).headers["Location"]


def login(config, server):
    """Log in, as `gm login` does, with a person who says yes."""
    lines = []

    def tell(line):
        lines.append(line)
        if found := re.search(r"type the code: (\S+)", line):
            server.approve(found[1])

    log_in(load(config), tell, lambda _: ends_at(re.search(r"https://\S+", "\n".join(lines))[0]))
    return lines


def token(config):
    """The token that the service logs in with."""
    return access_token(load(config).oauth).get_secret_value()


def tokens_of(config):
    """The file with the tokens."""
    return config.with_name("tokens.json")


# -- logging in --------------------------------------------------------------------------------------------------------


def is_logged_in(process, config, server):
    """Whether the login went well: what is kept is good, for nobody else to read, and was not shown."""
    out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, err
    assert f"Done: the tokens are kept in {tokens_of(config)}" in out
    assert tokens_of(config).stat().st_mode & 0o777 == 0o600
    asked = len(server.asked)
    assert token(config) == server.given[-1]
    assert len(server.asked) == asked
    assert not re.search("-token-|auth-code", out + err)


def test_microsoft_by_a_code(server, config, gm):
    """The code that is shown, typed elsewhere, opens the mailbox; we wait until it is typed."""
    process = gm(config, "login")
    code = shown(process, r"Open https://microsoft\.com/devicelogin in any browser and type the code: (\S+)")
    while not server.asked:
        assert process.poll() is None
    server.approve(code)
    is_logged_in(process, config, server)


def test_google_by_a_browser(server, tmp_path, gm):
    """A browser of this computer opens, and the answer comes back to this machine, protected by PKCE."""
    config = config_for(tmp_path / "zine", "google")
    page = tmp_path / "page"
    script = tmp_path / "browser.py"
    script.write_text(
        "import pathlib, requests, sys\n"
        f"pathlib.Path({str(page)!r}).write_text(requests.get(sys.argv[1], timeout={TIMEOUT}).text)\n"
    )
    process = gm(config, "login", BROWSER=f"{sys.executable} {script} %s &")
    query = parse_qs(urlsplit(shown(process, PAGE)).query)
    assert query["login_hint"] == [GM]
    is_logged_in(process, config, server)
    assert "look at the terminal" in page.read_text()


def test_google_by_the_pasted_address(server, tmp_path, gm):
    """Where this computer has no browser, the address at which another one's ends is pasted."""
    config = config_for(tmp_path / "zine", "google")
    process = gm(config, "login")
    process.stdin.write(f"{ends_at(shown(process, PAGE))}\n")
    process.stdin.flush()
    is_logged_in(process, config, server)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_no_is_one_sentence(provider, server, tmp_path, gm):
    """A person who says no ends the login with one sentence; nothing is kept."""
    config = config_for(tmp_path / "zine", provider)
    server.is_denying = True
    process = gm(config, "login")
    if provider == "google":
        _, err = process.communicate(f"{ends_at(shown(process, PAGE))}\n", timeout=TIMEOUT)
    else:
        server.approve(shown(process, r"type the code: (\S+)"), "authorization_declined")
        _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1
    assert re.fullmatch(r"gm: \w+ gives no token: \w+; run `gm login` again and say yes there\.\n", err)
    assert not tokens_of(config).exists()


def test_a_code_that_nobody_typed(server, config, gm):
    """A code that ran out is told, with what to do."""
    process = gm(config, "login")
    server.approve(shown(process, r"type the code: (\S+)"), "expired_token")
    assert "run `gm login` again, and be quicker with the code." in process.communicate(timeout=TIMEOUT)[1]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("http://127.0.0.1:1/?code=evil&state=" + "A" * 32, "mismatching_state"),
        ("http://127.0.0.1:1/?code=evil", "mismatching_state"),
        ("https://evil.example.org/?code=evil", "That is no address that begins with"),
        ("", "That is no address that begins with"),
    ],
)
def test_an_answer_to_another_question(answer, said, server, tmp_path):
    """An address with another login's answer, or none, ends the login; no token is asked for with it."""
    with pytest.raises(TokenError, match=said) as raised:
        log_in(load(config_for(tmp_path / "zine", "google")), lambda _: None, lambda _: answer)
    assert "run `gm login` again" in str(raised.value)
    assert server.asked == []


@pytest.mark.parametrize(
    ("provider", "more", "said"),
    [
        ("microsoft", {"client_id": "another"}, r"unauthorized_client \(AADSTS700016: Not found\); check client_id"),
        ("microsoft", {"tenant": "nobody.example.org"}, r"no tenant nobody\.example\.org; check tenant in \[oauth\]"),
    ],
)
def test_an_app_that_is_not_known(provider, more, said, server, tmp_path):
    """A slip in the config is told with the key to check."""
    with pytest.raises(TokenError, match=said):
        login(config_for(tmp_path / "zine", provider, **more), server)


def test_a_secret_of_the_app(server, tmp_path):
    """An app's secret goes along from its file; a wrong one is not repeated, though the server does."""
    server.client_secret = "app-secret-1"
    config = config_for(tmp_path / "zine", "google", client_secret_file="app.secret")
    secret = config.with_name("app.secret")
    secret.write_text("app-secret-1\n")
    login(config, server)
    assert token(config) == server.given[-1]
    assert "app-secret-1" not in tokens_of(config).read_text()
    secret.write_text("not-my-secret\n")
    with pytest.raises(TokenError, match=r"invalid_client \(not \*\*\*\); check client_id and client_secret_file"):
        login(config, server)


def test_nobody_else_is_asked(server, config, monkeypatch):
    """Whoever has no certificate that this machine trusts learns no code and no token."""
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    for provider in PROVIDERS:
        with pytest.raises(TokenError, match="its certificate is not trusted"):
            login(config_for(config.parent / provider, provider, tenant="organizations"), server)
    assert server.asked == []


# -- renewing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", PROVIDERS)
def test_renewed_ahead(provider, server, tmp_path):
    """A token is renewed before its end, and what the next renewal needs is kept."""
    config = config_for(tmp_path / "zine", provider)
    server.life = SHORT
    login(config, server)
    for _ in range(2):
        assert token(config) == server.given[-1]
    assert [form["grant_type"] for form in server.asked[1:]] == ["refresh_token"] * 2
    assert tokens_of(config).stat().st_mode & 0o777 == 0o600
    server.life = 3600
    assert token(config) == token(config) == server.given[-1]
    assert len(server.asked) == 4


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_outage(provider, server, tmp_path, gm):
    """While the server is down a good token is used; else it is said, and the login is there when it is back."""
    config = config_for(tmp_path / "zine", provider)
    login(config, server)
    server.is_down = True
    assert token(config) == server.given[-1]
    server.is_down, server.life = False, SHORT
    login(config, server)
    server.is_down = True
    with pytest.raises(TokenError, match=r"^\w+ can't be asked for a token: .*nothing is lost, we try again\.$"):
        token(config)
    server.is_down = False
    out, _ = gm(config, "doctor").communicate(timeout=TIMEOUT)
    assert f"ok    token: {provider.capitalize()} gives tokens, and renews them." in out


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_login_that_is_over(provider, server, tmp_path):
    """A revoked or expired login is one sentence that says what to do; a new login is all it takes."""
    config = config_for(tmp_path / "zine", provider)
    server.life = SHORT
    login(config, server)
    server.revoke()
    server.says["invalid_grant"] = "Token has been expired or revoked."
    with pytest.raises(TokenError, match=r"the login is over, by time or because it was revoked: run `gm login` again"):
        token(config)
    login(config, server)
    assert token(config) == server.given[-1]


def test_no_login_yet(config):
    """Without a login the sentence names the command."""
    with pytest.raises(TokenError, match=r"There is no login at Microsoft yet; run `gm login`\.$"):
        token(config)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_two_at_once(provider, server, tmp_path):
    """Several who find the token too old at the same time ask for one new one between them."""
    config = config_for(tmp_path / "zine", provider)
    server.life = SHORT
    login(config, server)
    server.life = 3600
    found = []
    threads = [threading.Thread(target=lambda: found.append(token(config))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [server.given[-1]] * 8
    assert len(server.asked) == 2


def test_a_disk_that_takes_nothing(server, config, monkeypatch):
    """A new token that can't be kept is told; the old one for renewals is still there."""
    server.life = SHORT
    login(config, server)
    before = tokens_of(config).read_text()
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(TokenError, match=r"tokens\.json can't be used \(No space left on device\)"):
        token(config)
    assert tokens_of(config).read_text() == before
    assert [path.name for path in config.parent.glob(".tokens*")] == []


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("text", ["", "[]", "{", '{"x": 1}', '{"RefreshToken": {"x": 1}}', '{"client_id": 7}', "\x00"])
def test_a_spoilt_file(text, provider, server, tmp_path):
    """A file that holds something else is told by name, not by a traceback."""
    config = config_for(tmp_path / "zine", provider)
    tokens_of(config).write_text(text)
    with pytest.raises(TokenError, match=r"tokens\.json isn't what `gm login` writes|no login at"):
        token(config)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_another_app_needs_another_login(provider, server, tmp_path):
    """Tokens are good for the app that they were given to, and for its provider."""
    config = config_for(tmp_path / "zine", provider)
    login(config, server)
    text = config.read_text()
    for other in ('client_id = "another"', f'client_id = "x"\nprovider = "{PROVIDERS[provider == "microsoft"]}"'):
        new = text.replace(f'provider = "{provider}"\n', "") if "provider" in other else text
        config.write_text(new.replace(f'client_id = "{oauth_server.CLIENT}"', other))
        with pytest.raises(TokenError, match="run `gm login`"):
            token(config)
    assert len(server.asked) == 1


# -- the config --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"provider": "yahoo"}, "microsoft | google"),
        ({"client_id": ""}, "a text of one line"),
        ({"tenant": "a/b"}, "the id or domain of your organisation"),
        ({"client_secret_file": "nothing.secret"}, "nothing.secret can't be read (No such file or directory)"),
        ({"client_secret_file": "words.txt"}, "no secret with microsoft"),
        ({"client_secret": "s3cret-s3cret"}, "is client_secret_file meant?"),
        ({"tokens": "tokens.json"}, "oauth.tokens = 'tokens.json' is no setting"),
    ],
)
def test_wrong_settings(more, said, server, tmp_path):
    """Whatever is wrong in [oauth] is told with what is allowed, secrets left out."""
    config = config_for(tmp_path / "zine", **more)
    config.with_name("words.txt").write_text("S3CRET\n")
    with pytest.raises(ConfigError) as raised:
        load(config)
    assert said in str(raised.value)
    assert "s3cret" not in str(raised.value).lower()


def test_one_login_for_both_servers(config):
    """Both servers use it; a server that asks for no login gets none. A password beside it is refused."""
    settings = load(config)
    assert settings.imap.oauth == settings.smtp.oauth == settings.oauth
    text = config.read_text()
    start = text.index("[smtp]")
    config.write_text(text[:start] + text[start:].replace(f'username = "{GM}"\n', ""))
    assert load(config).smtp.oauth is None
    config.write_text(text.replace("[smtp]\n", '[smtp]\npassword = "own-password"\n'))
    with pytest.raises(ConfigError, match=r"\[oauth\] is not possible; allowed is .* without any password"):
        load(config)


# -- real servers ------------------------------------------------------------------------------------------------------


@pytest.fixture
def zine(server, token_mail, tmp_path):
    """A zine on Dovecot and Postfix that take the server's tokens; nobody has logged in yet."""
    return config_for(tmp_path / "zine", "microsoft", token_mail.imap_port, token_mail.smtp_port)


def letter(number=1):
    """A mail to Anna."""
    raw = write_mail(GM, "Hallo\n", headers={"To": "anna@local.test"})
    return Letter(id=number, sender=GM, recipient="anna@local.test", raw=raw)


@pytest.mark.server
def test_from_login_to_answer(server, zine, token_mail, gm, eventually, dovecot_client):
    """After `gm login` one pass of the service fetches a mail by token and sends the answer by token."""
    with dovecot_client(token_mail.imap_port, GM) as client:
        raw = write_mail("anna@local.test", "Hilfe\n", headers={"To": GM}, subject="Hilfe")
        client.append("INBOX", raw)
    before = gm(zine, "serve", "--once")
    assert "run `gm login`" in before.communicate(timeout=TIMEOUT)[1]
    process = gm(zine, "login")
    server.approve(shown(process, r"type the code: (\S+)"))
    assert process.wait(TIMEOUT) == 0
    doctor = gm(zine, "doctor")
    out = doctor.communicate(timeout=TIMEOUT)[0]
    assert "ok    token: Microsoft gives tokens, and renews them." in out
    assert {"ok    IMAP login", "ok    SMTP login"} <= {line.partition(":")[0] for line in out.splitlines()}
    serve = gm(zine, "serve", "--once")
    out, err = serve.communicate(timeout=TIMEOUT)
    assert serve.returncode == 0, err
    assert out.startswith("1 mails handled, 0 rounds closed, 1 mails sent")
    with dovecot_client(token_mail.imap_port, "anna@local.test") as client:
        client.select_folder("INBOX")
        assert eventually(lambda: client.noop() and client.search("ALL"))


@pytest.mark.server
def test_a_refused_token_is_renewed_once(server, zine, token_mail):
    """A token that the server no longer takes is renewed at once, for reading, for sending and for IDLE."""
    settings = load(zine)
    login(zine, server)
    for use in (_look, _send, _idle):
        server.active.clear()
        before = len(server.asked)
        use(settings)
        assert len(server.asked) == before + 1
        assert token(zine) == server.given[-1]


def _look(settings):
    inbox = Inbox(settings.imap)
    inbox.waiting()
    inbox.close()


def _send(settings):
    with closing(Outbox(settings.smtp)) as outbox:
        (delivery,) = outbox.send([letter()])
    assert delivery.status == "sent"


def _idle(settings):
    from gm.transport.imap.idle import Idler

    woken = threading.Event()
    idler = Idler(settings.imap, woken.set)
    idler.start()
    assert woken.wait(TIMEOUT)
    idler.stop()


@pytest.mark.server
def test_refused_for_good(server, zine, token_mail):
    """Where the new token is refused as well it is one sentence without a token, and no circle of renewals."""
    settings = load(zine)
    login(zine, server)
    server.user = "somebody.else@local.test"
    server.active.clear()
    with pytest.raises(MailboxError, match=r"refused the login of gm@local.test with a token") as raised:
        _look(settings)
    assert len(server.asked) == 2
    with pytest.raises(DeliveryError, match=r"refused the login of gm@local.test with a token") as also:
        _send(settings)
    assert len(server.asked) == 3
    assert "token-" not in f"{raised.value} {also.value}"


@pytest.mark.server
def test_over_for_good(server, zine, token_mail):
    """A login that is over stops reading and sending with the one sentence that helps, and nothing is lost."""
    settings = load(zine)
    server.life = SHORT
    login(zine, server)
    server.revoke()
    with pytest.raises(MailboxError, match=r"is over.*run `gm login` again"):
        _look(settings)
    with pytest.raises(DeliveryError, match=r"is over.*run `gm login` again"):
        _send(settings)


def test_a_server_without_tokens(server, embedded_server, tmp_path):
    """Where the mail server knows no XOAUTH2, nothing is renewed for it and it is said."""
    config = config_for(tmp_path / "zine", "google", embedded_server.imap_port, embedded_server.smtp_port)
    login(config, server)
    settings = load(config)
    with pytest.raises(MailboxError):
        _look(settings)
    with pytest.raises(DeliveryError, match="XOAUTH2"):
        _send(settings)
    assert len(server.asked) == 1


def test_doctor_says_what_is_missing(config, gm):
    """`gm doctor` has a line for the token."""
    out, _ = gm(config, "doctor").communicate(timeout=TIMEOUT)
    assert "fail  token: There is no login at Microsoft yet; run `gm login`." in out


def test_login_without_the_section(tmp_path, gm):
    """`gm login` for a mailbox with a password says that there is nothing to do."""
    process = gm(write_config(tmp_path / "zine"), "login")
    assert "has no [oauth]; the mailbox is opened with its password." in process.communicate(timeout=TIMEOUT)[1]
