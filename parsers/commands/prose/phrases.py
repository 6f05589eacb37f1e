"""The closed table of what Germans write who have a plain wish: words by their meaning, and which of them make a wish.

All words are small and without umlauts. A game's name and days stand in no rule; `+game` says that one must be there.
"""

from typing import Final

from parsers.commands.prose.phrase_words import Vocabulary, rules

SMALL: Final = frozenset(
    """
    bitte gern gerne sehr doch mal einfach leider jetzt nun also auch wohl nur kurz schon hiermit lieber dann so noch
    hier total unbedingt wirklich endlich wieder eben halt uebrigens sofort zusammen euch euer eure eurem eurer eures
    deinem deiner deinen dein deine dir ihnen uns es das der die dem den des ein eine einem einen einer eines 'n n nen
    ne nem bei beim zu zum zur von vom fuer an am im in ins mit ueber um nach aus ab auf denn grade aber jedoch naechsten_mal gerade aktuell momentan
    derzeit danke dank vielen nochmal nochmals noch_mal erneut einmal naechsten naechste naechster naechstes naechstem
    neuen neue neuer neues demnaechst weiterhin gleich diesmal daran davon dafuer damit daher deshalb deswegen darum
    kurzfristig heute jederzeit selbst selber allerdings wahnsinnig furchtbar hoffentlich tut_mir_leid tut_mir_echt_leid
    sogar irgendwie natuerlich grad kuenftig nachtraeglich eigentlich hi hallo hello hey moin servus sorry pls thx
    partie partien runde spiel game spielrunde postspiel dieser diese dieses diesem diesen naemlich echt richtig
    super supergern supergerne wahrscheinlich_nicht_ fix schnell bald baldmoeglichst moeglichst dringend ehrlich
    ehrlich_gesagt offen_gestanden wie_gesagt dummerweise bedauerlicherweise gluecklicherweise ebenfalls zudem
    ausserdem voruebergehend dauerhaft endgueltig komplett ganz vollstaendig gaenzlich voellig restlos umgehend
    sicherheitshalber vorsichtshalber spontan ueberhaupt so_langsam langsam allmaehlich tatsaechlich immer_noch
    immer nach_wie_vor erstmal erst_mal erst erstmals vorerst zunaechst zuerst nett lieb freundlich freundlicherweise
    netterweise gefaelligst ja aha ach oh ups uff oje puh ok okay alles_klar tja naja na och nu ey leute freunde
    liebe lieber lieben team spielleitung spielleiter spielleiterin gm chef kurze kurzer frage info bitteschoen
    soweit bislang bisher inzwischen mittlerweile irgendwo irgendwann_mal ungefaehr etwa genau per mail email e_mail
    ausnahmsweise anscheinend scheinbar offenbar riesig herzlich mich_mal euch_mal meinerseits persoenlich privat
    berufsbedingt krankheitsbedingt gesundheitlich beruflich zeitlich zeitbedingt aktuellen aktuelle aktueller
    aktuelles jetzige jetzigen jetziger gegenwaertig gegenwaertige gegenwaertigen da sonst insgesamt bestimmt sicher
    gewiss unheimlich mega voll krass smile grins hihi :) pro mitte ende anfang mittag abend frueh vormittag nachmittag
    ab_sofort mit_sofortiger_wirkung unter_umstaenden allesamt beide alle hoechstwahrscheinlich zur_zeit zurzeit
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Words that change nothing in a wish."""

WORDS: Final = {
    "i": "ich bin hab habe will werde", "me": "mich mir", "my": "mein meine meinen meiner meinem meines",
    "you": "du ihr sie", "we": "wir unser unsere",
    "want": "moechte moecht will wuerde wuerd wuerds mag wuensche wollen moechten wuerden wills",
    "can": "kann koennte kannst koenntest koennt koenntet koennen koennten darf duerfte kann_man koennte_man darf_man"
    " wuerdet wuerdest ist_es_moeglich waere_es_moeglich ist_moeglich waere_moeglich moeglich lassen",
    "must": "muss soll sollte muesste", "will": "werde",
    "be": "bin sein wir_sind sind_wir ist_meine_familie", "wouldbe": "waere waer waers", "is": "ist sind waere waeren",
    "have": "habe hab haette haett haben hast habt hat haettest haettet", "that": "dass", "whether": "ob",
    "no": "nicht kein keine keinen keiner keinem keinerlei nimmer", "more": "mehr laenger zusaetzlich weitere weiteren"
    " extra plus weiterer weiteres nimmer", "longer": "laenger", "bit": "bisschen etwas wenig paar",
    "later": "spaeter", "until": "bis", "erst": "erst fruehestens", "again": "wieder", "there": "da dabei",
    "what": "was", "how": "wie wieso_nicht", "who": "wer wessen", "where": "wo woher worin", "when": "wann",
    "which": "welche welcher welches welchen welchem was_fuer wieviele", "much": "viel viele wieviel wieviele lange"
    " wie_viel wie_viele hoch",
    "all": "alle alles saemtliche saemtlichen ueberall allen aller", "number": "#",
    # joining and leaving
    "in": "dabei dabeisein dabei_sein mit_dabei mit_von_der_partie am_start drin angemeldet eingetragen beteiligt",
    "playin": "mit_spielen mit_machen dabei_sein dabeisein dabei_zu_sein dabeizusein mit_zu_spielen mit_zu_machen",
    "play": "spielen spiele spiel zocken spielt zu_spielen", "desire": "lust bock interesse interessiert interessieren"
    " freuen freude reizt reizen laune",
    "try": "probieren ausprobieren versuchen testen auszuprobieren",
    "seat": "platz plaetze plaetzchen teilnahme teilnehmerplatz spielerplatz startplatz anmeldung mitspielerplatz",
    "free": "frei freier freie freien offen offene offenen uebrig verfuegbar zu_haben zu_vergeben vakant unbesetzt",
    "list": "liste teilnehmerliste spielerliste", "late": "zu_spaet oder_ist_es_schon_zu_spaet", "or": "oder",
    "beginner": "anfaenger neuling neu", "as": "als",
    "out": "raus draussen", "end": "schluss vorbei feierabend zu_ende ende_im_gelaende gelaufen beendet",
    "withoutme": "ohne_mich", "manage": "schaffe schaff schaffs schaffen packe pack packs hinbekommen hinkriegen",
    "pass": "passen", "time": "zeit bedenkzeit luft zeitlich", 
    "from_list": "verteiler mailverteiler",
    # standing in, watching
    "standby_list": "ersatzliste standbyliste standby_liste warteliste ersatzspielerliste ersatzbank"
    " liste_der_ersatzspieler reserveliste nachrueckerliste springerliste bank",
    "substitute": "ersatz ersatzspieler ersatzspielerin ersatzmann ersatzfrau standby springer springerin reserve"
    " reservist nachruecker nachrueckerin reservespieler reservespielerin aushilfe lueckenbuesser ersatzspielern",
    "ready": "zur_verfuegung bereit bereitstehen zur_verfuegung_stellen bereit_einzuspringen parat",
    "someone": "jemand jemanden einer eine_r wer man mitspieler spieler spielerin leute irgendwer andere anderer wen",
    "drops": "ausfaellt fehlt aussteigt aufhoert abspringt ausscheidet krank_wird ausfallen_sollte wegfaellt"
    " gebraucht braucht sucht brauchen suchen noetig not_am_mann gebraucht_werde fehlen",
    "watcher": "zuschauer zuschauerin beobachter beobachterin zaungast mitleser mitleserin kiebitz gast publikum",
    "without_playing": "ohne_mitzuspielen ohne_selbst_mitzuspielen ohne_teilzunehmen ohne_selbst_zu_spielen",
    # days away, more time
    "away": "weg verreist abwesend unterwegs fort offline verhindert auf_achse ausser_haus abgemeldet"
    " nicht_verfuegbar lahmgelegt ausser_gefecht ausgebucht weggefahren ausgeknockt",
    "here": "da hier erreichbar online daheim zuhause zu_hause verfuegbar zu_erreichen im_lande im_land am_rechner"
    " am_computer am_pc am_platz anwesend vor_ort zurueck ansprechbar am_start",
    "holiday": "urlaub skiurlaub ferien kur dienstreise reise montage krankenhaus klinik reha ausland ausser_landes"
    " geschaeftsreise urlaubsreise klassenfahrt skifahren wandern segeln messe lehrgang seminar fortbildung kreuzfahrt"
    " familienurlaub sommerurlaub winterurlaub krankenhausaufenthalt spital op_ elternzeit segeltoern rundreise"
    " kurzurlaub urlaubszeit reisen auswaerts tagung",
    "place": "eltern schwiegereltern oma opa grosseltern familie verwandten verwandtschaft bruder schwester freunden"
    " meer berge bergen see nordsee ostsee alpen kueste enkeln enkelkindern kindern heimat sonne schnee sueden",
    "net": "internet netz rechner laptop computer mail mails empfang wlan mailzugang zugriff internetzugang",
    "without": "ohne", "lie": "liege", "note": "kurze_info bitte_beachten zur_info info achtung vorsicht hinweis",
    "reply": "antworten schreiben melden reagieren mailen",
    "move_verb": "ziehen zu_ziehen abgeben mitspielen spielen einreichen einsenden abzugeben abschicken schicken senden"
    " machen mitmachen teilnehmen zu_spielen einschicken",
    "need": "brauche brauch braeuchte benoetige benoetigte beantrage bitte_um erbitte wuensche",
    "more_time": "verlaengerung fristverlaengerung aufschub zeitaufschub nachfrist terminverlaengerung zugabe"
    " fristaufschub zatverschiebung zat_verschiebung verschiebung galgenfrist",
    "deadline": "zat abgabe abgabetermin abgabeschluss abgabschluss einsendeschluss deadline stichtag frist rundenende"
    " termin zugabgabetermin zugabgabe abgabefrist zugschluss abgabezeitpunkt redaktionsschluss zatermin",
    "by": "nach_hinten", "postponed": "verschoben verlaengert rausgeschoben hinausgeschoben", "enough": "reicht langt genuegt geht ginge gehts reichts ",
    "possible": "moeglich drin okay ok in_ordnung machbar denkbar recht",
    # moves, standings, bulletins
    "move": "zug zuege spielzug", "mail": "mail mails email nachricht post e_mail", "last": "letzte letzten letztes"
    " letzter vorige vorigen voriges vergangene vergangenen gestrigen alten",
    "arrived": "angekommen eingetroffen eingegangen durchgekommen registriert gespeichert da erfasst notiert"
    " eingelaufen gelandet vermerkt verbucht",
    "received": "bekommen erhalten gekriegt gespeichert empfangen gesehen gefunden",
    "moved": "gezogen abgegeben eingereicht geschickt eingesandt eingeschickt gesendet fertig",
    "counts": "gilt zaehlt", "said_when": "vorhin gestern eben heute_morgen heute_frueh vorgestern",
    "standing": "stand stellung spielstand position zwischenstand punktestand tabelle rangliste spielstaende"
    " zwischenergebnis punkteliste rangfolge tabellenstand",
    "situation": "lage situation dinge stand_der_dinge spiellage", "stands": "steht steht_s stehts",
    "stand_i": "stehe liege rangiere steh lieg", "turn": "dran am_zug an_der_reihe am_dran zug_dran",
    "lead": "fuehrt gewinnt vorne vorn erster liegt_vorne liegt_vorn ist_vorne hat_die_nase_vorn",
    "lies": "liegt liegen", "points": "punkte punkten", "rank": "platz rang stelle", "round": "runde runden spielrunde",
    "goes": "geht laeuft", "runs": "laeuft", "on": "weiter los voran", "starts": "startet beginnt anfaengt"
    " faengt_an los",
    "finish": "ende schluss vorbei zu_ende abgelaufen", "missing": "fehlt fehlen aussteht", "looks": "sieht schaut",
    "aus": "aus", "board": "gitter spielfeld brett spielplan spielbrett raster plan", "spaetestens": "spaetestens",
    "remains": "bleibt bleiben verbleibt", "was": "war passierte passiert geschah gewesen los_war herausgekommen",
    "bulletin": "bulletin bulletins protokoll rundenmail auswertung rundenauswertung rundenbericht ergebnisse"
    " ergebnismail auswertungen bericht rundenergebnis ergebnis rundbrief_ rundenprotokoll rundenergebnisse",
    "lost": "verloren geloescht verlegt verschlampt weggeworfen verschwunden verschusselt weggeklickt verbummelt",
    "mailer": "mailprogramm spamfilter postfach provider", "program": "hat", "so_far": "bisherigen bisherige"
    " vergangenen vorherigen frueheren zurueckliegenden",
    # rules, games, help
    "rules": "regeln spielregeln regelwerk regel spielregel regelheft spielanleitung regelblatt",
    "manual": "anleitung", "counted": "gewertet gezaehlt gepunktet punktet wertung ausgewertet gerechnet gespielt",
    "becomes": "wird werden", "know": "kenne kenn weiss kapiere kapier verstehe versteh begreife blicke blick",
    "find": "finde find findet finden", "to_read": "zum_nachlesen nachzulesen zum_lesen nachlesen",
    "run": "laeuft laufen laufende laufenden gespielt angeboten", "exist": "gibt gaebe existieren gibts",
    "games": "spiele spielen partien spiel partie angebot spielangebot auswahl", "other": "andere anderen",
    "players": "mitspieler spieler leute mitspielerinnen teilnehmer",
    "seek": "sucht suchen braucht brauchen fehlen", "overview": "ueberblick",
    "help": "hilfe hilfetext kurzanleitung spielhilfe", "commands": "befehle kommandos befehl befehlsliste",
    "understand": "verstehe versteh kapiere kapier begreife blicke blick raffe check checke durchblicke peile"
    " klar zurecht klarkomme zurechtkomme durch", "station": "bahnhof", "idea": "ahnung plan schimmer",
    "dont_know": "weiss wuesste", "do": "tun machen schreiben", "helps": "helfen",
    "works": "geht gehts funktioniert laeuft ablaeuft gemeint gehts_hier", "come": "komme komm",
    # mails and data
    "digest": "uebersicht uebersichten wochenuebersicht wochenuebersichten digest digests newsletter wochenmail"
    " wochenmails rundbrief rundbriefe zusammenfassung tageszusammenfassung sammelmail sammelmails wochenzusammenfassung"
    " uebersichtsmail uebersichtsmails tagesmail tagesuebersicht zusammenfassungen wochenbericht",
    "regular": "woechentliche woechentlichen woechentlicher taegliche taeglichen regelmaessige regelmaessigen",
    "off": "ab aus", "in_english": "auf_englisch englisch in_englisch englische englischer",
    "in_german": "auf_deutsch deutsch in_deutsch deutsche",
    "mails": "mails mail mailverkehr nachrichten sprache post",
    "data": "daten datenauszug datensatz", "stored": "gespeichert gespeicherten persoenlichen personenbezogenen"
    " hinterlegt gesammelt erfasst gespeicherte personenbezogene",
    "about_me": "ueber_mich zu_mir von_mir ueber_meine_person zu_meiner_person", "copy": "kopie auszug ausdruck export",
    "stores": "speichert speichern speicherst wisst weisst wissen sammelt", "account": "account konto profil"
    " spielerkonto benutzerkonto nutzerkonto spielerprofil",
    "disclosure": "auskunft selbstauskunft datenauskunft dsgvo gemaess_dsgvo nach_dsgvo gemaess laut artikel art",
    "system": "system datenbank kartei verzeichnis unterlagen adressliste datenbestand systemen adressbuch bestand",
    "deleted": "geloescht vergessen entfernt", "get_deleted": "werden", "address": "adresse mailadresse emailadresse"
    " e_mail_adresse email_adresse mail_adresse mailanschrift anschrift emailanschrift",
    "changed": "aendert_sich hat_sich_geaendert geaendert aendert aendern lautet heisst neu umgezogen gewechselt neue andere",
    "so_kind": "so_nett so_lieb so_gut so_freundlich",
}  # fmt: skip
OWN_VERBS: Final = {
    "playin": "mit+spielen mit+machen teil+nehmen ein+steigen bei+treten dazu+stossen dazu+kommen mit+zocken mit+wirken"
    " mit+mischen",
    "quit": "auf+hoeren aus+steigen aus+scheiden auf+geben ab+springen hin+schmeissen raus+gehen raus+wollen",
    "leave": "verlassen auf+geben kuendigen beenden ab+brechen ab+geben",
    "standin": "ein+springen aus+helfen", "goaway": "verreisen weg+fahren weg+fliegen",
    "watch": "zu+schauen zu+sehen zu+gucken mit+lesen beobachten verfolgen rein+schauen zu+schaun",
    "travel": "fahren fliegen reisen gehen machen nehmen duesen",
    "goon": "weiter+spielen weiter+machen",
}  # fmt: skip
VERBS: Final = {
    "enter": "an+melden ein+tragen auf+nehmen vor+merken auf+schreiben ein+planen mit+nehmen rein+nehmen dazu+nehmen"
    " vor+sehen ein+schreiben notieren mit+zaehlen auf+fuehren",
    "put": "setzen nehmen schreiben packen tragen tun stellen auf+nehmen ein+tragen",
    "signoff": "ab+melden zurueck+ziehen raus+nehmen heraus+nehmen aus+tragen streichen raus+streichen aus+schreiben"
    " raus+ziehen raus+werfen raus+schmeissen heraus+streichen ab+schreiben",
    "goon": "weiter+spielen weiter+machen", "ends": "aus+gehen",
    "unlist": "nehmen streichen raus+nehmen heraus+nehmen aus+tragen loeschen",
    "offer": "an+bieten melden stellen fragen", "stand": "stehen bereit+stehen",
    "takeback": "zurueck+ziehen zurueck+nehmen raus+nehmen heraus+nehmen streichen loeschen stornieren ignorieren"
    " vergessen widerrufen annullieren verwerfen weg+werfen ungueltig+machen",
    "send": "schicken senden mailen geben zeigen zu+schicken zu+senden zu+mailen ueber+mitteln nach+reichen"
    " ueber+senden nach+senden",
    "get": "haben bekommen kriegen erhalten sehen lesen nach+lesen an+schauen an+sehen kriegs",
    "explain": "erklaeren erlaeutern", "give": "geben lassen goennen ein+raeumen schenken spendieren gewaehren",
    "postpone": "verschieben verlaengern hinaus+schieben raus+schieben schieben verlegen aus+dehnen strecken verschoben_",
    "wait": "warten", "deliver": "schicken senden ab+geben machen ein+reichen ziehen ein+schicken ein+senden ab+schicken"
    " nach+reichen liefern nach+liefern geben ein+geben schreiben mailen",
    "offers": "an+bieten haben spielen", "cancel": "ab+bestellen ab+stellen ab+melden kuendigen aus+schalten bestellen"
    " aus+stellen stoppen ein+stellen beenden streichen",
    "write": "schreiben antworten schicken senden um+stellen reden", "delete": "loeschen entfernen vergessen",
    "use": "nutzen nehmen verwenden benutzen aendern notieren um+stellen schicken schreiben senden",
}  # fmt: skip

POLITE = "i you can want have get send me so_kind that whether"
"""Meanings of which most requests are made."""

RULES: Final = [
    *rules(
        "join", "i want will have be is me desire seat beginner as whether get",
        tell="""want playin / i playin / will playin / desire playin / in i be +game / playin +game / desire seat
        / desire +game / want play +game / want try +game / want seat / have seat / want enter me""",
        ask="want in be / want wouldbe in",
    ),
    *rules("join", "i as is", tell="in wouldbe"),
    *rules(
        "join", "i me you want can list will that is whether seat", tell="me enter / enter +game / put me list",
        ask="can enter me / you enter me / how enter me",
    ),
    *rules(
        "join", "i me can how have you is seat free late or bit exist whether someone must do",
        ask="""can playin / how playin / seat free / seat have / seat is / seat exist / can play +game / free +game
        / what must do playin / late playin""",
    ),
    *rules(
        "standby", "i me want can will have be as substitute that you is ready someone drops seek if",
        tell="""i standin / standin want / standin can / ready standin / be ready substitute / stand substitute i
        / offer me substitute / put me substitute / enter me substitute / want substitute / ready me substitute
        / ready be substitute / ready stand substitute / can substitute i / travel substitute i / play substitute i
        / be substitute i / put me standby_list / want standby_list / enter me standby_list / ready standin be""",
        ask="""can standin / can standby_list / you standby_list me / can substitute me / offer me drops someone
        / offer me seek substitute / seek substitute you""",
    ),
    *rules(
        "watch", "i me want can will be get desire as how in without_playing watcher playin send bulletin is whether",
        tell="want watch / i watch / want watcher / be watcher i / will watch / desire watch / watcher enter",
        ask="can watch / how watch / can watcher / you can watcher",
    ),
    *rules("watch", "i me as want you can", tell="enter watcher me", ask="you enter watcher me"),
    *rules(
        "resign", "i want must will have me is be my seat play",
        tell="""i quit / want quit / must quit / will quit / quit +game / pass must / out be i / out want / out must
        / end me is / i leave +game / want leave +game / must leave +game / will leave +game / leave seat i
        / want signoff me / must signoff me / signoff me i / signoff me +game / signoff me""",
    ),
    *rules("resign", "i me you want can as", ask="can signoff me / you signoff me"),
    *rules(
        "resign", "i want will can me have get is manage more playin play be in",
        tell="""want no more playin / can no more playin / will no more playin / i no more playin / no goon want
        / no goon can / no goon will / no goon i / want no more play / can no more play / no more desire +game
        / will no playin / no more manage +game / more no play i / i be no more in / i will no more play""",
    ),
    *rules("resign", "you me on", tell="withoutme goon / withoutme on play / withoutme on travel"),
    *rules(
        "vacation", "i we me my be have will until again note holiday place travel away is there as lie in",
        tell="""away be +days / away i +days / away we +days / away +days / holiday be +days / holiday +days
        / holiday travel +days / goaway +days / lie holiday +days / travel place +long / travel away +days
        / be place +long / place we +long""",
    ),
    *rules(
        "vacation", "i we me my be have will can get until note more holiday away net any again in as me is place",
        tell="""no can move_verb +days / no here be +days / no here i +days / no here +days / no can move_verb i +days / no can reply i +days
        / no get move_verb +days / no net have +days / no time have i +days / without net be +days / without net +days
        / no can move_verb we +days / no can get i net +days / no in be +days / no can move_verb travel +days
        / no come move_verb i +days / no will here +days / no be can reply +days""",
    ),
    *rules(
        "vacation", "i me you as be can again is note want",
        tell="signoff me +days / enter me away +days / enter holiday +days / again here erst +back / again erst reply +back",
    ),
    *rules(
        "extension", "i me you want can have get need move more bit later deadline time until by possible is longer becomes"
        " move_verb deliver that much my send erst will again do whether",
        tell="""need time / need more_time / more time / longer time / need more +span / need longer +span / need +days
        / need +span / more +span / longer +span / give time / give me +days / give me +span / give more +span
        / postpone deadline / more_time / have more_time / need later / more_time +span / more_time want
        / i move deliver +days / erst move deliver i +days / manage erst +days / manage i erst +days / bit longer need
        / erst come deliver +days / i erst can deliver +days / later deliver move i / erst can i move_verb +days""",
        ask="""can more time / can longer time / can more_time / more_time get / more_time exist / more_time is
        / later enough / later possible / can postpone deadline / can time +days / can time +span / can more +span
        / can longer +span / can longer / get more +span / get +span / have more +span / more enough +span
        / longer enough +span / can give +days / can give +span / can give time / can deliver +days / enough +days
        / can later deliver / can later move_verb / give you time / give you +span / wait can +days / wait you +days
        / can move_verb +days / give you more_time / can you postpone +span / can deadline postpone +days / can deadline postponed
        / deadline later can / more_time is possible / more_time +span possible / time until can +days
        / get time +days / can wait / can until time +days / time have +days / can manage +days / postpone you deadline""",
    ),
    *rules(
        "withdraw", "i my me you want can last number said_when that mail again must is",
        tell="takeback move / takeback move my", ask="can takeback move",
    ),
    *rules("withdraw", "my last said_when is i no longer more", tell="my move counts no", ask=""),
    *rules(
        "rules", f"{POLITE} need what where how which find exist to_read manual know all explain",
        tell="""rules / rules send / rules need / rules want / explain rules / explain +game / manual +game
        / send manual +game / help +game / have rules / rules get""",
        ask="""rules can / rules what / rules where / rules how / rules which / rules exist / rules have you
        / rules find where / what is rules / where is rules / which is rules / to_read where +game""",
    ),
    *rules("rules", "i me more have find ", tell="no know rules / no find rules / no have rules / no get rules"),
    *rules(
        "rules", "is becomes you we i play works can someone counted points give exist much",
        ask="""how counted becomes / how works +game / how play +game / how play +title / how works +title
        / how counted +title / how goes counted / which rules play / which rules becomes / how points exist
        / how counted works / what is +title""",
    ),
    *rules(
        "position", f"{POLITE} need standing situation last board",
        tell="standing / send standing / standing want / standing need / send board / standing have / want board get",
        ask="standing can / standing send / board can / standing get",
    ),
    *rules(
        "position", "is i lies be stand_i have we play all how in my round situation",
        ask="""how stands / how is standing / how is situation / what is standing / what is situation / who turn is
        / i turn be +question / lead who / how looks aus board / how looks board / how looks aus +game / how runs +game
        / how stand_i / where stand_i / much points have / much points i / which rank stand_i / which rank be
        / which round is / which round run / which round have / who missing / where be i rank / how standing
        / who lies lead / how have points / lead be i / how looks situation / how looks aus standing""",
    ),
    *rules(
        "position", "is i must my have be until spaetestens in someone move move_verb time round last deliver moved can me"
        " remains",
        ask="""when deadline / when must move_verb / when must deliver / when can deliver / when can move_verb
        / until when move_verb / until when time / until when can / until when must / until when move
        / much time have / much time remains / much time i / when goes on / when round finish / when finish
        / must i move_verb +question / must i deliver what +first / must i do what +first / must i deliver +question / how much time / when moved
        / must i turn +question / which deadline / when must i""",
    ),
    *rules("position", "when is in my", tell="deadline when is"),
    *rules(
        "position", "my is last have you moved all received mail there whether i me be lies number",
        ask="""move arrived is +question / mail arrived is +question / move have received +question
        / mail have received +question / move there is +question / move there lies +question / moved have i +question
        / all arrived is +question / who no moved / move lies +question""",
    ),
    *rules("position", "who have no is moved", ask="who moved have / who moved"),
    *rules(
        "history", f"{POLITE} need last number bulletin mail round all so_far no more find my bit my",
        tell="""bulletin / bulletin send / bulletin need / bulletin want / last round send / bulletin lost have
        / bulletin find no / bulletin lost / all round send / round so_far send / bulletin no received
        / last round need / last round want / bulletin all / round number send / last round lost / mail last round lost""",
        ask="bulletin can / bulletin send / last round can / what was number / what was last round / how was last round",
    ),
    *rules(
        "history", "my mail last round is have i mailer me no number program",
        tell="""bulletin no arrived / bulletin no received / mailer lost bulletin / mail last round no arrived
        / last round no received / mail round no received / mail round no arrived / mailer lost round mail""",
    ),
    *rules(
        "games", "games you free other all exist offers run have list send me is there want need get"
        " seat players seek how starts can ",
        tell="list games / send games free / send games list / send games run / games want list / send games all",
        ask="""which games / what games / games free / games exist free / games other exist / offers what you
        / what run / seek players you / games seek players / where seat / when starts / games exist / what offers
        / games run / exist free seat where / where free / what exist""",
    ),
    *rules(
        "games", "games you free i someone exist play there want desire in which",
        ask="what can play / which games can / where can playin / what can playin / which games can play",
    ),
    *rules(
        "my_games", "i be me my send list games have all in how is want get run play free much ",
        tell="my games / my games list / my games send / lost overview have / where playin i",
        ask="""where playin i / where in i / which games be i / which games playin i / which games in i
        / which games play i / which games have i / games my what is / much games play i / much games playin i
        / where be i in""",
    ),
    *rules("my_games", "i me my send list get can want you", ask="my games can"),
    *rules(
        "help", "i me my how works what do must can have no understand move deliver is come all station dont_know beginner"
        " idea mails",
        tell="""no understand / help / help need / no idea / dont_know no do / how works / understand station
        / what do must / no come understand / help send / how deliver move / dont_know no what / help want
        / dont_know no works / dont_know no deliver / i no understand works / understand no all""",
        ask="""how works / how move deliver / how must do / how must deliver / what must do / what can do
        / what commands / can helps / how can deliver / help can / how do move / what must i""",
    ),
    *rules(
        "help", "i you can me is someone works play we becomes mails which send need commands have get want exist",
        tell="manual / send manual / commands / send commands / need manual",
        ask="""how play / can helps someone / can helps / which commands / what commands / can explain works
        / can explain how / how becomes counted / commands exist / can manual / how play becomes / explain works how""",
    ),
    *rules(
        "digest", "i me want need send get no more regular my in you is have can",
        tell="""no digest / no digest more / cancel digest / digest off / me unlist from_list / me signoff from_list
        / signoff digest me / no more regular mails""",
        ask="can cancel digest / can no digest",
    ),
    *rules(
        "english", "i me want mails send write you can get have my in_english is will move use understand",
        tell="in_english / in_english write / in_english want", ask="in_english can / in_english write",
    ),
    *rules(
        "german", "i me want mails send write you can get have my in_german is will use understand",
        tell="in_german / in_german write / in_german want", ask="in_german can / in_german write",
    ),
    *rules(
        "my_data", f"{POLITE} need my data all stored about_me copy disclosure what which stores i is to_read",
        tell="""data send my / data want my / copy data / disclosure / disclosure need / disclosure want / data my need
        / data my get / data stored get / data send stored / data about_me send / disclosure about_me""",
        ask="""data which stored / what stored about_me / what stores about_me / data which about_me / data my can
        / data stores about_me / data my send / disclosure can / what about_me have you""",
    ),
    *rules(
        "forget", "i me my you want can that data all stored account system delete have address i deliver in"
        " get_deleted out about_me i ",
        tell="""delete me system / delete me / delete my data / delete my account / delete data all / delete data my all
        / deleted want get_deleted / want delete my data / delete my address system / delete data stored my
        / signoff me system / data my deleted want / delete data about_me / unlist me system""",
        ask="delete can my data / delete can me / delete can account my / delete you my data",
    ),
    *rules(
        "address", "my i is have changed use me in you can want send mails mail write again as will",
        tell="address +mail / my address changed +mail / use address +mail / use +mail / address have +mail / write me +mail"
        " / mails me +mail / mails my +mail",
    ),
    # what is no wish and casts no doubt
    *rules("beside", "i want have ", tell="want / want have"),
    *rules(
        "beside", "is me i can you get send possible late or enough goes have want whether so_kind be ",
        ask="enough / possible / can / is possible / late / possible can / can send / can get / works",
    ),
    *rules("beside extension", "i until deadline time move in", tell="manage no / manage deadline no"),
    *rules("beside join", "if is have you ", tell="if possible / if enough / if seat / if free / if seat free"),
    *rules(
        "beside join", "if you have someone players seek drops exist", tell="if someone / if players / if seek",
    ),
    *rules("beside standby", "if you me someone drops need seek i", tell="if someone drops / if drops"),
    *rules("beside watch", "i me without_playing playin", tell="without_playing"),
]  # fmt: skip
"""Which meanings make which wish."""

GERMAN: Final = Vocabulary(
    words={**WORDS, "if": "wenn falls sofern sobald", "any": "irgendein"}, small=SMALL, own_verbs=OWN_VERBS,
    verbs=VERBS, rules=tuple(RULES),
)  # fmt: skip
