"""Mail bytes -> typed commands, pure: no server, database, clock, file or concrete game.

The way through: `message.read_mail` (bytes -> Mail), `triage.mark_of` (did a person write it?), `grammar.read_commands`
(Mail -> commands, in order), which uses `quoting` (what the sender wrote) and `eriwan` (the notation of move blocks).
"""
