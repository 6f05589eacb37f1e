"""`gm login` and OAuth tokens: stored, renewed in time, and used with servers that require XOAUTH2."""

import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from waiting import TIMEOUT

from gm.demo.in_memory_zine import write_config, write_mail
from gm.runtime.config.settings import Secret, load
from gm.runtime.errors import ConfigError, DeliveryError, MailboxError, TokenError
from gm.transport.imap.inbox import Inbox
from gm.transport.oauth.access_tokens import access_token
from gm.transport.oauth.login import SLOWER, by_device
from gm.transport.oauth.token_file import Tokens, load_tokens, store_tokens
from gm.transport.oauth.token_requests import TokenRefused
from gm.transport.smtp.letters import Letter
from gm.transport.smtp.outbox import Outbox

GM = "gm@local.test"
SHORT = 200.0
"""Seconds that a token is good: too few to be used when there is another."""


@pytest.fixture
def server(authorising):
    """The server that gives tokens, as new."""
    for name, value in (("client_secret", ""), ("life", 3600), ("is_denying", False), ("is_down", False)):
        setattr(authorising, name, value)
    authorising.asked.clear()
    authorising.answers.clear()
    authorising.rotates = True
    return authorising


def config_for(folder, server, imap_port=1, smtp_port=1, **more):
    """Write the config of a zine whose mailbox is opened with tokens of this server."""
    login = {"security": "none", "username": GM}
    sections = {
        "service": {"address": GM, "gm": "Cici Beilken <anna@local.test>"},
        "imap": {**login, "port": imap_port}, "imap.oauth2": server.section(**more),
        "smtp": {**login, "port": smtp_port},
    }  # fmt: skip
    return write_config(folder, more=sections)


@pytest.fixture
def config(server, tmp_path):
    """A config without mail servers."""
    return config_for(tmp_path / "zine", server)


@pytest.fixture
def gm():
    """Run `gm` as a process: `gm(config, "login")`; it ends with the test."""
    running = []

    def run(config, *arguments):
        code = "from gm.cli import main; main()"
        running.append(subprocess.Popen(
            [sys.executable, "-c", code, *arguments, "--config", str(config)], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "http_proxy": "http://127.0.0.1:9"},
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


def visit(url):
    """Open a page as a browser does; returns status and text."""
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=TIMEOUT) as page:
            return page.status, page.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def settings_of(config):
    """The section of [imap.oauth2]."""
    return load(config).imap.oauth2


def stored(config, server, *, life=3600.0, access="old-access-token", refresh="old-refresh-token"):
    """Keep tokens as an earlier login has left them."""
    server.active[access] = GM
    server.refreshing.add(refresh)
    store_tokens(
        settings_of(config), GM, Tokens(access=Secret(access), refresh=Secret(refresh), expires_at=time.time() + life)
    )


# -- logging in --------------------------------------------------------------------------------------------------------


def test_login_by_code(server, config, gm):
    """The code that is shown, typed elsewhere, opens the mailbox; tokens are kept for nobody else to read."""
    process = gm(config, "login")
    server.approve(shown(process, r"type the code: (\S+)"))
    out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, err
    assert "Done: the tokens are kept in" in out
    path = config.with_name("tokens.json")
    assert path.stat().st_mode & 0o777 == 0o600
    tokens = load_tokens(settings_of(config), GM)
    assert tokens.access.reveal() == server.given[-1]
    assert tokens.access.reveal() not in out + err
    assert tokens.refresh.reveal() in path.read_text()
    assert access_token(settings_of(config), GM) == tokens.access


def test_login_by_browser(server, config, gm):
    """Login by browser: the answer comes back to this machine only, after approval, protected by PKCE."""
    process = gm(config, "login", "--browser")
    url = shown(process, r"(http\S+/authorize\S+)")
    query = parse_qs(urlsplit(url).query)
    assert query["login_hint"] == [GM]
    port = urlsplit(query["redirect_uri"][0]).port
    assert f"ssh -N -L {port}:127.0.0.1:{port}" in shown(process, r"(ssh .*)")
    status, page = visit(url)
    out, err = process.communicate(timeout=TIMEOUT)
    assert (status, process.returncode) == (200, 0), err
    assert "look at the terminal" in page
    assert "auth-code" not in out + err + page
    assert access_token(settings_of(config), GM).reveal() == server.given[-1]


def test_an_answer_to_another_question_is_turned_away(server, config, gm):
    """A browser's answer with a wrong or missing state is refused with a page; the login goes on waiting."""
    process = gm(config, "login", "--browser")
    url = shown(process, r"(http\S+/authorize\S+)")
    here = parse_qs(urlsplit(url).query)["redirect_uri"][0]
    for forged in ("?code=evil&state=" + "A" * 32, "?code=evil", "", "?error=access_denied&state=x", "favicon.ico"):
        assert visit(here + forged)[0] == 400
    assert visit(url)[0] == 200
    assert process.wait(TIMEOUT) == 0
    assert [form["code"] for form in server.asked] == [next(form["code"] for form in server.asked)]
    assert "evil" not in str(server.asked)


@pytest.mark.parametrize("how", ["code", "browser"])
def test_a_no_is_one_sentence(how, server, config, gm):
    """A person who says no ends the login with one sentence; nothing is kept."""
    server.is_denying = True
    process = gm(config, "login", *(["--browser"] if how == "browser" else []))
    if how == "browser":
        visit(shown(process, r"(http\S+/authorize\S+)"))
    else:
        server.approve(shown(process, r"type the code: (\S+)"), "access_denied")
    _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1
    assert err == "gm: 127.0.0.1 gives no token: access_denied; run `gm login` again and say yes there.\n"
    assert load_tokens(settings_of(config), GM) is None


def test_patience_with_the_code(server, config):
    """While nobody has typed it we ask on, slower when told so, through a short outage, until it is too late."""
    pauses = []
    steps = iter(["pending", "hurried", "pending", "down", "expired_token"])

    def pause(seconds):
        pauses.append(seconds)
        (code,) = [one["user_code"] for one in server.devices.values()]
        step = next(steps)
        server.is_down = step == "down"
        server.approve(code, step)

    server.devices.clear()
    with pytest.raises(TokenRefused, match="be quicker with the code"):
        by_device(settings_of(config), lambda _: None, pause)
    assert pauses == [1, 1, 1 + SLOWER, 1 + SLOWER, 1 + 2 * SLOWER]


def test_a_secret_of_the_app(server, tmp_path, gm, monkeypatch):
    """An app's secret goes along where it has one; a wrong one is not repeated, though the server does."""
    server.client_secret = "app-secret-1"
    monkeypatch.setenv("GM_APP", "app-secret-1")
    config = config_for(tmp_path / "right", server, client_secret_env="GM_APP")
    stored(config, server, life=SHORT)
    assert access_token(settings_of(config), GM).reveal() == server.given[-1]
    wrong = config_for(tmp_path / "wrong", server, client_secret="not-my-secret")
    stored(wrong, server, life=-1)
    with pytest.raises(TokenError, match=r"invalid_client \(not \*\*\*\); check client_id and client_secret") as raised:
        access_token(settings_of(wrong), GM)
    assert "not-my-secret" not in str(raised.value)


# -- renewing ----------------------------------------------------------------------------------------------------------


def test_renewed_ahead(server, config):
    """A token is renewed minutes before its end, and the one for renewals that came with it is kept."""
    stored(config, server, life=SHORT)
    token = access_token(settings_of(config), GM)
    assert token.reveal() == server.given[-1]
    assert [form["refresh_token"] for form in server.asked] == ["old-refresh-token"]
    assert load_tokens(settings_of(config), GM).refresh.reveal() in server.refreshing
    assert access_token(settings_of(config), GM) == token
    assert len(server.asked) == 1


def test_the_old_one_for_renewals_stays(server, config):
    """Google sends no new token for renewals: the old one stays."""
    stored(config, server, life=SHORT)
    server.answers.append((200, {"access_token": "bare-token", "token_type": "Bearer"}))
    assert access_token(settings_of(config), GM).reveal() == "bare-token"
    assert load_tokens(settings_of(config), GM).refresh.reveal() == "old-refresh-token"


def test_an_outage_is_borne(server, config):
    """While the server is down the old token is used to its last second; then it is told that we try again."""
    stored(config, server, life=SHORT)
    server.is_down = True
    assert access_token(settings_of(config), GM).reveal() == "old-access-token"
    stored(config, server, life=-1)
    with pytest.raises(TokenError, match=r"No token can be had from 127.0.0.1: it answered 503\."):
        access_token(settings_of(config), GM)
    server.is_down = False
    assert access_token(settings_of(config), GM).reveal() == server.given[-1]


def test_a_login_that_is_over(server, config):
    """A revoked or expired login is one sentence that says what to do."""
    stored(config, server, life=-1)
    server.revoke()
    with pytest.raises(TokenError, match=r"The login of gm@local.test at 127.0.0.1 is over.*run `gm login` again\.$"):
        access_token(settings_of(config), GM)


def test_no_login_yet(config):
    """Without a login the sentence names the command."""
    with pytest.raises(TokenError, match=r"no token for gm@local.test at 127.0.0.1 yet; run `gm login`\.$"):
        access_token(settings_of(config), GM)


def test_two_at_once(server, config):
    """Several who find the token too old at the same time ask for one new one between them."""
    stored(config, server, life=SHORT)
    found = []
    code = (
        "import sys; from pathlib import Path; from gm.runtime.config.settings import load;"
        "from gm.transport.oauth.access_tokens import access_token;"
        "print(access_token(load(Path(sys.argv[1])).imap.oauth2, 'gm@local.test').reveal())"
    )
    threads = [
        threading.Thread(target=lambda: found.append(access_token(settings_of(config), GM).reveal())) for _ in range(8)
    ]
    others = [
        subprocess.Popen([sys.executable, "-c", code, str(config)], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found += [other.communicate(timeout=TIMEOUT)[0].strip() for other in others]
    assert set(found) == {server.given[-1]}
    assert len(server.asked) == 1


def test_a_disk_that_takes_nothing(server, config, monkeypatch):
    """Where the new token couldn't be kept it isn't asked for: the old one for renewals would be used up."""
    stored(config, server, life=SHORT)
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(TokenError, match=r"tokens\.json can't be used \(No space left on device\)"):
        access_token(settings_of(config), GM)
    assert server.asked == []
    monkeypatch.undo()
    assert load_tokens(settings_of(config), GM).refresh.reveal() == "old-refresh-token"
    assert [path.name for path in config.parent.glob(".tokens*")] == []


@pytest.mark.parametrize("text", ["", "[]", "{", '{"x": 1}', '{"%s": {"access_token": 1}}'])
def test_a_spoilt_file(text, config):
    """A file that holds something else is told by name, not by a traceback."""
    one = settings_of(config)
    key = " ".join((GM, one.token_url, one.client_id, *sorted(one.scope.split())))
    one.tokens.write_text(text.replace("%s", key))
    with pytest.raises(TokenError, match=r"tokens\.json doesn't hold what `gm login` writes|no token for"):
        access_token(one, GM)


def test_another_app_needs_another_login(server, config, tmp_path):
    """Tokens are kept for the app, address and scope that they were given for."""
    stored(config, server)
    text = config.read_text().replace("mail offline", "mail offline contacts")
    config.write_text(text)
    with pytest.raises(TokenError, match="yet; run `gm login`"):
        access_token(settings_of(config), GM)


# -- the config --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"token_url": "http://login.example.org/token"}, "http only on this machine"),
        ({"device_url": "http://127.0.0.1.example.org/"}, "http only on this machine"),
        ({"token_url": ""}, "allowed is a section with token_url, scope"),
        ({"provider": "yahoo"}, "google | microsoft | other"),
        ({"client_id": ""}, "a text of one line"),
        ({"tenant": "a/b"}, "the id or domain of your organisation"),
        ({"cleint_secret": "s3cret-s3cret"}, "is client_secret meant?"),
    ],
)
def test_wrong_settings(more, said, server, tmp_path):
    """Whatever is wrong in [imap.oauth2] is told with what is allowed, secrets left out."""
    with pytest.raises(ConfigError) as raised:
        load(config_for(tmp_path / "zine", server, **more))
    assert said in str(raised.value)
    assert "s3cret" not in str(raised.value)


def test_known_providers(tmp_path):
    """For Google and Microsoft the id of the app is enough: addresses and scope are known, and all encrypted."""
    for provider, host in (("google", "oauth2.googleapis.com"), ("microsoft", "login.microsoftonline.com")):
        more = {
            "imap": {"username": GM},
            "smtp": {"username": GM},
            "imap.oauth2": {"provider": provider, "client_id": "x"},
        }
        settings = load(write_config(tmp_path / provider, more=more))
        found = settings.imap.oauth2
        assert found.host == host
        urls = [url for url in (found.authorize_url, found.device_url, found.token_url) if url]
        assert all(url.startswith("https://") for url in urls)
        assert bool(found.device_url) == (provider == "microsoft")
        assert settings.smtp.oauth2 == found


def test_a_password_beside_a_token(server, tmp_path):
    """A section has a password or tokens; [smtp] with a password of its own uses that."""
    config = config_for(tmp_path / "zine", server)
    text = config.read_text()
    config.write_text(text.replace("[smtp]\n", '[smtp]\npassword = "own-password"\n'))
    assert load(config).smtp.oauth2 is None
    config.write_text(text.replace("[imap]\n", '[imap]\npassword = "own-password"\n'))
    with pytest.raises(ConfigError, match=r"\[imap.oauth2\] is not possible; allowed is .* without a password"):
        load(config)


# -- real servers ------------------------------------------------------------------------------------------------------


@pytest.fixture
def zine(server, token_mail, tmp_path):
    """A zine on Dovecot and Postfix that take the server's tokens; nobody has logged in yet."""
    return config_for(tmp_path / "zine", server, token_mail.imap_port, token_mail.smtp_port)


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
    assert re.search(r"^ok    OAuth2 token: The token of gm@local.test is good for (5\d|60) min", out, re.MULTILINE)
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
    for use in (_look, _send, _idle):
        stored(zine, server, access=f"dead-token-{use.__name__}")
        server.active.clear()
        before = len(server.asked)
        use(settings)
        assert len(server.asked) == before + 1
        assert load_tokens(settings.imap.oauth2, GM).access.reveal() == server.given[-1]


def _look(settings):
    inbox = Inbox(settings.imap)
    inbox.waiting()
    inbox.close()


def _send(settings):
    with closing(Outbox(settings.smtp)) as outbox:
        (deliveries,) = outbox.send([letter()])
    assert [one.status for one in deliveries] == ["sent"]


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
    stored(zine, server)
    server.user = "somebody.else@local.test"
    server.active.clear()
    try:
        with pytest.raises(MailboxError, match=r"refused the login of gm@local.test with a token") as raised:
            _look(settings)
        assert len(server.asked) == 1
        with pytest.raises(DeliveryError, match=r"refused the login of gm@local.test with a token") as also:
            _send(settings)
        assert len(server.asked) == 2
        assert "token-" not in f"{raised.value} {also.value}"
    finally:
        server.user = GM


@pytest.mark.server
def test_over_for_good(server, zine, token_mail):
    """A login that is over stops reading and sending with the one sentence that helps, and nothing is lost."""
    settings = load(zine)
    stored(zine, server, life=-1)
    server.revoke()
    with pytest.raises(MailboxError, match=r"is over.*run `gm login` again\.$"):
        _look(settings)
    with pytest.raises(DeliveryError, match=r"is over.*run `gm login` again\.$"):
        _send(settings)


def test_a_server_without_tokens(server, embedded_server, tmp_path):
    """Where the mail server knows no XOAUTH2, nothing is renewed for it and it is said."""
    config = config_for(tmp_path / "zine", server, embedded_server.imap_port, embedded_server.smtp_port)
    stored(config, server)
    settings = load(config)
    with pytest.raises(MailboxError):
        _look(settings)
    with pytest.raises(DeliveryError, match="XOAUTH2"):
        _send(settings)
    assert server.asked == []


def test_doctor_says_what_is_missing(config, gm):
    """`gm doctor` has a line for the token."""
    out, _ = gm(config, "doctor").communicate(timeout=TIMEOUT)
    assert "fail  OAuth2 token: There is no token for gm@local.test at 127.0.0.1 yet; run `gm login`." in out


def test_login_without_the_section(tmp_path, gm):
    """`gm login` for a mailbox with a password says that there is nothing to do."""
    process = gm(write_config(tmp_path / "zine"), "login")
    assert "has no [imap.oauth2]; the mailbox is opened with its password." in process.communicate(timeout=TIMEOUT)[1]


def test_json_is_what_is_kept(server, config):
    """The file is plain JSON, one entry a mailbox, so that it can be looked at and backed up."""
    stored(config, server)
    (entry,) = json.loads(Path(config.with_name("tokens.json")).read_text()).values()
    assert entry.keys() == {"access_token", "refresh_token", "expires_at"}
