internal import EventLog
internal import SwedbankPay

extension EventStoreContract {
    static let atOnce: [Check] = [
        Check("64 sessions that append at the same time don't disturb each other") { place in
            let store = try await place.open()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...64 {
                    group.addTask {
                        let session = SampleSession(number)
                        for version in SequenceNumber(0)..<10 {
                            try await store.append(session.append(after: version))
                        }
                    }
                }
                try await group.waitForAll()
            }
            for number in 1...64 {
                let session = SampleSession(number)
                let records = try await store.read(session.id, from: 1, limit: 100)
                try expect(records == (1...10).map(session.record), "the log of session \(number)")
            }
            await store.close()
        },
        Check("conflicts fail alone among the appends that are written with them") { place in
            let store = try await place.open()
            for number in 1...32 { try await store.append(SampleSession(number).append(after: 0)) }
            let refused = await withTaskGroup(of: Int?.self, returning: Set<Int>.self) { group in
                for number in 1...32 {
                    let version: SequenceNumber = number.isMultiple(of: 3) ? 0 : 1
                    group.addTask {
                        do throws(EventStoreError) {
                            try await store.append(SampleSession(number).append(after: version))
                            return nil
                        } catch {
                            return number
                        }
                    }
                }
                return await group.reduce(into: []) { if let number = $1 { $0.insert(number) } }
            }
            let expected = Set((1...32).filter { $0.isMultiple(of: 3) })
            try expect(refused, is: expected, "the refused sessions")
            for number in 1...32 {
                let head = try await store.head(of: SampleSession(number).id)
                try expect(head?.sequence, is: number.isMultiple(of: 3) ? 1 : 2, "a head")
            }
            await store.close()
        },
        Check("of writers that fight for a stream exactly one wins each version") { place in
            let stores = [try await place.open(), try await place.open()]
            let session = SampleSession(1)
            let versions: SequenceNumber = 25
            let wins = try await withThrowingTaskGroup(of: Int.self) { group in
                for store in stores + stores {
                    group.addTask { try await fight(for: session, in: store, upTo: versions) }
                }
                return try await group.reduce(0, +)
            }
            try expect(wins, is: versions.count, "the appends that were acknowledged")
            let records = try await stores[0].read(session.id, from: 1, limit: 1000)
            try expect(
                records == (SequenceNumber.first...versions).map(session.record),
                "the log after the fight"
            )
            for store in stores { await store.close() }
        },
        // The guarantee feedComplete.
        Check("a subscriber misses no record and sees none twice while others append") { place in
            let stores = [try await place.open(), try await place.open()]
            let reader = try await place.open()
            let (sessions, versions) = (12, SequenceNumber(12))
            async let seen = follow(reader, until: sessions * versions.count)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...sessions {
                    let store = stores[number % stores.count]
                    group.addTask {
                        let session = SampleSession(number)
                        for version in SequenceNumber.zero..<versions {
                            try await store.append(session.append(after: version))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let found = try await seen
            for number in 1...sessions {
                let session = SampleSession(number)
                let records = found.map(\.record).filter { $0.stream == session.id }
                try expect(
                    records == (SequenceNumber.first...versions).map(session.record),
                    "what was seen of one"
                )
            }
            for (before, next) in zip([nil] + found.map(\.cursor), found.map(\.cursor)) {
                try expect(next.distance(from: before), is: 1, "the steps between log positions")
                try expect(before.map(next.hasReached) ?? true, "a log position went back")
            }
            let again = try await reader.records(after: nil, limit: 10_000)
            for lane in 0..<(found.last?.cursor.lanes ?? 0) {
                func seen(_ records: [PositionedRecord]) -> [StoredRecord] {
                    records.filter { $0.cursor.lane == lane }.map(\.record)
                }
                try expect(seen(again) == seen(found), "what a second reading sees in a lane")
            }
            try expect(again.count, is: found.count, "what a second reading sees")
            let rest = try await reader.records(after: found.last?.cursor, limit: 10)
            try expect(rest.isEmpty, "there is something after the end")
            for store in stores + [reader] { await store.close() }
        },
    ]

    /// Reads from the last log position until this many records were seen.
    private static func follow(
        _ store: any EventStore,
        until count: Int
    ) async throws -> [PositionedRecord] {
        var seen: [PositionedRecord] = []
        // Appends to a busy disk may take seconds each.
        var patience = 300_000
        while seen.count < count, patience > 0 {
            let new = try await store.records(after: seen.last?.cursor, limit: 7)
            seen += new
            guard new.isEmpty else { continue }
            patience -= 1
            try await Task.sleep(for: .milliseconds(1))
        }
        return seen
    }

    /// Appends until a version is reached, starting again from the head after each conflict.
    ///
    /// - Returns: The number of acknowledged appends.
    private static func fight(
        for session: SampleSession,
        in store: any EventStore,
        upTo last: SequenceNumber
    ) async throws -> Int {
        var wins = 0
        while true {
            let version = try await store.head(of: session.id)?.sequence ?? 0
            if version >= last { return wins }
            do throws(EventStoreError) {
                try await store.append(session.append(after: version))
                wins += 1
            } catch {
                guard case .conflict(_, _, let actual) = error, actual > version else {
                    throw error
                }
            }
        }
    }
}
