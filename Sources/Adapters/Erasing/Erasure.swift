package import EventLog
internal import Inspection
internal import SwedbankPay

/// Destroys data keys: records who does it and why, destroys the keys, and removes their traces.
///
/// Each step is durable before the next, and each can be repeated: after any interruption, the same
/// erasure continues.
package struct Erasure: Sendable {
    /// How long to wait for other readers of the store.
    package static let patience = Duration.seconds(10)

    private let store: any PersistentStore
    private let trail: AuditTrail
    private let patience: Duration

    /// Creates an erasure in a store.
    ///
    /// - Parameters:
    ///   - store: The store, open for writing.
    ///   - trail: Records the erasures in the logs of the same store.
    ///   - patience: How long to wait for other readers of the store.
    package init(
        in store: any PersistentStore,
        recordedBy trail: AuditTrail,
        patience: Duration = Erasure.patience
    ) {
        (self.store, self.trail, self.patience) = (store, trail, patience)
    }

    /// Destroys the keys of sessions one after the other, and then removes the traces of all, for
    /// which the whole file may have to be searched.
    ///
    /// Which sessions are due is only a proposal: under its lease, each session's log is read,
    /// every MAC is checked, and the log decides.
    ///
    /// It stops at the first failure, or when its task is cancelled. The traces of the keys that
    /// were destroyed by then are removed in any case.
    ///
    /// - Parameters:
    ///   - sessions: The sessions.
    ///   - due: Decides which sessions are due; `nil` for sessions that a person named.
    ///   - name: The operator.
    ///   - reason: The reason.
    ///   - reached: Receives the number of sessions erased so far.
    /// - Returns: What was done, and the failure.
    package func erase(
        _ sessions: [SessionID],
        _ due: DueRule?,
        by name: String,
        reason: String?,
        reached: (Int) -> Void
    ) async -> ErasedSessions {
        let acted = OperatorActed(by: name, action: OperatorActed.erasure, reason: reason)
        var (erased, left): ([SessionID: ErasedSession], [SessionID: DueRule.Refusal]) = ([:], [:])
        var inUse: Set<SessionID> = []
        var destroyed = DestroyedKeys()
        var failure: ErasureError?
        for session in sessions {
            if Task.isCancelled { break }
            do throws(ErasureError) {
                if let destruction = try await destroy(session, as: acted, due) {
                    destroyed.merge(destruction.keys)
                    erased[session] = ErasedSession(
                        isDestroyed: !destruction.keys.sessions.isEmpty,
                        sequence: destruction.sequence
                    )
                } else {
                    inUse.insert(session)
                }
            } catch .notDue(let refusal) {
                left[session] = refusal
            } catch {
                // Erasures that have begun are finished first.
                failure = error
                break
            }
            reached(erased.count)
        }
        return ErasedSessions(
            erased: erased,
            inUse: inUse,
            left: left,
            traces: await store.traceRemoval(of: destroyed, within: patience),
            failure: failure
        )
    }

    /// The destruction of a key, whose traces are left.
    private struct Destruction {
        /// The keys that were destroyed; none if none was left.
        var keys: DestroyedKeys
        /// The sequence number of the event that records it.
        var sequence: SequenceNumber?
    }

    /// Destroys the key of a session; returns `nil` when an engine holds the session's lease.
    private func destroy(
        _ session: SessionID,
        as acted: OperatorActed,
        _ due: DueRule? = nil
    ) async throws(ErasureError) -> Destruction? {
        do throws(EventStoreError) {
            guard try await store.acquireQuietLease(on: session) else { return nil }
        } catch {
            throw .store(error)
        }
        let result: Result<Destruction, ErasureError>
        do throws(ErasureError) {
            result = .success(try await destroyLeased(session, as: acted, due))
        } catch {
            result = .failure(error)
        }
        await store.releaseLease(on: session)
        return try result.get()
    }

    private func destroyLeased(
        _ session: SessionID,
        as acted: OperatorActed,
        _ due: DueRule?
    ) async throws(ErasureError) -> Destruction {
        let evidence: EvidentLog
        do throws(LogReadingError) {
            evidence = try await EvidentLog(of: session, in: store)
        } catch {
            throw .reading(error)
        }
        if let due, case .refused(let refusal) = await due.decision(on: evidence) {
            throw .notDue(refusal)
        }
        // An interrupted run may have recorded it.
        var sequence = evidence.log.events.last { $0.event.isErasure }?.sequence
        guard evidence.stored.wrappedKey != nil else {
            return Destruction(keys: DestroyedKeys(), sequence: sequence)
        }
        if sequence == nil {
            // Without sessions: a missing permission is found before anything is recorded.
            _ = try await destroyKeys(of: [])
            do throws(AuditTrailError) {
                // Without the master key, what it opens can still be destroyed.
                sequence = try await trail.record(acted, of: session, mayLackKeys: true)
            } catch {
                throw .trail(error)
            }
        }
        return Destruction(keys: try await destroyKeys(of: [session]), sequence: sequence)
    }

    private func destroyKeys(
        of sessions: [SessionID]
    ) async throws(ErasureError) -> DestroyedKeys {
        do throws(EventStoreError) { return try await store.destroyKeys(of: sessions) } catch {
            throw .store(error)
        }
    }
}

/// A session whose data key no longer exists.
package struct ErasedSession: Sendable {
    /// Whether its key was destroyed now; `false` if none was left.
    package let isDestroyed: Bool
    /// The sequence number of the event that records it; `nil` if none does.
    package let sequence: SequenceNumber?
}

/// What became of sessions that were to be erased.
package struct ErasedSessions: Sendable {
    /// The sessions whose data key no longer exists.
    package let erased: [SessionID: ErasedSession]
    /// The sessions that were left out because an engine holds their lease.
    package let inUse: Set<SessionID>
    /// The sessions that were left out because their logs do not show that they are due, although
    /// their rows do.
    package let left: [SessionID: DueRule.Refusal]
    /// Whether the traces of the keys were removed, or why that is pending.
    package let traces: TraceRemoval
    /// Why the rest was not erased; `nil` when nothing failed.
    package let failure: ErasureError?
}

/// Why a session was not erased.
package enum ErasureError: Error, Sendable {
    /// The store could not be read or written.
    case store(EventStoreError)
    /// The session's log could not be read.
    case reading(LogReadingError)
    /// The erasure could not be recorded in the log, and so the key was not destroyed.
    case trail(AuditTrailError)
    /// The session's log does not show that it is due.
    case notDue(DueRule.Refusal)
}
