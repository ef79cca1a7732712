public import EventLog

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
    private var verifier: LogVerifier<SessionEvent>

    /// The audit of a session before its first record.
    public init(of session: SessionID) {
        state = SessionState(session: session)
        verifier = LogVerifier<SessionEvent>(stream: session)
    }

    /// The end of what was found sound.
    public var head: StreamHead { verifier.head }

    /// Takes the next record.
    ///
    /// - Throws: ``LogDamage`` for the first thing that is wrong; the audit stays at the record before.
    public mutating func take(_ record: StoredRecord) throws(LogDamage) {
        let checked = try verifier.check(record)
        note(checked.event)
        tally.count(checked, sealed: record.seals.count)
    }

    /// Takes the next record where it stands.
    ///
    /// - Throws: ``LogDamage`` for the first thing that is wrong; the audit stays at the record before.
    package mutating func take(_ record: LentRecord) throws(LogDamage) {
        let (event, sealedValues) = try verifier.check(record)
        note(event)
        tally.count(event.event, sealedValues: sealedValues, seals: record.sealCount)
    }

    private mutating func note(_ event: RecordedEvent) {
        state.apply(event.event, at: event.at)
        if event.metadata.build != build { build = event.metadata.build }
    }

    /// Whether a row of the projection says what the log says.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - decider: The rules of this build.
    ///   - current: This build.
    public func agrees(
        with row: SessionSummary,
        by decider: SessionDecider,
        current: String?
    ) -> Bool { contradictions(in: row, by: decider, current: current).isEmpty }

    /// What a row of the projection says that the log does not say, by the names of its members.
    ///
    /// Where a session stands is a matter of rules, which another build may have otherwise, and when something is due one
    /// of configured limits; facts are not. Of a log with events that this build does not know only the end is compared:
    /// the build that recorded them may have derived more from it.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - decider: The rules of this build.
    ///   - current: This build.
    public func contradictions(
        in row: SessionSummary,
        by decider: SessionDecider,
        current: String?
    ) -> [String] {
        var members: [String] = []
        func compare(_ name: String, _ isSame: Bool) { if !isSame { members.append(name) } }
        guard tally.unknown.isEmpty else {
            compare("last_seq", row.lastSequence == head.sequence)
            compare("last_at", row.lastAt == state.lastAt)
            return members
        }
        var expected = decider.summary(of: state)
        if build != current {
            if expected.outcome == nil, !row.isOver { expected.phase = row.phase }
            expected.isSettled = row.isSettled
        }
        // What these are follows from limits and from keys, not from the log alone.
        expected.dueAt = row.dueAt
        expected.addressFingerprint = row.addressFingerprint
        expected.headMAC = row.headMAC
        expected.origin = row.origin
        // A row of an earlier build has none; those of another build of these rules may differ in the turn.
        if row.facts == nil { expected.facts = nil }
        if build != current, let turn = row.facts?.turn { expected.facts?.turn = turn }
        guard expected != row else { return [] }
        compare("id", expected.session == row.session)
        compare("phase", expected.phase == row.phase)
        compare("outcome", expected.outcome == row.outcome)
        compare("settled", expected.isSettled == row.isSettled)
        compare("last_seq", expected.lastSequence == row.lastSequence)
        compare("opened_at", expected.openedAt == row.openedAt)
        compare("last_at", expected.lastAt == row.lastAt)
        compare("reference", expected.reference == row.reference)
        compare("instrument", expected.label == row.label)
        compare("problem", expected.problem == row.problem)
        compare("turn", expected.facts?.turn == row.facts?.turn)
        compare("money", expected.facts?.money == row.facts?.money)
        compare("amount", expected.facts?.amount == row.facts?.amount)
        compare("currency", expected.facts?.currency == row.facts?.currency)
        compare("host", expected.facts?.host == row.facts?.host)
        // A member that is not named here is one all the same.
        return members.isEmpty ? ["its row"] : members
    }
}
