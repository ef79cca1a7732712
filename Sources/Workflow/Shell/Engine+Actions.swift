internal import EventLog
internal import Logging

extension Engine {
    /// Gives an input to the core and does what it wants.
    func handle(_ input: EngineInput<Rules>) {
        for action in core.handle(input, at: clock.now()) { perform(action) }
    }

    private func perform(_ action: EngineAction<Rules>) {
        switch action {
        case .load(let session, let place):
            _ = spawn { await $0.reload(session, after: place) }
        case .append(let append): begin(append)
        case .perform(let session, let call): begin(call, for: session)
        case .cancel(let session, let effect):
            requests.removeValue(forKey: RequestKey(session: session, effect: effect))?
                .task.cancel()
        case .acquireLease(let session):
            inOrder([session]) { engine in
                let granted = (try? await engine.store.acquireLease(on: session)) ?? false
                await engine.handle(.lease(session, granted: granted))
            }
        case .releaseLease(let session):
            // A stopped engine has given all of them back already.
            guard !isStopping || sessions[session] != nil else { return }
            inOrder([session]) { await $0.store.releaseLease(on: session) }
        case .handOverLeases(let sessions):
            inOrder(sessions) { await $0.store.handOverLeases(on: sessions) }
        case .reply(let number, let result):
            replies.removeValue(forKey: number)?.resume(returning: result)
        case .publish(let state, let before): publish(state, after: before)
        case .report(let session, let error): report(error, of: session)
        case .wake(let instant): setWake(instant)
        case .park(let session):
            sessions[session]?.finishListeners()
            sessions[session] = nil
        }
    }

    /// Leases of a session are asked for and given back one after the other, never across each other.
    private func inOrder(
        _ sessions: [SessionID],
        _ work: @escaping @Sendable (Engine<Rules>) async -> Void
    ) {
        let before = sessions.compactMap { leaseWork[$0]?.task }
        requestCount += 1
        let number = requestCount
        let task = spawn { engine in
            for earlier in before { await earlier.value }
            await work(engine)
            await engine.leaseWorkEnded(number, of: sessions)
        }
        for session in sessions { leaseWork[session] = LeaseWork(number: number, task: task) }
    }

    private func leaseWorkEnded(_ number: Int, of sessions: [SessionID]) {
        for session in sessions where leaseWork[session]?.number == number {
            leaseWork[session] = nil
        }
    }

    // MARK: Durability

    private func begin(_ append: PendingAppend<Rules>) {
        guard var resources = sessions[append.session] else { return }
        do {
            let prepared = try prepare(append, resources)
            resources.appending = (prepared.events, prepared.head)
            sessions[append.session] = resources
            pendingAppends += 1
            _ = spawn { await $0.store(prepared.append) }
        } catch {
            // Not at once: the core is still telling what it wants done.
            pendingAppends += 1
            _ = spawn { await $0.refuse(append, error) }
        }
    }

    private func refuse(_ append: PendingAppend<Rules>, _ error: any Error) {
        log.error(
            "an event could not be written as a record",
            metadata: ["session": "\(append.session)", "error": "\(error)"]
        )
        pendingAppends -= 1
        let failure: EventStoreError
        if case .missingPlaintext(let type, let number)? = error as? RecordWritingError {
            failure = .secretMissing(
                stream: append.session,
                value: "sealed value \(number) of \(type)"
            )
        } else {
            failure = .corrupt(
                stream: append.session,
                sequence: append.expectedVersion + 1,
                reason: "\(error)"
            )
        }
        handle(.appendFailed(append.session, failure))
    }

    private func prepare(
        _ append: PendingAppend<Rules>,
        _ resources: SessionResources<Rules>
    ) throws -> (append: StreamAppend, events: [Recorded<Rules.Event>], head: StreamHead) {
        var head = resources.head
        var events: [Recorded<Rules.Event>] = []
        var records: [StoredRecord] = []
        let metadata = EventMetadata(
            build: configuration.build,
            catalogue: rules.catalogueVersion,
            cause: append.cause,
            node: configuration.node
        )
        for event in append.events {
            let recorded = Recorded(
                stream: append.session,
                sequence: head.sequence + 1,
                at: append.at,
                event: event,
                metadata: metadata
            )
            let record = try RecordWriter.record(
                recorded,
                after: head,
                keys: resources.keys,
                secrets: resources.secrets,
                random: random
            )
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            events.append(recorded)
            records.append(record)
        }
        var summary = append.summary
        summary.addressFingerprint = resources.addressFingerprint
        if resources.keys.authenticFrom != nil { summary.headMAC = resources.keys.mac(of: head) }
        let streamAppend = StreamAppend(
            stream: append.session,
            expectedVersion: append.expectedVersion,
            records: records,
            summary: summary,
            wrappedKey: resources.wrappedKey,
            isUnderLease: append.isUnderLease
        )
        return (streamAppend, events, head)
    }

    private func store(_ append: StreamAppend) async {
        let input: EngineInput<Rules>
        do {
            try await store.append(append)
            if let done = sessions[append.stream]?.appending {
                sessions[append.stream]?.head = done.head
                sessions[append.stream]?.unpublished += done.records
                sessions[append.stream]?.wrappedKey = nil
                sessions[append.stream]?.appending = nil
            }
            input = .appended(append.stream)
        } catch {
            sessions[append.stream]?.appending = nil
            input = .appendFailed(append.stream, error)
        }
        pendingAppends -= 1
        handle(input)
    }

    private func publish(_ state: Rules.State, after before: Int64) {
        let events = sessions[state.session]?.unpublished ?? []
        if let work = hooks.afterAppend(state, events) { _ = spawn(work) }
        sessions[state.session]?.unpublished.removeAll()
        for observer in observers { _ = spawn { _ in await observer(state.session) } }
        guard let listeners = sessions[state.session]?.listeners, !listeners.isEmpty else { return }
        let update = EngineUpdate<Rules>(
            state: state,
            isSettled: isSettled(state),
            events: events.filter { $0.sequence > before },
            storeFailure: nil
        )
        for listener in listeners.values { listener.yield(update) }
    }

    private func report(_ error: EventStoreError, of session: SessionID) {
        log.warning(
            "the store failed",
            metadata: ["session": "\(session)", "code": "\(error.code)"]
        )
        guard let listeners = sessions[session]?.listeners, !listeners.isEmpty else { return }
        let state = core.state(of: session) ?? Rules.State(session: session)
        let update = EngineUpdate<Rules>(
            state: state,
            isSettled: false,
            events: [],
            storeFailure: error
        )
        for listener in listeners.values { listener.yield(update) }
    }

    // MARK: Time

    private func setWake(_ instant: Instant?) {
        wake?.cancel()
        wake = nil
        guard let instant, !isStopping else { return }
        wake = spawn { engine in
            await engine.clock.sleep(until: instant)
            guard !Task.isCancelled else { return }
            await engine.handle(.timeCame)
        }
    }
}
