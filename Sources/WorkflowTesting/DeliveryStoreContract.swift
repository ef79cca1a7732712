internal import EventLog
internal import SwedbankPay

extension DeliveryStoreContract {
    /// All checks.
    public static var checks: [Check] {
        [
            Check("a consumer's progress is kept, for other handles too, and never goes back") {
                store,
                other in
                let session = try await begin(1, 5, in: store)
                let mine = claim(1)
                try await expect([.start], from: store, [.claim(session)], mine)
                let five = DeliveryProgress(position: 5, dropped: 2)
                try await expect([five], from: store, [.advance(session, five)], mine)
                let three = DeliveryProgress(position: 3, dropped: 9)
                try await expect([five], from: store, [.release(session, three)], mine)
                try await expect([five], from: other, [.claim(session)], claim(2))
            },
            Check("a session that one worker has is not given to another, until the claim ends") {
                store,
                other in
                let session = try await begin(1, 3, in: store)
                let progress = DeliveryProgress(position: 2, dropped: 0)
                try await expect([.start], from: store, [.claim(session)], claim(1, until: 60))
                try await expect([nil], from: other, [.claim(session)], claim(2), at: 59)
                try await expect(
                    [nil],
                    from: other,
                    [.advance(session, progress)],
                    claim(2),
                    at: 59
                )
                try await expect(
                    [nil],
                    from: other,
                    [.release(session, progress)],
                    claim(2),
                    at: 59
                )
                // The claim's own worker may renew it, and so keeps it for longer.
                try await expect(
                    [.start],
                    from: store,
                    [.claim(session)],
                    claim(1, until: 90),
                    at: 50
                )
                try await expect([nil], from: other, [.claim(session)], claim(2), at: 89)
                try await expect(
                    [.start],
                    from: other,
                    [.claim(session)],
                    claim(2, until: 200),
                    at: 90
                )
                try await expect(
                    [nil],
                    from: store,
                    [.advance(session, progress)],
                    claim(1),
                    at: 91
                )
                try await expect(
                    [progress],
                    from: other,
                    [.release(session, progress)],
                    claim(2),
                    at: 91
                )
                try await expect([progress], from: store, [.claim(session)], claim(1), at: 92)
            },
            Check("only what was not delivered to a consumer is found, oldest first") {
                store,
                _ in
                var sessions: [SessionID] = []
                for number in 1...6 { sessions.append(try await begin(number, 4, in: store)) }
                let mine = claim(1, until: 60)
                let all = DeliveryProgress(position: 4, dropped: 0)
                let part = DeliveryProgress(position: 3, dropped: 0)
                try await expect(
                    [.start, .start, .start, all, part],
                    from: store,
                    [
                        .claim(sessions[1]), .claim(sessions[2]), .claim(sessions[4]),
                        .release(sessions[1], all), .release(sessions[2], part),
                    ],
                    mine
                )
                let found = { (query: UndeliveredQuery) in
                    try await store.sessionsUndelivered(matching: query)
                }
                var query = UndeliveredQuery(
                    consumer: "telemetry",
                    openedSince: SampleSession(1).openedAt,
                    now: at(10),
                    limit: 10
                )
                let (first, third, fourth, sixth) = (
                    sessions[0], sessions[2], sessions[3], sessions[5]
                )
                try same(try await found(query), [first, third, fourth, sixth], "what is left")
                query.now = at(60)
                try same(
                    try await found(query),
                    [first, third, fourth, sessions[4], sixth],
                    "what is left when a claim has ended"
                )
                query.after = third
                query.limit = 2
                try same(try await found(query), [fourth, sessions[4]], "what comes after")
                query.openedSince = SampleSession(6).openedAt
                try same(try await found(query), [sixth], "what is young enough")
                // Another consumer has received nothing yet.
                query = UndeliveredQuery(
                    consumer: "other",
                    openedSince: SampleSession(1).openedAt,
                    now: at(10),
                    limit: 10
                )
                try same(
                    try await found(query),
                    sessions,
                    "what was not delivered to another consumer"
                )
            },
            Check("progress with a session that is not there is refused alone") { store, _ in
                let session = try await begin(1, 2, in: store)
                let unknown = SampleSession(99).id
                try await expect(
                    [nil, .start],
                    from: store,
                    [.claim(unknown), .claim(session)],
                    claim(1)
                )
            },
        ]
    }

    private static func at(_ seconds: Int) -> Instant { SampleSession.start + .seconds(seconds) }

    private static func claim(_ worker: Int64, until seconds: Int = 60) -> DeliveryClaim {
        DeliveryClaim(consumer: "telemetry", worker: worker, until: at(seconds))
    }

    private static func begin(
        _ number: Int,
        _ records: Int,
        in store: any DeliveryStore
    ) async throws -> SessionID {
        let session = SampleSession(number)
        try await store.append(session.append(records, after: 0))
        return session.id
    }

    private static func expect(
        _ expected: [DeliveryProgress?],
        from store: any DeliveryStore,
        _ changes: [DeliveryChange],
        _ claim: DeliveryClaim,
        at seconds: Int = 0
    ) async throws {
        let found = try await store.changeDeliveries(changes, by: claim, at: at(seconds))
        try same(found, expected, "the progress after \(changes)")
    }

    private static func same<Value: Equatable>(
        _ found: Value,
        _ expected: Value,
        _ what: String
    ) throws(ContractViolation) {
        try EventStoreContract.expect(found, is: expected, what)
    }
}
