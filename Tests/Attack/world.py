"""What an attack works with: the program, a sandbox PSP, a store, and servers of its own."""
import http.client
import http.server
import json
import os
import socket
import socketserver
import subprocess
import threading

ATTACKS = []
PATIENCE = 60


class Broken(Exception):
    """A defence did not hold."""


class Attack:
    def __init__(self, name, tried, body):
        self.name, self.tried, self.body = name, tried, body


def attack(name, tried):
    """Registers an attack."""
    def register(body):
        ATTACKS.append(Attack(name, tried, body))
        return body
    return register


def expect(holds, words):
    if not holds:
        raise Broken(words)


class World:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.store = os.path.join(folder, "payments.db")
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": folder,
            "WORKFLOWCTL_STORE": "sqlite:" + self.store,
        }
        self.children, self.servers = [], []
        self.tools = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Tools")

    def run(self, *words, data=None, **environment):
        """Runs the program; (status, output, diagnostics)."""
        done = subprocess.run(
            [self.program, "--allow-insecure-loopback", *words], input=data, text=True,
            capture_output=True, cwd=self.folder, timeout=PATIENCE,
            env={**self.environment, **environment},
        )
        return done.returncode, done.stdout, done.stderr

    def document(self, *words):
        status, output, diagnostics = self.run("--json", *words)
        assert status == 0, diagnostics
        return json.loads(output)

    def sandbox(self):
        """Starts a sandbox PSP; its address."""
        child = subprocess.Popen(
            [self.program, "sandbox", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True,
            cwd=self.folder, env=self.environment,
        )
        self.children.append(child)
        return json.loads(child.stdout.readline())["baseURL"]

    def order(self, base):
        """A new order at the sandbox; the address of its payment session."""
        return self.run("sandbox", "order", "--at", base, "--payer", "payer-1")[1].strip()

    def session(self, base):
        return self.document("open", self.order(base))["session"]

    def tool(self, name, *words, data=None):
        done = subprocess.run(
            ["python3", os.path.join(self.tools, name), *words], input=data, text=True,
            capture_output=True, cwd=self.folder, timeout=PATIENCE * 5,
            env={**self.environment, "TERM": "xterm"},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def serve(self, answer):
        """Starts an HTTP server, and returns its address.

        `answer(method, path, headers, body)` returns (status, headers, body).
        """
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                status, headers, content = answer(
                    self.command, self.path, dict(self.headers), body)
                self.send_response(status)
                for name, value in headers.items():
                    if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                try:
                    self.wfile.write(content)
                except OSError:
                    self.close_connection = True

            do_GET = do_HEAD = do_POST = do_PATCH = do_PUT = handle_any

            def log_message(self, *_):
                pass

        return "http://127.0.0.1:%d" % self.listen(http.server.ThreadingHTTPServer, Handler)

    def listen(self, kind, handler):
        server = kind(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        # A client that goes away early is what many attacks are about.
        server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.servers.append(server)
        return server.server_address[1]

    def trap(self):
        """A server that nobody may call: (address, requests that came)."""
        came = []

        def answer(method, path, headers, body):
            came.append((method, path, headers, body))
            return 200, {}, b"{}"
        return self.serve(answer), came

    def proxy(self, base, change):
        """Stands between the program and the sandbox; `change(text)` changes every answer."""
        host = base.split("//")[1]
        own = []

        def answer(method, path, headers, body):
            connection = http.client.HTTPConnection(host, timeout=PATIENCE)
            sent = {k: v for k, v in headers.items() if k.lower() in ("content-type", "accept")}
            connection.request(method, path, body or None, sent)
            response = connection.getresponse()
            content = response.read().decode().replace(base, own[0])
            kept = {"Content-Type": response.headers.get("Content-Type", "application/json")}
            return response.status, kept, change(content).encode()
        own.append(self.serve(answer))
        return own[0]

    def ledger(self, base):
        connection = http.client.HTTPConnection(base.split("//")[1], timeout=PATIENCE)
        connection.request("GET", "/sandbox/ledger")
        return json.loads(connection.getresponse().read())

    def end(self):
        for child in self.children:
            child.terminate()
            child.wait()
        for server in self.servers:
            server.shutdown()
            server.server_close()


class RawServer(socketserver.ThreadingTCPServer):
    """A server of another protocol than HTTP."""
    allow_reuse_address = True
    daemon_threads = True


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
