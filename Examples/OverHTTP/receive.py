#!/usr/bin/env python3
"""Receives webhooks of the service, and verifies them: what a shop in any language does.

    pip install standardwebhooks
    Examples/OverHTTP/receive.py 8095 webhook.secret        # a line with whsec_…

and in the service's configuration, with the same file, for `serve --allow-insecure-loopback`:

    {"webhooks": [
        {"name": "shop", "url": "http://127.0.0.1:8095/", "secretFile": "webhook.secret"}]}

It prints each new message. A message may come more than once, always with the same id, so a
receiver remembers the ids that it has handled, in the same transaction as what it did.
"""
import http.server
import json
import pathlib
import sys

from standardwebhooks import Webhook, WebhookVerificationError


class Receiver(http.server.BaseHTTPRequestHandler):
    secret = ""
    handled = set()

    def do_POST(self):
        # A receiver on the internet limits the size, and lets its web server do so.
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 65536))
        try:
            # Verifies the signature, and that the message is not older than five minutes.
            message = Webhook(self.secret).verify(body, dict(self.headers))
        except WebhookVerificationError:
            print("refused a message with a wrong signature", flush=True)
            return self.respond(401)
        if self.headers["webhook-id"] not in self.handled:
            self.handled.add(self.headers["webhook-id"])
            print(self.headers["webhook-id"], json.dumps(message), flush=True)
        # Any 2xx says that the message arrived; do what takes long afterwards.
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def main(port, file):
    Receiver.secret = pathlib.Path(file).read_text().split()[0]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(int(sys.argv[1]), sys.argv[2])
