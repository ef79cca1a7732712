#!/usr/bin/env python3
"""A receiver of webhooks for tests: prints its port, and a line of JSON for each request.

    webhook_receiver.py FILE

FILE has the status of the next responses, or 'hang' for none.
"""
import http.server
import json
import pathlib
import sys
import time


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        status = pathlib.Path(sys.argv[1]).read_text().strip()
        headers = {name.lower(): value for name, value in self.headers.items()}
        print(json.dumps({"id": headers.get("webhook-id"), "status": status, "body": body,
                          "headers": headers}), flush=True)
        if status == "hang":
            time.sleep(60)
            return
        self.send_response(int(status))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
server.daemon_threads = True
print(server.server_port, flush=True)
server.serve_forever()
