import Foundation
import TestSupport
import Testing

/// `store compress`, judged by what other programs and commands find in the store afterwards.
@Suite(.feature("S-26")) struct CompressTests {
    /// Fills the world's store with payments, and returns their export.
    private func filled(_ world: World) async throws -> String {
        let made = try await world.run(
            "demo",
            "--sessions",
            "60",
            "--seed",
            "1",
            "--until",
            "2026-11-25T00:00:00Z"
        )
        try #require(made.status == 0, "\(made.diagnostics)")
        let exported = try await world.run("export")
        try #require(exported.status == 0, "\(exported.diagnostics)")
        return exported.output
    }

    /// The store has payments that rest, which is no fault of the compression.
    private static let checkup =
        ["doctor", "--all"]
        + ["store", "schema", "projections", "keys"].flatMap { ["--check", $0] }

    /// The bytes that all stored records take, as another program counts them.
    private func storedBytes(_ world: World) async throws -> Int {
        let counted = try await world.tool.shell(
            """
            python3 -c 'import sqlite3
            print(sqlite3.connect("payments.db").execute("SELECT sum(length(record)) FROM events").fetchone()[0])'
            """
        )
        return try #require(Int(counted.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test
    func `a compressed store exports the same bytes, verifies, and takes less than half the space`()
        async throws
    {
        try await World.with { world in
            let before = try await filled(world)
            let bytes = try await storedBytes(world)
            let done = try await world.run("store", "compress", "--json")
            #expect(done.status == 0, "\(done.diagnostics)")
            try await SchemaCheck.expect(done.output, fits: "cli/store-compress", in: world)
            let result = try done.json
            let dictionary = try #require(result["dictionary"].number)
            #expect(result["records"].number == before.split(separator: "\n").count)
            #expect(result["changed"].number == result["records"].number)
            #expect(result["bytesBefore"].number == bytes)
            #expect(try await result["bytesNow"].number == storedBytes(world))
            #expect(try await storedBytes(world) * 2 < bytes)
            #expect(try await world.run("export").output == before)
            for command in [["verify"], ["replay", "--check", "--all"], Self.checkup] {
                let sound = try await world.tool.run(command)
                #expect(sound.status == 0, "\(command): \(sound.output)\(sound.diagnostics)")
            }
            let again = try await world.run("store", "compress", "--json").json
            #expect(again["changed"].number == 0 && again["dictionary"].number == dictionary)
            // A copy is not compressed until it is told to be, as the help of 'store copy' says.
            #expect(try await world.run("store", "copy", "sqlite:copy.db").status == 0)
            let copy = try await world.run("store", "compress", "--json", store: "copy.db").json
            #expect(copy["bytesBefore"].number == bytes)
            let help = try await world.run("store", "copy", "--help")
            #expect(help.output.contains("store compress"), "\(help.output)")
            // A payment that is made afterwards is compressed, too.
            let (session, _) = try await world.open()
            #expect(try await world.run("abort", session).status == 0)
            let later = try await world.run("store", "compress", "--json").json
            #expect(later["changed"].number == 0)
            #expect(try #require(later["records"].number) > #require(again["records"].number))
            #expect(try await world.run("verify").status == 0)
        }
    }

    @Test(.tags(.thorough))
    func `--new-only leaves stored records, and --retrain compresses all of them again`()
        async throws
    {
        try await World.with { world in
            let before = try await filled(world)
            let bytes = try await storedBytes(world)
            let new = try await world.run("store", "compress", "--new-only")
            let words = try #require(
                new.output.wholeMatch(of: /New records are compressed with dictionary ([0-9]+)\.\n/)
            )
            #expect(try await storedBytes(world) == bytes)
            let all = try await world.run("store", "compress")
            #expect(all.output.contains("compressed now: \(before.split(separator: "\n").count),"))
            let retrained = try await world.run("store", "compress", "--retrain", "--json").json
            #expect(retrained["dictionary"].number != Int(words.1))
            #expect(try await world.run("export").output == before)
            #expect(try await world.run("verify").status == 0)
        }
    }

    @Test func `a store with too few records to train with is not changed`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let bytes = try await storedBytes(world)
            let refused = try await world.run("store", "compress")
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("store.too-few-records"))
            #expect(refused.diagnostics.contains("of at least 1000"))
            #expect(try await storedBytes(world) == bytes)
            #expect(try await world.run("abort", session).status == 0)
            #expect(try await storedBytes(world) > bytes)
        }
    }
}
