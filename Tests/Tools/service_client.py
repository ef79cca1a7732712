"""Pays through the service with a client that was generated from its OpenAPI document.

    python3 service_client.py FOLDER SERVICE TOKEN ADDRESS PSP

FOLDER has the generated package `payment_client`; ADDRESS is that of an order at the sandbox PSP.
Prints how the payment ended, and its story.
"""
import json
import re
import sys
import urllib.request

sys.path.insert(0, sys.argv[1])

from payment_client import AuthenticatedClient
from payment_client.api.default import (
    attempt, create_payer_token, open_session, report, request_with_key, show_session, story)
from payment_client.models import (
    Attempt, ChosenInstrument, Opening, Problem, Report, ReportOutcome, SessionView,
    SessionViewLaunchApp)


def follow(client, session):
    """Yields the events of a session as they come, until the stream ends."""
    path = f"/v1/sessions/{session}/stream"
    with client.get_httpx_client().stream("GET", path, timeout=60) as response:
        assert response.status_code == 200, response.status_code
        assert response.headers["content-type"].startswith("text/event-stream")
        for line in response.iter_lines():
            if line.startswith("data: {"):
                yield json.loads(line.removeprefix("data: "))


def known(answer, kind):
    """The answer, which must be of a kind: a problem says why it is not."""
    assert isinstance(answer, kind), answer
    return answer


def main(service, token, address, psp):
    shop = AuthenticatedClient(base_url=service, token=token)
    opened = known(open_session.sync(
        client=shop, body=Opening(url=address, reference="order-4711", metadata=None)), SessionView)
    assert opened.reference == "order-4711"
    assert ChosenInstrument.SWISH in [method.instrument for method in opened.methods]
    made = create_payer_token.sync(opened.session, client=shop)
    payer = AuthenticatedClient(base_url=service, token=made.token)

    # From here on as the payer.
    view = known(attempt.sync(
        opened.session, client=payer, body=Attempt(instrument=ChosenInstrument.SWISH),
        idempotency_key="attempt-1"), SessionView)
    action = known(view.actions[0], SessionViewLaunchApp)
    known(report.sync(
        opened.session, action.id, client=payer, body=Report(outcome=ReportOutcome.LAUNCHED),
        prefer="wait=0"), SessionView)
    swish = re.search("token=([^&]+)", action.url).group(1)
    urllib.request.urlopen(f"{psp}/sandbox/swish/{swish}?decision=approve").read()
    outcome = None
    for event in follow(payer, opened.session):
        outcome = event.get("view", {}).get("outcome")
        if outcome:
            break
    print("ended as", outcome)

    ended = known(show_session.sync(opened.session, client=shop), SessionView)
    assert ended.outcome == outcome == "completed", ended
    assert ended.money.standing == "confirmed"
    assert request_with_key.sync(opened.session, "attempt-1", client=payer).code == "request.forbidden"
    told = story.sync(opened.session, client=shop)
    for part in told.story:
        print(part.text)
    refused = known(story.sync(opened.session, client=payer), Problem)
    assert refused.status == 403


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[2:])
