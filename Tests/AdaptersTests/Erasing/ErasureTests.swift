import Testing

@testable import Adapters
@testable import EventLog
@testable import EventStores
@testable import SwedbankPay
@testable import Workflow

@Suite struct ErasureTests {
    private static let begin = Instant(microseconds: 1_763_640_000_000_000)

    private let vault: MasterKeyVault

    init() throws { vault = try MasterKeyVault(masterKey: [UInt8](1...32)) }

    /// Writes a session of one event, with a data key.
    private func fill(
        _ store: SQLiteEventStore,
        _ number: Int,
        _ event: SessionEvent = .refetchRequested(RefetchRequested(by: "host"))
    ) async throws -> SessionID {
        let session = SessionID(at: Self.begin, random: (7, UInt64(number)))
        let event = RecordedEvent(
            stream: session,
            sequence: 1,
            at: Self.begin,
            event: event,
            metadata: EventMetadata(build: "1", catalogue: "", cause: "command.refetch", node: "n")
        )
        var append = StreamAppend(
            stream: session,
            expectedVersion: 0,
            records: [try RecordWriter.unsealedRecord(event, after: .empty)],
            summary: SessionSummary(
                session: session,
                phase: "opening",
                isSettled: false,
                lastSequence: 1,
                openedAt: Self.begin,
                lastAt: Self.begin
            )
        )
        append.wrappedKey = try await vault.makeKeys(for: session).wrapped
        try await store.append(append)
        return session
    }

    private func trail(of store: SQLiteEventStore) -> AuditTrail {
        AuditTrail(
            of: store,
            by: SessionDecider(catalogue: .bundled),
            build: "1",
            node: "n",
            now: { Self.begin },
            vault: { nil }
        )
    }

    private func erasure(in store: SQLiteEventStore) -> Erasure {
        Erasure(in: store, recordedBy: trail(of: store), patience: .zero)
    }

    @Test func `an erasure is recorded, removes the traces itself, and may be repeated`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let session = try await fill(store, 1)
            let erasure = erasure(in: store)
            let first = await erasure.erase([session], nil, by: "anna", reason: "request 17") { _ in
            }
            #expect(first.erased[session]?.isDestroyed == true)
            #expect(first.erased[session]?.sequence == 2)
            #expect(first.traces == .done)
            #expect(try await store.wrappedKey(of: session) == nil)
            let again = await erasure.erase([session], nil, by: "anna", reason: nil) { _ in }
            #expect(again.erased[session]?.isDestroyed == false)
            #expect(again.erased[session]?.sequence == 2)
            await store.close()
        }
    }

    @Test func `an erased session has no terms in the search index, however often it is built`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let confirmed = OrderConfirmed(
                order: "/psp/paymentorders/4711",
                number: nil,
                instrument: nil,
                currency: nil,
                amount: nil,
                transactionType: nil
            )
            let erased = try await fill(store, 1, .checkout(.orderConfirmed(confirmed)))
            let kept = try await fill(store, 2, .checkout(.orderConfirmed(confirmed)))
            // Only an erasure removes terms.
            let other = OperatorActed(by: "anna", action: "reveal", reason: "request 17")
            for session in [erased, kept] {
                try await trail(of: store).record(other, of: session, mayLackKeys: true)
            }
            func found() async throws -> [SessionID] {
                var index = SearchIndex(of: store, by: vault)
                let update = try await index.update { _, _ in }
                #expect(update.isComplete)
                return try await store.sessions(withTermsBeginning: ["t/psp/"], limit: 9)
            }
            #expect(try await found() == [kept, erased])
            _ = await erasure(in: store).erase([erased], nil, by: "anna", reason: nil) { _ in }
            #expect(try await found() == [kept])
            try await store.restartSearch("of other rules")
            #expect(try await found() == [kept])
            await store.close()
        }
    }

    @Test func `an erasure of several sessions says why the removal of traces is pending`()
        async throws
    {
        try await StoreFile.with { file in
            // It waits for the reader below, which never lets go by itself.
            let store = try await SQLiteEventStore(
                path: file.path,
                options: SQLiteOptions(busyTimeout: .milliseconds(100))
            )
            let sessions = [try await fill(store, 1), try await fill(store, 2)]
            let erasure = erasure(in: store)
            let reader = try SQLiteConnection(path: file.path, readOnly: true, busyTimeout: .zero)
            try reader.execute("BEGIN; SELECT * FROM session_keys")
            var reached: [Int] = []
            let erased = await erasure.erase(sessions, nil, by: "anna", reason: "retention") {
                reached.append($0)
            }
            #expect(Set(erased.erased.keys) == Set(sessions))
            #expect(erased.inUse.isEmpty && erased.failure == nil)
            #expect(reached == [1, 2])
            guard case .postponed = erased.traces else {
                Issue.record("it was said to be done")
                return
            }
            try reader.execute("COMMIT")
            let rest = await erasure.erase([], nil, by: "anna", reason: nil) { _ in }
            #expect(rest.traces == .done)
            await store.close()
        }
    }
}
