import Foundation
import TestSupport
import Testing

@testable import Adapters

/// Kills the creation of stores, exports, imports and compressions at each of their writes.
@Suite(.guarantee(.nothingLost), .tags(.repeatedThoroughly)) struct MovingTests {
    @Test
    func `a store whose creation is killed at any of its writes is created by the next command`()
        async throws
    {
        try await Place.with("creation") { place in
            let stride = CampaignOptions.extent(quick: 12, thorough: 2, long: 1)
            let kills = try await sweep("payments.db", stride: stride) {
                for suffix in ["", "-wal", "-shm", "-identity"] {
                    try? FileManager.default.removeItem(atPath: place.store + suffix)
                }
            } run: { environment in
                try await place.tool(["store", "init"], environment: environment)
            } check: { number in
                let made = try await place.tool(["store", "init"])
                #expect(made.status == 0, "write \(number): \(made.words)")
                let verified = try await place.tool(["verify"])
                #expect(verified.status == 0, "write \(number): \(verified.words)")
            }
            #expect(kills > 5)
            print("creation: killed at writes up to the \(kills)th")
        }
    }

    @Test
    func `an export killed at any of its writes leaves the old file or the complete new one`()
        async throws
    {
        try await Place.with("export") { place in
            let sample = try await Sample.store()
            _ = try sample.copy(to: place.folder)
            let path = place.folder + "/kept.ndjson"
            let before = try #require(FileManager.default.contents(atPath: sample.export))
            _ = try await place.tool(["export", "--redact", "-o", path])
            let after = try #require(FileManager.default.contents(atPath: path))
            #expect(before != after)
            let kills = try await sweep("kept.ndjson") {
                try before.write(to: URL(fileURLWithPath: path))
            } run: { environment in
                try await place.tool(["export", "--redact", "-o", path], environment: environment)
            } check: { number in
                let found = FileManager.default.contents(atPath: path)
                #expect(found == before || found == after, "write \(number)")
            }
            // The bytes, and the rename of the complete file.
            #expect(kills >= 2)
            print("export: killed at each of \(kills) writes")
        }
    }

    @Test(.feature("S-25"))
    func `an import that is killed at any of its writes is finished by the same command`()
        async throws
    {
        try await Place.with("import") { place in
            let sample = try await Sample.store()
            let logs = try PaymentLog.read(sample.export)
            // A few sessions suffice: each is one transaction.
            let some = Set(logs.keys.sorted().prefix(3))
            let lines = try String(contentsOfFile: sample.export, encoding: .utf8)
                .split(separator: "\n").filter { line in some.contains { line.contains($0) } }
            let file = try place.write(lines.joined(separator: "\n") + "\n", to: "some.ndjson")
            let expected = try PaymentLog.hashes(in: file)
            #expect(expected.keys.sorted() == some.sorted())
            let stride = CampaignOptions.extent(quick: 110, thorough: 23, long: 1)
            // How much there is to import depends on how often the payments were retried.
            let kills = try await sweep("payments.db", stride: stride, limit: 2_000) {
                for suffix in ["", "-wal", "-shm", "-leases", ".key"] {
                    try? FileManager.default.removeItem(atPath: place.store + suffix)
                }
            } run: { environment in
                try await place.tool(["import", file], environment: environment)
            } check: { number in
                let again = try await place.tool(["import", file])
                #expect(again.status == 0, "write \(number): \(again.words)")
                let copy = place.folder + "/again.ndjson"
                _ = try await place.tool(["export", "-o", copy])
                // Each record of each session: a log that lost its end would still be a valid one.
                #expect(try PaymentLog.hashes(in: copy) == expected, "write \(number)")
                #expect(try await place.tool(["verify"]).status == 0, "write \(number)")
            }
            #expect(kills > 10)
            print("import: killed at writes up to the \(kills)th")
        }
    }

    @Test func `a compression that is killed at any of its writes is finished by the same command`()
        async throws
    {
        try await Place.with("compression") { place in
            let filled = try await place.tool(["demo", "--sessions", "45", "--seed", "1"])
            #expect(filled.status == 0, "\(filled.words)")
            let export = place.folder + "/export.ndjson"
            _ = try await place.tool(["export", "-o", export])
            let expected = FileManager.default.contents(atPath: export)
            let made = place.folder + "/made.db"
            try await python(
                """
                import sqlite3, sys
                sqlite3.connect(sys.argv[1]).execute("PRAGMA wal_checkpoint(TRUNCATE)")
                """,
                [place.store],
                in: place
            )
            try FileManager.default.copyItem(atPath: place.store, toPath: made)
            let stride = CampaignOptions.extent(quick: 400, thorough: 211, long: 11)
            let kills = try await sweep("payments.db", stride: stride, limit: 5_000) {
                for suffix in ["", "-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: place.store + suffix)
                }
                try FileManager.default.copyItem(atPath: made, toPath: place.store)
            } run: { environment in
                try await place.tool(["store", "compress"], environment: environment)
            } check: { number in
                let copy = place.folder + "/again.ndjson"
                for command in [["verify"], ["store", "compress"], ["verify"]] {
                    let ended = try await place.tool(command)
                    #expect(ended.status == 0, "write \(number), \(command): \(ended.words)")
                    try? FileManager.default.removeItem(atPath: copy)
                    _ = try await place.tool(["export", "-o", copy])
                    let found = FileManager.default.contents(atPath: copy)
                    #expect(found != nil && found == expected, "write \(number), \(command)")
                }
            }
            #expect(kills > 100)
            print("compression: killed at writes up to the \(kills)th")
        }
    }
}

/// Kills a command at its first change of a file, at its second, and so on, until it succeeds.
///
/// - Parameters:
///   - files: A part of the paths of the files.
///   - stride: The number of writes of which one is tried.
///   - skipped: The number of first writes that are not tried.
///   - limit: The number of writes after which there must be an end.
///   - prepare: What happens before each try.
///   - run: The command, with the variables that kill it.
///   - check: What is expected after each kill.
/// - Returns: The number of writes.
/// - Throws: Any error of the closures.
func sweep(
    _ files: String,
    stride: Int = 1,
    after skipped: Int = 0,
    limit: Int = 400,
    prepare: () async throws -> Void = {},
    run: ([String: String]) async throws -> TestProcess.Ending,
    check: (_ number: Int) async throws -> Void
) async throws -> Int {
    var seed = Seed(CampaignOptions.seed)
    let first = skipped + Int.random(in: 1...stride, using: &seed)
    for number in Swift.stride(from: first, through: limit, by: stride) {
        // A different moment at each write, so that a sweep covers them all.
        let moment = Faults.Moment.allCases[number % Faults.Moment.allCases.count]
        try await prepare()
        let ending = try await run(try Faults.kill(at: number, moment, of: files))
        guard ending.wasKilled else {
            #expect(ending.status == 0, "\(ending.words)")
            return number - stride
        }
        try await check(number)
    }
    throw CampaignError("no end after \(limit) writes")
}
