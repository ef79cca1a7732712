internal import EventLog
internal import Logging
internal import Workflow

extension EventLogger {
    /// Processes a session until none of its messages is left to send.
    func work(on session: SessionID) async {
        if let progress = await change(.claim(session)) {
            let outbox = await deliver(session, from: progress)
            rest(session, movedFrom: progress, to: outbox?.progress)
            _ = await change(.release(session, outbox?.progress ?? progress))
        }
        let hasChanges = sessions.removeValue(forKey: session)?.hasChanges == true
        guard !isStopping else { return }
        if hasChanges {
            notice(session)
        } else if !waiting.isEmpty {
            let next = waiting.removeFirst()
            queued.remove(next)
            begin(next)
        }
    }

    /// Excludes a session without an address, keys or a sound log from scans of the store for a
    /// while, and one that could not be read for a shorter time.
    private func rest(
        _ session: SessionID,
        movedFrom before: DeliveryProgress,
        to after: DeliveryProgress?
    ) {
        guard (after?.position ?? before.position) == before.position else {
            idle[session] = nil
            return
        }
        let isUnread = sessions[session]?.isUnread == true
        let failures = isUnread ? (idle[session]?.failures ?? 0) + 1 : 0
        if idle.count >= options.waitingSessions { idle.removeAll() }
        let end = clock.now() + Self.pause(afterFailures: failures)
        idle[session] = Rest(until: end, failures: failures)
    }

    /// The pause of a session without messages, unless its log grows.
    static let idlePause: Duration = .seconds(600)

    /// The pause of a session that could not be read; it doubles with each further failure, up to
    /// ``idlePause``.
    static let unreadPause: Duration = .seconds(5)

    /// The pause of a session that could not be read so many times in succession; 0 times when it
    /// was read and has no messages.
    static func pause(afterFailures failures: Int) -> Duration {
        // Far more doublings than the longest pause has.
        failures == 0 ? idlePause : min(idlePause, unreadPause * (1 << min(failures - 1, 16)))
    }

    /// Sends the messages of a claimed session to the PSP.
    ///
    /// - Returns: The outbox afterwards; `nil` when the log can't be read now.
    private func deliver(
        _ session: SessionID,
        from progress: DeliveryProgress
    ) async -> EventLoggingOutbox? {
        guard let keys = await keys(of: session) else { return nil }
        var outbox = EventLoggingOutbox(session: session, progress: progress, options: options)
        var head = StreamHead.empty
        var claimedAt = clock.now()
        guard await read(session, into: &outbox, after: &head, with: keys) else { return nil }
        while !isStopping, !Task.isCancelled {
            if sessions[session]?.hasChanges == true {
                sessions[session]?.hasChanges = false
                guard await read(session, into: &outbox, after: &head, with: keys) else { break }
            }
            switch outbox.next(at: clock.now()) {
            case .rest:
                if sessions[session]?.hasChanges == true { continue }
                return outbox
            case .wait(let instant):
                // Renew the claim and store the progress, so that the next worker does not send the
                // same messages again.
                guard let noted = await change(.advance(session, outbox.progress)) else {
                    return outbox
                }
                outbox.noted(noted)
                sessions[session]?.isPausing = true
                await clock.sleep(until: instant)
                sessions[session]?.isPausing = false
            case .send(let beacon, let address):
                await awaitTurn()
                // Waiting for a turn may have taken long: make sure that no other worker has
                // continued meanwhile.
                if clock.now() >= claimedAt + options.claim / 3 {
                    guard let noted = await change(.advance(session, outbox.progress)) else {
                        endTurn()
                        outbox.interrupted()
                        return outbox
                    }
                    outbox.noted(noted)
                    claimedAt = clock.now()
                }
                let sent = await send(beacon, to: address)
                endTurn()
                guard let outcome = sent else {
                    outbox.interrupted()
                    return outbox
                }
                outbox.sent(outcome, at: clock.now())
                logFailure(outcome, beacon, of: session)
                if outbox.progress.position >= outbox.notedPosition + Self.writingStep {
                    guard let noted = await change(.advance(session, outbox.progress)) else {
                        return outbox
                    }
                    outbox.noted(noted)
                }
            }
        }
        return outbox
    }

    /// The maximum number of a session's events after which its progress is written.
    static let writingStep = 32

    /// Waits for a turn among the concurrent requests.
    private func awaitTurn() async {
        if requests >= options.requestsAtOnce {
            await withCheckedContinuation { turns.append($0) }
        } else {
            requests += 1
        }
    }

    /// Passes the turn to the next in the queue.
    private func endTurn() {
        if turns.isEmpty { requests -= 1 } else { turns.removeFirst().resume() }
    }

    /// Sends a message.
    ///
    /// - Returns: The outcome; `nil` when the worker stopped, so that the message may or may not
    ///   have arrived.
    private func send(_ beacon: Beacon, to address: String) async -> BeaconOutcome? {
        guard !isStopping, !Task.isCancelled else { return nil }
        let outcome = await sender.send(beacon, to: address)
        return Task.isCancelled && outcome != .delivered ? nil : outcome
    }

    private func logFailure(_ outcome: BeaconOutcome, _ beacon: Beacon, of session: SessionID) {
        guard outcome != .delivered else { return }
        log.debug(
            "a message of client telemetry was not accepted",
            metadata: [
                "session": "\(session)", "action": "\(beacon.action.rawValue)",
                "outcome": "\(outcome)",
            ]
        )
    }

    /// Returns the keys of a session; `nil` when it was erased, or when they can't be read now.
    private func keys(of session: SessionID) async -> SessionKeys? {
        let wrapped: [UInt8]?
        do {
            wrapped = try await store.wrappedKey(of: session)
        } catch {
            failedToRead(session, error.code)
            return nil
        }
        guard let wrapped else { return nil }
        do {
            return try await vault.keys(unwrapping: wrapped, for: session)
        } catch {
            failedToRead(session, error.code)
            return nil
        }
    }

    private func failedToRead(_ session: SessionID, _ code: String) {
        sessions[session]?.isUnread = true
        log.warning(
            "a session could not be read for client telemetry",
            metadata: ["session": "\(session)", "code": "\(code)"]
        )
    }

    /// Reads the rest of the log into the outbox.
    ///
    /// - Returns: False when the log cannot be read now, or is damaged, so that there are no
    ///   messages.
    private func read(
        _ session: SessionID,
        into outbox: inout EventLoggingOutbox,
        after head: inout StreamHead,
        with keys: SessionKeys
    ) async -> Bool {
        while true {
            let first = head.sequence + 1
            let records: [StoredRecord]
            do {
                records = try await store.read(session, from: first, limit: options.readBatch)
            } catch {
                failedToRead(session, error.code)
                return false
            }
            for record in records {
                guard record.sequence == head.sequence + 1, record.previous == head.hash,
                    let recorded = try? EventCodec.decode(record.canonical)
                else {
                    log.warning(
                        "a damaged log is left out of client telemetry",
                        metadata: ["session": "\(session)", "sequence": "\(record.sequence)"]
                    )
                    return false
                }
                // Only a response of the PSP can contain the address to send to.
                let secrets =
                    record.type == EventType.fetched.name
                    ? RecordReader.secrets(in: record, keys: keys) : SecretTable()
                outbox.apply(recorded, secrets: secrets)
                head = StreamHead(sequence: record.sequence, hash: record.hash)
            }
            if records.count < options.readBatch { return true }
        }
    }
}
