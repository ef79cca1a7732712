internal import EventLog
internal import SwedbankPay

extension EventStoreContract {
    static let projecting: [Check] = [
        Check("a session's row follows its log with every member") { place in
            let store = try await place.open()
            let session = SampleSession(1)
            try await store.append(session.append(after: 0))
            let bare = try await store.sessions(matching: SessionQuery())
            try expect(bare, is: [session.summary(1)], "a row with the least members")
            let phases = ["opening", "ready", "working", "ended"]
            for (index, phase) in phases.enumerated() {
                let version = SequenceNumber(index).next
                let change: (inout SessionSummary) -> Void = { row in
                    row.phase = phase
                    row.outcome = phase == SessionSummary.ended ? "completed" : nil
                    row.isSettled = index % 2 == 0
                    row.reference = "order åäö \(index)"
                    row.label = "label \(index)"
                    row.problem = index % 2 == 0 ? nil : "requestFailed"
                    row.dueAt = session.openedAt + .seconds(index)
                    row.addressFingerprint = session.digest(version)
                    row.facts = index == 1 ? nil : facts(index)
                }
                try await store.append(session.append(after: version, change: change))
                let rows = try await store.sessions(matching: SessionQuery())
                try expect(rows, is: [session.summary(version + 1, change: change)], "the row")
            }
            await store.close()
        },
        Check("a row never goes back") { place in
            let store = try await place.open()
            let session = SampleSession(1)
            try await store.append(session.append(2, after: 0))
            // Rejected: its row belongs to an earlier event than its records.
            var stale = session.append(after: 2)
            stale.summary.lastSequence = 1
            try? await store.append(stale)
            let rows = try await store.sessions(matching: SessionQuery())
            try expect(rows, is: [session.summary(2)], "the row")
            await store.close()
        },
        Check("sessions are found by each condition and by several, newest first") { place in
            let store = try await place.open()
            try await fill(store)
            let at = { (number: Int) in SampleSession(number).openedAt }
            let mark = SampleSession(4).digest(44)
            let due = SampleSession.start + .seconds(103)
            let cases: [(SessionQuery, [Int])] = [
                (SessionQuery(), [6, 5, 4, 3, 2, 1]),
                (SessionQuery(phase: "ready"), [4, 2]),
                (SessionQuery(outcome: "completed"), [6]),
                (SessionQuery(outcome: "failed"), []),
                (SessionQuery(isOpen: true), [5, 4, 3, 2, 1]),
                (SessionQuery(isOpen: false), [6]),
                (SessionQuery(phase: "ended", isOpen: true), []),
                (SessionQuery(problem: "requestFailed"), [5]),
                (SessionQuery(problem: "requestfailed"), []),
                (SessionQuery(hasProblem: true), [5, 3]),
                (SessionQuery(hasProblem: false), [6, 4, 2, 1]),
                (SessionQuery().with(money: "unknown"), [5, 2]),
                (SessionQuery().with(money: "confirmed"), [6]),
                (SessionQuery().with(host: "two.example"), [5, 3]),
                (SessionQuery().with(turn: "merchant"), [5]),
                (SessionQuery().with(turn: "payer"), [3]),
                (SessionQuery().with(orderReference: "books-1"), [6, 3]),
                (SessionQuery().with(orderReference: "books"), []),
                (SessionQuery(hasFacts: true), [6, 5, 3, 2]),
                (SessionQuery(hasFacts: false), [4, 1]),
                (SessionQuery(label: "odd", hasProblem: true).with(money: "unknown"), [5]),
                (SessionQuery(referencePrefix: "order-"), [6, 5, 4, 3, 2, 1]),
                (SessionQuery(referencePrefix: "rder-"), []),
                (SessionQuery(ending: "000000000063"), [6, 5, 4, 3, 2, 1]),
                (SessionQuery(ending: "000000000064"), []),
                (SessionQuery(ending: "063", before: SampleSession(4).id), [3, 2, 1]),
                (SessionQuery(label: "odd"), [5, 3, 1]),
                (SessionQuery(since: at(4)), [6, 5, 4]),
                (SessionQuery(until: at(4)), [3, 2, 1]),
                (SessionQuery(since: at(2), until: at(4)), [3, 2]),
                (SessionQuery(reference: "order-2"), [2]),
                (SessionQuery(reference: "order-"), []),
                (SessionQuery(addressFingerprint: mark), [4]),
                (SessionQuery(overdueSince: due), [3, 2, 1]),
                (SessionQuery(before: SampleSession(3).id), [2, 1]),
                (SessionQuery(before: SampleSession(5).id, limit: 2), [4, 3]),
                (SessionQuery(limit: 0), []),
                (SessionQuery(phase: "ready", label: "even", since: at(3), limit: 5), [4]),
            ]
            for (query, expected) in cases {
                let found = try await store.sessions(matching: query).map(\.session)
                try expect(found, is: expected.map { SampleSession($0).id }, "\(query)")
            }
            await store.close()
        },
        Check("due sessions come in the order of their times, and only those") { place in
            let store = try await place.open()
            let due: [(Int, Int?)] = [(1, 50), (2, 10), (3, nil), (4, 30), (5, 10), (6, 70)]
            for (number, seconds) in due {
                let session = SampleSession(number)
                try await store.append(
                    session.append(after: 0) { row in
                        row.dueAt = seconds.map { SampleSession.start + .seconds($0) }
                    }
                )
            }
            let ids = { (numbers: [Int]) in numbers.map { SampleSession($0).id } }
            let by = SampleSession.start + .seconds(50)
            var found = try await store.sessionsDue(by: by, limit: 10)
            try expect(found, is: ids([2, 5, 4, 1]), "what is due")
            found = try await store.sessionsDue(by: by, limit: 2)
            try expect(found, is: ids([2, 5]), "the first two that are due")
            try await store.append(SampleSession(2).append(after: 1))
            found = try await store.sessionsDue(by: by, limit: 10)
            try expect(found, is: ids([5, 4, 1]), "what is due after one was done")
            await store.close()
        },
    ]

    /// Facts with all members, different for each number.
    static func facts(_ number: Int) -> SessionFacts {
        SessionFacts(
            turn: number == 5 ? "merchant" : number == 3 ? "payer" : "nobody",
            money: number == 6 ? "confirmed" : number == 3 ? "none" : "unknown",
            moneySince: SampleSession.start + .seconds(1000 + number),
            moneySequence: SequenceNumber(number),
            amount: Int64(number) * 100,
            net: number == 2 ? nil : Int64(number) * 90,
            currency: number == 3 ? nil : "SEK",
            host: number.isMultiple(of: 2) ? "one.example" : "two.example",
            attempts: Int64(number),
            countsWith: number == 5 ? SampleSession(1).id : nil,
            orderReference: number.isMultiple(of: 3) ? "books-1" : nil,
            marks: number == 3 ? 8 : 0
        )
    }

    /// Six sessions that differ in everything that a query can filter by.
    private static func fill(_ store: any EventStore) async throws {
        for number in [3, 1, 6, 2, 5, 4] {
            let session = SampleSession(number)
            try await store.append(
                session.append(after: 0) { row in
                    row.phase =
                        number == 6 ? "ended" : number.isMultiple(of: 2) ? "ready" : "opening"
                    row.outcome = number == 6 ? "completed" : nil
                    row.label = number.isMultiple(of: 2) ? "even" : "odd"
                    row.reference = "order-\(number)"
                    row.addressFingerprint = session.digest(SequenceNumber(number * 11))
                    // The ended session would be overdue as well.
                    row.dueAt = SampleSession.start + .seconds(number == 6 ? 1 : 100 + number)
                    row.problem = number == 5 ? "requestFailed" : number == 3 ? "https://a" : nil
                    row.facts = number == 1 || number == 4 ? nil : facts(number)
                }
            )
        }
    }
}
