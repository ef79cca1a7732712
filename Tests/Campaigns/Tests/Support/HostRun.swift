import Foundation

/// The runs of a host, which is killed and restarted repeatedly until it may complete its jobs.
struct HostRun {
    let place: Place
    var name = "host"
    var jobs = "jobs"
    var position = 0
    var hosts = 1
    var seed: Seed
    /// The number of kills: by a timer, and at a change of the store.
    var kills = (timed: 0, aimed: 0)

    /// Kills and restarts the host until a point in time; then lets it complete its jobs.
    ///
    /// - Parameters:
    ///   - end: The time until which the host is killed.
    ///   - patience: How long the host may take to complete its jobs after that.
    /// - Throws: ``CampaignError`` when it ends in an unexpected way.
    mutating func run(killedUntil end: ContinuousClock.Instant, patience: Duration) async throws {
        while ContinuousClock.now < end {
            if seed.chance(50) {
                // The kill happens at a certain change of the store: in a transaction, in a
                // checkpoint, or while opening it.
                let number = Int.random(in: 1...300, using: &seed)
                let moment = seed.pick(Faults.Moment.allCases)
                let faults = try Faults.kill(at: number, moment, of: "payments.db")
                let left = max(.milliseconds(100), end - .now)
                if try await live(faults, for: left) { return }
            } else {
                let limit = Duration.milliseconds(Int.random(in: 50...1200, using: &seed))
                if try await live([:], for: limit) { return }
            }
        }
        guard try await live([:], for: patience) else {
            throw CampaignError("\(name) did not end: some session does not settle")
        }
    }

    /// Runs the host once.
    ///
    /// - Returns: Whether it ended because all jobs were completed.
    private mutating func live(
        _ environment: [String: String],
        for limit: Duration
    ) async throws -> Bool {
        let host = try place.host(
            name,
            jobs: jobs,
            place: position,
            of: hosts,
            environment: environment
        )
        let ending = await host.ending(killedAfter: limit)
        guard ending.status == 0 || ending.wasKilled else {
            place.keep()
            throw CampaignError("\(name) ended with \(ending.status): \(ending.words)")
        }
        if ending.ranOut {
            kills.timed += 1
        } else if ending.wasKilled {
            kills.aimed += 1
        }
        return ending.status == 0
    }
}
