import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// A store is restored to an earlier state, or copied: what it lacks was sent already, or is sent
/// by another copy.
///
/// The decisive question is what was requested of the PSP, which its own ledger shows.
@Suite(.feature("S-20"), .threat("T-17")) struct AdoptionTests {
    /// A backup of a store.
    private struct Backup {
        var files: [String: Data] = [:]

        /// Copies the database and SQLite's files beside it.
        init(of path: String) throws {
            for ending in ["", "-wal"] {
                files[ending] = FileManager.default.contents(atPath: path + ending)
            }
        }

        /// Restores the backup, to the same files or to others.
        func restore(to path: String, asOtherFile: Bool = false) throws {
            for ending in ["", "-wal", "-shm"] {
                let url = URL(fileURLWithPath: path + ending)
                guard let data = files[ending] else {
                    try? FileManager.default.removeItem(at: url)
                    continue
                }
                guard FileManager.default.fileExists(atPath: url.path), !asOtherFile else {
                    try data.write(to: url, options: .atomic)
                    continue
                }
                let file = try FileHandle(forWritingTo: url)
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: data)
                try file.close()
            }
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: path
            )
        }
    }

    /// Expects that nothing is sent from a store, and that every command that would send something
    /// reports why not.
    private func expectRefused(
        _ world: World,
        _ session: String,
        _ order: CreatedOrder,
        _ words: String
    ) async throws {
        let before = try #require(await world.sandbox.orderLedger(order.id))
        let fresh = try await world.sandbox.createOrder(SandboxOrder(payerReference: "payer-2"))
        for command in [
            ["attempt", session, "swish"], ["abort", session], ["open", fresh.sessionURL],
            ["resume"],
        ] {
            let refused = try await world.tool.run(["--allow-insecure-loopback"] + command)
            #expect(refused.status == 1, "\(command): \(refused.output)\(refused.diagnostics)")
            #expect(refused.diagnostics.contains("[store.not-adopted]"), "\(refused.diagnostics)")
            #expect(refused.diagnostics.contains(words), "\(refused.diagnostics)")
            #expect(refused.diagnostics.contains("store adopt --reason"), "\(refused.diagnostics)")
        }
        let after = try #require(await world.sandbox.orderLedger(order.id))
        #expect(after.requests == before.requests && after.attempts.count == 1)
        let doctor = try await world.run("doctor", "--json")
        #expect(doctor.status == 1 && doctor.output.contains("store.not-adopted"))
        // The store can be read.
        #expect(try await world.run("explain", session).status == 0)
        #expect(try await world.run("verify").status == 0)
    }

    /// Adopts a store, and expects that the PSP is read before anything is sent.
    private func expectAdopted(
        _ world: World,
        _ session: String,
        _ order: CreatedOrder
    ) async throws {
        let unsaid = try await world.tool.run(["store", "adopt"])
        #expect(unsaid.status == 64 && unsaid.diagnostics.contains("usage.reason"))
        let adopted = try await world.tool.run([
            "--json", "store", "adopt", "--reason", "backup of ten o'clock",
        ])
        #expect(adopted.status == 0, "\(adopted.diagnostics)")
        try await SchemaCheck.expect(adopted.output, fits: "cli/store-adopt", in: world)
        #expect(try adopted.json["epoch"].number == 2)
        #expect(try adopted.json["sessions"].number == 1)
        let resumed = try await world.run("--json", "resume", session)
        #expect(resumed.status == 0, "\(resumed.diagnostics)")
        let log = try await world.run("log", session, "--json").output
            .split(separator: "\n").map(String.init)
        let at = try #require(log.firstIndex { $0.contains(#""action":"adopt""#) })
        let after = log[at...].dropFirst()
        let sent = after.firstIndex { $0.contains(#""type":"operationStarted""#) } ?? log.endIndex
        let read = try #require(after.firstIndex { $0.contains(#""type":"fetched""#) })
        #expect(read < sent)
        let ledger = try #require(await world.sandbox.orderLedger(order.id))
        #expect(ledger.attempts.count == 1)
        #expect(try await world.run("verify").status == 0)
        #expect(try await world.run("replay", session, "--check").status == 0)
        let again = try await world.tool.run(["store", "adopt", "--reason", "again"])
        #expect(again.status == 0 && again.output.contains("nothing was changed"))
    }

    @Test(arguments: [false, true])
    func `a restored store sends nothing until adopted, and then reads the PSP first`(
        asOtherFile: Bool
    ) async throws {
        try await World.with { world in
            let (session, order) = try await world.open()
            let backup = try Backup(of: world.storePath)
            #expect(try await world.run("attempt", session, "swish", "--json").status == 0)
            try backup.restore(to: world.storePath, asOtherFile: asOtherFile)
            try await expectRefused(world, session, order, "an earlier state was restored")
            try await expectAdopted(world, session, order)
        }
    }

    @Test func `a copied store sends nothing, with or without its identity file`()
        async throws
    {
        try await World.with { world in
            let (session, order) = try await world.open()
            #expect(try await world.run("attempt", session, "swish", "--json").status == 0)
            let copies = [
                ("alone", [""], "is missing"), ("whole", ["", "-identity"], "not the same file"),
            ]
            for (name, endings, words) in copies {
                var other = world
                let path = world.folder + "/\(name).db"
                for ending in endings + [".key"] {
                    try FileManager.default.copyItem(
                        atPath: world.storePath + ending,
                        toPath: path + ending
                    )
                }
                other.tool.environment["WORKFLOWCTL_STORE"] = "sqlite:\(path)"
                try await expectRefused(other, session, order, words)
            }
            // The adopted one continues.
            #expect(try await world.run("abort", session).status == 0)
        }
    }

    @Test func `a renamed store continues, and so does a new store created in its place`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            for ending in ["", "-identity", ".key"] {
                try FileManager.default.moveItem(
                    atPath: world.storePath + ending,
                    toPath: world.folder + "/renamed.db" + ending
                )
            }
            let renamed = world.folder + "/renamed.db"
            #expect(try await world.run("attempt", session, "swish", store: renamed).status == 0)
            // The file is deleted and a new store created: the files beside the old one are no
            // obstacle.
            try FileManager.default.removeItem(atPath: renamed)
            let fresh = try await world.sandbox.createOrder(SandboxOrder())
            let opened = try await world.run("open", fresh.sessionURL, store: renamed)
            #expect(opened.status == 0, "\(opened.diagnostics)")
        }
    }
}
