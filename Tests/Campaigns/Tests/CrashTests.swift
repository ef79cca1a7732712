import Foundation
import TestSupport
import Testing

/// Paying processes are killed, again and again; then acknowledgements, logs and the PSP's ledger
/// are compared.
@Suite(.guarantee(.nothingLost), .tags(.repeatedThoroughly)) struct CrashTests {
    /// The maximum duration of one round; a long campaign has many, each with a store and a PSP of
    /// its own.
    static let longestRound = 90

    @Test func `payments of all kinds survive hosts and commands that are killed again and again`()
        async throws
    {
        let rounds = max(1, CampaignOptions.seconds / Self.longestRound)
        var seed = Seed(CampaignOptions.seed)
        print("crash campaign: seed \(CampaignOptions.seed), \(CampaignOptions.seconds) s")
        for round in 1...rounds {
            try await Place.with("crash") { place in
                var campaign = CrashRound(place: place, seed: seed.fork())
                try await campaign.run(for: .seconds(CampaignOptions.seconds / rounds))
                print("round \(round): \(campaign.report)")
            }
        }
    }
}

/// Payers pay through a service that is killed, again and again, as are their own commands.
@Suite(.guarantee(.nothingLost), .tags(.thorough)) struct ServiceCrashTests {
    /// What a service is asked for without the PSP's token.
    private static let kinds = Plan.kinds.filter { $0 != "checkout" }

    @Test(.guarantee(.noDoublePay))
    func `payments through a service that is killed again and again happen once`() async throws {
        let seconds = CampaignOptions.seconds
        var seed = Seed(CampaignOptions.seed)
        try await Place.with("service") { place in
            var service = try await ServiceRun(at: place, seed: seed.fork())
            let end = ContinuousClock.now + .seconds(seconds) * 0.55
            var (all, shoppers): ([Plan.Payment], [(Shopper, [Plan.Payment])]) = ([], [])
            for number in 0..<2 {
                let some = try await Plan.payments(
                    max(3, seconds / 6),
                    named: "s\(number)",
                    kinds: Self.kinds.shuffled(using: &seed),
                    others: true,
                    at: place,
                    using: &seed
                )
                all += some
                var shopper = Shopper(place: place, seed: seed.fork(), end: end)
                shopper.server = service.url
                shoppers.append((shopper, some))
            }
            let outcomes = try await withThrowingTaskGroup(of: CrashRound.Outcome.self) { group in
                for (shopper, payments) in shoppers {
                    group.addTask { await CrashRound.outcome(of: shopper, payments) }
                }
                let last = try await service.run(killedUntil: end)
                let outcomes = try await group.reduce(into: []) { $0.append($1) }
                last.kill(SIGTERM)
                let ended = await last.ending()
                #expect(ended.status == 130, "\(ended.words)")
                return outcomes
            }
            let troubles = outcomes.flatMap(\.troubles)
            if !troubles.isEmpty { place.keep() }
            #expect(troubles == [], "seed \(CampaignOptions.seed)")
            let oracle = try await Oracle(
                of: place,
                payments: all,
                hosts: [],
                told: outcomes.flatMap(\.told)
            )
            try await place.expectAgreement(oracle, seed: CampaignOptions.seed)
            #expect(service.kills.timed > 0)
            #expect(outcomes.contains { !$0.told.isEmpty })
            print(
                "service: \(all.count) payments, \(oracle.told.count) compared with the ledger, "
                    + "killed \(service.kills.timed) times by the clock "
                    + "and \(service.kills.aimed) times at a write, "
                    + outcomes.map(\.words).joined(separator: ", ")
            )
        }
    }
}

/// One round: two hosts that share their jobs, and two shoppers who pay by commands, on one store.
struct CrashRound {
    let place: Place
    var seed: Seed
    var report = ""

    /// The number of payments per second of a round: of the hosts, and of each shopper.
    private static let rates = (hosts: 5.0, commands: 0.15)

    mutating func run(for length: Duration) async throws {
        let begin = ContinuousClock.now
        let end = begin + length * 0.55
        let seconds = Double(length.components.seconds)
        let count = max(Plan.kinds.count, Int(seconds * Self.rates.hosts))
        let payments = try await Plan.payments(
            count,
            named: "h",
            others: true,
            at: place,
            using: &seed
        )
        try Plan.write(payments, to: "jobs", of: place)
        var hosts: [HostRun] = []
        for position in 0..<2 {
            hosts.append(
                HostRun(
                    place: place,
                    name: "host-\(position)",
                    position: position,
                    hosts: 2,
                    seed: seed.fork()
                )
            )
        }
        var all = payments
        var shoppers: [(Shopper, [Plan.Payment])] = []
        for number in 0..<2 {
            let share = max(2, Int(seconds * Self.rates.commands))
            let kinds = Plan.kinds.shuffled(using: &seed)
            let some = try await Plan.payments(
                share,
                named: "c\(number)",
                kinds: kinds,
                at: place,
                using: &seed
            )
            all += some
            shoppers.append((Shopper(place: place, seed: seed.fork(), end: end), some))
        }
        let exports = Exports(place: place, seed: seed.fork())
        let follower = try await Follower(at: place, seed: seed.fork())
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for host in hosts {
                group.addTask { await Self.outcome(of: host, until: end) }
            }
            for (shopper, payments) in shoppers {
                group.addTask { await Self.outcome(of: shopper, payments) }
            }
            group.addTask { await exports.run(until: end) }
            group.addTask { await follower.run(until: end) }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let troubles = outcomes.flatMap(\.troubles)
        if !troubles.isEmpty { place.keep() }
        #expect(troubles == [], "seed \(CampaignOptions.seed)")
        var oracle = try await Oracle(
            of: place,
            payments: all,
            hosts: hosts.map(\.name),
            told: outcomes.flatMap(\.told)
        )
        oracle.received = try await follower.finish()
        try await place.expectAgreement(oracle, seed: CampaignOptions.seed)
        // A round in which nothing was killed or acknowledged proves nothing.
        #expect(outcomes.reduce(0) { $0 + $1.hostKills } > 0)
        for host in hosts {
            #expect(oracle.acknowledged.contains { $0.source == host.name }, "\(host.name)")
        }
        #expect(outcomes.contains { !$0.told.isEmpty })
        report =
            "\(all.count) payments (\(all.count { $0.others != nil }) with others), "
            + "\(oracle.told.count) compared with the ledger, "
            + "\(oracle.acknowledged.count) acknowledgements, "
            + "\(oracle.received?.count ?? 0) events received, "
            + outcomes.map(\.words).filter { !$0.isEmpty }.joined(separator: ", ")
            + ", \((ContinuousClock.now - begin).components.seconds) s"
    }

    /// The outcome of one participant.
    struct Outcome: Sendable {
        var troubles: [String] = []
        var told: [Oracle.Acknowledgement] = []
        /// The number of times that a host was killed.
        var hostKills = 0
        var words = ""
    }

    private static func outcome(
        of host: HostRun,
        until end: ContinuousClock.Instant
    ) async -> Outcome {
        var host = host
        var outcome = Outcome()
        do {
            try await host.run(killedUntil: end, patience: .seconds(150))
        } catch {
            outcome.troubles.append("\(error)")
        }
        outcome.hostKills = host.kills.timed + host.kills.aimed
        outcome.words =
            "\(host.name) killed \(host.kills.timed) times by the clock "
            + "and \(host.kills.aimed) times at a write"
        return outcome
    }

    static func outcome(of shopper: Shopper, _ payments: [Plan.Payment]) async -> Outcome {
        var shopper = shopper
        var outcome = Outcome()
        do {
            for payment in payments { try await shopper.pay(payment) }
        } catch {
            outcome.troubles.append("\(error)")
        }
        outcome.troubles += shopper.surprises
        outcome.told = shopper.told
        outcome.words = "\(shopper.counts.kills) of \(shopper.counts.commands) commands killed"
        return outcome
    }
}

/// Exports the store repeatedly, and is killed during that: the file is always complete.
struct Exports: Sendable {
    let place: Place
    let seed: Seed

    /// The exit codes of an export before there is one: the store does not exist yet, or is being
    /// created.
    private static let early: Set<Int32> = [65, 66, 69, 75]

    func run(until end: ContinuousClock.Instant) async -> CrashRound.Outcome {
        var (seed, outcome, count, kills) = (seed, CrashRound.Outcome(), 0, 0)
        var hadRecords = false
        let path = place.folder + "/backup.ndjson"
        do {
            while ContinuousClock.now < end {
                let faults = try Faults.kill(
                    at: Int.random(in: 1...8, using: &seed),
                    seed.pick(Faults.Moment.allCases),
                    of: "backup.ndjson"
                )
                let export = try await place.tool(["export", "-o", path], environment: faults)
                (count, kills) = (count + 1, kills + (export.wasKilled ? 1 : 0))
                // At first there is no store, or an empty one; once a store has sessions, a file
                // always has some.
                let hasRecords = !(FileManager.default.contents(atPath: path) ?? Data()).isEmpty
                if hadRecords, !hasRecords { outcome.troubles.append("export: the file is empty") }
                if !export.wasKilled, export.status != 0,
                    hasRecords || !Self.early.contains(export.status)
                {
                    outcome.troubles.append("export: \(export.status) \(export.words)")
                }
                hadRecords = hasRecords
                if hasRecords {
                    let verified = try await place.tool(["verify", path])
                    if verified.status != 0 { outcome.troubles.append("verify: \(verified.words)") }
                }
                try await Task.sleep(for: .seconds(1))
            }
        } catch {
            outcome.troubles.append("\(error)")
        }
        outcome.words = "\(kills) of \(count) exports killed"
        return outcome
    }
}
