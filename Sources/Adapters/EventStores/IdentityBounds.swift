internal import EventLog

/// The end of an identity, by which its session is found; SQLite stores have an index of it.
///
/// In PostgreSQL, nearly each update of a session adds entries to all indexes of its row, and
/// those of an index of random values are spread over all its pages.
package enum IdentityEnding {
    /// How many of the last characters of an identity are indexed.
    ///
    /// Longer endings are compared with the sessions that are found by these.
    package static let indexed = 6

    /// The indexed part of an ending; `nil` for one that is too short for the index.
    static func indexed(of ending: String) -> String? {
        ending.utf8.count < indexed ? nil : String(ending.suffix(indexed))
    }
}

extension SQLDialect {
    /// Whether an identity does not begin with the time at which its session was opened, or with
    /// one up to an hour before: the bounds of a query's time don't apply to it.
    var isAstray: String {
        switch self {
        case .sqlite:
            """
            substr(id, 1, 8) || substr(id, 10, 4) NOT BETWEEN
                printf('%012x', max(0, min(opened_at / 1000 - 3600000, 281474976710655)))
                AND printf('%012x', max(0, min(opened_at / 1000, 281474976710655)))
            """
        case .postgreSQL:
            """
            left(replace(id::text, '-', ''), 12) COLLATE "C" NOT BETWEEN
                lpad(to_hex(greatest(0, least(opened_at / 1000 - 3600000, 281474976710655))), 12, '0')
                AND lpad(to_hex(greatest(0, least(opened_at / 1000, 281474976710655))), 12, '0')
            """
        }
    }
}

/// The bounds of the identities of sessions that were opened within a time.
///
/// An identity begins with the time at which it was created, which is not after the opening of its
/// session, and not long before it. Sessions for which this does not hold are listed by an index of
/// their own.
struct IdentityBounds {
    /// How long before its session's opening an identity may be created, in milliseconds.
    static let slack: Int64 = 3_600_000
    /// The last time that an identity can begin with.
    static let last: Int64 = (1 << 48) - 1

    /// The first identity that there can be; `nil` for no bound.
    var first: SessionID?
    /// The first identity after all that there can be; `nil` for no bound.
    var end: SessionID?

    /// The bounds for a time.
    init(since: Instant?, until: Instant?) {
        if let since {
            first = Self.identity(since.microseconds / 1000 - Self.slack)
        }
        if let until, until.microseconds / 1000 < Self.last {
            end = Self.identity(until.microseconds / 1000 + 1)
        }
    }

    private static func identity(_ milliseconds: Int64) -> SessionID {
        SessionID(high: UInt64(min(max(0, milliseconds), last)) << 16, low: 0)
    }
}
