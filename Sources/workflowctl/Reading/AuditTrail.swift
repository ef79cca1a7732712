internal import Adapters
internal import Workflow

/// Records in sessions' logs what people looked at and did.
///
/// What it appends holds nothing sealed, so it needs no keys; an engine that is at work on the session takes it in as
/// what another process appended.
struct AuditTrail: Sendable {
    /// Where the log is.
    var store: any PaymentStore
    /// The rules of this build.
    var decider: SessionDecider
    /// The time.
    var now: @Sendable () -> Instant

    /// How often appending is tried while others append to the same session.
    static let tries = 20

    /// Appends what a person did, and returns when it is durable.
    ///
    /// - Returns: The place of the event.
    @discardableResult
    func record(
        _ acted: OperatorActed,
        of session: SessionID
    ) async throws(Failure) -> Int64 {
        for _ in 0..<Self.tries {
            let log = try await SessionLog.read(session, from: store)
            let row = try await store.listedRow(of: session)
            let append = try append(acted, to: log, row)
            do throws(EventStoreError) {
                try await store.append(append)
                return append.expectedVersion + 1
            } catch .conflict {
                continue
            } catch {
                throw Failure(error)
            }
        }
        throw Failure(
            .tryAgain,
            "store.conflict",
            "others append to session \(session) all the time",
            hint: "run the command again"
        )
    }

    private func append(
        _ acted: OperatorActed,
        to log: SessionLog,
        _ row: SessionSummary?
    ) throws(Failure) -> StreamAppend {
        let event = SessionEvent.operatorActed(acted)
        let last = log.records.last
        let head = last.map { StreamHead(sequence: $0.sequence, hash: $0.hash) } ?? .empty
        let recorded = RecordedEvent(
            stream: log.session,
            sequence: head.sequence + 1,
            // A log never goes back in time, whatever the clock does.
            at: max(now(), log.events.last?.at ?? now()),
            event: event,
            metadata: EventMetadata(
                build: Build.version,
                catalogue: decider.catalogue.version,
                cause: "command.\(acted.action)",
                node: "workflowctl"
            )
        )
        let record: StoredRecord
        do {
            record = try RecordWriter.unsealedRecord(recorded, after: head)
        } catch {
            throw Failure(.defect, "log.unreadable", "\(error)")
        }
        var state = log.state
        state.apply(event, at: recorded.at)
        var summary = decider.summary(of: state)
        // What a person did changes neither where the session is found nor what is due.
        summary.addressFingerprint = row?.addressFingerprint
        summary.dueAt = row?.dueAt
        return StreamAppend(
            stream: log.session,
            expectedVersion: head.sequence,
            records: [record],
            summary: summary
        )
    }
}

extension Reader {
    /// Records that a person is about to see what is sealed; nothing may be shown before it returns.
    ///
    /// - Throws: A failure when it can't be recorded: then nothing is to be shown.
    func recordAccess(_ action: String, to session: SessionID) async throws(Failure) {
        guard configuration.audit.recordsReveal else { return }
        if configuration.audit.requiresReason { try person.requireReason() }
        let store: any PaymentStore
        do throws(Failure) {
            store = try await location.open(.existing, for: session, on: invocation.loop)
        } catch {
            throw Failure.notRecorded(error)
        }
        let trail = AuditTrail(store: store, decider: decider, now: invocation.now)
        do throws(Failure) {
            try await trail.record(person.acted(action), of: session)
        } catch {
            await store.close()
            throw Failure.notRecorded(error)
        }
        await store.close()
    }
}

extension Failure {
    /// A look at sealed values that can't be recorded is refused.
    static func notRecorded(_ cause: Failure) -> Failure {
        Failure(
            cause.status,
            "store.access-not-recorded",
            "nothing is shown, since the configuration wants every look at sealed values recorded and this one could not be: "
                + "\(cause.message) [\(cause.code)]",
            hint: "run it with the right to write the store, or leave out --reveal"
        )
    }
}
