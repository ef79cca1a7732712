#!/usr/bin/env python3
"""Many payers who wait in Swish at the same time, through the service at the sandbox:

    waiting_payers.py PROGRAM [PAYERS]

One after the other approves, and some never do. Prints how long it took from each approval until
the engine recorded the payment as paid. By guarantee that is two poll intervals at most, and a poll
interval grows to 10 s.
"""
import concurrent.futures
import datetime
import json
import random
import sys
import time
import urllib.request

from service_world import PATIENCE, World

PAYERS = 1000
# Over how many seconds the approvals are spread, and the longest that one may take to be recorded.
SPAN, BOUND = 90, 20
# One payer in so many never approves.
UNDECIDED = 20
# Requests at a time.
CLIENTS = 8


def wait_in_swish(world, driver, number):
    """Opens a payment up to the payer's decision: the session, and the address of the Swish app."""
    opened = world.send(driver, "POST", "/v1/sessions", {
        "url": world.order(), "reference": f"waiting-{number}"})
    path = f"/v1/sessions/{opened['session']}"
    view = world.send(driver, "POST", f"{path}/attempts", {"instrument": "swish"})
    action = view["actions"][0]
    world.send(driver, "POST", f"{path}/actions/{action['id']}/report", {"outcome": "launched"},
               {"Prefer": "wait=0"})
    return opened["session"], action["url"]


def completions(world, driver, after, wanted):
    """When each of the sessions was recorded as completed, from the feed of all records."""
    found, end = {}, time.monotonic() + SPAN + 2 * BOUND
    while wanted - found.keys() and time.monotonic() < end:
        request = urllib.request.Request(
            f"{world.service}/v1/events?after={after}&limit=1000",
            headers={"Authorization": f"Bearer {driver}", "Prefer": "wait=2"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            lines = response.read().splitlines()
            after = response.headers["Last-Event-ID"] or after
        # The records say when they came; a reader may send 100 requests a second.
        time.sleep(0.05)
        for line in lines:
            record = json.loads(line)["record"]
            if record["type"] == "completed":
                found[record["stream"]] = datetime.datetime.fromisoformat(record["at"]).timestamp()
    return found


def measure(world, payers=PAYERS):
    """The seconds from each approval to its record, sorted, and how many were never recorded."""
    driver, subscriber = world.token("driver"), world.token("subscriber")
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        waiting = list(pool.map(lambda number: wait_in_swish(world, driver, number), range(payers)))
        after = world.position(subscriber)
        random.Random(payers).shuffle(waiting)
        deciding = waiting[payers // UNDECIDED:]
        following = concurrent.futures.ThreadPoolExecutor(1).submit(
            completions, world, subscriber, after, {session for session, _ in deciding})
        begin, approved = time.monotonic(), {}
        for place, (session, address) in enumerate(deciding):
            time.sleep(max(0, begin + place * SPAN / len(deciding) - time.monotonic()))
            world.decide(address, "approve")
            approved[session] = time.time()
        recorded = following.result()
    seconds = sorted(recorded[session] - at for session, at in approved.items() if session in recorded)
    return seconds, len(deciding) - len(seconds)


def words(seconds, missing, payers):
    """The result in a line."""
    def share(part):
        return f"{seconds[min(len(seconds) - 1, int(part * len(seconds)))]:.1f} s"
    return (f"{payers} payers waited; from paid to recorded: median {share(0.5)}, 99 % {share(0.99)}, "
            f"longest {seconds[-1]:.1f} s; {missing} not recorded")


def main():
    payers = int(sys.argv[2]) if len(sys.argv) > 2 else PAYERS
    with World(sys.argv[1]) as world:
        seconds, missing = measure(world, payers)
    print(words(seconds, missing, payers))
    return 1 if missing or seconds[-1] > BOUND else 0


if __name__ == "__main__":
    sys.exit(main())
