internal import EventLog
internal import SwedbankPay

extension EventStoreContract {
    static let leasing: [Check] = [
        Check("a lease excludes other handles until it is given back") { place in
            let first = try await place.open()
            let second = try await place.open()
            let session = SampleSession(1).id
            let other = SampleSession(2).id
            try await expect(first, takes: session, true, "a free lease")
            try await expect(first, takes: session, true, "a lease that it holds already")
            try await expect(second, takes: session, false, "a lease that another holds")
            try await expect(second, takes: other, true, "the lease of another session")
            await second.releaseLease(on: session)
            try await expect(
                second,
                takes: session,
                false,
                "a lease that only its holder can return"
            )
            await first.releaseLease(on: session)
            try await expect(second, takes: session, true, "a lease that was given back")
            try await expect(first, takes: session, false, "a lease that it gave back")
            await first.close()
            await second.close()
        },
        Check("an append that relies on a lease is refused without it") { place in
            let first = try await place.open()
            let second = try await place.open()
            let session = SampleSession(1)
            func append(after version: SequenceNumber) -> StreamAppend {
                var append = session.append(after: version)
                append.isUnderLease = true
                return append
            }
            try await expect("store.lease-lost", from: "an append without a lease") {
                () throws(EventStoreError) in try await first.append(append(after: 0))
            }
            try await expect(first, takes: session.id, true, "a free lease")
            try await first.append(append(after: 0))
            try await expect("store.lease-lost", from: "an append under another's lease") {
                () throws(EventStoreError) in try await second.append(append(after: 1))
            }
            try await second.append(session.append(after: 1))
            await first.releaseLease(on: session.id)
            try await expect(second, takes: session.id, true, "a lease that was given back")
            try await expect("store.lease-lost", from: "an append under a lease of the past") {
                () throws(EventStoreError) in try await first.append(append(after: 2))
            }
            try await second.append(append(after: 2))
            let head = try await first.head(of: session.id)
            try expect(head?.sequence, is: 3, "the end of the log")
            await first.close()
            await second.close()
        },
        Check("closing gives leases back") { place in
            let first = try await place.open()
            let second = try await place.open()
            let session = SampleSession(1).id
            try await expect(first, takes: session, true, "a free lease")
            await first.close()
            try await expect(second, takes: session, true, "the lease of a handle that was closed")
            await second.close()
        },
    ]

    static let lasting: [Check] = [
        Check("what was acknowledged is there when the store is opened again") { place in
            let session = SampleSession(1)
            var store = try await place.open()
            try await store.append(session.append(3, after: 0) { $0.reference = "order-1" })
            let keeper = try await place.open()
            await store.close()
            store = try await place.open()
            let records = try await store.read(session.id, from: 1, limit: 10)
            try expect(records, is: (1...3).map(session.record), "the log after reopening")
            let rows = try await store.sessions(matching: SessionQuery())
            try expect(rows, is: [session.summary(3) { $0.reference = "order-1" }], "its row")
            let key = try await store.wrappedKey(of: session.id)
            try expect(key, is: session.wrappedKey, "its key")
            try await store.append(session.append(after: 3))
            await store.close()
            await keeper.close()
        },
        Check("every operation on a closed store fails with closed") { place in
            let store = try await place.open()
            let id = SampleSession(1).id
            await store.close()
            await store.close()
            let calls: [(String, () async throws(EventStoreError) -> Void)] = [
                (
                    "append",
                    { () throws(EventStoreError) in
                        try await store.append(SampleSession(1).append(after: 0))
                    }
                ),
                (
                    "read",
                    { () throws(EventStoreError) in
                        _ = try await store.read(id, from: 1, limit: 1)
                    }
                ),
                (
                    "read nothing",
                    { () throws(EventStoreError) in
                        _ = try await store.read(id, from: 1, limit: 0)
                    }
                ),
                ("head", { () throws(EventStoreError) in _ = try await store.head(of: id) }),
                ("key", { () throws(EventStoreError) in _ = try await store.wrappedKey(of: id) }),
                (
                    "sessions",
                    { () throws(EventStoreError) in
                        _ = try await store.sessions(matching: SessionQuery())
                    }
                ),
                (
                    "due",
                    { () throws(EventStoreError) in
                        _ = try await store.sessionsDue(by: SampleSession.start, limit: 1)
                    }
                ),
                ("counter", { () throws(EventStoreError) in _ = try await store.changeCounter() }),
                (
                    "lease",
                    { () throws(EventStoreError) in
                        _ = try await store.acquireLease(on: id)
                    }
                ),
            ]
            for (what, call) in calls { try await expect("store.closed", from: what, call) }
            await store.releaseLease(on: id)
        },
        Check("appends that wait when the store is closed are written, or say that they were not") {
            place in
            let store = try await place.open()
            let keeper = try await place.open()
            let acknowledged = await withTaskGroup(of: Int?.self, returning: [Int].self) { group in
                for number in 1...50 {
                    group.addTask {
                        do throws(EventStoreError) {
                            try await store.append(SampleSession(number).append(after: 0))
                            return number
                        } catch {
                            return nil
                        }
                    }
                }
                group.addTask {
                    await store.close()
                    return nil
                }
                return await group.reduce(into: []) { if let number = $1 { $0.append(number) } }
            }
            let rows = try await keeper.sessions(matching: SessionQuery()).map(\.session)
            let expected = acknowledged.map { SampleSession($0).id }
            try expect(Set(rows), is: Set(expected), "the sessions that were stored")
            await keeper.close()
        },
    ]

    private static func expect(
        _ store: any EventStore,
        takes session: SessionID,
        _ expected: Bool,
        _ what: String
    ) async throws {
        let taken = try await store.acquireLease(on: session)
        try expect(taken, is: expected, what)
    }
}
