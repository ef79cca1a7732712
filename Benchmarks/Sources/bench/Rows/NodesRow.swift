internal import Adapters
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// Complete payments with Swish on several nodes that share a server.
enum NodesRow {
    static let name = "nodes"
    /// The number of concurrent payments of all nodes.
    static let inFlight = 64

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(5, quick: 2)
        let times = options.count(512, quick: 128)
        let sandbox = try SandboxProcess()
        defer { sandbox.stop() }
        let cluster = try PostgreSQLCluster(in: directory)
        defer { cluster.stop() }
        let (url, keys) = (try cluster.makeDatabase(), directory + "/payments.key")
        let loop = try UVLoop(name: "bench")
        await (try PostgreSQLEventStore(url: url, loop: loop)).close()
        loop.shutdown()
        _ = try KeyFileVault(path: keys)
        var rates: [Int: [Double]] = [:]
        for round in 0...rounds {
            for count in round.isMultiple(of: 2) ? [1, 2, 4] : [4, 2, 1] {
                let rate = try pay(times, by: count, url, keys, sandbox.baseURL)
                // The first round is for warming up.
                if round > 0 { rates[count, default: []].append(rate) }
            }
        }
        var row = Row(
            name: name,
            what:
                "whole sessions (Swish on this device, everything on) a second on PostgreSQL, 64 in flight",
            baseline: "one node"
        )
        for count in [1, 2, 4] {
            row.add(
                count == 1 ? "1 node" : "\(count) nodes",
                rates[count]?.median ?? .nan,
                "sessions/s"
            )
        }
        for count in [2, 4] {
            let ratios = zip(rates[count] ?? [], rates[1] ?? []).map { $0 / $1 }
            row.add("\(count) nodes, of one", ratios.median * 100, "%")
        }
        row.notes.append(
            """
            each node is a process; the database and the sandbox share the machine's processors with them, so that what \
            more nodes can add is bounded by the processors that are left over
            """
        )
        return row
    }

    /// Lets nodes share payments; returns payments per second.
    private static func pay(
        _ times: Int,
        by count: Int,
        _ url: String,
        _ keys: String,
        _ sandbox: String
    ) throws -> Double {
        let nodes = try (0..<count).map { _ in
            try ChildProcess.helper(
                ["node", url, keys, sandbox, "\(times / count)", "\(inFlight / count)"]
            )
        }
        defer { for node in nodes { node.stop() } }
        try expect("ready", of: nodes)
        let start = Machine.seconds()
        for node in nodes { try node.send("go") }
        try expect("done", of: nodes)
        return Double(times / count * count) / (Machine.seconds() - start)
    }

    private static func expect(_ word: String, of nodes: [ChildProcess]) throws {
        for node in nodes where try node.line() != word {
            throw ChildProcess.Failure(description: "a node is not \(word)")
        }
    }

    // MARK: Helper process

    /// Creates orders, reports that, and pays them on request.
    static func child(
        store url: String,
        keys: String,
        sandbox: String,
        times: Int,
        inFlight: Int
    ) async throws {
        let host = try await ServerHost(
            url,
            keys: keys,
            configure: { $0.sessionLimits.pollInterval = .milliseconds(1) }
        )
        Task { [engine = host.engine] in await engine.run() }
        let urls = try await SandboxProcess.orders(
            times,
            at: sandbox,
            over: host.http,
            on: host.loop
        )
        print("ready")
        guard readLine() == "go" else { return }
        let payer = SwishPayer(engine: host.engine)
        try await sharing(times, among: inFlight, on: host.loop) { number in
            _ = try await payer.pay(urls[number])
        }
        print("done")
        _ = readLine()
        await host.shutdown()
    }
}
