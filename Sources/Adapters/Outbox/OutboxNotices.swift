internal import EventLog
internal import Inspection
internal import SwedbankPay

/// What happened to payments with each record, in the words of webhooks: a receiver folds no log.
///
/// It keeps the states of the sessions that were published last, so that their logs are not read
/// for each record. It needs no keys. Imported sessions and those whose log was altered are left
/// out: a receiver acts on what it gets.
struct OutboxNotices: Sendable {
    /// The maximum number of sessions that are kept.
    static let sessionLimit = 1_000

    /// What is known of a session.
    private enum Known {
        case state(SessionState, LogVerifier<SessionEvent>)
        case leftOut
    }

    private let store: any EventStore
    private let decider: SessionDecider
    private let report: @Sendable (OutboxFailure) -> Void
    private var known: [SessionID: Known] = [:]

    init(
        of store: any EventStore,
        by decider: SessionDecider,
        report: @escaping @Sendable (OutboxFailure) -> Void
    ) {
        (self.store, self.decider, self.report) = (store, decider, report)
    }

    /// Returns what happened with the next record of a session.
    ///
    /// - Throws: ``OutboxFailure`` when the store cannot be read now, or lacks earlier records.
    mutating func next(_ record: StoredRecord) async throws(OutboxFailure) -> [PaymentNotice] {
        let session = record.stream
        do throws(LogReadingError) {
            let place = try await place(before: record)
            if known.count >= Self.sessionLimit { known = [:] }
            guard case .state(let before, var verifier) = place else {
                known[session] = .leftOut
                return []
            }
            var after = before
            do throws(LogDamage) {
                let event = try verifier.check(record).event
                after.apply(event.event, at: event.at)
            } catch {
                throw .damaged(error)
            }
            known[session] = .state(after, verifier)
            return PaymentNotice.all(from: before, to: after, by: decider)
        } catch {
            switch error {
            case .store(let failure): throw .store(failure)
            // A standby that lags behind, for example.
            case .unknownSession: throw .otherStore
            case .damaged(let damage):
                known[session] = .leftOut
                report(.unreadable(session, code: damage.code))
                return []
            }
        }
    }

    /// The state and the chain before a record: as they are known, or else as the store has them.
    private func place(before record: StoredRecord) async throws(LogReadingError) -> Known {
        switch known[record.stream] {
        case .leftOut: return .leftOut
        case .state(let state, let verifier) where verifier.head.sequence.next == record.sequence:
            return .state(state, verifier)
        case .state, nil: break
        }
        let stored: LogBeginning
        do throws(EventStoreError) { stored = try await store.whole(record.stream) } catch {
            throw .store(error)
        }
        let earlier = stored.records.prefix(record.sequence.count - 1)
        guard earlier.count == record.sequence.count - 1 else {
            throw .unknownSession(record.stream)
        }
        guard stored.row?.isForeign != true else { return .leftOut }
        var (state, verifier) = (
            SessionState(session: record.stream), LogVerifier<SessionEvent>(stream: record.stream)
        )
        do throws(LogDamage) {
            for record in earlier {
                let event = try verifier.check(record).event
                state.apply(event.event, at: event.at)
            }
        } catch {
            throw .damaged(error)
        }
        return .state(state, verifier)
    }
}

extension PaymentNotice {
    /// The type of the event that carries it, which no record has.
    private var eventType: String { CloudEventLine.typePrefix + kind.rawValue }

    /// It as a CloudEvent whose data is the message of a webhook, without a line ending.
    var cloudEvent: [UInt8] {
        let event: JSONValue = [
            "data": json,
            "datacontenttype": .string("application/json"),
            "dataschema": .string("urn:payment-workflow:schema:notice"),
            "id": .string(id),
            "source": .string(CloudEventLine.source),
            "specversion": .string("1.0"),
            "subject": .string("\(row.session)"),
            "time": .string("\(row.lastAt)"),
            "type": .string(eventType),
        ]
        return Array(JSONDocument.text(event).utf8)
    }
}
