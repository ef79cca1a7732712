internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Destroys data keys: records who does it and why, destroys the key, and removes its traces.
///
/// Each step is durable before the next, and each can be repeated: after any interruption, the same
/// command continues.
struct Erasure: Sendable {
    /// The action's name in the log.
    static let action = OperatorActed.erasure

    /// How long to wait for other readers of the store.
    static let patience = Duration.seconds(10)

    let keeper: Keeper

    /// Why a session's key cannot be destroyed now.
    enum Refusal: Hashable, Sendable {
        /// An engine holds the session's lease.
        case inUse
    }

    /// The result for one session.
    struct Result: Sendable {
        /// The keys that were destroyed; none if none was left.
        var destroyed = DestroyedKeys()
        /// The sequence number of the event that records it.
        var sequence: SequenceNumber?
        var refusal: Refusal?
    }

    /// Destroys the key of a session, unless an engine holds its lease; traces are left for
    /// ``finish(_:)``.
    func erase(
        _ session: SessionID,
        as acted: OperatorActed
    ) async throws(Failure) -> Result {
        do {
            guard try await keeper.store.acquireLease(on: session) else {
                return Result(refusal: .inUse)
            }
        } catch {
            throw Failure(error)
        }
        let outcome: Swift.Result<Result, Failure>
        do throws(Failure) {
            outcome = .success(try await eraseLeased(session, as: acted))
        } catch {
            outcome = .failure(error)
        }
        await keeper.store.releaseLease(on: session)
        return try outcome.get()
    }

    /// Removes the remains of destroyed keys from the files of the store.
    func finish(_ destroyed: DestroyedKeys) async throws(Failure) -> TraceRemoval {
        do {
            let removal = try await keeper.store.removeTraces(
                of: destroyed,
                within: Self.patience
            )
            // What remains can be done only by the server's administrator.
            if case .outOfReach(let reason) = removal { keeper.invocation.note("note: \(reason)") }
            return removal
        } catch {
            // The keys are destroyed; remaining traces must not make it look as if nothing had been
            // done.
            return .postponed(reason: "\(error.description) [\(error.code)]")
        }
    }

    /// Returns the failure that describes what is left to do; `nil` when nothing is.
    static func failure(of removal: TraceRemoval) -> Failure? {
        guard case .postponed(let reason) = removal else { return nil }
        return Failure(
            .tryAgain,
            "store.traces-left",
            "the keys are destroyed, but older copies may still be in the store's files: \(reason)",
            hint:
                "to remove the copies, run the command again when no other process keeps the store open"
        )
    }

    private func eraseLeased(
        _ session: SessionID,
        as acted: OperatorActed
    ) async throws(Failure) -> Result {
        do {
            guard try await keeper.store.wrappedKey(of: session) != nil else {
                return Result(sequence: try await recorded(session))
            }
            var result = Result(sequence: try await recorded(session))
            if result.sequence == nil {
                // Without sessions: a missing permission is found before anything is recorded.
                _ = try await keeper.store.destroyKeys(of: [])
                result.sequence = try await keeper.trail.record(
                    acted,
                    of: session,
                    // Without the master key, what it opens can still be destroyed.
                    mayLackKeys: true
                )
            }
            result.destroyed = try await keeper.store.destroyKeys(of: [session])
            return result
        } catch let error as EventStoreError {
            throw Failure(error)
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(.defect, "store.unavailable", "\(error)")
        }
    }

    /// Returns the sequence number of the event that records the erasure; an interrupted run may
    /// have written it.
    private func recorded(_ session: SessionID) async throws(Failure) -> SequenceNumber? {
        let log = try await SessionLog.read(session, from: keeper.store)
        return log.events.last { event in
            guard case .operatorActed(let acted) = event.event else { return false }
            return acted.isErasure
        }?.sequence
    }
}
