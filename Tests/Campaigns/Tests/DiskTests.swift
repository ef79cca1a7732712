import Foundation
import TestSupport
import Testing

/// Tests a running host whose disk is full, read-only or broken.
///
/// Nothing acknowledged is lost, and the host continues afterwards.
@Suite(.guarantee(.nothingLost), .tags(.repeatedThoroughly)) struct DiskTests {
    /// How long a host may take to complete its jobs once the fault is gone.
    private static let patience = Duration.seconds(180)

    /// Lets a host pay while something happens to its store, and compares the results at the end.
    private func pay(
        _ place: Place,
        environment: [String: String] = [:],
        _ happening: (TestProcess) async throws -> Void
    ) async throws {
        var seed = Seed(3)
        let payments = try await Plan.payments(
            (Tier.isThorough ? 4 : 2) * Plan.kinds.count,
            named: "d",
            at: place,
            using: &seed
        )
        try Plan.write(payments, to: "jobs", of: place)
        let host = try place.host(environment: environment)
        do {
            try await happening(host)
        } catch {
            host.kill()
            throw error
        }
        let ending = await host.ending(killedAfter: Self.patience)
        if ending.status != 0 { place.keep() }
        #expect(ending.status == 0, "\(ending.words)")
        let oracle = try await Oracle(of: place, payments: payments)
        try await place.expectAgreement(oracle, seed: 3)
    }

    /// Waits until the host has received a number of failures.
    private func failures(
        _ codes: Set<String>,
        of place: Place,
        atLeast count: Int = 3
    ) async throws {
        for _ in 1...600 {
            let said = FileManager.default.contents(atPath: place.folder + "/host.acknowledged")
            let lines = String(decoding: said ?? Data(), as: UTF8.self).split(separator: "\n")
            let found = lines.count { line in codes.contains { line.contains("\"\($0)\"") } }
            if found >= count { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw CampaignError("no failure \(codes) came")
    }

    @Test
    func `a disk that fills up under a host loses nothing, and payments go on once it has space`()
        async throws
    {
        guard let disk = try await SmallDisk(megabytes: 64) else {
            return try await fileSizeLimit()
        }
        print("full disk: a tmpfs of 64 MB")
        let result: Result<Void, any Error>
        do {
            result = .success(try await fill(disk))
        } catch {
            result = .failure(error)
        }
        try await disk.unmount()
        try result.get()
    }

    private func fill(_ disk: SmallDisk) async throws {
        try await Place.with("full", storeIn: disk.folder) { place in
            let (_, session) = try await ready(place)
            try await pay(place) { _ in
                try await place.acknowledgements(60)
                disk.fill()
                try await failures(["store.full"], of: place)
                let refused = try await place.tool(["abort", session])
                #expect(refused.status == 69, "\(refused.words)")
                #expect(refused.words.contains("[store.full]"), "\(refused.words)")
                #expect(refused.words.contains("hint: free some space"), "\(refused.words)")
                #expect(try await place.tool(["list"]).status == 0)
                disk.makeRoom()
            }
            #expect(try await place.tool(["abort", session]).status == 0)
        }
    }

    /// The same test for systems on which no file system may be mounted.
    private func fileSizeLimit() async throws {
        print("full disk: a limit on the size of files (RLIMIT_FSIZE); mounting is not permitted")
        try await Place.with("full") { place in
            var seed = Seed(3)
            let payments = try await Plan.payments(22, named: "d", at: place, using: &seed)
            try Plan.write(payments, to: "jobs", of: place)
            let command =
                "ulimit -f 300; exec '\(Place.host)' '\(place.store)' "
                + "'\(place.folder)/jobs' '\(place.folder)/host.acknowledged'"
            let limited = try place.start("/bin/bash", ["-c", command])
            try await failures(["store.full"], of: place)
            limited.kill()
            _ = await limited.ending()
            let free = await (try place.host()).ending(killedAfter: Self.patience)
            #expect(free.status == 0, "\(free.words)")
            let oracle = try await Oracle(of: place, payments: payments)
            try await place.expectAgreement(oracle, seed: 3)
        }
    }

    private static let errors: [(Int32, [String])] = [
        (EROFS, ["store.read-only"]), (EIO, ["store.input-output", "store.unavailable"]),
    ]

    @Test(arguments: Tier.isThorough ? errors : Array(errors.prefix(1)))
    func
        `a store that turns read-only or fails is reported, and payments go on afterwards`(
            errno: Int32,
            codes: [String]
        ) async throws
    {
        try await Place.with("turned") { place in
            let files = Faults.Switch(path: place.folder + "/switch", files: "payments.db")
            try files.set()
            let environment = try Faults.follow(files)
            let (_, session) = try await ready(place)
            try await pay(place, environment: environment) { _ in
                try await place.acknowledgements(60)
                try files.set(errno: errno)
                try await failures(Set(codes), of: place)
                let refused = try await place.tool(["abort", session], environment: environment)
                #expect(refused.status == 69, "\(refused.words)")
                // SQLite opens a file that it cannot write for reading.
                #expect(
                    (codes + ["store.read-only"]).contains { refused.words.contains("[\($0)]") },
                    "\(refused.words)"
                )
                #expect(refused.words.contains("hint: "), "\(refused.words)")
                try files.set()
            }
            #expect(try await place.tool(["abort", session]).status == 0)
        }
    }

    /// A session that waits for its payer.
    private func ready(_ place: Place) async throws -> (Plan.Payment, session: String) {
        var seed = Seed(4)
        let payments = try await Plan.payments(
            1,
            named: "ready",
            kinds: ["card"],
            faults: false,
            at: place,
            using: &seed
        )
        let opened = try await place.tool(["--json", "open", payments[0].url ?? ""])
        let view = opened.json as? [String: Any]
        return (payments[0], try #require(view?["session"] as? String, "\(opened.words)"))
    }
}
