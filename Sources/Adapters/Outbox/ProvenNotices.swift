internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Says what records mean for payments, of records that the keys prove: the same for publishers and
/// webhooks.
///
/// A receiver acts on what it gets. Nothing is said of a session that was imported or erased, whose
/// key is unknown, or of which a record is not authentic.
struct ProvenNotices: Sendable {
    let store: any EventStore
    let decider: SessionDecider
    let vault: any KeyVault

    /// What came of reading a log.
    enum Reading: Sendable {
        /// The whole log is authentic: the notices of each record that was asked for, and the
        /// session after them.
        case proven([[PaymentNotice]], ProvenSession)
        /// It cannot be read now.
        case later(OutboxFailure)
        /// Nothing is said of it; the code of the reason, or `nil` for a session that was imported
        /// or erased.
        case leftOut(code: String?)
    }

    /// Reads a session's log, and returns the notices of some of its records.
    func read(
        _ session: SessionID,
        from first: SequenceNumber,
        through last: SequenceNumber
    ) async -> Reading {
        let evidence: EvidentLog
        do throws(LogReadingError) {
            evidence = try await EvidentLog(of: session, in: store)
        } catch {
            switch error {
            case .damaged(let damage): return .leftOut(code: damage.code)
            // What does not read of one session holds up no other.
            case .store(let failure):
                if case .corrupt = failure { return .leftOut(code: failure.code) }
                return .later(.store(failure))
            case .unknownSession: return .later(.otherStore)
            }
        }
        let (log, stored) = (evidence.log, evidence.stored)
        guard stored.row?.isForeign == false else { return .leftOut(code: nil) }
        // Without its key, nothing proves the log of a session that was erased.
        guard let wrapped = stored.wrappedKey else { return .leftOut(code: nil) }
        let keys: SessionKeys
        do throws(KeyVaultError) {
            keys = try await vault.keys(unwrapping: wrapped, for: session)
        } catch {
            switch error {
            // The key of another vault, or what somebody wrote in place of a key, never fits.
            case .wrongKey, .malformed: return .leftOut(code: error.code)
            // A vault that cannot be reached will be.
            default: return .later(.vault(error))
            }
        }
        if let forged = keys.forgery(in: stored) {
            return .leftOut(code: EngineError.notAuthentic(session, sequence: forged).code)
        }
        // The key is about to be destroyed.
        guard !log.events.contains(where: \.event.isErasure) else { return .leftOut(code: nil) }
        // A standby that lags behind has fewer records than the store that was read before.
        guard log.events.count >= last.count else { return .later(.otherStore) }
        var state = log.state(at: first - 1)
        let notices = log.events[(first - 1).count..<last.count].map { event in
            PaymentNotice.all(of: event, after: &state, by: decider)
        }
        let head = StreamHead(sequence: last, hash: log.records[last.count - 1].hash)
        return .proven(notices, ProvenSession(after: state, provenBy: keys, upTo: head))
    }
}

/// A session up to a record, all of whose records the keys prove.
///
/// The notices of the records that follow need no further read of the log.
struct ProvenSession: Sendable {
    private var state: SessionState
    private var proof: LogAuthentication

    fileprivate init(
        after state: SessionState,
        provenBy keys: SessionKeys,
        upTo head: StreamHead
    ) {
        self.state = state
        proof = LogAuthentication(keys: keys, end: nil, behind: head)
    }

    /// Returns the notices of the next record.
    ///
    /// - Returns: `nil` when it is not the next one, no holder of the keys wrote it, or it says
    ///   that the key is destroyed: the log has to be read again.
    mutating func next(_ record: StoredRecord, by decider: SessionDecider) -> [PaymentNotice]? {
        guard proof.accepts(record),
            let event = try? SessionLog.event(
                in: record,
                at: proof.head.sequence,
                of: state.session
            ),
            !event.event.isErasure
        else { return nil }
        return PaymentNotice.all(of: event, after: &state, by: decider)
    }
}

extension PaymentNotice {
    /// Returns what happened with an event, and applies it to the state before it.
    fileprivate static func all(
        of event: RecordedEvent,
        after state: inout SessionState,
        by decider: SessionDecider
    ) -> [PaymentNotice] {
        let before = state
        state.apply(event.event, at: event.at)
        return all(from: before, to: state, by: decider)
    }
}
