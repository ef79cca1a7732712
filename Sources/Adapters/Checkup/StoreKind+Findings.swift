internal import EventLog
internal import SwedbankPay

/// What a checkup finds out about a store of any kind.
extension StoreKind {
    /// Checks that the schema of an opened store is this build's, and unaltered.
    func schemaFinding(of store: any PersistentStore) async throws -> Finding {
        let state = try await schemaState(of: store)
        guard state.faults.isEmpty else {
            return Finding(
                .schema,
                .bad,
                "the tables were altered: " + state.faults.joined(separator: "; "),
                advice:
                    "nothing is written to the store until the change is undone; find out who "
                    + "changed the file"
            )
        }
        guard state.version < Self.schema else {
            return Finding(.schema, .good, "version \(state.version), current for this build")
        }
        return Finding(
            .schema,
            .warning,
            "version \(state.version); this build uses version \(Self.schema)",
            advice:
                "the next command that writes upgrades the store; builds with an earlier schema cannot "
                + "read it afterwards"
        )
    }

    /// Checks that there is enough space.
    func spaceFinding() -> Finding {
        isFile
            ? FileCheck(store: path).room()
            : Finding(.disk, .skipped, "not checked for a database server")
    }

    /// Returns the risks of the connection to the store.
    func connectionFindings() -> [Finding] {
        guard let risk = connectionRisk else { return [] }
        let grade: Finding.Grade = risk.isRefused ? .bad : .warning
        return [Finding(.connections, grade, risk.reason, advice: risk.advice)]
    }
}
