import EventLog
import Foundation
import Glibc
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters
@testable import EventStores

/// Files beside a store that somebody else put there.
@Suite(.threat("T-26")) struct CompanionFileTests {
    /// What must not be used in place of a file, with the words of the refusal.
    private static let disguises: [(words: String, make: @Sendable (String) -> Bool)] = [
        ("is not a regular file", { mkfifo($0, 0o600) == 0 }),
        ("is not a regular file", { mkdir($0, 0o700) == 0 }),
        ("is a link", { symlink("/nowhere/at/all", $0) == 0 }),
        ("is a link", { symlink("/dev/zero", $0) == 0 }),
    ]

    /// Puts each disguise in the place of a file, and returns the refusals.
    private func refusals(
        of name: String,
        _ use: (StoreFile) async -> String?
    ) async throws -> [String?] {
        var refusals: [String?] = []
        for disguise in Self.disguises {
            try await StoreFile.with { file in
                #expect(disguise.make(file.path + name))
                refusals.append(await use(file))
            }
        }
        return refusals
    }

    private func expect(_ refusals: [String?]) {
        for (refusal, disguise) in zip(refusals, Self.disguises) {
            #expect(refusal?.contains(disguise.words) == true, "\(refusal ?? "used")")
        }
        #expect(refusals.count == Self.disguises.count)
    }

    @Test func `a pipe, a folder or a link in place of the leases is refused at once`() async throws
    {
        expect(
            try await refusals(of: "-leases") { file in
                do {
                    let store = try await SQLiteEventStore(path: file.path)
                    defer { Task { await store.close() } }
                    _ = try await store.acquireLease(on: StoredSession(1).id)
                    return nil
                } catch { return "\(error)" }
            }
        )
        #expect(!FileManager.default.fileExists(atPath: "/nowhere"))
    }

    @Test func `no file is created where a dangling link leads`() async throws {
        try await StoreFile.with { file in
            let target = file.directory.path + "/elsewhere"
            #expect(symlink(target, file.path + "-leases") == 0)
            let store = try await SQLiteEventStore(path: file.path)
            await #expect(throws: EventStoreError.self) {
                _ = try await store.acquireLease(on: StoredSession(1).id)
            }
            await store.close()
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }

    @Test(arguments: ["-journal", "-wal", "-shm"])
    func `a pipe, a folder or a link in place of SQLite's files is refused at once`(
        name: String
    ) async throws {
        expect(
            try await refusals(of: name) { file in
                _ = FileManager.default.createFile(atPath: file.path, contents: nil)
                return await file.openingError().map { "\($0)" }
            }
        )
    }

    @Test func `a pipe, a folder or a link in place of the identity is refused at once`()
        async throws
    {
        expect(
            try await refusals(of: "-identity") { file in
                do throws(EventStoreError) {
                    _ = try StoreMemory.read(file.path + "-identity")
                    return nil
                } catch { return "\(error)" }
            }
        )
    }

    @Test func `a pipe or a folder in place of a key is refused at once, a link is followed`()
        async throws
    {
        let refusals = try await refusals(of: ".key") { file in
            do throws(KeyVaultError) {
                _ = try KeyFileVault(path: file.path + ".key", createsMissing: false)
                return nil
            } catch { return "\(error)" }
        }
        #expect(refusals[0]?.contains("is not a regular file") == true)
        #expect(refusals[1]?.contains("is not a regular file") == true)
        #expect(refusals[2]?.contains("there is no key file") == true)
        #expect(refusals[3]?.contains("is not a regular file") == true)
        // Containers mount secrets as links.
        try await StoreFile.with { file in
            _ = try KeyFileVault(path: file.path + ".key")
            #expect(symlink("payments.db.key", file.path + ".mounted") == 0)
            _ = try KeyFileVault(path: file.path + ".mounted", createsMissing: false)
        }
    }

    @Test func `a pipe, a folder or a link in place of a publisher's position is refused at once`()
        async throws
    {
        for name in [".position", ".position.lock"] {
            expect(
                try await refusals(of: name) { file in
                    do throws(OutboxFailure) {
                        _ = try await FileOutboxPosition(path: file.path + ".position").claim()
                        return nil
                    } catch { return "\(error)" }
                }
            )
        }
    }

    /// Only root can give files away.
    @Test(.enabled(if: geteuid() == 0), arguments: ["", "-wal", "-identity", "-leases"])
    func `a file of another user is refused, and the refusal says whose it is`(
        name: String
    ) async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.append(StoredSession(1).append(after: 0))
            _ = try await store.acquireLease(on: StoredSession(1).id)
            await store.close()
            let path = file.path + name
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(atPath: path, contents: nil)
            }
            #expect(chown(path, 4711, 4711) == 0)
            var refusal: EventStoreError?
            do throws(EventStoreError) {
                let store = try await SQLiteEventStore(path: file.path)
                defer { Task { await store.close() } }
                _ = try await store.acquireLease(on: StoredSession(1).id)
                if name == "-identity" { _ = try StoreMemory.read(path) }
            } catch { refusal = error }
            #expect(refusal?.code == "store.untrusted", "\(path)")
            #expect(refusal.map { "\($0)".contains("another user (uid 4711)") } == true)
        }
    }
}
