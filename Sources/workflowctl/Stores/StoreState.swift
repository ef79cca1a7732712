internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A description of a store and its size.
struct StoreState: Sendable {
    var store: String
    var kind: String
    var schema: Int
    /// The position of the newest record.
    var position: Int64
    var newestSession: SessionID?

    /// Opens a store and prints its description.
    ///
    /// With `hasToExist`, a missing store is a failure, whatever the access allows. A store that is
    /// created gets the given number of lanes, or the default.
    static func open(
        _ global: GlobalOptions,
        access: StoreAccess,
        hasToExist: Bool = false,
        lanes: Int? = nil,
        in invocation: Invocation
    ) async throws(Failure) -> ExitStatus {
        var location = try StoreLocation.read(global, environment: invocation.environment)
        if let lanes { location = try location.creating(lanes: lanes) }
        if hasToExist {
            // A store of an older schema cannot be opened for reading; here it only matters that it
            // is one.
            try await location.requireStore(on: invocation.loop)
        }
        let store = try await location.open(access, on: invocation.loop)
        let state: StoreState
        do throws(EventStoreError) {
            state = StoreState(
                store: location.text,
                kind: type(of: location.kind).name,
                schema: type(of: location.kind).schema,
                position: try await store.changes(after: nil, limit: 1)?.cursor.distance(from: nil)
                    ?? 0,
                newestSession: try await store.sessions(matching: SessionQuery(limit: 1)).first?
                    .session
            )
        } catch {
            await store.close()
            throw Failure(error)
        }
        await store.close()
        state.printState(global.json, invocation)
        return .done
    }

    private func printState(_ asJSON: Bool, _ invocation: Invocation) {
        guard !asJSON else {
            return invocation.print([
                "store": .string(store), "kind": .string(kind),
                "schema": .integer(Int64(schema)),
                "position": .integer(position),
                "newestSession": JSONValue(newestSession?.description),
            ])
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
