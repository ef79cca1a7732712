public import EventLog

/// Audits one session's log record by record: its chain and form, its fold, and counts of what it
/// contains.
///
/// It keeps the fold and the last record's position, never the records.
public struct SessionAudit: Sendable {
    /// The fold of the records that were found sound.
    public private(set) var state: SessionState
    /// Counts of what they contain.
    public private(set) var tally = LogTally()
    /// The build that recorded the last of them.
    public private(set) var build: String?
    /// Whether they record that the session's key is destroyed: nothing is due then.
    private var isErased = false
    private var verifier: LogVerifier<SessionEvent>

    /// Creates the audit of a session before its first record.
    public init(of session: SessionID) {
        state = SessionState(session: session)
        verifier = LogVerifier<SessionEvent>(stream: session)
    }

    /// The last record that was found sound.
    public var head: StreamHead { verifier.head }

    /// Audits the next record.
    ///
    /// - Throws: ``LogDamage`` for the first defect; the audit then stays at the previous record.
    public mutating func check(_ record: StoredRecord) throws(LogDamage) {
        let checked = try verifier.check(record)
        note(checked.event)
        tally.count(checked, sealed: record.seals.count)
    }

    /// Audits the next record in place, without copying its bytes.
    ///
    /// - Throws: ``LogDamage`` for the first defect; the audit then stays at the previous record.
    package mutating func check(_ record: LentRecord) throws(LogDamage) {
        let (event, sealedValues) = try verifier.check(record)
        note(event)
        tally.count(event.event, sealedValues: sealedValues, seals: record.sealCount)
    }

    private mutating func note(_ event: RecordedEvent) {
        state.apply(event.event, at: event.at)
        if event.event.isErasure { isErased = true }
        if event.metadata.build != build { build = event.metadata.build }
    }

    /// Whether a row of the projection agrees with the log.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - decider: The rules of this build.
    ///   - current: The name of this build.
    /// - Returns: Whether the row agrees with the log.
    public func agrees(
        with row: SessionSummary,
        by decider: SessionDecider,
        current: String?
    ) -> Bool { contradictions(in: row, by: decider, current: current).isEmpty }

    /// The names of the members in which a row of the projection contradicts the log.
    ///
    /// A session's phase depends on rules, which may differ in another build, and its exact due
    /// time on configured limits; whether there is one, and facts, depend on neither. If the log
    /// has events that this build does not know, only its end is compared, because the build that
    /// recorded them may have derived more from it.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - decider: The rules of this build.
    ///   - current: The name of this build.
    /// - Returns: The names; empty when the row agrees.
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
        let hasOurPhase = build == current || expected.phase == row.phase
        compare(
            "due_at",
            isErased || row.isForeign || !hasOurPhase || row.agreesOnDue(with: expected.dueAt)
        )
        compare("imported", row.origin == .own || row.isForeign)
        if build != current {
            if expected.outcome == nil, !row.isOver { expected.phase = row.phase }
            expected.isSettled = row.isSettled
        }
        // These values depend on limits and keys, not on the log alone.
        expected.dueAt = row.dueAt
        expected.addressFingerprint = row.addressFingerprint
        expected.headMAC = row.headMAC
        expected.origin = row.origin
        // A row may have no facts, and the turn in those of another build may differ.
        if row.facts == nil { expected.facts = nil }
        if build != current, let turn = row.facts?.turn { expected.facts?.turn = turn }
        guard expected != row else { return members }
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
        compare("net", expected.facts?.net == row.facts?.net)
        compare("doubted", expected.facts?.doubted == row.facts?.doubted)
        compare("currency", expected.facts?.currency == row.facts?.currency)
        compare("host", expected.facts?.host == row.facts?.host)
        // A member that is not named here can differ as well.
        return members.isEmpty ? ["its row"] : members
    }
}
