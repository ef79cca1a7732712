internal import EventLog

/// A time in whole hours, whose sums are kept, and the rest, whose rows are added up.
struct SumPieces {
    /// The whole hours, as numbers of hours since the beginning of 1970.
    var hours: Range<Int64>
    /// The times before the first and after the last whole hour.
    var edges: [Range<Int64>]

    /// The microseconds of an hour.
    static let hour: Int64 = 3_600_000_000

    /// Divides the time in which a query's sessions were opened.
    init(_ query: SessionQuery) {
        let (since, until) = (query.since?.microseconds, query.until?.microseconds)
        let first = since.map(Self.roundedUp) ?? Int64.min / Self.hour
        let end = until.map(Self.roundedDown) ?? Int64.max / Self.hour
        guard first < end else {
            let start = since ?? .min
            (hours, edges) = (0..<0, [start..<max(start, until ?? .max)])
            return
        }
        hours = first..<end
        edges = []
        if let since, since < first * Self.hour { edges.append(since..<first * Self.hour) }
        if let until, end * Self.hour < until { edges.append(end * Self.hour..<until) }
    }

    /// The whole hours, divided into whole days and the hours before and after these.
    var spans: [SumSpan] {
        let day = SumLength.day.hours
        let first = hours.lowerBound + (day - hours.lowerBound % day) % day
        let end = hours.upperBound - hours.upperBound % day
        guard first < end, first >= hours.lowerBound, end <= hours.upperBound else {
            return [SumSpan(length: .hour, numbers: hours)]
        }
        return [
            SumSpan(length: .hour, numbers: hours.lowerBound..<first),
            SumSpan(length: .day, numbers: first / day..<end / day),
            SumSpan(length: .hour, numbers: end..<hours.upperBound),
        ]
        .filter { !$0.numbers.isEmpty }
    }

    private static func roundedDown(_ microseconds: Int64) -> Int64 {
        let quotient = microseconds / hour
        return microseconds % hour < 0 ? quotient - 1 : quotient
    }

    private static func roundedUp(_ microseconds: Int64) -> Int64 {
        let quotient = microseconds / hour
        return microseconds % hour > 0 ? quotient + 1 : quotient
    }
}

/// Of what time a store keeps sums.
enum SumLength: String, CaseIterable {
    /// The sums of hours, which every store keeps.
    case hour
    /// The sums of days, so that reading a year does not read each of its hours.
    case day

    /// The number of hours.
    var hours: Int64 { self == .hour ? 1 : 24 }
    /// The number of microseconds.
    var microseconds: Int64 { hours * SumPieces.hour }

    /// The number of the one after that which begins at a time; the first of all for `nil`.
    func number(after start: Instant?) -> Int64 {
        start.map { $0.microseconds / microseconds + 1 } ?? Int64.min / microseconds + 1
    }
}

/// Some of the kept sums that follow each other.
struct SumSpan: Equatable {
    /// What each sum is of.
    var length: SumLength
    /// The hours or days, as numbers since the beginning of 1970.
    var numbers: Range<Int64>
}

extension [SessionSum] {
    /// The groups in the order of their keys, in which no value comes first.
    var inOrder: [SessionSum] {
        sorted { $0.key.lexicographicallyPrecedes($1.key, by: SumPieces.precedes) }
    }
}

extension SumPieces {
    fileprivate static func precedes(_ one: ReadModel.Value?, _ other: ReadModel.Value?) -> Bool {
        switch (one, other) {
        case (nil, nil), (_?, nil), (.text?, .integer?): false
        case (nil, _?), (.integer?, .text?): true
        case (.integer(let one)?, .integer(let other)?): one < other
        case (.text(let one)?, .text(let other)?): one.utf8.lexicographicallyPrecedes(other.utf8)
        }
    }
}
