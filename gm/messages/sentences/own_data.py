"""What the service says in a sentence to a player who wants to be forgotten."""

from games.api import Wording

OWN_DATA_SENTENCES: Wording = {
    "FORGET_GM": {
        "de": "Du leitest diese Partien, und dein Name steht in jeder Mail; darum geht das nicht per Mail. Übergib sie "
        "erst jemandem in der config.toml, dann vergisst dich »gm player forget«.",
        "en": "You lead these games, and your name is in every mail; so it can't be done by mail. First hand them over "
        "to somebody in config.toml; then “gm player forget” does it.",
    },
    "FORGET_NOT": {
        "de": "In Ordnung, es bleibt alles, wie es ist. Schön, dass du dabei bist!",
        "en": "All right, everything stays as it is. Good to have you with us!",
    },
    "FORGET_UNDER_WAY": {
        "de": "Das ist schon bestätigt und geschieht, sobald keine Mail von dir oder an dich mehr wartet. Du musst "
        "nichts weiter tun.",
        "en": "That is confirmed already, and happens as soon as no mail from you or to you waits. You needn't do "
        "anything more.",
    },
}
