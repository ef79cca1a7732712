import Foundation
import TestSupport

/// A subscriber of the store that is killed again and again, and continues from its position.
///
/// It is `workflowctl publish`; what arrives is kept by a receiver that is another program.
struct Follower: Sendable {
    let place: Place
    let seed: Seed
    let receiver: TestProcess
    let url: String

    /// What arrived: the events, in order of arrival.
    struct Receipt: Hashable, Sendable {
        var session: String
        var sequence: Int
        var hash: String
    }

    private static let receipts = "receipts"

    /// The file with the position of the last event sent.
    private var position: String { "\(place.folder)/events.outbox" }

    /// The variables with which a host publishes to the receiver, from the same position.
    var environment: [String: String] {
        ["CAMPAIGN_RECEIVER": url, "CAMPAIGN_POSITION": position]
    }

    /// A receiver in Python: it accepts nearly all batches, and writes what it accepted to a file
    /// before it responds.
    private static let script = """
        import http.server, json, os, random, sys
        chance = random.Random(int(sys.argv[2]))
        out = open(sys.argv[1], "a")
        class Receiver(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *words): pass
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = 503 if chance.random() < 0.1 else 204
                if status == 204:
                    for event in json.loads(body):
                        if "chainhash" not in event: continue
                        out.write(event["id"] + " " + event["chainhash"] + "\\n")
                    out.flush()
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()
        server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    init(at place: Place, seed: Seed) async throws {
        (self.place, self.seed) = (place, seed)
        let path = try place.write(Self.script, to: "receiver.py")
        receiver = try place.start(
            "/usr/bin/env",
            [
                "python3", path, "\(place.folder)/\(Self.receipts)",
                "\(CampaignOptions.seed % 1_000)",
            ]
        )
        for _ in 1...800 where receiver.isRunning && !receiver.outputSoFar.hasSuffix("\n") {
            try await Task.sleep(for: .milliseconds(25))
        }
        guard let port = Int(receiver.outputSoFar.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw CampaignError("the receiver of events did not start") }
        url = "http://127.0.0.1:\(port)/events"
    }

    /// The exit codes of a publisher before anything arrived: the store does not exist yet, or is
    /// being created.
    private static let early: Set<Int32> = [65, 66, 69, 75]

    /// Publishes, and is killed during that, by the clock or at a write of its position.
    func run(until end: ContinuousClock.Instant) async -> CrashRound.Outcome {
        var (seed, outcome, kills, aimed) = (seed, CrashRound.Outcome(), 0, 0)
        do {
            while ContinuousClock.now < end {
                let faults =
                    Bool.random(using: &seed)
                    ? try Faults.kill(
                        at: Int.random(in: 1...6, using: &seed),
                        seed.pick(Faults.Moment.allCases),
                        of: "events.outbox"
                    ) : [:]
                let isEarly = try receipts().isEmpty
                let publisher = try publish([], environment: faults)
                let time = Duration.milliseconds(Int.random(in: 200...2_500, using: &seed))
                let ending = await publisher.ending(killedAfter: time)
                if ending.wasKilled {
                    (kills, aimed) = (kills + 1, aimed + (ending.ranOut ? 0 : 1))
                } else if !isEarly || !Self.early.contains(ending.status) {
                    outcome.troubles.append("publish: \(ending.status) \(ending.words)")
                }
            }
            // Publishers that were never killed, or sent nothing before the end, prove nothing.
            if kills == 0 { outcome.troubles.append("publish: \(kills) kills") }
            if try receipts().isEmpty { outcome.troubles.append("publish: nothing arrived") }
        } catch {
            outcome.troubles.append("\(error)")
        }
        outcome.words = "publisher killed \(kills) times, \(aimed) of them at a write"
        return outcome
    }

    /// Publishes the rest, and returns everything that arrived.
    func finish() async throws -> [Receipt] {
        let rest = await (try publish(["--once", "--wait", "60s"])).ending()
        guard rest.status == 0 else { throw CampaignError("publish: \(rest.words)") }
        receiver.kill()
        return try receipts()
    }

    /// What has arrived so far.
    private func receipts() throws -> [Receipt] {
        let data = FileManager.default.contents(atPath: "\(place.folder)/\(Self.receipts)")
        let text = String(decoding: data ?? Data(), as: UTF8.self)
        // The receiver may be writing a further line.
        let whole = text.prefix(upTo: text.lastIndex(of: "\n") ?? text.startIndex)
        return try whole.split(separator: "\n").map { line in
            let parts = line.split { $0 == "/" || $0 == " " }
            guard parts.count == 3, let sequence = Int(parts[1]) else {
                throw CampaignError("not a receipt: \(line)")
            }
            return Receipt(
                session: String(parts[0]),
                sequence: sequence,
                hash: String(parts[2])
            )
        }
    }

    private func publish(
        _ options: [String],
        environment: [String: String] = [:]
    ) throws -> TestProcess {
        try place.start(
            "workflowctl",
            [
                "--store", "sqlite:\(place.store)", "--allow-insecure-loopback", "publish",
                "--to", url, "--position", position, "--batch", "20",
            ] + options,
            environment: environment
        )
    }
}
