internal import EventLog
internal import SwedbankPay

extension EventStoreContract {
    static let reading: [Check] = [
        Check("a log is read from any place and in pieces of any length") { place in
            let store = try await place.open()
            let session = SampleSession(1)
            let other = SampleSession(2)
            for version in SequenceNumber(0)..<10 {
                try await store.append(session.append(after: version))
                try await store.append(other.append(after: version))
            }
            let ranges: [(from: SequenceNumber, limit: Int, found: [SequenceNumber])] = [
                (1, 3, [1, 2, 3]), (4, 3, [4, 5, 6]), (9, 5, [9, 10]), (10, 1, [10]), (11, 5, []),
                (0, 2, [1, 2]), (-5, 2, [1, 2]), (3, 0, []), (3, -1, []),
            ]
            for (first, limit, expected) in ranges {
                let found = try await store.read(session.id, from: first, limit: limit)
                try expect(
                    found,
                    is: expected.map(session.record),
                    "from \(first), limit \(limit)"
                )
            }
            await store.close()
        },
        Check("an unknown session has no records, no head and no key") { place in
            let store = try await place.open()
            try await store.append(SampleSession(1).append(after: 0))
            let unknown = SampleSession(2).id
            let records = try await store.read(unknown, from: 1, limit: 10)
            try expect(records, is: [], "the log of an unknown session")
            let head = try await store.head(of: unknown)
            try expect(head, is: nil, "the head of an unknown session")
            let key = try await store.wrappedKey(of: unknown)
            try expect(key, is: nil, "the key of an unknown session")
            await store.close()
        },
        Check("what a session begins with is read at once") { place in
            let store = try await place.open()
            let session = SampleSession(1)
            for version in SequenceNumber(0)..<4 {
                try await store.append(session.append(after: version))
            }
            let beginning = try await store.beginning(of: session.id, limit: 3)
            try expect(beginning.records, is: [1, 2, 3].map(session.record), "its first records")
            let key = try await store.wrappedKey(of: session.id)
            try expect(beginning.wrappedKey, is: key, "its key")
            let unknown = try await store.beginning(of: SampleSession(2).id, limit: 3)
            try expect(unknown.records, is: [], "the first records of an unknown session")
            try expect(unknown.wrappedKey, is: nil, "the key of an unknown session")
            await store.close()
        },
        Check("the head is the last record's place and hash") { place in
            let store = try await place.open()
            let session = SampleSession(1)
            for version in SequenceNumber(0)..<3 {
                try await store.append(session.append(after: version))
                let head = try await store.head(of: session.id)
                let hash = session.digest(version + 1)
                try expect(head, is: StreamHead(sequence: version + 1, hash: hash), "the head")
            }
            await store.close()
        },
        Check("the wrapped key stays until an append brings another one") { place in
            let store = try await place.open()
            let session = SampleSession(1)
            try await store.append(session.append(after: 0))
            try await store.append(session.append(after: 1))
            let first = try await store.wrappedKey(of: session.id)
            try expect(first, is: session.wrappedKey, "the wrapped key")
            var later = session.append(after: 2)
            later.wrappedKey = [9, 9, 9]
            try await store.append(later)
            try await expectConflict(session.append(after: 2), at: 3, in: store, "an old version")
            let key = try await store.wrappedKey(of: session.id)
            try expect(key, is: [9, 9, 9], "the wrapped key")
            await store.close()
        },
        Check("where a log ends and comes from stands in its row, and stays what it was") { place in
            let store = try await place.open()
            let (own, other) = (SampleSession(1), SampleSession(2))
            try await store.append(own.append(after: 0) { $0.headMAC = own.digest(9) })
            try await store.append(other.append(after: 0) { $0.origin = .imported })
            try await store.append(own.append(after: 1) { $0.headMAC = own.digest(8) })
            // An append does not change where a session comes from.
            try await store.append(other.append(after: 1))
            let row = try await store.row(of: own.id)
            try expect(row, is: own.summary(2) { $0.headMAC = own.digest(8) }, "its row")
            let beginning = try await store.beginning(of: other.id, limit: 10)
            try expect(beginning.row?.origin, is: .imported, "where it comes from")
            for (origin, session) in [(SessionOrigin.own, own), (.imported, other)] {
                let rows = try await store.sessions(matching: SessionQuery(origin: origin))
                try expect(rows.map(\.session), is: [session.id], "the sessions that are \(origin)")
            }
            await store.close()
        },
        Check("the changes name the sessions that were appended to by any handle, once") { place in
            let stores = [try await place.open(), try await place.open()]
            try await stores[1].append(SampleSession(1).append(after: 0))
            // A store without an order over all sessions complies by returning `nil`.
            guard let start = try await stores[0].changes(after: nil, limit: 1) else { return }
            try expect(start.heads, is: [:], "changes without a log position")
            let (first, second) = (SampleSession(1), SampleSession(2))
            try await stores[1].append(first.append(after: 1))
            try await stores[0].append(second.append(after: 0))
            try await stores[1].append(first.append(after: 2))
            let piece = try await stores[0].changes(after: start.cursor, limit: 2)
            try expect(piece?.heads, is: [first.id: 2, second.id: 1], "the first two records")
            try expect(piece?.isComplete, is: false, "whether that was all")
            let rest = try await stores[0].changes(after: piece?.cursor, limit: 10)
            try expect(rest?.heads, is: [first.id: 3], "the rest")
            try expect(rest?.isComplete, is: true, "whether that was all")
            let none = try await stores[0].changes(after: rest?.cursor, limit: 10)
            try expect(none?.heads, is: [:], "changes after the newest record")
            try expect(none?.cursor, is: rest?.cursor, "the place then")
            for store in stores { await store.close() }
        },
        Check("a log position is valid on every handle, also after it was saved as text") { place in
            let (writer, reader) = (try await place.open(), try await place.open())
            let session = SampleSession(1)
            for version in SequenceNumber(0)..<3 {
                try await writer.append(session.append(after: version))
            }
            let all = try await writer.records(after: nil, limit: 10)
            try expect(all.map(\.record), is: (1...3).map(session.record), "the records")
            for (index, record) in all.enumerated() {
                let cursor = LogCursor("\(record.cursor)")
                try expect(cursor, is: record.cursor, "the log position from its text")
                let rest = try await reader.records(after: cursor, limit: 10)
                try expect(rest, is: Array(all[(index + 1)...]), "the records after it")
            }
            await writer.close()
            await reader.close()
        },
        Check("a log position of another store, of another epoch or beyond the end is refused") {
            place in
            let store = try await place.open()
            let empty = try await store.records(after: nil, limit: 10)
            try expect(empty, is: [], "the records of an empty store")
            for version in SequenceNumber(0)..<2 {
                try await store.append(SampleSession(1).append(after: version))
            }
            guard let end = try await store.records(after: nil, limit: 10).last?.cursor else {
                throw ContractViolation("there are no records")
            }
            let last = end.position(inLane: end.lane) ?? 0
            let (id, epoch) = (end.store.id, end.store.epoch)
            let otherID = (id.hasPrefix("0") ? "1" : "0") + id.dropFirst()
            let refused: [(String, StoreIdentity?, Int64, LogCursor.Refusal)] = [
                ("another store", StoreIdentity(id: otherID, epoch: epoch), last, .otherStore),
                (
                    "another epoch", StoreIdentity(id: id, epoch: epoch + 1), 0,
                    .otherEpoch(epoch + 1, current: epoch)
                ),
                ("beyond the end", end.store, last + 1, .beyondEnd),
                ("far beyond the end", end.store, .max, .beyondEnd),
            ]
            // One handle has read to the end, the other one has read nothing.
            for store in [store, try await place.open()] {
                for (what, identity, position, refusal) in refused {
                    guard let identity else { throw ContractViolation("\(what): no identity") }
                    let positions = (0..<end.lanes).map { $0 == end.lane ? position : 0 }
                    let cursor = LogCursor(store: identity, positions: positions, lane: end.lane)
                    let calls: [(String, () async throws(EventStoreError) -> Void)] = [
                        (
                            "records",
                            { () throws(EventStoreError) in
                                _ = try await store.records(after: cursor, limit: 10)
                            }
                        ),
                        (
                            "changes",
                            { () throws(EventStoreError) in
                                // A store without an order over all sessions complies.
                                if try await store.changes(after: cursor, limit: 10) == nil {
                                    throw .cursorRefused(refusal)
                                }
                            }
                        ),
                    ]
                    for (call, work) in calls {
                        try await expect(.cursorRefused(refusal), from: "\(call) \(what)", work)
                    }
                }
                let rest = try await store.records(after: end, limit: 10)
                try expect(rest, is: [], "the records after the end")
                let next = try await store.changes(after: end, limit: 10)?.cursor ?? end
                try expect(next, is: end, "the end")
            }
            await store.close()
        },
        Check("the change counter moves with every append of any handle and only then") { place in
            let stores = [try await place.open(), try await place.open()]
            var before = try await stores[0].changeCounter()
            for version in SequenceNumber(0)..<4 {
                let again = try await stores[0].changeCounter()
                try expect(again, is: before, "the counter when nothing has happened")
                let writer = stores[version.count % 2]
                try await writer.append(SampleSession(1).append(after: version))
                let after = try await stores[0].changeCounter()
                try expect(after != before, "the counter did not move at append \(version + 1)")
                before = after
            }
            for store in stores { await store.close() }
        },
    ]
}
