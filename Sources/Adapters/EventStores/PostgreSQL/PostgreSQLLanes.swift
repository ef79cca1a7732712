internal import EventLog

/// The lanes of a store: several commit orders in one database.
///
/// An append locks the end of its lane until the commit, so that the log positions in a lane are in
/// commit order, without gaps. Appends to different lanes commit beside each other and can share
/// a flush. A session's identity determines its lane for ever, so its records are in one order.
///
/// A stored log position (`events.position`, `log_end.position`) is the lane in the upper bits and
/// the position in it below: one index serves all lanes, and in a store with one lane, it is the
/// position itself.
///
/// The number of lanes is decided when a store is created and never changes. `log_end` has the row
/// 1 in a store with one lane, and the rows from 2 on in one with several.
struct PostgreSQLLanes: Hashable, Sendable {
    /// The number of lanes: a power of two.
    let count: Int

    /// The number of bits of a position in its lane.
    private static let positionBits: Int64 = 57
    /// The bits of a position in its lane, also as a literal in statements.
    static let mask: Int64 = (1 << positionBits) - 1
    /// The lane of a stored position, in statements.
    static func lane(of position: String) -> String { "(\(position) >> \(positionBits))" }
    /// The position in its lane, in statements.
    static func number(of position: String) -> String { "(\(position) & \(mask))" }
    /// The last possible position of the same lane, in statements.
    static func lastInLane(of position: String) -> String { "(\(position) | \(mask))" }

    private init(count: Int) { self.count = count }

    /// Creates the lanes of a store; `nil` when there cannot be as many.
    init?(_ count: Int) {
        guard (1...LogCursor.maximumLanes).contains(count), count.nonzeroBitCount == 1 else {
            return nil
        }
        self.init(count: count)
    }

    /// The statements that give a new store these lanes.
    var creation: [String] {
        guard count > 1 else { return [] }
        return [
            """
            INSERT INTO log_end SELECT lane + 2, lane << \(Self.positionBits)
            FROM generate_series(0::bigint, \(count - 1)) AS l (lane)
            """,
            "DELETE FROM log_end WHERE only_row = 1",
            "DELETE FROM listed_progress",
            "INSERT INTO listed_progress SELECT only_row, position, position FROM log_end",
            "UPDATE store_identity SET lanes = (SELECT count(*) FROM log_end)",
        ]
    }

    /// The lane of a session.
    func lane(of session: SessionID) -> Int { Int(session.low & UInt64(count - 1)) }

    /// The lane of a session in a statement, of its identity and the number of lanes.
    static func lane(of identity: String, lanes: String) -> String {
        "(get_byte(uuid_send(\(identity)), 15) & (\(lanes) - 1))"
    }

    /// The key of a lane's row in `log_end`.
    func row(of lane: Int) -> Int64 { count == 1 ? 1 : Int64(lane) + 2 }

    /// The stored positions in all lanes of a log position; those before the first records for
    /// `nil`.
    ///
    /// - Throws: ``EventStoreError/cursorRefused(_:)`` for a log position of another store or
    ///   epoch.
    func positions(
        of cursor: LogCursor?,
        in store: StoreIdentity
    ) throws(EventStoreError) -> [Int64] {
        stored(try cursor?.positions(in: store, lanes: count) ?? [])
    }

    /// The stored positions in all lanes of a log position, which may be of any store.
    func positions(of cursor: LogCursor?) -> [Int64] {
        stored((0..<count).map { cursor?.position(inLane: $0) ?? 0 })
    }

    private func stored(_ positions: [Int64]) -> [Int64] {
        (0..<count).map { lane in
            let position = positions.indices.contains(lane) ? positions[lane] : 0
            return Int64(lane) << Self.positionBits | min(position, Self.mask)
        }
    }

    /// The log position of stored positions in all lanes.
    ///
    /// - Parameters:
    ///   - store: The identity of the store.
    ///   - positions: The stored positions, one for each lane.
    ///   - lane: The lane that was read last; `nil` for the first one that has records.
    /// - Returns: The log position.
    /// - Throws: ``EventStoreError/corrupt(stream:sequence:reason:)`` when there is not one
    ///   position for each lane.
    func cursor(
        in store: StoreIdentity,
        _ positions: [Int64],
        last lane: Int? = nil
    ) throws(EventStoreError) -> LogCursor {
        let numbers = positions.map { $0 & Self.mask }
        let last = lane ?? numbers.firstIndex(where: { $0 > 0 }) ?? 0
        guard numbers.count == count,
            let cursor = LogCursor(store: store, positions: numbers, lane: last)
        else {
            throw .corrupt(
                stream: nil,
                sequence: nil,
                reason: "there are log positions for \(numbers.count) lanes, not for \(count)"
            )
        }
        return cursor
    }

    /// The lane of a stored position; `nil` when the store has no such lane.
    func lane(at position: Int64) -> Int? {
        let lane = Int(position >> Self.positionBits)
        return (0..<count).contains(lane) ? lane : nil
    }

    /// The lanes of a store from the text of ``ends`` and the keys of the rows; `nil` when some are
    /// missing, as after a partial restore.
    init?(ends: String?, rows: String?) {
        let keys = rows?.pieces(between: ",").compactMap { Int64($0) } ?? []
        self.init(keys.count)
        guard keys == (0..<count).map({ row(of: $0) }), parse(ends) != nil else { return nil }
    }

    /// The stored positions from a text with one for each lane; `nil` for anything else.
    func parse(_ text: String?) -> [Int64]? {
        let words = text?.pieces(between: ",", omittingEmptySubsequences: false) ?? []
        let positions = words.compactMap { Int64($0) }
        guard positions.count == words.count, positions.count == count,
            positions.enumerated().allSatisfy({ $1 >> Self.positionBits == Int64($0) })
        else { return nil }
        return positions
    }

    /// The number of records in all lanes, in a statement.
    static let size = "(SELECT sum(position & \(mask))::bigint FROM log_end)"

    /// The ends of all lanes, in a statement: a text that ``parse(_:)`` reads.
    static let ends =
        "(SELECT string_agg(position::text, ',' ORDER BY only_row) FROM log_end)"
}
