import Foundation
import TestSupport
import Testing

/// Settings that libpq finds in the environment and in its files count like those in the URL.
///
/// The server has no encryption and requests the password in the clear. The address 0.0.0.0 leads
/// to this machine but is not a loopback address: here it stands for another machine.
@Suite(.threat("T-53")) struct ServerPasswordTests {
    @Test func `a password from any source is never sent to another machine in the clear`()
        async throws
    {
        try await Self.play([
            Case("variable", "postgres://payments@HOST/base?sslmode=disable", password),
            Case("mode", "postgres://payments@HOST/base", password + [("PGSSLMODE", "prefer")]),
            Case("host", "postgres:///base", password + remote + [("PGSSLMODE", "allow")]),
            Case(
                "address",
                "postgres://payments@127.0.0.1:PORT/base?sslmode=disable",
                password + [("PGHOSTADDR", "0.0.0.0")]
            ),
            Case("file", "postgres://payments@HOST/base?sslmode=disable", [("PGPASSFILE", "pass")]),
            Case("home", "postgres://payments@HOST/base?sslmode=disable", [("HOME", "FOLDER")]),
            Case("service", "postgres:///?service=open", service),
            Case("named service", "postgres:///", service + [("PGSERVICE", "open")]),
            Case("service's file", "postgres:///?service=filed", service),
            Case(
                "service and variable",
                "postgres:///?service=bare&sslmode=disable",
                service + password
            ),
        ]) { one in
            let name = one["name"].text ?? ""
            #expect(one["status"].number == 69, "\(name): \(one["words"].text ?? "")")
            #expect(one["words"].text?.contains("[store.untrusted]") == true, "\(name)")
            #expect(one["connections"].number == 0, "\(name)")
            #expect(one["heard"].text?.contains("hunter2") == false, "\(name)")
            #expect(one["words"].text?.contains("hunter2") == false, "\(name)")
        }
    }

    @Test
    func `a server named by a service or variable must prove its identity, or receives nothing`()
        async throws
    {
        try await Self.play([
            Case("variable", "postgres:///base", password + remote),
            Case("service", "postgres:///?service=bare", service + password),
            Case("named service", "postgres:///", service + password + [("PGSERVICE", "bare")]),
            // A service file that names libpq's default has the effect of the default.
            Case("preferred", "postgres:///?service=preferred", service),
            Case("mode", "postgres:///base", password + remote + [("PGSSLMODE", "verify-full")]),
        ]) { one in
            let name = one["name"].text ?? ""
            #expect(one["status"].number == 69, "\(name): \(one["words"].text ?? "")")
            #expect(one["words"].text?.contains("[store.untrusted]") == true, "\(name)")
            // It received a request for encryption, refused it, and nothing else was sent.
            #expect(one["connections"].number ?? 0 > 0, "\(name)")
            #expect(one["heard"].text?.isEmpty == true, "\(name)")
        }
    }

    @Test func `a password from a variable, file or service is sent to a server on this machine`()
        async throws
    {
        try await Self.play([
            Case("variable", "postgres://payments@127.0.0.1:PORT/base", password),
            Case("file", "postgres://payments@127.0.0.1:PORT/base", [("PGPASSFILE", "pass")]),
            Case("service", "postgres:///?service=here", service),
            Case("named service", "postgres:///", service + [("PGSERVICE", "here")]),
        ]) { one in
            let heard = one["heard"].text ?? ""
            // This shows that the server does request the password, and that libpq does read these
            // files and variables.
            let name = one["name"].text ?? ""
            #expect(heard.contains("hunter2"), "\(name): \(one["words"].text ?? "")")
        }
    }

    private let password = [("PGPASSWORD", "hunter2")]
    private let remote = [("PGHOST", "0.0.0.0"), ("PGPORT", "PORT"), ("PGUSER", "payments")]
    private let service = [("PGSERVICEFILE", "services")]

    /// A store, and the environment variables that lead to it.
    private struct Case: Sendable {
        let name: String
        let url: String
        let variables: [(String, String)]

        init(_ name: String, _ url: String, _ variables: [(String, String)]) {
            (self.name, self.url, self.variables) = (name, url, variables)
        }

        var line: String {
            ([name, url] + variables.flatMap { [$0.0, $0.1] }).joined(separator: "\t")
        }
    }

    /// Opens the stores one after the other, and returns what the server received for each.
    private static func play(
        _ cases: [Case],
        check: @escaping @Sendable (JSON) -> Void
    ) async throws {
        try await World.with { world in
            let path = try world.write(script, to: "greedy.py")
            let lines = cases.map { $0.line + "\n" }.joined()
            let result = try await world.tool.shell("python3 \(path)", input: lines)
            #expect(result.status == 0, "\(result.diagnostics)")
            let found = try result.json.list
            #expect(found.count == cases.count)
            found.forEach(check)
        }
    }

    private static let script = """
        import json, os, socketserver, struct, subprocess, sys, threading
        heard, connections = [], []
        class Greedy(socketserver.BaseRequestHandler):
            def handle(self):
                connections.append(1)
                while True:
                    head = self.request.recv(4)
                    if len(head) < 4:
                        return
                    body = self.request.recv(struct.unpack("!I", head)[0] - 4)
                    if struct.unpack("!I", body[:4])[0] not in (80877103, 80877104):
                        break
                    self.request.sendall(b"N")
                heard.append(body)
                self.request.sendall(b"R" + struct.pack("!II", 8, 3))
                heard.append(self.request.recv(1000))
        server = socketserver.ThreadingTCPServer(("0.0.0.0", 0), Greedy)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = str(server.server_address[1])
        folder = os.getcwd()
        def own(name, text):
            with open(os.open(name, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
                file.write(text)
        own("pass", "*:*:*:payments:hunter2\\n")
        own(".pgpass", "*:*:*:payments:hunter2\\n")
        base = f"port={port}\\nuser=payments\\ndbname=base\\n"
        there = "host=0.0.0.0\\n" + base
        own("services", f"[open]\\n{there}password=hunter2\\nsslmode=disable\\n"
            f"[filed]\\n{there}passfile={folder}/pass\\nsslmode=allow\\n[bare]\\n{there}"
            f"[preferred]\\n{there}password=hunter2\\nsslmode=prefer\\n"
            f"[here]\\nhost=127.0.0.1\\n{base}password=hunter2\\n")
        found = []
        for line in sys.stdin.read().splitlines():
            name, url, *rest = line.split("\\t")
            heard.clear(); connections.clear()
            def real(text):
                return text.replace("HOST", "0.0.0.0:" + port).replace("PORT", port).replace("FOLDER", folder)
            own_variables = {key: real(value) for key, value in zip(rest[::2], rest[1::2])}
            environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **own_variables}
            done = subprocess.run(["workflowctl", "list", "--store", real(url)], env=environment,
                capture_output=True, text=True, timeout=120)
            found.append({"name": name, "status": done.returncode, "words": done.stderr,
                "connections": len(connections),
                "heard": b"".join(heard).decode("utf-8", "replace")})
        print(json.dumps(found))
        """
}
