"""German words by what they mean, small and without umlauts; and the small words that change nothing in a wish.

A multiword is written with `_`, a verb with what may part from it: `mit+spielen`.
"""

from typing import Final

SMALL: Final = frozenset(
    """
    bitte gern gerne sehr doch mal einfach leider jetzt nun also auch wohl nur kurz schon hiermit lieber dann so
    noch hier total unbedingt wirklich endlich wieder eben halt uebrigens sofort zusammen euch euer eure eurem
    eurer eures deinem deiner deinen dein deine dir ihnen uns es das der die dem den des ein eine einem einen
    einer eines 'n n nen ne nem bei beim zu zum zur von vom fuer an am im in ins mit ueber um nach aus ab auf
    denn grade aber jedoch naechsten_mal gerade aktuell momentan derzeit vor danke dank vielen nochmal nochmals
    noch_mal erneut einmal naechsten naechste naechster naechstes naechstem neuen neue neuer neues demnaechst
    weiterhin gleich diesmal daran davon dafuer damit daher deshalb deswegen darum kurzfristig heute jederzeit
    selbst selber allerdings wahnsinnig furchtbar hoffentlich tut_mir_leid tut_mir_echt_leid sogar irgendwie
    natuerlich grad kuenftig nachtraeglich eigentlich hi hallo hello hey moin servus sorry pls thx partie
    partien runde spiel game spielrunde postspiel dieser diese dieses diesem diesen naemlich echt richtig super
    supergern supergerne fix schnell bald baldmoeglichst moeglichst dringend ehrlich ehrlich_gesagt irgendwelche
    grosses grosse grossen offen_gestanden wie_gesagt dummerweise bedauerlicherweise gluecklicherweise ebenfalls
    zudem ausserdem voruebergehend dauerhaft endgueltig komplett ganz vollstaendig gaenzlich voellig restlos
    umgehend sicherheitshalber vorsichtshalber spontan ueberhaupt so_langsam langsam allmaehlich tatsaechlich
    immer_noch immer nach_wie_vor erstmal erst_mal erst erstmals vorerst zunaechst zuerst nett lieb freundlich
    freundlicherweise netterweise gefaelligst ja aha ach oh ups uff oje puh ok okay alles_klar tja naja na och
    nu ey leute freunde liebe lieben team spielleitung spielleiter spielleiterin gm chef kurze kurzer frage info
    bitteschoen soweit bislang bisher inzwischen mittlerweile irgendwo irgendwann_mal ungefaehr etwa genau per
    mail email e_mail ausnahmsweise anscheinend scheinbar offenbar riesig herzlich meinerseits persoenlich
    berufsbedingt krankheitsbedingt gesundheitlich beruflich zeitlich zeitbedingt aktuellen aktuelle aktueller
    aktuelles jetzige jetzigen jetziger gegenwaertig gegenwaertige gegenwaertigen da sonst insgesamt bestimmt
    sicher gewiss unheimlich mega voll krass smile grins hihi lol haha aeh aehm hae oehm hm hmm sry thanks
    please heya guys ruhig rueber zukunft in_zukunft ab_jetzt von_jetzt_an von_nun_an jede jeden jedes pro mitte
    ende anfang mittag abend frueh vormittag nachmittag ab_sofort mit_sofortiger_wirkung unter_umstaenden
    allesamt beide alle hoechstwahrscheinlich zur_zeit zurzeit
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Words that change nothing in a wish."""

WORDS: Final = {
    "i": "ich",
    "_i": "bin hab habe will werde",
    "me": "mich mir",
    "my": "mein meine meinen meiner meinem meines",
    "you": "du ihr sie",
    "we": "wir unser unsere",
    "want": "moechte moecht will wuerde wuerd wuerds mag wuensche wollen moechten wuerden wills",
    "can": "kann koennte kannst koenntest koennt koenntet koennen koennten darf duerfte duerfen zu_duerfen"
    " zu_koennen kann_man koennte_man darf_man wuerdet wuerdest ist_es_moeglich waere_es_moeglich"
    " ist_moeglich waere_moeglich moeglich lassen",
    "must": "muss muessen soll sollte muesste",
    "will": "werde",
    "be": "bin sein wir_sind sind_wir ist_meine_familie",
    "wouldbe": "waere waer waers",
    "is": "ist sind waere waeren",
    "have": "habe hab haette haett haben hast habt hat haettest haettet",
    "that": "dass",
    "whether": "ob",
    "no": "nicht kein keine keinen keiner keinem keinerlei nimmer nie niemals keinesfalls keineswegs",
    "more": "mehr laenger zusaetzlich weitere weiteren extra plus weiterer weiteres nimmer",
    "longer": "laenger",
    "bit": "bisschen etwas wenig paar",
    "later": "spaeter",
    "until": "bis",
    "erst": "erst fruehestens",
    "again": "wieder",
    "there": "da dabei",
    "what": "was",
    "how": "wie wieso_nicht",
    "who": "wer wessen",
    "where": "wo woher worin",
    "when": "wann",
    "which": "welche welcher welches welchen welchem was_fuer wieviele welch",
    "much": "wieviel wieviele wie_viel wie_vielen wie_viele",
    "how_long": "wie_lange",
    "all": "alle alles saemtliche saemtlichen ueberall allen aller",
    "number": "#",
    "in": "dabei dabeisein dabei_sein mit_dabei mit_von_der_partie am_start drin angemeldet eingetragen"
    " beteiligt",
    "playin": "rein reinkommen mit_spielen mit_machen dabei_sein dabeisein dabei_zu_sein dabeizusein"
    " mit_zu_spielen mit_zu_machen",
    "play": "spielen spiele spiel zocken spielt zu_spielen",
    "desire": "lust bock interesse interessiert interessieren freuen freude reizt reizen laune",
    "try": "probieren ausprobieren versuchen testen auszuprobieren",
    "seat": "aufnahme platz plaetze plaetzchen teilnahme teilnehmerplatz spielerplatz startplatz anmeldung"
    " mitspielerplatz",
    "free": "frei freier freie freien offen offene offenen uebrig verfuegbar zu_haben zu_vergeben vakant"
    " unbesetzt",
    "list": "liste teilnehmerliste spielerliste",
    "from": "von aus vom raus",
    "sounds": "klingt",
    "send": "zusendung",
    "please": "bitte pls please",
    "still": "noch",
    "comes": "kommt",
    "back": "zurueck",
    "other": "andere anderen",
    "from_now": "ab_jetzt von_jetzt_an von_nun_an kuenftig zukuenftig in_zukunft nur_noch ab_sofort jetzt",
    "if": "wenn falls sofern sobald",
    "late": "zu_spaet oder_ist_es_schon_zu_spaet",
    "or": "oder",
    "beginner": "anfaenger neuling neu",
    "as": "als",
    "out": "raus draussen",
    "end": "schluss vorbei feierabend zu_ende ende_im_gelaende gelaufen beendet",
    "withoutme": "ohne_mich",
    "manage": "schaffe schaff schaffs schaffen packe pack packs hinbekommen hinkriegen",
    "pass": "passen",
    "time": "zeit bedenkzeit luft zeitlich",
    "from_list": "verteiler mailverteiler",
    "standby_list": "ersatzliste standbyliste standby_liste warteliste ersatzspielerliste ersatzbank"
    " liste_der_ersatzspieler reserveliste nachrueckerliste springerliste bank",
    "substitute": "lueckenfueller ersatz ersatzspieler ersatzspielerin ersatzmann ersatzfrau standby springer"
    " springerin reserve reservist nachruecker nachrueckerin reservespieler reservespielerin"
    " aushilfe lueckenbuesser ersatzspielern",
    "ready": "zur_verfuegung bereit bereitstehen zur_verfuegung_stellen bereit_einzuspringen parat",
    "someone": "jemand jemanden einer eine_r wer man mitspieler spieler spielerin leute irgendwer andere"
    " anderer wen",
    "drops": "im_notfall zur_not notfalls ausfaellt fehlt aussteigt aufhoert abspringt ausscheidet krank_wird"
    " ausfallen_sollte wegfaellt gebraucht braucht sucht brauchen suchen noetig not_am_mann"
    " gebraucht_werde fehlen",
    "watcher": "zuschauer zuschauerin beobachter beobachterin zaungast mitleser mitleserin kiebitz gast"
    " publikum",
    "without_playing": "ohne_mitzuspielen ohne_selbst_mitzuspielen ohne_teilzunehmen ohne_selbst_zu_spielen",
    "are": "sind",
    "away": "weg verreist abwesend unterwegs fort offline verhindert auf_achse ausser_haus abgemeldet"
    " nicht_verfuegbar lahmgelegt ausser_gefecht ausgebucht weggefahren ausgeknockt",
    "here": "da hier erreichbar online daheim zuhause zu_hause verfuegbar zu_erreichen im_lande im_land"
    " am_rechner am_computer am_pc am_platz anwesend vor_ort zurueck ansprechbar am_start",
    "holiday": "urlaubsmeldung im_zug urlaub skiurlaub ferien kur dienstreise reise montage krankenhaus"
    " klinik reha ausland ausser_landes geschaeftsreise urlaubsreise klassenfahrt skifahren wandern"
    " camping zelten campen zeltlager ferienlager skilager skifreizeit schullandheim"
    " schueleraustausch austausch studienfahrt kursfahrt trainingslager festival segeln messe"
    " lehrgang seminar fortbildung kreuzfahrt familienurlaub sommerurlaub winterurlaub"
    " krankenhausaufenthalt spital elternzeit segeltoern rundreise kurzurlaub urlaubszeit reisen"
    " auswaerts tagung",
    "place": "eltern schwiegereltern oma opa grosseltern familie verwandten verwandtschaft bruder schwester"
    " freunden meer berge bergen see nordsee ostsee alpen kueste enkeln enkelkindern kindern heimat"
    " sonne schnee sueden",
    "net": "internet netz handy handynetz rechner laptop computer mail mails empfang wlan mailzugang zugriff"
    " internetzugang",
    "without": "ohne",
    "lie": "liege",
    "note": "kurze_info bitte_beachten zur_info info achtung vorsicht hinweis",
    "reply": "antworten schreiben melden reagieren mailen",
    "move_verb": "ziehen zu_ziehen abgeben mitspielen spielen einreichen einsenden abzugeben abschicken"
    " schicken senden machen mitmachen teilnehmen zu_spielen einschicken",
    "need": "bitten brauche brauch braeuchte benoetige benoetigte beantrage bitte_um erbitte wuensche",
    "more_time": "verlaengerung fristverlaengerung aufschub zeitaufschub nachfrist terminverlaengerung zugabe"
    " fristaufschub zatverschiebung zat_verschiebung verschiebung galgenfrist",
    "deadline": "zat abgabe abgabetermin abgabeschluss abgabschluss einsendeschluss deadline stichtag frist"
    " rundenende termin zugabgabetermin zugabgabe abgabefrist zugschluss abgabezeitpunkt"
    " redaktionsschluss zatermin",
    "by": "nach_hinten",
    "postponed": "verschoben verlaengert rausgeschoben hinausgeschoben",
    "enough": "reicht langt genuegt geht ginge gehts reichts",
    "possible": "moeglich drin okay ok in_ordnung machbar denkbar recht",
    "move": "zug zuege spielzug abgabe",
    "mail": "mail mails email nachricht post e_mail",
    "last": "letzte letzten letztes letzter vorige vorigen voriges vergangene vergangenen gestrigen alten",
    "arrived": "durchgegangen angekommen eingetroffen eingegangen durchgekommen registriert gespeichert da"
    " erfasst notiert eingelaufen gelandet vermerkt verbucht",
    "received": "bekommen erhalten gekriegt gespeichert empfangen gesehen gefunden",
    "moved": "gezogen abgegeben eingereicht geschickt eingesandt eingeschickt gesendet fertig",
    "counts": "gilt zaehlt zaehlen werten beruecksichtigen gelten",
    "said_when": "vorhin gestern eben heute_morgen heute_frueh vorgestern",
    "standing": "stand stellung spielstand position zwischenstand punktestand tabelle rangliste spielstaende"
    " zwischenergebnis punkteliste rangfolge tabellenstand",
    "situation": "lage situation dinge stand_der_dinge spiellage",
    "stands": "steht steht_s stehts",
    "stand_i": "stehe liege rangiere steh lieg",
    "turn": "dran am_zug an_der_reihe am_dran zug_dran",
    "lead": "fuehrt gewinnt vorne vorn erster liegt_vorne liegt_vorn ist_vorne hat_die_nase_vorn",
    "lies": "liegt liegen",
    "points": "punkte punkten",
    "rank": "tabellenplatz platz rang stelle",
    "round": "runde runden spielrunde",
    "goes": "geht laeuft dauert",
    "runs": "laeuft",
    "on": "weiter voran",
    "starts": "starten beginnen losgehen losgeht startet beginnt anfaengt faengt_an los",
    "finish": "ende schluss vorbei zu_ende abgelaufen",
    "get": "haben",
    "news": "neues neuigkeiten",
    "most": "meisten",
    "missing": "fehlt fehlen aussteht",
    "looks": "aussieht sieht schaut",
    "aus": "aus",
    "board": "feld gitter spielfeld brett spielplan spielbrett raster plan",
    "spaetestens": "spaetestens",
    "remains": "bleibt bleiben verbleibt",
    "was": "lief war passierte passiert geschah gewesen los_war herausgekommen",
    "bulletin": "bulletin bulletins protokoll rundenmail auswertung rundenauswertung rundenbericht ergebnisse"
    " ergebnismail auswertungen bericht rundenergebnis ergebnis rundenprotokoll rundenergebnisse",
    "lost": "verloren geloescht verlegt verschlampt weggeworfen verschwunden verschusselt weggeklickt"
    " verbummelt",
    "mailer": "mailprogramm spamfilter postfach provider",
    "program": "hat",
    "so_far": "bisherigen bisherige vergangenen vorherigen frueheren zurueckliegenden",
    "rules": "regeln spielregeln regelwerk regel spielregel regelheft spielanleitung regelblatt",
    "manual": "anleitung erklaerung",
    "counted": "gewertet gezaehlt gepunktet punktet wertung ausgewertet gerechnet gespielt",
    "very": "gut spannend interessant toll cool super verlockend reizvoll nett lustig",
    "becomes": "wird werden",
    "know": "kennst kennt kenne kenn weiss kapiere kapier verstehe versteh begreife blicke blick",
    "find": "finde find findet finden",
    "to_read": "zum_nachlesen nachzulesen zum_lesen nachlesen",
    "run": "laeuft laufen laufende laufenden gespielt angeboten",
    "exist": "gelten gilt gibt gaebe existieren gibts",
    "games": "spiele spielen partien spiel partie angebot spielangebot auswahl",
    "players": "mitspieler spieler leute mitspielerinnen teilnehmer",
    "offers": "spielt spielst",
    "seek": "braeuchtet suche such sucht suchen braucht brauchen fehlen",
    "overview": "ueberblick",
    "help": "hilfe hilfetext kurzanleitung spielhilfe",
    "commands": "befehle kommandos befehl befehlsliste befehlen kommandoliste",
    "understand": "verstehe versteh kapiere kapier begreife blicke blick raffe check checke durchblicke peile"
    " klar zurecht klarkomme zurechtkomme durch",
    "station": "bahnhof",
    "idea": "ahnung plan schimmer",
    "dont_know": "weiss wuesste",
    "do": "tun machen schreiben",
    "helps": "helfen",
    "works": "geht gehts bediene funktioniert laeuft ablaeuft gemeint gehts_hier",
    "come": "komme komm",
    "digest": "uebersicht uebersichten wochenuebersicht wochenuebersichten digest digests newsletter"
    " wochenmail wochenmails rundbrief rundbriefe zusammenfassung tageszusammenfassung sammelmail"
    " sammelmails wochenzusammenfassung uebersichtsmail uebersichtsmails tagesmail tagesuebersicht"
    " zusammenfassungen wochenbericht",
    "regular": "jede_woche jeden_monat jeden_tag woechentliche woechentlichen woechentlicher taegliche"
    " taeglichen regelmaessige regelmaessigen",
    "off": "ab aus",
    "in_english": "auf_english in_english english auf_englisch englisch in_englisch englische englischer",
    "in_german": "auf_deutsch deutsch in_deutsch deutsche",
    "mails": "mails mail mailverkehr nachrichten sprache post",
    "data": "daten datenauszug datensatz",
    "stored": "gespeichert gespeicherten persoenlichen personenbezogenen hinterlegt gesammelt erfasst"
    " gespeicherte personenbezogene",
    "about_me": "ueber_mich zu_mir von_mir ueber_meine_person zu_meiner_person",
    "copy": "exemplar kopie auszug ausdruck export",
    "stores": "speichert speichern speicherst wisst weisst wissen sammelt",
    "account": "account konto profil spielerkonto benutzerkonto nutzerkonto spielerprofil",
    "disclosure": "auskunft selbstauskunft datenauskunft dsgvo gemaess_dsgvo nach_dsgvo gemaess laut artikel"
    " art",
    "system": "system datenbank kartei verzeichnis unterlagen adressliste datenbestand systemen adressbuch"
    " bestand",
    "deleted": "geloescht vergessen entfernt",
    "get_deleted": "werden",
    "address": "adresse mailadresse emailadresse e_mail_adresse email_adresse mail_adresse mailanschrift"
    " anschrift emailanschrift",
    "changed": "neu neue neuer aendert_sich hat_sich_geaendert geaendert aendert aendern lautet heisst"
    " umgezogen gewechselt andere",
    "archive": "archiv archivname archivnamen internetarchiv",
    "name": "name namen nachname nachnamen familienname heisse vorname vornamen klarname klarnamen",
    "short": "abkuerzung kuerzel abgekuerzt initial initialen anfangsbuchstabe anfangsbuchstaben verkuerzt"
    " abkuerzen",
    "full": "vollem voller vollen volle vollstaendiger vollstaendigen ganzer ganzen richtiger richtigen"
    " echter echten",
    "show": "bleiben zeigen zeig zeigt anzeigen erscheinen auftauchen auftaucht erscheint darf",
    "so_kind": "so_nett so_lieb so_gut so_freundlich",
}  # fmt: skip
"""Meaning -> words."""
OWN_VERBS: Final = {
    "playin": "mit+spielen mit+machen teil+nehmen ein+steigen bei+treten dazu+stossen dazu+kommen mit+zocken"
    " mit+wirken mit+mischen",
    "quit": "auf+hoeren aus+steigen aus+scheiden aus+treten zurueck+treten auf+geben ab+springen"
    " hin+schmeissen raus+gehen raus+wollen",
    "leave": "verlassen kuendigen beenden ab+brechen",
    "standin": "uebernehmen ein+springen aus+helfen",
    "goaway": "verreisen weg+fahren weg+fliegen",
    "watch": "abonnieren gucken zu+schauen zu+sehen zu+gucken mit+lesen beobachten verfolgen rein+schauen"
    " zu+schaun",
    "travel": "fahren fliegen reisen gehen machen nehmen duesen",
    "goon": "weiter+spielen weiter+machen",
}  # fmt: skip
VERBS: Final = {
    "enter": "an+melden ein+tragen auf+nehmen vor+merken auf+schreiben ein+planen mit+nehmen rein+nehmen"
    " dazu+nehmen vor+sehen ein+schreiben notieren mit+zaehlen auf+fuehren",
    "put": "ein+setzen einsetzen setzen nehmen schreiben packen tragen tun stellen auf+nehmen ein+tragen",
    "signoff": "entlassen verabschieden ab+melden zurueck+ziehen raus+nehmen heraus+nehmen aus+tragen"
    " streichen raus+streichen aus+schreiben raus+ziehen raus+werfen raus+schmeissen"
    " heraus+streichen ab+schreiben",
    "goon": "weiter+spielen weiter+machen fort+setzen fort+fuehren",
    "arrives": "an+kommen",
    "ends": "aus+gehen",
    "unlist": "nehmen streichen raus+nehmen heraus+nehmen aus+tragen loeschen",
    "offer": "an+bieten melden stellen fragen",
    "stand": "stehen bereit+stehen",
    "takeback": "zurueck+ziehen zurueck+nehmen raus+nehmen heraus+nehmen streichen loeschen stornieren"
    " ignorieren vergessen widerrufen annullieren verwerfen weg+werfen ungueltig+machen",
    "send": "schicken senden mailen geben zeigen zu+schicken zu+senden zu+mailen ueber+mitteln nach+reichen"
    " ueber+senden nach+senden",
    "get": "bekommen kriegen erhalten sehen lesen nach+lesen an+schauen an+sehen kriegs",
    "explain": "erklaeren erlaeutern",
    "give": "geben lassen goennen ein+raeumen schenken spendieren gewaehren",
    "postpone": "verschieben verlaengern hinaus+schieben raus+schieben schieben verlegen aus+dehnen strecken",
    "wait": "warten",
    "getround": "dazu+kommen",
    "deliver": "ueberlegen nachdenken schicken senden ab+geben machen ein+reichen ziehen ein+schicken"
    " ein+senden ab+schicken nach+reichen liefern nach+liefern geben ein+geben schreiben mailen",
    "offers": "an+bieten haben",
    "cancel": "ab+bestellen ab+stellen ab+melden kuendigen aus+schalten bestellen aus+stellen stoppen"
    " ein+stellen beenden streichen",
    "write": "schreiben antworten schicken senden um+stellen reden",
    "delete": "loeschen entfernen vergessen",
    "use": "nutzen nehmen verwenden benutzen aendern notieren um+stellen schicken schreiben senden",
}  # fmt: skip
SHORT: Final = {
    "gehts": "geht es", "geht's": "geht es", "gibts": "gibt", "gibt's": "gibt", "steht's": "steht", "hab'": "hab",
    "waer": "waere", "haett": "haette", "wuerd": "wuerde", "moecht": "moechte", "koennt": "koennte",
    "isses": "ist", "is": "ist", "iss": "ist", "nich": "nicht", "net": "nicht", "ned": "nicht", "nix": "nichts",
    "krieg": "kriege", "fuers": "fuer", "ins": "in", "aufs": "auf", "uebers": "ueber", "u": "und",
    "naechst": "naechste", "ner": "einer", "nem": "einem", "nochma": "nochmal", "ma": "mal", "jez": "jetzt",
    "jetz": "jetzt", "iwie": "irgendwie", "grad": "gerade", "bissl": "bisschen", "bissel": "bisschen",
    "bissi": "bisschen", "vllt": "vielleicht", "evtl": "eventuell", "mitm": "mit dem", "aufm": "auf dem",
    "ihn": "es", "plaetzchen": "platz", "brauchs": "brauche", "kanns": "kann", "koennts": "koennt ihr",
    "muesst": "muesste", "moechts": "moechte", "wuerdet": "koennt", "wuerdest": "koenntest",
}  # fmt: skip
"""Words run together or cut short -> in full."""
