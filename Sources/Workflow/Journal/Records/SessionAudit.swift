/// Follows one session's log record by record: its chain and form, its fold, and what it holds in numbers.
///
/// It keeps the fold and the end of what it has seen, never the records.
public struct SessionAudit: Sendable {
    /// The fold of the records that were found sound.
    public private(set) var state: SessionState
    /// What they hold.
    public private(set) var tally = LogTally()
    /// The build that recorded the last of them.
    public private(set) var build: String?
    private var verifier: LogVerifier

    /// The audit of a session before its first record.
    public init(of session: SessionID) {
        state = SessionState(session: session)
        verifier = LogVerifier(stream: session)
    }

    /// The end of what was found sound.
    public var head: StreamHead { verifier.head }

    /// Takes the next record.
    ///
    /// - Throws: ``LogDamage`` for the first thing that is wrong; the audit stays at the record before.
    public mutating func take(_ record: StoredRecord) throws(LogDamage) {
        let checked = try verifier.check(record)
        state.apply(checked.event.event, at: checked.event.at)
        tally.count(checked, sealed: record.seals.count)
        build = checked.event.metadata.build
    }

    /// Whether a row of the projection says what the log says.
    ///
    /// Where a session stands is a matter of rules, which another build may have otherwise, and when something is due one
    /// of configured limits; facts are not. Of a log with events that this build does not know only the end is compared:
    /// the build that recorded them may have derived more from it.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - decider: The rules of this build.
    ///   - current: This build.
    public func agrees(
        with row: SessionSummary,
        by decider: SessionDecider,
        current: String?
    ) -> Bool {
        guard tally.unknown.isEmpty else {
            return row.lastSequence == head.sequence && row.lastAt == state.lastAt
        }
        var expected = decider.summary(of: state)
        expected.addressFingerprint = row.addressFingerprint
        if build != current {
            if expected.outcome == nil, row.phase != .ended { expected.phase = row.phase }
            expected.isSettled = row.isSettled
        }
        expected.dueAt = row.dueAt
        return expected == row
    }
}
