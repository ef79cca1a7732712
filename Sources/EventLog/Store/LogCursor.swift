/// A log position: how far a subscriber has read the records of all sessions of one store.
///
/// It names the store and its epoch, so that a store can refuse a log position that means nothing
/// in it, and has one position for each lane of the store: each lane is an order of its own, and
/// all records of a session are in one lane.
///
/// Save it as text (``description``), and treat it as opaque: only a store creates one, and only
/// that store interprets it. Log positions have no total order, since one may be ahead in one lane
/// and behind in another.
public struct LogCursor: Hashable, Sendable {
    /// The store that the log position belongs to.
    public let store: StoreIdentity
    /// The position in the first lane.
    private let first: Int64
    /// The positions in the other lanes; the empty array of a store with one lane is not allocated.
    private let others: [Int64]
    /// The lane of the record that was read last; 0 in a store with one lane.
    public let lane: Int

    /// The maximum number of lanes.
    public static let maximumLanes = 64

    private init(store: StoreIdentity, first: Int64, others: [Int64], lane: Int) {
        (self.store, self.first, self.others, self.lane) = (store, first, others, lane)
    }

    /// Creates a log position in a store with one lane; for implementations of stores.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - position: The position of the last record that was read; 0 (or less) for none.
    public init(store: StoreIdentity, position: Int64) {
        self.init(store: store, first: max(0, position), others: [], lane: 0)
    }

    /// Creates a log position in a store with any number of lanes; for implementations of stores.
    ///
    /// Returns `nil` unless there are 1 to ``maximumLanes`` positions, none of them negative, and
    /// the lane is one of them.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - positions: The position in each lane of the last record that was read; 0 for none.
    ///   - lane: The lane of the record that was read last.
    public init?(store: StoreIdentity, positions: some Collection<Int64>, lane: Int = 0) {
        guard let first = positions.first, positions.count <= Self.maximumLanes,
            positions.allSatisfy({ $0 >= 0 }), (0..<positions.count).contains(lane)
        else { return nil }
        self.init(store: store, first: first, others: Array(positions.dropFirst()), lane: lane)
    }

    /// The number of lanes, at least 1.
    public var lanes: Int { 1 + others.count }

    /// Returns the position in a lane; `nil` when there is no such lane.
    ///
    /// Positions can be compared within one lane of one store only.
    ///
    /// - Parameter lane: The lane, from 0.
    /// - Returns: The position of the last record that was read there; 0 for none.
    public func position(inLane lane: Int) -> Int64? {
        if lane == 0 { return first }
        return others.indices.contains(lane - 1) ? others[lane - 1] : nil
    }

    /// Returns the number of records between an earlier log position and this one, over all lanes;
    /// negative when this one is the earlier one.
    ///
    /// Returns `nil` when they belong to different stores, epochs or numbers of lanes.
    ///
    /// - Parameter earlier: The other log position; `nil` for the beginning of the log.
    /// - Returns: The number of records.
    public func distance(from earlier: LogCursor?) -> Int64? {
        guard earlier.map({ isComparable(to: $0) }) ?? true else { return nil }
        var sum = first - (earlier?.first ?? 0)
        for (lane, own) in others.enumerated() {
            let step = own - (earlier?.others[lane] ?? 0)
            let (next, isTooLarge) = sum.addingReportingOverflow(step)
            guard !isTooLarge else { return sum < 0 ? .min : .max }
            sum = next
        }
        return sum
    }

    /// Whether it is at or beyond another log position of the same store in every lane.
    ///
    /// Of two log positions, neither may have reached the other.
    public func hasReached(_ other: LogCursor) -> Bool {
        isComparable(to: other) && first >= other.first
            && zip(others, other.others).allSatisfy { $0 >= $1 }
    }

    private func isComparable(to other: LogCursor) -> Bool {
        store == other.store && others.count == other.others.count
    }
}

// MARK: - Stores

extension LogCursor {
    /// Why a store refuses a log position.
    @nonexhaustive
    public enum Refusal: Hashable, Sendable {
        /// It belongs to another store.
        case otherStore
        /// It belongs to another epoch of the store: the store was adopted since, as after a
        /// restore, or is an earlier copy of itself.
        case otherEpoch(Int64, current: Int64)
        /// The store ends before it: an earlier state was restored, or a standby lags behind.
        case beyondEnd
    }

    /// Returns the position in the only lane of a store; for implementations of stores.
    ///
    /// - Parameter store: The store's identity.
    /// - Returns: The position of the last record that was read; 0 for none.
    /// - Throws: ``EventStoreError/cursorRefused(_:)`` when the log position does not belong to
    ///   that store in its current epoch.
    public func position(in store: StoreIdentity) throws(EventStoreError) -> Int64 {
        try positions(in: store, lanes: 1)[0]
    }

    /// Returns the position in each lane of a store; for implementations of stores.
    ///
    /// - Parameters:
    ///   - store: The store's identity.
    ///   - lanes: The number of its lanes, which never changes.
    /// - Returns: The positions of the last records that were read; 0 for none.
    /// - Throws: ``EventStoreError/cursorRefused(_:)`` when the log position does not belong to
    ///   that store in its current epoch.
    public func positions(
        in store: StoreIdentity,
        lanes: Int
    ) throws(EventStoreError) -> [Int64] {
        guard self.store.isSameStore(as: store), self.lanes == lanes else {
            throw .cursorRefused(.otherStore)
        }
        guard self.store.epoch == store.epoch else {
            throw .cursorRefused(.otherEpoch(self.store.epoch, current: store.epoch))
        }
        return [first] + others
    }

    /// The log position before the records that were read last, in each lane: what is read after it
    /// begins with those records and the first ones of lanes of which nothing was read.
    package var previous: LogCursor {
        let others = others.map { max(0, $0 - 1) }
        return LogCursor(store: store, first: max(0, first - 1), others: others, lane: lane)
    }

    /// The number of lanes of which a record was read.
    package var lanesRead: Int { (first > 0 ? 1 : 0) + others.count { $0 > 0 } }

    /// Whether another log position has the same position in the lane that was read last.
    package func isAtPosition(of other: LogCursor) -> Bool {
        position(inLane: lane) == other.position(inLane: lane)
    }

    /// The log position after a further record in the lane that another log position has read last.
    package func moved(to other: LogCursor) -> LogCursor {
        guard other.lane > 0 else {
            return LogCursor(store: store, first: other.first, others: others, lane: 0)
        }
        var positions = others
        positions[other.lane - 1] = other.others[other.lane - 1]
        return LogCursor(store: store, first: first, others: positions, lane: other.lane)
    }

    /// The same positions in another epoch of the store.
    package func inEpoch(of store: StoreIdentity) -> LogCursor {
        LogCursor(store: store, first: first, others: others, lane: lane)
    }
}

// MARK: - Text

extension LogCursor: CustomStringConvertible {
    /// The beginning of the text form in stores with one lane.
    private static let single = Array("c1.".utf8)
    /// The beginning of the text form in stores with several lanes.
    private static let several = Array("c2.".utf8)
    /// The number of bytes of a value in the binary form.
    private static let wordBytes = 8
    /// The number of values before the positions: the store's identifier in two, the epoch, and
    /// with several lanes the last one.
    private static let headWords = (single: 3, several: 4)
    /// The maximum length of the text form.
    package static let maximumTextLength =
        several.count + Base64URL.length(of: (headWords.several + maximumLanes) * wordBytes)

    /// The text form: `c1.` and the base64url form, without padding, of the store's identifier (16
    /// bytes), the epoch and the position (8 bytes each, most significant first).
    ///
    /// With several lanes it begins with `c2.`, and contains the lane of the record that was read
    /// last and the position in each lane in place of the position. Each log position has exactly
    /// one text form.
    public var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((Self.headWords.several + lanes) * Self.wordBytes)
        let last = others.isEmpty ? [] : [Int64(lane)]
        let numbers = [store.epoch] + last + [first] + others
        for word in store.words + numbers.map(UInt64.init(bitPattern:)) {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        let version = others.isEmpty ? Self.single : Self.several
        return String(decoding: version + Base64URL.encode(bytes), as: UTF8.self)
    }

    /// Parses the text form.
    ///
    /// Returns `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        // Other text may be of any length.
        self.init(utf8: Array(text.utf8.prefix(Self.maximumTextLength + 1)))
    }

    package init?(utf8 text: [UInt8]) {
        let hasLanes = text.starts(with: Self.several)
        guard text.count <= Self.maximumTextLength, hasLanes || text.starts(with: Self.single),
            let bytes = Base64URL.decode(text[Self.single.count...]),
            bytes.count.isMultiple(of: Self.wordBytes)
        else { return nil }
        let words = stride(from: 0, to: bytes.count, by: Self.wordBytes).map { start in
            bytes[start..<start + Self.wordBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let head = hasLanes ? Self.headWords.several : Self.headWords.single
        guard hasLanes ? words.count > head + 1 : words.count == head + 1 else { return nil }
        let numbers = words[2...].map(Int64.init(bitPattern:))
        guard numbers[0] >= 1 else { return nil }
        let store = StoreIdentity(high: words[0], low: words[1], epoch: numbers[0])
        let lane = hasLanes ? Int(exactly: numbers[1]) : 0
        self.init(store: store, positions: numbers[(head - 2)...], lane: lane ?? -1)
    }
}

/// Base64 in the alphabet for URLs, without padding (RFC 4648, section 5).
private enum Base64URL {
    /// The length of the text form of this many bytes.
    static func length(of bytes: Int) -> Int { (bytes * 4 + 2) / 3 }

    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(length(of: bytes.count))
        var (buffer, count) = (UInt32(0), 0)
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(digits[Int(buffer >> UInt32(count) & 0x3F)])
            }
        }
        if count > 0 { text.append(digits[Int(buffer << UInt32(6 - count) & 0x3F)]) }
        return text
    }

    /// Returns what ``encode(_:)`` encodes as this text; `nil` for text that it never returns.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var (buffer, count) = (UInt32(0), 0)
        for digit in text {
            guard let value = value(of: digit) else { return nil }
            buffer = buffer << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(count)))
            }
        }
        // What is left over is less than a digit, and zero: else other text would have this value,
        // too.
        guard count < 6, buffer & ((1 << UInt32(count)) - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x41...0x5A: digit - 0x41
        case 0x61...0x7A: digit - 0x61 + 26
        case 0x30...0x39: digit - 0x30 + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
