#!/usr/bin/env python3
"""Pays with Swish through the service, at a sandbox: what a shop in any language does.

    workflowctl sandbox --port 8093 &
    workflowctl serve --dev --allow-insecure-loopback        # prints a token
    Examples/OverHTTP/pay.py http://127.0.0.1:8092 TOKEN http://127.0.0.1:8093

The shop's server opens the session with its own token, and makes one for the payer. The payer's
app or page does the rest with that: it starts the attempt, reports what it did, and follows the
payment. Needs nothing but Python.
"""
import json
import re
import sys
import urllib.request
import uuid


def send(url, token, content=None, key=None, method=None):
    """Sends a request, and returns the JSON of the response."""
    request = urllib.request.Request(url, method=method)
    request.add_header("Authorization", f"Bearer {token}")
    if content is not None:
        request.data = json.dumps(content).encode()
        request.add_header("Content-Type", "application/json")
    if key:
        # The request may be repeated with it until there is a response; it is carried out once.
        request.add_header("Idempotency-Key", key)
    with urllib.request.urlopen(request, timeout=70) as response:
        return json.load(response)


def follow(url, token):
    """Yields the events of a session as they come; a client that was cut off sends the last id."""
    request = urllib.request.Request(url)
    request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=60) as response:
        for line in response:
            if line.startswith(b"data: {"):
                yield json.loads(line[len("data: "):])


def order(psp):
    """Creates an order at the sandbox, as a shop does at the PSP, and returns its session's URL."""
    content = {"paymentorder": {
        "operation": "Purchase", "currency": "SEK", "amount": 10000, "vatAmount": 2000,
        "description": "Lamp", "userAgent": "shop/1", "language": "sv-SE",
        "urls": {"hostUrls": ["https://shop.example/"], "completeUrl": "https://shop.example/complete",
                 "cancelUrl": "https://shop.example/cancel", "paymentUrl": "https://shop.example/pay"},
        "payeeInfo": {"payeeId": "shop", "payeeReference": uuid.uuid4().hex[:20]}}}
    created = send(f"{psp}/psp/paymentorders", "none", content)
    return next(operation["href"] for operation in created["operations"]
                if operation["rel"] == "view-paymentsession")


def main(service, token, psp):
    sessions = f"{service}/v1/sessions"
    opened = send(sessions, token, {"url": order(psp), "reference": "order-4711"})
    session = f"{sessions}/{opened['session']}"
    print("opened", opened["session"], "with", [method["instrument"] for method in opened["methods"]])
    payer = send(f"{session}/payer-tokens", token, {"seconds": 900})["token"]

    # From here on in the payer's app or page.
    view = send(f"{session}/attempts", payer, {"instrument": "swish"}, key=uuid.uuid4().hex)
    action = next(action for action in view["actions"] if action["kind"] == "launchApp")
    send(f"{session}/actions/{action['id']}/report", payer, {"outcome": "launched"})
    swish = re.search("token=([^&]+)", action["url"]).group(1)
    urllib.request.urlopen(f"{psp}/sandbox/swish/{swish}?decision=approve").read()
    for event in follow(f"{session}/stream", payer):
        print(event["seq"], event["type"])
        if event.get("view", {}).get("outcome"):
            print("ended as", event["view"]["outcome"])
            return event["view"]["outcome"] == "completed"
    return False


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(0 if main(*sys.argv[1:]) else 1)
