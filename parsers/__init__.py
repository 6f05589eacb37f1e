"""Mail bytes -> typed commands, pure: no server, database, clock, file or concrete game.

The way through: `mime.message.read_mail` (bytes -> Mail), `mime.triage.mark_of` (did a person write it?) and
`reading.read` (Mail, names and day -> commands, in order). The last one divides the text by whose words they are
(`mime.quoting`) and reads the sender's own line by line (`lines.body`); what is left over may be a wish (`prose`).
"""
