import Foundation
import TestSupport
import Testing

/// A store in which payments of all kinds have ended: created once, and copied by tests that damage
/// it.
enum Sample {
    /// The folder of the store and of its export.
    struct Store: Sendable {
        var folder: String
        var store: String { folder + "/payments.db" }
        var export: String { folder + "/export.ndjson" }

        /// Copies the store's files to another folder.
        func copy(to folder: String) throws -> String {
            let manager = FileManager.default
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["payments.db", "payments.db-wal", "payments.db.key"] {
                let (from, to) = (self.folder + "/" + name, folder + "/" + name)
                try? manager.removeItem(atPath: to)
                if manager.fileExists(atPath: from) {
                    try manager.copyItem(atPath: from, toPath: to)
                }
            }
            for name in ["payments.db-shm", "payments.db-leases"] {
                try? manager.removeItem(atPath: folder + "/" + name)
            }
            return folder + "/payments.db"
        }
    }

    /// Returns the sample, which is created on first use.
    static func store() async throws -> Store { try await making.value }

    private static let making = Task { () throws -> Store in
        let folder = NSTemporaryDirectory() + "campaign-sample-\(getpid())"
        try? FileManager.default.removeItem(atPath: folder)
        let made = Store(folder: folder)
        try await Place.with("sample") { place in
            var seed = Seed(1)
            let payments = try await Plan.payments(
                2 * Plan.kinds.count,
                named: "s",
                faults: false,
                at: place,
                using: &seed
            )
            try Plan.write(payments, to: "jobs", of: place)
            let ending = await (try place.host()).ending(killedAfter: .seconds(60))
            guard ending.status == 0 else { throw CampaignError("the sample: \(ending.words)") }
            let oracle = try await Oracle(of: place, payments: payments)
            try await place.expectAgreement(oracle, seed: 1)
            // Everything in the one file, not in the write-ahead log beside it.
            try await python(
                """
                import sqlite3, sys
                sqlite3.connect(sys.argv[1]).execute("PRAGMA wal_checkpoint(TRUNCATE)")
                """,
                [place.store],
                in: place
            )
            _ = try Store(folder: place.folder).copy(to: folder)
            try FileManager.default.moveItem(
                atPath: place.folder + "/export.ndjson",
                toPath: made.export
            )
        }
        atexit { try? FileManager.default.removeItem(atPath: Sample.atExit) }
        return made
    }

    private static let atExit = NSTemporaryDirectory() + "campaign-sample-\(getpid())"
}
