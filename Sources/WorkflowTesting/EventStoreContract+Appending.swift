internal import EventLog
internal import SwedbankPay

extension EventStoreContract {
    static let appending: [Check] = [
        Check("records stand at 1, 2, 3 and so on, as they were given") { place in
            let store = try await place.open()
            let session = SampleSession(1)
            try await store.append(session.append(after: 0))
            try await store.append(session.append(3, after: 1))
            try await store.append(session.append(after: 4))
            let records = try await store.read(session.id, from: 1, limit: 100)
            try expect(records, is: (1...5).map(session.record), "the log")
            await store.close()
        },
        Check(
            "an expected version that is too low, used twice or too high is a conflict and writes nothing"
        ) {
            place in
            let store = try await place.open()
            let session = SampleSession(1)
            try await expectConflict(
                session.append(after: 1),
                at: 0,
                in: store,
                "version 1 of an unknown session"
            )
            try await store.append(session.append(2, after: 0))
            try await expectConflict(
                session.append(after: 0),
                at: 2,
                in: store,
                "opening it a second time"
            )
            try await expectConflict(
                session.append(after: 1),
                at: 2,
                in: store,
                "a stale version"
            )
            try await expectConflict(
                session.append(after: 3),
                at: 2,
                in: store,
                "a version too high"
            )
            let records = try await store.read(session.id, from: 1, limit: 100)
            try expect(records.map(\.sequence), is: [1, 2], "the log after conflicts")
            let last = try await store.sessions(matching: SessionQuery()).map(\.lastSequence)
            try expect(last, is: [2], "the projection after conflicts")
            await store.close()
        },
        Check(
            "an append that has a gap, a record of another session or no record is refused as a whole"
        ) { place in
            let store = try await place.open()
            let session = SampleSession(1)
            try await store.append(session.append(after: 0))
            var gap = session.append(3, after: 1)
            gap.records[1].sequence = 5
            var stranger = session.append(2, after: 1)
            stranger.records[1].stream = SampleSession(2).id
            var empty = session.append(after: 1)
            empty.records = []
            for (append, what) in [
                (gap, "a gap"), (stranger, "a record of another session"), (empty, "no record"),
            ] {
                try await expect("store.corrupt", from: what) { () throws(EventStoreError) in
                    try await store.append(append)
                }
            }
            let head = try await store.head(of: session.id)
            try expect(head?.sequence, is: 1, "the head after refused appends")
            try await store.append(session.append(after: 1))
            await store.close()
        },
        Check("a long append is stored in one piece and in order") { place in
            let store = try await place.open()
            let session = SampleSession(1)
            try await store.append(session.append(2_000, after: 0))
            let records = try await store.read(session.id, from: 1, limit: 5_000)
            try expect(records == (1...2_000).map(session.record), "2,000 records in order")
            await store.close()
        },
    ]
}
