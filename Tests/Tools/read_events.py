"""Reads a batch of CloudEvents with the SDK of the CloudEvents project, as a receiver would.

    CLOUDEVENTS_PYTHON read_events.py FILE

Prints one line per event: its identity, type and time as the SDK has them. Exits with 1 when the
SDK refuses an event or changes it.
"""

import json
import sys

from cloudevents.core.formats.json import JSONFormat

with open(sys.argv[1], encoding="utf-8") as file:
    batch = json.load(file)
form = JSONFormat()
for document in batch:
    event = form.read(None, json.dumps(document))
    again = json.loads(form.write(event))
    # The SDK writes times in its own way, of the same instant.
    other = form.read(None, json.dumps(again))
    if other.get_time() != event.get_time():
        sys.exit(f"{event.get_id()}: another time comes out")
    again["time"] = document["time"]
    if again != document:
        sys.exit(f"{event.get_id()}: another event comes out")
    if event.get_extension("chainhash") != document["chainhash"]:
        sys.exit(f"{event.get_id()}: the place in the chain is lost")
    print(event.get_id(), event.get_type(), event.get_time().isoformat(timespec="microseconds"))
