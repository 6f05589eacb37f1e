"""Dovecot's configuration for MailServers, in the syntax of the installed version.

Debian 12 has Dovecot 2.3, Debian 13 has 2.4; neither can read the other's configuration.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = Path("/usr/sbin/dovecot")
IMAP, LMTP = Path("/usr/lib/dovecot/imap"), Path("/usr/lib/dovecot/lmtp")
"""What two more packages bring; without one Dovecot refuses to start if it is to serve it."""

# What is the same for all. The first line of `differing` must be the first of the file.
_ALIKE = """{differing}
protocols = {protocols}
listen = 127.0.0.1
base_dir = {root}/run
state_dir = {root}/state
log_path = {root}/dovecot.log
auth_failure_delay = 0
auth_mechanisms = plain login{mechanism}
default_internal_user = {internal}
default_internal_group = {internal_group}
default_login_user = {login}
first_valid_uid = 1
mail_fsync = never
mail_max_userip_connections = 0
{patient}
namespace inbox {{
  inbox = yes
  separator = {separator}
  prefix = {prefix}
}}
service imap-login {{
  chroot =
  {endless}
  process_min_avail = 1
  inet_listener imap {{
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = {imaps_port}
  }}
}}
service imap {{
  process_min_avail = 1
}}
service auth {{
  inet_listener auth {{
    port = {auth_port}
  }}
}}
service anvil {{
  chroot =
  # Otherwise each refused login lets the next one wait longer.
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
"""
_LMTP = """service lmtp {{
  process_min_avail = 1
  inet_listener lmtp {{
    port = {lmtp_port}
  }}
}}
"""
# A token is good if the server that gave it says so (RFC 7662).
_INTROSPECTION = """introspection_mode = post
introspection_url = {introspection}
username_attribute = username
active_attribute = active
active_value = true
"""


@dataclass(frozen=True, kw_only=True)
class _Language:
    main: str
    endless: str
    """Let one process serve any number of clients."""
    patient: str
    """End no process that is idle: a client that comes in that moment might be dropped."""
    tls: str
    acl: str
    tokens: str


_OF_2_3 = _Language(
    main="""
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
{more}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={root}/home/%u
}}
""",
    endless="service_count = 0",
    patient="default_idle_kill = 1 days",
    tls="""
ssl = yes
ssl_cert = <{root}/cert.pem
ssl_key = <{root}/key.pem
""",
    acl="""
mail_plugins = acl
plugin {{
  acl = vfile:{acl}
}}
""",
    tokens="""
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {root}/oauth2.conf
}}
""",
)
_OF_2_4 = _Language(
    main="""dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
auth_allow_cleartext = yes
mail_driver = maildir
mail_path = ~/Maildir
{more}
passdb static {{
  password = {password}
}}
userdb static {{
  fields {{
    uid = {uid}
    gid = {gid}
    home = {root}/home/%{{user}}
  }}
}}
""",
    endless="restart_request_count = unlimited",
    patient="default_idle_kill_interval = 1 days",
    tls="""
ssl = yes
ssl_server_cert_file = {root}/cert.pem
ssl_server_key_file = {root}/key.pem
""",
    acl="""
mail_plugins = acl
acl_driver = vfile
acl_global_path = {acl}
""",
    tokens=f"""
oauth2 {{{{
{_INTROSPECTION}}}}}
passdb oauth2 {{{{
  mechanisms_filter = xoauth2
}}}}
""",
)


def write(root: Path, *, tls: bool, capability: str, given: dict[str, Any]) -> Path:
    """Write all that Dovecot reads; `given` are the values of the texts above. Certificate and key lie beside it."""
    language = _OF_2_4 if _version() >= (2, 4) else _OF_2_3
    more = language.tls if tls else "ssl = no\n"
    more += f"imap_capability = {capability}\n" if capability else ""
    more += language.acl if given["acl"] else ""
    more += language.tokens if given["introspection"] else ""
    more += _LMTP if given["lmtp"] else ""
    given = {**given, "root": root, "protocols": "imap lmtp" if given["lmtp"] else "imap"}
    (root / "oauth2.conf").write_text(_INTROSPECTION.format(**given))  # 2.3 wants it in a file of its own
    differing = language.main.format(**given, more=more.format(**given))
    path = root / "dovecot.conf"
    path.write_text(_ALIKE.format(**given, differing=differing, endless=language.endless, patient=language.patient))
    return path


def _version() -> tuple[int, int]:
    said = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout
    major, minor = said.split(".")[:2]
    return int(major), int(minor)
