"""The statements of lists, sums and searches, as the store writes them, for both languages."""

from filling import START, YEAR

# The conditions of lists; {middle} and {id} are of the middle of the year, {number} is that of a
# session in the middle.
LISTS = {
    "newest page": "imported = 0",
    "open, by phase": "phase = 'awaitingPSP' AND phase <> 'ended' AND imported = 0",
    "stuck": "due_at <= {end} AND imported = 0 AND phase <> 'ended'",
    "outcome failed": "outcome = 'failed' AND outcome <> 'completed' AND imported = 0",
    "a problem": "problem = 'requestFailed' AND problem IS NOT NULL AND imported = 0",
    "money under way": "money = 'underWay' AND {moving} AND facts_version = 1 AND imported = 0",
    "money confirmed": "money = 'confirmed' AND facts_version = 1 AND imported = 0",
    "turn support": "turn = 'support' AND turn <> 'nobody' AND facts_version = 1 AND imported = 0",
    "turn psp, of none": "turn = 'psp' AND turn <> 'nobody' AND facts_version = 1"
    " AND imported = 0",
    "a rare host": "host = 'api.other.example' AND facts_version = 1 AND imported = 0",
    "a rare instrument": "label = 'click-to-pay' AND imported = 0",
    "a page in the middle": "{opened_at} < {middle} AND id < '{time}' AND imported = 0",
    "failed, with a card": "outcome = 'failed' AND outcome <> 'completed' AND label = 'card'"
    " AND imported = 0",
    "failed, in the middle": "outcome = 'failed' AND outcome <> 'completed'"
    " AND {opened_at} < {middle} AND id < '{time}' AND imported = 0",
    "a reference": "{reference} = 'order-{number}' AND imported = 0",
    "prefix of 11": "{reference} >= 'order-{tens}' AND {reference} < 'order-{tens}{last}'"
    " AND imported = 0",
    "prefix of 1,111": "{reference} >= 'order-{thousands}'"
    " AND {reference} < 'order-{thousands}{last}' AND imported = 0",
    "imported, of none": "imported = 1",
}

SUMS = {
    "counts of open": "SELECT sum(CASE WHEN due_at <= 0 THEN 1 ELSE 0 END), count(*) FROM listed_sessions"
    " WHERE phase <> 'ended' AND facts_version = 1 AND imported = 0",
    "sums, what is listed": "SELECT * FROM listed_sessions WHERE facts_version = 1 AND imported = 0"
    " AND {key} IN (SELECT {key} FROM listed_sessions WHERE {moving}"
    " UNION SELECT {key} FROM listed_sessions WHERE marks <> 0"
    " UNION SELECT {key} FROM listed_sessions WHERE counts_with IS NOT NULL)",
    "sums": "SELECT key, sum(sessions), sum(known), sum(high), sum(low) FROM listed_sums"
    " WHERE name = 'money.1' AND span = 'day' AND number >= 0 AND number < 99999"
    " AND sessions <> 0 AND imported = 0 GROUP BY key",
    "sums, days in order": "SELECT number, since FROM listed_sums WHERE name = 'money.1'"
    " AND span = 'day' AND number >= 0 AND number < 99999 AND key = {group}"
    " AND imported = 0 AND sessions <> 0 ORDER BY since, number",
    "counts of ended": "SELECT key, sum(sessions) FROM listed_sums WHERE name = 'ended.1'"
    " AND span = 'day' AND number >= 0 AND number < 99999 AND sessions <> 0 AND imported = 0"
    " GROUP BY key",
}

# The beginnings of terms with which 'find' asks the index.
TERMS = {
    "find, a reference": "torder-{number}",
    "find, a prefix": "torder-{tens}",
    "find, a suffix": "r{reversed}-re",
    "find, no match": "tnothing-{number}",
}
SQLITE_LOGS = {
    "an id's end": "SELECT * FROM listed_sessions WHERE substr(id, -6) = '{tail}'"
    " AND substr(id, -12) = '{ending}' ORDER BY +id DESC LIMIT 11",
    "a log": "SELECT seq, type, at, record, prev, hash, seals, mac FROM events WHERE session ="
    " (SELECT key FROM sessions WHERE id = '{id}') AND seq >= 1 ORDER BY seq LIMIT 1024",
}
POSTGRESQL_LOGS = {
    "an id's end": "SELECT * FROM listed_sessions WHERE right(id::text, 6) = '{tail}'"
    " AND right(id::text, 12) = '{ending}'"
    " ORDER BY id DESC LIMIT 11",
    "a log": "SELECT seq, type, at, record, prev, hash, seals, mac FROM events"
    " WHERE session = '{id}' AND seq >= 1 ORDER BY seq LIMIT 1024",
}


def statements(number, identity, has_logs, is_sqlite):
    """The statements by their names, about the session with a number and identity."""
    moment = START + YEAR // 2
    time = f"{moment // 1000 + 1:012x}"
    values = {
        "middle": moment, "end": 2 * START, "time": f"{time[:8]}-{time[8:]}-0000-0000-000000000000",
        "number": number, "tens": str(number)[:-1], "thousands": str(number)[:-3],
        "reversed": str(number)[::-1], "last": "\U0010FFFF", "id": identity,
        "ending": identity[-12:], "tail": identity[-6:],
    }
    if is_sqlite:
        # SQLite does not use the index of a column behind a plus.
        values |= {"key": "key", "opened_at": "+opened_at", "reference": "reference",
                   "group": "json_array('api.payex.com', 'SEK')", "moving":
                   "(money = 'intended' OR money = 'underWay' OR money = 'unknown')"}
    else:
        values |= {"key": "id", "opened_at": "opened_at",
                   "group": "json_build_array('api.payex.com', 'SEK')::text",
                   "reference": 'reference COLLATE "C"', "moving":
                   "money IN ('intended', 'underWay', 'unknown')"}
    made = {}
    for name, condition in LISTS.items():
        order = "+id" if is_sqlite and name.startswith("prefix") else "id"
        rows = "sessions" if "due_at" in condition else "listed_sessions"
        made[name] = f"SELECT * FROM {rows} WHERE {condition} ORDER BY {order} DESC LIMIT 51"
    made |= SUMS
    for name, beginning in TERMS.items():
        if has_logs or name != "find, a suffix":
            made[name] = search(beginning, is_sqlite)
    made |= SQLITE_LOGS if is_sqlite else POSTGRESQL_LOGS
    if not has_logs:
        del made["a log"]
    return {name: sql.format(**values) for name, sql in made.items()}


def search(beginning, is_sqlite):
    """The statement for the sessions that have a term with a prefix."""
    if is_sqlite:
        return ("SELECT id FROM sessions WHERE key IN (SELECT session FROM search_terms"
                f" WHERE term >= '{beginning}' AND term < '{beginning}{{last}}'"
                " ORDER BY term, session DESC LIMIT 2000)")
    return ("SELECT DISTINCT session::text FROM (SELECT session FROM search_terms"
            f""" WHERE term >= '{beginning}' COLLATE "C" AND term < '{beginning}{{last}}'"""
            """ COLLATE "C" ORDER BY search_terms.term, search_terms.session DESC LIMIT 2000)"""
            " AS t")
