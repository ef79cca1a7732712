import Foundation
import TestSupport

/// The processes of a host: it is killed and restarted, again and again, until it may end.
struct HostRun {
    let place: Place
    var name = "host"
    var jobs = "jobs"
    var position = 0
    var hosts = 1
    var seed: Seed
    /// How often it was killed: at random times, and at a change of the store.
    var kills = (timed: 0, aimed: 0)

    /// Kills and restarts it until a time, and at least once, however slow it is; then it may end.
    ///
    /// - Parameters:
    ///   - end: The time until which it is killed.
    ///   - patience: How long it may then take to complete everything.
    /// - Throws: ``CampaignError`` when it ends in an unexpected way.
    mutating func run(killedUntil end: ContinuousClock.Instant, patience: Duration) async throws {
        while ContinuousClock.now < end || kills == (0, 0) {
            if seed.chance(50) {
                // At a certain change of the store: in the middle of a transaction, a checkpoint,
                // the opening.
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

    /// Runs one process; returns whether it ended because everything was done.
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
