internal import Adapters
internal import EventLog
internal import Glibc
internal import SwedbankPay

/// A store in a SQLite file: `sqlite:PATH`.
struct SQLiteKind: StoreKind {
    private static let scheme = "sqlite:"

    let path: String

    static let form = "sqlite:PATH"

    static func isMeant(by text: String) -> Bool { text.hasPrefix(scheme) }

    init(_ text: String) throws(Failure) {
        guard text.utf8.count > Self.scheme.utf8.count, !text.utf8.contains(0) else {
            throw StoreLocation.noStore(text)
        }
        path = String(text.dropFirst(Self.scheme.count))
    }

    var name: String { "sqlite" }
    var schema: Int { SQLiteEventStore.schemaVersion }
    var secretText: String { Self.scheme + path }
    var isFile: Bool { true }
    var exists: Bool { FileFacts(path: path) != nil }

    var place: String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return secretText }
        defer { free(folder) }
        return "\(Self.scheme)\(String(cString: folder))/\(path)"
    }

    /// The failure for a file that does not exist: not an outage, because waiting does not help.
    private var missing: Failure {
        Failure(
            .unknown,
            "store.no-database",
            "the store \(path) does not exist",
            hint:
                "choose the store with --store sqlite:PATH, or create it with 'workflowctl store "
                + "init'; 'open' also creates it, and 'demo --store' creates one to learn with"
        )
    }

    func requireStore(on loop: UVLoop) async throws(Failure) {
        guard exists else { throw missing }
    }

    func open(
        _ access: StoreAccess,
        for wanted: SessionID?,
        on loop: UVLoop,
        readers: Int
    ) async throws(Failure) -> any PaymentStore {
        if access != .createIfMissing, !exists {
            if let wanted {
                throw Failure(
                    .unknown,
                    "engine.unknown-session",
                    "session \(wanted) was not found: the store \(path) does not exist",
                    hint: "choose the store with --store sqlite:PATH"
                )
            }
            throw missing
        }
        do {
            return try await SQLiteEventStore(
                path: path,
                loop: loop,
                options: SQLiteOptions(access: access, readers: readers)
            )
        } catch {
            throw Failure(error)
        }
    }

    func openScratch(on loop: UVLoop) async throws(Failure) -> any PaymentStore {
        do {
            var options = SQLiteOptions(access: .createIfMissing)
            options.isScratch = true
            let store = try await SQLiteEventStore(path: path, loop: loop, options: options)
            do {
                guard try await store.isScratch() else {
                    throw Failure(
                        .refused,
                        "fork.not-scratch",
                        "the store \(path) is not a scratch store, so it cannot hold a fork",
                        hint: "choose another file with --into sqlite:PATH"
                    )
                }
                return store
            } catch {
                await store.close()
                throw error
            }
        } catch let failure as Failure {
            throw failure
        } catch let error as EventStoreError {
            throw Failure(error)
        } catch {
            throw Failure(.defect, "store.unavailable", "\(error)")
        }
    }

    /// Returns a store that this kind opened.
    private func opened(_ store: any PaymentStore) -> SQLiteEventStore {
        guard let store = store as? SQLiteEventStore else {
            preconditionFailure("a store in a file is a SQLite store")
        }
        return store
    }

    func movedTo(from store: any PaymentStore) async throws -> String? {
        try await opened(store).movedTo()
    }

    func checkSchema(of store: any PaymentStore) async throws -> Finding {
        let store = opened(store)
        let version = try await store.schemaVersion()
        let current = SQLiteEventStore.currentSchemaVersion
        let faults = try await store.schemaFaults()
        guard faults.isEmpty else {
            return Finding(
                .schema,
                .bad,
                "the tables were altered: " + faults.joined(separator: "; "),
                advice:
                    "nothing is written to the store until the change is undone; find out who "
                    + "changed the file"
            )
        }
        guard version < current else {
            return Finding(.schema, .good, "version \(version), current for this build")
        }
        return Finding(
            .schema,
            .warning,
            "version \(version); this build uses version \(current)",
            advice:
                "the next command that writes upgrades the store; older builds cannot read it afterwards"
        )
    }

    func checkSpace() -> Finding { FileCheck(store: path).room() }
}
