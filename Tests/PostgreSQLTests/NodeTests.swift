import Foundation
internal import TestSupport
import Testing

@testable import Sandbox

extension PostgreSQLTests {
    /// Processes that share a database, and their faults: the PSP's ledger shows whether anybody
    /// paid twice.
    @Suite(.serialized, .fewAtATime) struct NodeTests {
        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `each order is paid once when nodes are killed repeatedly`(lanes: Int) async throws {
            let most = Tier.isThorough ? 12 : 3
            try await Nodes.with(payments: Tier.isThorough ? 32 : 8, lanes: lanes) { nodes in
                var seed = Seed()
                var kills = 0
                var hosts = try (0..<2).map { try nodes.start($0) }
                var starts = [1, 1]
                while kills < most, try !nodes.areAllPaid() {
                    let place = Int.random(in: 0..<2, using: &seed)
                    // A node that has not opened the store yet has nothing to lose.
                    try await nodes.waitUntilReady(place, start: starts[place])
                    try await Task.sleep(
                        for: .milliseconds(Int.random(in: 0...300, using: &seed))
                    )
                    if hosts[place].isRunning {
                        hosts[place].kill()
                        kills += 1
                    }
                    _ = await hosts[place].ending()
                    hosts[place] = try nodes.start(place)
                    starts[place] += 1
                }
                #expect(kills > 1)
                try await nodes.expectEnd(of: hosts)
                try await nodes.expectOnePaymentEach()
            }
        }

        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `each order is paid once when nodes are suspended for longer than their leases`(
            lanes: Int
        ) async throws {
            try await Nodes.with(payments: Tier.isThorough ? 16 : 8, lanes: lanes) { nodes in
                let hosts = try (0..<2).map { try nodes.start($0) }
                for place in hosts.indices { try await nodes.waitUntilReady(place) }
                var pauses = 0
                for round in 0..<(Tier.isThorough ? 4 : 2) {
                    try await Task.sleep(for: .milliseconds(200))
                    let host = hosts[round % 2]
                    guard host.isRunning else { continue }
                    pauses += 1
                    host.kill(SIGSTOP)
                    // Three times the lease, after which the other one takes over its sessions.
                    try await Task.sleep(for: .milliseconds(3 * Nodes.leaseMilliseconds))
                    host.kill(SIGCONT)
                }
                #expect(pauses > 0)
                try await nodes.expectEnd(of: hosts)
                try await nodes.expectOnePaymentEach()
            }
        }

        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `each order is paid once when a node is repeatedly cut off from the database`(
            lanes: Int
        ) async throws {
            try await Nodes.with(payments: Tier.isThorough ? 16 : 6, lanes: lanes) { nodes in
                let proxy = try Proxy(to: nodes.program.place.database.cluster.port)
                defer { proxy.stop() }
                let hosts = [
                    try nodes.start(0),
                    try nodes.start(1, through: proxy.port),
                ]
                // A node that is cut off while it opens the store ends, and this is about one that
                // runs.
                try await nodes.waitUntilReady(1)
                for round in 0..<(Tier.isThorough ? 3 : 1) {
                    // The first time at once, in the middle of its payments.
                    try await Task.sleep(for: .milliseconds(round == 0 ? 200 : 600))
                    proxy.cut(true)
                    try await Task.sleep(for: .milliseconds(3 * Nodes.leaseMilliseconds))
                    proxy.cut(false)
                }
                try await nodes.expectEnd(of: hosts)
                try await nodes.expectOnePaymentEach()
            }
        }

        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `another node completes the sessions of a node that died`(lanes: Int) async throws {
            try await Nodes.with(payments: Tier.isThorough ? 8 : 4, lanes: lanes) { nodes in
                // Alone, in the middle of its payments, and permanently.
                let first = try nodes.start(0, of: 1)
                var held = "0"
                for _ in 0..<400 where held == "0" {
                    try await Task.sleep(for: .milliseconds(10))
                    held = try nodes.program.place.database.sql("SELECT count(*) FROM leases")
                }
                #expect(held != "0")
                await first.end()
                let second = try nodes.start(1, of: 1)
                try await nodes.expectEnd(of: [second])
                try await nodes.expectOnePaymentEach()
            }
        }
    }
}

/// Engines as processes of their own that share a database and the same payments.
struct Nodes: Sendable {
    let program: Program
    let payments: Int

    /// The duration of a lease.
    static let leaseMilliseconds = 500

    /// The kinds of payments, one after the other.
    static let allKinds = ["swishThere", "swishHere", "card", "cardByItself"]

    static func with(
        payments: Int,
        kinds: [String] = allKinds,
        swishTakes approvalDelay: Duration? = .zero,
        on database: Database? = nil,
        lanes: Int? = nil,
        initializedBy build: String? = nil,
        _ body: @escaping @Sendable (Nodes) async throws -> Void
    ) async throws {
        try await Program.with(on: database, lanes: lanes, swishTakes: approvalDelay) { program in
            let nodes = Nodes(program: program, payments: payments)
            #expect(try await program.run(["store", "init"], from: build).status == 0)
            try await nodes.writeJobs(kinds)
            try await body(nodes)
        }
    }

    private func writeJobs(_ kinds: [String]) async throws {
        var lines = ""
        for number in 0..<payments {
            let created = try await program.sandbox.createOrder(
                SandboxOrder(payerReference: "payer-1")
            )
            let job: [String: Any] = [
                "number": number, "kind": kinds[number % kinds.count],
                "reference": "order-\(number)", "provider": program.sandbox.baseURL,
                "url": created.sessionURL,
                "order": created.id,
            ]
            lines += String(
                decoding: try JSONSerialization.data(withJSONObject: job),
                as: UTF8.self
            )
            lines += "\n"
        }
        try lines.write(toFile: program.folder + "/jobs", atomically: false, encoding: .utf8)
    }

    /// Starts a node, which drives all payments and opens its share of them; the programs of
    /// another build are in a folder.
    func start(
        _ place: Int,
        of hosts: Int = 2,
        through port: UInt16? = nil,
        from build: String? = nil,
        more: [String: String] = [:]
    ) throws -> TestProcess {
        try TestProcess(
            build.map { $0 + "/CampaignHost" } ?? "CampaignHost",
            [
                program.place.database.tcpURL(port: port)
                    + "?application_name=\(Self.name(of: place))",
                program.folder + "/jobs",
                program.folder + "/acknowledged-\(place)", "\(hosts == 1 ? 0 : place)", "\(hosts)",
            ],
            in: program.folder,
            environment: [
                "CAMPAIGN_KEY_FILE": program.folder + "/master.key",
                "CAMPAIGN_LEASE": "\(Self.leaseMilliseconds)", "HOME": program.folder,
            ].merging(more) { $1 }
        )
    }

    /// Waits until a node has opened the store, after having been started a number of times.
    func waitUntilReady(_ place: Int, start: Int = 1) async throws {
        let path = program.folder + "/acknowledged-\(place)"
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let lines = try? String(contentsOfFile: path, encoding: .utf8)
            if lines?.ranges(of: #""note":"ready""#).count ?? 0 >= start { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("node \(place) has not opened the store within a minute")
    }

    /// Whether the session of each order has ended.
    func areAllPaid() throws -> Bool {
        try program.place.database.sql(
            "SELECT count(*) FROM sessions WHERE outcome IS NOT NULL"
        ) == "\(payments)"
    }

    /// Returns the name of a node's connections in the server's list.
    static func name(of place: Int) -> String { "campaign-\(place)" }

    /// Waits until all nodes have completed all payments.
    func expectEnd(of hosts: [TestProcess]) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while hosts.contains(where: \.isRunning), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(50))
        }
        let unsettled = hosts.contains(where: \.isRunning) ? try unsettled() : ""
        for host in hosts {
            if host.isRunning {
                Issue.record("a node did not end: some session does not settle: \(unsettled)")
                host.kill()
            }
            #expect(await host.ending().status == 0)
        }
    }

    /// Returns what is known of the unsettled sessions: who holds them, and what was recorded last.
    private func unsettled() throws -> String {
        try program.place.database.sql(
            """
            SELECT s.id, s.phase, s.settled, s.reference, s.problem, s.due_at, l.node, n.until,
                (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now,
                (SELECT string_agg(type, ' ' ORDER BY seq) FROM events e WHERE e.session = s.id)
            FROM sessions s LEFT JOIN leases l ON l.session = s.id LEFT JOIN nodes n ON n.id = l.node
            WHERE s.outcome IS NULL
            """
        )
    }

    /// Compares the store with the PSP's ledger.
    func expectOnePaymentEach() async throws {
        let ledger = await program.sandbox.ledger
        #expect(ledger.orders.count == payments)
        for order in ledger.orders {
            #expect(order.doubles.isEmpty, "\(order.order): \(order.doubles)")
            #expect(order.status == "Paid", "\(order.order) is \(order.status)")
            #expect(order.attempts.filter { $0.state == .paid }.count == 1)
        }
        let verified = try await program.run("--json", "verify")
        #expect(verified.status == 0, "\(verified.output)\(verified.diagnostics)")
        #expect(try verified.member("sessions") == "\(payments)")
        let paid = try program.place.database.sql(
            "SELECT count(*) FROM sessions WHERE outcome = 'completed'"
        )
        #expect(paid == "\(payments)")
    }
}

/// Random numbers from a seed that is printed, so that the same kills can be repeated.
struct Seed: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64 = .random(in: 0...(.max))) {
        print("seed \(seed)")
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
