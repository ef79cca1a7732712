internal import EventLog
internal import SwedbankPay

extension EventStoreContract {
    static let addresses: [Check] = [
        Check("a second session of an address is refused and names the first") { place in
            let (store, other) = (try await place.open(), try await place.open())
            let first = SampleSession(1)
            let address = first.digest(77)
            try await store.append(opening(first, at: address))
            for (handle, number) in [(store, 2), (other, 3)] {
                try await expectTaken(
                    opening(SampleSession(number), at: address),
                    by: first,
                    in: handle
                )
                let head = try await handle.head(of: SampleSession(number).id)
                let key = try await handle.wrappedKey(of: SampleSession(number).id)
                try expect(head == nil && key == nil, "nothing is left of a refused session")
            }
            let ended: (inout SessionSummary) -> Void = { row in
                row.addressFingerprint = address
                row.phase = SessionSummary.ended
                row.outcome = "completed"
            }
            try await store.append(first.append(after: 1, change: ended))
            try await expectTaken(opening(SampleSession(4), at: address), by: first, in: other)
            try expect(
                try await other.session(ofAddress: address),
                is: first.id,
                "the session found"
            )
            let rows = try await store.sessions(matching: SessionQuery())
            try expect(rows, is: [first.summary(2, change: ended)], "the rows")
            await store.close()
            await other.close()
        },
        Check("sessions of other addresses, or of none, don't exclude each other") { place in
            let store = try await place.open()
            for number in 1...4 { try await store.append(SampleSession(number).append(after: 0)) }
            for number in 5...8 {
                let session = SampleSession(number)
                try await store.append(opening(session, at: session.digest(SequenceNumber(number))))
            }
            // A session may learn of an address that another one has: it exists already.
            let late = SampleSession(1)
            try await store.append(
                late.append(after: 1) { $0.addressFingerprint = late.digest(5) }
            )
            let rows = try await store.sessions(matching: SessionQuery())
            try expect(rows.count, is: 8, "the sessions")
            let none = try await store.session(ofAddress: late.digest(99))
            try expect(none, is: nil, "the session of an unknown address")
            await store.close()
        },
        Check("of writers that open an address at the same time exactly one succeeds") {
            place in
            let stores = [try await place.open(), try await place.open(), try await place.open()]
            for round in 0..<8 {
                let address = SampleSession(1).digest(SequenceNumber(round))
                let outcomes = await withTaskGroup(
                    of: Result<SessionID, EventStoreError>.self,
                    returning: [Result<SessionID, EventStoreError>].self
                ) { group in
                    for racer in 0..<12 {
                        let session = SampleSession(100 * round + racer + 1)
                        group.addTask {
                            do throws(EventStoreError) {
                                try await stores[racer % 3].append(opening(session, at: address))
                                return .success(session.id)
                            } catch {
                                return .failure(error)
                            }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                let winners = outcomes.compactMap { try? $0.get() }
                try expect(winners.count, is: 1, "the sessions of an address in round \(round)")
                for outcome in outcomes {
                    guard case .failure(let error) = outcome, let winner = winners.first else {
                        continue
                    }
                    try expect(error, is: .addressTaken(by: winner), "what the others receive")
                }
            }
            for store in stores { await store.close() }
        },
    ]

    private static func opening(_ session: SampleSession, at address: Digest256) -> StreamAppend {
        session.append(after: 0) { $0.addressFingerprint = address }
    }

    private static func expectTaken(
        _ append: StreamAppend,
        by owner: SampleSession,
        in store: any EventStore
    ) async throws(ContractViolation) {
        do throws(EventStoreError) {
            try await store.append(append)
        } catch {
            return try expect(
                error,
                is: .addressTaken(by: owner.id),
                "a second session of an address"
            )
        }
        throw ContractViolation("a second session of an address was written")
    }
}
