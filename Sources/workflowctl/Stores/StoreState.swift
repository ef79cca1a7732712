internal import Adapters
internal import Inspection
internal import SwedbankPay

/// What a store is, and how much is in it.
struct StoreState: Sendable {
    var store: String
    var kind: String
    var schema: Int
    /// The place of the newest record.
    var position: Int64
    var newestSession: SessionID?

    /// Opens a store, and tells what it is.
    ///
    /// - Parameter hasToExist: Whether a store that is not there is a failure, whatever the access would allow.
    static func tell(
        _ global: GlobalOptions,
        access: SQLiteOptions.Access,
        hasToExist: Bool = false,
        in invocation: Invocation
    ) async throws(Failure) -> ExitStatus {
        let location = try StoreLocation.read(global, environment: invocation.environment)
        if hasToExist {
            // A store of an older schema can't be opened for reading: that it is one is all that matters here.
            do throws(EventStoreError) {
                try await location.requireStore(on: invocation.loop)
            } catch {
                throw Failure(error)
            }
        }
        let store = try await location.open(access, on: invocation.loop)
        let state: StoreState
        do throws(EventStoreError) {
            state = StoreState(
                store: location.text,
                kind: location.server == nil ? "sqlite" : "postgresql",
                schema: location.server == nil
                    ? SQLiteEventStore.schemaVersion : PostgreSQLEventStore.schemaVersion,
                position: try await store.news(after: nil, limit: 1)?.position ?? 0,
                newestSession: try await store.sessions(matching: SessionQuery(limit: 1)).first?
                    .session
            )
        } catch {
            await store.close()
            throw Failure(error)
        }
        await store.close()
        state.tell(global.json, invocation)
        return .done
    }

    private func tell(_ asJSON: Bool, _ invocation: Invocation) {
        guard !asJSON else {
            return invocation.print(
                .object([
                    .init("store", .string(store)), .init("kind", .string(kind)),
                    .init("schema", .integer(Int64(schema))),
                    .init("position", .integer(position)),
                    .init("newestSession", JSONValue(newestSession?.description)),
                ])
            )
        }
        let table = Table(
            columns: ["store", "kind", "schema", "position", "newest session"],
            rows: [
                [store, kind, "\(schema)", "\(position)", newestSession?.description ?? ""]
            ]
        )
        invocation.output.write(table.text(for: invocation.output))
    }
}

extension StoreLocation {
    /// Fails when there is no store, of whatever schema.
    func requireStore(on loop: UVLoop) async throws(EventStoreError) {
        guard let server else {
            guard exists else {
                throw .unavailable(reason: "the store \(path) does not exist", code: nil)
            }
            return
        }
        guard try await PostgreSQLEventStore.schemaVersion(at: server, on: loop) != nil else {
            throw .unavailable(
                reason:
                    "the database has no tables of a store; 'workflowctl store init' makes them",
                code: nil
            )
        }
    }
}
