internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Destroys data keys: it records who and why, destroys the key, and then removes its traces.
///
/// Each step is durable before the next one and can be repeated, so that an interrupted command can
/// be run again.
struct Erasure: Sendable {
    /// The name of the action in the log.
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
        /// The keys that were destroyed; none if they had been destroyed before.
        var destroyed = DestroyedKeys()
        /// The sequence number of the event that records the erasure.
        var sequence: Int64?
        var refusal: Refusal?
    }

    /// Destroys the key of a session, unless an engine holds its lease; ``finish(_:)`` removes the
    /// traces.
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
            // The rest has to be done by the server's administrator.
            if case .outOfReach(let reason) = removal { keeper.invocation.note("note: \(reason)") }
            return removal
        } catch {
            // The keys are destroyed; an error about their traces must not suggest otherwise.
            return .postponed(reason: "\(error.description) [\(error.code)]")
        }
    }

    /// Returns what remains to be done; `nil` when the erasure is complete.
    static func failure(of removal: TraceRemoval) -> Failure? {
        guard case .postponed(let reason) = removal else { return nil }
        return Failure(
            .tryAgain,
            "store.traces-left",
            "the keys are destroyed, but older copies of them may still stand in the store's files: \(reason)",
            hint:
                "run the same command again, when no other process reads the store for long, to remove them"
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
                // Before anything is recorded, a missing right is detected with a key of no
                // session.
                _ = try await keeper.store.destroyKeys(of: [])
                result.sequence = try await keeper.trail.record(
                    acted,
                    of: session,
                    // A session can be erased without the master key, too.
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

    /// Returns the sequence number of the event that records the erasure, if an earlier run was
    /// interrupted after it.
    private func recorded(_ session: SessionID) async throws(Failure) -> Int64? {
        let log = try await SessionLog.read(session, from: keeper.store)
        return log.events.last { event in
            guard case .operatorActed(let acted) = event.event else { return false }
            return acted.isErasure
        }?.sequence
    }
}
