import Foundation
import TestSupport

/// The processes of a service: it is killed and restarted at the same address, again and again.
struct ServiceRun {
    /// The file with the token of those who drive payments through it.
    static let tokenFile = "caller"

    let place: Place
    var seed: Seed
    /// Its address for clients.
    let url: String
    /// How often it was killed: at random times, and at a change of the store.
    var kills = (timed: 0, aimed: 0)

    /// Finds a free port, and makes the store and the callers' token.
    init(at place: Place, seed: Seed) async throws {
        (self.place, self.seed) = (place, seed)
        let made = try await place.tool(["store", "init"])
        let token = try await place.tool(
            ["serve", "token", "create", "--role", "driver", "--name", "shop", "--json"]
        )
        let first = try Self.start("127.0.0.1:0", at: place)
        let line = await first.line()
        let told = try? JSONSerialization.jsonObject(with: Data((line ?? "").utf8))
        await first.end()
        guard made.status == 0, let text = (token.json as? [String: Any])?["token"] as? String,
            let url = (told as? [String: Any])?["url"] as? String
        else {
            throw CampaignError("the service did not start: \(await first.ending().words)")
        }
        let path = try place.write(text + "\n", to: Self.tokenFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        self.url = url
    }

    private static func start(
        _ address: String,
        at place: Place,
        environment: [String: String] = [:]
    ) throws -> TestProcess {
        try place.start(
            "workflowctl",
            ["--store", "sqlite:\(place.store)", "--allow-insecure-loopback", "--json"]
                + ["serve", "--listen", address],
            environment: environment
        )
    }

    /// Kills and restarts it until a time; the last one goes on.
    ///
    /// - Throws: ``CampaignError`` when it ends by itself.
    mutating func run(killedUntil end: ContinuousClock.Instant) async throws -> TestProcess {
        let address = String(url.trimmingPrefix("http://"))
        while ContinuousClock.now < end {
            var environment: [String: String] = [:]
            if seed.chance(50) {
                environment = try Faults.kill(
                    at: Int.random(in: 1...300, using: &seed),
                    seed.pick(Faults.Moment.allCases),
                    of: "payments.db"
                )
            }
            let limit = Duration.milliseconds(Int.random(in: 200...4000, using: &seed))
            let ending = try await Self.start(address, at: place, environment: environment)
                .ending(killedAfter: limit)
            guard ending.wasKilled else {
                place.keep()
                throw CampaignError("the service ended with \(ending.status): \(ending.words)")
            }
            if ending.ranOut { kills.timed += 1 } else { kills.aimed += 1 }
        }
        return try Self.start(address, at: place)
    }
}
