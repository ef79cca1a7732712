internal import Adapters
internal import EventLog
internal import SwedbankPay

/// Opening the store.
extension StoreLocation {
    /// Opens the store.
    ///
    /// `wanted` is the session to read; when there is no store file, that session does not exist.
    /// `readers` is the number of reading threads, for a kind of store that has threads.
    func open(
        _ access: StoreAccess,
        for wanted: SessionID? = nil,
        on loop: UVLoop,
        readers: Int? = nil
    ) async throws(Failure) -> any PersistentStore {
        if access != .createIfMissing, !kind.exists {
            guard let wanted else { throw missing }
            throw Failure(
                .unknown,
                "engine.unknown-session",
                "session \(wanted) was not found: the store \(path) does not exist",
                hint: "choose the store with --store \(type(of: kind).form)"
            )
        }
        var opening = StoreOpening(node: Operator.nodeName, access: access)
        opening.readers = readers
        opening.lanes = lanes
        opening.patience = patience
        opening.identityFile = kind.isFile ? nil : path + kind.database + "-identity"
        // Opening it upgrades it, so its lanes are compared before.
        if access == .createIfMissing { try await requireLanes(on: loop) }
        let store = try await open(opening, on: loop)
        do throws(Failure) {
            // Another process may have created it meanwhile.
            if let existing = (store as? any LanedStore)?.laneCount {
                try requireLanes(existing)
            }
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    private func requireLanes(on loop: UVLoop) async throws(Failure) {
        guard lanes != nil else { return }
        let existing: Int?
        do throws(EventStoreError) {
            existing = try await kind.laneCount(on: loop, within: patience)
        } catch {
            throw Failure(error)
        }
        if let existing { try requireLanes(existing) }
    }

    private func requireLanes(_ existing: Int) throws(Failure) {
        guard existing != lanes ?? existing else { return }
        throw .usage(
            "lanes",
            "the store has \(existing) lane\(existing == 1 ? "" : "s"), and keeps them",
            hint: "create another store with --lanes, and copy this one to it: 'store copy'"
        )
    }

    /// Opens a scratch store, and creates a missing one.
    ///
    /// - Throws: A failure when it is a store of real payments, or its kind has no scratch stores.
    func openScratch(on loop: UVLoop) async throws(Failure) -> any PersistentStore {
        guard kind.isFile else { throw .onlyForFiles }
        var opening = StoreOpening(node: Operator.nodeName, access: .createIfMissing)
        opening.isScratch = true
        let store = try await open(opening, on: loop)
        do throws(Failure) {
            guard try await store.isScratchStore() else {
                throw Failure(
                    .refused,
                    "fork.not-scratch",
                    "the store \(path) is not a scratch store, so it cannot hold a fork",
                    hint: "choose another file with --into \(type(of: kind).form)"
                )
            }
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    /// Fails when there is no store of any schema version.
    func requireStore(on loop: UVLoop) async throws(Failure) {
        guard kind.exists else { throw missing }
        let hasTables: Bool
        do throws(EventStoreError) {
            hasTables = try await kind.hasTables(on: loop, within: patience)
        } catch {
            throw Failure(error)
        }
        guard hasTables else { throw Failure(EventStoreError.noTables) }
    }

    /// Returns the same location, whose store gets a number of lanes when it is created.
    ///
    /// - Throws: A usage failure when there cannot be as many, or its kind has no lanes.
    func creating(lanes: Int) throws(Failure) -> StoreLocation {
        let counts = type(of: kind).laneCounts
        guard !counts.isEmpty else {
            throw .usage(
                "lanes",
                "--lanes requires a PostgreSQL store",
                hint: "a SQLite file has one writer, and so one commit order"
            )
        }
        guard counts.contains(lanes) else {
            throw .usage(
                "lanes",
                "the number of lanes must be a power of two, at most 64",
                hint: "use 1, 2, 4, 8, 16, 32 or 64; 8 is the default"
            )
        }
        var location = self
        location.lanes = lanes
        return location
    }

    private func open(
        _ opening: StoreOpening,
        on loop: UVLoop
    ) async throws(Failure) -> any PersistentStore {
        do throws(EventStoreError) {
            return try await kind.open(opening, on: loop)
        } catch {
            throw Failure(error)
        }
    }

    /// The failure for a file that does not exist: not an outage, because waiting does not help.
    private var missing: Failure {
        Failure(
            .unknown,
            "store.no-database",
            "the store \(path) does not exist",
            hint:
                "choose the store with --store \(type(of: kind).form), or create it with "
                + "'workflowctl store init'; 'open' also creates it, and 'demo --store' creates "
                + "one to learn with"
        )
    }
}
