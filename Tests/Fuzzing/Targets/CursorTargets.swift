@testable import Adapters
@testable import EventLog
@testable import EventStores

extension FuzzTarget {
    /// The text of a log position.
    static let logCursor = FuzzTarget(
        name: "log-cursor",
        maximumLength: 1024,
        seeds: { Cursors.all.map { Array("\($0)".utf8) } },
        growths: [.repeating("A", after: "c1."), .repeating("A", after: "c2."), .repeating("c1.")],
        check: { bytes throws(Broken) in
            guard let cursor = LogCursor(utf8: bytes) else { return false }
            try hold(Array("\(cursor)".utf8) == bytes, "a value has one text only")
            try hold(cursor.store.epoch >= 1, "the first epoch is 1")
            try hold((1...LogCursor.maximumLanes).contains(cursor.lanes), "lanes are bounded")
            let positions = (0..<cursor.lanes).compactMap { cursor.position(inLane: $0) }
            try hold(positions.count == cursor.lanes, "each lane has a position")
            try hold(positions.allSatisfy { $0 >= 0 }, "no position is negative")
            try hold(
                LogCursor(store: cursor.store, positions: positions, lane: cursor.lane) == cursor,
                "its parts are all of it"
            )
            return true
        }
    )

    /// The position file of a publisher.
    static let outboxPlace = FuzzTarget(
        name: "outbox-place",
        maximumLength: 1024,
        seeds: {
            let hash = Digest256.zero
            return [Array("17 \(hash)\n".utf8)] + Cursors.all.map { Array("\($0) \(hash)\n".utf8) }
        },
        growths: [.repeating("1"), .repeating(" ", after: "17"), .repeating("A", after: "c1.")],
        check: { bytes throws(Broken) in
            guard let place = OutboxMark(parsing: bytes) else { return false }
            try hold(
                OutboxMark(parsing: Array(place.text.utf8)) == place,
                "a place is read back as it was"
            )
            return true
        }
    )
}

/// Log positions to start with.
private enum Cursors {
    static let all: [LogCursor] = {
        let store = StoreIdentity(high: 0x0192_f0c1_7c1e_7d3a, low: .max, epoch: 3)
        let lanes: [[Int64]] = [[1, 0, .max], Array(repeating: 7, count: LogCursor.maximumLanes)]
        return [0, 17, .max].map { LogCursor(store: store, position: $0) }
            + lanes.compactMap { LogCursor(store: store, positions: $0) }
    }()
}
