package import EventLog

/// The sort order of a list of sessions.
package enum SessionOrder: String, CaseIterable, Sendable {
    /// By the time of opening, or of the last event.
    case newest, oldest, last
    /// By the merchant's reference; sessions without one come last.
    case reference

    /// Returns whether a session comes before another.
    package func isOrdered(_ left: SessionSummary, _ right: SessionSummary) -> Bool {
        switch self {
        case .newest: left.session > right.session
        case .oldest: left.session < right.session
        case .last: (left.lastAt, left.session) > (right.lastAt, right.session)
        case .reference:
            (left.reference == nil ? 1 : 0, left.reference ?? "", left.session)
                < (right.reference == nil ? 1 : 0, right.reference ?? "", right.session)
        }
    }
}
