import Testing

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// A session whose data key another process destroys.
@Suite struct ErasedSessionTests {
    @Test(.timeLimit(.minutes(10)))
    func `a subscription ends with the erasure of its session, and the key leaves memory`()
        async throws
    {
        let fixture = EngineFixture()
        Task { [engine = fixture.engine] in await engine.run() }
        let session = try await fixture.open()
        #expect(try await fixture.ended(session)?.outcome == .completed)
        let updates = try await fixture.engine.updates(of: session)
        #expect(await fixture.engine.holds(session))

        let records = try await fixture.store.read(session, from: 1, limit: 10_000)
        let (last, events) = (try #require(records.last), try await fixture.events(of: session))
        let erasure = RecordedEvent(
            stream: session,
            sequence: last.sequence + 1,
            at: last.at,
            event: .operatorActed(
                OperatorActed(by: "privacy-desk", action: OperatorActed.erasure, reason: "asked")
            ),
            metadata: try #require(events.last).metadata
        )
        let wrapped = try #require(try await fixture.store.wrappedKey(of: session))
        let record = try RecordWriter.unsealedRecord(
            erasure,
            after: StreamHead(sequence: last.sequence, hash: last.hash),
            keys: try await fixture.vault.keys(unwrapping: wrapped, for: session)
        )
        var rows = try await fixture.store.sessions(matching: SessionQuery(limit: 10))
        rows.removeAll { $0.session != session }
        var row = try #require(rows.first)
        row.lastSequence = record.sequence
        try await fixture.store.append(
            StreamAppend(
                stream: session,
                expectedVersion: last.sequence,
                records: [record],
                summary: row
            )
        )

        // The stream ends by itself.
        var told: [RecordedEvent] = []
        for await update in updates { told += update.events }
        #expect(told.last == erasure)
        while await fixture.engine.holds(session) { await Task.yield() }
        await fixture.engine.shutdown()
    }
}
